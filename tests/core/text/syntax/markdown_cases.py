"""Markdown for the laws that hold for every language."""

from collections.abc import Mapping

from tests.core.text.syntax.cases import Outlines, Trees

SOURCE = """\
---
title: Memory
tags: [a, b]
---
Words before any heading, with a [link](docs/b.md#usage).

# Build & test

Run [make](./Makefile "all of it").

```sh
# not a heading
make test
```

~~~
# nor this
~~~

    # nor this

<!-- # nor
# this
-->

Underlined
twice
------

- one
  # in a list

  ```
  # in a fence in a list
  ```
- [ ] open
- [x] done

> # quoted
> text
lazy
===

## Build & test ##

[web]: https://example.org
[b]: <docs/b.md>

1. first
   - [ ] nested

Last
====
"""

PIECES = [
    "#", "# ", "## a\n", "\n", "\n\n", "- ", "1. ", "2) ", "> ", "    ", "  ", "\t", "```", "~~~", "===", "---", "***",
    "<!--", "-->", "<div>", "</div>", "<b>", "<pre>", "[a]: b", "[a](b.md#c)", "a", "`", "\\", "\r\n", "\r", "\ufeff",
    "+++", "k: v\n", "- [ ] ", "+", "*", "é", "\0", "<?", "![", "]", "(",
]  # fmt: skip

SIZES = {
    "quotes": lambda n: ">" * 5 * n + "\n" + "> " * 2 * n + "\n",
    "lists": lambda n: "- " * 5 * n + "\n",
    "blank lines in lists": lambda n: "- " * 20 + "a\n" + "\n" * n,
    "lines in lists": lambda n: "- " * 20 + "a\n" + (" " * 40 + "b\n") * n,
    "headings": lambda n: "# a\n" * 5 * n,
    "underlines": lambda n: "a\n=\n" * 5 * n,
    "lines": lambda n: "a [b](c)\n" * 5 * n,
    "links": lambda n: "[a](b) " * 5 * n,
    "brackets": lambda n: "[" * 20 * n + "](" * 10 * n,
    "definitions": lambda n: "[a]: b\n" * 5 * n,
    "open titles": lambda n: '[a]: b "c\n' * 5 * n,
    "open labels": lambda n: "[" + "a" * 20 * n + "\n[" + "\\]" * 10 * n,
    "tags": lambda n: "<a" + " b" * 10 * n + "\n",
    "attributes": lambda n: "<a" + " b = " * 10 * n + "\n",
    "comments": lambda n: "<!--\n" * 5 * n,
    "fences": lambda n: "```\n# a\n~~~\n" * 5 * n,
    "backticks": lambda n: "`" * 20 * n + "\n" + "~" * 20 * n,
    "rules": lambda n: "* " * 20 * n + "a\n" + "-" * 20 * n + "a\n",
    "front matter": lambda n: "---\na: b\n" + "-- \n" * 5 * n,
    "closing marks": lambda n: "# " + "# " * 20 * n + "a #\n",
}

ACCENTED = "# café\n\n".encode() + b"\xff\xfe broken \xc3\n"

OUTLINES = [Outlines("a.md", SOURCE, 5, PIECES, SIZES, ACCENTED)]

VARIANTS: Mapping[str, list[str | None]] = {
    "README.md": [
        "[guide](docs/guide.md)\n\n# Use\n\n[how](docs/guide.md#use-1) [code](src/a.py) [self](#use)\n",
        "# Use\n\n[gone](docs/none.md) [up](../x.md) [top](/docs/guide.md#first) [web](https://x.org/README.md)\n",
        "",
        None,
    ],
    "docs/guide.md": [
        "# First\n\n[back](../README.md#use)\n\n## Use\n\n## Use\n",
        "# Use\n\n[back](../README.md) [img](<../docs/guide.md#use>)\n",
        "nothing\n",
        None,
    ],
    "docs/more.md": ["[b]: guide.md#use\n\n# More\n", "[b]: guide.md#none\n", None],
}

TREES = Trees("markdown", VARIANTS, 3)
