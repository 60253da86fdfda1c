"""Derive entries from ops: what each op did, what was said in it, and failures that come back. Pure.

The same ops in the same order give the same entries. What one op needs to know of those before it is in a `Course`,
which is written down with the cursor, so that deriving can go on at any step.

    course = Course()
    for step, chain, body in rows:
        for entry in derive(unseal(body), Origin(step, digest(body).hex(), chain.hex()), text, course): ...
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from ccos_core.intake.tools import command_of
from ccos_core.memory.entry import (
    SAID_CLASS,
    Entry,
    content_hash,
    keyed_id,
    level_after,
    memo_id,
    regions_after,
    with_extra,
)
from ccos_core.memory.rules import RULES, domain_tags, kind_tags, title_of
from ccos_core.memory.speech import (
    ANSWER,
    CREATES,
    DECLARING,
    PLANS,
    REJECTED,
    Todos,
    declared_todos,
    json_object,
    plan_in,
    words_of_user,
)
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.text.sorts import sort_of
from ccos_core.text.statements import Statement, statements_of
from ccos_core.values.canon import spelled
from ccos_core.values.tokens import UNIT, line_parts, tokens

VERSION = 2
"""Goes up whenever the same ops may give other entries; a store of another version is rebuilt."""
MOST_TOKENS = 512
MOST_CHARACTERS = 6_000
"""Of a text that are looked at for its head."""
TITLE_CHARACTERS = 80
TODO, PLAN, PATTERN = "todo", "plan", "pattern"

Op: TypeAlias = Mapping[str, Any]
Fields: TypeAlias = dict[str, Any]
Text: TypeAlias = Callable[[Mapping[str, Any] | None], str]
"""Gives the text of a field of an op that refers to one; empty if it has none, or it was erased."""


class Origin(NamedTuple):
    """Which op an entry is derived from."""

    step: int
    op_hash: str
    chain: str


@dataclass(slots=True)
class Course:
    """What deriving remembers from op to op."""

    prompts: dict[str, str] = field(default_factory=dict)
    """Context → the node of its last prompt."""

    models: dict[str, str] = field(default_factory=dict)
    todos: dict[str, Todos] = field(default_factory=dict)
    failures: dict[str, list[Any]] = field(default_factory=dict)
    """Id of a pattern → [times, first step, time, action and chain hash of that]."""

    def text(self) -> str:
        """Write it down."""
        todos = {context: [each.status, each.tasks] for context, each in self.todos.items()}
        return spelled([VERSION, self.prompts, self.models, todos, self.failures]).decode()

    @classmethod
    def read(cls, text: str) -> Course | None:
        """Read what `text` wrote; None if another version wrote it."""
        if not text:
            return cls()
        version, prompts, models, todos, failures = json.loads(text)
        if version != VERSION:
            return None
        return cls(prompts, models, {context: Todos(*each) for context, each in todos.items()}, failures)


def derive(op: Op, origin: Origin, text: Text, course: Course) -> list[Entry]:
    """Return the entries of one op, at least one: what it did comes first. No two have the same id."""
    context = _context(op)
    if model := op.get("model"):
        course.models[context] = f"{op.get('host', '')}/{model}"
    if op["kind"] == "prompt" and op["source"] in ("user", "agent"):
        course.prompts[context] = f"prompt:{origin.step}"
    base = _base(op, origin, course, context)
    is_statement = op["kind"] == "remembered"
    found = [_remembered(op, base, text) if is_statement else _did(op, base, origin.op_hash, text)]
    found += _statements(op, base, text, course, context)
    if op["kind"] == "failed":
        found += _pattern(op, base, course)
    return list({each.id: each for each in reversed(found)}.values())[::-1]


def texts_wanted(op: Op) -> list[str]:
    """Return the hashes of the texts that deriving from an op reads."""
    names = RULES[op["kind"]].texts
    found = [op[name]["blob"] for name in names if name in op]
    if _result_counts(op):
        found.append(op["result"]["blob"])
    return found


def merged(known: Entry, entry: Entry) -> Entry:
    """Return an entry that came up again. A step counts once, whatever is delivered twice."""
    if entry.last <= known.last:
        return known
    if entry.cls == PATTERN:
        return replace(known, count=entry.count, last=entry.last, last_at=entry.last_at)
    author = "user" if entry.author == "user" else known.author
    extra = dict(known.extra) | dict(entry.extra)
    return replace(
        known,
        count=known.count + 1,
        last=entry.last,
        last_at=entry.last_at,
        author=author,
        extra=tuple(sorted(extra.items())),
    )


def nodes_changed(op: Op) -> list[str]:
    """Return the nodes of which an op changes how they are filed or how they stand."""
    named = op.get(CHANGES[op["kind"]], ()) if op["kind"] in CHANGES else ()
    return [named] if isinstance(named, str) else list(dict.fromkeys(named))


def changed(entry: Entry, op: Op, step: int) -> Entry:
    """Return an entry as an op files it. Of the user's words only a person changes how they stand."""
    kind, extra = op["kind"], {key: json.loads(value) for key, value in entry.extra}
    is_ruling = kind in STANDINGS or kind == "weighed"
    if step < entry.first or (is_ruling and entry.author == "user" and op.get("actor") != "user"):
        return entry
    if kind in STANDINGS:
        extra |= {"standing": kind, "by": op.get("by", op.get("policy", ""))}
    elif kind == "weighed":
        extra["weight"] = op["weight"]
    else:
        return _filed(entry, op, extra)
    return replace(entry, extra=with_extra(extra))


