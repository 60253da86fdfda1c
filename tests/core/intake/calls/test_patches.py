"""What patches say was done to files; applied, they make what they were made from."""

import difflib
import string
import textwrap

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.calls.effects import Changed, Effect, Hunk, Moved, Patched, Removed, Wrote
from ccos_core.intake.calls.patches import parse_diff, parse_hunks, parse_patch


def patch(text: str) -> list[Effect]:
    return parse_patch(textwrap.dedent(text))


def diff(text: str) -> list[Effect]:
    return parse_diff(textwrap.dedent(text))


def test_every_section_of_an_envelope() -> None:
    assert patch("""\
        *** Begin Patch
        *** Add File: src/new.py
        +import os
        +
        +x = 1
        *** Update File: src/api.py
        *** Move to: src/server.py
        @@ class Api:
        @@     def get(self):
                 a = 1
        -        b = 2
        +        b = 3
                 c = 4
        *** Delete File: old file.py
        *** End Patch
        """) == [
        Wrote("src/new.py", "import os\n\nx = 1\n"),
        Patched(
            "src/api.py",
            (
                Hunk(
                    ("        a = 1", "        b = 2", "        c = 4"),
                    ("        a = 1", "        b = 3", "        c = 4"),
                    beside=("class Api:", "    def get(self):"),
                ),
            ),
        ),
        Moved("src/api.py", "src/server.py"),
        Removed("old file.py"),
    ]


def test_several_places_and_the_end_of_a_file() -> None:
    assert patch("""\
        *** Begin Patch
        *** Update File: a.py
        @@
        -one
        +ONE
        @@ def f():
         x
        +y
        *** End of File
        *** End Patch
        """) == [
        Patched("a.py", (Hunk(("one",), ("ONE",)), Hunk(("x",), ("x", "y"), beside=("def f():",), at_end=True))),
    ]


def test_what_agents_get_wrong() -> None:
    assert patch("*** Update File: a\n-x\n+y\n") == [Patched("a", (Hunk(("x",), ("y",)),))]
    torn = "*** Begin Patch\n*** Update File: a\n@@\n a\n\n-b\n+c\n"
    assert patch(torn) == [Patched("a", (Hunk(("a", "", "b"), ("a", "", "c")),))]
    numbered = "*** Update File: a\n@@ -3,1 +3,1 @@ def f():\n-x\n+y\n@@ @@\n-p\n+q\n"
    assert patch(numbered) == [
        Patched("a", (Hunk(("x",), ("y",), beside=("def f():",)), Hunk(("p",), ("q",)))),
    ]
    shell = "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF\n"
    assert patch(shell) == [Removed("a")]
    assert patch("*** Begin Patch\r\n*** Update File: a\r\n-x\r\n+y\r\n*** End Patch\r\n") == [
        Patched("a", (Hunk(("x",), ("y",)),)),
    ]


def test_a_header_inside_of_a_file_is_a_line_of_it() -> None:
    added = "*** Begin Patch\n*** Add File: a\n+*** Delete File: b\n+*** End Patch\n*** End Patch\n"
    assert patch(added) == [Wrote("a", "*** Delete File: b\n*** End Patch\n")]
    updated = "*** Update File: a\n *** Delete File: b\n-x\n+y\n"
    assert patch(updated) == [Patched("a", (Hunk(("*** Delete File: b", "x"), ("*** Delete File: b", "y")),))]


def test_what_cannot_be_read_says_only_that_the_file_changed() -> None:
    assert patch("*** Update File: a\n@@\n-x\nno mark\n+y\n*** Delete File: b\n") == [Changed("a"), Removed("b")]
    assert patch("*** Add File: a\nno mark\n") == [Changed("a")]
    assert patch("*** Update File: a\n*** Update File: b\n*** Add File: \n") == []
    assert patch("nothing of the kind") == patch("") == []


