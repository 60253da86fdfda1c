"""A module of Go's that never was, and what the go command would print about it.

The shapes are those of Go 1.19 to 1.26. `Package` and `printed` make up whole runs of tests, so that laws can be stated
over any outcome of any test.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from ccos_core.intake.failures import read
from ccos_core.intake.failures.paths import Known, placed
from ccos_core.values.outcome import Failure, Report

ROOT = "/home/ann/pots"
MODULE = "example.com/ann/pots"
PATHS = [
    "cmd/stoke/main.go",
    "glaze/glaze.go",
    "glaze/glaze_test.go",
    "internal/kiln/kiln.go",
    "internal/kiln/kiln_test.go",
    "pots.go",
    "pots_test.go",
]
KNOWN = Known(PATHS)
KILN = f"{MODULE}/internal/kiln"
GLAZE = f"{MODULE}/glaze"
KILN_TEST, KILN_GO = "internal/kiln/kiln_test.go", "internal/kiln/kiln.go"
GOROOT = "/opt/tools/go1.26.6/go/src"


def told(output: str, command: str = "", ok: bool | None = None) -> Report:
    """What the readers say, in the workspace's spelling."""
    return placed(read(output, command, ok), KNOWN)


def places(failure: Failure) -> list[tuple[str, int, str]]:
    return [(at.path, at.line, at.name) for at in failure.frames]


def seen(report: Report) -> list[tuple[str, str, list[tuple[str, int, str]]]]:
    """(test, message, frames) of each failure."""
    return [(each.test, each.message, places(each)) for each in report.failures]


@dataclass(frozen=True)
class Package:
    """The tests of one package: top-level ones, each with its subtests; how each ends is PASS, FAIL or SKIP."""

    path: str
    tests: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]

    def words(self, pattern: str = "") -> dict[str, str]:
        """How each ends; what has a failing subtest fails, if `-run` takes that subtest in."""
        found: dict[str, str] = {}
        for name, word, subs in self.tests:
            found[name] = (
                "FAIL" if any(each == "FAIL" for sub, each in subs if chosen_by(pattern, f"{name}/{sub}")) else word
            )
            found.update({f"{name}/{sub}": each for sub, each in subs})
        return found


def line_of(name: str) -> int:
    return 10 + len(name)


def chosen_by(pattern: str, name: str) -> bool:
    """Whether `-run` takes a test in; its own matching, level by level."""
    return all(want in said for want, said in zip(pattern.split("/"), name.split("/"), strict=False))


def package_lines(package: Package, pattern: str, verbose: bool) -> list[str]:
    """What one package prints, before its own line."""
    words = {name: word for name, word in package.words(pattern).items() if chosen_by(pattern, name)}
    own = {name for name, word, subs in package.tests if word == "FAIL"}
    top = [name for name in words if "/" not in name]
    lines: list[str] = []
    for name in top:
        subs = [each for each in words if each.startswith(name + "/")]
        word = "FAIL" if name in own or any(words[each] == "FAIL" for each in subs) else words[name]
        if word == "FAIL" and words[name] == "FAIL" and name not in own and not any(words[e] == "FAIL" for e in subs):
            word = "PASS"  # the failing subtest wasn't chosen
        if verbose:
            for each in (name, *subs):
                lines.append(f"=== RUN   {each}")
                failed = words[each] == "FAIL" and (each != name or name in own)
                lines += [f"    x_test.go:{line_of(each)}: no {each}"] if failed else []
        result = [(name, word, ""), *((each, words[each], "    ") for each in subs)]
        for each, how, indent in result:
            if verbose or how == "FAIL":
                lines.append(f"{indent}--- {how}: {each} (0.00s)")
            if not verbose and how == "FAIL" and (each != name or name in own):
                lines.append(f"{indent}    x_test.go:{line_of(each)}: no {each}")
    return lines


def printed(packages: tuple[Package, ...], pattern: str = "", style: str = "plain") -> str:
    """A whole run: plain, `verbose` or `json`."""
    lines: list[str] = []
    failed = False
    for package in packages:
        own = package_lines(package, pattern, style != "plain")
        bad = any("--- FAIL: " in line for line in own)
        failed = failed or bad
        ran = any(chosen_by(pattern, name) for name, _, _ in package.tests)
        own += ["FAIL", f"FAIL\t{package.path}\t0.003s"] if bad else ["PASS"] if style != "plain" else []
        own += [] if bad else [f"ok  \t{package.path}\t0.003s" + ("" if ran else " [no tests to run]")]
        lines += [_event(package.path, each) for each in own] if style == "json" else own
    return "\n".join([*lines, *(["FAIL"] if failed and style != "json" else [])]) + "\n"


def _event(package: str, line: str) -> str:
    return json.dumps({"Action": "output", "Package": package, "Output": line + "\n"}, separators=(",", ":"))
