"""Node ids: the names of everything the record and the graph speak about.

    file:PATH               a source file, PATH as the record spells it
    sym:PATH#Outer.inner    a symbol in it; the second of that name in the file is `...inner~2`
    claim:NAME  note:NAME   what was asserted or written down
    memo:HEX  words:TEXT    a statement that was made, and any words that may have been said
    prompt:N  result:N  summary:N  memory:PATH    the host lens: what the host's own window held

An id has one spelling. In PATH the characters that would end it early (`#`, and `%` itself) and controls are written
`%23`-style, so any file name is safe inside an id.
"""

from __future__ import annotations

from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

HELD_PREFIXES = ("prompt:", "text:", "thought:", "call:", "result:", "summary:", "delivery:")
"""How the ids of what a step said begin, that an agent's window holds; the step follows."""
MEMO_PREFIX, WORDS_PREFIX = "memo:", "words:"
SPOKEN_PREFIXES = (MEMO_PREFIX, WORDS_PREFIX)
"""How the ids of what was said begin: it is in the agent's window by its words, and in no graph."""
PREFIXES = ("file", "sym", "claim", "note", "memory", *(each[:-1] for each in HELD_PREFIXES))


def file_node(path: str) -> str:
    return "file:" + escape(path)


def sym_node(path: str, qualified: str, nth: int = 1) -> str:
    """The `nth` symbol called `qualified` in `path`. A name that looks numbered gets its number even when it's 1."""
    return f"sym:{escape(path)}#{qualified}" + (f"~{nth}" if nth > 1 or _numbered(qualified) else "")


def sym_nodes(path: str, names: Iterable[str]) -> list[str]:
    """The symbols of a file by their qualified names, in the order of its text."""
    start = f"sym:{escape(path)}#"
    names = list(names)
    if len(set(names)) == len(names) and "~" not in "".join(names):  # as nearly always
        return [start + name for name in names]
    counts: dict[str, int] = {}
    found = []
    for name in names:
        nth = counts[name] = counts.get(name, 0) + 1
        found.append(start + name if nth == 1 and not _numbered(name) else f"{start}{name}~{nth}")
    return found


def spelled_path(node: str) -> str:
    """The path a file or a symbol lies in, as its node spells it: enough to tell files apart."""
    return node.partition(":")[2].partition("#")[0]


@lru_cache(maxsize=4096)  # the same few nodes are asked about again and again
def path_of(node: str) -> str | None:
    """The path a node lies in, or None when it lies in no file."""
    prefix, _, rest = node.partition(":")
    if prefix in ("file", "memory"):
        return unescape(rest)
    if prefix == "sym":
        return unescape(rest.partition("#")[0])
    return None


def symbol_of(node: str) -> tuple[str, int] | None:
    """The qualified name of a symbol node and which of that name it is."""
    if not node.startswith("sym:"):
        return None
    qualified = node.partition("#")[2]
    if _numbered(qualified):
        name, _, nth = qualified.rpartition("~")
        return name, int(nth)
    return qualified, 1


def is_node(text: str) -> bool:
    """Whether `text` is spelled like an id, rather than like something a person types."""
    prefix, mark, rest = text.partition(":")
    return bool(mark and rest) and prefix in PREFIXES


def escape(path: str) -> str:
    """`path` with the characters that can't stand inside an id written as `%XX`."""
    if path.isprintable() and "%" not in path and "#" not in path:
        return path
    return "".join(f"%{ord(ch):02X}" if ch in "%#" or ord(ch) < 0x20 or ord(ch) == 0x7F else ch for ch in path)


def unescape(text: str) -> str:
    """The path that `escape` was given."""
    if "%" not in text:
        return text
    head, *rest = text.split("%")
    return head + "".join(_unescaped(part) for part in rest)


def _numbered(qualified: str) -> bool:
    """Whether a name ends as `...~2` does."""
    if "~" not in qualified:  # as nearly always
        return False
    nth = qualified.rpartition("~")[2]
    return len(nth) < 10 and nth.isascii() and nth.isdigit() and nth[0] != "0"


def _unescaped(part: str) -> str:
    """What followed a `%`; left alone where it can't be one of ours, since ids are typed by people too."""
    code = part[:2]
    if len(code) == 2 and all(ch in "0123456789ABCDEF" for ch in code):
        return chr(int(code, 16)) + part[2:]
    return "%" + part
