"""How much a run of cargo takes in, by its arguments.

The output names each test and each program unless it was asked to be quiet, so this is needed for what compiled, for
doc tests that were chosen by name, and for quiet runs. What lies in a workspace is not known here: a bare `cargo test`
takes in the package of the folder it runs in, `--workspace` all below.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ccos_core.intake.failures.command import Run, runs
from ccos_core.values.outcome import ALL, FILES, UNKNOWN, Pass

CARGO, RUSTDOC = "cargo", "rustdoc"

_ALIASES = {"t": "test", "b": "build", "c": "check", "r": "run"}
COMPILES = ("test", "build", "check", "clippy", "run")
_VALUE = {
    "-p", "--package", "--exclude", "--test", "--bin", "--example", "--bench", "-j", "--jobs", "-F", "--features",
    "--target", "--target-dir", "--manifest-path", "--message-format", "--color", "--config", "-Z", "--profile", "-C",
    "--test-threads", "--format", "--logfile", "--skip", "--shuffle-seed",
}  # fmt: skip
_CHOICE = {
    "--lib", "--bins", "--bin", "--test", "--tests", "--example", "--examples", "--bench", "--benches", "--doc",
    "--exclude", "--skip", "--ignored", "--exact", "--manifest-path", "-C", "--no-run", "--list", "--features", "-F",
    "--no-default-features", "--all-features", "--target",
}  # fmt: skip
_WHOLE = {"--workspace", "--all"}
_OWN = ("src", "tests", "examples", "benches")
"""Where the tests of one package lie."""
_NAME = re.compile(r"[A-Za-z_][\w:]*$")


@dataclass(frozen=True, slots=True)
class CargoRun:
    """One call of cargo."""

    verb: str
    packages: tuple[str, ...]
    whole: bool
    """Whether it takes in all packages of the workspace."""
    every: bool
    """Whether it takes in all targets of a package: libraries, programs, tests."""
    filters: tuple[str, ...]
    """The names, or parts of names, of the tests to run."""
    choices: frozenset[str]
    """The options that leave something out."""
    dynamic: bool
    bins: tuple[str, ...]
    decides: bool
    folder: str

    @property
    def narrowed(self) -> bool:
        return self.dynamic or bool(self.choices)

    @property
    def takes_whole_items(self) -> bool:
        """Whether no choice it makes can tell one example of an item from another."""
        named = all(_NAME.match(each) and each not in ("line", "compile") for each in self.filters)
        return named and not self.dynamic and self.choices <= {"--doc"}

    def passes(self, untold: int) -> list[Pass]:
        """What passes when it succeeded, where no program was named."""
        if self.narrowed or self.filters or self.packages:
            return [Pass(CARGO, UNKNOWN)]
        if self.whole:
            below = (self.folder,) if self.folder else ()
            return [Pass(runner, ALL, (), below, untold) for runner in (CARGO, RUSTDOC)]
        within = f"{self.folder}/" if self.folder else ""
        paths = tuple(within + each for each in _OWN)
        return [Pass(runner, FILES, (), paths, untold) for runner in (CARGO, RUSTDOC)]


def cargo_run(command: str) -> CargoRun | None:
    """The one call of cargo in the command; None where there is none, or several."""
    found = [run for run in runs(command) if run.tool == CARGO]
    return _taken(found[0]) if len(found) == 1 else None


def _taken(run: Run) -> CargoRun:
    words = [word for word in run.words if not word.startswith("+")]
    at = words.index("--") if "--" in words else len(words)
    own, behind = words[:at], words[at + 1 :]
    named, options = _sorted(own)
    verb = _ALIASES.get(named[0], named[0]) if named else ""
    after, more = _sorted(behind)
    if verb != "test":
        after, more = [], []
    packages = tuple(each.rpartition("#")[2].partition("@")[0] for each in _values(options, ("-p", "--package")))
    plain = {option.partition("=")[0] for option, _ in [*options, *more]}
    return CargoRun(
        verb,
        packages,
        bool(_WHOLE & plain) and "--exclude" not in plain,
        "--all-targets" in plain or (verb == "test" and not plain & _CHOICE),
        tuple(named[1:] + after) if verb == "test" else (),
        frozenset(plain & _CHOICE),
        run.dynamic,
        tuple(_values(options, ("--bin",))),
        run.decides,
        run.folder,
    )


def _sorted(words: list[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """(what is named, the options with their values)."""
    named: list[str] = []
    options: list[tuple[str, str]] = []
    at = 0
    while at < len(words):
        word = words[at]
        if word in _VALUE and at + 1 < len(words):
            options.append((word, words[at + 1]))
            at += 1
        elif word.startswith("-") and word != "-":
            options.append((word.partition("=")[0], word.partition("=")[2]))
        else:
            named.append(word)
        at += 1
    return named, options


def _values(options: list[tuple[str, str]], names: tuple[str, ...]) -> list[str]:
    return [value for option, value in options if option in names and value]
