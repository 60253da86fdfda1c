"""Documents: roles by policy, appends that lose nothing, and never a byte outside of the root."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.errors import CcosError, NotFound, Refused, Unavailable, Usage
from ccos_core.session.documents import Documents
from ccos_core.storage.locate import user_path
from ccos_core.values.roles import DAILY, SOUL, Roles, day_of
from ccos_core.values.tokens import estimate


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def test_the_first_file_that_is_there_has_the_role(root: Path) -> None:
    shelf = Documents(str(root))
    assert shelf.path_of(SOUL) == "SOUL.md"
    assert shelf.read(SOUL) == (SOUL, "SOUL.md", "", False)
    for name in ("CLAUDE.md", "AGENTS.md", "SOUL.md"):
        (root / name).write_text(f"# {name}\n")
        assert shelf.read(SOUL) == (SOUL, name, f"# {name}\n", True)


def test_the_users_own_file_comes_before_the_projects(root: Path) -> None:
    shelf = Documents(str(root))
    own = Path(user_path()).parent
    own.mkdir(parents=True)
    (own / "USER.md").write_text("tabs\n")
    (root / "USER.md").write_text("spaces\n")
    assert [(each.path, each.text) for each in shelf.read_users()] == [("~/USER.md", "tabs\n"), ("USER.md", "spaces\n")]


def test_other_paths_by_policy(root: Path) -> None:
    roles = Roles().with_paths({"memory": "docs/notes.md", "daily": "log/day-{date}.md"})
    shelf = Documents(str(root), roles)
    assert shelf.append_section("Plans", "- one")
    assert (root / "docs/notes.md").read_text() == "## Plans\n\n- one\n"
    assert shelf.append(DAILY, "Work", "- done", "2026-02-08")
    assert shelf.append(DAILY, "Work", "- more", "2026-02-10")
    (root / "log/day-nonsense.md").write_text("x")
    assert shelf.days() == ["2026-02-10", "2026-02-08"]
    assert [each.day for each in shelf.get_recent(1)] == ["2026-02-10"]
    assert [each.day for each in shelf.get_recent(5, "2026-02-09")] == ["2026-02-08"]
    with pytest.raises(Usage):
        Roles().with_paths({"daily": "log.md"})


def test_days_by_word() -> None:
    assert day_of("today", "2026-03-01").isoformat() == "2026-03-01"
    assert day_of("yesterday", "2026-03-01").isoformat() == "2026-02-28"
    assert day_of("2026-02-08").isoformat() == "2026-02-08"
    for said in ("2026-2-8", "2026-02-30", "../../x", "20260208", "２０２６-02-08", ""):
        with pytest.raises(Usage):
            day_of(said)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_mode_bytes_and_ends_are_kept(root: Path, mode: int) -> None:
    path = root / "MEMORY.md"
    path.write_bytes(b"\xef\xbb\xbf# A\r\n\r\nold \xff\r\n\r\n# B\r\nlast")
    path.chmod(mode)
    shelf = Documents(str(root))
    assert shelf.append_section("a", "new\nlines")
    assert path.read_bytes() == b"\xef\xbb\xbf# A\r\n\r\nold \xff\r\n\r\nnew\r\nlines\r\n\r\n# B\r\nlast"
    assert shelf.append_section("b", "end")
    assert path.read_bytes().endswith(b"# B\r\nlast\r\n\r\nend")
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_second_identical_append_adds_nothing(root: Path) -> None:
    shelf = Documents(str(root))
    assert shelf.append_section("Build", "- make")
    before = (root / "MEMORY.md").stat().st_mtime_ns
    assert not shelf.append_section("build", "- make\n")
    assert (root / "MEMORY.md").stat().st_mtime_ns == before


def test_the_brokers_calls(root: Path) -> None:
    shelf = Documents(str(root))
    assert shelf.store("docs/a.md", "# A\n\nSome words.\n")
    assert not shelf.store("docs/a.md", "# A\n\nSome words.\n")
    assert shelf.load("docs/a.md") == "# A\n\nSome words.\n"
    assert shelf.exists("docs/a.md")
    assert not shelf.exists("docs/b.md")
    assert 3 <= shelf.size("docs/a.md") <= 12
    long = "# Plan\n\n" + "".join(f"Step {n} edits src/part_{n}.py and calls run_part_{n}.\n" for n in range(40))
    assert shelf.store("docs/long.md", long)
    short = shelf.summarize("docs/long.md", 60)
    assert 0 < estimate(short) <= 60 < shelf.size("docs/long.md")
    assert {line for line in short.splitlines() if not line.startswith("also: ")} <= set(long.splitlines())
    assert shelf.summarize("docs/a.md", 60) == shelf.load("docs/a.md")
    with pytest.raises(NotFound):
        shelf.load("docs/b.md")
    with pytest.raises(NotFound) as told:
        shelf.get_section("plans")
    assert told.value.place == "plans"


TRAVERSALS = [
    "../outside/x.md", "..", "../outside", "a/../../outside/x.md", "/etc/passwd", "~/x.md", "~", "C:\\x.md", "C:/x.md",
    "\\\\host\\share\\x", "link.md", "links/x.md", "links/new.md", "up/x.md", ".git/config", ".GIT/hooks/pre-commit",
    "sub/.git/config", "con", "nul.md", "a\0b.md", "a\nb.md", "", ".", "./", "a//../../x.md", "..\\outside\\x.md",
    ".env", "keys/id.pem", "x.md.", "x.md ", "loop/x.md", "hard/../../outside/x.md", "%2e%2e/outside/x.md", "/", "//x",
    "file:x", "secret/hidden.md",
]  # fmt: skip


def test_nothing_outside_the_root_is_read_or_written(root: Path) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("secret")
    (root / "link.md").symlink_to(outside / "x.md")
    (root / "links").symlink_to(outside)
    (root / "up").symlink_to("../outside")
    (root / "loop").symlink_to("loop")
    (root / ".env").write_text("PASSWORD=secret")
    (root / ".git").mkdir()
    (root / ".git/config").write_text("secret")
    (root / "secret").mkdir()
    (root / "secret/hidden.md").write_text("secret")
    (root / ".ccosignore").write_text("secret/\n")
    kept = snapshot(root.parent)
    escapes = []
    for path in TRAVERSALS:
        for shelf, act in acts(root, path):
            try:
                found = act(shelf)
            except CcosError:
                continue
            if "secret" in str(found):
                escapes.append((path, found))
    assert escapes == []
    new = snapshot(root.parent).items() - kept.items()
    assert {path for path, _ in new if not path.startswith(("project/", "state/"))} == set()
    assert {path for path, _ in new if path.startswith("project/.git")} == set()


def acts(root: Path, path: str):  # type: ignore[no-untyped-def]
    plain = Documents(str(root))
    for shelf in (plain,):
        yield shelf, lambda shelf: shelf.load(path)
        yield shelf, lambda shelf: shelf.store(path, "x")
    for role in ("soul", "memory"):
        yield plain, lambda _, role=role: Documents(str(root), Roles().with_paths({role: path})).read(role).text or []
    yield plain, lambda _: Documents(str(root), Roles().with_paths({"memory": path})).append_section("A", "- x")
    yield plain, lambda _: Documents(str(root), Roles().with_paths({"daily": path + "/{date}.md"})).days()
    yield plain, lambda _: plain.read(DAILY, path).text or []


def snapshot(folder: Path) -> dict[str, bytes]:
    found = (each for each in folder.rglob("*") if each.is_file() and not each.is_symlink())
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in found}


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["..", ".", "a", "links", "up", "/", "~", "\\", "x.md", "\0", "C:"]), max_size=6))
def test_no_made_up_path_escapes(root: Path, parts: list[str]) -> None:
    outside = root.parent / "outside"
    outside.mkdir(exist_ok=True)
    (outside / "x.md").write_text("secret")
    for name in ("links", "up"):
        if not (root / name).is_symlink():
            (root / name).symlink_to(outside)
    for path in ("/".join(parts), "".join(parts)):
        with contextlib.suppress(CcosError):
            assert Documents(str(root)).load(path) != "secret"


def test_a_link_inside_the_root_is_followed(root: Path) -> None:
    (root / "AGENTS.md").write_text("# Agents\n")
    (root / "CLAUDE.md").symlink_to("AGENTS.md")
    shelf = Documents(str(root), Roles().with_paths({"memory": "CLAUDE.md"}))
    assert shelf.append_section("agents", "- x")
    assert (root / "CLAUDE.md").is_symlink()
    assert (root / "AGENTS.md").read_text() == "# Agents\n\n- x\n"


def _append(root: str, name: str, count: int) -> None:
    for number in range(count):
        Documents(root).append_section("Log", f"- {name} {number}")


def test_two_writers_lose_nothing(root: Path) -> None:
    (root / "MEMORY.md").write_text("# Log\n")
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_append, args=(str(root), name, 20)) for name in ("a", "b")]
    for each in writers:
        each.start()
    for each in writers:
        each.join()
    lines = (root / "MEMORY.md").read_text().splitlines()
    assert sorted(lines[2:]) == sorted(f"- {name} {number}" for name in ("a", "b") for number in range(20))


def test_what_another_program_changes_meanwhile_is_kept(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ccos_core.session import documents

    path = root / "MEMORY.md"
    path.write_text("# Log\n")
    plain, times = documents.append_section, []

    def slow(text: str, name: str, content: str) -> str:
        if not times:
            times.append(1)
            path.write_text("# Log\n\n- an editor's\n")
        return plain(text, name, content)

    monkeypatch.setattr(documents, "append_section", slow)
    assert Documents(str(root)).append_section("log", "- ours")
    assert path.read_text() == "# Log\n\n- an editor's\n- ours\n"


def test_a_folder_or_pipe_is_no_document(root: Path) -> None:
    (root / "MEMORY.md").mkdir()
    with pytest.raises(CcosError):
        Documents(str(root)).append_section("a", "x")
    if hasattr(os, "mkfifo"):
        os.mkfifo(root / "SOUL.md")
        with pytest.raises(Refused):
            Documents(str(root)).load("SOUL.md")


def test_a_document_that_cannot_be_written_leaves_no_empty_file(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ccos_core.session.documents.replacing", full)
    with pytest.raises(Unavailable, match="No space left"):
        Documents(str(root)).append_section("Plans", "- one")
    assert not (root / "MEMORY.md").exists()
