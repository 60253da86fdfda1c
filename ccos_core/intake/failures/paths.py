"""From paths as an output spells them to the files of a workspace, and to the place a failure should be felt at.

An output may come from another folder, another machine or a container: `/app/src/x.py`, `C:\\ci\\proj\\src\\x.py`,
`../x.py`. A path is the known file that ends alike, for as many folders as any does; when two end alike equally far, it
is none. Libraries, toolchains and generated code are set aside. Only texts are compared; no disk is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from ccos_core.intake.failures import rust_targets
from ccos_core.intake.failures.files import Files
from ccos_core.values.outcome import ALL, ARROW, PROGRAMS, Failure, Frame, Pass, Report, homes, is_arrowed
from ccos_core.values.paths import NOWHERE, Place, inside, is_absolute, recorded

_ASIDE = re.compile(
    r"(?:^|/)(?:site-packages|dist-packages|node_modules|__pypackages__|\.pnpm|\.yarn|\.cargo|\.rustup|\.pyenv|\.tox"
    r"|\.nox|\.venv|venv|\.m2|\.gradle|\.nuget|\.bundle)/"
    r"|(?:^|/)(?:lib|lib64)/(?:python|pypy)\d[\d.]*/|(?:^|/)python\d[\d.]*/lib/|/lib-dynload/|python\d+\.zip/|\.egg/"
    r"|(?:^|/)rustc/[0-9a-f]{6,}/|/rustc-\d[\w.-]*/|/rustlib/src/|^library/(?:std|core|alloc|test)/src/"
    r"|^src/lib(?:std|core|alloc|test|panic_unwind)/|/cargo/(?:registry|git)/|/registry/src/[\w.-]+-[0-9a-f]{16}/"
    r"|(?:^|/)vendor/[\w-]+(?:\.[\w-]+)+/|@v\d[^/]*/|^\$GOROOT/|^_cgo_|^_testmain\.go$"
    r"|/pkg/mod/|/(?:usr/lib|local|sdk|opt|libexec)/(?:go[\d.-]*/)?src/|(?:^|/)vendor/bundle/|(?:^|/)gems/[^/]+-\d"
    r"|^node:|^internal/(?:modules|process|main|bootstrap|timers)\b|^<",
    re.IGNORECASE,
)
_SYSTEM = re.compile(r"/(?:usr|lib|lib64|opt|etc|var|snap|nix|Library|System)/|[A-Za-z]:/(?:Program Files|Windows)")
_EVERYWHERE = {"__init__.py", "__main__.py", "conftest.py", "setup.py", "mod.rs", "lib.rs", "index.ts", "index.js"}
"""Names too common to know a file by."""
_TEST_FOLDER = re.compile(r"^(?:(?:.+[._-])?tests?|testing|__tests__|specs?|e2e)$")
_TEST_FILE = re.compile(
    r"(?:^(?:test_.*|.*_tests?|tests?|conftest)\.pyi?|_test\.go|[._-](?:test|spec)\.[cm]?[jt]sx?|_(?:test|spec)\.rb"
    r"|(?:^tests?|_tests?)\.rs|Tests?\.(?:java|kt|cs|swift|php))$"
)


class Known:
    """The files of a workspace, to be found by how an output spells them; `cwd` is where the command ran."""

    def __init__(self, paths: Iterable[str] | Files, cwd: str = ".", place: Place = NOWHERE) -> None:
        self.paths = paths if isinstance(paths, Files) else Files(paths)
        self.cwd = cwd
        self.place = place
        self.found: dict[str, str | None] = {}
        self.targets: dict[str, str] = {}

    def find(self, said: str) -> str | None:
        """The known file this path means, or None: set aside, not known, or one of several."""
        if said not in self.found:
            self.found[said] = self._find(said)
        return self.found[said]

    def spelling(self, said: str) -> str:
        """The record's spelling of a file or folder, known or not."""
        path = self.find(said) or self.recorded(said)
        if path in self.paths or self.paths.is_folder(path):
            return path
        parts = path.split("/")
        tails = ("/".join(parts[at:]) for at in range(1, len(parts)))
        return next((tail for tail in tails if self.paths.is_folder(tail)), path)

    def target(self, said: str) -> str:
        """The file a program of Rust's begins in, where that is certain."""
        if said not in self.targets:
            self.targets[said] = rust_targets.place_target(said, self._ending)
        return self.targets[said]

    def recorded(self, said: str) -> str:
        """The same by nothing but the folder it was said in."""
        return _recorded(said.removeprefix("file://"), self.place, self.cwd)

    def _ending(self, path: str) -> list[str]:
        """The known files that are this one or end like it."""
        return [each for each in self.paths.named(path.rpartition("/")[2]) if f"/{each}".endswith(f"/{path}")]

    def _find(self, said: str) -> str | None:
        if not said or said.startswith(("<", "node:")):
            return None
        path = self.recorded(said)
        if path in self.paths:
            return path
        plain = _recorded(said, NOWHERE, ".")
        if _is_aside(path if inside(path) else plain):
            return None
        parts = _reversed_parts(plain)
        if plain in self.paths or not parts:
            return plain if plain in self.paths else None
        return self.paths.meant(plain, parts[0], self._find_by_ending)

    def _find_by_ending(self, path: str) -> str | None:
        """The file that ends like this path for as many folders as any does; None where several do."""
        parts = _reversed_parts(path)
        best: list[list[str]] = []
        most = 0
        for known in (path.split("/")[::-1] for path in self.paths.named(parts[0])):
            pairs = enumerate(zip(parts, known, strict=False))
            alike = next((at for at, (one, other) in pairs if one != other), min(len(parts), len(known)))
            if alike > most:
                best, most = [known], alike
            elif alike == most:
                best.append(known)
        whole = [known for known in best if len(known) == most]
        best = whole if len(whole) == 1 else best
        if len(best) != 1 or (not whole and most == 1 and not _is_telling(path)):
            return None
        return "/".join(best[0][::-1])


