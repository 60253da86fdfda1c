"""Commands that change files in roundabout ways are really run: what changed is told, or known to be uncertain.

Bash is the oracle. A file that was known and isn't any more what it was is never missed, and what is
believed to be known of one is so.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from ccos_core.intake.calls.commands import effects_of_command
from ccos_core.intake.calls.effects import Shown
from ccos_core.intake.calls.files import Files
from ccos_core.intake.calls.shell import parse_line
from tests.core.intake.calls.test_commands_run import laid_out, run

TOOLS = ("bash", "sed", "find", "xargs", "grep", "tee")
pytestmark = pytest.mark.skipif(not all(map(shutil.which, TOOLS)), reason="a tool that is to be run isn't here")

FILES = {
    "a.py": "one\ntwo\n", "b.py": "two\nthree\n", "c.txt": "one\n", "sub/d.py": "three\none\n", "sub/e e.py": "two\n",
    "sub/deep/f.py": "one\n",
}  # fmt: skip

EDIT = st.sampled_from([
    "sed -i 's/one/1/' {}", "sed -i -e s/two/2/ {}", "sed -i '1d' {}", "sed -i.bak 's/t.o/2/' {}", "rm -f {}",
    "echo x >> {}", "echo new > {}", "tee {} < /dev/null > /dev/null", "cp c.txt {}", "truncate -s 0 {}", ": > {}",
    "perl -pi -e 's/three/3/' {}", "cat {} > /dev/null", "grep -q one {} && sed -i s/one/1/ {}",
    "sed -i 's/none/1/' {} || exit 3", "{{ echo y; cat {}; }} > tmp && mv tmp {}",
])  # fmt: skip
NAME = st.sampled_from(["a.py", "b.py", "c.txt", "sub/d.py", "'sub/e e.py'", "./a.py", "sub/deep/f.py", "gone.py"])
GLOB = st.sampled_from(["*.py", "sub/*.py", "*.{py,txt}", "[ab].py", "?.py", "sub/*/f.py", "a.py *.txt", "nothing*"])
PLAIN = st.builds(lambda edit, name: edit.format(name, name) if "{}" in edit else edit, EDIT, NAME)
AROUND = st.sampled_from([
    "for f in {glob}; do {edit}; done", "for f in {name} {glob}; do if [ -f \"$f\" ]; then {edit}; fi; done",
    "for f in $(ls); do {edit}; done", "f={name}; {edit}", "f={name}; if grep -q one $f; then {edit}; fi",
    "if true; then f={name}; {edit}; else f=b.py; {edit}; fi", "fix() {{ f=$1; {edit}; }}; fix {name}; fix {name2}",
    "fix() {{ sed -i s/one/1/ \"$@\"; }}; fix {glob}", "(cd sub; f=d.py; {edit})",
    "case {name} in *.py) f={name}; {edit};; esac",
    "find . -name '*.py' -exec sed -i 's/one/1/' {{}} +", "find sub -type f -exec sed -i '1d' {{}} \\;",
    "find . -name '*.py' | xargs -d '\\n' sed -i s/two/2/", "grep -rl one . | xargs sed -i 's/one/1/g'",
    "grep -rl one --include='*.py' . | grep -v sub | xargs rm -f", "find . -name 'd.*' -delete", "rm -f {glob}",
    "echo {name} | xargs sed -i s/one/1/", "ls {glob} | xargs -I% sed -i s/one/1/ %", "sed -i s/one/1/ {glob}",
    "find sub -name '*.py' | while read f; do {edit}; done", "f={name}; while true; do {edit}; break; done",
    "f={name}; {edit} | cat", "{{ f={name}; {edit}; }} 2>&1 | tail -2", "bash -c 'sed -i s/one/1/ a.py'",
    "f={name}; false || {edit}", "f={name}; true && {edit} && false", "f={name}; {edit} &\nwait",
    "cp *.txt sub/", "mv {name} moved.py", "mv sub/*.py .", "cat a.py b.py c.txt",
])  # fmt: skip


def around(way: str, edit: str, name: str, name2: str, glob: str) -> str:
    return way.format(edit=edit.format('"$f"', '"$f"'), name=name, name2=name2, glob=glob)


ROUNDABOUT = st.builds(around, AROUND, EDIT, NAME, NAME, GLOB)
COMMANDS = st.lists(
    st.tuples(PLAIN | ROUNDABOUT, st.sampled_from(["; ", "\n", " && ", " || "])), min_size=1, max_size=3
)


def left(folder: str) -> dict[str, str]:
    found = (path for path in Path(folder).rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text() for path in found}


def joined(steps: list[tuple[str, str]]) -> str:
    return "".join(step + joiner for step, joiner in steps[:-1]) + steps[-1][0]


@settings(max_examples=120, deadline=None)
@given(COMMANDS.map(joined))
@example("for f in *.py; do sed -i 's/one/1/' \"$f\"; done")
@example("ls a.py *.txt | xargs -I% sed -i s/one/1/ %")
@example("mv a.py b.py; sed -i s/one/1/ b.py")
@example("rm -f a.py; perl -pi -e 's/three/3/' a.py")
@example("rm -f a.py; grep -q one a.py && sed -i s/one/1/ a.py")
@example("grep -rl one --include='*.py' . | xargs rm -f\nfind . -name '*.py' -exec sed -i s/one/1/ {} + && cat a.py")
@example("true || fix() { echo x >> $1; }; fix b.py")
def test_no_change_of_a_known_file_is_missed(command: str) -> None:
    with TemporaryDirectory() as folder:
        laid_out({}, folder)
        for path, text in FILES.items():
            Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
            Path(folder, path).write_text(text)
        output, succeeded = run(command, folder)
        after = left(folder)
    if parse_line(command) is None:
        event("unreadable")
        return
    files = Files()
    for path, text in FILES.items():
        list(files.observed(Shown(path, text, whole=True)))
    effects = effects_of_command(command, output, succeeded, ".", files.text)
    told: dict[str, None] = {}
    for effect in effects:
        for seen in files.observed(effect):
            told |= dict.fromkeys([seen["path"], seen.get("to", seen["path"])])
    changed = [path for path, text in FILES.items() if after.get(path) != text]
    event(f"{len(changed)} changed")
    assert [path for path in changed if path not in told] == [], (effects, output)
    for path in FILES:  # what is believed to be known is so
        known = files.text(path)
        assert known is None or known == after.get(path), (path, effects, output)


def test_what_is_known_for_certain_stays_certain() -> None:
    """The law above doesn't pass by doubting everything."""
    files = Files()
    for path, text in FILES.items():
        list(files.observed(Shown(path, text, whole=True)))
    for command in (
        "sed -i s/three/3/ a.py",
        "for f in *.txt; do sed -i s/one/1/ $f; done",
        "grep -rl one . | xargs sed -i s/one/1/",
    ):
        for effect in effects_of_command(command, "", True, ".", files.text):
            list(files.observed(effect))
    known = [path for path in FILES if files.text(path) is not None]
    assert known == ["b.py", "sub/e e.py"], "those that hold none of what was replaced"
