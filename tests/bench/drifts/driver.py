"""How a planted drift is put to the product: recorded as a host would, then asked about.

The only file here that knows the product.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ccos_core.session import lifecycle
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record
from tests.bench.drifts.desk import START
from tests.bench.drifts.model import Drift


@dataclass(frozen=True)
class Recorded:
    """A session on disk."""

    path: str
    head: str
    steps: tuple[int, ...]
    """The step each observation became."""


@dataclass(frozen=True)
class Verdict:
    """What the product said."""

    drifted: bool
    step: int
    suspects: tuple[str, ...]
    """Nodes, the most suspected first."""


def record(folder: Path, drift: Drift) -> Recorded:
    path = str(folder / f"{drift.kind}-{drift.seed}.ccos")
    lifecycle.init(path, clock=_still)
    with open_session(path, clock=_still) as session:
        steps = session.record(drift.observations)
        return Recorded(path, session.recorded.head()[1].hex(), tuple(steps))


def asked(recorded: Recorded) -> Verdict:
    from ccos_core.query.autopsy import autopsy

    with open_record(recorded.path) as opened:
        timeline = timeline_of(opened)
        told = autopsy(timeline, timeline.head)
    return Verdict(told.drifted, told.step or 0, tuple(suspect.node for suspect in told.suspects))


def timeline_of(opened: Any) -> Any:
    """A record, ready to be asked."""
    from ccos_core.session import asking

    return asking.timeline_of(opened)


def _still() -> int:
    return START
