"""What a view withholds is nowhere: not in rows, counts, near misses, suggestions or errors, at no door.

Two records differ in nothing but what is withheld. Whatever is asked of both, by whichever door, the answers have the
same bytes. The owner, who sees all, is answered differently.
"""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.errors import CcosError
from ccos_core.query.catalogue import BY_NAME, QUESTIONS
from ccos_core.query.finding.tree import tree_spelled
from ccos_core.query.saying.utterance import memo_id
from ccos_core.serve.mcp.offer import Wrong
from ccos_core.serve.mcp.offering import ALL, offering
from ccos_core.serve.mcp.schema import filled
from ccos_core.serve.mcp.tools.door import Door
from ccos_core.serve.memory import lines
from ccos_core.serve.memory.store import Store
from ccos_core.serve.printing import as_json_object, as_lines
from ccos_core.session import lifecycle
from ccos_core.session.asking import Desk
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record
from ccos_core.text.retrieval.carried import normalised_words
from tests.core.query.finding.queries import trees
from tests.core.serve.calling import Caller
from tests.depth import at_depth
from tests.shared import made_once

HOST = {"host": "claude-code", "session": "s"}
SECRETS = ("Deploy the zebra to quartz on Monday", "Deploy the otter to basalt on Friday")
"""Of the same length, so that no count of characters tells them apart."""
CLAIMS = ("the zebra eats quartz", "the otter eats basalt")
SEEN = "Use tabs in Makefiles."
CANARY = re.compile("zebra|quartz|otter|basalt", re.IGNORECASE)
POLICIES = {
    "level": ({"privacy": "high"}, None),
    "tag": ({"tags": ["secret"]}, {"principals": {"agent": {"denied_tags": ["secret"]}}}),
    "region": ({"regions": ["XX"]}, {"principals": {"agent": {"denied_regions": ["XX"]}}}),
    "class": ({"privacy": "medium"}, {"principals": {"agent": {"denied_classes": ["diary"]}}}),
}
_HASH = re.compile(r"\b[0-9a-f]{8,64}\b")


def memo(text: str) -> str:
    return memo_id(normalised_words(text))


def story(which: int, labels: dict[str, Any], policy: Any) -> Iterator[dict[str, Any]]:
    """Yield a session in which something that is withheld is said in every way there is."""
    secret, claim = SECRETS[which], f"claim:{CLAIMS[which]}"
    node = memo(secret)
    at = iter(range(1_700_000_000_000, 1_800_000_000_000, 60_000))
    user, agent = {**HOST, "actor": "user"}, {**HOST, "actor": "agent"}

    def op(kind: str, **more: Any) -> dict[str, Any]:
        return {"kind": kind, "at": next(at), **more}

    yield op("prompt", source="user", said=f"{SEEN} {secret}. Never push to main.", **user)
    yield op("turn", said=f"I will remember: {secret}. See {node}. [ccos: helpful {node}]", **agent)
    yield op("seen", path="NOTES.md", how="read", content=f"# Notes\n\n- {secret}.\n- Run the tests first.\n", **agent)
    yield op("tool", name="Bash", outcome="ok", arguments={"command": "cat x"}, result=f"{secret}\nok\n", **agent)
    yield op("tool", name="TodoWrite", outcome="ok",
             arguments={"todos": [{"content": secret, "status": "pending"}, {"content": "Fix the tests", "status": "pending"}]},
             result="done", **agent)  # fmt: skip
    yield op("remembered", memo=node, words=secret, scope="project", reason=f"because {secret}", **user, **{"class": "diary"})
    yield op("remembered", memo=memo(SEEN), words=SEEN, scope="project", about=[node], **user, **{"class": "preference"})
    yield op("labelled", nodes=[node, claim, "file:NOTES.md"], **labels, **user)
    yield op("weighed", nodes=[node, memo(SEEN)], weight=1_500, **user)
    yield op("annotation", node=node, note=f"about {secret}", **user)
    yield op("supported", claim=node, weight=1_000, words="it helped", **user)
    yield op("supported", claim=claim, weight=900, by=[node], words=f"as {CLAIMS[which]}", **user)
    yield op("supported", claim="claim:rates are floats", weight=900, by=[node], **user)
    yield op("contradicted", claim=claim, weight=800, **user)
    yield op("paged_in", nodes=[node, memo(SEEN)], **user)
    yield op("superseded", claim=memo("Never push to main."), by=node, how="refine", **user)
    yield op("recall", lens="lost", budget=600, computed_at=3, parameters={}, window="0" * 64, **agent,
             items=[[node, "whole", 10], [memo(SEEN), "whole", 8]], said=f"- {secret}\n- {SEEN}")  # fmt: skip
    if policy is not None:
        yield op("governed", name="policy", policy=policy, **user)
    if policy is None or "denied_classes" not in json.dumps(policy):
        yield op("compaction", trigger="auto", exact=False, summary=f"The user said: {secret}. Tests fail.", **agent)
    yield op("usage", window=9_000, limit=10_000, model="m", **agent)


