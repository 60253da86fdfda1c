"""What scripts of Python did to files."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ccos_core.intake.calls import python_scripts
from ccos_core.intake.calls.commands import effects_of_command
from ccos_core.intake.calls.effects import Appended, Changed, Effect, Moved, Removed, Replaced, Uncertain, Wrote
from ccos_core.intake.calls.files import Files
from ccos_core.intake.calls.python_scripts import effects_of_script

REPLACES = '''\
from pathlib import Path

p = Path("src/a.py")
text = p.read_text()
old = """def total():
    return 1
"""
new = """def total():
    return 2
"""
assert old in text, "nothing to do"
text = text.replace(old, new).replace("x\\n", 'y')
text = text.replace("once", "1", 1)
p.write_text(text)
print("done")
'''


@pytest.mark.parametrize(
    ("script", "effects"),
    [
        (
            REPLACES,
            [
                Replaced("src/a.py", "def total():\n    return 1\n", "def total():\n    return 2\n", everywhere=True),
                Replaced("src/a.py", "x\n", "y", everywhere=True),
                Replaced("src/a.py", "once", "1"),
            ],
        ),
        ("p = Path('a'); s = p.read_text(); p.write_text(s.replace('b', 'c'))", [Replaced("a", "b", "c", True)]),
        ("s = open('a').read()\nopen('a', 'w').write(s.replace('b', 'c'))", [Replaced("a", "b", "c", True)]),
        ("with open('a') as f:\n  s = f.read()\nwith open('a', 'w') as f:\n  f.write(s)", []),
        ("with open('a') as f:\n  s = f.read()\nwith open('b', 'w') as f:\n  f.write(s)", [Changed("b")]),
        ("s = re.sub('a', 'b', open('a').read())\nopen('a', mode='w').write(s)", [Changed("a")]),
        ("s = open('a').read()\nif 'b' in s:\n  s = s.replace('b', 'c')\nopen('a', 'w').write(s)", [Changed("a")]),
        ("s = open('a').read()\ns += 'more'\nopen('a', 'w').write(s)", [Changed("a")]),
        ("lines = open('a').readlines()\nlines.insert(1, 'x')\nopen('a', 'w').writelines(lines)", [Changed("a")]),
        ("with open('a', 'w') as f:\n    f.write('one\\n')\n    f.write('two' + '\\n')", [Wrote("a", "one\ntwo\n")]),
        ("with open('a', 'w') as f:\n    for x in y:\n        f.write('x')", [Changed("a")]),
        ("with open('a', 'w') as f:\n    print('x', file=f)", [Changed("a")]),
        ("with open('a', 'w') as f, open('b') as g:\n    json.dump({}, f)", [Changed("a")]),
        ("f = open('a', 'a', encoding='utf-8')\nf.write('x')\nf.close()", [Appended("a", "x")]),
        ("open('a', 'r+').write('x')\nopen('b', 'wb').write(b'x')", [Changed("a"), Changed("b")]),
        ("(Path('pkg') / 'sub' / \"a.py\").write_text(r'\\n')", [Wrote("pkg/sub/a.py", "\\n")]),
        ("Path('a').write_text(f'{x}')\nPath('b').write_text(f'{{}}')", [Changed("a"), Wrote("b", "{}")]),
        ("Path('a').write_text(\"\"\"\\\none\n\"\"\".strip())", [Changed("a")]),
        ("os.remove('a')\nos.rename('b', 'c')\nPath('d').unlink()", [Removed("a"), Moved("b", "c"), Removed("d")]),
        ("shutil.copy('a', os.path.join('b', 'c.py'))", [Changed("b/c.py", like="a")]),
        ("if p.exists():\n    Path('a').unlink()\n    Path('b').write_text('x')\nPath('c').write_text('y')",
         [Changed("b"), Wrote("c", "y")]),
        ("def main():\n  Path('a').write_text('x')\nif __name__ == '__main__':\n  main()\n  Path('b').write_text('y')",
         [Changed("a"), Wrote("b", "y")]),
        ("os.chdir('/tmp')\nPath('a').write_text('x')\nPath('/b').write_text('y')", [Wrote("/b", "y")]),
        ("a, p = 1, 2\nPath(p).write_text('x')\np.replace('a', 'b')", []),
        ("print(open('a').read())\nfor p in Path('.').glob('*'):\n    p.write_text('x')", []),
        ("Path('a').write_text('torn", []),
        ("", []),
    ],
)  # fmt: skip
def test_what_a_script_did(script: str, effects: list[Effect]) -> None:
    assert effects_of_script(script) == tuple(effects)


WRITES = "open('q.py', 'w').write('hi')\n"


@pytest.mark.parametrize(
    "command",
    [
        f"python - <<'PY'\n{WRITES}PY",
        f"cd sub && python3 <<'PY'\n{WRITES}PY",
        "python3.12 -u -c \"open('q.py', 'w').write('hi')\"",
        f"cat > fix.py <<'PY'\n{WRITES}PY\npython fix.py",
        f"cat > /tmp/fix.py <<'PY'\n{WRITES}PY\npython /tmp/fix.py && rm /tmp/fix.py",
    ],
)
def test_scripts_are_run_in_many_ways(command: str) -> None:
    found = [each for each in effects_of_command(command, "", True, "/w") if each.path.endswith("q.py")]
    assert found == [Wrote("sub/q.py" if "cd sub" in command else "q.py", "hi", inferred=True)]


def test_a_script_that_was_written_before() -> None:
    texts = {"fix.py": WRITES}
    (found,) = effects_of_command("python fix.py", "", True, ".", texts.get)
    assert found == Wrote("q.py", "hi", inferred=True)
    changed = "echo 'x = 1' > fix.py; python fix.py"
    assert [each.path for each in effects_of_command(changed, "", True, ".", texts.get)] == ["fix.py"]


@pytest.mark.parametrize(
    ("command", "output", "succeeded"),
    [
        ("python fix.py", "Traceback (most recent call last):\n  ...\n", None),
        ("python fix.py", "", False),
        ("python -m fix.py", "", True),
        ("false && python fix.py", "", None),
        ("python $SCRIPT", "", True),
        ("python fix.py > log", "", True),
    ],
)
def test_a_script_that_may_not_have_come_to_its_end_did_nothing_sure(
    command: str, output: str, succeeded: bool | None
) -> None:
    found = effects_of_command(command, output, succeeded, ".", {"fix.py": WRITES}.get)
    certain = [each.path for each in found if not isinstance(each, Uncertain)]
    assert certain == (["log", "q.py"] if ">" in command else [])


def test_what_stands_nowhere_is_not_replaced() -> None:
    files = Files()
    list(files.observed(Wrote("a", "one\n")))
    assert list(files.observed(Replaced("a", "two", "2", everywhere=True, inferred=True))) == []
    (edit,) = files.observed(Replaced("a", "one", "1", everywhere=True, inferred=True))
    assert edit["content"] == "1\n"


@pytest.mark.parametrize(
    ("script", "effects"),
    [
        ("p = Path('a')\nif c:\n    p = Path('b')\np.write_text('x')", []),
        ("p = Path('a')\nif c: pass\nelse: p = Path('b')\np.write_text('x')", []),
        ("p = Path('a')\nfor p in ps:\n    p.write_text('x')\np.write_text('x')", []),
        ("p = Path('a')\nx = [p.write_text('x') for p in ps]\np.write_text('y')", [Wrote("a", "y")]),
        ("p = Path('a')\ndef save(p, s):\n    p.write_text(s)\nsave(Path('b'), 'x')\np.write_text('y')",
         [Wrote("a", "y")]),
        ("p = Path('a')\np /= 'b'\np.write_text('x')", []),
        ("p = Path('a')\np.parent.joinpath('b').write_text('x')\nPath(p.name.replace('a', 'b')).write_text('x')", []),
        ("p = Path('./a/b.py')\nPath(str(p).replace('b.', 'c.')).write_text('x')", [Wrote("a/c.py", "x")]),
        ("p = q = Path('a')\nq = Path('b')\nPath(p, '/c').write_text('x')", [Wrote("/c", "x")]),
        ("import a as p\np = Path('a')\nimport b as p\np.write_text('x')", []),
    ],
)  # fmt: skip
def test_no_path_is_made_up(script: str, effects: list[Effect]) -> None:
    assert effects_of_script(script) == tuple(effects)


@pytest.mark.parametrize(
    "script",
    [
        "s = 'x'\nt = s if c else s.replace('x', 'y')\nPath('a').write_text(t)",
        "s = 'x%s'\ns %= 3\nPath('a').write_text(s)",
        "s = 'x'\nif (s := 'y'): pass\nPath('a').write_text(s)",
        "s = 'b'.replace('b', 'c', count=0)\nPath('a').write_text(s)",
        "s = 'x'\ndef f():\n    global s\n    s = 'y'\ns = 'z'\nf()\nPath('a').write_text(s)",
        "with open('a') as f:\n    f.readline()\n    s = f.read()\nopen('a', 'w').write(s)",
        "with open('a') as f: f.readline(); s = f.read()\nopen('a', 'w').write(s)",
        "s = open('a').read(10)\nopen('a', 'w').write(s)",
        "s = open('a', errors='ignore').read()\nopen('a', 'w').write(s)",
        "s = open('a').read().replace('a', 'b', 2)\nopen('a', 'w').write(s)",
        "open('a', 'w').write(open('a').read().replace('b', 'c'))",
        "f = open('a', 'w')\nf.write('abc')\nf.seek(0)\nf.write('x')",
        "f = open('a', 'w')\nwrite = f.write\nf.write('x')\nwrite('y')",
        "f = open('a', 'w')\nsys.stdout = f\nf.write('x')\nprint('y')",
        "def emit(s):\n    out.write(s)\nout = open('a', 'w')\nout.write('x')\nemit('y')",
        "open('a', 'w', newline='\\r\\n').write('x\\n')",
        "Path('a').write_text('x', encoding='utf-16')",
        "codecs.open('a', 'w', 'latin-1').write('x')",
        "Path('a').write_text('\\ud800')",
        "if c: print(1); Path('a').write_text('x')",
        "Path('a').write_text('x') if c else None",
        "c and Path('a').write_text('x')",
        "if os.path.exists('b'):\n    sys.exit()\nPath('a').write_text('x')",
        "if __name__ == '__main__' and c:\n    Path('a').write_text('x')",
        "with suppress(OSError):\n    Path('a').write_text('x')",
    ],
)
def test_no_text_is_made_up(script: str) -> None:
    assert effects_of_script(script) == (Changed("a"),)


@pytest.mark.parametrize(
    "script",
    [
        "x = lambda: Path('a').write_text('x')",
        "c and Path('a').unlink()",
        "sys.exit()\nPath('a').write_text('x')",
        "raise SystemExit\nPath('a').write_text('x')",
        "def never():\n    Path('a').write_text('x')",
        "with contextlib.chdir('b'):\n    Path('a').write_text('x')",
        "def f():\n    Path('a').write_text('x')\ndef main():\n    os.chdir('b')\n    f()\nmain()",
        "gzip.open('a', 'wt').write('x')",
        "client().open('a', 'w').write('x')",
        "from codecs import open\nopen('a', 'w', 'latin-1').write('x')",
        "from elsewhere import Path\nPath('a').write_text('x')",
        "os.rename('a', 'a')\nshutil.move('a', 'a')",
    ],
)
def test_no_write_is_made_up(script: str) -> None:
    assert effects_of_script(script) == ()


def test_what_was_written_already_is_not_replaced_again() -> None:
    script = "s = p.read_text().replace('b', 'bb')\np.write_text(s)\np.write_text(s.replace('c', 'd'))"
    once = [Replaced("a", "b", "bb", True), Replaced("a", "c", "d", True)]
    assert effects_of_script(f"p = Path('a')\n{script}") == tuple(once)
    stale = "p = Path('a')\ns, t = 1, 2\ns = p.read_text()\nt = p.read_text()\np.write_text(s.replace('b', 'c'))"
    assert effects_of_script(f"{stale}\np.write_text(t.replace('d', 'e'))") == (
        Replaced("a", "b", "c", True),
        Changed("a"),
    )


def test_a_path_that_may_be_a_folder_is_none() -> None:
    script = "shutil.move('a', 'b')\nshutil.copy('c', 'd')\nPath('e').rename('f').write_text('x')"
    assert effects_of_script(script) == (Removed("a"), Moved("e", "f"), Wrote("f", "x"))


def test_an_exit_that_fails_is_not_taken_by_who_succeeds() -> None:
    script = "if c:\n    sys.exit('no')\nPath('a').write_text('x')"
    assert effects_of_script(script, well=True) == (Wrote("a", "x"),)
    assert effects_of_script(script, well=False) == (Changed("a"),)


def test_a_script_with_other_ends_of_lines_means_the_same() -> None:
    script = "Path('a').write_text('''b\nc''')\nif x:\n    Path('b').write_text('y')\n"
    assert effects_of_script(script.replace("\n", "\r\n")) == effects_of_script(script)


@pytest.mark.parametrize(
    "output",
    [
        "bash: python: command not found\n",
        "sh: 1: python: not found\n",
        "zsh: command not found: python\n",
        "Python was not found; run without arguments to install\n",
        "python: can't open file '/w/fix.py': [Errno 2] No such file or directory\n",
        '  File "fix.py", line 1\n    x y\nSyntaxError: invalid syntax\n',
        "AssertionError\n",
        "json.decoder.JSONDecodeError: Expecting value\n",
    ],
)
def test_what_says_that_no_script_was_run_to_its_end(output: str) -> None:
    lying = {"fix.py": WRITES}.get
    assert effects_of_command("python fix.py 2>&1 | tail -1", output, True, ".", lying) == []
    assert effects_of_command("python fix.py; true", output, None, ".", lying) == []


def test_a_script_is_the_one_that_was_moved_there() -> None:
    texts = {"a.py": WRITES, "fix.py": "open('old.py', 'w').write('x')"}
    found = effects_of_command("mv a.py fix.py && python fix.py", "", True, ".", texts.get)
    assert [each.path for each in found] == ["a.py", "q.py"]


def test_a_file_with_other_ends_of_lines_is_not_what_it_was() -> None:
    files = Files()
    list(files.observed(Wrote("a", "one\r\ntwo\r\n")))
    (edit,) = files.observed(Replaced("a", "one\n", "1\n", everywhere=True, inferred=True))
    assert edit["inferred"] is True
    list(files.observed(Wrote("b", "one\n")))
    assert list(files.observed(Replaced("b", "two", "2", inferred=True))) == []


PIECES = [
    "Path('a')", ".write_text(", "open('b', 'w')", ".write(", "'x'", '"""', "\n", "  ", "p", " = ", "(", ")", "with ",
    " as f:", "if x:", "f'{y}'", "\\", "/", "+", ",", ".replace('a', 'b')", ".read()", "[", "]", ";", "#", "b''",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
