"""Which files of a tree are recorded, in which order, and why the others are not."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.session import scan as module
from ccos_core.session.scan import Found, LeftOut, Listed, Reason, Tally, read, scan, walk


def grow(root: Path, *paths: str, **contents: str) -> Path:
    """Make files holding one word, and folders for names that end with a slash."""
    for path in paths:
        target = root / path
        (target if path.endswith("/") else target.parent).mkdir(parents=True, exist_ok=True)
        if not path.endswith("/"):
            target.write_text("text\n")
    return root


def found(root: Path, start: str = "") -> list[str]:
    return [item.path for item in walk(str(root), start) if isinstance(item, Listed)]


def left(root: Path, start: str = "") -> dict[str, Reason]:
    return {
        item.path + "/" * item.is_folder: item.reason for item in scan(str(root), start) if isinstance(item, LeftOut)
    }


def test_files_come_in_the_order_of_their_paths_bytes(tmp_path: Path) -> None:
    grow(tmp_path, "a/b", "a-b", "a.c", "a0", "B", "é", "z", "a/b0/c", "a/b.d")
    assert found(tmp_path) == ["B", "a-b", "a.c", "a/b", "a/b.d", "a/b0/c", "a0", "z", "é"]


def test_scan_reads_what_walk_lists(tmp_path: Path) -> None:
    grow(tmp_path, "src/a.py", "b")
    (tmp_path / "empty").touch()
    (tmp_path / "latin").write_bytes(b"\xe9\r\n")
    assert list(scan(str(tmp_path))) == [
        Found("b", b"text\n"),
        Found("empty", b""),
        Found("latin", b"\xe9\r\n"),
        Found("src/a.py", b"text\n"),
    ]


# Ignore files


def test_ignore_files_count_at_every_level(tmp_path: Path) -> None:
    grow(tmp_path, "a.log", "keep.log", "sub/a.log", "sub/b.tmp", "sub/x/b.tmp", "out/deep/a", "b.tmp")
    (tmp_path / ".gitignore").write_text("*.log\n!keep.log\nout/\n")
    (tmp_path / "sub/.gitignore").write_text("!a.log\n/b.tmp\n")
    assert found(tmp_path) == [".gitignore", "b.tmp", "keep.log", "sub/.gitignore", "sub/a.log", "sub/x/b.tmp"]
    assert left(tmp_path) == dict.fromkeys(["a.log", "out/", "sub/b.tmp"], Reason.GITIGNORE)


def test_our_own_ignore_files_say_so(tmp_path: Path) -> None:
    grow(tmp_path, "a.sql", "sub/b.sql", "sub/c.sql", "both")
    (tmp_path / ".gitignore").write_text("both\n")
    (tmp_path / ".ccosignore").write_text("*.sql\n!both\n")
    (tmp_path / "sub/.ccosignore").write_text("!c.sql\n")
    assert left(tmp_path) == {"a.sql": Reason.CCOSIGNORE, "sub/b.sql": Reason.CCOSIGNORE, "both": Reason.GITIGNORE}


def test_rules_that_lie_outside_the_tree_of_a_repository(tmp_path: Path) -> None:
    grow(tmp_path, "a.x", "b.x", ".git/info/")
    (tmp_path / ".git/info/exclude").write_text("*.x\n")
    (tmp_path / ".gitignore").write_text("!b.x\n")
    assert left(tmp_path) == {".git/": Reason.TOOLS, "a.x": Reason.GITIGNORE}


def test_a_worktree_takes_them_from_its_repository(tmp_path: Path) -> None:
    grow(tmp_path, "main/.git/info/", "main/.git/worktrees/w/", "w/a.x", "w/b")
    (tmp_path / "main/.git/info/exclude").write_text("*.x\n")
    (tmp_path / "main/.git/worktrees/w/commondir").write_text("../..\n")
    (tmp_path / "w/.git").write_text(f"gitdir: {tmp_path}/main/.git/worktrees/w\n")
    assert left(tmp_path / "w") == {".git": Reason.TOOLS, "a.x": Reason.GITIGNORE}


def test_an_ignore_file_that_is_no_file_or_no_text(tmp_path: Path) -> None:
    grow(tmp_path, "a", "sub/.gitignore/", "sub/b", "odd/c", "c")
    (tmp_path / "odd/.gitignore").write_bytes(b"\xff\x00[[:\nc\n")
    assert found(tmp_path) == ["a", "c", "odd/.gitignore", "sub/b"]
    assert left(tmp_path) == {"odd/.gitignore": Reason.BINARY, "odd/c": Reason.GITIGNORE}


def test_a_linked_ignore_file_is_not_read(tmp_path: Path) -> None:
    grow(tmp_path, "tree/a", "elsewhere")
    (tmp_path / "elsewhere").write_text("a\n")
    (tmp_path / "tree/.gitignore").symlink_to(tmp_path / "elsewhere")
    assert found(tmp_path / "tree") == ["a"]


# Where to start


def test_a_start_below_the_root_keeps_the_rules_above_it(tmp_path: Path) -> None:
    grow(tmp_path, "a/b/c.log", "a/b/c.py", "a/b/d.py", "a/e.py", "f.py")
    (tmp_path / ".gitignore").write_text("*.log\n")
    (tmp_path / "a/.ccosignore").write_text("b/d.py\n")
    assert found(tmp_path, "a/b") == ["a/b/c.py"]
    assert found(tmp_path, str(tmp_path / "a/b/")) == ["a/b/c.py"]
    assert left(tmp_path, "a/b") == {"a/b/c.log": Reason.GITIGNORE, "a/b/d.py": Reason.CCOSIGNORE}
    assert found(tmp_path, "a/b/../e.py") == ["a/e.py"]
    assert left(tmp_path, "a/b/c.log") == {"a/b/c.log": Reason.GITIGNORE}


def test_a_start_in_an_ignored_folder_says_which(tmp_path: Path) -> None:
    grow(tmp_path, "out/a/b")
    (tmp_path / ".gitignore").write_text("out\n")
    assert list(walk(str(tmp_path), "out/a")) == [LeftOut("out", Reason.GITIGNORE, is_folder=True)]


def test_a_folder_of_tools_is_entered_if_one_asks_for_it(tmp_path: Path) -> None:
    grow(tmp_path, "node_modules/lib/a.js", "node_modules/lib/node_modules/b.js", "env/pyvenv.cfg")
    assert found(tmp_path, "node_modules/lib") == ["node_modules/lib/a.js"]
    assert found(tmp_path, "env") == ["env/pyvenv.cfg"]
    assert found(tmp_path / "node_modules/lib") == ["a.js"]


def test_a_start_outside_or_nowhere_is_an_error_at_once(tmp_path: Path) -> None:
    grow(tmp_path, "root/a", "other/b")
    for outside in ("..", "../other", str(tmp_path), "/", "a/../../other"):
        with pytest.raises(ValueError, match="is not inside"):
            walk(str(tmp_path / "root"), outside)
    with pytest.raises(FileNotFoundError):
        walk(str(tmp_path / "root"), "nowhere")
    with pytest.raises(FileNotFoundError):
        walk(str(tmp_path / "nowhere"))


def test_a_root_named_through_a_link(tmp_path: Path) -> None:
    grow(tmp_path, "real/a/b")
    (tmp_path / "link").symlink_to("real")
    assert found(tmp_path / "link") == ["a/b"]
    assert found(tmp_path / "link", str(tmp_path / "link/a")) == ["a/b"]
    assert found(tmp_path / "link", str(tmp_path / "real/a")) == ["a/b"]
    assert list(scan(str(tmp_path / "link"))) == [Found("a/b", b"text\n")]


def test_a_relative_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grow(tmp_path, "a/b")
    monkeypatch.chdir(tmp_path)
    assert list(scan(".")) == [Found("a/b", b"text\n")]
    assert list(scan("a", "b")) == [Found("b", b"text\n")]


# What stays out


def test_binary_and_big_files(tmp_path: Path) -> None:
    (tmp_path / "early").write_bytes(b"a" * 8_191 + b"\0")
    (tmp_path / "late").write_bytes(b"a" * 8_192 + b"\0")
    (tmp_path / "photo.PNG").write_text("not opened")
    (tmp_path / "just").write_bytes(b"a" * 1_000_000)
    (tmp_path / "over").write_bytes(b"a" * 1_000_001)
    assert left(tmp_path) == {"early": Reason.BINARY, "photo.PNG": Reason.BINARY, "over": Reason.LARGE}
    small = [item.path for item in scan(str(tmp_path), max_bytes=10_000) if isinstance(item, Found)]
    assert small == ["late"]


def test_secrets_are_found_without_their_content_and_never_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grow(tmp_path, ".env", "tls/server.p12", ".env.example")
    opened: list[bytes] = []
    real = os.open
    monkeypatch.setattr(module.os, "open", lambda path, flags: opened.append(path) or real(path, flags))
    assert list(scan(str(tmp_path))) == [
        Found(".env", None),
        Found(".env.example", b"text\n"),
        Found("tls/server.p12", None),
    ]
    assert [os.path.basename(path) for path in opened if b".git" not in path] == [b".env.example"]


def test_the_workspace_itself_is_passed_over_in_silence(tmp_path: Path) -> None:
    names = ["w.ccos", "w.ccos-wal", "w.ccos-shm", "w.ccos-journal", "w.ccos-cache", "w.ccos-cache-wal", ".ccos/x", "a"]
    names += [f"w.ccos-{end}" for end in ("heard", "heard-taken", "heard-aside", "paused", "cut")]
    grow(tmp_path, *names, "folder.ccos/b")
    assert list(walk(str(tmp_path))) == [Listed("a"), Listed("folder.ccos/b")]


@pytest.mark.parametrize(
    ("tree", "out"),
    [
        (["node_modules/a", "x/node_modules/b"], ["node_modules/", "x/node_modules/"]),
        (["__pycache__/a", ".venv/b", ".git/c", ".tox/d"], ["__pycache__/", ".venv/", ".git/", ".tox/"]),
        (["build/a", "dist/a", "vendor/a", "target/a", "out/a", "bin/a", "env/a", "venv/a"], []),
        (["target/a", "Cargo.toml"], ["target/"]),
        (["x/target/a", "Cargo.toml"], []),
        (["build/a", "build.gradle"], ["build/"]),
        (["dist/a", "package.json"], ["dist/"]),
        (["vendor/a", "go.mod"], ["vendor/"]),
        (["env/pyvenv.cfg"], ["env/"]),
        (["any/CACHEDIR.TAG"], ["any/"]),
        (["any/CMakeCache.txt"], ["any/"]),
        (["CACHEDIR.TAG", "a"], []),
        (["node_modules", ".cache"], []),
        ([".git", "a"], [".git"]),
    ],
)
def test_folders_of_tools(tmp_path: Path, tree: list[str], out: list[str]) -> None:
    assert left(grow(tmp_path, *tree)) == dict.fromkeys(out, Reason.TOOLS)


def test_links_are_named_and_never_followed(tmp_path: Path) -> None:
    root = grow(tmp_path, "root/a/file", "outside/secret") / "root"
    for name, target in {
        "to_file": "a/file",
        "to_folder": "a",
        "to_itself": ".",
        "up": "..",
        "absolute": str(root / "a/file"),
        "outside": "../outside/secret",
        "outside_folder": str(tmp_path / "outside"),
        "sibling": "../root-like",
        "loop": "loop",
        "nothing": "missing",
        "a/back": "..",
    }.items():
        (root / name).symlink_to(target)
    grow(tmp_path, "root-like/x")
    assert found(root) == ["a/file"]
    assert left(root) == {
        **dict.fromkeys(["to_file", "to_folder", "to_itself", "absolute", "a/back"], Reason.LINK_INSIDE),
        **dict.fromkeys(["up", "outside", "outside_folder", "sibling"], Reason.LINK_OUTSIDE),
        **dict.fromkeys(["loop", "nothing"], Reason.LINK_BROKEN),
    }
    assert left(root, "to_folder/file") == {"to_folder": Reason.LINK_INSIDE}


def test_nothing_waits_for_a_pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    os.mkfifo("pipe.pem")
    os.mkfifo(".gitignore")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        assert left(tmp_path) == dict.fromkeys([".gitignore", "pipe", "pipe.pem", "socket"], Reason.SPECIAL)


def test_what_changed_since_it_was_listed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/etc/passwd")
    grow(tmp_path, "folder/")
    for path, reason in [
        ("pipe", Reason.SPECIAL),
        ("link", Reason.UNREADABLE),
        ("gone", Reason.UNREADABLE),
        ("folder", Reason.SPECIAL),
    ]:
        assert read(str(tmp_path), Listed(path)) == LeftOut(path, reason)


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="no file here that hides its size")
def test_a_file_that_hides_its_size_is_read_to_its_end() -> None:
    assert isinstance(item := read("/proc/self", Listed("status")), Found)
    assert item.data
    assert read("/proc/self", Listed("status"), max_bytes=10) == LeftOut("status", Reason.LARGE)


def test_what_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grow(tmp_path, "a", "closed/b", "d")
    real_open, real_list = os.open, os.scandir

    def deny(path: bytes) -> None:
        if path.endswith((b"/a", b"/closed")):
            raise PermissionError(13, "denied", path)

    monkeypatch.setattr(module.os, "open", lambda path, flags: deny(path) or real_open(path, flags))
    monkeypatch.setattr(module.os, "scandir", lambda path: deny(path) or real_list(path))
    assert left(tmp_path) == {"a": Reason.UNREADABLE, "closed/": Reason.UNREADABLE}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_what_permissions_forbid(tmp_path: Path) -> None:
    grow(tmp_path, "a", "closed/b").joinpath("a").chmod(0)
    (tmp_path / "closed").chmod(0)
    try:
        assert left(tmp_path) == {"a": Reason.UNREADABLE, "closed/": Reason.UNREADABLE}
    finally:
        (tmp_path / "closed").chmod(0o700)


def test_odd_names(tmp_path: Path) -> None:
    odd = ["new\nline", "tab\there", " space ", "quote'\"", "back\\slash", "*", "-rf", "é", "\u202e", "😀"]
    grow(tmp_path, *odd)
    assert found(tmp_path) == sorted(odd, key=str.encode)
    assert all(isinstance(item, Found) for item in scan(str(tmp_path)))


def test_names_that_are_no_utf8_are_left_out_in_printable_words(tmp_path: Path) -> None:
    try:
        (tmp_path / os.fsdecode(b"caf\xe9")).touch()
        (tmp_path / os.fsdecode(b"d\xff")).mkdir()
        (tmp_path / os.fsdecode(b"x\xff.log")).touch()
    except OSError:
        pytest.skip("this file system has no such names")
    (tmp_path / ".gitignore").write_text("*.log")
    assert left(tmp_path) == {"caf\\xe9": Reason.NAME, "d\\xff/": Reason.NAME, "x\\xff.log": Reason.GITIGNORE}


def test_no_tree_is_too_deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = 0
    try:
        for _ in range(1100):
            os.mkdir("d")
            os.chdir("d")
            made += 1
        os.chdir(tmp_path)
        assert found(tmp_path) == []
        assert found(tmp_path, "d/" * 1099) == []
    finally:  # what tidies up after tests goes down by recursion, so these must not stay
        os.chdir(tmp_path)
        for depth in range(made, 0, -1):
            os.rmdir("d/" * depth)


# The tally


def test_a_tally_counts_by_reason_in_words(tmp_path: Path) -> None:
    tally = Tally()
    for path, reason, is_folder in [
        ("a", Reason.UNREADABLE, False),
        ("b", Reason.GITIGNORE, True),
        ("c", Reason.LARGE, False),
        ("d", Reason.TOOLS, True),
        ("e", Reason.TOOLS, True),
    ]:
        tally.add(LeftOut(path, reason, is_folder))
    for n in range(4102):
        tally.add(LeftOut(str(n), Reason.GITIGNORE))
    for item in (Listed("a"), Listed(".env", True), Found("b", b""), Found(".env", None)):
        tally.add(item)
    assert (tally.files, tally.withheld) == (4, 2)
    assert tally.left_out[Reason.GITIGNORE] == (4102, 1)
    assert tally.words() == (
        "4,102 files and 1 folder ignored by .gitignore, "
        "2 folders of dependencies, builds, caches or version control, 1 over 1 MB, 1 unreadable"
    )


@pytest.mark.parametrize(
    ("limit", "words"), [(2_000_000, "2 MB"), (64_000, "64 KB"), (1234, "1,234 bytes"), (0, "0 bytes")]
)
def test_the_limit_is_said_as_it_is(limit: int, words: str) -> None:
    tally = Tally(max_bytes=limit)
    assert tally.words() == ""
    tally.add(LeftOut("a", Reason.LARGE))
    assert tally.words() == f"1 over {words}"


# Laws

NAMES = st.sampled_from(["a", "b", "ab", "a.b", "a-b", "a0", ".a", "é", "A"])
TREES = st.lists(st.lists(NAMES, min_size=1, max_size=4).map("/".join), min_size=1, max_size=15)
RULES = st.lists(
    st.sampled_from(["a", "/a", "a/", "*.b", "!a.b", "!a", "a/b", "**/b/", "a*", "!é", "/*/a"]), max_size=3
)


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    return tmp_path_factory.mktemp("laws")


def plant(roots: Path, tree: list[str], rules: dict[str, list[str]]) -> Path:
    root = Path(tempfile.mkdtemp(dir=roots))
    for path in tree:
        try:
            grow(root, path)
        except OSError:  # a file where a folder should be, or two names that are one to this file system
            continue
    for folder, lines in rules.items():
        if (root / folder).is_dir():
            (root / folder / ".gitignore").write_text("\n".join(lines))
    return root


SEARCH = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@SEARCH
@given(tree=TREES, rules=st.dictionaries(st.sampled_from(["", "a", "b"]), RULES))
def test_every_walk_is_ordered_and_repeatable(roots: Path, tree: list[str], rules: dict[str, list[str]]) -> None:
    root, other = plant(roots, tree, rules), plant(roots, tree, rules)
    items = list(walk(str(root)))
    keys = [(item.path + "/" * (isinstance(item, LeftOut) and item.is_folder)).encode() for item in items]
    assert keys == sorted(set(keys))
    assert items == list(walk(str(other)))


@SEARCH
@given(tree=TREES, rules=st.dictionaries(st.sampled_from(["", "a", "b"]), RULES), data=st.data())
def test_a_walk_from_below_is_that_part_of_the_whole(
    roots: Path, tree: list[str], rules: dict[str, list[str]], data: st.DataObject
) -> None:
    root = plant(roots, tree, rules)
    folders = [os.path.relpath(folder, root) for folder, _, _ in os.walk(root)]
    start = data.draw(st.sampled_from(sorted(folders)))
    whole = list(walk(str(root)))
    part = [item for item in whole if start == "." or (item.path + "/").startswith(start + "/")]
    above = [
        item for item in whole if isinstance(item, LeftOut) and item.is_folder and start.startswith(item.path + "/")
    ]
    assert list(walk(str(root), start)) == (above or part)


@pytest.mark.skipif(shutil.which("git") is None, reason="NO GIT HERE: the walk was not compared with git's")
@SEARCH
@given(tree=TREES, rules=st.dictionaries(st.sampled_from(["", "a", "b", "a/b"]), RULES), exclude=RULES)
def test_git_lists_the_same_files(
    roots: Path, tree: list[str], rules: dict[str, list[str]], exclude: list[str]
) -> None:
    root = plant(roots, tree, rules)
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env |= {
        "HOME": str(root),
        "XDG_CONFIG_HOME": str(root),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    subprocess.run(["git", "-c", "core.ignorecase=false", "init", "-q"], cwd=root, env=env, check=True)
    (root / ".git/info/exclude").write_text("\n".join(exclude))
    words = ["git", "ls-files", "-z", "--others", "--exclude-standard"]
    listed = subprocess.run(words, cwd=root, env=env, check=True, capture_output=True).stdout.decode()
    assert found(root) == sorted(filter(None, listed.split("\0")), key=str.encode)
