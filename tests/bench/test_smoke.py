"""Each benchmark still runs and prints its lines. Never a time: the suite runs in parallel."""

import pytest

from tests.bench import __main__ as bench
from tests.bench.harness import Result, paired


@pytest.mark.parametrize("name", bench.benchmarks())
def test_benchmark_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main([name, "--smoke"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed
    assert all(line.endswith(" ran") or line.startswith("  ") for line in printed), "only results and indented notes"


def test_verdicts(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """On the ratio where there is one, else on the value; one line over its limit fails the whole run."""
    results = [Result("a", 30, "ms", limit=4, baseline=10, ratio=3.0), Result("b", 30, "MB", limit=20)]
    monkeypatch.setattr(bench, "run", lambda name, smoke: iter(results))
    assert bench.main(["startup"]) == 1
    assert [line.split()[-1] for line in capsys.readouterr().out.splitlines()] == ["PASS", "FAIL"]
    results.pop()
    assert bench.main(["startup"]) == 0


def test_unknown_names_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        bench.main(["nonesuch"])
    assert "startup" in capsys.readouterr().err


def test_pairs_alternate_after_a_warm_up() -> None:
    called: list[str] = []
    measured = paired(lambda: called.append("a"), lambda: called.append("b"), runs=3)
    assert "".join(called) == "ab" + "ab" + "ba" + "ab"
    assert measured.value > 0
