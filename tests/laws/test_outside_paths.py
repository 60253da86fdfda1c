"""Files of any place whatever, in every language: transcripts name what lies outside the project as well."""

import pytest

from tests.core.state.small import Tale

TEXTS = {
    ".go": 'package b\nimport "x/y"\nfunc F() { y.G() }\n',
    ".py": "import os, x.y\nfrom . import z\nfrom ... import w\n",
    ".ts": 'import {a} from "./b"\nimport c from "d/e"\nimport f from "/g"\n',
    ".rs": "use crate::a::b;\nuse super::x;\nmod c;\n",
    ".md": "# words\n",
}


@pytest.mark.parametrize(
    "place", ["/", "/a/", "/a//b/", "~/", "~/x/", "../", "../../up/", "C:/", "C:/x/", "//share/", ""]
)
@pytest.mark.parametrize("ending", TEXTS)
def test_a_file_anywhere_is_folded_and_shown(place: str, ending: str) -> None:
    tale = Tale({})
    for name in ("m", "mod", "lib", "index"):
        tale.read(place + name + ending, TEXTS[ending])
    for config in ("go.mod", "tsconfig.json", "package.json", "Cargo.toml", "pyproject.toml"):
        tale.read(place + config, "{}")
    assert tale.window("working-set", 500).items
    assert tale.window(f"around:{place}m{ending}", 500).items


@pytest.mark.parametrize("path", ["/", "~", "..", ".", "C:/", "a/", "//"])
def test_a_path_that_is_no_file_is_folded_all_the_same(path: str) -> None:
    assert Tale({}).read(path, "x = 1\n").window("working-set", 500).items
