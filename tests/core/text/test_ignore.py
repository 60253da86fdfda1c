"""The ignore language against git itself, wherever git is at hand; and a table of examples for where it isn't."""

import os
import shutil
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ccos_core.text.ignore import Matcher, Rules, parse_rules

# (rules, path, is a folder, ignored)
EXAMPLES = [
    ("", "a", False, False),
    ("foo", "foo", False, True),
    ("foo", "a/b/foo", False, True),
    ("foo", "foobar", False, False),
    ("foo/", "foo", False, False),
    ("foo/", "foo", True, True),
    ("/foo", "foo", False, True),
    ("/foo", "a/foo", False, False),
    ("a/foo", "a/foo", False, True),
    ("a/foo", "b/a/foo", False, False),
    ("*.log", "x/y.log", False, True),
    ("*.log", ".log", False, True),
    ("*.log", "y.log.txt", False, False),
    ("*.tar.gz", "y.tar.gz", False, True),
    ("*.tar.gz", "y.gz", False, False),
    ("*~", "notes~", False, True),
    ("f*o", "fo", False, True),
    ("f*o", "f", False, False),
    ("aa*aa", "aaa", False, False),
    ("f?o", "f/o", False, False),
    ("/a/*", "a/b", False, True),
    ("/a/*", "a/b/c", False, False),
    ("/a/*.c", "a/b.c", False, True),
    ("/a/*.c", "a/x/b.c", False, False),
    ("**/foo", "foo", False, True),
    ("**/foo", "x/y/foo", False, True),
    ("**/a/foo", "x/a/foo", False, True),
    ("**/a/foo", "xa/foo", False, False),
    ("a/**", "a", True, False),
    ("a/**", "a/b/c", False, True),
    ("a/**/b", "a/b", False, True),
    ("a/**/b", "a/x/y/b", False, True),
    ("a/**/b", "a/xb", False, False),
    ("a/**/b/**/c", "a/b/1/b/c", False, True),
    ("a**b", "axxb", False, True),
    ("/foo**/bar", "foobar", False, True),  # odd, but so does git
    ("*.log\n!keep.log", "keep.log", False, False),
    ("!keep.log\n*.log", "keep.log", False, True),
    ("# foo", "# foo", False, False),
    (r"\# foo", "# foo", False, True),
    (r"\!foo", "!foo", False, True),
    ("foo   ", "foo", False, True),
    ("foo\\  ", "foo ", False, True),
    ("foo\t", "foo", False, False),
    ("foo\r\nbar\r\n", "foo", False, True),
    ("\ufefffoo", "foo", False, True),
    ("[a-c]x", "bx", False, True),
    ("[!a-c]x", "bx", False, False),
    ("[^a-c]x", "dx", False, True),
    ("[]x]", "]", False, True),
    ("[a-]", "-", False, True),
    ("[[:digit:]]", "7", False, True),
    ("[[:nonsense:]]", "n", False, False),
    ("[a", "[a", False, False),
    ("foo\\", "foo\\", False, False),
    ("a[/]b", "a/b", False, False),
    ("ü?", "üx", False, True),
    ("?", "ü", False, False),  # two bytes
    ("[ü]x", "üx", False, False),
    ("/", "a", True, False),
    ("//", "a", True, False),
    ("a\nb", "a\nb", False, False),
    ("a*b", "a\nb", False, True),
]


@pytest.mark.parametrize(("rules", "path", "is_dir", "ignored"), EXAMPLES)
def test_examples(rules: str, path: str, is_dir: bool, ignored: bool) -> None:
    assert Matcher(parse_rules(rules)).ignored(path, is_dir) is ignored


def test_the_deepest_file_with_an_opinion_decides() -> None:
    outer, inner = parse_rules("*.log\n/x"), parse_rules("!*.log\n/x", "sub/")
    both = Matcher(outer).below(inner)
    assert both.ignored("a.log", False)
    assert not both.ignored("sub/a.log", False)
    assert both.ignored("sub/x", False)
    assert not both.ignored("sub/y/x", False)
    assert not both.ignored("other/x", False)
    assert both.ignored("sub2/a.log", False)


def test_a_verdict_is_three_valued() -> None:
    rules = parse_rules("*.log\n!keep.log")
    assert rules.verdict("a.log", False) is True
    assert rules.verdict("keep.log", False) is False
    assert rules.verdict("a.txt", False) is None


