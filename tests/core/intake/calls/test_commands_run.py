"""Commands that are really run: what is told of the files they show and write is what the files hold."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from ccos_core.intake.calls.commands import effects_of_command
from ccos_core.intake.calls.effects import Appended, Changed, Effect, Moved, Removed, Shown, Uncertain, Wrote
from ccos_core.intake.calls.shell import parse_line

TOOLS = ("bash", "cat", "sed", "head", "tail", "nl", "grep", "awk", "tee")
pytestmark = [
    pytest.mark.usefixtures("every_hit_counts"),
    pytest.mark.skipif(not all(map(shutil.which, TOOLS)), reason="a tool that is to be run isn't here"),
]

LINE = st.text(st.sampled_from("ab \t:-=#12"), max_size=8) | st.sampled_from(
    ["", "--", "----", "cat: x", "1:a", "a-1-"]
)
FILE = st.builds(lambda lines, end: "\n".join(lines) + end, st.lists(LINE, max_size=14), st.sampled_from(["\n", ""]))
FILES = st.fixed_dictionaries({"a.py": FILE, "sub/b b.txt": FILE, "c.go": FILE})
PATH = st.sampled_from(["a.py", "sub/b b.txt", "c.go", "./a.py", "gone.py"])
FROM, MORE = st.integers(1, 12), st.integers(0, 9)


def q(path: str) -> str:
    return shlex.quote(path)


def ranged(path: str, first: int, more: int) -> list[str]:
    """Ways to be shown some lines."""
    last = first + more
    return [
        f"sed -n '{first},{last}p' {q(path)}",
        f"sed -n {first},+{more}p {q(path)}",
        f"sed -n '{first},$p' {q(path)}",
        f"sed -n '{first}p;{last + 2},{last + 4}p' {q(path)}",
        f"sed -n -e {first},{last}p {q(path)}",
        f"sed '1,{last}d' {q(path)}",
        f"sed {last}q {q(path)}",
        f"head -n {last} {q(path)}",
        f"head -{last} {q(path)}",
        f"head -n -{last} {q(path)}",
        f"head -c {7 * first} {q(path)}",
        f"tail -n +{first} {q(path)}",
        f"tail -n {last} {q(path)}",
        f"cat {q(path)} | head -n {last} | tail -n +{first}",
        f"cat -n {q(path)} | sed -n '{first},{last}p'",
        f"nl -ba {q(path)} | sed -n '{first},{last}p'",
        f"nl -b a {q(path)} | tail -n {last}",
        f"awk 'NR>={first} && NR<={last}' {q(path)}",
        f"awk 'NR=={first},NR=={last} {{print NR\": \"$0}}' {q(path)}",
        f"awk '{{printf \"%d: %s\\n\", NR, $0}}' < {q(path)}",
        f"cat {q(path)}",
        f"cat -n {q(path)}",
        f"cat < {q(path)}",
        f"bash -lc {q(f'cat {q(path)}')}",
        f"timeout 10 cat {q(path)}",
        f"grep -n a {q(path)}",
        f"grep -nC1 1 {q(path)}",
        f"sed -n '{first},{last}p' {q(path)} | grep -n a",
        f"nl -ba {q(path)} | grep a",
    ]


VIEW = st.builds(lambda path, first, more, at: (ways := ranged(path, first, more))[at % len(ways)], PATH, FROM, MORE,
                 st.integers(0, 100))  # fmt: skip
OTHER = st.sampled_from([
    "echo ---", "echo '=== next ==='", "printf '\\n-- %s --\\n' x", "cat a.py 'sub/b b.txt'", "head -n 2 a.py c.go",
    "tail -n +2 c.go a.py", "grep -rn a .", "grep -n 1 a.py c.go", "grep -rnA1 1 sub c.go", "ls", "wc -l a.py", "true",
    "cd sub && cat 'b b.txt' && cd ..", "(cd sub; cat 'b b.txt')", "cd gone.d", "false", "test -f a.py && cat a.py",
    "for f in a.py c.go; do echo \"# $f\"; head -n 3 $f; done", "rm -f none", "if [ -f a.py ]; then cat a.py; fi",
    "cat gone.py 2>/dev/null || echo none", "cat $HOME_OF_NOBODY/a.py",
])  # fmt: skip
JOINER = st.sampled_from(["; ", " && ", "\n", " || "])
COMMANDS = st.lists(st.tuples(VIEW | OTHER, JOINER), min_size=1, max_size=4).map(
    lambda steps: "".join(step + joiner for step, joiner in steps[:-1]) + steps[-1][0]
)


def run(command: str, folder: str) -> tuple[str, bool]:
    told = subprocess.run(["bash", "-c", command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return told.stdout.decode(), told.returncode == 0


def laid_out(files: dict[str, str], folder: str) -> None:
    for path, text in files.items():
        Path(folder, path).parent.mkdir(exist_ok=True)
        Path(folder, path).write_text(text)


def agrees(effect: Shown, folder: str) -> bool:
    """Whether the file holds what was told to be shown of it."""
    held = Path(folder, effect.path).read_text()
    if effect.whole:
        return effect.text in (held, held + "\n")
    lines = held.split("\n")
    shown = effect.text.removesuffix("\n").split("\n")
    return lines[effect.first - 1 : effect.first - 1 + len(shown)] == shown


def told(command: str, files: dict[str, str], known: bool) -> tuple[list[Effect], Sequence[bool]]:
    with TemporaryDirectory() as folder:
        laid_out(files, folder)
        output, succeeded = run(command, folder)
        effects = effects_of_command(command, output, succeeded if known else None)
        return effects, [agrees(effect, folder) for effect in effects if isinstance(effect, Shown)]


@settings(max_examples=150, deadline=None)
@given(VIEW, FILES, st.booleans())
def test_a_view_tells_what_the_file_holds(command: str, files: dict[str, str], known: bool) -> None:
    effects, right = told(command, files, known)
    assert all(right), effects
    assert all(isinstance(effect, Shown) and effect.inferred for effect in effects)


@settings(max_examples=150, deadline=None)
@given(COMMANDS, FILES, st.booleans())
def test_several_are_told_apart_or_not_at_all(command: str, files: dict[str, str], known: bool) -> None:
    effects, right = told(command, files, known)
    assert all(right), effects


@pytest.mark.parametrize("command", ranged("a.py", 2, 2))
def test_every_way_shows_something(command: str) -> None:
    """No way passes the law above by telling nothing."""
    text = "".join(f"{'a1'[at % 2]} line {at}\n" for at in range(1, 30))
    effects, right = told(command, {"a.py": text, "sub/x": ""}, True)
    if command.startswith("tail -n 4"):  # of what line these are nobody can say
        assert effects == []
    else:
        assert effects
        assert all(right)


CONTENT = st.text(st.sampled_from("ab '\"\\$`%\n\t-#"), max_size=20)


@settings(max_examples=60, deadline=None)
@example("", "-$$", "bare")
@example("", "-$[1]", "bare")
@given(CONTENT, CONTENT, st.sampled_from(["quoted", "bare", "echo", "printf", "tee", "string", "append"]))
def test_what_is_written_is_told(before: str, content: str, way: str) -> None:
    body = "".join(line + "\n" for line in content.split("\n") if line != "EOF")
    command = {
        "quoted": f"cat > f <<'EOF'\n{body}EOF\n",
        "bare": f"cat <<EOF >f\n{body}EOF",
        "echo": f"echo {q(content)} > f",
        "printf": f"printf '%s-%s\\n' {q(content)} x > f",
        "tee": f"cat <<'EOF' | tee f > /dev/null\n{body}EOF\n",
        "string": f"cat <<< {q(content)} > f",
        "append": f"cat >> f <<'EOF'\n{body}EOF\n",
    }[way]
    with TemporaryDirectory() as folder:
        laid_out({"f": before}, folder)
        output, succeeded = run(command, folder)
        after = Path(folder, "f").read_text()
        effects = effects_of_command(command, output, succeeded)
        if not succeeded or (way == "bare" and body.endswith("\\\n")):  # its end is no end then
            return
        event("read" if parse_line(command) is not None else "unreadable")
        if parse_line(command) is None:  # a `$` alone, a backslash in front: the grammar takes them for errors
            assert any(mark in content for mark in "$`\\")
            return
        assert len(effects) == 1
        match effects[0]:
            case Wrote(text=text):
                assert text == after
            case Appended(text=text):
                assert before + text == after
            case other:
                assert isinstance(other, Changed)
                assert any(mark in content for mark in "$`\\")


@pytest.mark.parametrize(
    ("command", "gone", "changed"),
    [
        ("rm a.py", ["a.py"], []),
        ("rm -rf sub a.py", ["sub", "a.py"], []),
        ("mv a.py b.py && sed -i s/a/b/ b.py", ["a.py"], ["b.py"]),
        ("cp a.py b.py", [], ["b.py"]),
        ("cp a.py sub/", [], ["sub/a.py"]),
        ("sed -i.bak -e s/a/b/ a.py", [], ["a.py"]),
        ("rm a.py; rm gone.py", ["a.py"], []),
        ("rm gone.py; mv gone.py x.py", [], []),
        ("rm *.py", [], ["*.py"]),
        ("sed s/a/b/ a.py > c.txt", [], ["c.txt"]),
        ("false && rm a.py", [], ["a.py"]),
        ("false || rm a.py", [], ["a.py"]),
        ("cd sub && rm x", ["sub/x"], []),
        ("cd gone; rm a.py", [], ["**/a.py"]),
    ],
)
def test_what_is_done_to_files(command: str, gone: list[str], changed: list[str]) -> None:
    with TemporaryDirectory() as folder:
        laid_out({"a.py": "a\n", "sub/x": "x\n"}, folder)
        output, succeeded = run(command, folder)
        effects = effects_of_command(command, output, succeeded)
        went = [effect.path for effect in effects if isinstance(effect, (Removed, Moved))]
        assert went == gone
        assert [effect.path for effect in effects if isinstance(effect, (Changed, Uncertain))] == changed
        assert not any(Path(folder, path).exists() for path in went)
