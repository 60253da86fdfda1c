"""`ingest`: a tree looked at as often as one likes, interrupted anywhere, is recorded once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.errors import NotFound, Usage
from ccos_core.session import ingest as ingesting
from ccos_core.session import lifecycle
from ccos_core.session.ingest import Report, ingest
from ccos_core.session.session import open_session
from ccos_core.storage.cache import cache_path
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import prove
from tests import story

ROOT = Path(__file__).resolve().parents[3]
_numbers = iter(range(10**9))


def tree(folder: Path, count: int = 9, size: int = 20) -> Path:
    for number in range(count):
        path = folder / f"pkg{number % 3}" / f"m{number}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {number}\n" + "x = 1\n" * size)
    return folder


def workspace(folder: Path, root: Path) -> str:
    path = str(folder / "work.ccos")
    lifecycle.init(path, str(root), clock=lambda: story.START)
    return path


def look(path: str, *paths: str | Path) -> Report:
    with open_session(path, clock=lambda: story.START) as session:
        return ingest(session, [str(each) for each in paths] or [session.root])


def recorded(path: str) -> list[tuple[str, str]]:
    """(kind, path) of every step behind the epoch."""
    with open_record(path) as record:
        assert prove(record).valid
        told = story.Story(None)  # type: ignore[arg-type]  # only asked for its ops
        told.session = type("Read", (), {"recorded": record})()
        return [(op["kind"], op["path"]) for op in told.ops() if op["kind"] in ("seen", "gone")]


# ---- what was only ever reported ----


def report(path: str, *names: str, how: str = "ingest", **more: str) -> None:
    """Say of files what an agent says through a tool, or a host, if one is named."""
    with open_session(path, clock=lambda: story.START) as session:
        told = {"kind": "seen", "how": how, "actor": "agent", "content": "x = 1\n", **more}
        session.record([{**told, "path": name} for name in names])


@pytest.mark.parametrize("how", ["ingest", "read", "edit", "write"])
def test_a_look_does_not_undo_what_was_reported(tmp_path: Path, how: str) -> None:
    """20 reports became 41 steps: each path was recorded as gone, for it doesn't lie on the disk."""
    path = workspace(tmp_path, tree(tmp_path / "tree"))
    report(path, *(f"made/up{number}.py" for number in range(20)), how=how)
    before = len(recorded(path))
    for cached in (True, False):
        if not cached:
            os.unlink(cache_path(path))
        assert look(path).gone == 0
    assert len(recorded(path)) == before + 9
    assert ("gone", "made/up0.py") not in recorded(path)


def test_what_a_host_or_a_look_saw_is_looked_for_again(tmp_path: Path) -> None:
    path = workspace(tmp_path, root := tree(tmp_path / "tree"))
    report(path, "heard.py", how="read", host="claude-code", session="s", context="")
    report(path, "both.py")
    report(path, "both.py", how="read", host="claude-code", session="s", context="")
    report(path, "both.py")  # what was on the disk once stays so
    (root / "later.py").write_text("x = 1\n")
    report(path, "later.py")  # with the very content that lies there: to meet it adds no step
    report(path, "only.py")
    assert look(path).gone == 2
    (root / "later.py").unlink()
    assert look(path).gone == 1
    assert [name for kind, name in recorded(path) if kind == "gone"] == ["both.py", "heard.py", "later.py"]
    report(path, "both.py")  # gone and reported again: nobody has seen this one
    assert look(path).gone == 0


def test_a_renamed_report_is_one_still(tmp_path: Path) -> None:
    path = workspace(tmp_path, tree(tmp_path / "tree"))
    report(path, "a.py", "b.py")
    with open_session(path, clock=lambda: story.START) as session:
        session.record([{"kind": "renamed", "path": "a.py", "to": "c.py", "actor": "agent"}])
        session.record([{"kind": "gone", "path": "b.py", "actor": "agent"}])
    assert look(path).gone == 0


# ---- once ----


