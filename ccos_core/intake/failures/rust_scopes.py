"""How much a run of cargo takes in, by its arguments.

The output names each test and each program unless it was asked to be quiet, so this is needed for what compiled, for
doc tests that were chosen by name, and for quiet runs. What lies in a workspace is not known here: a bare `cargo test`
takes in the package of the folder it runs in, `--workspace` all below.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ccos_core.intake.failures.arguments import words_of
from ccos_core.intake.failures.command import runs
from ccos_core.values.outcome import ALL, FILES, UNKNOWN, Pass

CARGO, RUSTDOC = "cargo", "rustdoc"
COMPILES = ("test", "build", "check", "clippy", "run")

_ALIASES = {"t": "test", "b": "build", "c": "check", "r": "run"}
_VALUES = words_of(
    "-p --package --exclude --test --bin --example --bench -j --jobs -F --features --target --target-dir --config -Z"
    " --manifest-path --message-format --color --profile -C --test-threads --format --logfile --skip --shuffle-seed"
)
_CHOICES = words_of(
    "--lib --bins --bin --test --tests --example --examples --bench --benches --doc --exclude --skip --ignored --exact"
    " --manifest-path -C --no-run --list --features -F --no-default-features --all-features --target"
)
_PACKAGE_FOLDERS = ("src", "tests", "examples", "benches")
_NAME = re.compile(r"[A-Za-z_][\w:]*$")


@dataclass(frozen=True, slots=True)
class CargoRun:
    """One call of cargo."""

    verb: str
    packages: tuple[str, ...]
    whole: bool  # it takes in all packages of the workspace
    every: bool  # it takes in all targets of a package: libraries, programs, tests
    filters: tuple[str, ...]  # the names, or parts of names, of the tests to run
    choices: frozenset[str]  # the options that leave something out
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
        paths = tuple(f"{self.folder}/{each}" if self.folder else each for each in _PACKAGE_FOLDERS)
        return [Pass(runner, FILES, (), paths, untold) for runner in (CARGO, RUSTDOC)]


def cargo_run(command: str) -> CargoRun | None:
    """The one call of cargo in the command; None where there is none, or several."""
    found = [run for run in runs(command) if run.tool == CARGO]
    if len(found) != 1:
        return None
    run = found[0]
    words = [word for word in run.words if not word.startswith("+")]
    at = words.index("--") if "--" in words else len(words)
    named, options = _split(words[:at])
    verb = _ALIASES.get(named[0], named[0]) if named else ""
    filters, more = _split(words[at + 1 :]) if verb == "test" else ([], [])
    packages = [value for option, value in options if option in ("-p", "--package") and value]
    plain = {option.partition("=")[0] for option, _ in [*options, *more]}
    return CargoRun(
        verb,
        packages=tuple(each.rpartition("#")[2].partition("@")[0] for each in packages),
        whole=bool({"--workspace", "--all"} & plain) and "--exclude" not in plain,
        every="--all-targets" in plain or (verb == "test" and not plain & _CHOICES),
        filters=tuple(named[1:] + filters) if verb == "test" else (),
        choices=frozenset(plain & _CHOICES),
        dynamic=run.dynamic,
        bins=tuple(value for option, value in options if option == "--bin" and value),
        decides=run.decides,
        folder=run.folder,
    )


def _split(words: list[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """(what is named, the options with their values)."""
    named: list[str] = []
    options: list[tuple[str, str]] = []
    ahead = iter(words)
    for word in ahead:
        value = next(ahead, None) if word in _VALUES else None
        if value is not None:
            options.append((word, value))
        elif word.startswith("-") and word != "-":
            options.append((word.partition("=")[0], word.partition("=")[2]))
        else:
            named.append(word)
    return named, options
