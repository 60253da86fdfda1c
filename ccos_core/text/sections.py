"""Sections of a Markdown text: found by slug or title, read, and appended to without changing any other byte.

    read_section("# A\\n\\nold\\n", "a").text                  # "# A\\n\\nold\\n"
    append_section("# A\\n\\nold\\n", "a", "new")              # "# A\\n\\nold\\n\\nnew\\n"
    append_section("# A\\r\\n", "Plans", "- one")              # "# A\\r\\n\\r\\n## Plans\\r\\n\\r\\n- one\\r\\n"

A section reaches to the next heading of its level or above. What is appended goes behind its own text, before the
headings inside of it. Line ends, a byte order mark and a missing last line end stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from ccos_core.errors import NotFound, Usage
from ccos_core.text.syntax.markdown import UNNAMED, Heading, read_markdown, slug

NEW_LEVEL = 2
"""Of a heading that is made because it is missing."""
MOST_NAMED = 12
"""Sections an error names."""
BULLETS = ("- ", "* ", "+ ")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Section(NamedTuple):
    """A heading with what stands below it."""

    name: str
    """Its slug; from the second equal one on `slug~2`, as symbols have it."""

    title: str
    level: int
    start: int
    """Where its heading begins, ..."""

    own_end: int
    """... where its own last line ends, before the first heading inside of it, ..."""

    end: int
    """... and where all of it ends: characters of the text."""

    line: int
    """Its first line, ..."""

    last: int
    """... and its last one."""

    text: str


def sections(text: str) -> list[Section]:
    """All sections of a text, in its order."""
    found = read_markdown(text)
    lines = [each + "\n" for each in found.lines[:-1]] + [found.lines[-1]]
    starts = [0, *accumulate(map(len, lines))]
    shift = len(text) - starts[-1]  # a byte order mark
    names, headings = list(_names(found.headings)), found.headings
    lasts = _last_lines(headings, len(lines))
    made = []
    for at, each in enumerate(headings):
        inner = headings[at + 1].first - 1 if at + 1 < len(headings) else len(lines)
        own = max((line for line in range(each.last, inner + 1) if lines[line - 1].strip()), default=each.last)
        ends = starts[each.first - 1] + shift, starts[own] + shift, starts[lasts[at]] + shift
        made.append(Section(names[at], each.title, each.level, *ends, each.first, lasts[at], text[ends[0] : ends[2]]))
    return made


def read_section(text: str, name: str) -> Section:
    """The section of a slug or a title; raises `NotFound` with the sections there are."""
    known = sections(text)
    found = _find(known, name)
    if found is None:
        from difflib import get_close_matches

        names = [each.name for each in known]
        near = get_close_matches(slug(name), names, 1)
        more = f", and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
        hint = (f"Near: {near[0]}\n" if near else "") + f"There are: {'  '.join(names[:MOST_NAMED])}{more}"
        raise NotFound("there is no such section", place=name, hint=hint if names else "It has no headings.")
    return found


def append_section(text: str, name: str, content: str) -> str:
    """The text with `content` behind a section's own text; the same text if that stands there already.

    The section is made at the end if there is none. Raises `Usage` for content that would change what other sections
    hold: headings of the section's level or above, fences and comments that stay open.
    """
    end = "\r\n" if text.partition("\n")[0].endswith("\r") and "\n" in text else "\n"
    content = "\n".join(line.rstrip("\r") for line in content.strip("\r\n").split("\n"))
    if not content.strip():
        raise Usage("is empty", place="content")
    known = sections(text)
    found = _find(known, name)
    if found is None:
        title = " ".join(name.split()).lstrip("#").strip()
        if slug(title) == UNNAMED and title.lower() != UNNAMED:
            raise Usage("has no letters or digits", place="section", hint="Name a section as its heading does.")
        content = f"{'#' * NEW_LEVEL} {title}\n\n{content}"
        grown = _joined(text, content.replace("\n", end), "", end)
        _check(known, sections(grown), len(known), [(title, NEW_LEVEL)], NEW_LEVEL)
        return grown
    if _has_lines(text[found.start : found.end if read_markdown(content).headings else found.own_end], content):
        return text
    grown = _joined(text[: found.own_end], content.replace("\n", end), text[found.own_end :], end)
    _check(known, sections(grown), known.index(found) + 1, [], found.level)
    return grown


def with_days_in_order(text: str) -> str:
    """The text with its sections of days, titled as in `2026-02-08`, in their order; the same text if they are."""
    days = [each for each in sections(text) if _DAY.fullmatch(each.title.strip())]
    days = [each for each in days if each.level == min(day.level for day in days)]
    ordered = sorted(days, key=lambda each: each.title.strip())
    if ordered == days:
        return text
    made, done = [], 0
    for slot, day in zip(days, ordered, strict=True):
        made += [text[done : slot.start], text[day.start : day.end].rstrip("\r\n"), "\n\n"]
        done = slot.end
    return "".join([*made, text[done:]])


def _find(known: list[Section], name: str) -> Section | None:
    """By name as symbols have it, by title, then by slug."""
    name = name.strip().removeprefix("#")
    for matches in (lambda each: each.name == name, lambda each: each.title == name):
        if (found := next(filter(matches, known), None)) is not None:
            return found
    named = slug(name)
    if named == UNNAMED and name.lower() != UNNAMED:
        return None  # without letters or digits it names no other heading
    return next((each for each in known if each.name == named), None)


def _last_lines(headings: list[Heading], lines: int) -> list[int]:
    """The last line of each heading's section: the one before the next heading of its level or above."""
    found, open_ones = [lines] * len(headings), list[int]()
    for at, each in enumerate(headings):
        while open_ones and headings[open_ones[-1]].level >= each.level:
            found[open_ones.pop()] = each.first - 1
        open_ones.append(at)
    return found


