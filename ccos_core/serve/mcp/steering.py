"""What the toolset `context` hands out: documents, sections that match, the map, bundles; and which node is meant.

Documents lie in the project as files; before one is spoken of, the record is told what it is now. What is handed out
is recorded as a `recall`, which warms nothing and changes no window of code, and so is what was refused.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ccos_core.errors import CcosError, NotFound, Refused, Unavailable, Usage
from ccos_core.query import documents as recorded_documents
from ccos_core.query.catalogue import BY_NAME, CLASSES
from ccos_core.query.recent_turns import RecordedSession
from ccos_core.serve.mcp.offer import Wrong
from ccos_core.serve.mcp.schema import nearest
from ccos_core.serve.mcp.tools.asking import FOLDING, node_of, put, ready, wrong
from ccos_core.serve.mcp.tools.door import heard
from ccos_core.session.brokers import FILES, SEARCH, SESSION
from ccos_core.session.documents import Document, Documents
from ccos_core.session.recalls import record_recall
from ccos_core.text.compress.prose import LEAST_TOKENS, summarized
from ccos_core.text.sanitize import clean
from ccos_core.text.sections import append_section, read_section, sections, shortened, with_days_in_order
from ccos_core.values.ids import file_node, sym_node
from ccos_core.values.roles import DAILY, IMPRESSIONS, MEMORY, ROLES, TODAY, USER, day_of
from ccos_core.values.tokens import estimate
from ccos_core.window.linearize import Item

if TYPE_CHECKING:
    from ccos_core.memory.backend import Result, Search
    from ccos_core.serve.mcp.offer import Call
    from ccos_core.serve.mcp.tools.door import Door
    from ccos_core.session.brokers import QdrantBroker
    from ccos_core.session.live import Live

SCHEME = "cos://"
ENGINE, QDRANT = "bm25", "qdrant"
STATED = (*CLASSES, "said")
"""Classes of the entries that are statements."""
TURNS = 20
SWITCHED_OFF = "The broker {} is switched off."
THOUSAND = 1_000
NOTHING_YET = "nothing yet"
"""What a document that isn't there says."""


@dataclass(frozen=True)
class Handed:
    """What was handed out, as `record_recall` takes it."""

    lens: str
    budget: int
    text: str
    items: tuple[Item, ...] = field(default=())


# ---- resources ----


def read_resource(door: Door, call: Call, role: str, section: str = "", day: str = "") -> str:
    """The text of a document, as the gate lets it through."""
    live = steered(door, call)
    text, found = document_text(door, live, call, role, "", day, 1, section)
    if door.steers:
        hand_out(live, f"{SCHEME}{role}", section or day, 0, text, found.get("items", ()))
    return text or NOTHING_YET


def read_map(door: Door, call: Call, level: str) -> str:
    """The map of now."""
    if level not in ("", "1", "2", "3"):
        raise Wrong("level", f"{level!r} isn't a level: 1, 2 or 3.")
    return map_text(steered(door, call), call, level)


def read_search(door: Door, call: Call, query: str) -> str:
    """What documents and statements say about something."""
    live = steered(door, call)
    text, found = search_text(door, live, query, BUDGET)
    if door.steers:
        hand_out(live, f"{SCHEME}{SEARCH}", query, BUDGET, text, found["items"])
    return text or NOTHING_YET


def section_names(door: Door, role: str) -> list[str]:
    """The sections of a document."""
    live = door.live()
    return [each.name for each in sections(_seen(live, shelf(live).read(role).text))]


def document_tokens(door: Door, role: str) -> int | None:
    """About how many tokens a document takes as it lies on the disk; None if it isn't there or can't be read."""
    try:
        document = shelf(door.live()).read(role)
    except (CcosError, OSError):
        return None
    return estimate(document.text) if document.exists else None


def days(door: Door) -> list[str]:
    """The days of which there are notes."""
    return shelf(door.live()).days()


def look_at_documents(door: Door) -> None:
    """Have the record know which documents changed on the disk."""
    live = door.live()
    paths = (_path_of(shelf(live), role) for role in ROLES if role != DAILY)
    if live.look_again([path for path in paths if path is not None]):
        live.keep_up(whole=True)


