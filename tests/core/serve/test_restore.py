"""`restore`: a step's files in a folder, as git has them; what isn't known is said, and nothing else is touched."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.serve.cli.main import main
from ccos_core.session import lifecycle, restoring
from ccos_core.session.admit import recorded_path
from ccos_core.session.session import open_session
from ccos_core.values.safe_paths import same_name, why_unsafe
from sample_workspaces.tiny import TOKEN
from tests.core.serve.calling import Caller
from tests.core.session.scripted_agent import GIT, ScriptedAgent

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="NO GIT HERE: no tree was compared with git's")
PRICES = '"""Prices."""\n\n\ndef net(rows):\n    return sum(row["cents"] for row in rows)\n'
TAX = "from till.prices import net\n\n\ndef tax(rows):\n    return net(rows) * 19 // 100\n"


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by path."""
    return {str(each.relative_to(folder)): each.read_bytes() for each in sorted(folder.rglob("*")) if each.is_file()}


def git_tree(root: Path, commit: str) -> dict[str, bytes]:
    """Every file of a commit, as git has it."""
    packed = subprocess.run(["git", "archive", commit], cwd=root, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        members = [each for each in archive.getmembers() if each.isfile()]
        return {each.name: archive.extractfile(each).read() for each in members}  # type: ignore[union-attr]


def worked(folder: Path) -> tuple[Path, Path, list[str]]:
    """(workspace, repository, commits) of a session that read, edited, wrote, moved and removed files."""
    root = folder / "till"
    root.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "-b", "main", "."], cwd=root, env={**os.environ, **GIT}, check=True)
    agent = ScriptedAgent(root)
    for path, text in {
        "till/prices.py": PRICES,
        "till/tax.py": TAX,
        "README": "Till\r\nno end",
        "old.txt": "x\n",
    }.items():
        agent._put(path, text)
    agent.lines.clear()
    agent.prompt("The tax is a cent too low. Repair it, and commit.")
    agent.run("git add -A && git commit -qm 'begin'")
    for path in ("till/prices.py", "till/tax.py", "README", "old.txt"):
        agent.read(path)
    agent.edit("till/tax.py", "net(rows) * 19 // 100", "(net(rows) * 19 + 50) // 100")
    agent.write("tests/test_tax.py", "from till.tax import tax\n\n\ndef test_tax():\n    assert tax([]) == 0\n")
    agent.write("docs/über uns.md", "# Über uns\n\nтекст\n")
    agent.run("git mv old.txt new.txt && git add -A && git commit -qm 'round to the nearest cent'")
    agent.edit("till/prices.py", '"""Prices."""', '"""Prices, in cents."""')
    agent.run("git rm -q README && git commit -qam 'drop the README'")
    commits = subprocess.run(["git", "log", "--format=%H"], cwd=root, capture_output=True, text=True, check=True)
    transcript = agent.save(folder / "session.jsonl")
    assert main(["import", str(transcript), "-o", str(folder / "work.ccos")]) == 0
    return folder / "work.ccos", root, commits.stdout.split()


@pytest.fixture
def session(tmp_path: Path) -> tuple[Path, Path, list[str]]:
    return worked(tmp_path)


@needs_git
def test_at_the_end_it_is_the_tree_that_git_has(
    session: tuple[Path, Path, list[str]], run: Caller, tmp_path: Path
) -> None:
    ws, root, commits = session
    done = run("restore", ws, tmp_path / "end", "--json")
    assert done.code == 0
    assert tree(tmp_path / "end") == git_tree(root, commits[0])
    answer = done.json()
    assert {each["state"] for each in answer["written"]} == {"whole"}
    assert answer["left_out"] == []


@needs_git
def test_after_a_commit_it_is_the_tree_of_that_commit(
    session: tuple[Path, Path, list[str]], run: Caller, tmp_path: Path
) -> None:
    ws, root, commits = session
    edits = [row["step"] for row in run("find", ws, "kind=edit path=till/prices.py", "--json").json()["rows"]]
    assert run("restore", f"{ws}@{edits[0] - 1}", tmp_path / "then").code == 0
    assert tree(tmp_path / "then") == git_tree(root, commits[1]) != git_tree(root, commits[0])


# ---- what isn't known ----


def recorded(folder: Path, *ops: dict[str, object]) -> Path:
    """A workspace in which a host reported these, whatever their paths are."""
    ws = folder / "work.ccos"
    folder.mkdir(exist_ok=True)
    lifecycle.init(str(ws), str(folder))
    with open_session(str(ws)) as session:
        session.record(ops)
    return ws


def seen(path: str, text: str = "mine\n", **more: object) -> dict[str, object]:
    return {"kind": "seen", "how": "write", "path": path, "content": text, **more}


