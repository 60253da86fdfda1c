"""The words of answers about a host's window."""

from __future__ import annotations

import click

from ccos_core.query.hosted.diff import HostDiff
from ccos_core.query.hosted.happening import Counted
from ccos_core.query.hosted.whose import Whose
from ccos_core.serve.says import host_diff


def test_what_is_left_out_is_counted_in_whole_words() -> None:
    answer = HostDiff(
        Whose("host", "claude-code", "one", ""), 3, 9, 100, 200, None, Counted(9, 220), 2, 4, (), (), (), (), (),
        {"entered": 1, "left": 3, "turned": 2},
    )  # fmt: skip
    said = [click.unstyle(line).strip() for line in host_diff.says(answer, 80)]
    assert said[-3:] == [
        "and 1 more item that came", "and 3 more items that are lost", "and 2 more items that are held otherwise",
    ]  # fmt: skip
