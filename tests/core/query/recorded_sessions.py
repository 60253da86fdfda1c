"""What an engineer would name in recorded sessions, read by hand before any rule was tuned by them.

The recordings lie beside the checkout (`../shared/sessions`) and aren't part of the project; this table holds only
names of files, kinds of findings and spans. A span counts the tool calls of the session, so that it stays the same when
an import learns to record more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ccos_core.query.autopsy.answer import Autopsy, Finding
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.timeline import Timeline

ONE_FAMILY = ("evicted", "stale", "reread")
"""Kinds that say the same of a file: the agent's window had lost it."""


class Named(NamedTuple):
    """One thing to be named."""

    kind: str
    first: int
    """The first call of the session that it is about, ..."""
    last: int
    """... and the last one."""


class Label(NamedTuple):
    """What is to be named in one session."""

    must: tuple[Named, ...] = ()
    """What an engineer would name; the first of these first."""
    may: tuple[Named, ...] = ()
    """What is true as well, and nobody would miss."""


NOTHING = Label()
LABELS: dict[str, Label] = {
    "claude-code/entire-cli_432b48f6b6e6_248tools_2compact.jsonl": Label(
        (Named("reported", 105, 273), Named("undone", 270, 271)),
        (Named("reread", 157, 181), Named("reported", 22, 30), Named("pasted", 105, 130)),
    ),
    "claude-code/entire-cli_769ddf2969b6_129tools_70FAILlines_1compact.jsonl": Label(
        (Named("declined", 182, 188),), (Named("interrupted", 188, 188),)
    ),
    "claude-code/entire-cli_7d66f047ac98_111tools_badline.jsonl": Label((), (Named("reported", 60, 111),)),
    "claude-code/entire-cli_adff0201aecb_198tools_11fail.jsonl": Label(
        (Named("evicted", 66, 192), Named("reported", 14, 14)), (Named("untouched", 45, 192),)
    ),
    "claude-code/entire-cli_ec6d3a8b5152_59tools_293FAILlines.jsonl": NOTHING,
    "claude-code/entire-cli_growing-79e9becd_a_15tools.jsonl": NOTHING,
    "claude-code/entire-cli_growing-79e9becd_b_69tools.jsonl": Label((Named("declined", 73, 75),)),
    "claude-code/entire-cli_growing-79e9becd_c_247tools.jsonl": Label(
        (Named("undone", 264, 265), Named("declined", 73, 118)),
        (Named("reread", 169, 179), Named("declined", 215, 217)),
    ),
    "claude-code/trade_arena_claude-session.jsonl": NOTHING,
    "codex/gildore-arena_codex-session.jsonl": NOTHING,
    "codex/raze_codex-session.jsonl": NOTHING,
    "codex/rtchess_019aad50.jsonl": Label(
        (Named("reported", 220, 268), Named("undone", 136, 294)),
        (Named("reported", 41, 86), Named("loop", 133, 146)),
    ),
    "opencode/pfm-categorization_opencode-session.json": NOTHING,
    "mini-swe-agent/astroid-1333_188steps.traj.json": Label(
        (Named("loop", 151, 186), Named("surroundings", 6, 70)),
    ),
    "mini-swe-agent/marshmallow-1343_189steps.traj.json": Label((Named("loop", 51, 171),)),
    "swe-agent/marshmallow-1867_function_calling_replace_from_source.traj": NOTHING,
    "more-formats/ga_claude-code-with-plan.jsonl": NOTHING,
    "more-formats/ga_claude-code-with-thinking.jsonl": NOTHING,
    "more-formats/ga_codex-session-updated.jsonl": NOTHING,
    "more-formats/ga_example-claude-code.jsonl": Label((Named("interrupted", 13, 13),)),
    "more-formats/jz_claude_large.jsonl": NOTHING,
    "more-formats/jz_claude_small.jsonl": NOTHING,
    "more-formats/jz_codex_large.jsonl": NOTHING,
    "more-formats/jz_codex_small.jsonl": NOTHING,
    "real-hosts/codex-0.169.0-compacted-hooks.jsonl": NOTHING,
    "real-hosts/codex-0.169.0-drift.jsonl": Label(
        (Named("loop", 5, 15),), (Named("red", 15, 15), Named("retried", 9, 11))
    ),
    "real-hosts/codex-0.169.0-exec.jsonl": NOTHING,
    "real-hosts/codex-0.169.0-gpt55-applypatch-resume.jsonl": NOTHING,
    "real-hosts/codex-0.169-run1-sessions/2026/11/23/rollout-2026-11-23T03-17-12-01a20668-5caf-7563-9d30-011af8431320"
    ".jsonl": Label((Named("red", 15, 17),)),
    "real-hosts/opencode-1.18.33-compaction-export.json": NOTHING,
    "real-hosts/opencode-1.18.33-export.json": NOTHING,
}
"""Recording → what is to be named in it."""


def judge(timeline: Timeline, answer: Autopsy, label: Label) -> str:
    """Return `right`, `partly`, `missing`, `noise` or `wrong`.

    Right: what an engineer would name first is the verdict, and the rest of what must be named is among the findings.
    Partly: some of it is. Noise: a finding besides that is in no list. Wrong: the verdict itself is in no list.
    """
    spans = [(each, *_calls(timeline, each)) for each in answer.findings]
    strays = [each for each, *span in spans if not any(_is(each, span, named) for named in (*label.must, *label.may))]
    if answer.findings and answer.findings[0] in strays:
        return "wrong" if label.must else "noise"
    if strays:
        return "noise"
    found = [named for named in label.must if any(_is(each, span, named) for each, *span in spans)]
    if not label.must or (len(found) == len(label.must) and _is(spans[0][0], spans[0][1:], label.must[0])):
        return "right"
    return "partly" if found else "missing"


def _calls(timeline: Timeline, finding: Finding) -> tuple[int, int]:
    """The calls of the session that a finding spans."""
    kinds = timeline.journal.steps["kind"]
    first, last = (int((kinds[:step] == KIND_CODES["tool"]).sum()) for step in (finding.step, finding.last))
    return first, last


def _is(finding: Finding, span: Sequence[int], named: Named) -> bool:
    same = finding.kind == named.kind or (finding.kind in ONE_FAMILY and named.kind in ONE_FAMILY)
    return same and span[0] <= named.last and named.first <= span[1]