def _path_of(documents: Documents, role: str) -> str | None:
    """The path of a role's document; None if it leads out of the root or is kept out of the record."""
    try:
        return documents.path_of(role)
    except Refused:
        return None


def changed_documents(door: Door, paths: list[str]) -> list[str]:
    """The resources that these files are."""
    live, found = door.live(), []
    roles = shelf(live).roles
    for path in paths:
        found += [f"{SCHEME}{role}" for role in ROLES if role != DAILY and path in roles.paths(role)]
        if day := roles.day_in(path):
            found.append(f"{SCHEME}{DAILY}/{day}")
        if path in roles.memory and _path_of(shelf(live), MEMORY) is not None:
            found += [f"{SCHEME}{MEMORY}/{name}" for name in section_names(door, MEMORY)]
    return found


def resource_node(door: Door, live: Live, call: Call, said: str, argument: str = "resource") -> str:
    """The node a resource means: `cos://memory/build`, `daily/today`, `soul`, a path, a symbol, a memo."""
    role, _, rest = said.removeprefix(SCHEME).partition("/")
    if role not in ROLES or (rest and not said.startswith(SCHEME) and shelf(live).exists(said)):
        if said.startswith(SCHEME):
            raise Wrong(
                argument, f"there is no resource {said[:80]}.", nearest(said, [SCHEME + each for each in ROLES])
            )
        return said if said.startswith("memo:") else node_of(live, said, argument)
    document = _document(live, role, rest if role == DAILY else "")
    if not document.exists:
        raise Wrong(argument, f"there is no {document.path} yet.", _nearest_role(live, role))
    _tell_of(live, call, document.path)
    if not rest or role == DAILY:
        return file_node(document.path)
    try:
        name = read_section(_seen(live, document.text), rest).name
    except NotFound as error:
        raise wrong(argument, error) from error
    node = f"{sym_node(document.path, '')}{name}"
    return node if live.desk.timeline.at(live.step).find(node) is not None else file_node(document.path)


# ---- helpers ----

BUDGET = 2_048
"""Tokens of a text that is handed out if the caller sets no limit."""


def steered(door: Door, call: Call) -> Live:
    """The workspace, with the settings recorded that answers depend on."""
    live = ready(door, call, whole=True)
    if not door.is_governed and door.settings is not None:
        door.is_governed = True
        policy = door.settings.policy()
        if recorded_documents.context_policy(live.desk.timeline, live.step) != policy:
            name = recorded_documents.CONTEXT_POLICY
            live.tell([{"kind": "governed", "name": name, "policy": policy, "actor": "user"}])
            live.keep_up(heard(call, FOLDING), whole=True)
    return live


def shelf(live: Live) -> Documents:
    return Documents(live.session.root, recorded_documents.roles_at(live.desk.timeline, live.step))


def _seen(live: Live, text: str) -> str:
    """A text of the disk as the gate lets it through, without what the asker may not see."""
    return live.desk.shown(clean(text)[0])


def _today(live: Live) -> str:
    """The day it is where the server runs."""
    return time.strftime("%Y-%m-%d", time.localtime(live.session.clock() / THOUSAND))


def _document(live: Live, role: str, day: str = "") -> Document:
    if role != DAILY:
        return shelf(live).read(role)
    try:
        return shelf(live).read(DAILY, day_of(day or TODAY, _today(live)).isoformat())
    except Usage as error:
        raise wrong("date", error) from error


def _nearest_role(live: Live, missing: str) -> str:
    there = [role for role in ROLES if role not in (missing, DAILY) and shelf(live).read(role).exists]
    return there[0] if there else ""


