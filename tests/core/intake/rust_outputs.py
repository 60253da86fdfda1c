"""A workspace of Rust's that never was, and what cargo would print about it.

The shapes are those of cargo 1.63 to 1.97. `Program` and `printed` make up whole runs of tests, so that laws can be
stated over any outcome of any test.
"""

from __future__ import annotations

from dataclasses import dataclass

from ccos_core.intake.failures import read
from ccos_core.intake.failures.paths import Known, placed
from ccos_core.values.outcome import Failure, Report

ROOT = "/home/ann/pots"
PATHS = [
    "crates/glaze/src/colour/mod.rs",
    "crates/glaze/src/lib.rs",
    "crates/kiln/build.rs",
    "crates/kiln/src/heat.rs",
    "crates/kiln/src/lib.rs",
    "crates/kiln/src/main.rs",
    "crates/kiln/tests/common/mod.rs",
    "crates/kiln/tests/firing.rs",
]
KNOWN = Known(PATHS)
GLAZE, KILN, MAIN, FIRING = PATHS[1], PATHS[4], PATHS[5], PATHS[7]
STD = "/rustc/0123456789abcdef0123456789abcdef01234567/library"

TOP = f"""\
   0: __rustc::rust_begin_unwind
             at {STD}/std/src/panicking.rs:689:5
   1: core::panicking::panic_fmt
             at {STD}/core/src/panicking.rs:80:14
"""
BOTTOM = f"""\
   8: core::ops::function::FnOnce::call_once
             at {STD}/core/src/ops/function.rs:250:5
note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
"""


def told(output: str, command: str = "", ok: bool | None = None) -> Report:
    """What the readers say, in the workspace's spelling."""
    return placed(read(output, command, ok), KNOWN)


def places(failure: Failure) -> list[tuple[str, int, str]]:
    return [(at.path, at.line, at.name) for at in failure.frames]


def seen(report: Report) -> list[tuple[str, str, list[tuple[str, int, str]]]]:
    """(test, message, frames) of each failure."""
    return [(each.test, each.message, places(each)) for each in report.failures]


@dataclass(frozen=True)
class Program:
    """One program of tests, with how each of them ends: ok, FAILED or ignored."""

    root: str
    """Where it begins, from the folder of its package."""
    crate: str
    package: str
    outcomes: tuple[tuple[str, str], ...]

    @property
    def hint(self) -> str:
        name = self.root.rpartition("/")[2].removesuffix(".rs")
        kind = {"lib": "--lib", "main": f"--bin {self.crate}"}.get(name, f"--test {name}")
        return f"error: test failed, to rerun pass `-p {self.package} {kind}`"

    @property
    def running(self) -> str:
        unit = "unittests " if self.root.startswith("src/") else ""
        return f"     Running {unit}{self.root} (target/debug/deps/{self.crate}-{hash_of(self)})"


def hash_of(program: Program) -> str:
    return f"{sum(map(ord, program.package + program.root)):016x}"


def panic(name: str, style: str) -> str:
    """A failing test's panic, somewhere of its own."""
    line = 3 + len(name)
    if style == "old":
        return f"thread '{name}' panicked at 'no {name}', crates/kiln/src/heat.rs:{line}:5\n"
    return f"\nthread '{name}' (4711) panicked at crates/kiln/src/heat.rs:{line}:5:\nno {name}\n"


def block(program: Program, chosen: str, style: str) -> str:
    """What one program prints of the tests whose names hold `chosen`."""
    taken = [(name, word) for name, word in program.outcomes if chosen in name]
    failed = [name for name, word in taken if word == "FAILED"]
    lines = [f"\nrunning {len(taken)} test{'' if len(taken) == 1 else 's'}\n"]
    for at, (name, word) in enumerate(taken):
        loud = panic(name, style) if style == "nocapture" and word == "FAILED" else ""
        if style == "quiet":
            row = f" {at}/{len(taken)}\n" if lines[-1] in (".", "i") else ""
            lines.append(f"{row}{name} --- FAILED\n" if word == "FAILED" else ".i"[word == "ignored"])
        else:
            lines.append(f"{loud}test {name} ... {word}\n")
    lines.append("\n" if style == "quiet" else "")
    if failed:
        lines.append("\nfailures:\n\n")
        if style != "nocapture":
            lines += [f"---- {name} stdout ----\n{panic(name, style)}\n" for name in failed]
        lines += ["\nfailures:\n", *(f"    {name}\n" for name in failed)]
    count = {word: sum(each == word for _, each in taken) for word in ("ok", "FAILED", "ignored")}
    lines.append(
        f"\ntest result: {'FAILED' if failed else 'ok'}. {count['ok']} passed; {count['FAILED']} failed; "
        f"{count['ignored']} ignored; 0 measured; {len(program.outcomes) - len(taken)} filtered out; "
        "finished in 0.01s\n"
    )
    return "".join(lines)


def printed(programs: tuple[Program, ...], chosen: str = "", style: str = "new") -> str:
    """A whole run, `--no-fail-fast`. `split` and `turned` have the two streams one behind the other."""
    out: list[str] = []
    both: list[str] = []
    err: list[str] = ["    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.10s"]
    for program in programs:
        text = block(program, chosen, style)
        hint = [program.hint] if "FAILED" in text else []
        head = [] if style == "quiet" else [program.running]
        out.append(text)
        both += [*(f"{line}\n" for line in head), text, *(f"\n{line}\n" for line in hint)]
        err += head + hint
    if style == "turned":
        return "\n".join(err) + "\n" + "".join(out)
    return "".join(out) + "\n".join(err) if style == "split" else err[0] + "\n" + "".join(both)


NAMES = ["fires", "cools", "heat::tests::fires", "heat::tests::fires_again", "heat::tests::melts", "tests::opens"]
ROOTS = [
    ("src/lib.rs", "kiln", "kiln", "crates/kiln/"),
    ("src/main.rs", "kiln", "kiln", "crates/kiln/"),
    ("tests/firing.rs", "firing", "kiln", "crates/kiln/"),
    ("src/lib.rs", "glaze", "glaze", "crates/glaze/"),
]
