"""What fails now, apart from what wasn't run again since a change."""

from pathlib import Path

from ccos_core.query.failing import failures
from ccos_core.query.state import state
from ccos_core.serve.printing import as_lines
from ccos_core.session.journaling import timeline_of
from tests.story import new_session, told

FAIL = "'shop.py:1: error: no'"


def test_a_failure_waits_for_another_run_once_a_file_was_changed(tmp_path: Path) -> None:
    story = """
        write shop.py "def price():\\n    return 1\\n"
        tool Bash make check -> error {fail}
        write README.md "shop\\n"
        tool Bash make check -> error {fail}
        write shop.py "def price():\\n    return 2\\n"
        tool Bash make check -> ok 'fine'
    """.replace("{fail}", FAIL)
    session = new_session(tmp_path)
    told(session, story)
    timeline = timeline_of(session.recorded)
    found = {}
    for step in range(1, timeline.head + 1):
        answer, here = failures(timeline, step, all=True), state(timeline, step)
        assert here.rerun_due == sum(each.rerun_due for each in answer.live)
        found[step] = [each.rerun_due for each in answer.live]
        said = as_lines(answer, 100)
        assert any("not run again since" in line for line in said) == any(found[step])
    assert [found[step] for step in sorted(found)][-5:] == [[False], [True], [False], [True], []]
    session.close()
