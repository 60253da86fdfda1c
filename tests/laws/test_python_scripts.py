"""Whatever is told of a script of Python is so on the disk at a moment of its run."""

import io
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, event, example, given, settings
from hypothesis import strategies as st

from ccos_core.intake.calls.effects import Appended, Effect, Removed, Replaced, Wrote
from ccos_core.intake.calls.python_scripts import effects_of_script

BEFORE = {"a": "x of a\nx\n", "b": "x of b\n", "c": ""}
BEGIN = "import os, shutil, sys\nfrom pathlib import Path\np = Path('a')\ns = 'x'\nt = 'y'\n"
LINES = [
    "p = Path('a')", "p = Path('b')", "q = p", "p = q", "p = q = Path('c')", "p = Path(str(p).replace('a', 'b'))",
    "s = p.read_text()", "s = open('b').read()", "s = open('a').read(3)", "t = s", "s = t", "s = 'x'", "s, t = t, s",
    "with open(p) as f: s = f.read()", "with open(p) as f: f.readline(); s = f.read()",
    "s = s.replace('x', 'xy')", "s = s.replace('x', 'z', 1)", "s = s.replace('x', 'w', 2)", "s += 'x'", "s = s + t",
    "s = t if len(s) > 6 else s.replace('x', 'q')", "s = 'e' if 'y' in t else s",
    "s = s.strip()", "s = s[1:] + '%s' % t", "s = s + 'x' * 3",
    "p.write_text(s)", "open('a', 'w').write(s)", "open('b', 'a').write(t)", "open(p, 'r+').write('r')",
    "open('a', 'w').write(open('a').read().replace('x', 'v'))", "Path('c').write_text(t + 'u')",
    "f.write(s)", "f.write('one')", "f.seek(0)", "print(s, file=f)", "f.close()",
    "w = f.write", "w(t)", "f = open(p)", "s = f.read()",
    "len(s) > 6 and p.write_text('short')", "p.write_text(t) if len(s) > 6 else None", "s = (t := 'o')",
    "[p.write_text('in') for p in (Path('c'),)]", "w = lambda *each: Path('b').write_text('never')",
    "if len(s) > 6: p = Path('b'); p.write_text(s)", "if len(s) > 6: sys.exit()", "sys.exit(0)",
    "p.unlink(missing_ok=True)", "del s", "import os as p", "p /= 'x'", "p = Path('folder') / 'x.py'",
    "os.replace(p, 'd')", "p = p.rename('e')", "shutil.copy(p, 'g.py')", "shutil.move(p, 'folder')",
    "os.chdir('folder')", "Path('a').write_text(Path('a').read_text().replace('x', 'yy'))",
    "g(p, s)", "g(Path('b'), t)", "h()",
]  # fmt: skip
BLOCKS = [
    "if len(s) > 6:", "for p in (Path('a'), Path('b')):", "for s in ('k', 'l'):", "try:", "with open(p, 'w') as f:",
    "def g(p, s):", "def h():", "def h():\n    global s, p", "if __name__ == '__main__':", "for _ in ():",
]  # fmt: skip


def block(head: str, inner: list[str]) -> list[str]:
    lines = [*head.split("\n"), *(f"    {line}" for each in inner for line in each.split("\n"))]
    return [*lines, "except ZeroDivisionError:", "    pass"] if head == "try:" else lines


lines = st.recursive(
    st.sampled_from(LINES),
    lambda inner: st.builds(block, st.sampled_from(BLOCKS), st.lists(inner, min_size=1, max_size=5)).map("\n".join),
    max_leaves=12,
)
scripts = st.lists(lines, max_size=12).map(lambda each: BEGIN + "\n".join(each) + "\n")


History = list[dict[str, str]]


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # scripts leave files open
@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.filter_too_much])
@example(BEGIN + "s = p.read_text()\ns = s.replace('x', 'xy')\np.write_text(s)\np.write_text(s.replace('of', 'x'))\n")
@example(BEGIN + "if len(s) > 6:\n    p = Path('b')\np.write_text('x')\n")
@given(scripts)
def test_what_is_told_of_a_script_is_so(script: str) -> None:
    assume(script.count("open(p, 'w')") < 2)  # what comes of a file that is opened twice nobody wants to know
    effects = effects_of_script(script)
    history = list[dict[str, str]]()
    with _somewhere():
        assume(_is_run(script, history))
    event(f"{len(effects)} told")
    for at, effect in enumerate(effects):
        assert _was_so(effect, effects[at:], history)


def _was_so(effect: Effect, rest: tuple[Effect, ...], history: History) -> bool:
    texts = [there.get(effect.path) for there in history]
    match effect:
        case Wrote():
            return effect.text in texts
        case Removed():
            return None in texts
        case Appended():
            return any(text is not None and text.endswith(effect.text) for text in texts)
        case Replaced():
            ends = [(text, text) for text in texts if text is not None]
            for each in rest:
                if not isinstance(each, Replaced) or each.path != effect.path:
                    break
                count = -1 if each.everywhere else 1
                ends = [(first, text.replace(each.old, each.new, count)) for first, text in ends]
                if any(text in texts for _, text in ends):
                    return True
            return False
        case _:
            return True


@contextmanager
def _somewhere() -> Iterator[None]:
    """In a folder with these files."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            Path("folder").mkdir()
            for path, text in BEFORE.items():
                Path(path).write_text(text)
            yield
        finally:
            os.chdir(before)


def _is_run(script: str, history: History) -> bool:
    """Whether it comes to its end. `history` gets what the files are before each of its lines, and at last."""
    known: dict[str, Any] = {"__name__": "__main__"}
    folder = Path.cwd()

    def look(frame: FrameType | None = None, what: str = "", _: object = None) -> Any:
        if frame is None or frame.f_code.co_filename == "script":
            found = (path for path in folder.rglob("*") if path.is_file())
            history.append({path.relative_to(folder).as_posix(): path.read_text() for path in found})
            return look
        return None

    before = sys.gettrace()
    try:
        with redirect_stdout(io.StringIO()):
            code = compile(script, "script", "exec")
            sys.settrace(look)
            exec(code, known)
    except SystemExit as end:
        return not end.code
    except Exception:
        return False
    finally:
        sys.settrace(before)
        for value in known.values():
            if isinstance(value, io.IOBase):
                value.close()
        known.clear()
        look()
    return True
