"""What is told of commands, case by case: reads, searches, writes, and where nothing can be told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.calls.commands import effects_of_command
from ccos_core.intake.calls.effects import (
    Appended,
    Changed,
    Effect,
    Hunk,
    Mixed,
    Moved,
    Patched,
    Removed,
    Shown,
    Uncertain,
    Wrote,
)
from ccos_core.intake.calls.files import Files
from tests.growth import assert_linear_cpu

pytestmark = pytest.mark.usefixtures("every_hit_counts")


def shown(path: str, text: str, first: int = 1, whole: bool = False, ends: bool = False) -> Shown:
    return Shown(path, text, first, whole, inferred=True, ends=ends)


def wrote(path: str, text: str) -> Wrote:
    return Wrote(path, text, inferred=True)


def changed(path: str) -> Changed:
    return Changed(path, inferred=True)


def doubted(path: str, holding: str = "", there: bool = True) -> Uncertain:
    return Uncertain(path, holding=holding, there=there, inferred=True)


def maybe(path: str) -> Uncertain:
    return Uncertain(path, inferred=True)


def like(pattern: str, holding: str = "") -> Uncertain:
    return Uncertain(pattern, pattern=True, holding=holding, inferred=True)


def mixed(path: str) -> Mixed:
    return Mixed(path, inferred=True)


TEN = "".join(f"line {at}\n" for at in range(1, 11))
NUMBERED = "".join(f"{at:6d}\tline {at}\n" for at in range(1, 11))

READS: list[tuple[str, str, list[Effect]]] = [
    ("cat a.py", TEN, [shown("a.py", TEN, whole=True)]),
    ("cat -- 'a b.py'", TEN, [shown("a b.py", TEN, whole=True)]),
    ("cat -n a.py", NUMBERED, [shown("a.py", TEN, whole=True)]),
    ("cat a.py | less", TEN, [shown("a.py", TEN, whole=True)]),
    ("less -R a.py", TEN, [shown("a.py", TEN, whole=True)]),
    ("bat -p a.py", TEN, [shown("a.py", TEN, whole=True)]),
    ("bat -pr 3:12 a.py", TEN, [shown("a.py", TEN, 3)]),
    ("sudo -u x env A=1 timeout 5s cat a.py", TEN, [shown("a.py", TEN, whole=True)]),
    ("bash -lc 'cd sub && cat a.py'", TEN, [shown("sub/a.py", TEN, whole=True)]),
    ("cd /src && cat a.py", TEN, [shown("/src/a.py", TEN, whole=True)]),
    ("cd sub; cat ../a.py ~/b.py", TEN, [mixed("sub/../a.py"), mixed("~/b.py")]),
    ("cd sub && cat ~/b.py", TEN, [shown("~/b.py", TEN, whole=True)]),
    ("(cd sub && cat x) && cat a.py", "", []),
    ('F=a.py; cat "$F"', TEN, [shown("a.py", TEN, whole=True)]),
    ("sed -n '3,12p' a.py", TEN, [shown("a.py", TEN, 3)]),
    ("sed -n '3,99p' a.py", TEN, [shown("a.py", TEN, 3, ends=True)]),
    ("sed -n '1,99p' a.py", TEN, [shown("a.py", TEN, whole=True)]),
    ("sed -n '1,10p' a.py", TEN, [shown("a.py", TEN)]),
    ("sed -n 7p a.py", "x\n", [shown("a.py", "x\n", 7)]),
    ("head a.py", TEN, [shown("a.py", TEN)]),
    ("head -n 20 a.py", TEN, [shown("a.py", TEN, whole=True)]),
    ("tail -n +40 a.py", TEN, [shown("a.py", TEN, 40, ends=True)]),
    ("nl -ba a.py | tail -n 3", "     8\tx\n     9\ty\n    10\tz\n", [shown("a.py", "x\ny\nz\n", 8)]),
    ("nl -ba a.py | sed -n '/x/p'", "     8\tx\n    10\txx\n", [shown("a.py", "x\n", 8), shown("a.py", "xx\n", 10)]),
    ("awk 'NR>=4 && NR<=5' a.py", "x\ny\n", [shown("a.py", "x\ny\n", 4)]),
    ("awk 'NR>3&&NR<6{print NR\": \"$0}' a.py", "4: x\n5:   y\n", [shown("a.py", "x\n  y\n", 4)]),
    ("sed -n '1,2p' a; sed -n '5,6p' b", "1\n2\n5\n6\n", [shown("a", "1\n2\n"), shown("b", "5\n6\n", 5)]),
    ("sed -n '1,2p' a; sed -n '1,9p' b", "1\n2\n5\n6\n", []),
    ("sed -n '1,9p' a; sed -n '1,2p' b", "1\n2\n3\n4\n", [shown("a", "1\n2\n")]),
    ("cat a; echo ----; cat b", "1\n----\n2\n", [shown("a", "1\n", whole=True), shown("b", "2\n", whole=True)]),
    ("cat a; echo ----; cat b", "1\n----\n2\n----\n", [shown("a", "1\n")]),
    ("cat a\necho '# b'\nhead -3 b", "1# b\n2\n", [shown("a", "1", whole=True), shown("b", "2\n", whole=True)]),
    ("pwd && cat a", "/x\n1\n", [shown("a", "1\n", whole=True)]),
    ("git status && cat a", "clean\n1\n", []),
    ("cat a; git status", "1\nclean\n", []),
    ("head -n 2 a b", "==> a <==\n1\n2\n\n==> b <==\n3\n", [shown("a", "1\n2\n"), shown("b", "3\n", whole=True)]),
    ("for f in a b; do echo \"== $f\"; cat $f; done", "== a\n1\n== b\n2\n",
     [shown("a", "1\n", whole=True), shown("b", "2\n", whole=True)]),
    ("cat a.py b.py", TEN, [mixed("a.py"), mixed("b.py")]),
    ("cat a.py b.py", "1\ncat: b.py: No such file or directory\n", [mixed("a.py")]),
    ("cat a.py b.py | head", TEN, []),
    ("f() { cat a.py; }; f", TEN, []),
    ("cat f 2>/dev/null || echo none", "none\n", []),
    ("if [ -f a ]; then sed -n '1,2p' a; else echo no; fi", "1\n2\n", [shown("a", "1\n2\n")]),
]  # fmt: skip

NOTHING = [
    ("cat a.py", "cat: a.py: No such file or directory\n"),
    ("cat a.py", "bash: line 1: cat: command not found\n"),
    ("sed -n '1,5p' a.py", "sed: can't read a.py: No such file or directory\n"),
    ("sed -n '1,5p' a.py", "/usr/bin/sed: a.py: Permission denied\n"),
    ("cd nowhere; cat a.py", "(eval):cd:1: no such file or directory: nowhere\nx\n"),
    ("cat < a.py", "zsh:1: no such file or directory: a.py\n"),
    ("cd nowhere; cat a.py", "bash: line 1: cd: nowhere: No such file or directory\nx\n"),
    ("cd $X && cat a.py", TEN),
    ("cd - && cat a.py", TEN),
    ("cat $X", TEN),
    ("cat *.py", TEN),
    ("cat $(find . -name a.py)", TEN),
    ("cat a.py | sort", TEN),
    ("cat -A a.py", TEN),
    ("nl a.py", NUMBERED),
    ("tail a.py", TEN),
    ("sed 's/x/y/' a.py", TEN),
    ("sed -n '/x/,/y/p' a.py", TEN),
    ("wc -l a.py", "10 a.py\n"),
    ("diff a.py b.py", "1c1\n"),
    ("cat a.py > b.py", ""),
    ("ssh host cat a.py", TEN),
    ("echo cat a.py", "cat a.py\n"),
    ('python -c \'open("x", "w")\'', ""),
    ("cat a.py & cat b.py", TEN),
    ("while read x; do cat a.py; done < b", TEN),
    ("cat 'a.py", TEN),
    ("grep -l x a.py", "a.py\n"),
    ("grep x a.py", "x\n"),
    ("grep -on x a.py", "1:x\n"),
    ("grep -n x a.py | cut -c1-3", "1:x\n"),
    ("cat a.py", ""),
]

SEARCHES: list[tuple[str, str, list[Effect]]] = [
    ("grep -n x a.py", "3:x\n4: x\n9:x:1\n", [shown("a.py", "x\n x\n", 3), shown("a.py", "x:1\n", 9)]),
    ("grep -nC1 x a.py", "2-a\n3:x\n4-b\n--\n8-c-1-\n9:x\n",
     [shown("a.py", "a\nx\nb\n", 2), shown("a.py", "c-1-\nx\n", 8)]),
    ("grep -rn x src | head -20", "src/a.py:3:x\nsrc/b.py:1:x\n",
     [shown("src/a.py", "x\n", 3), shown("src/b.py", "x\n")]),
    ("cd src && rg -n x", "a.py:3:x\n", [shown("src/a.py", "x\n", 3)]),
    ("rg -n -A1 x src", "src/a-1-b.py:3:x\nsrc/a-1-b.py-4-y\n", [shown("src/a-1-b.py", "x\ny\n", 3)]),
    ("rg -n x src/a.py", "3:x\n", [shown("src/a.py", "x\n", 3)]),
    ("rg -n x src/a.py", "src/a.py:3:x\n", [shown("src/a.py", "x\n", 3)]),
    ("git grep -n x -- src", "src/a.py:3:x\n", [shown("src/a.py", "x\n", 3)]),
    ("grep -n x *.py", "a.py:3:x\nBinary file b.py matches\n", [shown("a.py", "x\n", 3)]),
    ("grep -n x *.py", "3:x\n", []),
    ("cat a.py | grep -n x", "3:x\n", [shown("a.py", "x\n", 3)]),
    ("sed -n '11,20p' a.py | grep -n x", "3:x\n", [shown("a.py", "x\n", 13)]),
    ("nl -ba a.py | grep x", "     3\tx\n", [shown("a.py", "x\n", 3)]),
    ("grep -rn x . | grep -v test", "./a.py:3:x\n", [shown("./a.py", "x\n", 3)]),
    ("cat b; echo --; grep -n x a.py", "1\n--\n3:x\n", [shown("b", "1\n", whole=True), shown("a.py", "x\n", 3)]),
]  # fmt: skip

HUNK = Hunk(("x",), ("y",), 1)
DIFF = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n"
PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch\n"
WRITES: list[tuple[str, list[Effect]]] = [
    ("cat > a.py <<'EOF'\nx = $1\nEOF", [wrote("a.py", "x = $1\n")]),
    ("cat <<EOF >> a.py\nx\nEOF\n", [Appended("a.py", "x\n", inferred=True)]),
    ("cat > a.py <<EOF\n$x\nEOF\n", [changed("a.py")]),
    ("cd sub && cat > a.py <<'EOF' && python a.py\nx\nEOF\n", [wrote("sub/a.py", "x\n")]),
    ("echo a  'b c' > a.py", [wrote("a.py", "a b c\n")]),
    ("echo -n x >> a.py", [Appended("a.py", "x", inferred=True)]),
    ("echo 'a\\tb' > a.py", [changed("a.py")]),
    ("echo -e 'a\\tb' > a.py", [wrote("a.py", "a\tb\n")]),
    ("printf '%s=%d\\n' a 1 b 2 > a.py", [wrote("a.py", "a=1\nb=2\n")]),
    ("printf '100%%\\n' > a.py", [wrote("a.py", "100%\n")]),
    ("> a.py", [wrote("a.py", "")]),
    (": > a.py", [wrote("a.py", "")]),
    ("truncate -s 0 a.py", [wrote("a.py", "")]),
    ("cat <<'EOF' | sudo tee a.py b.py >/dev/null\nx\nEOF", [wrote("a.py", "x\n"), wrote("b.py", "x\n")]),
    ("echo x | tee -a a.py", [Appended("a.py", "x\n", inferred=True)]),
    ("make 2>&1 | tee a.log", [changed("a.log")]),
    ("make > a.log 2> b.log", [changed("a.log"), changed("b.log")]),
    ("make > /dev/null 2>&1", []),
    ("sort a > b", [changed("b")]),
    ("for f in a b; do echo x > $f.txt; done", [wrote("a.txt", "x\n"), wrote("b.txt", "x\n")]),
    ("rm -f a.py 'b c'", [Removed("a.py", inferred=True), Removed("b c", inferred=True)]),
    ("git rm -q a.py", [Removed("a.py", inferred=True)]),
    ("git rm --cached a.py", []),
    ("mv a.py b.py", [Moved("a.py", "b.py", inferred=True)]),
    ("git mv a.py sub/", [Moved("a.py", "sub/a.py", inferred=True)]),
    ("mv a.py b.py sub", [Moved("a.py", "sub/a.py", inferred=True), Moved("b.py", "sub/b.py", inferred=True)]),
    ("mv a.py sub", [Removed("a.py", inferred=True)]),
    ("cp a.py b.py", [Changed("b.py", inferred=True, like="a.py")]),
    ("cd sub && cp a.py b.py", [Changed("sub/b.py", inferred=True, like="sub/a.py")]),
    ("cp a.py b.py sub/", [Changed(f"sub/{name}.py", inferred=True, like=f"{name}.py") for name in "ab"]),
    ("cp a.py sub", []),
    ("cp src/*.py sub/", [maybe("sub/"), like("sub/*.py")]),
    ("mv a.py $X", [doubted("a.py")]),
    ("rm a.py *.o", [Removed("a.py", inferred=True), like("*.o")]),
    ("sed -i 's/a/b/' a.py b.py", [doubted("a.py", "a"), doubted("b.py", "a")]),
    ("sed -i '' -e 's/a/b/' a.py", [doubted("a.py", "a")]),
    ("sed -ni.bak 1p a.py", [doubted("a.py")]),
    ('sed -i "s/$x/b/" a.py b.py *.go', [doubted("a.py"), doubted("b.py"), like("*.go")]),
    ("sed -i 's/a.c/b/' a.py", [doubted("a.py")]),
    ("sed -i -e 's/a/b/' -e 1d a.py", [doubted("a.py")]),
    ("sed -i 's/a/b/;s/c/d/' a.py", [doubted("a.py")]),
    ("perl -pi -e 's/a/b/' a.py", [doubted("a.py")]),
    (
        "gofmt -w a.go src/*.go; gofmt a.go; prettier --write a.ts; ruff format a.py; ruff check a.py",
        [doubted("a.go"), like("src/*.go"), doubted("a.ts"), doubted("a.py")],
    ),
    ("for f in *.py src/b.py; do sed -i 's/a/b/' \"$f\"; done", [like("*.py", "a"), doubted("src/b.py", "a", True)]),
    ("for f in a b; do sed -i 's/a/b/' $f.py; done", [doubted("a.py", "a"), doubted("b.py", "a")]),
    ("for f in $(ls); do sed -i 's/a/b/' $f; done", [like("*", "a")]),
    ("for f in $(find src -name '*.py' | sort); do sed -i 's/a/b/' $f; done", [like("src/**/*.py", "a")]),
    ("while read -r f; do rm \"$f\"; done < <(git ls-files '*.md')", [like("**/*.md")]),
    ("for f in $(cat list); do sed -i 's/a/b/' $f; done", []),
    ("while read f; do echo x > log; done < list", [maybe("log")]),
    ("case $x in a) rm a.py;; esac", [maybe("a.py")]),
    ("fix() { sed -i 's/a/b/' $1; }; fix a.py; fix *.go", [doubted("a.py", "a"), like("*.go", "a")]),
    ("(cd sub && rm a.py) | tail -3", [Removed("sub/a.py", inferred=True)]),
    ("find src -name '*.py' -exec sed -i 's/a/b/' {} +", [like("src/**/*.py", "a")]),
    ("find . -type f -name '*.py' -not -name 'x*' -delete", [like("./**/*.py")]),
    ("cd sub && find . -name '*.py' | xargs rm", [like("sub/./**/*.py")]),
    ("grep -rl foo src | xargs sed -i 's/foo/bar/g'", [like("src", "foo"), like("src/**", "foo")]),
    ("rg -l foo | xargs -I{} sed -i 's/x.y/bar/g' {}", [like("**", "foo")]),
    ("git ls-files '*.py' | grep -v test | xargs -n 1 black", [like("**/*.py")]),
    ("echo a.py b.py | xargs rm", [like("a.py"), like("b.py")]),
    ("find . -name '*.py' | xargs grep x", []),
    ("make > $OUT; make > out.*", [like("out.*")]),
    ("git checkout -- a.py", [Changed("a.py", inferred=True, restored=True)]),
    ("git checkout main", []),
    ("git checkout a.py", []),
    ("git restore a.py", [Changed("a.py", inferred=True, restored=True)]),
    ("git restore --staged a.py", []),
    (f"apply_patch <<'EOF'\n{PATCH}EOF\n", [Patched("a.py", [Hunk(("x",), ("y",))], inferred=True)]),
    (f"cd sub && git apply <<'EOF'\n{DIFF}EOF\n", [Patched("sub/a.py", [HUNK], inferred=True)]),
    (f"patch -p1 <<'EOF'\n{DIFF}EOF\n", [Patched("a.py", [HUNK], inferred=True)]),
    (f"git apply --check <<'EOF'\n{DIFF}EOF\n", []),
    (f"git apply -R <<'EOF'\n{DIFF}EOF\n", [changed("a.py")]),
    ("touch a.py", []),
    ("test -f x || echo y > a.py", [maybe("a.py")]),
    ("test -f x && echo y > a.py; true", [maybe("a.py")]),
    ("if true; then echo y > a.py; fi", [maybe("a.py")]),
]


@pytest.mark.parametrize(("command", "output", "paths"), [
    ("git checkout a.py", "Updated 1 path from the index\n", ["a.py"]),
    ("git checkout a.py b.py", "Updated 2 paths from the index\n", ["a.py", "b.py"]),
    ("git checkout main a.py", "Updated 1 path from 3c1a7b\n", []),
    ("git checkout -q main", "Updated 2 paths from the index\n", []),
    ("git checkout a.py; git checkout b.py", "Updated 1 path from the index\nUpdated 1 path from the index\n", []),
    ("git checkout sub", "Updated 7 paths from the index\n", []),
])  # fmt: skip
def test_git_says_what_it_put_back(command: str, output: str, paths: list[str]) -> None:
    expected = [Changed(path, inferred=True, restored=True) for path in paths]
    assert effects_of_command(command, output, True) == expected


@pytest.mark.parametrize(("command", "output", "expected"), READS + SEARCHES)
def test_what_is_shown(command: str, output: str, expected: list[Effect]) -> None:
    assert effects_of_command(command, output, True) == expected


@pytest.mark.parametrize(("command", "output"), NOTHING)
def test_what_shows_nothing(command: str, output: str) -> None:
    assert [one for one in effects_of_command(command, output, None) if not isinstance(one, Changed)] == []


@pytest.mark.parametrize(("command", "expected"), WRITES)
def test_what_is_written(command: str, expected: list[Effect]) -> None:
    told = [replaced(effect) for effect in effects_of_command(command, "", True)]
    assert told == expected


def replaced(effect: Effect) -> Effect:
    """Hunks as a list, as the tables have them."""
    if isinstance(effect, Patched):
        return Patched(effect.path, list(effect.hunks), effect.before, effect.inferred)
    return effect


@pytest.mark.parametrize(
    ("command", "output", "succeeded", "expected"),
    [
        ("echo a > a && false", "", False, [wrote("a", "a\n")]),
        ("false && echo a > a", "", False, [maybe("a")]),
        ("make && echo a > a", "", None, [maybe("a")]),
        ("make; echo a > a", "", None, [wrote("a", "a\n")]),
        ("set -e; make; echo a > a", "", None, [maybe("a")]),
        ("set -e; make; echo a > a", "", True, [wrote("a", "a\n")]),
        ("exit 0; echo a > a", "", True, []),
        ("make || exit 1; echo a > a", "", True, [wrote("a", "a\n")]),
        ("make || exit 1; echo a > a", "", False, [maybe("a")]),
        ("rm a", "rm: cannot remove 'a': No such file or directory\n", False, []),
        ("rm a; rm b", "rm: cannot remove 'a': No such file or directory\n", True, [Removed("b", inferred=True)]),
        ("echo x > a/b; make", "(eval):1: no such file or directory: a/b\n", None, []),
        ("echo x > a/b; make", "bash: line 1: a/b: No such file or directory\n", None, []),
        (f"patch -p1 <<'E'\n{DIFF}E", "patching file a.py\nHunk #1 FAILED at 1.\n", False, []),
        (f"patch -p1 <<'E'\n{DIFF}E", "Hunk #1 succeeded at 5 (offset 4 lines).\n", True,
         [Patched("a.py", [Hunk(("x",), ("y",))], inferred=True)]),
        ("patch -p1 < x.patch", "patching file src/a.py\nHunk #1 succeeded at 9.\n", True, [changed("src/a.py")]),
        ("cat a.py", TEN, False, []),
        ("cat a.py", TEN, None, [shown("a.py", TEN, whole=True)]),
        ("grep -n x a.py b.py", "a.py:1:x\ngrep: b.py: No such file or directory\n", False, [shown("a.py", "x\n")]),
        ("sed -n '1,5p' a && echo -- && cat b", "1\n--\n2\n", None,
         [shown("a", "1\n", whole=True), shown("b", "2\n", whole=True)]),
    ],
)  # fmt: skip
def test_only_what_must_have_happened(
    command: str, output: str, succeeded: bool | None, expected: list[Effect]
) -> None:
    assert [replaced(effect) for effect in effects_of_command(command, output, succeeded)] == expected


@pytest.mark.parametrize(
    "mark",
    [
        "... 120 lines truncated ...",
        "[... omitted 12 of 40 lines ...]",
        "…1234 tokens truncated…",
        "… +22 lines",
        "[Output truncated]",
        "<response clipped>",
        "12345 characters elided",
        "Output too large (35.4KB). Full output saved to: /x",
    ],
)
def test_nothing_is_whole_before_a_mark(mark: str) -> None:
    output = f"1\n2\n3{mark}\n8\n9\n"
    assert effects_of_command("cat a.py", output, True) == [shown("a.py", "1\n2\n")]
    assert effects_of_command("sed -n '1,99p' a; sed -n '1,98p' b", output, True) == []


def test_what_a_host_says_in_front_is_not_the_files() -> None:
    output = (
        "Warning: truncated output (original token count: 15652)\nTotal output lines: 3\n\n1\n2…5 tokens truncated…\n"
    )
    assert effects_of_command("cat a.py", output, True) == [shown("a.py", "1\n")]


def test_of_an_output_that_was_put_elsewhere_the_beginning_counts() -> None:
    output = (
        "<persisted-output>\nOutput too large (29.9KB). Full output saved to: /x.txt\n\nPreview (first 2KB):\n"
        "1\n2\n3\n...\n</persisted-output>"
    )
    assert effects_of_command("cat a.py", output, True) == [shown("a.py", "1\n2\n")]


def test_a_shells_own_complaints_are_not_the_files() -> None:
    noise = "/opt/x/shellenv.sh: line 18: /bin/ps: Operation not permitted\n"
    assert effects_of_command("cat a.py", noise + TEN, True) == [shown("a.py", TEN, whole=True)]


def test_of_a_changed_file_only_that_is_recorded() -> None:
    files = Files()
    [told] = files.observed(Changed("a.py", inferred=True))
    assert told == {"kind": "seen", "how": "edit", "path": "a.py", "withheld": "unplaced", "inferred": True}
    list(files.observed(Shown("a.py", "x\ny\n", whole=True)))
    list(files.observed(Changed("a.py", inferred=True)))
    assert files.text("a.py") is None


@given(st.text(st.sampled_from("ab \n"), min_size=1, max_size=20), st.integers(1, 6))
def test_a_file_read_in_parts_up_to_its_end_is_known(text: str, size: int) -> None:
    lines = text.removesuffix("\n").split("\n")
    ended = [line + "\n" for line in lines]
    if not text.endswith("\n"):
        ended[-1] = lines[-1]
    files = Files()
    for first in range(1, len(lines) + 1, size):
        printed = "".join(ended[first - 1 : first - 1 + size])
        for effect in effects_of_command(f"sed -n '{first},{first + size - 1}p' a.py", printed, True):
            list(files.observed(effect))
    if len(lines) % size:  # the last part is short, so that the end was seen
        assert files.text("a.py") == text
    else:
        assert files.text("a.py") is None


COMMAND = st.lists(
    st.sampled_from([
                     "cat a",
                     "sed -n '1,3p' b", "head -2 c", "grep -n x d", "echo --", "rm a", "> b", "cat <<E\nx\nE\n",
                     "; ", " && ", " || ", " | ", "\n", "(", ")", "{ ", "; }", "if ", "; then ", "; fi", "$x", "'", '"',
                     "for f in a b; do ", "; done", "&", " 2>&1", "mv a b", "sed -i s/a/b/ c", "cd sub"])
    | st.text(max_size=5), max_size=12,
).map("".join)  # fmt: skip


@given(
    COMMAND,
    st.text(st.sampled_from("12:-x\n\t ab") | st.characters(), max_size=60),
    st.sampled_from([True, False, None]),
)
def test_whatever_is_run_and_printed_nothing_raises(command: str, output: str, succeeded: bool | None) -> None:
    for effect in effects_of_command(command, output, succeeded):
        assert effect.inferred
        if isinstance(effect, Shown):
            assert effect.text.removesuffix("\n").replace("\t", "") in output.replace("\t", "") or "\n" in effect.text


@pytest.mark.parametrize(
    ("command", "piece"),
    [
        ("; ".join(["cat a", "echo --", "sed -n '1,9p' b", "grep -n x c", "nl -ba d"] * 10), "--\n1\n"),
        ("grep -rnC3 x .", "a-b-1-c-2-"),
        ("grep -rnC3 x .", "a:1:b\na-2-\n"),
        ("cat a; echo ---; cat b", "-"),
        ("cat a; echo; cat b", "\n"),
    ],
)
def test_a_long_output_of_many_commands_is_read_in_one_pass(command: str, piece: str) -> None:
    assert_linear_cpu(lambda size: piece * size, lambda output: effects_of_command(command, output, True), 2_000)
