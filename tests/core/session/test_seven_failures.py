"""What went wrong in other tools that shorten results, one test for each; the numbers are of their reports."""

from __future__ import annotations

import base64
import json
import random
import subprocess
import sys

import pytest

from ccos_core.session.squeezing import fetched, squeeze
from ccos_core.storage import originals
from ccos_core.text.compress.json_tables import restored
from ccos_core.text.compress.listings import ungrouped
from ccos_core.text.compress.shortened import MARKER
from ccos_core.values.canon import digest
from ccos_core.values.tokens import estimate

LOG = "\n".join(f"2024-01-02 10:00:{at % 60:02} INFO served /item/{at} in {at}ms" for at in range(90))
RUN = "\n".join([*(f"tests/test_a.py::test_{at} PASSED [ {at}%]" for at in range(60)), "1 failed", "exit code 1"])
LOCK = "\n".join(
    [
        *("diff --git a/yarn.lock b/yarn.lock", "--- a/yarn.lock", "+++ b/yarn.lock", "@@ -0,0 +1,60 @@"),
        *(f"+package-{at}@{at}.0.0" for at in range(60)),
    ]
)
FOUND = "\n".join(f"src/deep/folder/module_{at // 9}.py:{at}:    return call({at})" for at in range(60))
PATHS = "\n".join(f"src/deep/folder/of/files_{at // 9}/module_{at}.py" for at in range(60))
ROWS = json.dumps([{"identifier": at, "state": "open", "html_url": f"https://forge.example/{at}"} for at in range(40)])
TEXTS = {"log": LOG, "tests": RUN, "diff": LOCK, "search": FOUND, "listing": PATHS, "json": ROWS}
WITH_LINES = ("log", "tests", "diff")


@pytest.fixture(autouse=True, scope="module")
def _state(tmp_path_factory: pytest.TempPathFactory) -> None:
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))


def squeezed(name: str) -> str:
    short = squeeze(TEXTS[name].encode())
    assert short.tokens < short.tokens_before, "or the test says nothing"
    return short.content.decode()


@pytest.mark.parametrize("name", [*WITH_LINES, "json"])
def test_1006_each_marker_can_be_fetched_from_another_process(name: str) -> None:
    markers = list(MARKER.finditer(squeezed(name)))
    assert markers
    for found in markers:
        words = [sys.executable, "-m", "ccos_tui", "retrieve", f"{found[1]}:{found[2]}-{found[3]}"]
        lines = TEXTS[name].split("\n")[int(found[2]) - 1 : int(found[3])]
        assert subprocess.run(words, capture_output=True, timeout=60).stdout.decode() == "\n".join(lines)


@pytest.mark.parametrize("name", WITH_LINES)
def test_2586_no_line_is_dropped_without_a_marker(name: str) -> None:
    at, lines = 0, TEXTS[name].split("\n")
    for line in squeezed(name).split("\n"):
        if found := MARKER.fullmatch(line):
            assert int(found[2]) == at + 1
            at = int(found[3])
        else:
            assert line == lines[at]
            at += 1
    assert at == len(lines)


@pytest.mark.parametrize("name", ["search", "listing"])
def test_1307_a_listing_says_what_it_said(name: str) -> None:
    assert ungrouped(squeezed(name)) == TEXTS[name]


def test_2694_encoded_data_is_kept_as_it_is() -> None:
    data = base64.b64encode(random.Random(1).randbytes(4_000)).decode()
    text = f"{LOG}\nsrc: data:image/png;base64,{data}\n{LOG}"
    short = squeeze(text.encode())
    assert fetched(short.reference) == text.encode()
    assert data in short.content.decode(), "a line that long is no repetition"


@pytest.mark.parametrize("name", [*WITH_LINES, "json"])
def test_816_all_hashes_are_one(name: str) -> None:
    content = TEXTS[name].encode()
    short = squeeze(content)
    full = digest(content).hex()
    assert {found[1] for found in MARKER.finditer(short.content.decode())} == {short.reference}
    assert full.startswith(short.reference)
    assert originals.find(short.reference) == [full]


@pytest.mark.parametrize("indent", [None, 2])
def test_1809_json_stays_json(indent: int | None) -> None:
    values = [
        json.loads(ROWS),
        {"rows": json.loads(ROWS), "log": LOG, "said": "[ccr 0123456789ab:1-2 2 lines, 9 tokens]"},
    ]
    for value in (*values, {"a": LOG.split("\n")}):
        content = json.dumps(value, indent=indent).encode()
        short = squeeze(content)
        told = json.loads(short.content)
        assert (restored(short.content.decode()) if short.kind == "json" else told) == value


@pytest.mark.parametrize("name", WITH_LINES)
def test_3098_counts_are_true(name: str) -> None:
    lines = TEXTS[name].split("\n")
    for found in MARKER.finditer(squeezed(name)):
        hidden = lines[int(found[2]) - 1 : int(found[3])]
        assert int(found[4]) == len(hidden)
        assert abs(int(found[5]) - estimate("\n".join(hidden))) <= 1