def _make(folder: Path, which: int, name: str) -> None:
    labels, policy = POLICIES[name]
    path = str(folder / f"{name}-{which}.ccos")
    lifecycle.init(path)
    with open_session(path) as session:
        ops = list(story(which, labels, policy))
        if name == "class":  # of a class only what was remembered as one is withheld, so no claim
            ops = [each for each in ops if not str(each.get("claim", "")).startswith("claim:the")]
            ops = [{**each, "nodes": [n for n in each["nodes"] if not n.startswith("claim:")]} if "nodes" in each else each
                   for each in ops]  # fmt: skip
        session.record(ops)


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("views")
    for name in POLICIES:
        for which in range(len(SECRETS)):
            _make(folder, which, name)
    return folder


@lru_cache(32)
def desk(path: str, principal: str) -> Desk:
    asked = Desk(open_record(path))
    asked.principal = principal
    asked.actor = "agent"
    asked.recorder = lambda ops: [10_000 + number for number, _ in enumerate(ops)]  # nothing is recorded
    return asked


def told(path: str, principal: str, name: str, said: dict[str, str]) -> str:
    """Return all that a question shows, as rows, spoken and as JSON; or the error."""
    try:
        asked = desk(path, principal).ask(BY_NAME[name], said)
    except CcosError as error:
        return f"error {error}"
    shown = [*as_lines(asked.answer, 100, partial=asked.partial), *as_lines(asked.answer, None, aloud=True)]
    return "\n".join([*shown, json.dumps(as_json_object(asked.answer, asked.partial), ensure_ascii=False)])


def plain(text: str, path: str) -> str:
    """Return a text without what differs between any two records: hashes and the file's own name."""
    return _HASH.sub("HASH", text.replace(path, "WS"))


WORDS = ["zebra", "quartz", "secret", "deploy", "tabs", "monday", "push", "notes"]
TEXTS = st.sampled_from([*WORDS, "Deploy the", SEEN, "otter", "what about deploys?"])
NODES = st.sampled_from([SEEN, "NOTES.md", "memo:", "memo:12", "never push", "deploy", "floats"])
STEPS = st.integers(0, 18).map(str)


@st.composite
def questions(draw: st.DrawFn) -> tuple[str, dict[str, str]]:
    """Draw a question with values for some of its arguments."""
    entry = draw(st.sampled_from([each for each in QUESTIONS if each.name not in ("compare", "mark", "note")]))
    said = {}
    for argument in entry.load().arguments:
        if argument.required or draw(st.booleans()):
            value = _value(draw, argument)
            if value is not None:
                said[argument.name] = value
    return entry.name, said


def _value(draw: st.DrawFn, argument: Any) -> str | None:
    if argument.name == "expr":
        return draw(trees().map(tree_spelled) | st.sampled_from(["text~zebra", "kind=remembered | count", "class=diary"]))
    match argument.form:
        case "word":
            return draw(st.sampled_from(argument.words))
        case "node" | "thing" | "things":
            return draw(NODES)
        case "step":
            return draw(STEPS)
        case "span":
            return f"{draw(st.integers(0, 8))}..{draw(st.integers(9, 18))}"
        case "budget" | "count":
            return draw(st.sampled_from(["1", "20", "600"]))
        case "lens":
            return draw(st.sampled_from(["working-set", "task:zebra", "hybrid:deploy", *argument.further]))
        case "switch":
            return "yes"
        case "text" | "texts" | "name":
            return draw(TEXTS)
    return None


@given(questions(), st.sampled_from(sorted(POLICIES)))
@settings(max_examples=at_depth(150, 10_000), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None)
def test_two_records_that_differ_in_what_is_withheld_answer_alike(
    records: Path, asked: tuple[str, dict[str, str]], policy: str
) -> None:
    name, said = asked
    one, other = (str(records / f"{policy}-{which}.ccos") for which in range(2))
    answers = [plain(told(path, "agent", name, said), path) for path in (one, other)]
    assert answers[0] == answers[1]
    asked_for = CANARY.findall(json.dumps(said))
    assert not [found for found in CANARY.findall(answers[0]) if found not in asked_for]


@pytest.mark.parametrize("name", [each.name for each in QUESTIONS])
@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_each_question_says_nothing_of_it(records: Path, name: str, policy: str) -> None:
    """Ask for the two ids themselves, and for their words."""
    for which in range(2):
        path = str(records / f"{policy}-{which}.ccos")
        node = memo(SECRETS[which])
        for value in (node, node[:12], SECRETS[which]):
            said = {each.name: value for each in BY_NAME[name].load().arguments if each.form in ("node", "thing", "things", "text")}
            if not said and value is not node:
                continue
            answer = told(path, "agent", name, said)
            nobody = "memo:0123456789abcdef"
            if value is node:
                unknown = told(path, "agent", name, {key: nobody for key in said})
                assert answer.replace(node, nobody) == unknown, name
                assert not CANARY.search(answer), name
