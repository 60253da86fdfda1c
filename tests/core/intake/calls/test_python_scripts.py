"""What scripts of Python did to files."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ccos_core.intake.calls.commands import effects_of_command
from ccos_core.intake.calls.effects import Appended, Changed, Effect, Moved, Removed, Replaced, Wrote
from ccos_core.intake.calls.files import Files
from ccos_core.intake.calls.python_scripts import effects_of_script
from ccos_core.intake.calls.python_words import lines_of

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
    assert [each.path for each in found] == (["log", "q.py"] if ">" in command else [])


def test_what_stands_nowhere_is_not_replaced() -> None:
    files = Files()
    list(files.observed(Wrote("a", "one\n")))
    assert list(files.observed(Replaced("a", "two", "2", everywhere=True, inferred=True))) == []
    (edit,) = files.observed(Replaced("a", "one", "1", everywhere=True, inferred=True))
    assert edit["content"] == "1\n"


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
@example("p = 'aa'\n" + "p = p + p\n" * 60 + "Path('a').write_text(p)")
@example("p = 'aa'\n" + "p = p.replace('a', 'aaaaaaaaaa')\n" * 60 + "Path('a').write_text(p)")
def test_any_script_is_taken(script: str) -> None:
    for effect in effects_of_script(script):
        assert effect.path
    for line in lines_of(script):
        assert line.words


def test_a_script_that_is_too_long_has_no_lines() -> None:
    assert lines_of("x = 1\n" * 100_000) == []
