"""`analyze`, `top` and `regions`: a small tree in three languages, whole answers, and folders that hold little."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tests.core.serve.calling import ROOT, Caller, environment, outside

TREE = {
    "app.py": "import shop.order\n\ndef main():\n    shop.order.place('here')\n",
    "shop/__init__.py": "",
    "shop/order.py": "from shop.item import Item, load\n\ndef place(where):\n    return Item(load(where))\n",
    "shop/item.py": "import shop.order\n\nclass Item:\n    pass\n\ndef load(where):\n    pass\n",
    "shop/late.py": "def f():\n    from shop import soon\n    return soon.g()\n",
    "shop/soon.py": "from shop.late import f\n\ndef g():\n    return f()\n",
    "tests/test_order.py": "from shop.order import place\n\ndef test_place():\n    place('.')\n",
    "web/cart.ts": "import { show } from './show';\n\nexport function cart() { show(1); }\n",
    "web/show.ts": "export function show(n: number) { }\n",
    "go.mod": "module example.org/m\n",
    "cmd/main.go": "package main\n\nfunc main() { run() }\n",
    "cmd/run.go": "package main\n\nfunc run() { }\n",
    "broken.py": "def f(:\n    pass\n",
    "README.md": "# Shop\n",
    ".env": "KEY=1\n",
}
COMMANDS = (("analyze",), ("analyze", "--cycles"), ("top",), ("regions",), ("analyze", "--dot", "-"))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return grown(tmp_path / "shop", TREE)


def grown(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def said(run: Caller, folder: Path, *words: object) -> str:
    done = run(*words)
    assert (done.code, done.err) == (0, "")
    return done.out.replace(str(folder), "DIR")


# ---- in words ----


def test_analyze_in_words(run: Caller, tree: Path) -> None:
    assert said(run, tree, "analyze", tree) == dedent("""\
        DIR: 12 files (1 test), 12 symbols, 16 dependencies

                      files  symbols  imports  calls  here
          python          8        8        7      6  100%
          go              2        2        0      1  100%
          typescript      2        2        1      1  100%

        here = how many of the calls, types, bases and decorators that go by a defined or imported name lead to code
        in here, for certain. The rest are libraries', or can't be told without running the code.
        1 file not wholly understood
          broken.py: syntax errors
        not read: 2 files in unknown languages, 1 that may contain secrets

        entry points: 3 files nothing depends on, tests set apart
          reaching
                 2  app.py
                 1  cmd/main.go
                 1  web/cart.ts

        hubs: much depends on them, and they depend on much
          dependents  dependencies
                   2             1  shop/order.py
                   1             1  shop/item.py
                   1             1  shop/late.py
                   1             1  shop/soon.py

        layers: 2, from 8 files at the bottom up to app.py
          8 3

        alone: 2 files without a tie to another one

        import cycles: 1, of 2 files
          2 files: shop/item.py:1 → shop/order.py:1 → shop/item.py
        1 more closed only by imports inside functions or for types alone
          See: ccos-tui analyze DIR --cycles
        """)


def test_cycles_in_words(run: Caller, tree: Path) -> None:
    assert said(run, tree, "analyze", tree, "--cycles") == dedent("""\
        import cycles: 1, of 2 files

        2 files: shop/item.py:1 → shop/order.py:1 → shop/item.py
          without shop/item.py:1 → shop/order.py (1 use) no circle is left

        1 more closed only by imports inside functions or for types alone:

        2 files: shop/late.py:2 → shop/soon.py:1 → shop/late.py
          without shop/late.py:2 → shop/soon.py (2 uses) no circle is left
        """)


def test_top_in_words(run: Caller, tree: Path) -> None:
    assert said(run, tree, "top", tree, "--limit", 3) == dedent("""\
        files most depended on, by direct use
          direct  reach  centrality
               3      3      26.81%  shop/order.py
               1      3      24.89%  shop/item.py
               1      1      13.97%  shop/late.py

        symbols most depended on, by direct use
          direct  in files  reach  centrality
               3         2      3       6.68%  function place  shop/order.py:3
               2         1      2      18.31%  function f  shop/late.py:1
               2         1      7       6.88%  class Item  shop/item.py:3

        direct = who uses it; reach = all who depend on it, through others too
        """)


def test_regions_in_words(run: Caller, tree: Path) -> None:
    assert said(run, tree, "regions", tree, "--limit", 2) == dedent("""\
        DIR: 4 regions of 9 files in 4 parts without a tie; 2 more files stand alone

        1  shop, around shop/order.py
           3 files, 1 test, 4 symbols: item.py, order.py

        2  cmd, around cmd/run.go
           2 files, 2 symbols: main.go, run.go

        and 2 smaller ones, 4 files in all
        """)


# ---- as data ----


def test_as_json(run: Caller, tree: Path) -> None:
    told = run("analyze", tree, "--json").json()
    assert (told["schema"], told["dir"]) == ("ccos.analysis/1", str(tree))
    assert (told["files"], told["tests"], told["symbols"], told["edges"]) == (12, 1, 12, 16)
    assert told["flaws"] == [{"path": "broken.py", "why": ["syntax"]}]
    assert told["layers"] == [{"files": 8, "first": "broken.py"}, {"files": 3, "first": "app.py"}]
    assert (told["other_files"], told["withheld"], told["left_out"]) == (2, 1, {})
    cycles = run("analyze", tree, "--cycles", "--json").json()
    assert cycles == {"schema": "ccos.cycles/1", "dir": str(tree), **told["cycles"]}
    (cycle,) = cycles["loading"]
    assert cycle["files"] == ["shop/item.py", "shop/order.py"]
    assert cycle["cut"] == {"path": "shop/item.py", "line": 1, "to": "shop/order.py", "uses": 1}
    assert (cycle["left"], cycle["shortest"]) == (0, True)


def test_top_as_json(run: Caller, tree: Path) -> None:
    told = run("top", tree, "--by", "reach", "--limit", 1, "--json").json()
    assert (told["schema"], told["by"]) == ("ccos.top/1", "reach")
    assert [(row["node"], row["direct"], row["reach"]) for row in told["files"]] == [("file:shop/order.py", 3, 3)]
    (symbol,) = told["symbols"]
    assert (symbol["node"], symbol["kind"], symbol["line"]) == ("sym:shop/item.py#Item", "class", 3)
    assert all(type(symbol[field]) is int for field in ("direct", "files", "reach", "centrality"))


def test_top_as_if_tests_were_not_there(run: Caller, tree: Path) -> None:
    told = run("top", tree, "--limit", 1, "--no-tests", "--json").json()
    assert [(row["path"], row["direct"]) for row in told["files"]] == [("shop/order.py", 2)]


def test_regions_as_json(run: Caller, tree: Path) -> None:
    told = run("regions", tree, "--limit", 1, "--json").json()
    assert told["schema"] == "ccos.regions/1"
    assert [region["files"] for region in told["regions"]] == [
        ["app.py", "shop/item.py", "shop/order.py"],
        ["cmd/main.go", "cmd/run.go"],
        ["shop/late.py", "shop/soon.py"],
        ["web/cart.ts", "web/show.ts"],
    ]
    assert told["alone"] == ["broken.py", "shop/__init__.py"]


def test_what_is_left_out_is_told(run: Caller, tree: Path) -> None:
    grown(tree, {".gitignore": "build/\n*.gen.py\n", "build/a.py": "", "x.gen.py": "", "node_modules/a/b.js": ""})
    told = run("analyze", tree, "--json").json()
    assert told["files"] == 12
    assert told["left_out"]["gitignore"] == {"files": 1, "folders": 1}
    assert told["left_out"]["tools"] == {"files": 0, "folders": 1}
    assert "ignored by .gitignore" in run("analyze", tree).out


# ---- the drawing ----


def test_a_drawing_in_a_file_beside_the_answer(run: Caller, tree: Path, tmp_path: Path) -> None:
    place = tmp_path / "my code.dot"
    done = run("analyze", tree, "--dot", place)
    assert done.code == 0
    assert done.out == run("analyze", tree).out
    assert f"dot -Tsvg '{place}'" in done.err
    assert place.read_text("utf-8") == run("analyze", tree, "--dot", "-").out
    assert run("analyze", tree, "--cycles", "--json", "--dot", place).json()["schema"] == "ccos.cycles/1"


def test_a_drawing_on_stdout_is_all_there_is(run: Caller, tree: Path) -> None:
    done = run("analyze", tree, "--dot", "-")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("digraph code {\n")
    assert done.out.endswith("}\n")
    assert done.out.count("color=red") == 2
    refused = run("analyze", tree, "--dot", "-", "--json")
    assert (refused.code, refused.json()["schema"]) == (2, "ccos.error/1")


def test_a_drawing_that_cannot_be_written(run: Caller, tree: Path, tmp_path: Path) -> None:
    done = run("analyze", tree, "--dot", tmp_path / "no" / "x.dot")
    assert done.code == 5
    assert "can't be written" in done.err


# ---- folders that hold little ----


@pytest.mark.parametrize("command", ["analyze", "top", "regions"])
def test_where_there_is_no_code(run: Caller, tmp_path: Path, command: str) -> None:
    (tmp_path / "empty").mkdir()
    done = run(command, tmp_path / "empty")
    assert (done.code, done.out) == (1, "")
    assert "contains no code" in done.err
    grown(tmp_path / "prose", {"README.md": "# A\n", "a.txt": "import b\n"})
    assert run(command, tmp_path / "prose", "--json").json()["exit"] == 1
    assert run(command, tmp_path / "nonesuch").code == 1
    assert run(command, tmp_path / "prose" / "a.txt").code == 3
    assert run(command).code == 2


def test_code_without_any_tie(run: Caller, tmp_path: Path) -> None:
    grown(tmp_path, {"a.py": "x = 1\n", "b.ts": ""})
    assert "alone: 2 files" in run("analyze", tmp_path).out
    assert "No import cycles." in run("analyze", tmp_path).out
    assert run("analyze", tmp_path, "--cycles").out == "No import cycles.\n"
    assert run("top", tmp_path).out == "Nothing in here depends on anything else in here.\n"
    assert run("regions", tmp_path).out == f"{tmp_path}: 0 regions of 0 files; 2 more files stand alone\n"


def test_only_functions_close_a_circle(run: Caller, tmp_path: Path) -> None:
    grown(tmp_path, {"a.py": "import b\n", "b.py": "def f():\n    import a\n"})
    assert run("analyze", tmp_path, "--cycles").out == dedent("""\
        No import cycles.

        1 closed only by imports inside functions or for types alone:

        2 files: a.py:1 → b.py:2 → a.py
          without a.py:1 → b.py (1 use) no circle is left
        """)


def test_a_long_circle_is_cut_short_and_a_search_given_up_says_so(
    run: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grown(tmp_path, {f"m{at:02}.py": f"import m{(at + 1) % 12:02}\n" for at in range(12)})
    ring = " → ".join(f"m{at:02}.py:1" for at in range(8))
    first, second = run("analyze", tmp_path, "--cycles").out.splitlines()[2:]
    assert first == f"12 files: {ring} → … 4 more … → m00.py"
    assert second == "  without m00.py:1 → m01.py (1 use) no circle is left"
    monkeypatch.setattr("ccos_core.query.structure.rings.PATIENCE", 0)
    assert "a shorter circle may exist" in run("analyze", tmp_path, "--cycles").out


def test_symbols_use_each_other_in_one_file(run: Caller, tmp_path: Path) -> None:
    grown(tmp_path, {"a.py": "def f(): pass\n\ndef g(): f()\n"})
    told = run("top", tmp_path, "--json").json()
    assert [row["name"] for row in told["symbols"]] == ["f"]
    assert run("top", tmp_path).out.splitlines()[:3] == [
        "symbols most depended on, by direct use",
        "  direct  in files  reach  centrality",
        "       1         0      1      48.05%  function f  a.py:1",
    ]


# ---- what others call their files ----


@pytest.mark.skipif(sys.platform == "win32", reason="its file systems have no such names")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_name_a_terminal_would_obey(run: Caller, tmp_path: Path, command: tuple[str, ...]) -> None:
    for name in ("a\x1b[31m", "b\nc", 'q"\\', "r\u202el"):
        grown(tmp_path / name, {"x.py": "from . import y\n", "y.py": "from . import x\n"})
    shown = run(*command[:1], tmp_path, *command[1:]).out
    assert not set("\x1b\u202e") & set(shown)
    assert "b\nc" not in shown
    assert "b%0Ac" in shown


# ---- the same for everyone ----


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_same_under_any_hash_seed(tree: Path, command: tuple[str, ...]) -> None:
    words = (command[0], tree, *command[1:])
    told = {outside(*words, env=environment(PYTHONHASHSEED=seed)).stdout for seed in ("0", "1", "77")}
    assert len(told) == 1
    assert told != {b""}


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_terminal_that_speaks_ascii(tree: Path, command: tuple[str, ...]) -> None:
    done = outside(command[0], tree, *command[1:], env=environment(PYTHONIOENCODING="ascii"))
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert done.stdout.isascii()
    if command == ("analyze", "--cycles"):
        assert b"shop/item.py:1 -> shop/order.py:1 -> shop/item.py" in done.stdout


def test_a_closed_pipe_is_no_trouble(tree: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = outside("analyze", tree, "--dot", "-", capture_output=False, stdout=writing, stderr=-1)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


PROBE = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from ccos_tui.__main__ import main
code = main()
print(code, "networkx" in sys.modules, file=sys.stderr)
"""