def document_text(
    door: Door, live: Live, call: Call, role: str, query: str, day: str, detail: int, section: str = ""
) -> tuple[str, dict[str, Any]]:
    """A document's text as the gate lets it through, or the sections of it that match; and what to say of it."""
    broker = MEMORY if role in (MEMORY, DAILY) else FILES
    if broker in door.switched_off:
        return "", {"notes": [SWITCHED_OFF.format(broker)]}
    try:
        document = _document(live, role, day)
    except Refused as error:
        if door.steers:
            hand_out(live, f"refused:{SCHEME}{role}", error.place, 0, "", ())
        raise
    text = _seen(live, document.text)
    told: dict[str, Any] = {"path": document.path}
    if role == USER:
        own = [each for each in shelf(live).read_users() if each.exists]
        text = "\n".join(f"<!-- {each.path} -->\n{_seen(live, each.text)}" for each in own) if len(own) > 1 else text
        if own and not document.exists:
            text, told["path"] = _seen(live, own[0].text), own[0].path
    if role == DAILY:
        told |= {"date": day_of(day or TODAY, _today(live)).isoformat(), "time_zone": time.strftime("%z")}
    if role == IMPRESSIONS:
        text = _with_impressions(live, text)
    if not document.exists and not text:
        return "", {**told, "notes": [f"There is no {document.path} yet."]}
    if document.exists:
        _tell_of(live, call, document.path)
    node = file_node(document.path)
    if section:
        text = read_section(text, section).text
    if query:
        text, names = _matching(text, query)
        told["sections"] = names
    whole = text
    text = shortened(text, detail)
    return text, {**told, "items": (item_of(node, whole, whole=detail == 1 and not query and not section),)}


def _with_impressions(live: Live, text: str) -> str:
    """A text together with the impressions that were remembered and that it doesn't have: below their days, the first
    one first."""
    from ccos_core.query.remembered import LIVE, remembered_until

    timeline = live.desk.timeline
    found = [each for each in remembered_until(timeline, live.step).values() if each.cls == "impression"]
    kept = sorted((each for each in found if each.standing == LIVE), key=lambda each: each.stated)
    for each in kept:
        line = live.desk.shown(f"- {' '.join(each.text.split())}")
        if line not in text:
            day = datetime.fromtimestamp(timeline.op(each.stated).get("at", 0) / THOUSAND, UTC).date()
            try:
                text = append_section(text, day.isoformat(), line)
            except Usage:  # such as a fence that stays open
                text = f"{text.rstrip()}\n\n{line}\n".lstrip()
    return with_days_in_order(text)


def _matching(text: str, query: str) -> tuple[str, list[str]]:
    """The sections that have words of a query, the best first."""
    known = sections(text)
    found = recorded_documents.ranked([f"{each.title}\n{text[each.start : each.own_end]}" for each in known], query)
    chosen = [known[at] for at in found]
    return "\n".join(text[each.start : each.own_end] for each in chosen), [each.name for each in chosen]


def search_text(door: Door, live: Live, query: str, room: int) -> tuple[str, dict[str, Any]]:
    """What statements and documents say about something: statements by Qdrant if that is there, all else by words."""
    found = recorded_documents.search(live.desk.timeline, live.step, query, live.desk.user())
    engine, notes = ENGINE, [SWITCHED_OFF.format(SEARCH)] if SEARCH in door.switched_off else []
    if (broker := door.search_broker) is not None:
        try:
            said = _by_qdrant(live, broker, query)
            found = [*said, *(each for each in found if each.path)]
            engine = QDRANT
        except Unavailable as error:
            notes.append(f"{error.place} {error.fact}; keywords were used instead.")
    if {MEMORY, FILES} & door.switched_off:
        notes += [SWITCHED_OFF.format(name) for name in sorted({MEMORY, FILES} & door.switched_off)]
        found = [each for each in found if not each.path or _broker_of(live, each.path) not in door.switched_off]
    lines: list[str] = []
    items, used = [], 0
    for each in found:
        shown = live.desk.shown(each.text.rstrip("\r\n"))
        if not lines:
            shown, _ = cut_to(shown, room)  # the best is told in part rather than not at all
        cost = estimate(shown + "\n\n")
        if not shown or (lines and used + cost > room):
            break
        used += cost
        lines.append(shown)
        items.append(item_of(each.node, shown, whole=False))
    names = [each.node for each in found]
    told = {"engine": engine, "sections": names[: len(lines)], "more": len(names) - len(lines), "items": tuple(items)}
    return "\n\n".join(lines), {**told, **({"notes": notes} if notes else {})}


def _broker_of(live: Live, path: str) -> str:
    """The broker that gives a document."""
    roles = shelf(live).roles
    return MEMORY if path in roles.memory or roles.day_in(path) else FILES


