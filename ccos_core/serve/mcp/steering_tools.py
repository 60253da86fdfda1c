"""The nine tools of the toolset `context`, by the names of the COS specification: what each does when it is called."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ccos_core.errors import NotFound, Refused, Usage
from ccos_core.query.candidates import POLICIES
from ccos_core.query.paging_out import paged_out
from ccos_core.query.sourced import text_of_node
from ccos_core.serve.mcp.offer import Wrong
from ccos_core.serve.mcp.steering import (
    BUDGET,
    SCHEME,
    cut_to,
    document_text,
    hand_out,
    item_of,
    map_text,
    plan_and_record,
    resource_node,
    search_text,
    session_text,
    shelf,
    steered,
)
from ccos_core.serve.mcp.tools.asking import FOLDING, put, with_notes
from ccos_core.serve.mcp.tools.door import heard
from ccos_core.session.brokers import FILES
from ccos_core.session.known import content_of
from ccos_core.text.sections import read_section
from ccos_core.values.ids import sym_node
from ccos_core.values.roles import IMPRESSIONS, MEMORY
from ccos_core.values.tokens import estimate

if TYPE_CHECKING:
    from ccos_core.serve.mcp.offer import Answer, Arguments, Call
    from ccos_core.serve.mcp.tools.door import Door
    from ccos_core.session.live import Live

SEARCH, SESSION, MINDMAP = "search", "session", "mindmap"
DETAIL = 2
THOUSAND = 1_000
PERCENT = 100


def get_context(door: Door, given: Arguments, call: Call) -> Answer:
    """Read a document or search all; the whole answer fits the budget, and the map comes with it."""
    live = steered(door, call)
    kind, query, budget = given["type"], (given.get("query") or "").strip(), given["budget"]
    detail = (
        given.get("detail")
        or given.get("compression")
        or (door.settings.detail if door.settings is not None else DETAIL)
    )
    drawn = map_text(live, call, "3")
    room = budget - estimate(drawn)
    found: dict[str, Any] = {}
    if kind == MINDMAP:
        drawn, content = "", map_text(live, call, str(detail))
    elif kind == SEARCH:
        if not query:
            raise Wrong("query", "search needs words to look for.")
        content, found = search_text(door, live, query, room)
    elif kind == SESSION:
        content, found = session_text(door, live, room)
    else:
        content, found = document_text(door, live, call, kind, query, str(given.get("date") or ""), detail)
    content, left = cut_to(content, room)
    if left:
        found["left_out"] = left
    if door.steers:
        day = f"/{found['date']}" if "date" in found else ""
        hand_out(live, f"{SCHEME}{kind}{day}", query, budget, content, found.get("items", ()))
    found.pop("items", None)
    told = {"schema": "ccos.cos-context/1", "type": kind, "content": content, "tokens": estimate(content + drawn)}
    return with_notes(door, given, {**told, "detail": detail, "map": drawn, **found})


def update_memory(door: Door, given: Arguments, call: Call) -> Answer:
    """Append to a section of the memory, and record the file as edited."""
    live = steered(door, call)
    if MEMORY in door.switched_off:
        raise Refused("is switched off", place="brokers.memory", hint="The settings file says so.")
    documents = shelf(live)
    changed = _blaming(lambda: documents.append_section(given["section"], given["content"]), "content", "section")
    path = documents.path_of(MEMORY)
    step = _record_edit(live, call, path, documents.load(path))
    section = read_section(documents.load(path), given["section"])
    node = sym_node(path, section.name)
    told = {"path": path, "section": section.name, "node": node, "changed": changed, "step": step or live.step}
    return with_notes(door, given, {"schema": "ccos.cos-update/1", **told})


def log_impression(door: Door, given: Arguments, call: Call) -> Answer:
    """Remember an impression; also in the file of impressions, if the project has one."""
    live = steered(door, call)
    documents, path = shelf(live), ""
    filed = FILES not in door.switched_off and documents.read(IMPRESSIONS).exists  # raises before anything is recorded
    said = {"text": given["text"], "class": "impression"}
    answer = plan_and_record(live, call, "remember", said, "text")
    if filed:
        path = documents.path_of(IMPRESSIONS)
        day = datetime.fromtimestamp(live.session.clock() / THOUSAND, UTC).date().isoformat()
        line = f"- {' '.join(given['text'].split())}"
        _blaming(lambda: documents.append(IMPRESSIONS, day, line), "text", "text")
        _record_edit(live, call, path, documents.load(path))
    told = {"memo": answer.nodes[0], "changed": answer.changed, "step": answer.step, "path": path}
    return with_notes(door, given, {"schema": "ccos.cos-impression/1", **told})


def page_in(door: Door, given: Arguments, call: Call) -> Answer:
    """Ask for a resource to be held, and hand its text out."""
    live = steered(door, call)
    node = resource_node(door, live, call, given["resource"])
    answer = plan_and_record(live, call, "page-in", {"nodes": node}, "resource")
    told: dict[str, Any] = {"node": node, "status": "asked", "changed": answer.changed, "step": answer.step}
    if given["content"]:
        text = live.desk.shown(text_of_node(live.desk.timeline, node, live.step) or "")
        content, left = cut_to(text, BUDGET)
        told |= {"content": content, "tokens": estimate(content), **({"left_out": left} if left else {})}
        if door.steers:
            items = (item_of(node, text, whole=not left),)
            hand_out(live, f"{SCHEME}page_in", given["resource"], BUDGET, content, items)
    notes = _notes_on(live, node)
    return with_notes(door, given, {"schema": "ccos.cos-paged/1", **told, **({"annotations": notes} if notes else {})})


def page_out(door: Door, given: Arguments, call: Call) -> Answer:
    """Propose a resource for eviction."""
    live = steered(door, call)
    node = resource_node(door, live, call, given["resource"])
    reason = {"reason": given["reason"]} if given.get("reason") else {}
    answer = plan_and_record(live, call, "page-out", {"nodes": node, **reason}, "resource")
    return with_notes(door, given, {"schema": "ccos.cos-paged-out/1", **_paged_out(live, node, answer)})


def set_attention(door: Door, given: Arguments, call: Call) -> Answer:
    """Say how much a resource matters."""
    live = steered(door, call)
    node = resource_node(door, live, call, given["resource"])
    weight = round(given["weight"] * THOUSAND)
    answer = plan_and_record(live, call, "attention", {"node": node, "weight": str(weight)}, "resource")
    told = {"node": node, "weight": weight, "status": "hot" if weight > THOUSAND else "loaded"}
    return with_notes(door, given, {"schema": "ccos.cos-attention/1", **told, "changed": answer.changed})


def annotate(door: Door, given: Arguments, call: Call) -> Answer:
    """Leave a note on a resource."""
    live = steered(door, call)
    node = resource_node(door, live, call, given["resource"])
    answer = plan_and_record(live, call, "annotate", {"node": node, "text": given["note"]}, "note")
    told = {"node": node, "changed": answer.changed, "step": answer.step}
    return with_notes(door, given, {"schema": "ccos.cos-note/1", **told})


def get_pressure(door: Door, given: Arguments, call: Call) -> Answer:
    """How full the window is; `unknown` where no program has told of its window."""
    live = steered(door, call)
    try:
        found = put(live, call, "pressure", {}).answer
    except NotFound as error:
        told = {"level": "unknown", "utilization": 0, "context_used": 0, "context_max": 0, "recommended_action": "none"}
        empty = {"eviction_candidates": [], "notes": [f"No window of an agent is recorded: {error.fact}."]}
        return with_notes(door, given, {"schema": "ccos.cos-pressure/1", **told, **empty})
    names = ("level", "context_used", "context_max", "compacts_at", "left", "recommended_action")
    told = {name: getattr(found, name) for name in (*names, "source", "as_of", "managed", "policy")}
    candidates = [{"item": each.item, "says": each.says, "frees": each.frees} for each in found.eviction_candidates]
    told |= {"utilization": found.utilization / THOUSAND, "eviction_candidates": candidates}
    return with_notes(door, given, {"schema": "ccos.cos-pressure/1", **told})


def set_priority(door: Door, given: Arguments, call: Call) -> Answer:
    """Choose the eviction policy."""
    policy = given.get("eviction_policy") or given.get("policy")
    if not policy:
        raise Wrong("eviction_policy", f"is required: {', '.join(POLICIES)}.", POLICIES[0])
    live = steered(door, call)
    changed = plan_and_record(live, call, "priority", {"policy": policy}, "eviction_policy").changed
    return with_notes(door, given, {"schema": "ccos.cos-priority/1", "policy": policy, "changed": changed})


# ---- helpers ----


def _blaming(act: Callable[[], bool], otherwise: str, *others: str) -> bool:
    """Do something to a document; what is wrong is said of an argument."""
    try:
        return bool(act())
    except Usage as error:
        argument = error.place if error.place in (otherwise, *others) else otherwise
        raise Wrong(argument, f"{error.fact}.") from error


def _paged_out(live: Live, node: str, answer: Any) -> dict[str, Any]:
    """What was paged out, and the summary that stands for it; what was already is told as it would be told now."""
    found = answer.paged[0] if answer.paged else paged_out(live.desk.timeline, live.step, node)[1]
    names = ("original_tokens", "compressed_tokens", "level", "held", "freed", "ccr_ref")
    told = {name: getattr(found, name) for name in names}
    told |= {"compression_ratio": found.compression_ratio / PERCENT, "summary": live.desk.shown(found.summary)}
    return {"resource_id": node, **told, "changed": answer.changed, "step": answer.step}


def _notes_on(live: Live, node: str) -> list[str]:
    """Annotations of a node, the latest last."""
    from ccos_core.query.remembered import assertions_of

    return [live.desk.shown(each.text) for each in assertions_of(live.desk.timeline, node, live.step).notes]


def _record_edit(live: Live, call: Call, path: str, text: str) -> int:
    """Record that the agent edited a file; 0 if the record has it so already, told by a hook or a look."""
    live.keep_up(heard(call, FOLDING), whole=True)
    seen = {"kind": "seen", "how": "edit", "path": f"./{path}", "content": text, "actor": "agent"}
    admitted = live.admit(seen)
    live.session.known.catch_up(live.head)
    if live.session.known.paths.get(path) == content_of(admitted.op):
        return 0
    (step,) = live.append([admitted])
    live.keep_up(heard(call, FOLDING), whole=True)
    return step
