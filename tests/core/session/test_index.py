"""A folder's code is understood the same way however many processes look at it, and only what may be shown is."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ccos_core.errors import NotFound, Usage
from ccos_core.session import index as outlines_module
from ccos_core.session.index import Index, outlines
from ccos_core.storage import outline_cache
from ccos_core.values.code import MODULE

Write = Callable[..., None]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def put(**files: str) -> None:
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/").replace("_py", ".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")

    return put


def test_links_lead_to_the_symbol_that_is_meant(write: Write, tmp_path: Path) -> None:
    write(
        app_py="from db import connect\n\ndef go():\n    return connect()\n",
        db_py="X = 1\n\ndef connect():\n    pass\n",
    )
    index = Index(str(tmp_path))
    (target,) = {link.target for link in index.links("app.py") if link.role == "call"}
    assert target.path == "db.py"
    assert index.outlines["db.py"].symbols[target.symbol].name == "connect"


def test_what_git_ignores_is_not_there(write: Write, tmp_path: Path) -> None:
    write(a_py="import b\n", b_py="")
    (tmp_path / ".gitignore").write_text("b.py\n")
    index = Index(str(tmp_path))
    assert set(index.outlines) == {"a.py"}
    assert index.links("a.py") == ()


def test_a_source_shows_no_secret_and_no_hidden_character(write: Write, tmp_path: Path) -> None:
    write(a_py="PASSWORD = 'hunter2-hunter2'\nx = '\u202e'\n")
    text = Index(str(tmp_path)).source("a.py").text
    assert "hunter2" not in text
    assert "\u202e" not in text
    assert text.count("\n") == 2


def test_several_processes_give_what_one_gives(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(**{f"m{n}_py": f"import m{(n + 1) % 7}\n\ndef f{n}():\n    pass\n" for n in range(7)})
    paths = [f"m{n}.py" for n in range(7)]
    alone = outlines(str(tmp_path), paths)
    outline_cache.drop()
    monkeypatch.setattr(outlines_module, "WORTH_A_PROCESS", 0)
    monkeypatch.setattr("ccos_core.session.deriving.SHARE", 3)
    monkeypatch.setattr("os.cpu_count", lambda: 3)
    assert outlines(str(tmp_path), paths) == alone


def test_a_file_is_meant_by_its_path_or_its_unique_end(write: Write, tmp_path: Path) -> None:
    write(src__a__x_py="", src__b__x_py="", src__b__y_py="")
    index = Index(str(tmp_path))
    assert index.known("src/a/x.py") == index.known("./src/a/x.py") == index.known("a/x.py") == "src/a/x.py"
    assert index.known("file:y.py") == "src/b/y.py"
    with pytest.raises(Usage, match="several"):
        index.known("x.py")
    with pytest.raises(NotFound, match=r"src/b/y\.py"):
        index.known("src/b/yy.py")


def test_a_file_of_no_language_we_read_has_no_links(write: Write, tmp_path: Path) -> None:
    write(a_py="")
    (tmp_path / "notes.txt").write_text("import a\n")
    index = Index(str(tmp_path))
    assert index.links("notes.txt") == ()
    assert index.source("notes.txt").shown(MODULE, "body") == (1,)
