"""What fails at the end of recorded sessions, against what a person found by reading them.

Read by hand, in each recording: every run of a test, a build, a linter or a script, the last one of each, and whether
the same or a wider one came after it. `now`: the last run reported it, and no file was changed since. `due`: files were
changed since, and nothing that covers it was run again; most of these are throw-away scripts.
"""

from pathlib import Path

import pytest

from ccos_core.query.failing import failures
from ccos_core.session.importing import Importing
from ccos_core.session.journaling import timeline_of
from ccos_core.session.transcripts import stories
from ccos_core.storage.opening import open_record

SHARED = Path(__file__).resolve().parents[4] / "shared" / "sessions"

# recording: (runners of what fails now, runners of what wasn't run again since a change)
READ_BY_HAND: dict[str, tuple[list[str], list[str]]] = {
    "claude-code/entire-cli_432b48f6b6e6_248tools_2compact.jsonl": ([], []),
    # `mise run lint` reports six complaints about older code at step 293, and once more at 296
    "claude-code/entire-cli_769ddf2969b6_129tools_70FAILlines_1compact.jsonl": ([], ["golangci-lint"] * 6),
    "claude-code/entire-cli_7d66f047ac98_111tools_badline.jsonl": ([], []),
    "claude-code/entire-cli_adff0201aecb_198tools_11fail.jsonl": ([], []),
    # three tests written before their flags exist
    "claude-code/entire-cli_ec6d3a8b5152_59tools_293FAILlines.jsonl": (["go"] * 3, []),
    "claude-code/entire-cli_growing-79e9becd_c_247tools.jsonl": ([], []),
    "codex/gildore-arena_codex-session.jsonl": ([], []),
    "codex/raze_codex-session.jsonl": ([], []),
    # a script on stdin that looks for a file that isn't there
    "codex/rtchess_019aad50.jsonl": ([], ["python"]),
    # probes in a container without `wrapt` and `pkg_resources`, and scripts that were given up
    "mini-swe-agent/astroid-1333_188steps.traj.json": ([], ["python"] * 9 + ["unittest"]),
    # `conftest.py` can't be loaded, and two scripts that were written anew under other names
    "mini-swe-agent/marshmallow-1343_189steps.traj.json": ([], ["pytest", "python", "python"]),
    "swe-agent/marshmallow-1867_function_calling_replace_from_source.traj": ([], []),
    "opencode/pfm-categorization_opencode-session.json": ([], []),
    "real-hosts/codex-0.169.0-exec.jsonl": ([], []),
    "real-hosts/codex-0.169.0-compacted-hooks.jsonl": ([], []),
    # the drift: its last run still fails
    "real-hosts/codex-0.169.0-drift.jsonl": (["pytest"], []),
    "real-hosts/opencode-1.18.33-export.json": ([], []),
}


@pytest.mark.slow  # 1 to 5 s for each of the large ones
@pytest.mark.parametrize("name", READ_BY_HAND)
def test_what_fails_at_the_end(tmp_path: Path, name: str) -> None:
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"no recording at {path}")
    ws = str(tmp_path / "work.ccos")
    with Importing(ws) as importing:
        for story in stories([str(path)]):
            importing.take(story)
    with open_record(ws) as record:
        timeline = timeline_of(record)
        live = failures(timeline, timeline.head, all=False).live
    now = sorted(each.runner for each in live if not each.rerun_due)
    due = sorted(each.runner for each in live if each.rerun_due)
    assert (now, due) == READ_BY_HAND[name]
