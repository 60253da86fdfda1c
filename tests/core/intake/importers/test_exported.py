"""What other programs wrote in the formats of `export`, and what it wrote itself."""

from collections.abc import Callable
from typing import Any

import pytest

from ccos_core.intake.importers.exported import atif, otel
from ccos_core.intake.importers.record import Format, Observation
from tests.core.intake.importers import exported_fixtures as made
from tests.core.intake.importers.foreign import fed, of_kind, recorded, told

LETTERS = {"prompt": "p", "thought": "h", "turn": "t", "usage": "u", "compaction": "c", "tool": "x", "seen": "s"}


def plain(observation: Observation) -> Observation:
    return {name: value for name, value in observation.items() if value is not None}


@pytest.mark.parametrize(("format_", "file"), [(atif.FORMAT, made.atif), (otel.FORMAT, made.otel)])
def test_what_was_exported_is_told_as_it_was_recorded(format_: Format, file: Callable[[], Any]) -> None:
    found = told(format_, recorded(file()))
    assert [plain(each) for each in found] == [step.said for step in made.steps()]


@pytest.mark.parametrize(
    ("format_", "file", "kinds"),
    [
        (atif.FORMAT, made.atif_of_another, "pphtuxt"),
        (otel.FORMAT, made.otel_of_another, "ptuxtu"),
        (otel.FORMAT, made.otel_numbered, "ptux"),
    ],
)
def test_what_others_wrote_is_told_in_order_and_once(format_: Format, file: Callable[[], Any], kinds: str) -> None:
    records = recorded(file())
    found = told(format_, records)
    assert "".join(LETTERS[each["kind"]] for each in found) == kinds
    assert [each["said"] for each in of_kind(found, "prompt") if each["source"] == "user"] == ["Fix it."]
    assert [(each["name"], each["result"], each["outcome"]) for each in of_kind(found, "tool")] == [
        ("bash", "made", "ok")
    ]
    assert fed(format_, records).tally.times == {}


@pytest.mark.parametrize(
    "op",
    [
        {"n": 2, "kind": "epoch", "weights": {}},
        {"n": 2, "kind": "forgotten", "blobs": ["x"]},
        {"n": 2, "kind": "prompt", "said": "Fix it.", "source": "root"},
        {"n": 2, "kind": "prompt", "said": "Fix it.", "source": "user", "v": 9},
        {"n": 2, "kind": "seen", "path": "/w/a.py", "how": "read", "slice": [5, 2]},
        {"n": -1, "kind": "turn", "said": "Done."},
        {"n": 2, "kind": "turn", "in": {"said": ["nowhere"]}},
    ],
)
def test_a_carried_step_that_no_transcript_tells_is_left_out(op: dict[str, Any]) -> None:
    """The file is foreign: it can't write what only this program records."""
    file = made.atif_of_another()
    file["steps"][1]["extra"] = {"ccos": {"host": "x", "session": "s", "ops": [op]}}
    reader = fed(atif.FORMAT, recorded(file))
    assert reader.tally.times == {"carried step": 1}
