"""Documents that are printed from the product, or compute something, must agree with it."""

import importlib.util
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ccos_core.log.chain import GENESIS
from ccos_core.ops import epoch, plain
from ccos_core.ops.plain import delivery_key
from ccos_core.query.catalogue import QUESTIONS
from ccos_core.session.admit import admit
from ccos_core.values.canon import chained

ROOT = Path(__file__).resolve().parents[2]
FORMAT = (ROOT / "docs" / "FORMAT.md").read_text("utf-8")


@cache
def generated() -> dict[Path, str]:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    pages: dict[Path, str] = module.pages()
    return pages


@pytest.mark.parametrize(
    "name", ["OPS.md", "AGENTS.md", "CLI.md", "KEYS.md", "QUERIES.md", "SCHEMAS.md", "schemas.json", "MCP.md"]
)
def test_generated_pages_are_current(name: str) -> None:
    page = ROOT / "docs" / name
    assert page.read_text("utf-8") == generated()[page], "run: python docs/generate.py"


def test_each_generated_page_is_tested() -> None:
    (mark,) = (mark for mark in test_generated_pages_are_current.pytestmark if mark.name == "parametrize")
    assert {page.name for page in generated()} == set(mark.args[1])


def test_every_field_of_an_answer_is_explained() -> None:
    """A docstring below the field does it; names with one meaning everywhere are in docs/field_meanings.py."""
    schemas = json.loads((ROOT / "docs" / "schemas.json").read_text("utf-8"))
    parts = schemas["$defs"].items()
    fields = [(name, field, each) for name, part in parts for field, each in part["properties"].items()]
    assert len(fields) > 300
    fixed = ("schema", "partial")
    assert not [f"{name}.{field}" for name, field, each in fields if field not in fixed and not each["description"]]


def test_kept_answers_fit_their_schemas() -> None:
    """Every answer among the golden files has exactly the fields and types that schemas.json promises."""
    jsonschema = pytest.importorskip("jsonschema")
    schemas = json.loads((ROOT / "docs" / "schemas.json").read_text("utf-8"))
    judges: dict[str, Any] = {}
    for kept in sorted((ROOT / "tests" / "golden" / "questions").glob("*.jsonl")):
        for line in kept.read_text("utf-8").splitlines():
            answer = json.loads(line.replace('"space":{...}', '"space":{}'))  # sizes differ between machines
            name = answer["schema"]
            if name == "ccos.error/1":
                continue
            whole = {"$ref": f"#/$defs/{name.replace('/', '~1')}", "$defs": schemas["$defs"]}
            judge = judges.setdefault(name, jsonschema.Draft202012Validator(whole))
            assert not [f"{kept.name}: {each.json_path}: {each.message}" for each in judge.iter_errors(answer)]
    promised = {name for entry in QUESTIONS for name in (each.schema for each in entry.load().answers)}
    assert not promised - set(judges), "no golden answer shows these"


def test_the_worked_example_of_the_format_is_what_the_code_does() -> None:
    bare = {**epoch.current(at=1_771_061_460_000), "weights": {}, "caps": {}}  # a line one can read
    first = plain.seal(bare)
    second = admit(
        {
            "kind": "seen",
            "how": "read",
            "path": "src/db.py",
            "content": "TIMEOUT = 5\n",
            "at": 1_771_061_469_000,
            "host": "demo",
            "session": "s1",
            "call": "c1",
        }
    )
    after_first = chained(GENESIS, first)
    after_second = chained(after_first, second.body)
    key = delivery_key(json.loads(second.body))
    assert key is not None
    for told in (
        GENESIS.hex(),
        first.decode(),
        after_first.hex(),
        second.blobs[0][0].hex(),
        second.body.decode(),
        after_second.hex(),
        key.hex(),
    ):
        assert told in FORMAT
    assert f"Op 1, {len(first)} bytes" in FORMAT
    assert f"op 2, {len(second.body)} bytes" in FORMAT


def test_every_table_of_the_schema_is_explained() -> None:
    from ccos_core.storage.schema import TABLES

    for table, columns in re.findall(r"CREATE TABLE (\w+) \((.*?)\n\)", TABLES, re.DOTALL):
        row = next(line for line in FORMAT.splitlines() if line.startswith(f"| `{table}` |"))
        for column in re.findall(r'^\s+"?(\w+)"?', columns, re.MULTILINE):
            if column != "PRIMARY":
                assert column in row, f"FORMAT.md says nothing of {table}.{column}"


def test_the_glossary_is_short_and_used() -> None:
    """A language of at most 25 words, each of which another page needs."""
    rows = (ROOT / "docs" / "GLOSSARY.md").read_text("utf-8").splitlines()
    words = [row.split("|")[1].strip() for row in rows if row.startswith("| ") and not row.startswith("| word |")]
    assert 1 <= len(words) == len(set(words)) <= 25
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    others = "\n".join(page.read_text("utf-8") for page in pages if page.name != "GLOSSARY.md")
    assert not [word for word in words if not re.search(rf"\b{word}s?\b", others, re.IGNORECASE)]


def test_the_folders_of_the_architecture_exist() -> None:
    """Each folder of the core and of the app has a row, and the file to start with is there."""
    page = (ROOT / "docs" / "ARCHITECTURE.md").read_text("utf-8")
    core, _, app = page.partition("`ccos_tui`, the debugger:")
    for package, table in (("ccos_core", core), ("ccos_tui", app)):
        rows = dict(re.findall(r"^\| `([\w.]+)`.*\| (?:`([\w/]+\.py)`)? \|$", table, re.MULTILINE))
        folders = {path.parent.name for path in (ROOT / package).glob("*/__init__.py")}
        assert folders <= set(rows)
        starts = [ROOT / package / (folder if folder in folders else "") / start for folder, start in rows.items()]
        assert not [start for start in starts if not start.exists()]