def test_what_is_known_in_part_is_written_in_part_and_named(run: Caller, tmp_path: Path) -> None:
    ws = recorded(
        tmp_path,
        seen("whole.py", "a = 1\n"),
        {"kind": "seen", "how": "read", "path": "part.py", "content": "c = 3\nd = 4\n", "slice": [3, 4]},
        {"kind": "seen", "how": "read", "path": "guess.py", "content": "e = 5\n"},
        {"kind": "seen", "how": "edit", "path": "guess.py", "withheld": "uncertain", "inferred": True},
        {"kind": "seen", "how": "read", "path": ".env", "content": "A=1\n"},
        {"kind": "seen", "how": "read", "path": "key.py", "content": f'password = "{TOKEN}"\n'},
        {"kind": "seen", "how": "read", "path": "erased.py", "content": "erase me\n"},
    )
    assert run("forget", ws, "--path", "erased.py").code == 0
    done = run("restore", ws, tmp_path / "out", "--json")
    answer = done.json()
    assert done.code == 0
    assert {each["path"]: each["state"] for each in answer["written"]} == {
        "guess.py": "uncertain", "key.py": "altered", "part.py": "partial", "whole.py": "whole"
    }  # fmt: skip
    assert {each["path"]: each["state"] for each in answer["left_out"]} == {".env": "withheld", "erased.py": "erased"}
    part = next(each for each in answer["written"] if each["path"] == "part.py")
    assert part["unknown"] == [{"first": 1, "last": 2}]
    written = tree(tmp_path / "out")
    assert written["part.py"].decode().split("\n")[:4] == ["", "", "c = 3", "d = 4"]
    assert b"REDACTED" in written["key.py"]
    assert written["guess.py"] == b"e = 5\n"
    words = run("restore", ws, tmp_path / "again").out
    for said in ("lines 1–2 unknown", "1 line may have changed", "1 secret masked", "secrets", "erased"):
        assert said in words
    only = run("restore", ws, tmp_path / "only", "--whole", "--json").json()
    assert [each["path"] for each in only["written"]] == ["whole.py"] == list(tree(tmp_path / "only"))


def test_a_dry_run_writes_nothing(run: Caller, tmp_path: Path) -> None:
    ws = recorded(tmp_path, seen("a.py"))
    done = run("restore", ws, tmp_path / "out", "--dry-run", "--json")
    assert (done.code, done.json()["dry_run"], (tmp_path / "out").exists()) == (0, True, False)


def test_without_a_file_it_says_no(run: Caller, tmp_path: Path) -> None:
    assert run("restore", recorded(tmp_path), tmp_path / "out").code == 1
    assert run("restore", f"{recorded(tmp_path / 'b', seen('a.py'))}@99", tmp_path / "out").code == 1
    assert run("restore", tmp_path / "work.ccos").code == 2
    assert not (tmp_path / "out").exists()


# ---- as an attacker would ----

HOSTILE = (
    "../out.txt", "../../etc/cron.d/x", "/etc/passwd", "/tmp/x", "~/.bashrc", "~", "..", "a/../../b", "C:/x", "C:\\x",
    "c:x", ".git/hooks/pre-commit", ".GIT/config", ".git", "sub/.git/config", ".git ./x", ".git::$INDEX/x", "git~1/x",
    ".g\u200cit/config", "con", "CON.txt", "aux.c", "nul", "COM1", "lpt9.log", "a/prn/b", "con:x", "COM¹", "end.",
    "end ", "a\\b/c", "x" * 256, "a/" * 2_100 + "b", "... ", "...",
)  # fmt: skip


@pytest.mark.parametrize("path", HOSTILE)
def test_a_hostile_path_is_refused_and_named(path: str) -> None:
    assert why_unsafe(path)


@pytest.mark.parametrize("path", HOSTILE)
def test_it_never_leaves_the_folder(path: str, run: Caller, tmp_path: Path) -> None:
    home = tmp_path / "deep" / "er"
    home.mkdir(parents=True)
    ws = recorded(home, seen("good.py"), seen(path, "evil\n"))
    before = tree(tmp_path)
    done = run("restore", ws, home / "out", "--json", "--force")
    assert done.code == 0
    after = {each: text for each, text in tree(tmp_path).items() if not each.startswith("deep/er/out/")}
    changed = {each for each in after.keys() | before.keys() if after.get(each) != before.get(each)}
    assert not {each for each in changed if ".ccos" not in each}
    assert b"evil\n" not in tree(home / "out").values() or not why_unsafe(recorded_path(path))
    assert "good.py" in tree(home / "out")


