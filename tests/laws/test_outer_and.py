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
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import pytest
from click import unstyle
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.errors import CcosError, Refused
from ccos_core.intake.hooks.heard import Heard, injected_recall
from ccos_core.memory.asking import spelled
from ccos_core.query.catalogue import BY_NAME, QUESTIONS
from ccos_core.query.finding.tree import tree_spelled
from ccos_core.query.remembered import assertions_of
from ccos_core.query.saying.utterance import memo_id
from ccos_core.replay.codes import KIND_NAMES
from ccos_core.serve import inject
from ccos_core.serve.mcp.offer import Tool, Wrong
from ccos_core.serve.mcp.offering import ALL, offering
from ccos_core.serve.mcp.schema import filled
from ccos_core.serve.mcp.tools.door import Door
from ccos_core.serve.memory import lines
from ccos_core.serve.memory.store import Store
from ccos_core.serve.printing import as_json_object, as_lines
from ccos_core.serve.report.contents import report_contents
from ccos_core.session import lifecycle
from ccos_core.session.asking import Desk
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.values.canon import digest
from tests.core.memory.drawn import queries
from tests.core.query.finding.queries import trees
from tests.core.serve.calling import Caller
from tests.depth import at_depth

HOST = {"host": "claude-code", "session": "s"}
SECRETS = ("Deploy the zebra to quartz on Monday", "Deploy the tapir to basalt on Friday")
"""Of the same length, so that no count of characters tells them apart."""
CLAIMS = ("the zebra eats quartz", "the tapir eats basalt")
SEEN = "Use tabs in Makefiles."
CANARY = re.compile("zebra|quartz|tapir|basalt", re.IGNORECASE)
DOCUMENT = "# Notes\n\n## {0}\n\nAs said: {0}\n\n## Build\n\nRun make.\n"
POLICIES = {
    "level": ({"privacy": "high"}, None),
    "tag": ({"tags": ["secret"]}, {"principals": {"agent": {"denied_tags": ["secret"]}}}),
    "region": ({"regions": ["XX"]}, {"principals": {"agent": {"denied_regions": ["XX"]}}}),
    "class": ({"privacy": "medium"}, {"principals": {"agent": {"denied_classes": ["rule"]}}}),
}
_HASH = re.compile(
    r"\b[0-9a-f]{8,64}\b|(?<=\|)\d\d:\d\d(?=\|)|\d\d:\d\d:\d\d|\b\d{13}\b|'throughput': \d+|'histogram': \([^)]*\)"
    r"|project \d"
)
"""Hashes, times, how long something took, and folders: the epoch of a record has the time of its making."""


OTHERS = {"span": "1..9", "step": "5", "count": "5", "word": "+", "name": "x", "texts": "x"}


def _is_needed(argument: Any) -> bool:
    return argument.form == "span" or (argument.required and argument.form in OTHERS)


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
    yield op("seen", path="MEMORY.md", how="read", content=DOCUMENT.format(secret), **agent)
    yield op("tool", name="Bash", outcome="ok", arguments={"command": "cat x"}, result=f"{secret}\nok\n", **agent)
    yield op("tool", name="TodoWrite", outcome="ok",
             arguments={"todos": [{"content": each, "status": "pending"} for each in (secret, "Fix the tests")]},
             result="done", **agent)  # fmt: skip
    yield op(
        "remembered", memo=node, words=secret, scope="project", reason=f"because {secret}", **user, **{"class": "rule"}
    )
    yield op(
        "remembered", memo=memo(SEEN), words=SEEN, scope="project", about=[node], **user, **{"class": "preference"}
    )
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
    yield op("distilled", what="deltas", maker="extract/1", of=[memo(SEEN)],
             result=json.dumps({"key": " ".join(sorted(secret.lower().split())), "said": f"cut: {secret[:20]}"}),
             **user)  # fmt: skip
    if policy is not None:
        yield op("governed", name="policy", policy=policy, **user)
    if policy is None or "denied_classes" not in json.dumps(policy):
        yield op("compaction", trigger="auto", exact=False, summary=f"The user said: {secret}. Tests fail.", **agent)
    yield op("usage", window=9_000, limit=10_000, model="m", **agent)