def test_what_lies_in_an_ignored_folder_is_hidden_whatever_is_negated() -> None:
    matcher = Matcher(parse_rules("out/\n!out/keep"))
    assert not matcher.ignored("out/keep", False)
    assert matcher.hides("out/keep")
    assert matcher.hides("a/out/b/c")
    assert not matcher.hides("a/b")


def test_files_without_rules_weigh_nothing() -> None:
    empty = Matcher(parse_rules("# only words\n\n"))
    assert not empty
    assert empty.below(Rules([])) is empty


def test_a_repr_says_how_many_and_where() -> None:
    assert repr(Matcher(parse_rules("a\nb"), parse_rules("c", "sub"))) == "Matcher(Rules(2 in ./), Rules(1 in sub/))"


# Foreign text

CHARS = st.sampled_from([*"aab./*?[]!^-\\: #", "\r", "\t", "é", "**", "**/", "/**", "[[:alpha:]]", "[!a]", "[a-b]"])
PATTERNS = st.lists(CHARS, min_size=1, max_size=9).map("".join)
FILES = st.lists(PATTERNS, max_size=5).map("\n".join)


@given(st.text(), st.text(), st.text(), st.booleans())
def test_no_text_raises(rules: str, base: str, path: str, is_dir: bool) -> None:
    Matcher(parse_rules(rules, base)).hides(path, is_dir)


@given(FILES, st.lists(st.sampled_from(["a", "b", "ab", "é", "a.b"]), min_size=1, max_size=4))
def test_a_base_is_only_a_prefix(rules: str, parts: list[str]) -> None:
    path = "/".join(parts)
    at_root, below = parse_rules(rules), parse_rules(rules, "é/sub")
    assert below.verdict(f"é/sub/{path}", False) == at_root.verdict(path, False)
    assert below.verdict(path, False) is None


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 20 + "b", "a" * 4000),
        ("*a" * 500 + "b", "a" * 4000),
        ("/x/" + "*a" * 200 + "b", "x/" + "a" * 4000),
        ("**/a/" * 30 + "b", "a/" * 1500 + "c"),
        ("**/*a*/" * 20 + "b", "aa/" * 1200 + "c"),
        ("*?" * 300 + "b", "a" * 3000),
        ("[a-z]*" * 200 + "0", "a" * 3000),
        ("a/**/" * 12 + "*a*a*a*b", "a/" * 1000 + "a" * 250),
        ("*" * 50_000 + "b", "a" * 4000),
        ("[" * 50_000, "["),
        ("[[:" * 20_000, "["),
        ("\\" * 50_001, "\\"),
    ],
)
def test_no_pattern_runs_away(pattern: str, path: str) -> None:
    """Going back on choices would take longer than the universe has; the limit of time would end it."""
    assert not Matcher(parse_rules(pattern)).ignored(path, False)


def test_importing_it_is_cheap() -> None:
    code = (
        "import sys, re, ccos_core; had = set(sys.modules); import ccos_core.text.ignore; print(set(sys.modules) - had)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "dataclasses" not in out
    assert "'typing'" not in out


# git as the oracle

needs_git = pytest.mark.skipif(
    shutil.which("git") is None, reason="NO GIT HERE: the ignore language was not compared with git's"
)
NAMES = ["a", "b", "ab", "ba", "aa", "a.b", ".a", "!a", "#a", "a ", "a-", "-", "^", "[a]", "]", "*", "a\\", "a\r"]
NAMES += [":", "é", "aé"]


class Git:
    """A repository whose ignore files are rewritten for each question."""

    def __init__(self, root: Path) -> None:
        self.root = root / "tree"
        self.root.mkdir()
        home = root / "home"
        home.mkdir()
        self._env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        self._env |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home)}
        self._env |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        self._run("init", "-q")
        self._run("config", "core.ignorecase", "false")

    def grow(self, paths: list[str]) -> list[tuple[str, bool]]:
        """Make files, skipping names this file system refuses; every path there is now, and whether it is a folder."""
        for path in paths:
            try:
                (self.root / path).parent.mkdir(parents=True, exist_ok=True)
                (self.root / path).touch()
            except OSError:
                continue
        found = []
        for folder, folders, files in os.walk(self.root):
            folders[:] = [name for name in folders if name != ".git"]
            for name in folders + files:
                path = PurePosixPath(folder).relative_to(PurePosixPath(self.root)) / name
                if name != ".gitignore":
                    found.append((str(path), name in folders))
        return found

    def ignored(self, paths: list[tuple[str, bool]], rules: dict[str, str]) -> set[str]:
        for base, text in rules.items():
            file = self.root / base / ".gitignore"
            if file.parent.is_dir():
                file.write_bytes(text.encode("utf-8", "surrogateescape"))
        asked = b"\0".join(b"./" + os.fsencode(path) for path, _ in paths)  # a bare ":" would be pathspec magic
        out = self._run("check-ignore", "--no-index", "-z", "--stdin", stdin=asked)
        return {os.fsdecode(path.removeprefix(b"./")) for path in out.split(b"\0") if path}

    def _run(self, *words: str, stdin: bytes = b"") -> bytes:
        done = subprocess.run(
            ["git", *words], cwd=self.root, env=self._env, input=stdin, capture_output=True, check=False
        )
        assert done.returncode in (0, 1), done.stderr.decode()
        return done.stdout