@pytest.mark.parametrize(("asked", "loaded"), [("analyze --cycles", True), ("window --around app.py", False)])
def test_only_who_asks_for_the_shape_pays_for_it(tree: Path, asked: str, loaded: bool) -> None:
    name, *words = asked.split()
    command = [sys.executable, "-P", "-c", PROBE, str(ROOT), name, str(tree), *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stderr.splitlines()[-1] == f"0 {loaded}"


# ---- a snapshot, and one region of it ----


def test_analyze_records_a_snapshot(run: Caller, tree: Path, tmp_path: Path) -> None:
    snapshot = tmp_path / "out" / "run.ccos"
    snapshot.parent.mkdir()
    done = run("analyze", tree, "--out", snapshot)
    assert (done.code, done.out) == (0, run("analyze", tree).out)
    assert "Try: ccos-tui verify" in done.err
    for words in (["verify"], ["replay"], ["blame", "app.py"], ["impact", "shop/order.py"]):
        assert run(words[0], snapshot, *words[1:]).code == 0, words
    assert "shop/order.py" in run("blame", snapshot, "app.py").out
    again = run("analyze", tree, "--out", snapshot)
    assert again.code != 0, "what is there isn't overwritten"
    assert run("analyze", tree, "--out", tmp_path / "run.json").code == 2


def test_a_failure_is_followed_as_deep_as_asked(run: Caller, tree: Path, tmp_path: Path) -> None:
    snapshot = tmp_path / "run.ccos"
    run("analyze", tree, "--out", snapshot)
    reached = [run("failure", snapshot, "app.py#main", "--depth", depth).out.splitlines() for depth in (0, 1, 2)]
    nodes = [{line.split("%")[1].strip() for line in each} for each in reached]
    assert nodes[0] <= nodes[1] <= nodes[2]
    assert "sym:app.py#main" in nodes[0]
    assert "sym:shop/order.py#place" in nodes[1] - nodes[0]
    assert "sym:shop/item.py#load" in nodes[2] - nodes[1]
    told = run("failure", snapshot, "app.py#main", "--depth", 1, "--json").json()
    assert {node for node, _ in told["within"]} == nodes[1]
    assert "within" not in run("failure", snapshot, "app.py#main", "--json").json()


def test_a_region_is_loaded(run: Caller, tree: Path) -> None:
    done = run("regions", tree, "--activate", "shop/order.py", "--budget", 200)
    assert done.code == 0
    assert done.out.startswith("# shop/order.py\n")
    assert "# shop/item.py" in done.out
    assert "web/show.ts" not in done.out
    told = run("regions", tree, "--activate", "shop/item.py#load", "--json").json()
    assert told["schema"] == "ccos.region/1"
    assert told["files"][0] == "shop/item.py"
    assert set(told["files"]) == set(told["region"]["files"])
    assert told["window"]["tokens"] <= told["window"]["budget"] == 2048
    assert "def load" in told["window"]["text"]
    assert run("regions", tree, "--activate", "broken.py").code == 1
    assert run("regions", tree, "--activate", "nowhere.py").code == 1
    assert run("regions", tree, "--budget", 200).code == 2


@pytest.mark.parametrize("budget", [64, 100, 200, 400, 800])
def test_a_larger_budget_loses_no_file_of_a_region(budget: int, run: Caller, tree: Path) -> None:
    def paths(tokens: int) -> set[str]:
        told = run("regions", tree, "--activate", "shop/order.py", "--budget", tokens, "--json").json()
        assert told["window"]["tokens"] <= tokens
        return {item["path"] for item in told["window"]["items"]}

    assert paths(budget) <= paths(2 * budget)
