"""Rust: the tests cargo runs, what rustc and clippy refuse, and programs that panic.

A test is known by the program it is in and its name, a unit that doesn't compile by cargo's name for it, a program by
its own. A pass names what ran and what was compiled, and never what another command would have compiled or run.
"""

from __future__ import annotations

from bisect import bisect_left

from ccos_core.intake.failures import rust_errors, rust_panics, rust_scopes, rust_targets, rust_tests
from ccos_core.intake.failures.page import Findings, Page
from ccos_core.intake.failures.rust_errors import CLIPPY, RUSTC, Compilation
from ccos_core.intake.failures.rust_libtest import Output, output
from ccos_core.intake.failures.rust_scopes import CARGO, CargoRun
from ccos_core.values.outcome import FILES, TESTS, Failure, Pass

RUST = "rust"
"""Programs that aren't tests."""
SIGNS = (
    *("running ", "test result: ", "failures:", "test failed, to rerun pass", "Running `", "Finished "),
    *("--> ", "::: ", ".rs:", ".toml:", "panicked at", "its stack"),
)
_COMPILER = "rustc"
"""The thread of a compiler that broke itself."""


def read(page: Page) -> Findings:
    """Everything of Rust's in the output."""
    found = Findings()
    run = rust_scopes.cargo_run(page.command)
    told = output(page.lines)
    rust_tests.read(found, page, told, run)
    taken = _lines_of(found)
    rest = [line if at not in taken else "" for at, line in enumerate(page.lines)]
    compiled = rust_errors.compilation(rest)
    if compiled.units or not told.blocks:  # no test runs before all is compiled: else it is a test that compiles
        found.failures += rust_errors.failures(compiled)
    found.claimed += [(each.first, each.last + 1) for each in compiled.diagnostics]
    _panics(found, rest, compiled, told)
    passes = [*_compiled(compiled, told.running, run), *_programs(found, page, run)]
    found.passes += [(len(page.lines) - 1, each) for each in passes]
    return found


def _lines_of(found: Findings) -> set[int]:
    return {at for start, end in found.claimed for at in range(start, end)}


def _panics(found: Findings, rest: list[str], compiled: Compilation, told: Output) -> None:
    """Panics that stand in no test program's output: of build scripts, of tests without a harness, of programs."""
    programs = [(at, name) for at, line in enumerate(rest) if (name := rust_targets.program(line)) is not None]
    quiet = {block.target for block in told.blocks}
    for panic in rust_panics.panics(rest):
        found.claimed.append((panic.first, panic.last + 1))
        script, target = _before(compiled.scripts, panic.first), _before(told.running, panic.first)
        name = _before(programs, panic.first)
        if script:
            failure = Failure(RUSTC, f"{script} (build script)", panic.frames, panic.message)
        elif told.blocks and (not target or target in quiet):
            continue  # a test's own, and no failing one's
        elif target:
            failure = Failure(CARGO, target, panic.frames, panic.message)
        else:
            failure = Failure(RUST, name, panic.frames, panic.message)
        if failure.frames and panic.thread != _COMPILER:
            found.failures.append((panic.first, failure))


def _programs(found: Findings, page: Page, run: CargoRun | None) -> list[Pass]:
    """The program that ran through."""
    if page.ok is not True or run is None or run.verb != "run" or not run.decides:
        return []
    names = dict.fromkeys(name for line in page.lines if (name := rust_targets.program(line)) is not None)
    failed = any(failure.runner == RUST for _, failure in found.failures)
    return [Pass(RUST, TESTS, (name,)) for name in names] if len(names) == 1 and not failed else []


def _before(marks: list[tuple[int, str]], at: int) -> str:
    """The last name above a line."""
    ahead = bisect_left(marks, (at, ""))
    return marks[ahead - 1][1] if ahead else ""


def _compiled(told: Compilation, running: list[tuple[int, str]], run: CargoRun | None) -> list[Pass]:
    """What was compiled anew, all of it without an error."""
    errors = any(each.error for each in told.diagnostics)
    if not told.finished or errors or told.units or told.scripts or run is None or not told.folders:
        return []
    crates = {rust_targets.crate(target) for _, target in running if target.startswith("src/")}
    units: list[str] = []
    for package in told.folders:
        units += [f"{package} (lib)", f"{package} (build script)"]
        if run.verb in rust_scopes.COMPILES and (package.replace("-", "_") in crates or _is_chosen(package, told, run)):
            units += _targets(package, run)
    passes = [Pass(RUSTC, TESTS, tuple(dict.fromkeys(units)))]
    manifests = tuple(f"{folder}/Cargo.toml" for folder in told.folders.values())
    passes.append(Pass(RUSTC, FILES, (), manifests))
    if run.verb == "clippy" and not told.diagnostics:
        passes.append(Pass(CLIPPY, TESTS, tuple(dict.fromkeys(units))))
    return passes


def _is_chosen(package: str, told: Compilation, run: CargoRun) -> bool:
    """Whether this package was asked for, and not only needed by another one."""
    if run.packages:
        return package in run.packages
    return run.whole or list(told.folders) == [package]


def _targets(package: str, run: CargoRun) -> list[str]:
    if run.every:
        return [f"{package} ("]
    named = run.bins if run.narrowed or run.verb in ("run", "test") else (package,)
    return [f'{package} (bin "{name}")' for name in named]
