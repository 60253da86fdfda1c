"""Stacks as JavaScript's engines and runners write them, and the errors they belong to.

`at fn (path:line:column)` is the engine's own way, `❯ fn path:line:column` vitest's; a path may be a URL of a file or
of a server that compiles on the way. An error may have a cause, or be several at once: whatever it was made of comes
before it, for that is where it broke.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from ccos_core.intake.failures.page import MOST_FRAMES, short
from ccos_core.values.outcome import ARROW, Frame

SOURCE = r"\.(?:[cm]?[jt]sx?|vue|svelte|astro|coffee|mdx)"  # how files end that such a stack may lead through

_PLACE = re.compile(r"(?P<path>[^<].*):(?P<line>[0-9]{1,9}):[0-9]{1,9}", re.DOTALL)
_EVAL = re.compile(r"\(([^()]+):(\d{1,9}):\d{1,9}\)")
_ALIAS = re.compile(r" \[as [^\]]*\]$")
_OWNERS = ("Object.", "Module.", "Function.", "exports.")
_CAUSES = ("[cause]: ", "Caused by: ")
_CAUSE_ALONE = "Cause:"
_SEVERAL = ("[errors]: [", "Errors contained in AggregateError:")
_ERROR = re.compile(r"[^: ]*(?:Error|Exception)(?:$|:| \[)")
_COMPILER_SITES = (
    re.compile(rf"\w+: (?P<path>\S.{{0,400}}?{SOURCE}): .{{0,400}}\((?P<line>\d{{1,9}}):\d{{1,9}}\)$"),
    re.compile(rf"(?P<path>\S.{{0,400}}?{SOURCE}):(?P<line>\d{{1,9}}):\d{{1,9}}(?: - error |: ERROR: )"),
    re.compile(rf"\s*╭─+\[ (?P<path>\S.{{0,400}}?{SOURCE}):(?P<line>\d{{1,9}}):\d{{1,9}} \]$"),
)
_IMPORTER = re.compile(rf" (?:from|in) '?(?P<path>\S.{{0,400}}?{SOURCE})'?(?:\. Does the file exist\?)?$")
_CODE = re.compile(r"\s*>?\s*(?:\d{1,7})?\s?\|")


def frame_of(line: str, bare: bool = False) -> Frame | None:
    """The place in one line of a stack; `bare` where the lines have no `at` in front."""
    text = line.strip()
    if text.startswith("❯ "):
        name, _, place = text[2:].rpartition(" ")
        return _frame(name, place)
    if text.startswith("at "):
        text = text[3:]
    elif not bare:
        return None
    text = text.rstrip(" {,")
    if text.endswith(")"):
        name, opened, place = text[:-1].partition(" (")
        return _frame(name, place) if opened else None
    return _frame("", text.removeprefix("async "))


def is_stack(line: str) -> bool:
    """Whether this belongs to a stack, also where it names no place: `at Array.map (<anonymous>)`."""
    text = line.strip()
    return text.startswith(("at ", "❯ ")) or (text.startswith("... ") and text.endswith("stack trace ..."))


def parse_stack(lines: list[str], bare: bool = False) -> tuple[tuple[Frame, ...], str]:
    """(frames, message) of the lines below a headline: what broke first comes first, each place once."""
    parts: list[list[Frame]] = [[]]
    several = False
    sites: list[Frame] = []
    message = compiled = ""  # what a compiler said counts more: the line above it only says that it failed
    for line in lines:
        text = line.strip()
        frame = frame_of(line, bare)
        if frame is not None:
            parts[-1].append(frame)
        elif not text or is_stack(line):
            continue
        elif text.startswith(_SEVERAL):
            several = True
            parts.append([])
        elif text.startswith(_CAUSES) or text == _CAUSE_ALONE or (several and parts[-1] and _ERROR.match(text)):
            parts.append([])
        else:
            site = _compiler_site(line)
            if site is not None:
                sites.append(site)
                compiled = compiled or (text if site.line and "╭" not in text else "")
            message = message or ("" if _CODE.match(line) else text)
    message = (compiled or message).removesuffix(" {")
    if message.startswith("[") and message.endswith("]"):  # an error without a stack
        message = message[1:-1]
    causes = parts[1:] if several else parts[:0:-1]  # of a chain the deepest first, of several errors the first
    return _join([*causes, parts[0]], sites), short(message)


def path_of(said: str) -> str:
    """A path without what a URL or a bundler puts around it."""
    path = said
    if path.startswith("file://"):
        path = unquote(path[7:])
        path = path[1:] if path[:1] == "/" and path[2:3] == ":" else path
    elif path.startswith("webpack"):
        path = path.rpartition("://")[2]
        path = path.partition("/./")[2] or path.lstrip("/")
    elif path.startswith(("http://", "https://")):
        path = "/" + path.partition("://")[2].partition("/")[2]
    return path.partition("?")[0] if "?" in path else path


def name_test(path: str, *names: str) -> str:
    """The name of a test: its file, its suites and its own, however a runner joins them."""
    return ARROW.join((path, *(name.replace(" › ", ARROW).strip() for name in names)))


def _join(parts: list[list[Frame]], sites: list[Frame]) -> tuple[Frame, ...]:
    """All frames; before them the places no frame stands for, behind them the files."""
    frames = [frame for part in parts for frame in part[:MOST_FRAMES]]
    places = {(frame.path, frame.line) for frame in frames}
    paths = {frame.path for frame in frames}
    lone = [site for site in sites if site.line and (site.path, site.line) not in places]
    files = [site for site in sites if not site.line and site.path not in paths]
    return tuple(dict.fromkeys(lone + frames + files))[:MOST_FRAMES]


def _compiler_site(line: str) -> Frame | None:
    """The place a compiler names inside of a message; of a module that was not found, the file that wanted it."""
    if len(line) > 1_000 or "." not in line:
        return None
    text = line.strip()
    for pattern in _COMPILER_SITES:
        if (found := pattern.match(text)) is not None:
            return Frame(path_of(found["path"]), int(found["line"]))
    found = _IMPORTER.search(text) if "annot find " in text or " load url " in text else None
    return None if found is None else Frame(path_of(found["path"]), 0)


def _frame(name: str, place: str) -> Frame | None:
    found = _EVAL.search(place) if place.startswith("eval at ") else _PLACE.fullmatch(place)
    return None if found is None else Frame(path_of(found[1]), int(found[2]), _function_name(name))


def _function_name(said: str) -> str:
    """The function's name alone; empty for one that has none."""
    name = _ALIAS.sub("", said.strip()) if said.endswith("]") else said.strip()
    name = name.removeprefix("async ").removeprefix("new ")
    owner, _, accessor = name.rpartition("get ") if "get " in name else ("", "", name)
    name = owner + accessor
    if name.endswith("<anonymous>") or name in ("eval", "null"):
        return ""
    for prefix in _OWNERS:
        name = name.removeprefix(prefix)
    return name
