"""The chain: `hash[n] = blake3(hash[n-1] ‖ body[n])`, from a fixed hash before the first step.

Nothing in a chain comes from a machine, so the same ops give the same head anywhere. Walking it is the proof that
no op was changed, dropped, added or moved; a head written down elsewhere (an anchor) proves it against somebody who
recomputes the whole chain. On the hook's path.
"""

from __future__ import annotations

from ccos_core.values.canon import chained, digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

GENESIS = digest(b"ccos record 1\n")
"""The hash of step 0, before anything happened."""


class Break:
    """Where a chain stops being one: the step, and what was expected and found there."""

    __slots__ = ("expected", "found", "step", "what")

    def __init__(self, step: int, what: str, expected: str, found: str) -> None:
        self.step = step
        self.what = what
        self.expected = expected
        self.found = found

    def __repr__(self) -> str:
        return f"step {self.step}: {self.what}: expected {self.expected}, found {self.found}"


def follow(
    before: bytes, rows: Iterable[tuple[int, bytes, bytes]], first: int = 1
) -> Iterator[tuple[int, bytes, bytes] | Break]:
    """The rows (step, hash, body) that carry the chain on from `before`; at the first that doesn't, one `Break`."""
    expected_step = first
    for step, claimed, body in rows:
        if step != expected_step:
            yield Break(expected_step, "steps must follow each other", f"step {expected_step}", f"step {step}")
            return
        actual = chained(before, body)
        if actual != claimed:
            yield Break(step, "the op's bytes don't give its hash", claimed.hex(), actual.hex())
            return
        yield step, claimed, body
        before = actual
        expected_step += 1
