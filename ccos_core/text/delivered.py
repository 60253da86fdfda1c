"""What ccos-tui told an agent, found again in any text: it was never said by a user, wherever it comes back.

A text of ours stands between two lines, `OPENING` and `CLOSING`. An answer as JSON names its schema, and a listing that
repeats words of the user begins with a title. A text of ours that was cut off before its end goes as far as its rows,
quotes and code do; of an opening within a sentence only the line is ours. Takes linear time.

    without_delivered(f"Fix it.\\n{marked('Never push.')}\\nThanks.")  →  "Fix it.\\n\\n\\n\\nThanks."
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from ccos_core.text.pasted import is_form

OPENING = "From the record that ccos-tui keeps of this session"
LOST = f"{OPENING}; your window may no longer contain it."
"""How words begin that the window lost."""
CLOSING = "(end of the record of ccos-tui)"

_SCHEMA = re.compile(r"(\{\s{0,20}|\\)\"schema(\\?)\"\s{0,20}:\s{0,20}\\?\"ccos\.")
_TITLE = re.compile(
    r"(?<![\d,])\d[\d,]{0,20} statements? [a-z ,]{5,40} up to step [\d,]+:"
    r"|(?<![\d,])\d[\d,]{0,20} statements?(?: for “[^\n]{0,2000}”)?, about [\d,]+ tokens"
    r"|(?<![\d,])\d[\d,]{0,20} rules? to adopt, of [\d,]+ sessions? up to step"
    r"|(?<![\d,])\d[\d,]{0,20} of \d[\d,]{0,20} rules?(?: for “[^\n]{0,2000}”)? up to step [\d,]+"
    r"|\bsaid about “[^\n]{0,2000}” up to step [\d,]+:|\bwhat had been said about step \d"
    r"|^[> ]{0,9}“[^\n]{0,2000}”\n[> ]{0,9}the agent's window: |^[> ]{0,9}step [\d,]{1,20} of \d[\d,]{0,20}  "
    r"|^[> ]{0,9}\d[\d,]{0,20} [▸ ] (?:-{8}|(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d)  \S "
    r"|(?<![\d,])\d[\d,]{0,20} of \d[\d,]{0,20} (?:steps?  \S|things? lost by step )"
    r"|^[> ]{0,9}(?:“[^\n]{0,2000}”|memo:[0-9a-f]{16})  (?:step \d|[^\n]{0,2000}the agent's window: )"
    r"|^[> ]{0,9}steps? \d[\d,]{0,20}(?: → \d[\d,]{0,20}|: about \d)[^\n]{0,2000}  the agent's window: "
    r"|^[> ]{0,9}(?:-- prompt: |step \d[\d,]{0,20}, prompt )",
    re.MULTILINE,
)
"""How a listing begins: statements, those for a task, proposed rules, rules, what was said, one statement, what was
told, a step, the timeline, what was found or lost, words in a window, two windows, a prompt."""
_OURS = re.compile(
    r"- \[|- and |(?:The|Of the) user's last request|Said by the user earlier|Your open todos|Tried and failed"
    r"|Failing: |What mattered most|# \S|```|\.\.\.$|\(end of"
)
"""How a line of ours begins behind an empty one."""
AROUND, FENCE_MARKS = "> \"'`*_#{}[](-", 3
_LINE = re.compile(r"[^\n]+")
_DECODER = json.JSONDecoder()


def marked(text: str) -> str:
    """Return a text between the two lines by which it is known."""
    return f"{OPENING}:\n{text}\n{CLOSING}"


def without_delivered(text: str) -> str:
    """Return a text with blank lines in the place of what we delivered, so that the other lines keep their numbers."""
    kept: list[str] = []
    at = 0
    for first, end in _spans(text):
        if first >= at:
            kept += [text[at:first], _LINE.sub("", text[first:end])]
            at = end
    return "".join([*kept, text[at:]])


# ---- helpers ----


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of what is ours, in order; one may lie within another that came before."""
    json_spans = _spans_of(_SCHEMA, _json_span, text) if "ccos." in text else ()
    yield from sorted([*_marked_spans(text), *json_spans, *_spans_of(_TITLE, _listing_span, text)])


def _spans_of(
    beginning: re.Pattern[str], span: Callable[[str, re.Match[str]], tuple[int, int]], text: str
) -> Iterator[tuple[int, int]]:
    """The spans that begin so, each behind the one before."""
    at = 0
    while found := beginning.search(text, at):
        first, at = span(text, found)
        yield first, at


def _marked_spans(text: str) -> Iterator[tuple[int, int]]:
    """Whole lines, with the quotes and brackets that stand around ours."""
    first, closing = text.find(OPENING), text.find(CLOSING)
    while first >= 0:
        if 0 <= closing < first:
            closing = text.find(CLOSING, first)
        begin, following = text.rfind("\n", 0, first) + 1, text.find(OPENING, first + 1)
        while 0 <= following <= (after := _line_end(text, _line_end(text, first) + 1)):  # words lost, in a window
            first, following = following, text.find(OPENING, min(following + 1, after))
        if closing >= 0 and not 0 <= following < closing:
            end = _line_end(text, closing)
        else:
            end = _end_of_torn(text, first, following, is_quote=bool(text[begin:first].strip(AROUND)))
        yield begin, end
        first = text.find(OPENING, end)


def _end_of_torn(text: str, first: int, following: int, *, is_quote: bool) -> int:
    """Return where a text of ours without its last line ends: behind its first paragraph and the code, quotes and rows
    that follow. One that stands in a sentence is a quote, of one line; the `following` one isn't part of it."""
    end = _line_end(text, first)
    last = text.rfind("\n", 0, following) if following >= 0 else len(text)
    fence, is_blank = "", False
    while not is_quote and end < last:
        after = _line_end(text, end + 1)
        line = text[end + 1 : after].strip("> \r")
        if is_blank and line and not fence and not (_OURS.match(line) or is_form(text[end + 1 : after])):
            break
        marks = line[: len(line) - len(line.lstrip("`"))]
        if len(marks) >= FENCE_MARKS and fence in ("", marks):
            fence = "" if fence else marks
        end, is_blank = after, not line
    return end


def _json_span(text: str, schema: re.Match[str]) -> tuple[int, int]:
    """An answer as JSON; within a string of other JSON the line it is in. One that isn't whole goes to the end."""
    if schema[1] == "\\":
        return text.rfind("\n", 0, schema.start()) + 1, _line_end(text, schema.end())
    try:
        return schema.start(), _DECODER.raw_decode(text, schema.start())[1]
    except (ValueError, RecursionError):
        return schema.start(), len(text)


def _listing_span(text: str, title: re.Match[str]) -> tuple[int, int]:
    """A listing goes to the next blank line."""
    end = _line_end(text, title.end())
    while end < len(text) and text[end + 1 : (after := _line_end(text, end + 1))].strip():
        end = after
    return text.rfind("\n", 0, title.start()) + 1, end


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)