def _make(folder: Path, which: int, name: str) -> None:
    labels, policy = POLICIES[name]
    path = str(folder / f"{name}-{which}.ccos")
    root = folder / f"project {which}"
    root.mkdir(exist_ok=True)
    for document in ("SOUL.md", "USER.md", "MEMORY.md", "IMPRESSIONS.md"):
        (root / document).write_text(DOCUMENT.format(SECRETS[which]), "utf-8")
    lifecycle.init(path, root=str(root))
    with open_session(path) as session:
        ops = list(story(which, labels, policy))
        if name == "class":  # of a class only what was remembered as one is withheld, so no claim
            ops = [_without_claims(each) for each in ops if not str(each.get("claim")).startswith("claim:the")]
        session.record(ops)


def _without_claims(op: dict[str, Any]) -> dict[str, Any]:
    nodes = [node for node in op.get("nodes", ()) if not node.startswith("claim:")]
    return {**op, "nodes": nodes} if nodes else op


@pytest.fixture(autouse=True)
def _own_config(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.getbasetemp() / "config of views"))


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
    asked.recorder = asked.recorder_for_user = lambda ops: [10_000 + at for at, _ in enumerate(ops)]  # records nothing
    return asked


def told(path: str, principal: str, name: str, said: dict[str, str]) -> str:
    """Return all that a question shows, as rows, spoken and as JSON; or the error."""
    try:
        asked = desk(path, principal).ask(BY_NAME[name], said)
    except CcosError as error:
        return f"error {error}"
    shown = [
        *map(unstyle, as_lines(asked.answer, 100, partial=asked.partial)),
        *as_lines(asked.answer, None, aloud=True),
    ]
    return "\n".join([*shown, json.dumps(as_json_object(asked.answer, asked.partial), ensure_ascii=False)])


def plain(text: str, path: str) -> str:
    """Return a text without what differs between any two records: hashes, the file's own name, the time in a map."""
    return _HASH.sub("HASH", text.replace(path, "WS").replace(Path(path).name, "WS"))


def _sums(text: str) -> list[str]:
    return re.findall(r'"entries_in": \d+|error .*', text)


WORDS = ["zebra", "quartz", "secret", "deploy", "tabs", "monday", "push", "notes"]
TEXTS = st.sampled_from([*WORDS, "Deploy the", SEEN, "tapir", "what about deploys?"])
NODES = st.sampled_from([SEEN, "NOTES.md", "memo:", "memo:12", "never push", "deploy", "floats"])
STEPS = st.integers(0, 18).map(str)
JSON = {
    "boundaries": ['{"or": [{"privacy": "critical"}, {"jurisdiction": {"allowed": ["XX"]}}]}', '{"token_limit": 40}'],
    "reduction": ["none", '{"type": "sampling", "size": 3, "method": "random"}', '{"type": "summarization"}',
                  '{"type": "prioritization", "max_count": 2, "scoring": "impact"}'],
}  # fmt: skip


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
        return draw(trees.map(tree_spelled) | st.sampled_from(["text~zebra", "kind=remembered | count", "class=rule"]))
    if argument.name == "query":
        return draw(queries().map(spelled) | TEXTS)
    if argument.name in ("boundaries", "reduction"):
        return draw(st.sampled_from(JSON[argument.name]))
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
@settings(
    max_examples=at_depth(150, 10_000),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    deadline=None,
)
def test_two_records_that_differ_in_what_is_withheld_answer_alike(
    records: Path, asked: tuple[str, dict[str, str]], policy: str
) -> None:
    name, said = asked
    one, other = (str(records / f"{policy}-{which}.ccos") for which in range(2))
    answers = [plain(told(path, "agent", name, said), path) for path in (one, other)]
    if name != "entries":  # whose order and samples go by hashes of ops, and these differ
        assert answers[0] == answers[1]
    assert _sums(answers[0]) == _sums(answers[1])
    asked_for = CANARY.findall(json.dumps(said))
    assert not [found for found in CANARY.findall(answers[0]) if found not in asked_for]


