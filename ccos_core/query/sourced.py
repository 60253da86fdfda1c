"""The text a node stands for at a step, and the reference by which `ccos_retrieve` gives it exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ccos_core.query.op_text import text_of
from ccos_core.query.remembered import MEMO, assertions_of, ops_about
from ccos_core.values.ids import path_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

REFERENCE_DIGITS = 16


class Sourced(NamedTuple):
    """A text, and where it lies."""

    text: str
    reference: str
    """Of the content that has it, and of its lines there; empty if no single content does."""


def text_of_node(timeline: Timeline, node: str, at: int) -> str | None:
    """Return the text of a file, a symbol or a remembered statement; None if it isn't known."""
    found = sourced(timeline, node, at)
    return found.text if found is not None else None


def sourced(timeline: Timeline, node: str, at: int) -> Sourced | None:
    """Return the text of a node with its reference; None if it isn't known."""
    if node.startswith(MEMO):
        return _statement(timeline, node, at)
    path = path_of(node)
    moment = timeline.at(at)
    version = moment.version(path) if path is not None else None
    target = moment.find(node) if version is not None and not node.startswith("memory:") else None
    if path is None or version is None or not version.content or target is None:
        return None
    source = moment.source(path)
    first, last = source.span(target.symbol)
    text = "\n".join(source.lines[first - 1 : last])
    return Sourced(text, f"{source.blob[:REFERENCE_DIGITS]}:{first}-{last}")


def _statement(timeline: Timeline, memo: str, at: int) -> Sourced | None:
    text = assertions_of(timeline, memo, at).text
    blobs = [op["words"]["blob"] for _, op in ops_about(timeline, memo, at) if op["kind"] == "remembered"]
    if not text or not blobs:
        return None
    whole = [blob for blob in blobs if text_of(timeline, {"blob": blob}) == text]
    return Sourced(text, whole[-1][:REFERENCE_DIGITS] if whole else "")
