"""What a search wants to know of an op without reading it, as numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ccos_core.intake.importers.record import PROMPT_KINDS
from ccos_core.ops.table import KINDS
from ccos_core.values.canon import canonical, parse
from ccos_core.values.ids import file_node

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain

NO_TIME = -(2**62)
"""Stands for a moment that nobody named."""
OUTCOMES = ("", "ok", "error", "interrupted", "unknown")
HOWS = ("", "read", "edit", "write", "ingest", "task", "notice", "skill", "interruption", "command", "output")
"""How a file was seen; and what a prompt is that nobody typed: a subagent's task, the host's own words, the text of a
skill, an interruption, a command of the host's, what one printed."""
KIND_CODES = {kind: code for code, kind in enumerate(KINDS)}
KIND_NAMES = tuple(KINDS)
HOW_CODES = {how: code for code, how in enumerate(HOWS)}
OUTCOME_CODES = {outcome: code for code, outcome in enumerate(OUTCOMES)}


class Code(NamedTuple):
    """One op; the columns of `journal.STEPS` that depend on nothing but itself."""

    kind: int
    how: int
    """How a file was seen, or what a prompt is that nobody typed; 0 of all else."""
    name: int
    """The number of the file it is about, or of the tool that was called; -1 where it has none."""
    outcome: int
    at: int
    size: int
    """Bytes of the texts it brought."""
    context: int
    tokens: int
    """How full the host's window was, where the op says it."""


def code_of(op: Plain, number: Callable[[str], int]) -> Code:
    """The code of an op."""
    kind = op["kind"]
    name = file_node(op["path"]) if "path" in op else op["name"] if kind == "tool" else None
    return Code(
        KIND_CODES[kind],
        HOW_CODES.get(how_of(op), 0),
        number(name) if name is not None else -1,
        OUTCOME_CODES.get(op.get("outcome", ""), 0),
        op.get("at", NO_TIME),
        sum([value["bytes"] for value in op.values() if type(value) is dict and "blob" in value]),
        number(context_name(op)),
        op["window"] if kind == "usage" else op.get("before", 0) if kind == "compaction" else 0,
    )


def how_of(op: Plain) -> str:
    """How a file was seen, or what a prompt is that no person typed, as `HOWS` names it; else empty."""
    if op["kind"] != "prompt":
        return str(op.get("how", ""))
    if op["source"] in ("user", "unknown"):
        return ""
    if op["source"] == "agent":
        return "task"
    phase = op.get("phase", "")
    return phase if phase in PROMPT_KINDS else "notice"


def context_name(op: Plain) -> str:
    """The name of the context an op belongs to."""
    return name_of((op.get("host", ""), op.get("session", ""), op.get("context", "")))


@lru_cache(maxsize=256)
def name_of(context: tuple[str, str, str]) -> str:
    """The name of a context: host, session and context, spelled canonically."""
    return canonical(context).decode()


def context_of(name: str) -> tuple[str, str, str]:
    """The context of that name."""
    host, session, context = parse(name.encode("utf-8", "surrogatepass"))
    return host, session, context
