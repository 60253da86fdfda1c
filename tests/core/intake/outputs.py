"""Real outputs: a small project that fails in many ways, run once in every style, so that tests can compare them."""

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

from tests import shared

FILES = {
    "pytest.ini": "[pytest]\naddopts =\n",
    "pkg/__init__.py": "",
    "pkg/core.py": """\
import json


def add(a, b):
    return a + b


def parse(text):
    return json.loads(text)


def load(text):
    try:
        return parse(text)
    except ValueError as error:
        raise KeyError("wrapped") from error


def swallow(text):
    try:
        return parse(text)
    except ValueError:
        return {}["gone"]


def deep(n):
    return deep(n - 1) if n else 1 / 0


def forever():
    return forever()


def group():
    errors = []
    for text in ("{", "["):
        try:
            parse(text)
        except ValueError as error:
            errors.append(error)
    raise ExceptionGroup("several", errors)
""",
    "pkg/documented.py": '''\
"""Numbers.

>>> one()
2
"""


def one():
    """
    >>> one() + "x"
    1
    """
    return 1
''',
    "tests/conftest.py": """\
import pytest

from pkg.core import add


@pytest.fixture
def broken():
    return add(1, None)


@pytest.fixture
def late():
    yield 1
    add(1, "late")
""",
    "tests/test_api.py": """\
import logging
import unittest
import warnings

import pytest

from pkg import core


def test_passes():
    warnings.warn("careful")
    assert core.add(1, 1) == 2


def test_assert():
    assert core.add(1, 1) == 3, "sums are off"


def test_raises_deep():
    print("said on the way")
    print("=" * 30, "FAILURES", "=" * 30)
    try:
        1 / 0
    except ZeroDivisionError:
        logging.exception("logged")
    core.add(1, "x")


@pytest.mark.parametrize("text", ["{", "a b", "x[1]::y", "ok - no"])
def test_parse(text):
    core.parse(text)


def test_chain():
    core.load("{")


def test_handling():
    core.swallow("{")


def test_forever():
    core.forever()


def test_group():
    core.group()


def test_setup(broken):
    pass


def test_teardown(late):
    pass


@pytest.mark.skip(reason="later")
def test_skipped():
    pass


@pytest.mark.xfail
def test_xfails():
    assert 0


class TestX:
    def test_y(self):
        assert [1, 2, 3] == [1, 2, 4]

    class TestInner:
        def test_z(self):
            core.deep(3)


class Old(unittest.TestCase):
    def test_old(self):
        self.assertEqual(core.add(1, 2), 4)
""",
    "tests/test_bad.py": "import pkg.nothing\n",
    "tests/test_syntax.py": "def f(:\n    pass\n",
    "tests/test_good.py": "def test_good():\n    pass\n\n\ndef test_better():\n    pass\n",
    "tests/test_partly.py": (
        "import pytest\n\n\ndef test_one():\n    pass\n\n\n@pytest.mark.skip\ndef test_two():\n    pass\n"
    ),
    "units/__init__.py": "",
    "units/test_units.py": '''\
import unittest

from pkg import core


class Sums(unittest.TestCase):
    def test_ok(self):
        """Says why.

        At length.
        """

    def test_fail(self):
        print("printed")
        self.assertEqual(core.add(1, 1), 3, "no")

    def test_error(self):
        core.load("{")

    def test_parts(self):
        for i in range(3):
            with self.subTest("msg", i=i):
                self.assertEqual(i, 1)

    @unittest.skip("later")
    def test_skip(self):
        pass

    @unittest.expectedFailure
    def test_expected(self):
        self.fail()

    @unittest.expectedFailure
    def test_surprise(self):
        pass


class Never(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        core.add(1, None)

    def test_a(self):
        pass


if __name__ == "__main__":
    unittest.main()
''',
    "units/test_fine.py": (
        "import unittest\n\n\nclass Fine(unittest.TestCase):\n"
        "    def test_a(self):\n        pass\n\n    def test_b(self):\n        pass\n"
    ),
    "units/test_lost.py": "import pkg.nothing\n",
    "scripts/chain.py": "from pkg import core\n\n\ndef main():\n    core.load('{')\n\n\nmain()\n",
    "scripts/handling.py": "from pkg import core\n\ncore.swallow('{')\n",
    "scripts/group.py": "from pkg import core\n\ncore.group()\n",
    "scripts/recursion.py": "from pkg import core\n\ncore.forever()\n",
    "scripts/broken.py": "def f(:\n    pass\n",
    "scripts/imports_broken.py": "import scripts.broken\n",
    "scripts/thread.py": (
        "import threading\n\nfrom pkg import core\n\n"
        "t = threading.Thread(target=core.parse, args=('{',))\nt.start()\nt.join()\n"
    ),
    "scripts/ignored.py": (
        "from pkg import core\n\n\nclass Late:\n    def __del__(self):\n        core.parse('{')\n\n\n"
        "Late()\nprint('fine')\n"
    ),
    "scripts/stack.py": "import traceback\n\n\ndef f():\n    traceback.print_stack()\n\n\nf()\n",
    "scripts/odd.py": "class Odd(Exception):\n    pass\n\n\nraise Odd\n",
}

