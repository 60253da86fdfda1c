"""`why` on an item of the agent's window: what would be lost with it."""

from __future__ import annotations

from typing import Any

from ccos_core.present.rows import View
from ccos_core.query.hosted.loss import Loss
from tests.core.query.asked import ask
from tests.core.query.test_composition import Session
from tests.core.replay.told import timeline_of

STORE = "class Store:\n    def load(self, row):\n        return row\n"
API = "from store import Store\n\n\ndef handle(row):\n    return Store().load(row)\n"


def why(session: Session, node: str, at: int | None = None) -> Any:
    timeline = timeline_of(session.tale)
    return ask(timeline, "why", timeline.head if at is None else at, node=node, lens="host")


def loss(session: Session, node: str) -> Loss:
    found: Loss = why(session, node).agent.loss
    return found


def words(session: Session, node: str) -> str:
    return "\n".join(row.text for row in why(session, node).as_rows(View(120)))


def test_a_file_can_be_read_again_and_others_depend_on_it() -> None:
    session = Session().read("store.py", STORE).read("api.py", API).read("other.py", "x = 1\n")
    found = loss(session, "file:store.py")
    assert found.again == "file"
    assert [(each.node, each.how) for each in found.dependants] == [("file:api.py", "depends on it")]
    assert found.with_it == found.dependants[0].tokens > 0
    assert loss(session, "file:other.py").dependants == ()
    assert "reading it again brings it back" in words(session, "file:store.py")


def test_a_file_that_changed_since_is_in_no_file_any_more() -> None:
    session = Session().read("store.py", STORE)
    session.tale.tell({"kind": "seen", "how": "ingest", "path": "store.py",
                       "content": session.tale.facts.keep(STORE.replace("return row", "return 1"))})  # fmt: skip
    assert loss(session, "file:store.py").again == "old"


def test_with_a_prompt_goes_what_answers_it() -> None:
    session = Session().prompt("first").read("store.py", STORE).prompt("second").tool("Bash", {"command": "make"}, "ok")
    first, second = (loss(session, f"prompt:{step}") for step in (2, 5))
    assert first.says == "“first”"
    assert [each.node for each in first.dependants if each.node.startswith("file:")] == ["file:store.py"]
    assert all(each.step > 5 for each in second.dependants)
    assert "result:6" in [each.node for each in second.dependants]
    assert (first.again, loss(session, "result:6").again) == ("record", "run")
    assert "only this record would have it" in words(session, "prompt:2")


def test_a_summary_stands_for_all_before_it() -> None:
    session = Session().prompt("go").read("store.py", STORE)
    session.tell(kind="compaction", trigger="auto", exact=True, summary="what was done")
    step = len(session.tale.ops)
    assert loss(session, f"summary:{step}").stands_for == step
    assert f"all that is left here of what came up to step {step - 1}" in words(session, f"summary:{step}")


def test_nothing_is_lost_with_what_is_not_there() -> None:
    session = Session().prompt("go").read("store.py", STORE).tell(kind="cleared")
    answer = why(session, "file:store.py")
    assert answer.agent.loss is None
    assert "what would be lost" not in words(session, "file:store.py")