def _by_qdrant(live: Live, broker: QdrantBroker, query: str) -> list[recorded_documents.Passage]:
    """Statements that have words of a query, in the order in which Qdrant's collection has them. Raises
    `Unavailable`."""

    def ask(search: Search) -> Result:
        return broker.search(query, broker.collection, search.limit, search)

    found = live.memory.search(live.desk, {"class": list(STATED)}, words=query, elsewhere=ask).memories
    return [recorded_documents.Passage(each["id"], "", f"- {each['words']} ({each['id']})") for each in found]


def session_text(door: Door, live: Live, room: int) -> tuple[str, dict[str, Any]]:
    """The last turns of the session that spoke last, the newest that fit, behind its last summary."""
    if SESSION in door.switched_off:
        return "", {"notes": [SWITCHED_OFF.format(SESSION)]}
    session = RecordedSession(live.desk.timeline, live.step)
    if not session.health():
        return "", {"notes": ["No session is recorded."]}
    turns = [f"[{each.step}] {each.speaker}: {each.text.strip()}" for each in session.get_recent_turns(TURNS)]
    shown: list[str] = []
    for text in reversed(list(map(live.desk.shown, turns))):
        if shown and estimate("\n\n".join([text, *shown])) > room:
            break
        shown.insert(0, text)
    summary = live.desk.shown(session.get_summary())
    left = room - estimate("\n\n".join(shown))
    short = summarized(summary, left).text if left >= LEAST_TOKENS else ""
    return "\n\n".join([*([short] if short else []), *shown]), {"turns": len(shown)}


def item_of(node: str, text: str, *, whole: bool) -> Item:
    return Item(node, "", "body" if whole else "name", estimate(text), "", "")


def cut_to(text: str, room: int) -> tuple[str, str]:
    """The first lines of a text that fit, without half a line end, and what to say of the others."""
    text = text.removesuffix("\r")
    if estimate(text) <= room:
        return text, ""
    lines = text.split("\n")
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimate("\n".join(lines[:middle])) <= room else (low, middle - 1)
    rest = estimate("\n".join(lines[low:]))
    return "\n".join(lines[:low]).removesuffix(
        "\r"
    ), f"{len(lines) - low:,} of {len(lines):,} lines, about {rest:,} tokens"


def map_text(live: Live, call: Call, level: str) -> str:
    said = {"level": level} if level else {}
    return str(put(live, call, "mindmap", said).answer.text)


def plan_and_record(live: Live, call: Call, question: str, said: dict[str, str], argument: str) -> Any:
    """The answer of a question that writes; what it says of its argument is said of ours."""
    try:
        asked = live.ask(BY_NAME[question], said, None, heard(call, FOLDING))
    except (Usage, NotFound) as error:
        raise wrong(argument, error) from error
    return asked.answer


def _tell_of(live: Live, call: Call, path: str) -> None:
    """Have the record know what a file is now."""
    if live.look_again([path]):
        live.keep_up(heard(call, FOLDING), whole=True)


def hand_out(live: Live, lens: str, query: str, budget: int, text: str, items: tuple[Item, ...]) -> None:
    """Record what was handed out; an answer that can't be recorded is better than none."""
    try:
        named = f"{lens}?q={' '.join(query.split())[:MOST_QUERY]}" if query else lens
        record_recall(live.session, Handed(named, budget, text, items), live.step)
        live.keep_up(whole=True)
    except CcosError:
        return


MOST_QUERY = 500
"""Characters of a query that is recorded."""


class _Unheard:
    """A call whose host hears of no progress: that of a prompt."""

    def progress(self, done: int, total: int | None = None, words: str = "") -> None:
        """Say nothing."""


def bundle_text(door: Door, name: str, budget: int, task: str) -> str:
    """A bundle as a prompt says it."""
    call = _Unheard()
    live = steered(door, call)
    roles = recorded_documents.roles_at(live.desk.timeline, live.step)
    if live.look_again([path for role in ROLES if role != DAILY for path in roles.paths(role)]):
        live.keep_up(whole=True)
    said = {"name": name, "budget": str(budget), **({"task": task} if task.strip() else {})}
    found = put(live, call, "bundle", said).answer
    if door.steers:
        hand_out(live, f"{SCHEME}{name}", task, budget, found.text, ())
    return found.text or NOTHING_YET
