"""Failures with their cause elsewhere: projects made from seeds, and whether a window shows what was to blame.

`python`, `typescript`, `rust` and `go` each make a project, its failing test and the runner's output from a seed. They
know nothing of the product and share no constant with it; `drivers` alone talks to it, and `run` counts.
"""

from collections.abc import Iterator

from tests.bench.harness import Result


def lines(smoke: bool) -> Iterator[Result]:
    from tests.bench.causes import run

    yield from run.lines(smoke)
