"""Sessions that went wrong in ways somebody planned, and sessions that did not: does `autopsy` tell them apart?

`cases.make(kind, seed)` gives a whole session as a host's hook would deliver it, and what an engineer would say of it.
The generator knows nothing of the product; `driver` alone talks to it, and `run` counts.
"""

from collections.abc import Iterator

from tests.bench.harness import Result


def lines(smoke: bool) -> Iterator[Result]:
    from tests.bench.drifts import run

    yield from run.lines(smoke)
