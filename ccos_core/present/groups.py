"""Groups of steps as rows: what was called or said, what came of it, and by how many tokens the window grew.

 5   09:31  ⚙ Bash     go test ./…  ✗ 2 fail            +3.5k
22   09:38  ✎ Edit     session_state.go  +13 −9         +1.5k
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip, clip_path, width_of
from ccos_core.present.rows import Moment, Row, Span, clean
from ccos_core.present.steps import COLUMNS_FROM, DIGITS, FEWER, HERE, KINDS, OTHER, SIZES_FROM
from ccos_core.present.words import count, duration
from ccos_core.values.ids import file_node

if TYPE_CHECKING:
    from ccos_core.query.step_groups import Group

WORDS = {"turn": "text", "thought": "thought"}
"""Kind of a step → the word for it, where that is another one."""
QUIET = ("thought", "usage", "epoch", "notice", "command", "output", "skill", "task", "interruption", "ingest")
"""Kinds whose whole rows are dim."""
SAID = {"prompt": "prompt", "compaction": "compaction"}
"""Kinds whose text has the colour of its sign."""
SUBAGENTS = ("link", "good", "note", "number")
"""Roles of subagents' lines, one after the other."""
SHORT_NAMES = {
    "shell_command": "shell", "run_shell_command": "shell", "exec_command": "shell", "apply_patch": "patch",
    "update_plan": "plan", "str_replace_editor": "editor", "str_replace_based_edit_tool": "editor",
    "execute_bash": "bash", "run_terminal_cmd": "shell",
}  # fmt: skip
"""Names of tools that say more than a row needs."""
BAD = ("error", "interrupted", "failed")
CLOCK_FROM, WORD_COLUMNS, RIGHT_COLUMNS, NARROWEST = 60, 8, 6, 8
"""Columns from which on the time is shown; of a tool's name; of tokens; and the fewest of a text."""
GAP_MILLIS = 5 * 60_000
"""A longer time without a step is marked in the row that ends it."""
FOLDED = "▸"


@dataclass(frozen=True, slots=True)
class Look:
    """How a row of the list is shown, besides what it says."""

    width: int = 1_000
    future: bool = False
    """Whether it lies behind the cursor, which dims it."""

    mark: str = ""
    step: int = 0
    """The step to name, if that isn't the one that the group is about."""

    clock: str = ""
    waited: int = 0
    """Milliseconds since the group before."""

    lane: int = 0
    """Which subagent it belongs to, from 1; 0 for the main thread."""

    name: str = ""
    """The subagent's name, where its row is the first of several."""

    found: tuple[str, str] = ("", "")
    """A line in which a search found its words, and the words; shown instead of what the group says."""


def group_row(group: Group, look: Look) -> Row:
    """Return the row of a group."""
    bad = group.outcome in BAD
    sign, role = sign_of(group)
    word = tool_word(group.tool) if group.tool else WORDS.get(group.kind, group.kind)
    line, words = look.found
    says = line or (group.says.removeprefix(group.tool).strip() if group.tool else group.says)
    before = [
        *_left(look.step or group.done, look, word_of_mark(look.mark)),
        *lane_spans(look),
        Span(f"{sign} ", role, ""),
        *_word(clean(word), role if group.tool == "" or bad else "", look.width, needed=bool(group.tool)),
        *(_gap(look) if not line else []),
    ]
    right = _tokens(group.grew, group.tokens) if look.width >= SIZES_FROM else ()
    taken = sum(width_of(span.text) for span in (*before, *right)) + len(right)
    room = max(look.width - taken, NARROWEST)
    result = [] if line else [*_result(group, bad, room), *(Span(f"  [{clean(each)}]", "note") for each in group.notes)]
    room = max(room - sum(width_of(span.text) for span in result), NARROWEST)
    text_role = "quiet" if group.kind in QUIET else SAID.get(group.kind, "")
    texts = _marked(clean(says), words, room) if line else [Span(_says(group, clean(says), room), text_role)]
    return _row([*before, *texts, *result], right, look, Moment(group.done, node_of_group(group)), group.says)


