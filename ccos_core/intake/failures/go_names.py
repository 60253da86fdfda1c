"""How Go names things in its outputs: packages, functions, tests, and which of them are Go's own.

A function is `example.com/shop/cart.(*Cart).First`, a test's inner one `example.com/shop/cart.TestFirst.func1`.
"""

from __future__ import annotations

import re

from ccos_core.intake.failures.arguments import words_of

_STANDARD = words_of(
    "archive bufio builtin bytes cmp compress container context crypto database debug embed encoding errors expvar flag"
    " fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp runtime slices"
    " sort strconv strings structs sync syscall testing text time unicode unique unsafe vendor weak"
)
_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_INNER = re.compile(r"^(?:func\d+|gowrap\d+|deferwrap\d+|\d+|init|glob|)$")
_TEST = re.compile(r"(?:Test|Fuzz|Benchmark|Example)(?:$|[^a-z])")


def parts(function: str) -> tuple[str, str]:
    """(package, the rest) of a function."""
    plain = function.replace("%2e", "\0")
    slash = plain.rfind("/", 0, plain.find("[") if "[" in plain else len(plain)) + 1
    dot = plain.find(".", slash)
    package, rest = (plain[:dot], plain[dot + 1 :]) if dot >= 0 else ("", plain)
    return package.replace("\0", "."), rest.replace("\0", ".")


def short_name(function: str) -> str:
    """`First` for `example.com/shop/cart.(*Cart).First.func1`."""
    _, rest = parts(function)
    names = _BRACKETS.sub("", rest.replace("[...]", "")).replace("(*", "").replace(")", "").split(".")
    kept = [name for name in names if not _INNER.match(name)]
    return kept[-1].removesuffix("-fm") if kept else ""


def enclosing_test(function: str) -> tuple[str, str]:
    """(package, test) if the function is one, or stands in one; else empty."""
    package, rest = parts(function)
    name = rest.partition(".")[0].partition("[")[0]
    return (package.removesuffix("_test"), name) if _TEST.match(name) else ("", "")


def above(test: str) -> list[str]:
    """The tests a subtest stands in: `TestA` and `TestA/b` of `TestA/b/c`."""
    steps = test.split("/")
    return ["/".join(steps[:size]) for size in range(1, len(steps))]


def is_standard(function: str, path: str) -> bool:
    """Whether it is Go's own, wherever it was installed."""
    if function == "panic" or path == "_testmain.go":
        return True
    package, _ = parts(function)
    _, mark, below = path.replace("\\", "/").rpartition("/src/")
    top = (below if mark or not path.startswith("/") else "").partition("/")[0]
    return package.partition("/")[0] in _STANDARD and top in _STANDARD