def test_a_diff_of_git() -> None:
    assert diff("""\
        diff --git a/src/a.py b/src/a.py
        index 1234567..89abcde 100644
        --- a/src/a.py
        +++ b/src/a.py
        @@ -10,3 +10,3 @@ def f():
         x
        --- y
        +++ z
         w
        @@ -20,0 +21,2 @@
        +p
        +q
        diff --git a/new.py b/new.py
        new file mode 100644
        index 0000000..1111111
        --- /dev/null
        +++ b/new.py
        @@ -0,0 +1,2 @@
        +one
        +two
        \\ No newline at end of file
        diff --git a/gone.py b/gone.py
        deleted file mode 100644
        --- a/gone.py
        +++ /dev/null
        @@ -1 +0,0 @@
        -one
        diff --git a/old name.py b/new name.py
        similarity index 90%
        rename from old name.py
        rename to new name.py
        --- a/old name.py
        +++ b/new name.py
        @@ -1 +1 @@
        -one
        +two
        """) == [
        Patched("src/a.py", (Hunk(("x", "-- y", "w"), ("x", "++ z", "w"), 10), Hunk((), ("p", "q"), 21))),
        Wrote("new.py", "one\ntwo", before=""),
        Removed("gone.py"),
        Patched("old name.py", (Hunk(("one",), ("two",), 1),)),
        Moved("old name.py", "new name.py"),
    ]


def test_a_diff_of_git_without_lines() -> None:
    assert diff("""\
        diff --git a/empty.py b/empty.py
        new file mode 100644
        index 0000000..e69de29
        diff --git a/run.sh b/run.sh
        old mode 100644
        new mode 100755
        diff --git a/was.py b/is.py
        similarity index 100%
        rename from was.py
        rename to is.py
        diff --git a/nothing.py b/nothing.py
        deleted file mode 100644
        index e69de29..0000000
        diff --git a/logo.png b/logo.png
        index 1234567..89abcde 100644
        Binary files a/logo.png and b/logo.png differ
        """) == [Wrote("empty.py", "", before=""), Moved("was.py", "is.py"), Removed("nothing.py"), Changed("logo.png")]


def test_paths_as_others_write_them() -> None:
    dated = "--- src/a.py\t2026-01-01 10:00:00\n+++ src/a.py\t2026-01-01 10:01:00\n@@ -1 +1 @@\n-x\n+y\n"
    assert parse_diff(dated) == [Patched("src/a.py", (Hunk(("x",), ("y",), 1),))]
    indexed = "Index: /w/a.py\n=====\n--- /w/a.py\n+++ /w/a.py\n@@ -1,1 +1,1 @@\n-x\n+y\n"
    assert parse_diff(indexed) == [Patched("/w/a.py", (Hunk(("x",), ("y",), 1),))]
    names = '"a/\\303\\244.py"', '"b/\\303\\244.py"'
    quoted = "diff --git {0} {1}\n--- {0}\n+++ {1}\n@@ -1 +1 @@\n-x\n+y\n".format(*names)
    assert parse_diff(quoted) == [Patched("ä.py", (Hunk(("x",), ("y",), 1),))]
    assert parse_diff("--- a/b.py\n+++ a/b.py\n@@ -1 +1 @@\n-x\n+y\n") == [
        Patched("a/b.py", (Hunk(("x",), ("y",), 1),))
    ]


def test_newlines_at_the_end_that_come_and_go() -> None:
    head = "--- a/x\n+++ b/x\n"
    open_end = "\\ No newline at end of file\n"
    gained = parse_diff(f"{head}@@ -1 +1 @@\n-x\n{open_end}+x\n")
    assert gained == [Patched("x", (Hunk(("x",), ("x", ""), 1, at_end=True),))]
    lost = parse_diff(f"{head}@@ -1 +1 @@\n-x\n+x\n{open_end}")
    assert lost == [Patched("x", (Hunk(("x", ""), ("x",), 1, at_end=True),))]
    neither = parse_diff(f"{head}@@ -1,2 +1,2 @@\n-y\n+z\n x\n{open_end}")
    assert neither == [Patched("x", (Hunk(("y", "x"), ("z", "x"), 1, at_end=True),))]