def test_a_tree_is_recorded_once(tmp_path: Path) -> None:
    path = workspace(tmp_path, tree(tmp_path / "proj"))
    first, again = look(path), look(path)
    assert (first.recorded, first.unchanged, first.gone) == (9, 0, 0)
    assert (again.recorded, again.unchanged, again.gone) == (0, 9, 0)
    assert len(recorded(path)) == 9


def test_what_changed_went_came_and_moved(tmp_path: Path) -> None:
    root = tree(tmp_path / "proj")
    path = workspace(tmp_path, root)
    look(path)
    (root / "pkg0/m0.py").write_text("changed\n")
    (root / "pkg1/m1.py").unlink()
    (root / "pkg2/m2.py").rename(root / "pkg2/renamed.py")
    report = look(path)
    assert (report.recorded, report.unchanged, report.gone) == (2, 6, 2)
    assert recorded(path)[9:] == [
        ("seen", "pkg0/m0.py"), ("seen", "pkg2/renamed.py"), ("gone", "pkg1/m1.py"), ("gone", "pkg2/m2.py"),
    ]  # fmt: skip
    (root / "pkg1/m1.py").write_text("# 1\n" + "x = 1\n" * 20)
    assert look(path).recorded == 1
    assert look(path).recorded == 0
    (root / "pkg1/m1.py").unlink()
    (root / "pkg1/m1.py").mkdir()
    assert look(path).gone == 0  # something of that name is there
    (root / "pkg1/m1.py" / "inner.py").write_text("x\n")
    assert look(path).recorded == 1


def test_only_below_the_paths_that_were_named(tmp_path: Path) -> None:
    root = tree(tmp_path / "proj")
    path = workspace(tmp_path, root)
    look(path)
    (root / "pkg0/m0.py").unlink()
    (root / "pkg1/m1.py").unlink()
    (root / "pkg").mkdir()
    assert look(path, root / "pkg").gone == 0
    report = look(path, root / "pkg0", root / "pkg0")
    assert (report.unchanged, report.gone) == (2, 1)
    assert look(path, root / "pkg1", root / "pkg2/m2.py").gone == 1


def test_what_agents_read_outside_of_the_tree_is_not_gone(tmp_path: Path) -> None:
    path = workspace(tmp_path, tree(tmp_path / "proj"))
    with open_session(path) as session:
        elsewhere = ("/usr/lib/x.py", "~/notes.md", "../sibling/a.py", "C:\\x\\y.py", str(Path.home() / "z.md"))
        session.record([{"kind": "seen", "how": "read", "path": each, "content": "x"} for each in elsewhere])
        assert ingest(session, [session.root]).gone == 0


def test_what_became_ignored_or_too_large_is_not_gone(tmp_path: Path) -> None:
    root = tree(tmp_path / "proj")
    (root / "odd\u200bname.py").write_text("x\n")
    path = workspace(tmp_path, root)
    look(path)
    (root / ".gitignore").write_text("pkg0/\n")
    (root / "odd\u200bname.py").write_text("x" * 1_000_001)
    report = look(path)
    assert (report.gone, report.recorded) == (0, 1)
    assert "ignored by .gitignore" in report.tally.words()
    assert "over 1 MB" in report.tally.words()


NAMES = ["back\\slash.py", "new\nline.py", "tail.py~", "ha#sh.py", "per%cent.py", "%23.py", "sp ace.py", "-dash.py",
         "zero\u200bwidth.py", "bidi\u202e.py", "esc\x1b[31m.py", "C:drive.py", "é.py", "e\u0301.py",
         "~tilde.py"]  # fmt: skip