def fold_row(words: str, held: Held, step: int, look: Look, *, prompt: bool) -> Row:
    """Return the row of a folded turn or of folded subagents: what they are about, and what they hold."""
    role = "prompt" if prompt else SUBAGENTS[0]
    before = [
        *_left(look.step or step, look, word_of_mark(look.mark)),
        Span(f"{FOLDED} ", role, "folded: "),
        *_word("prompt" if prompt else "subagent", role, look.width),
        *_gap(look),
    ]
    right = _tokens(held.grew, 0) if look.width >= SIZES_FROM else ()
    counted = count(held.steps, "step") + (f", {count(held.calls, 'call')}" if look.width >= CLOCK_FROM else "")
    behind = [Span(f"  {counted}", "quiet")]
    if held.bad:
        behind.append(Span(f" ✗ {held.bad}", "bad", f", {held.bad} failed"))
    taken = sum(width_of(span.text) for span in (*before, *behind, *right)) + len(right)
    said = Span(clip(clean(words), max(look.width - taken, NARROWEST)), "prompt" if prompt else "")
    return _row([*before, said, *behind], right, look, Moment(step), words)


@dataclass(frozen=True, slots=True)
class Held:
    """What a folded row holds."""

    steps: int
    calls: int
    bad: int
    """Groups that went wrong."""

    grew: int | None


def sign_of(group: Group) -> tuple[str, str]:
    """Return a group's sign and role: a call is what it did to files, and anything that went wrong is bad."""
    if group.outcome in BAD:
        return "✗", "bad"
    if group.outcome == "passed":
        return KINDS["passed"]
    return KINDS.get(group.did or group.kind, OTHER) if group.kind == "tool" else KINDS.get(group.kind, OTHER)


def node_of_group(group: Group) -> str | None:
    """Return the file that a group is about, if that is one."""
    return file_node(group.path) if group.path else None