@pytest.mark.parametrize("name", [each.name for each in QUESTIONS if each.name not in ("compare", "goto")])
@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_an_id_that_is_withheld_is_answered_as_an_unknown_one(records: Path, name: str, policy: str) -> None:
    arguments = BY_NAME[name].load().arguments
    others = {each.name: OTHERS[each.form] for each in arguments if _is_needed(each)}
    for which in range(2):  # what the one record withholds, the other never had
        for asked in (memo(SECRETS[which]), memo(SECRETS[which])[:12], f"claim:{CLAIMS[which]}"):
            said = {each.name: asked for each in arguments if each.form in ("node", "thing", "things", "text")} | others
            paths = [str(records / f"{policy}-{number}.ccos") for number in range(2)]
            withheld, unknown = (plain(told(path, "agent", name, said), path) for path in paths)
            assert withheld == unknown


def by_pipe(path: str, run: Caller) -> str:
    asked: list[dict[str, Any]] = [{"op": name} for name in ("statements", "context", "timeline", "retold", "claims")]
    asked += [{"op": name, "node": memo(SECRETS[0])} for name in ("why", "missing", "watch")]
    asked += [{"op": "find", "expr": "text~zebra | count"}, {"op": "recall", "record": False}]
    answers: list[dict[str, Any]] = []
    with Store(path, "agent") as store:
        lines.run(store, io.BytesIO("\n".join(map(json.dumps, asked)).encode()), answers.append)
    return json.dumps(answers, ensure_ascii=False)


def by_shell(path: str, run: Caller) -> str:
    done = [run(name, path, *words, "--as", "agent") for name, *words in (
        ("statements", "--author", "all"), ("context",), ("timeline",), ("claims",), ("show", "3"), ("state",),
        ("find", "text~deploy | count"), ("statement", "deploy the zebra"), ("annotate", memo(SECRETS[0]), "x"),
        ("statements", "--json"), ("said", "deploy"), ("autopsy",), ("retold",), ("verbatim",))]  # fmt: skip
    return "\n".join(each.out + each.err for each in done)


def by_repl(path: str, run: Caller) -> str:
    asked = "statements\nmemos\ncontext\nshow 4\nshow 3\nfind text~quartz\nwhy " + memo(SECRETS[0])
    done = run("postmortem", path, "--as", "agent", given=asked)
    return done.out + done.err


def by_tools(path: str, run: Caller) -> str:
    """Call every tool that records nothing, and read every resource, as a server is asked by default."""
    door = Door(path, str(Path(path).parent))
    offer = offering(door, (ALL,))
    secret = SECRETS[int(path[-len("0.ccos")])]
    references = [digest(text.encode()).hex()[:8] for text in (secret, DOCUMENT.format(secret), f"{secret}\nok\n")]
    found: list[str] = []
    try:
        for tool in filter(lambda each: each.reads_only, offer.tools):
            values = references if tool.name == "ccos_retrieve" else ("deploy", memo(SECRETS[0]), "NOTES.md")
            found += [_tried(partial(_call, tool, value)) for value in values]
        found += [_tried(partial(each.read, each.uri, VALUES, _Nobody())) for each in offer.resources]
    finally:
        door.close()
    return "\n".join(found)


VALUES = {"n": "3", "id": "NOTES.md", "budget": "600", "date": "today", "query": "deploy notes", "q": "notes"}
VALUES |= {"section": "notes", "level": "1"}


def _tried(ask: Callable[[], Any]) -> str:
    try:
        return str(ask())
    except (Wrong, CcosError) as error:
        return str(error)


def _call(tool: Tool, value: str) -> Any:
    given = {}
    for name, schema in tool.takes["properties"].items():
        if name in tool.takes.get("required", ()) or (schema.get("type") == "string" and "enum" not in schema):
            given[name] = {"integer": 5, "array": [value], "boolean": True}.get(schema.get("type", ""), value)
    return tool.run(filled(tool.takes, given), _Nobody())


class _Nobody:
    def progress(self, done: int, total: int | None = None, words: str = "") -> None:
        pass