STANDINGS = frozenset({"retracted", "superseded", "expired"})
CHANGES = {
    "remembered": "memo",
    "labelled": "nodes",
    "weighed": "nodes",
    "expired": "nodes",
    "retracted": "claim",
    "superseded": "claim",
}
"""Kind of op → the field that names the nodes it changes."""


def head_of(text: str) -> tuple[str, int, bool]:
    """Return (the first lines of a text that fit 512 tokens, their tokens, whether they are all of it)."""
    parts, end = 0, 0
    start = text[:MOST_CHARACTERS]
    for line in start.split("\n"):
        cost = line_parts(line)
        if parts + cost > MOST_TOKENS * UNIT:
            break
        parts, end = parts + cost, end + len(line) + 1
    if end > len(text):
        return text, tokens(parts), True
    if end > len(start):
        return start, tokens(parts), False
    if end:
        return text[: end - 1], tokens(parts), False
    return _start_of_line(start)


# ---- helpers ----


def _start_of_line(line: str) -> tuple[str, int, bool]:
    """Return the head of a text whose first line is too long."""
    line = line.partition("\n")[0]
    while line_parts(line) > MOST_TOKENS * UNIT:
        line = line[: len(line) * 3 // 4]
    return line, tokens(line_parts(line)), False


@lru_cache(1024)
def _name(host: str, session: str, context: str) -> str:
    return spelled([host, session, context]).decode()


def _context(op: Op) -> str:
    return _name(op.get("host", ""), op.get("session", ""), op.get("context", ""))


def _base(op: Op, origin: Origin, course: Course, context: str) -> Fields:
    """Return what all entries that are derived from one op have in common."""
    main = _name(op.get("host", ""), op.get("session", ""), "")
    kind, at = op["kind"], op.get("at", 0)
    author = op["source"] if kind == "prompt" else "agent" if kind in ("turn", "thought") else op.get("actor", "")
    return {
        "cls": kind,
        "first": origin.step,
        "last": origin.step,
        "at": at,
        "last_at": at,
        "session": op.get("session", ""),
        "context": op.get("context", ""),
        "intent": course.prompts.get(context) or course.prompts.get(main, ""),
        "call": op.get("call", ""),
        "author": author,
        "provider": course.models.get(context) or op.get("host", ""),
        "action": f"{origin.step}:{origin.op_hash}",
        "chain": origin.chain,
    }


def _entry(base: Fields, id_: str, words: str, whole: str | None = None, **more: Any) -> Entry:
    """Return an entry with these words, shortened to what an entry may have; `whole` is the hash of the whole text."""
    head, cost, is_all = head_of(words)
    reference = None if is_all else (whole or content_hash(words))
    told = {"title": _title(head), "whole": reference, **base, **more}
    return Entry(id=id_, words=head, tokens=cost, content=content_hash(head), **told)


def _title(text: str) -> str:
    line = " ".join(text[: 2 * TITLE_CHARACTERS].split())
    return line if len(line) <= TITLE_CHARACTERS else line[: TITLE_CHARACTERS - 1].rstrip() + "…"


def _did(op: Op, base: Fields, op_hash: str, text: Text) -> Entry:
    """Return the entry of what an op did."""
    told = [_arguments(op, text(op.get("arguments")))] if op["kind"] == "tool" else []
    shown = [name for name in RULES[op["kind"]].texts if name in op and name != "arguments"]
    told += [text(op[name]) for name in shown]
    if _result_counts(op) and op["name"] != CREATES:
        told.append(text(op["result"]))
        shown.append("result")
    title = _title(title_of(op, told[0] if told else ""))
    is_spoken = op["kind"] in SPOKEN and bool(told)
    words = told[0] if is_spoken else "\n".join([title, *filter(None, told)])
    whole = op[shown[-1]]["blob"] if shown else None
    if "content" in op:
        base = {**base, "whole": op["content"]["blob"]}
    return _entry(base, keyed_id("op", op_hash), words, whole, title=title, tags=_tags(op))


SPOKEN = frozenset({"prompt", "turn", "thought"})
"""Kinds whose words are the text they bring, and nothing else."""


def _tags(op: Op) -> tuple[str, ...]:
    return tuple(sorted({*kind_tags(op), *domain_tags(op)}))


def _result_counts(op: Op) -> bool:
    """Tell whether the result of a call is read: what went wrong, or the number of a new task."""
    return op["kind"] == "tool" and "result" in op and (op["outcome"] == "error" or op["name"] == CREATES)


def _arguments(op: Op, arguments: str) -> str:
    """Return what a call was asked to do: its command, or the texts among its arguments."""
    if command := command_of(arguments):
        return command
    given = json_object(arguments)
    return "\n".join(f"{key}: {value}" for key, value in given.items() if isinstance(value, (str, int)))


def _remembered(op: Op, base: Fields, text: Text) -> Entry:
    """Return the entry of a statement that a `remembered` op holds."""
    entry = _entry(base, op["memo"], text(op["words"]), op["words"]["blob"], cls=op["class"])
    return _filed(entry, op, {"reason": text(op["reason"])} if "reason" in op else {})


def _filed(entry: Entry, op: Op, extra: dict[str, Any]) -> Entry:
    """Return an entry with the class and the labels that an op gives it."""
    tags = (set(entry.tags) | set(op.get("tags", ()))) - set(op.get("untagged", ()))
    if "pinned" in op:
        tags = tags | {"pinned"} if op["pinned"] else tags - {"pinned"}
    if op["kind"] == "remembered":
        extra |= {name: op[name] for name in ("about", "scope", "lifetime") if name in op}
        for name in ("standing", "by"):
            extra.pop(name, None)
    return replace(
        entry,
        cls=op.get("class", entry.cls),
        tags=tuple(sorted(tags)),
        privacy=level_after(entry.privacy, op.get("privacy"), op.get("actor")),
        regions=regions_after(entry.regions, op.get("regions"), op.get("actor")),
        extra=with_extra(extra),
    )


def _statements(op: Op, base: Fields, text: Text, course: Course, context: str) -> Iterator[Entry]:
    """Yield what the user said and what the agent declares in an op."""
    if op["kind"] in ("prompt", "turn"):
        said = text(op.get("said"))
        if op["kind"] == "prompt":
            channel, words = words_of_user(op, said)
            for each in statements_of(words, wrapped=channel != ANSWER):
                yield _statement({**base, "author": "user"}, each, channel)
        for each in statements_of(plan_in(op, said)):
            yield _statement({**base, "author": "agent"}, each, PLAN)
    elif op["kind"] == "tool" and op["name"] in PLANS:
        plan = json_object(text(op.get("arguments"))).get("plan")
        for each in statements_of(plan) if isinstance(plan, str) else ():
            yield _statement({**base, "author": "agent"}, each, PLAN, REJECTED if op["outcome"] == "error" else "")
    elif op["kind"] == "tool" and op["name"] in DECLARING:
        todos = course.todos.setdefault(context, Todos())
        result = text(op.get("result")) if op["name"] == CREATES else ""
        for place, words, status in declared_todos(op, text(op.get("arguments")), result, todos):
            each = Statement(words, tuple(normalised_words(words)), place, place)
            yield _statement({**base, "author": "agent"}, each, TODO, status)


def _statement(base: Fields, said: Statement, channel: str, status: str = "") -> Entry:
    """Return the entry of one statement; its class is what its form says for certain."""
    is_user = base["author"] == "user"
    cls = TODO if channel == TODO else sort_of(said.text) if is_user and not said.pasted else ""
    tags = ["statement", *([channel] if channel else []), *(["pasted"] if said.pasted else [])]
    extra = with_extra({"status": status} if status else {})
    more: Fields = {"cls": cls or SAID_CLASS, "tags": tuple(sorted(set(tags))), "extra": extra}
    return _entry(base, memo_id(said.words), said.text, **more)


def _pattern(op: Op, base: Fields, course: Course) -> Iterator[Entry]:
    """Yield a failure from the second time on that it comes up: the same runner, test and place."""
    path, line = op["sites"][0] if op.get("sites") else ("", 0)
    id_ = keyed_id(PATTERN, op["runner"], op.get("test", ""), path, line)
    times, *first = course.failures.get(id_, [0, base["first"], base["at"], base["action"], base["chain"]])
    course.failures[id_] = [times + 1, *first]
    if times:
        where = f" at {path}:{line}" if path else ""
        words = f"{op.get('test') or 'a run'} fails again{where} ({op['runner']})"
        again = dict(zip(("first", "at", "action", "chain"), first, strict=True))
        again |= {
            "count": times + 1,
            "author": "",
            "cls": PATTERN,
            "tags": tuple(sorted({"failure", *domain_tags(op)})),
        }
        yield _entry({**base, **again}, id_, words)