def clock_of(at: int | None, since: int | None) -> str:
    """Return a time of day, `09:31`; or, where `since` is given, the time since then, `1h04m`."""
    if at is None:
        return ""
    if since is None:
        return time.strftime("%H:%M", time.gmtime(at // 1_000)) if 0 <= at < 253_000_000_000_000 else ""
    minutes, seconds = divmod(max(at - since, 0) // 1_000, 60)
    hours, minutes = divmod(minutes, 60)
    if hours >= 100:
        return f"{hours // 24}d{hours % 24:02}h"
    return f"{hours}h{minutes:02}m" if hours else f"{minutes}m{seconds:02}s"


def tokens_text(number: int) -> str:
    """Return a number of tokens in few columns: `606`, `1.5k`, `42k`, `1.2M`."""
    size = abs(number)
    if size < 1_000:
        return f"{size}"
    if size < 9_950:
        return f"{size / 1_000:.1f}k"
    return f"{size / 1_000:.0f}k" if size < 999_500 else f"{size / 1_000_000:.1f}M"


def word_of_mark(mark: str) -> str:
    """Return what is read aloud for a mark."""
    return "here, " if mark == HERE else f"{mark}, " if mark else ""


def lane_spans(look: Look) -> list[Span]:
    """Return the line at the left of a subagent's rows."""
    if not look.lane:
        return []
    role = SUBAGENTS[(look.lane - 1) % len(SUBAGENTS)]
    name = f"{clean(look.name)[:8]} " if look.name and look.width >= SIZES_FROM else ""
    return [Span(f"  │ {name}", role, f"subagent {look.name}, " if look.name else "subagent, ")]


def _left(step: int, look: Look, spoken: str) -> list[Span]:
    digits = DIGITS if look.width >= COLUMNS_FROM else FEWER
    spans = [
        Span(f"{step:>{digits}} ", "mark" if look.step else "quiet", f"step {step:,}, "),
        Span(f"{look.mark or ' '} ", "mark" if look.mark else "", spoken),
    ]
    if look.clock and look.width >= CLOCK_FROM:
        spans.append(Span(f"{look.clock:>6}  ", "quiet", ""))
    return spans


def _word(word: str, role: str, width: int, *, needed: bool = False) -> list[Span]:
    """Return the word for a kind, or a tool's name; on narrow screens the sign before it has to do for the kind."""
    if width < SIZES_FROM and not needed:
        return []
    columns = WORD_COLUMNS if width >= SIZES_FROM else 0
    return [Span(f"{word:<{columns}} ", role, f"{word}, ")]


def _gap(look: Look) -> list[Span]:
    if look.waited <= GAP_MILLIS:
        return []
    text = duration(look.waited)
    shown = f"— {text} — " if look.width >= CLOCK_FROM else f"—{text.replace('min', 'm').replace(' ', '')}— "
    return [Span(shown, "note", f"after {text}, ")]


def _tokens(grew: int | None, tokens: int) -> tuple[Span, ...]:
    """Return the growth of the window, as the host told it, or else the estimated size of the texts."""
    if grew is not None:
        sign = "−" if grew < 0 else "+"
        spoken = f"{'minus' if grew < 0 else 'plus'} {count(abs(grew), 'token')}"
        return (Span(f"{sign + tokens_text(grew):>{RIGHT_COLUMNS}}", "compaction" if grew < 0 else "", spoken),)
    if tokens:
        return (Span(f"{'~' + tokens_text(tokens):>{RIGHT_COLUMNS}}", "quiet", f"about {count(tokens, 'token')}"),)
    return (Span(" " * RIGHT_COLUMNS, "", ""),)


def _result(group: Group, bad: bool, room: int) -> list[Span]:
    """Return what came of it; of an error's words as many as leave half of the room to what was called."""
    if not group.result and not (bad and group.outcome == "interrupted"):
        return [Span("  ✗", "bad")] if bad else []
    text = clean(group.result or group.outcome)
    if bad:
        return [Span(f"  ✗ {clip(text, max(room // 2, NARROWEST))}", "bad")]
    if room - width_of(text) - 2 < NARROWEST:
        return []
    return [Span(f"  {text}", "edit" if group.did in ("edit", "write") else "quiet")]


def _says(group: Group, says: str, room: int) -> str:
    """Return what a group says in so many columns; of a path the end, which tells more."""
    if not group.path or " " in group.path or group.path not in says:
        return clip(says, room)
    head, _, lines = says.partition(group.path)
    if width_of(says) <= room or head:
        return clip(says, room)
    name = group.path.rpartition("/")[2]
    lines = lines if width_of(name + lines) < room else ""
    return clip_path(group.path, max(room - width_of(lines), NARROWEST)) + lines


def _marked(text: str, words: str, room: int) -> list[Span]:
    """Return the part of a text around the words of a search, with these marked."""
    exact = words != words.lower()
    at = (text if exact else text.lower()).find(words) if words else -1
    if at < 0:
        return [Span(clip(text, room))]
    if width_of(text[: at + len(words)]) > room:  # the words are to be seen, with a little before them
        begin = max(at - max((room - len(words)) // 3, 0), 0)
        text, at = "…" + text[begin:], at - begin + 1
    text = clip(text, room)
    spans = (Span(text[:at]), Span(text[at : at + len(words)], "mark"), Span(text[at + len(words) :]))
    return [span for span in spans if span.text]


def tool_word(name: str) -> str:
    """Return a tool's name as short as people say it: `shell` for `shell_command`, without its server's name."""
    return SHORT_NAMES.get(name, name.rpartition("__")[2] or name)


def _row(spans: list[Span], right: tuple[Span, ...], look: Look, leads: Moment, copies: str) -> Row:
    shown = [span for span in spans if span.text]
    if look.future:
        shown = [Span(span.text, "future", span.spoken) for span in shown]
    return Row(tuple(shown), right, leads, copies=copies)
