"""Rust: the tests cargo runs, what rustc and clippy refuse, and programs that panic.

A test is known by the program it is in and its name, a unit that doesn't compile by cargo's name for it, a program by
its own. A pass names what ran and what was compiled, and never what another command would have compiled or run.
"""

from __future__ import annotations

from bisect import bisect_left

from ccos_core.intake.failures import rust_errors, rust_panics, rust_scopes, rust_targets, rust_tests
from ccos_core.intake.failures.page import Findings, Page
from ccos_core.intake.failures.rust_errors import CLIPPY, RUSTC, Compilation
from ccos_core.intake.failures.rust_scopes import CARGO, CargoRun
from ccos_core.intake.failures.rust_tests import TestOutput
from ccos_core.values.outcome import FILES, TESTS, Failure, Pass

RUST = "rust"  # programs that aren't tests
SIGNS = (
    *("running ", "test result: ", "failures:", "test failed, to rerun pass", "Running `", "Finished "),
    *("--> ", "::: ", ".rs:", ".toml:", "panicked at", "its stack"),
)
_COMPILER = "rustc"  # the thread of a compiler that broke itself


def read(page: Page) -> Findings:
    """Everything of Rust's in the output."""
    found = Findings()
    run = rust_scopes.cargo_run(page.command)
    output = TestOutput(page.lines)
    rust_tests.read(found, page, output, run)
    taken = {at for start, end in found.claimed for at in range(start, end)}
    rest = [line if at not in taken else "" for at, line in enumerate(page.lines)]
    compiled = rust_errors.parse_compilation(rest)
    if compiled.units or not output.blocks:  # no test runs before all is compiled: else it is a test that compiles
        found.failures += compiled.failures()
    found.claimed += [(each.first, each.last + 1) for each in compiled.diagnostics]
    _panics(found, rest, compiled, output)
    passes = [*_compiled(compiled, output.running, run), *_programs(found, page, run)]
    found.passes += [(len(page.lines) - 1, each) for each in passes]
    return found


def _panics(found: Findings, rest: list[str], compiled: Compilation, output: TestOutput) -> None:
    """Panics that stand in no test program's output: of build scripts, of tests without a harness, of programs."""
    programs = [(at, name) for at, line in enumerate(rest) if (name := rust_targets.parse_program(line)) is not None]
    quiet = {block.target for block in output.blocks}
    for panic in rust_panics.find_panics(rest):
        found.claimed.append((panic.first, panic.last + 1))
        script, target = _last_before(compiled.scripts, panic.first), _last_before(output.running, panic.first)
        runner, test = RUST, _last_before(programs, panic.first)
        if script:
            runner, test = RUSTC, f"{script} (build script)"
        elif output.blocks and (not target or target in quiet):
            continue  # a test's own, and no failing one's
        elif target:
            runner, test = CARGO, target
        if panic.frames and panic.thread != _COMPILER:
            found.failures.append((panic.first, Failure(runner, test, panic.frames, panic.message)))


def _programs(found: Findings, page: Page, run: CargoRun | None) -> list[Pass]:
    """The program that ran through."""
    if page.ok is not True or run is None or run.verb != "run" or not run.decides:
        return []
    names = dict.fromkeys(name for line in page.lines if (name := rust_targets.parse_program(line)) is not None)
    failed = any(failure.runner == RUST for _, failure in found.failures)
    return [Pass(RUST, TESTS, tuple(names))] if len(names) == 1 and not failed else []


def _last_before(marks: list[tuple[int, str]], at: int) -> str:
    """The last name above a line."""
    ahead = bisect_left(marks, (at, ""))
    return marks[ahead - 1][1] if ahead else ""


def _compiled(compiled: Compilation, running: list[tuple[int, str]], run: CargoRun | None) -> list[Pass]:
    """What was compiled anew, all of it without an error."""
    errors = any(each.error for each in compiled.diagnostics) or compiled.units or compiled.scripts
    if not compiled.finished or errors or run is None or not compiled.folders:
        return []
    crates = {rust_targets.crate_of(target) for _, target in running if target.startswith("src/")}
    chosen = run.packages or (compiled.folders if run.whole or len(compiled.folders) == 1 else ())
    units: dict[str, None] = {}
    for package in compiled.folders:
        units |= dict.fromkeys((f"{package} (lib)", f"{package} (build script)"))
        # a package that was only needed by another one is compiled without its programs and tests
        if run.verb in rust_scopes.COMPILES and (package.replace("-", "_") in crates or package in chosen):
            bins = run.bins if run.narrowed or run.verb in ("run", "test") else (package,)
            units |= dict.fromkeys([f"{package} ("] if run.every else [f'{package} (bin "{name}")' for name in bins])
    manifests = tuple(f"{folder}/Cargo.toml" for folder in compiled.folders.values())
    passes = [Pass(RUSTC, TESTS, tuple(units)), Pass(RUSTC, FILES, (), manifests)]
    if run.verb == "clippy" and not compiled.diagnostics:
        passes.append(Pass(CLIPPY, TESTS, tuple(units)))
    return passes