def test_odd_names_are_recorded_once_and_seen_to_go(tmp_path: Path) -> None:
    root = tmp_path / "proj"
    (root / "back").mkdir(parents=True)
    for name in [*NAMES, "back/slash.py"]:
        (root / name).write_text(f"{name!r}\n")
    path = workspace(tmp_path, root)
    assert look(path).recorded == len(NAMES) + 1
    assert look(path).unchanged == len(NAMES) + 1
    paths = [path for _, path in recorded(path)]
    assert len(set(paths)) == len(paths)
    assert "back\\slash.py" in paths
    assert all(name.isprintable() or name == "new\nline.py" for name in paths)
    for name in NAMES:
        (root / name).unlink()
    assert look(path).gone == len(NAMES)
    assert look(path).gone == 0


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_name_that_is_not_utf8_is_left_out_and_said(tmp_path: Path) -> None:
    root = tree(tmp_path / "proj")
    with open(os.fsencode(root) + b"/caf\xe9.py", "wb") as file:
        file.write(b"x\n")
    report = look(workspace(tmp_path, root))
    assert report.recorded == 9
    assert "not UTF-8" in report.tally.words()


def test_a_file_without_utf8_is_recorded_with_its_bytes_made_visible(tmp_path: Path) -> None:
    root = tmp_path / "proj"
    root.mkdir()
    (root / "latin.py").write_bytes(b"# caf\xe9\r\nx = 1\r\n")
    path = workspace(tmp_path, root)
    look(path)
    with open_record(path) as record:
        (row,) = record.ask("SELECT hash FROM blob")
        assert record.content(row[0]) == b"# caf[BYTE 0xE9]\r\nx = 1\r\n"


@pytest.mark.parametrize("spelling", ["link", "slash", "relative", "dots", "link/pkg0", "inner link"])
def test_the_root_in_other_spellings(tmp_path: Path, spelling: str, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(tmp_path / "proj")
    (tmp_path / "link").symlink_to(root)
    (root / "inner").symlink_to(root / "pkg0")
    monkeypatch.chdir(root / "pkg1")
    named = {
        "link": tmp_path / "link",
        "slash": f"{root}/",
        "relative": "..",
        "dots": root / "pkg0" / ".." / ".",
        "link/pkg0": tmp_path / "link" / "pkg0",
        "inner link": root / "inner",
    }[spelling]
    path = workspace(tmp_path, root)
    look(path)
    assert look(path, named).recorded == 0
    by_link = tmp_path / "by-link.ccos"
    lifecycle.init(str(by_link), str(tmp_path / "link"))
    report = look(str(by_link), named)
    assert report.recorded == (3 if spelling in ("link/pkg0", "inner link") else 9)
    assert all(path.startswith("pkg") for _, path in recorded(str(by_link)))


def test_paths_outside_are_refused_before_anything_is_done(tmp_path: Path) -> None:
    root = tree(tmp_path / "proj")
    (tmp_path / "project-b").mkdir()
    (root / "out").symlink_to(tmp_path / "project-b")
    path = workspace(tmp_path, root)
    for outside in (tmp_path, tmp_path / "project-b", root / "out", "/"):
        with pytest.raises(Usage, match="is outside"):
            look(path, root, outside)
    with pytest.raises(NotFound):
        look(path, root, root / "nonesuch")
    assert recorded(path) == []


# ---- interrupted ----


def test_an_interrupt_between_batches_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingesting, "BATCH_FILES", 2)
    path = workspace(tmp_path, tree(tmp_path / "proj"))

    def impatient(done: int, of: int) -> None:
        assert of == 9
        if done >= 4:
            raise KeyboardInterrupt

    with open_session(path) as session, pytest.raises(KeyboardInterrupt):
        ingest(session, [session.root], impatient)
    assert len(recorded(path)) == 4
    assert look(path).recorded == 5
    assert len(set(recorded(path))) == len(recorded(path)) == 9


