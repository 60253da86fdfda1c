"""What a text names: files by a slash or a known suffix, identifiers of more than one word."""

from __future__ import annotations

import time

from ccos_core.text.names import identifiers_in, paths_in


def test_files_are_told_from_calls_links_and_globs() -> None:
    text = 'src/db.py:12, /tmp/a.go, fmt.Println, x.go, (b/c.test) https://github.com/a/b.git "./e.ts" *_a.go $D/x.py'
    assert paths_in(text) == ["src/db.py", "/tmp/a.go", "x.go", "b/c.test", "./e.ts"]


def test_escaped_line_ends_and_tabs_are_no_letters_of_a_name() -> None:
    text = r'"x.go:1 {\ncmd/cli/reset.go:7\tstateOf\\nresetAll \ndb.py"'
    assert paths_in(text) == ["x.go", "cmd/cli/reset.go", "db.py"]
    assert identifiers_in(text) == ["stateOf", "resetAll"]
    assert paths_in(r"C:\new\test.go") == ["test.go"]


def test_identifiers_have_more_than_one_word() -> None:
    text = "handlePostCommit foo_bar MAX_SIZE Handle plainword a_b TestX_Y handlePostCommit"
    assert identifiers_in(text) == ["handlePostCommit", "foo_bar", "MAX_SIZE", "TestX_Y"]


def test_long_runs_take_linear_time() -> None:
    for unit in ("a/", "a.", "-", "a", "_", "./", "aB", "~/"):
        begin = time.process_time()
        paths_in(unit * 150_000), identifiers_in(unit * 150_000)
        assert time.process_time() - begin < 2