def by_steering(path: str, run: Caller) -> str:
    """Call the tools by which an agent steers its context, with documents on the disk, and read what they offer."""
    door = Door(path, "", steers=True)
    offer = offering(door, ("context",))
    calls = [partial(each.read, each.uri, VALUES, _Nobody()) for each in offer.resources if "://" in each.uri]
    for tool in offer.tools:
        values = ("MEMORY.md", memo(SECRETS[0]), "cos://memory/build", "cos://memory/deploy-the", "deploy")
        if tool.toolset == "context":
            writes = tool.name in ("update_memory", "log_impression")  # by which an agent would know an id itself
            calls += [partial(_call, tool, value) for value in values if not (writes and value.startswith("memo:"))]
        kinds = tool.takes["properties"].get("type", {}).get("enum", ())
        calls += [partial(_call_of, tool, {"type": kind, "query": query}) for kind in kinds for query in ("", "notes")]
    calls += [partial(each.say, {}) for each in offer.prompts]
    calls += [partial(each.complete, "section", "", {}) for each in offer.resources if each.complete is not None]
    try:
        return "\n".join(_tried(each) for each in calls)
    finally:
        door.close()


def _call_of(tool: Tool, given: dict[str, Any]) -> Any:
    return tool.run(filled(tool.takes, given), _Nobody())


def by_report(path: str, run: Caller) -> str:
    """Return what the page holds, before it is packed."""
    with open_record(path) as record, Desk(record) as asked:
        asked.principal = "agent"
        return json.dumps(report_contents(asked, 1, asked.timeline.head), ensure_ascii=False)


def by_hook(path: str, run: Caller) -> str:
    event = {"hook_event_name": "SessionStart", "source": "compact", "session_id": "s"}
    return inject.answer(event, path).decode()


DOORS = [by_pipe, by_shell, by_repl, by_tools, by_steering, by_report, by_hook]


OFTEN = at_depth(1, len(POLICIES))
"""Policies under which the slow door is tried."""