def test_an_interrupt_inside_a_batch_takes_that_batch_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ingesting, "BATCH_FILES", 4)
    path = workspace(tmp_path, tree(tmp_path / "proj"))
    with open_session(path) as session:
        append = type(session)._append_one
        calls = iter(range(100))

        def interrupted(self: object, *given: object) -> int:
            if next(calls) == 6:
                raise KeyboardInterrupt
            return append(self, *given)  # type: ignore[arg-type]

        monkeypatch.setattr(type(session), "_append_one", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ingest(session, [session.root])
        monkeypatch.setattr(type(session), "_append_one", append)
        assert session.recorded.head()[0] == 5
        assert ingest(session, [session.root]).recorded == 5
    assert len(set(recorded(path))) == len(recorded(path)) == 9


INGEST = """
import os, sys
sys.path.insert(0, sys.argv[1])
import ccos_core.session.ingest as ingesting
from ccos_core.session.session import Session
from ccos_tui.__main__ import main
ingesting.BATCH_FILES = 5
append, count, sign = Session._append_one, 0, int(sys.argv[2])
def counted(self, *given):
    global count
    count += 1
    if count == int(sys.argv[3]):
        os.kill(os.getpid(), sign)
    return append(self, *given)
Session._append_one = counted
sys.exit(main(sys.argv[4:]))
"""
"""An ingest in small batches, which sends itself a signal when it comes to a certain file."""


def running(path: str, root: Path, how: int = 0, at: int = 0) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", INGEST, str(ROOT), str(how), str(at), "ingest", path, str(root)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def finished(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    _, errors = process.communicate(timeout=60)
    assert b"Traceback" not in errors, errors
    return process.returncode, errors.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("how", [9, signal.SIGINT])
def test_killed_at_any_moment_and_run_again(tmp_path: Path, how: int) -> None:
    path = workspace(tmp_path, tree(tmp_path / "proj", count=40))
    durable = 0
    for at in (1, 5, 6, 13, 8):  # the file, counted among those that are new to the record
        code, said = finished(running(path, tmp_path / "proj", how, at))
        if how == signal.SIGINT:
            assert code == 130
            assert "Run the same command again to continue" in said
        else:
            assert code == -how
        paths = [path for _, path in recorded(path)]
        durable += (at - 1) // 5 * 5  # whole batches of five
        assert len(set(paths)) == len(paths) == durable
    assert finished(running(path, tmp_path / "proj"))[0] == 0
    assert len(set(recorded(path))) == len(recorded(path)) == 40


def test_two_at_once_record_each_file_once(tmp_path: Path) -> None:
    path = workspace(tmp_path, tree(tmp_path / "proj", count=120, size=50))
    both = [running(path, tmp_path / "proj") for _ in range(2)]
    said = [finished(each) for each in both]
    assert [code for code, _ in said] == [0, 0]
    assert len(set(recorded(path))) == len(recorded(path)) == 120
    assert sum(int(told.split()[0]) for _, told in said) == 120


# ---- the cache ----


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["delete", "spoil", "cut", "empty", "other", "look", "write", "remove"]), max_size=8))
def test_whatever_happens_to_the_cache_changes_nothing(tmp_path: Path, events: list[str]) -> None:
    folder = tmp_path / f"run-{next(_numbers)}"
    root = tree(folder / "proj", count=3)
    path = workspace(folder, root)
    look(path)
    cache = Path(cache_path(path))
    expected = 3
    for number, event in enumerate(events):
        content = cache.read_bytes() if cache.exists() else b""
        if event == "delete":
            cache.unlink(missing_ok=True)
        elif event in ("spoil", "cut", "empty", "other"):
            spoilt = content[:700] + b"\xff" * 900 + content[1600:]
            kinds = {
                "spoil": spoilt,
                "cut": content[: len(content) // 2],
                "empty": b"",
                "other": b"not a database" * 99,
            }
            cache.write_bytes(kinds[event])
        elif event == "look":
            look(path)
        elif event == "write":
            (root / "pkg0/m0.py").write_text(f"{number}\n")
            expected += 1
        elif (root / "pkg1/m1.py").exists():
            (root / "pkg1/m1.py").unlink()
            expected += 1
        if event in ("write", "remove"):
            look(path)
    assert len(recorded(path)) == expected
    report = look(path)
    assert (report.recorded, report.gone) == (0, 0)


def test_a_cache_of_another_record_of_that_name_is_not_believed(tmp_path: Path) -> None:
    root = tree(tmp_path / "proj")
    path = workspace(tmp_path, root)
    look(path)
    os.unlink(path)
    workspace(tmp_path, root)
    assert look(path).recorded == 9
    assert look(path).recorded == 0
