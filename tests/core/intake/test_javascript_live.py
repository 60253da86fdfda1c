"""node itself, where there is one: what it prints of a small program is read as it is meant."""

import functools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from ccos_core.intake.failures import read
from ccos_core.intake.failures.paths import Known, placed
from ccos_core.values.outcome import Failure, Report, ends

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node on this machine")

FILES = {
    "src/prices.js": """\
'use strict';

exports.parse = function parse(text) {
  const price = JSON.parse(text);
  if (price.amount === undefined) {
    throw new TypeError('no amount');
  }
  return price.amount;
};

exports.load = function load(text) {
  try {
    return exports.parse(text);
  } catch (error) {
    throw new Error('cannot load', { cause: error });
  }
};
""",
    "throws.js": "const { parse } = require('./src/prices');\n\nparse('{}');\n",
    "causes.js": "require('./src/prices').load('{}');\n",
    "rejects.mjs": """\
import { parse } from './src/prices.js';

await Promise.all(['{}'].map(async (text) => parse(text)));
""",
    "broken.js": "const = 3;\n",
    "lost.js": "require('./src/gone');\n",
    "fine.js": "require('./src/prices').parse('{\"amount\": 1}');\n",
    "cart.test.js": """\
const { test, describe, it } = require('node:test');
const { parse } = require('./src/prices');

test('is fine', () => {
  parse('{"amount": 1}');
});

describe('cart', () => {
  describe('when empty', () => {
    it('has no price', () => {
      parse('{}');
    });
  });
  it('has one # 2', async () => {
    await null;
    parse('{}');
  });
  it.skip('is for later', () => {});
});
""",
    "good.test.js": "const { test } = require('node:test');\n\ntest('is good', () => {});\n",
}
KNOWN = Known(FILES)
BROKEN = ("src/prices.js", 6)
# the script; its message, the places it leads through
SCRIPTS = [
    ("throws.js", "TypeError: no amount", [BROKEN, ("throws.js", 3)]),
    ("causes.js", "Error: cannot load", [BROKEN, ("src/prices.js", 13), ("causes.js", 1), ("src/prices.js", 15)]),
    ("rejects.mjs", "TypeError: no amount", [BROKEN, ("rejects.mjs", 3)]),
    ("broken.js", "SyntaxError: Unexpected token '='", [("broken.js", 1)]),
    ("lost.js", "Error: Cannot find module './src/gone'", [("lost.js", 1)]),
]


@functools.cache
def project() -> Path:
    """The project on a disk, for as long as the tests run."""
    folder = tempfile.TemporaryDirectory(prefix="javascript")
    _kept.append(folder)
    root = Path(folder.name).resolve() / "shop"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


_kept: list[tempfile.TemporaryDirectory[str]] = []


@functools.cache
def run(*words: str) -> Report:
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "SYSTEMROOT", "LANG")}
    done = subprocess.run([NODE or "node", *words], cwd=project(), env=kept, capture_output=True, text=True)
    command = " ".join(["node", *words])
    return placed(read(done.stdout + done.stderr, command, ok=done.returncode == 0), KNOWN)


def places(failure: Failure) -> list[tuple[str, int]]:
    ours = [(at.path, at.line) for at in failure.frames if KNOWN.find(at.path) is not None]
    return list(dict.fromkeys(ours))


@pytest.mark.parametrize(("script", "message", "expected"), SCRIPTS)
def test_scripts(script: str, message: str, expected: list[tuple[str, int]]) -> None:
    (failure,) = run(script).failures
    assert (failure.runner, failure.test, failure.message) == ("node", script, message)
    assert places(failure) == expected


def test_a_script_that_runs_through_ends_only_itself() -> None:
    report = run("fine.js")
    assert not report.failures
    (passing,) = report.passes
    assert ends(passing, Failure("node", "fine.js"))
    assert not ends(passing, run("throws.js").failures[0])


@pytest.mark.parametrize("reporter", ["spec", "tap"])
def test_its_own_tests(reporter: str) -> None:
    report = run("--test", f"--test-reporter={reporter}", "cart.test.js")
    cart = "cart.test.js > cart > "
    assert {each.test: places(each)[0] for each in report.failures} == {
        f"{cart}when empty > has no price": BROKEN,
        f"{cart}has one # 2": BROKEN,
    }
    assert [passing.tests for passing in report.passes] == [("cart.test.js > is fine",)]


@pytest.mark.parametrize("reporter", ["spec", "tap"])
def test_a_file_that_passes(reporter: str) -> None:
    (passing,) = run("--test", f"--test-reporter={reporter}", "good.test.js").passes
    assert (passing.scope, passing.paths) == ("files", ("good.test.js",))