STYLES = {
    "auto": ["tests/test_api.py"],
    "long": ["tests/test_api.py", "--tb=long"],
    "short": ["tests/test_api.py", "--tb=short"],
    "native": ["tests/test_api.py", "--tb=native"],
    "line": ["tests/test_api.py", "--tb=line"],
    "no": ["tests/test_api.py", "--tb=no"],
    "quiet": ["tests/test_api.py", "-q", "--tb=short"],
    "bare": ["tests/test_api.py", "-q", "--tb=short", "-rN"],
    "locals": ["tests/test_api.py", "--showlocals"],
    "verbose": ["tests/test_api.py", "-v", "--tb=short"],
    "wordy": ["tests/test_api.py", "-vv"],
    "all": ["tests/test_api.py", "-rA", "--tb=short"],
    "colour": ["tests/test_api.py", "--color=yes", "-v"],
    "first": ["tests/test_api.py", "-x", "--tb=short"],
    "collecting": [],
    "good": ["tests/test_good.py", "tests/test_partly.py"],
    "good quiet": ["tests/test_good.py", "tests/test_partly.py", "-q"],
    "good verbose": ["tests/test_good.py", "tests/test_partly.py", "-v"],
    "good only": ["tests/test_good.py"],
    "good only quiet": ["tests/test_good.py", "-q"],
    "one": ["tests/test_good.py::test_good"],
    "chosen": ["tests/test_good.py", "-k", "better"],
    "none": ["tests/test_good.py", "-k", "nothing"],
    "mixed": ["tests/test_good.py", "tests/test_api.py", "--tb=no"],
    "doctest": ["--doctest-modules", "pkg"],
}

_RUN_ALL = """
import json, os, sys
import pytest
styles = json.loads(sys.argv[1])
for name, args in styles.items():
    pid = os.fork()
    if pid == 0:
        out = os.open(name.replace(" ", "_") + ".out", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(out, 2)
        code = pytest.main(["-p", "no:cacheprovider", "-p", "no:hypothesispytest", *args])
        sys.stdout.flush()
        os._exit(code)
    os.waitpid(pid, 0)
"""


@functools.cache
def project() -> Path:
    """The project on a disk, for as long as the tests run; all processes of a run have the same one."""
    return shared.made_once("outputs", _written)


def _written() -> Path:
    root = shared.folder().resolve() / "outputs" / "project"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@functools.cache
def pytest_outputs() -> dict[str, str]:
    """What pytest printed, by style."""
    return shared.made_once("pytest_outputs", _printed_by_pytest)


def _printed_by_pytest() -> dict[str, str]:
    root = project()
    python("-c", _RUN_ALL, json.dumps(STYLES))
    return {name: (root / f"{name.replace(' ', '_')}.out").read_text() for name in STYLES}


@functools.cache
def python(*words: str) -> str:
    """What an interpreter printed that stands in the project."""
    done = subprocess.run([sys.executable, *words], cwd=project(), env=environment(), capture_output=True, text=True)
    return done.stdout + done.stderr


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "SYSTEMROOT", "LANG")}
    return {**kept, "PYTHONPATH": str(project()), "PYTHONDONTWRITEBYTECODE": "1"}


def known_paths() -> list[str]:
    return [name for name in FILES if name.endswith(".py")]
