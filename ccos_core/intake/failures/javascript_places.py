"""Where a tool of JavaScript's ran, for the paths it printed are to be understood from there.

`cd web && npx jest` and `npm --prefix web test` print `src/a.test.js` of the file `web/src/a.test.js`; in another
package the same name means another file. Where the folder can't be known, nothing certain has passed.
"""

from __future__ import annotations

from dataclasses import replace

from ccos_core.intake.failures.javascript_commands import UNSURE, folder_of
from ccos_core.intake.failures.javascript_stacks import SEPARATOR
from ccos_core.intake.failures.page import Findings, Page
from ccos_core.values.outcome import ALL, UNKNOWN, Failure, Pass
from ccos_core.values.paths import is_absolute

_NOWHERE = ("<", "[", "~", "node:")


def moved(found: Findings, page: Page, tool: str, tests: bool = True) -> Findings:
    """The findings as seen from where the command began; `tests` is whether their names begin with paths too."""
    if not found.failures and not found.passes:
        return found
    folder = folder_of(page, tool)
    if folder == UNSURE:
        found.passes = [(at, Pass(passing.runner, UNKNOWN)) for at, passing in found.passes]
    elif folder not in ("", "."):
        found.failures = [(at, _failure(folder, failure, tests)) for at, failure in found.failures]
        found.passes = [(at, _pass(folder, passing, tests)) for at, passing in found.passes]
    return found


def _failure(folder: str, failure: Failure, tests: bool) -> Failure:
    frames = tuple(replace(frame, path=_path(folder, frame.path)) for frame in failure.frames)
    test = _name(folder, failure.test) if tests else failure.test
    part = failure.part.replace(failure.frames[0].path, frames[0].path, 1) if frames else failure.part
    return replace(failure, test=test, frames=frames, part=part)


def _pass(folder: str, passing: Pass, tests: bool) -> Pass:
    paths = passing.paths if passing.scope == ALL else tuple(_path(folder, path) for path in passing.paths)
    return replace(passing, tests=tuple(_name(folder, test) if tests else test for test in passing.tests), paths=paths)


def _name(folder: str, test: str) -> str:
    path, mark, inner = test.partition(SEPARATOR)
    return _path(folder, path) + mark + inner


def _path(folder: str, path: str) -> str:
    """From there; what is absolute, or no file at all, stays as it is."""
    if not path or is_absolute(path) or path.startswith(_NOWHERE):
        return path
    return folder.rstrip("/") + "/" + path