# Outputs spell the same few paths again and again.
_recorded = lru_cache(maxsize=4096)(recorded)


@lru_cache(maxsize=4096)
def _is_aside(path: str) -> bool:
    return _ASIDE.search(path) is not None


@lru_cache(maxsize=4096)  # every run of a test goes through the same few files
def is_test(path: str) -> bool:
    """Whether a path of a workspace is one of its tests."""
    *folders, file = path.split("/")
    return any(map(_TEST_FOLDER.search, folders)) or _TEST_FILE.search(file) is not None


def anchor(failure: Failure, known: Known) -> Frame | None:
    """Where the failure is felt: the innermost frame of the project, under the path the workspace knows.

    Frames of libraries are passed over. A test file is where a failure is seen and seldom where it comes from, so its
    frames count only when there is no other of the project. Where an output names the test and no place, it is the test
    itself, with line 0.
    """
    ours = [_at(path, frame) for frame in failure.frames if (path := known.find(frame.path)) is not None]
    if ours or not failure.test:
        return next((frame for frame in ours if not is_test(frame.path)), ours[0]) if ours else None
    if failure.runner in ("cargo", "rustdoc"):
        paths = [path for path in homes(failure) if path in known.paths]
    elif failure.runner in ("pytest", "unittest") or is_arrowed(failure.runner):
        paths = [path for home in homes(failure) if (path := known.find(home)) is not None]
    else:
        return None
    if not paths:
        return None
    name = failure.test.partition("[")[0].replace("::", ".").rpartition(".")[2]
    whole = is_arrowed(failure.runner) or failure.test.endswith(".py")
    return Frame(paths[0], 0, "" if whole else name)


def placed(report: Report, known: Known) -> Report:
    """The report in the workspace's own spelling, so that failures and passes of different runs can be compared.

    Frames outside of the project keep theirs.
    """
    return replace(
        report,
        failures=tuple(_placed_failure(failure, known) for failure in report.failures),
        passes=tuple(_placed_pass(passing, known) for passing in report.passes),
        ran=tuple(replace(ran, folder=_placed_folder(ran.folder, known)) for ran in report.ran),
        looked=tuple(_placed_pass(passing, known) for passing in report.looked),
    )


def _placed_failure(failure: Failure, known: Known) -> Failure:
    frames = tuple([_at(known.find(frame.path) or frame.path, frame) for frame in failure.frames])
    part = failure.part
    if failure.runner in PROGRAMS and failure.frames:
        part = part.replace(failure.frames[0].path, frames[0].path, 1)
    return replace(failure, test=_placed_test(failure.runner, failure.test, known), frames=frames, part=part)


def _at(path: str, frame: Frame) -> Frame:
    """A frame under the path the workspace knows; mostly it has that."""
    return frame if path == frame.path else replace(frame, path=path)


def _placed_pass(passing: Pass, known: Known) -> Pass:
    tests = tuple(_placed_test(passing.runner, test, known) for test in passing.tests)
    split = [(path[:-2], "/*") if path.endswith("/*") else (path, "") for path in passing.paths]
    paths = tuple(known.spelling(folder) + mark for folder, mark in split)
    if passing.scope == ALL:  # a run that named no folder began where the command stood
        paths = paths or (known.cwd or ".",)
        paths = () if "." in paths else paths
    return replace(passing, tests=tests, paths=paths)


def _placed_folder(said: str, known: Known) -> str:
    """A relative folder is where it says, known or not: only of another place's absolute one the end is looked for."""
    return known.spelling(said) if said.startswith("/") else known.recorded(said) if said else known.cwd or "."


def _placed_test(runner: str, test: str, known: Known) -> str:
    """The path in front of a test's name, where the runner has one there."""
    if runner.startswith("go"):
        return test
    arrowed = is_arrowed(runner) or runner in PROGRAMS
    path, mark, inner = test.partition(ARROW if arrowed else "::")
    if runner in ("cargo", "rustdoc"):
        return known.target(path) + mark + inner
    if arrowed or mark or (runner in ("pytest", "python") and path):
        return (known.spelling(path) if path or not arrowed else "") + mark + inner
    return test


def _reversed_parts(path: str) -> list[str]:
    """Its names, the last first."""
    return [part for part in path.split("/") if part not in ("", "..")][::-1]


def _is_telling(path: str) -> bool:
    """Whether the file's name alone may say which it is: not in a folder of the system, not a name many have."""
    if path.rpartition("/")[2] in _EVERYWHERE:
        return False
    return not (is_absolute(path) and _SYSTEM.match(path))