@example("(" * 5_000)
@example("Path('a')" + ".replace('a', 'b')" * 500)
@example("x = " + "[" * 300 + "]" * 300)
@example("'" * 1_001)
@example("/")
@example(
    "t = '" + "a" * 99 + "'\n" + "t = t + t\n" * 12 + "p = Path('a')\n" + "p = p / t\n" * 1_000 + "p.write_text(t)"
)
@example("t = '" + "a" * 99 + "'\n" + "t = t + t\n" * 12 + "t.replace('a', 'b')\n" * 1_000)
@example("x = [p for p in q]\n" * 1_000 + "Path('a').write_text(x)")
@example("if x:" * 1_000 + "Path('a').write_text(x)")
@example("x = " * 10_000 + "Path('a').write_text(x)")
@example("".join(f"{' ' * at}if x:\n" for at in range(200)) + "Path('a').write_text(x)")
@example("p = 'aa'\n" + "p = p + p\n" * 60 + "Path('a').write_text(p)")
@example("p = 'aa'\n" + "p = p.replace('a', 'aaaaaaaaaa')\n" * 60 + "Path('a').write_text(p)")
def test_any_script_is_taken(script: str) -> None:
    for effect in effects_of_script(script):
        assert effect.path


@pytest.mark.parametrize("more", ["x = 1\n" * 100_000, "x = " + "(" * 500 + "1" + ")" * 500, "x = '\0'", "x = = 1"])
def test_a_script_that_cannot_be_read_has_no_effects(more: str) -> None:
    assert effects_of_script(f"Path('a').write_text('x')\n{more}") == ()


def test_without_the_grammar_a_script_has_no_effects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_scripts, "_parser", lambda: None)
    effects_of_script.cache_clear()
    assert effects_of_script(REPLACES) == ()
    effects_of_script.cache_clear()