@pytest.fixture(scope="module")
def git(tmp_path_factory: pytest.TempPathFactory) -> tuple[Git, list[tuple[str, bool]]]:
    repository = Git(tmp_path_factory.mktemp("oracle"))
    tops = [*NAMES, *(f"a/{name}" for name in NAMES), *(f"b/ab/{name}" for name in NAMES)]
    deep = [
        f"{one}/{two}/{three}" for one in ("aa", "ab") for two in ("a", "b", "aé") for three in ("a", "ab", "a.b", "b")
    ]
    leaves = [f"{path}/{leaf}" for path in ("a/a", "a/b", "b/ab/a", "ba") for leaf in ("a", "b", "ab", "a.b")]
    return repository, repository.grow([*deep, *leaves, *tops])


def ours(paths: list[tuple[str, bool]], rules: dict[str, str]) -> set[str]:
    stack = [parse_rules(rules[base], base) for base in sorted(rules, key=len)]
    matcher = Matcher(*stack)
    return {path for path, is_dir in paths if matcher.hides(path, is_dir)}


@needs_git
@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(root=FILES, a=FILES, ab=FILES)
@example(root="/a**/a\n/b**\n!/b/ab", a="", ab="")
@example(root="a/**\\/a\n**\\/b", a="", ab="")
@example(root="[a\\]]*\n[]-a]\n[a-[:alpha:]]\n[[:]\n[--b]", a="", ab="")
@example(root="*\n!*/\n!a.b", a="!*", ab="")
@example(root="a\r\n!ab\r\n\r\n#a\r\nb \r", a="\ufeff*\n!/a", ab="\x00*")
def test_we_agree_with_git(git: tuple[Git, list[tuple[str, bool]]], root: str, a: str, ab: str) -> None:
    repository, paths = git
    rules = {"": root, "a": a, "b/ab": ab}
    assert ours(paths, rules) == repository.ignored(paths, rules)


PARTS = st.sampled_from(["a", "b", "ab", "a.b", ".a", "é", "ba"])
TREES = st.lists(st.lists(PARTS, min_size=1, max_size=5).map("/".join), min_size=1, max_size=12)


@needs_git
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(tree=TREES, root=FILES, where=st.lists(PARTS, min_size=1, max_size=2).map("/".join), below=FILES)
def test_we_agree_with_git_on_any_tree(
    tmp_path_factory: pytest.TempPathFactory, tree: list[str], root: str, where: str, below: str
) -> None:
    repository = Git(tmp_path_factory.mktemp("tree"))
    paths = repository.grow(tree)
    rules = {"": root, where: below if (where, True) in paths else ""}
    assert ours(paths, rules) == repository.ignored(paths, rules)


@needs_git
@pytest.mark.parametrize(("rules", "path", "is_dir", "ignored"), EXAMPLES)
def test_the_examples_are_true_of_git(tmp_path: Path, rules: str, path: str, is_dir: bool, ignored: bool) -> None:
    repository = Git(tmp_path)
    repository.grow([f"{path}/inside" if is_dir else path])
    hidden = ignored or Matcher(parse_rules(rules)).hides(path)  # git looks at the folders above, too
    assert repository.ignored([(path, is_dir)], {"": rules}) == ({path} if hidden else set())