@pytest.mark.parametrize(
    ("door", "policy"),
    [(door, policy) for door in DOORS for policy in sorted(POLICIES)[: OFTEN if door is by_steering else None]],
    ids=lambda each: getattr(each, "__name__", each),
)
def test_no_door_says_anything_of_it(
    door: Callable[[str, Caller], str], policy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    said = []
    for which in range(2):
        _make(tmp_path, which, policy)
        path = str(tmp_path / f"{policy}-{which}.ccos")
        shown = door(path, Caller(capsys))
        for each in (
            memo(SECRETS[0]),
            "deploy the zebra",
            *(f"text~{mark}{word}" for word in ("zebra", "quartz") for mark in ("", '"', '\\"')),
        ):
            shown = shown.replace(each, "ASKED")
        assert not CANARY.search(shown), CANARY.search(shown)
        said.append(plain(shown, path))
    assert said[0] == said[1]


def test_only_the_owner_lowers_a_label(records: Path, tmp_path: Path) -> None:
    _make(tmp_path, 0, "level")
    path, node = str(tmp_path / "level-0.ccos"), memo(SECRETS[0])
    lowered = {"kind": "labelled", "nodes": [node], "privacy": "public", "regions": [], "untagged": ["x"]}
    raised = {"kind": "labelled", "nodes": [memo(SEEN)], "privacy": "critical", "actor": "agent"}
    with open_session(path) as session:
        session.record([{"kind": "labelled", "nodes": [node], "regions": ["EU"], "tags": ["x"], "actor": "user"}])
        session.record([{**lowered, "actor": "agent"}, {**lowered, "actor": "host"}, lowered, raised])
    desk.cache_clear()
    assert not CANARY.search(told(path, "agent", "statements", {"author": "all"}))
    assert SEEN not in told(path, "agent", "statements", {"author": "all"})
    with open_record(path) as record, Desk(record) as asked:
        found = assertions_of(asked.whole, node, asked.whole.head)
        asked.actor = "agent"
        with pytest.raises(Refused, match="only the owner"):
            asked.ask(BY_NAME["label"], {"nodes": node, "privacy": "low"})
    assert (found.privacy, found.regions, found.tags) == ("high", ("EU",), ("x",))
    with open_session(path) as session:
        session.record([{**lowered, "actor": "user"}])
    desk.cache_clear()
    assert CANARY.search(told(path, "agent", "statements", {"author": "all"}))


@pytest.mark.parametrize("field", ["tags", "regions"])
def test_no_agent_labels_a_statement_into_the_view_of_another(tmp_path: Path, field: str) -> None:
    _make(tmp_path, 0, "class")
    path, node = str(tmp_path / "class-0.ccos"), memo(SECRETS[0])
    policy = {"principals": {"agent:other": {"level": "critical", "agents": ["*"], field: ["open"]}}}
    label = {"kind": "labelled", "nodes": [node], field: ["open"]}
    own = {"kind": "remembered", "memo": memo("Tests need Java."), "words": "Tests need Java.", "scope": "project",
           "class": "fact", field: ["open"], "actor": "agent"}  # fmt: skip
    with open_session(path) as session:
        session.record([{"kind": "governed", "name": "policy", "policy": policy, "actor": "user"}])
        session.record([{**label, "actor": "agent"}, {**label, "actor": "host"}, label, own])
    desk.cache_clear()
    seen = told(path, "agent:other", "statements", {"author": "all"})
    assert not CANARY.search(seen)
    assert "Tests need Java." in seen, "an agent says which view its own statement is for"
    with open_session(path) as session:
        session.record([{**label, "actor": "user"}])
    desk.cache_clear()
    assert CANARY.search(told(path, "agent:other", "statements", {"author": "all"}))


def test_what_a_withheld_statement_supersedes_is_just_retracted(records: Path) -> None:
    for principal, kind in (("owner", "superseded"), ("agent", "retracted")):
        timeline = desk(str(records / "level-0.ccos"), principal).timeline
        kinds = [KIND_NAMES[kind] for kind in timeline.journal.steps["kind"].tolist()]
        (step,) = [at for at, each in enumerate(kinds, 1) if each in ("superseded", "retracted")]
        assert (kinds[step - 1], timeline.op(step)["kind"]) == (kind, kind)
        assert bool(timeline.journal.steps["size"][step - 1]) == (principal == "owner" and "words" in timeline.op(step))


def test_what_a_hook_tells_says_to_whom_it_was_told(tmp_path: Path) -> None:
    _make(tmp_path, 0, "level")
    path = str(tmp_path / "level-0.ccos")
    event = {"hook_event_name": "SessionStart", "source": "compact", "session_id": "s"}
    delivered = json.loads(inject.answer(event, path).splitlines()[1])
    (told_of,) = injected_recall(Heard(delivered, 1, "x")) or ()
    (op,) = told_of.observe(None)
    with open_record(path) as record, Desk(record) as asked:
        asked.principal = "agent"
        assert (op["principal"], op["policy"]) == ("agent", asked.view.policy)
        assert len(asked.view.policy) == 64


def test_the_owner_sees_it_at_the_same_doors(records: Path) -> None:
    path = str(records / "level-0.ccos")
    asked = (("statements", {"author": "all"}), ("context", {}), ("claims", {}), ("show", {"node": "NOTES.md"}))
    for name, said in asked:
        assert CANARY.search(told(path, "owner", name, said)), name


def test_an_id_that_is_withheld_takes_as_long_as_one_that_is_unknown(records: Path) -> None:
    """Count lines of Python, not seconds."""
    path, counts = str(records / "level-0.ccos"), []
    for node in (memo(SECRETS[0]), "memo:0123456789abcdef") * 2:
        counted = [0]

        def count(frame: Any, event: str, _: Any, counted: list[int] = counted) -> Any:
            counted[0] += event == "line"
            return count

        sys.settrace(count)
        try:
            told(path, "agent", "annotate", {"node": node, "text": "x"})
        finally:
            sys.settrace(None)
        counts.append(counted[0])
    hidden, unknown = counts[2:]
    assert abs(hidden - unknown) * 20 <= unknown, counts
