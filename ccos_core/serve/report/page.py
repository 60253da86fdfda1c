"""One self-contained HTML page of a report: style, script and the packed contents, and nothing from outside.

The contents are JSON, deflated and written in base64, so no text of a recording stands in the page's markup. The
policy in the page's head allows exactly its own style and script, by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import zlib
from collections.abc import Mapping
from importlib import resources
from typing import TYPE_CHECKING

from ccos_core.present.words import count
from ccos_core.serve.report.contents import report_contents
from ccos_core.serve.report.tables import Json, without_middle

if TYPE_CHECKING:
    from ccos_core.session.asking import Desk

PAGE_BYTES = 3_000_000
"""Size that a page keeps within by leaving out the middle of long texts."""
TEXT_LENGTHS = (100_000, 30_000, 10_000, 3_000, 1_000, 300)
"""Characters of the longest text, tried in this order."""
SCRIPTS = ("data.js", "panes.js", "timeline.js", "moving.js")
"""The files of the page's script, in their order."""
_HOLE = re.compile(r"\{\{(\w+)\}\}")


def report_page(desk: Desk, first: int, last: int) -> bytes:
    """Return the page that plays the steps from `first` to `last`; the same bytes for the same record."""
    contents = report_contents(desk, first, last)
    page = b""
    for longest in TEXT_LENGTHS:
        page = page_of(shortened(contents, longest))
        if len(page) <= PAGE_BYTES:
            break
    return page


def shortened(contents: Mapping[str, Json], longest: int) -> dict[str, Json]:
    """Return the contents without the middle of texts longer than `longest` characters, and say so."""
    texts = [text if len(text) <= longest else without_middle(text, longest) for text in contents["texts"]]
    changed = sum(len(text) > longest for text in contents["texts"])
    left_out = list(contents["left_out"])
    if changed:
        left_out.append(f"Long texts: the middle of {count(changed, 'text')} longer than {longest:,} characters.")
    return {**contents, "texts": texts, "left_out": left_out}


def page_of(contents: Mapping[str, Json]) -> bytes:
    """Return the page of these contents."""
    style, script = file_text("page.css"), "\n".join(map(file_text, SCRIPTS))
    filled = {
        "policy": policy(style, script),
        "title": html.escape(f"{contents['name']}: ccos-tui report"),
        "style": style,
        "record": packed(contents),
        "script": script,
    }
    return _HOLE.sub(lambda hole: filled[hole[1]], file_text("page.html")).encode("utf-8")


def file_text(name: str) -> str:
    """Return a file that lies beside this module."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def policy(style: str, script: str) -> str:
    """Return a Content-Security-Policy that allows this style and this script, and nothing else."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def packed(contents: Mapping[str, Json]) -> str:
    """Return contents as the page's script unpacks them: JSON, deflated, in base64."""
    text = json.dumps(contents, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode("utf-8"), 9)).decode("ascii")
