"""The generator of the tables: what it packs is read back, and files of two versions are refused."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.sanitize import unicode_tables
from ccos_core.text.sanitize.hidden import describe
from ccos_core.text.sanitize.lookalikes import script_of

SCRIPT = Path(__file__).resolve().parents[4] / "tools" / "unicode_tables.py"


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_unicode_tables", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKE = generator()


@given(st.sets(st.integers(0, 0x10FFFF), max_size=60))
def test_what_is_packed_is_read_back(codes: set[int]) -> None:
    ranges = unicode_tables.spans(MAKE.packed(codes))
    assert [code for first, last in ranges for code in range(first, last + 1)] == sorted(codes)
    assert all(unicode_tables.is_within(code, ranges) for code in codes)
    assert not any(unicode_tables.is_within(code + 1, ranges) for code in codes if code + 1 not in codes)


def folder(where: Path, version: str = "17.0.0") -> Path:
    files = {
        "DerivedGeneralCategory.txt": "# x-17.0.0.txt\n0378..0379 ; Cn\n00AD ; Cf\n0430 ; Ll\nFF41 ; Ll\n0041 ; Lu\n",
        "DerivedCoreProperties.txt": "# x-17.0.0.txt\n00AD ; Default_Ignorable_Code_Point # Cf\n",
        "Scripts.txt": "# x-17.0.0.txt\n0430 ; Cyrillic\nFF41 ; Latin\n0041 ; Latin\n",
        "confusables.txt": f"# Version: {version}\n0430 ;\t0061 ;\tMA\t# ( x → a )\n2200 ;\t0041 ;\tMA\n",
    }
    for name, text in files.items():
        (where / name).write_text(text, "utf-8")
    return where


def test_the_module_is_made_of_unicodes_own_files(tmp_path: Path) -> None:
    made: dict[str, object] = {}
    exec(MAKE.source(folder(tmp_path)), made)
    assert (made["VERSION"], made["EPOCH"]) == ("17.0.0", 17)
    assert made["SCRIPTS"] == {"Cyrillic": "430", "Latin": "ff41"}
    assert unicode_tables.spans(str(made["UNASSIGNED"])) == [(0x378, 0x379)]
    lookalikes = made["LOOKALIKES"]
    assert isinstance(lookalikes, dict)
    assert unicode_tables.spans(lookalikes["a"])[0] == (0x430, 0x430)
    assert "A" in lookalikes  # fullwidth


def test_files_of_two_versions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"16\.0\.0, 17\.0\.0"):
        MAKE.source(folder(tmp_path, "16.0.0"))


def test_the_tables_are_as_the_generator_writes_them() -> None:
    """No hand edited them: each packed table is the shortest way to write its ranges."""
    for packed in (unicode_tables.UNASSIGNED, unicode_tables.FORMAT, *unicode_tables.SCRIPTS.values()):
        codes = [code for first, last in unicode_tables.spans(packed) for code in range(first, last + 1)]
        assert MAKE.packed(codes) == packed


def test_every_python_has_one_answer() -> None:
    """CPython 3.11, 3.12 and 3.13, which have three versions of Unicode, gave this digest."""
    told = hashlib.sha256()
    for code in (*range(0x32000), *range(0xE0000, 0xE1000)):
        told.update(f"{describe(code)} {script_of(chr(code))}\n".encode())
    assert told.hexdigest()[:16] == "419b080b35e08621"