def test_a_diff_that_breaks_off_or_counts_wrong() -> None:
    assert parse_diff("--- a/x\n+++ b/x\n@@ -1,5 +1,5 @@\n-x\n+y\n") == [Changed("x")]
    assert parse_diff("--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-x\n-z\n+y\n") == [Changed("x")]
    assert parse_diff("--- a/x\n+++ b/x\n@@ what @@\n-x\n+y\n") == [Changed("x")]
    assert parse_diff("diff --git x\nrename from \nrename to y\n") == []
    assert parse_diff("") == parse_diff("--- a\n") == parse_diff("words\n+++ b\n") == []


def test_the_places_alone() -> None:
    assert parse_hunks("@@ -3 +3 @@\n-x\n+y\n") == [Hunk(("x",), ("y",), 3)]
    assert parse_hunks("@@ -3,9 +3 @@\n-x\n+y\n") is None
    assert parse_hunks("") == []


LINE = st.text(alphabet="ab -+@*\\", max_size=5)
TEXT = st.builds(lambda lines, end: "\n".join(lines) + end, st.lists(LINE, max_size=12), st.sampled_from(["", "\n"]))


def unified(before: str, after: str, context: int) -> str:
    """A diff, with the note on a missing newline that difflib leaves out."""
    told = difflib.unified_diff(before.splitlines(True), after.splitlines(True), "a/x", "b/x", n=context)
    lines = (line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in told)
    return "".join(lines)


def applied(before: str, hunks: list[Hunk]) -> str:
    lines, moved = before.split("\n"), 0
    for hunk in hunks:
        assert hunk.first is not None
        start = hunk.first - 1 + moved
        assert tuple(lines[start : start + len(hunk.old)]) == hunk.old
        lines[start : start + len(hunk.old)] = hunk.new
        moved += len(hunk.new) - len(hunk.old)
    return "\n".join(lines)


@given(TEXT.filter(bool), TEXT.filter(bool), st.integers(0, 3))
def test_a_diff_applied_gives_what_it_was_made_from(before: str, after: str, context: int) -> None:
    (effect,) = parse_diff(unified(before, after, context)) or [Patched("x", ())]
    assert isinstance(effect, Patched)
    assert effect.path == "x"
    assert applied(before, list(effect.hunks)) in (after, after.removesuffix("\n"), after + "\n")
    if context:
        assert applied(before, list(effect.hunks)) == after


@given(TEXT.filter(bool))
def test_a_new_file_in_a_diff_is_that_file(text: str) -> None:
    told = unified("", text, 3).replace("--- a/x", "--- /dev/null")
    assert parse_diff(told) == [Wrote("x", text, before="")]


@given(st.lists(st.lists(LINE, max_size=6), max_size=4))
def test_new_files_in_an_envelope_are_those_files(files: list[list[str]]) -> None:
    sections = [f"*** Add File: f{at}\n" + "".join(f"+{line}\n" for line in lines) for at, lines in enumerate(files)]
    told = "*** Begin Patch\n" + "".join(sections) + "*** End Patch\n"
    assert parse_patch(told) == [
        Wrote(f"f{at}", "".join(f"{line}\n" for line in lines)) for at, lines in enumerate(files)
    ]


PIECES = st.sampled_from(
    [
        *("*** Begin Patch\n", "*** End Patch\n", "*** Add File: a\n", "*** Update File: a\n", "*** Delete File: a\n"),
        *(
            "*** Move to: b\n",
            "*** End of File\n",
            "@@\n",
            "@@ x\n",
            "@@ -1 +1 @@\n",
            "@@ -1,2 +0,0 @@\n",
            "+x\n",
            "-x\n",
        ),
        *(" x\n", "\n", "--- a/x\n", "+++ b/x\n", "+++ /dev/null\n", "diff --git a/x b/x\n", "rename from x\n"),
        *("rename to y\n", "\\ No newline\n", "new file mode 1\n", 'diff --git "a/\\x" "b\n', "\r\n", "\x00", "--- \n"),
    ],
)


@given(st.lists(st.one_of(PIECES, st.text(string.printable, max_size=4)), max_size=25).map("".join))
def test_anything_can_be_read(text: str) -> None:
    for effect in [*parse_patch(text), *parse_diff(text)]:
        assert effect.path
    parse_hunks(text)