def _names(headings: list[Heading]) -> Iterator[str]:
    counts: dict[str, int] = {}
    for each in headings:
        name = slug(each.title)
        nth = counts[name] = counts.get(name, 0) + 1
        yield name if nth == 1 else f"{name}~{nth}"


def _has_lines(own: str, content: str) -> bool:
    """Whether a section's own text has these lines, one behind the other."""
    lines = "\n".join(line.rstrip() for line in own.split("\n"))
    wanted = "\n".join(line.rstrip() for line in content.split("\n"))
    return f"\n{wanted}\n" in f"\n{lines}\n"


def _joined(before: str, content: str, after: str, end: str) -> str:
    """Put content between two parts of a text; a paragraph of its own, an item right behind other items."""
    last = before.rstrip("\r\n").rpartition("\n")[2].lstrip(" ")
    is_list = last.startswith(BULLETS) and content.startswith(BULLETS)
    gap = "" if not before.strip("\ufeff\r\n ") or before.endswith((end * 2, "\n\n")) or is_list else end
    if not before.endswith("\n") and before.strip("\ufeff"):
        gap = end + gap
        is_open = not after
    else:
        is_open = False
    tail = "" if is_open else end
    if after.strip("\r\n ") and not after.startswith(("\n", "\r\n")):
        tail += end
    return before + gap + content + tail + after


def _check(old: list[Section], new: list[Section], at: int, made: list[tuple[str, int]], level: int) -> None:
    """Raise unless the old headings are as they were, with `made` and deeper ones put in at a place."""
    told = [(each.title, each.level) for each in new]
    known = [(each.title, each.level) for each in old]
    behind = len(new) - (len(old) - at)
    added = told[at:behind]
    same = told[:at] == known[:at] and told[behind:] == known[at:] and added[: len(made)] == made
    if not same or any(deep <= level for _, deep in added[len(made) :]):
        raise Usage(
            "would change other sections: it leaves a fence or a comment open, or has a heading that isn't deeper",
            place="content",
            hint="Close every fence and comment, and use headings below the section's own.",
        )


def shortened(text: str, detail: int) -> str:
    """A text in less detail: 1 whole, 2 headings, list items and the first line of each paragraph, 3 headings alone."""
    if detail <= 1:
        return text
    found = read_markdown(text)
    lines = [line.rstrip("\r") for line in found.lines]
    kept = {line for each in found.headings for line in range(each.first, each.last + 1)}
    if detail == 2:
        kept |= {each.line for each in found.items}
        fence = ""
        for at, line in enumerate(lines, 1):
            mark = line.strip()[:3]
            if mark in ("```", "~~~") and mark == (fence or mark):
                fence = "" if fence else mark
            elif not fence and line.strip() and (at == 1 or not lines[at - 2].strip() or at - 1 in kept):
                kept.add(at)
    return "\n".join(lines[at - 1] for at in sorted(kept))
