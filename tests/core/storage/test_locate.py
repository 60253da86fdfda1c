"""Where things lie when nobody says so, and what a record holds when somebody asks."""

import os
from pathlib import Path

import pytest

from ccos_core.errors import Damaged, NotFound
from ccos_core.storage import locate
from ccos_core.storage.census import census
from ccos_core.storage.opening import open_record
from tests.making import LONG, one_of_everything, record_of


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


def test_the_project_is_the_nearest_marked_folder(home: Path) -> None:
    deep = home / "proj" / "src" / "deep"
    deep.mkdir(parents=True)
    assert locate.project_root(str(deep)) == str(deep)
    (home / "proj" / ".git").write_text("gitdir: elsewhere\n")  # a worktree
    assert locate.project_root(str(deep)) == str(home / "proj")
    (home / "proj" / "src" / ".ccos").mkdir()
    assert locate.project_root(str(deep)) == str(home / "proj" / "src")


def test_one_workspace_for_each_project(home: Path) -> None:
    for name in ("one/app", "two/app", "one/" + "é" * 100):
        (home / name).mkdir(parents=True)
    one, two, long = (locate.default_path(str(home / name)) for name in ("one/app", "two/app", "one/" + "é" * 100))
    assert one != two
    assert Path(one).parent == home / "state" / "ccos-tui" / "projects"
    assert Path(one).name.startswith("app-")
    assert len(os.fsencode(Path(long).name)) < 200, "side files and drafts have longer names still"
    os.symlink(home / "one", home / "link")
    assert locate.default_path(str(home / "link" / "app")) == one


def test_a_folder_stands_for_its_workspace(home: Path) -> None:
    (home / "proj").mkdir()
    with pytest.raises(NotFound, match="no workspace yet"):
        locate.workspace(str(home / "proj"))
    (home / "proj" / ".ccos").mkdir()
    path = record_of(home / "proj" / ".ccos" / "work.ccos", [])
    assert locate.workspace(str(home / "proj")) == path
    assert locate.workspace("any.ccos") == "any.ccos"


def test_a_folder_stands_for_the_only_workspace_that_lies_in_it(home: Path) -> None:
    folder = home / "proj"
    (folder / "folder.ccos").mkdir(parents=True)
    path = record_of(folder / "work.ccos", [])
    assert locate.workspace(str(folder)) == path
    record_of(folder / "second.ccos", [])
    with pytest.raises(NotFound, match="several") as caught:
        locate.workspace(str(folder))
    assert caught.value.hint.endswith(f"Name one: {folder}/second.ccos, {folder}/work.ccos")
    own = Path(locate.default_path(str(folder)))
    own.parent.mkdir(parents=True, exist_ok=True)
    made = record_of(own, [])
    assert locate.workspace(str(folder)) == made


def test_a_census(home: Path) -> None:
    path = one_of_everything(home / "w.ccos")
    with open_record(path) as record:
        found = census(record)
        assert found.head == record.head()[1].hex()
    assert (found.steps, found.floor, found.segments, found.facts, found.erased) == (6, 3, 1, 3, 1)
    assert found.kinds == {"epoch": 1, "gone": 2, "seen": 3}
    assert (found.contents, found.largest[0].bytes, found.largest[0].step) == (2, len(LONG), 2)
    assert found.space["archive"] > 0
    assert found.space["wal"] == 0


def test_a_census_of_what_is_no_op(home: Path) -> None:
    path = record_of(home / "w.ccos", [])
    with open_record(path, write=True) as record:
        with record.write() as writing:
            writing.append(b"{}")
        with pytest.raises(Damaged, match="step 2"):
            census(record)