@given(st.text(st.sampled_from("aA./\\:~ \x00\u200cigt.conu"), min_size=1, max_size=14))
def test_what_is_safe_stays_inside_whatever_it_is_joined_to(path: str) -> None:
    if not why_unsafe(path):
        full = os.path.normpath(os.path.join("/some/folder", path))
        assert full.startswith("/some/folder/")
        assert not {".git", "con", "nul"} & {part.casefold() for part in full.split("/")}


def test_a_link_in_the_folder_leads_nowhere(run: Caller, tmp_path: Path) -> None:
    ws = recorded(tmp_path, seen("a/good.py"), seen("sub/evil.py"), seen("z/late.py"))
    victim, out = tmp_path / "victim", tmp_path / "out"
    victim.mkdir()
    out.mkdir()
    (out / "sub").symlink_to(victim)
    for words in ((), ("--force",)):
        assert run("restore", ws, out, *words).code == 1
        assert list(victim.iterdir()) == []
        assert [each.name for each in out.iterdir()] == ["sub"]  # what came before it was taken back


def test_a_link_in_the_place_of_a_file_is_replaced_not_followed(run: Caller, tmp_path: Path) -> None:
    ws = recorded(tmp_path, seen("a.py"))
    victim, out = tmp_path / "victim.txt", tmp_path / "out"
    victim.write_text("precious")
    out.mkdir()
    (out / "a.py").symlink_to(victim)
    assert run("restore", ws, out).code == 1
    assert (out / "a.py").is_symlink()
    assert run("restore", ws, out, "--force").code == 0
    assert victim.read_text() == "precious"
    assert not (out / "a.py").is_symlink()


def test_a_link_to_nothing_is_no_folder(run: Caller, tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to(tmp_path / "nothing")
    assert run("restore", recorded(tmp_path, seen("a.py")), tmp_path / "out").code == 1
    assert not (tmp_path / "nothing").exists()


def test_nothing_is_overwritten_without_force(run: Caller, tmp_path: Path) -> None:
    ws = recorded(tmp_path, seen("a.py"), seen("b/c.py"))
    out = tmp_path / "out"
    (out / "b").mkdir(parents=True)
    (out / "b" / "c.py").write_text("yours")
    (out / "own.txt").write_text("yours")
    refused = run("restore", ws, out, "--json")
    assert (refused.code, refused.json()["exit"]) == (1, 1)
    assert tree(out) == {"b/c.py": b"yours", "own.txt": b"yours"}
    done = run("restore", ws, out, "--force", "--json").json()
    assert done["replaced"] == ["b/c.py"]
    assert tree(out) == {"a.py": b"mine\n", "b/c.py": b"mine\n", "own.txt": b"yours"}


def test_where_a_folder_stands_in_the_way_all_is_taken_back(run: Caller, tmp_path: Path) -> None:
    ws = recorded(tmp_path, seen("a.py"), seen("b.py"), seen("c/d.py"))
    out = tmp_path / "out"
    (out / "c" / "d.py").mkdir(parents=True)
    (out / "a.py").write_text("yours")
    assert run("restore", ws, out, "--force").code == 1
    assert tree(out) == {"a.py": b"yours"}
    assert sorted(each.name for each in out.rglob("*")) == ["a.py", "c", "d.py"]


def test_a_disk_that_is_full_leaves_nothing(run: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ws = recorded(tmp_path, *(seen(f"{name}.py") for name in "abc"))
    written: list[str] = []

    def full(path: str, content: bytes) -> None:
        written.append(path)
        if len(written) == 3:
            raise OSError(28, "No space left on device")
        Path(path).write_bytes(content)

    monkeypatch.setattr(restoring, "_write_one", full)
    for out in (tmp_path / "new", tmp_path / "there"):
        written.clear()
        if out.name == "there":
            out.mkdir()
        assert run("restore", ws, out).code == 5
        assert not out.exists() or not list(out.iterdir())
    assert not [each for each in tmp_path.iterdir() if each.name.endswith(".new")]


def test_names_that_differ_by_case_alone_are_not_both_written(run: Caller, tmp_path: Path) -> None:
    paths = (
        "Read.me",
        "read.ME",
        "Src/a.py",
        "src/a.py",
        "stra\u00dfe",
        "strasse",
        "caf\u00e9",
        "cafe\u0301",
        "x",
        "x/y",
    )
    ws = recorded(tmp_path, *(seen(path) for path in paths))
    answer = run("restore", ws, tmp_path / "out", "--json").json()
    written = [each["path"] for each in answer["written"]]
    assert len({same_name(path) for path in written}) == len(written) == 5
    assert len(tree(tmp_path / "out")) == 5
    assert {each["path"]: each["refused"] for each in answer["left_out"]}.keys() == set(paths) - set(written)
    assert all(each["refused"] for each in answer["left_out"])
    assert "x/y" in written
