"""Runs of JavaScript's test runners, made up as a list of files with their tests and written in every runner's style.

The writers know nothing of the readers. Each follows what its runner prints: where suites and tests are indented, what
stands around a failure, how it is summed up. A stack is written from the inside out, as engines do.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

ROOT = "/home/ann/shop"
RULE = "⎯" * 8


@dataclass(frozen=True)
class Case:
    """One test, and how it ended."""

    names: tuple[str, ...]
    """Its suites, then its own."""
    outcome: str = "passed"
    """passed, failed, skipped or todo."""
    places: tuple[tuple[str, int, str], ...] = ()
    """(file, line, function) from the inside out."""
    message: str = "TypeError: no"


@dataclass(frozen=True)
class File:
    path: str
    cases: tuple[Case, ...]

    def count(self, *outcomes: str) -> int:
        return sum(case.outcome in outcomes for case in self.cases)


@dataclass
class Suite:
    """The tests of a suite, and the suites in it."""

    cases: list[Case] = field(default_factory=list)
    suites: dict[str, "Suite"] = field(default_factory=dict)


def tree(cases: Iterable[Case]) -> Suite:
    top = Suite()
    for case in cases:
        here = top
        for name in case.names[:-1]:
            here = here.suites.setdefault(name, Suite())
        here.cases.append(case)
    return top


def total(files: Iterable[File], *outcomes: str) -> int:
    return sum(file.count(*outcomes) for file in files)


def counted(pairs: Iterable[tuple[int, str]], between: str) -> str:
    return between.join(f"{number} {word}" for number, word in pairs if number)


# ---- jest ----


def jest(files: list[File], verbose: bool = False) -> str:
    out: list[str] = []
    for file in files:
        failed = [case for case in file.cases if case.outcome == "failed"]
        out.append(f"{'FAIL' if failed else 'PASS'} {file.path}")
        if verbose:
            out += [*_jest_tree(tree(file.cases), "  "), ""]
        for case in failed:
            out += [f"  ● {' › '.join(case.names)}", "", f"    {case.message}", ""]
            out += ["      1 | code", "    > 2 | code();", "        | ^", "      3 | code", ""]
            out += [f"      at {_place(place, relative=True)}" for place in case.places]
            out += ["          at Array.map (<anonymous>)", ""]
    bad = sum(file.count("failed") > 0 for file in files)
    suites = counted([(bad, "failed"), (len(files) - bad, "passed")], ", ")
    words = [(total(files, word), word) for word in ("failed", "skipped", "todo", "passed")]
    every = sum(len(file.cases) for file in files)
    out += ["", f"Test Suites: {suites}, {len(files)} total", f"Tests:       {counted(words, ', ')}, {every} total"]
    return "\n".join([*out, "Snapshots:   0 total", "Time:        0.2 s", "Ran all test suites.", ""])


def _jest_tree(suite: Suite, indent: str) -> list[str]:
    mark = {"passed": "✓ {} (12 ms)", "failed": "✕ {} (3 ms)", "skipped": "○ skipped {}", "todo": "✎ todo {}"}
    out = [indent + mark[case.outcome].format(case.names[-1]) for case in suite.cases]
    for name, inner in suite.suites.items():
        out += [indent + name, *_jest_tree(inner, indent + "  ")]
    return out


# ---- vitest ----


def vitest(files: list[File], wordy: bool = False) -> str:
    out = ["", f" RUN  v3.2.0 {ROOT}", ""]
    mark = {"passed": "✓", "failed": "×", "skipped": "↓", "todo": "↓"}
    for file in files:
        bad = file.count("failed")
        sums = counted([(bad, "failed"), (file.count("skipped", "todo"), "skipped")], " | ")
        if not wordy:
            tests = f"{len(file.cases)} test{'s' * (len(file.cases) != 1)}"
            out.append(f" {'❯' if bad else '✓'} {file.path} ({tests}{' | ' * bool(sums)}{sums}) 12ms")
        for case in file.cases if wordy or bad else ():
            spent = " 3ms" if case.outcome in ("passed", "failed") else ""
            name = " > ".join(case.names)
            lead = f" {mark[case.outcome]} {file.path} > " if wordy else f"   {mark[case.outcome]} "
            out.append(f"{lead}{name}{spent}")
            out += [f"     → {case.message}"] if case.outcome == "failed" else []
    failed = [(file, case) for file in files for case in file.cases if case.outcome == "failed"]
    if failed:
        out += ["", f"{RULE} Failed Tests {len(failed)} {RULE}", ""]
    for number, (file, case) in enumerate(failed, 1):
        out += [f" FAIL  {file.path} > {' > '.join(case.names)}", case.message]
        for at, (path, line, name) in enumerate(case.places):
            out.append(f" ❯ {name}{' ' * bool(name)}{path}:{line}:3")
            out += ["      1| code", "      2| code();", "       | ^"] if not at else []
        out += ["", f"{RULE}[{number}/{len(failed)}]⎯", ""]
    bad = sum(file.count("failed") > 0 for file in files)
    words = [(total(files, word), word) for word in ("failed", "passed", "skipped", "todo")]
    every = sum(len(file.cases) for file in files)
    files_sum = counted([(bad, "failed"), (len(files) - bad, "passed")], " | ")
    out += ["", f" Test Files  {files_sum} ({len(files)})", f"      Tests  {counted(words, ' | ')} ({every})"]
    return "\n".join([*out, "   Start at  05:18:27", "   Duration  1.89s (transform 98ms)", ""])


# ---- node --test ----


def node_spec(files: list[File]) -> str:
    out: list[str] = []
    failing: list[str] = []
    number = iter(range(1, 1_000_000))
    for file in files:
        _spec_tree(file, tree(file.cases), "", out, failing, number)
    out += _sums("ℹ ", files)
    if failing:
        out += ["", "✖ failing tests:", *failing]
    return "\n".join([*out, ""])


def _spec_tree(file: File, suite: Suite, indent: str, out: list[str], failing: list[str], number: "Numbers") -> None:
    for case in suite.cases:
        spent = f"({next(number)}.5ms)"
        mark = {"passed": "✔", "failed": "✖", "skipped": "﹣", "todo": "✔"}[case.outcome]
        note = {"skipped": " # SKIP", "todo": " # TODO"}.get(case.outcome, "")
        line = f"{mark} {case.names[-1]} {spent}{note}"
        out.append(indent + line)
        if case.outcome == "failed":
            told = [case.message, *(f"    at {_place(place)}" for place in case.places)]
            out += [*(f"{indent}  {each}" for each in told), ""]
            failing += ["", f"test at {file.path}:3:5", line, *(f"  {each}" for each in told)]
    for name, inner in suite.suites.items():
        out.append(f"{indent}▶ {name}")
        _spec_tree(file, inner, indent + "  ", out, failing, number)
        out.append(f"{indent}{'✖' if _is_broken(inner) else '✔'} {name} ({next(number)}.5ms)")


def node_tap(files: list[File]) -> str:
    out = ["TAP version 13"]
    for file in files:
        _tap_tree(file, tree(file.cases), "", out)
    return "\n".join([*out, "1..9", *_sums("# ", files), ""])


def _tap_tree(file: File, suite: Suite, indent: str, out: list[str]) -> None:
    for number, case in enumerate(suite.cases, 1):
        name = case.names[-1].replace("\\", "\\\\").replace("#", "\\#")
        note = {"skipped": " # SKIP", "todo": " # TODO"}.get(case.outcome, "")
        block = ["---", "duration_ms: 1.5"]
        if case.outcome == "failed":
            block += [f"location: '{ROOT}/{file.path}:3:5'", "failureType: 'testCodeFailure'", "error: |-"]
            block += [f"  {case.message}", "code: 'ERR_TEST_FAILURE'", "stack: |-"]
            block += [f"  {_place(place)}" for place in case.places]
        word = "not ok" if case.outcome == "failed" else "ok"
        out += [f"{indent}# Subtest: {name}", f"{indent}{word} {number} - {name}{note}"]
        out += [f"{indent}  {line}" for line in [*block, "..."]]
    for name, inner in suite.suites.items():
        plain = name.replace("\\", "\\\\").replace("#", "\\#")
        out.append(f"{indent}# Subtest: {plain}")
        _tap_tree(file, inner, indent + "    ", out)
        broken = _is_broken(inner)
        out += [f"{indent}    1..9", f"{indent}{'not ok' if broken else 'ok'} 9 - {plain}"]
        block = ["---", "duration_ms: 9.5", "type: 'suite'"]
        block += [f"location: '{ROOT}/{file.path}:1:1'", "error: '1 subtest failed'"] if broken else []
        out += [f"{indent}  {line}" for line in [*block, "..."]]


def _sums(lead: str, files: list[File]) -> list[str]:
    words = {"pass": "passed", "fail": "failed", "skipped": "skipped", "todo": "todo"}
    sums = [f"{lead}{word} {total(files, outcome)}" for word, outcome in words.items()]
    every = sum(len(file.cases) for file in files)
    return [
        f"{lead}tests {every}",
        f"{lead}suites 0",
        *sums[:2],
        f"{lead}cancelled 0",
        *sums[2:],
        f"{lead}duration_ms 9.5",
    ]


def _is_broken(suite: Suite) -> bool:
    inside = any(_is_broken(inner) for inner in suite.suites.values())
    return inside or any(case.outcome == "failed" for case in suite.cases)


# ---- mocha ----


def mocha(files: list[File]) -> str:
    out = ["", ""]
    failing: list[str] = []
    number = iter(range(1, 1_000_000))
    for file in files:
        _mocha_tree(tree(file.cases), "  ", out, failing, number)
    out += ["", "", f"  {total(files, 'passed')} passing (12ms)"]
    pending, failed = total(files, "skipped", "todo"), total(files, "failed")
    out += [f"  {pending} pending"] if pending else []
    out += [f"  {failed} failing", "", *failing] if failed else []
    return "\n".join([*out, ""])


def _mocha_tree(suite: Suite, indent: str, out: list[str], failing: list[str], number: "Numbers") -> None:
    for case in suite.cases:
        at = next(number) if case.outcome == "failed" else 0
        lead = {"passed": "✔", "failed": f"{at})"}.get(case.outcome, "-")
        out.append(f"{indent}{lead} {case.names[-1]}")
        if at:
            titles = [f"  {at}) {case.names[0]}"]
            titles += [" " * (5 + 2 * deep) + name for deep, name in enumerate(case.names[1:], 1)]
            titles[-1] += ":"
            failing += [*titles, f"     {case.message}", *(f"      at {_place(place)}" for place in case.places), ""]
    for name, inner in suite.suites.items():
        out.append(indent + name)
        _mocha_tree(inner, indent + "  ", out, failing, number)
        out.append("")


def _place(place: tuple[str, int, str], relative: bool = False) -> str:
    path, line, name = place
    where = f"{path if relative else f'{ROOT}/{path}'}:{line}:3"
    return f"{name} ({where})" if name else where


Numbers = Iterator[int]
Writer = Callable[[list[File]], str]
LISTING: dict[str, tuple[str, Writer]] = {
    "jest --verbose": ("jest", lambda files: jest(files, verbose=True)),
    "vitest --reporter=verbose": ("vitest", lambda files: vitest(files, wordy=True)),
}
"""Styles that list every test with its file: (runner, writer)."""
SUMMING: dict[str, tuple[str, Writer]] = {"jest": ("jest", jest), "vitest": ("vitest", vitest)}
"""Those that name only files."""
NAMING: dict[str, tuple[str, Writer]] = {
    "node --test --test-reporter=spec": ("node-test", node_spec),
    "node --test --test-reporter=tap": ("node-test", node_tap),
    "mocha": ("mocha", mocha),
}
"""Those that list every test, but no files."""
EVERY = {**LISTING, **SUMMING, **NAMING}
