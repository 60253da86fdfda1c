"""The table of verbs: what each takes, and what it does. What isn't in it is a question of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ccos_core.errors import Usage
from ccos_core.query.catalogue import ALIASES, BY_NAME, Entry, entry_of
from ccos_core.query.question import FURTHER
from ccos_core.query.words import AT, nearest
from ccos_core.serve import felt
from ccos_core.serve.cli import proving, recalling
from ccos_core.serve.memory.store import Answer, Store
from ccos_core.serve.memory.wanted import Wanted, taken
from ccos_core.session.recalls import record_recall
from ccos_core.session.settings import recording_allowed
from ccos_core.window.code import find, spelled
from ccos_core.window.lenses import window_of
from ccos_core.window.linearize import DEFAULT_BUDGET

STRATEGIES = ("working_set", "around", "task", "semantic", "hybrid")
SMALLEST_BUDGET = 64
OTHER_NAMES = {"causes": "blame", "what_if": "recall_what_if", "page-fault": "page_fault"}
"""What the seed calls things, or somebody might → what they are here."""
DEEP = {"depth": "hops"}
"""The same for an argument of a question."""

LENS = (
    Wanted("strategy", "text", words=STRATEGIES),
    Wanted("anchor", "text"),
    Wanted("text", "text"),
    Wanted("lens", "text"),
    Wanted("budget", "number", DEFAULT_BUDGET, least=SMALLEST_BUDGET),
)


@dataclass(frozen=True, slots=True)
class Verb:
    """Something that can be said on a line."""

    summary: str
    wanted: tuple[Wanted, ...]
    do: Callable[..., Answer]
    """Takes the store and its arguments; gives the answer without its schema."""
    schema: str = ""
    """Of its answer, where the answer doesn't bring one."""


def obeyed(store: Store, verb: str, said: Mapping[str, Any]) -> Answer:
    """Do what a verb says."""
    store.hear()
    verb = OTHER_NAMES.get(verb, verb)
    if verb in VERBS:
        does = VERBS[verb]
        answer = does.do(store, **taken(verb, does.wanted, said))
        return {"schema": does.schema, **answer} if does.schema else answer
    entry = entry_of(verb)
    if entry is None:
        known = [*VERBS, *BY_NAME, *ALIASES]
        raise Usage("there is no such op", place=verb[:40], hint=nearest(verb, known) or 'Say {"op":"help"}')
    return store.ask(entry, _said(entry, said))


def _said(entry: Entry, said: Mapping[str, Any]) -> dict[str, str]:
    """What was said for the arguments of a question, as somebody would type it."""
    arguments = {argument.name: argument for argument in entry.load().arguments}
    known = [*arguments, AT]
    found: dict[str, str] = {}
    for name, value in said.items():
        plain = DEEP.get(name, name).replace("_", "-")
        if plain not in known:
            hint = nearest(plain, known) or f"It takes: {'  '.join(known)}"
            raise Usage(f"{entry.name} takes no such argument", place=name[:40], hint=hint)
        if value is not False:
            found[plain] = _typed(name, value)
    for name, argument in arguments.items():
        if argument.required and name not in found:
            raise Usage(f"{entry.name} wants it: {argument.says}", place=name)
    return found


def _typed(name: str, value: Any) -> str:
    if value is True:
        return "yes"
    if isinstance(value, list) and len(value) == 2 and all(type(each) is int for each in value):
        return f"{value[0]}..{value[1]}"
    if isinstance(value, str) or (type(value) is int and abs(value) < 2**63):
        return str(value)
    raise Usage("should be a text, a number, true or false, or two steps", place=name)


# ---- what is recorded ----


def _ingest(store: Store, uri: str, source: str, how: str) -> Answer:
    before = store.session.recorded.head()[0]
    told = {"kind": "seen", "how": how, "actor": "agent", "path": uri.removeprefix("file:"), "content": source}
    step = store.record(told)
    return {"step": step, "new": step > before}


def _failure(store: Store, node: str, test: str) -> Answer:
    recording_allowed()
    target = spelled(find(node, store.knowing), store.knowing)
    return store.telling({"kind": "failed", "runner": "user", "nodes": [target], **({"test": test} if test else {})})


def _pass(store: Store, nodes: list[str] | None) -> Answer:
    recording_allowed()
    targets = [spelled(find(node, store.knowing), store.knowing) for node in nodes or ()]
    scope: dict[str, Any] = {"scope": "nodes", "nodes": targets} if targets else {"scope": "all"}
    return store.telling({"kind": "passed", "runner": "user", **scope})


def _page_fault(store: Store, output: str, command: str, budget: int) -> Answer:
    outcome = felt.outcome_of(output, command, "output", felt.HANDED)
    told = {"kind": "tool", "name": "run", "actor": "user", "outcome": outcome, "result": output}
    answer = store.telling({**told, **({"arguments": {"command": command}} if command else {})})
    window = window_of("working-set", budget, store.knowing, store.knowing.world)
    return {**answer, "window": recalling.as_answer(window, store.knowing)}


# ---- what is asked ----


def _recall(
    store: Store,
    strategy: str | None,
    anchor: str | None,
    text: str | None,
    lens: str | None,
    budget: int,
    record: bool,
) -> Answer:
    said = _lens(strategy, anchor, text, lens)
    if said in FURTHER:
        if record:
            raise Usage("isn't a window of ours, so it can't have been handed out", place="record")
        return store.ask(BY_NAME["recall"], {"lens": said, "budget": str(budget)})
    knowing = store.knowing
    window = window_of(said, budget, knowing, knowing.world)
    answer = recalling.as_answer(window, knowing)
    if record:
        recording_allowed()
        record_recall(store.session, window, knowing.step)
    return answer


def _recall_what_if(
    store: Store,
    step: int,
    strategy: str | None,
    anchor: str | None,
    text: str | None,
    lens: str | None,
    budget: int,
) -> Answer:
    said = {AT: str(step), "lens": _lens(strategy, anchor, text, lens), "budget": str(budget)}
    return store.ask(BY_NAME["recall"], said)


def _lens(strategy: str | None, anchor: str | None, text: str | None, lens: str | None) -> str:
    """The one spelling of a window; without a strategy by what else was said."""
    if lens is not None:
        if strategy is not None or anchor is not None or text is not None:
            raise Usage("a lens says all of it", place="lens", hint="Leave out strategy, anchor and text.")
        return lens
    strategy = strategy or ("around" if anchor is not None else "hybrid" if text is not None else "working_set")
    needs = {"around": ("anchor", anchor), "working_set": ("", "")}.get(strategy, ("text", text))
    for name, value in (("anchor", anchor), ("text", text)):
        if value is not None and name != needs[0]:
            raise Usage(f"strategy {strategy} takes none", place=name)
    if needs[1] is None or (needs[0] and not needs[1].strip()):
        raise Usage(f"strategy {strategy} wants it: a text", place=needs[0])
    return {"working_set": "working-set", "semantic": "task"}.get(strategy, strategy) + (
        f":{needs[1]}" if needs[0] else ""
    )


def _verify(store: Store) -> Answer:
    return proving.as_answer(proving.proof_of(store.session.recorded))


def _help(store: Store) -> Answer:
    own = {
        name: {"summary": verb.summary, "arguments": [each.name for each in verb.wanted]}
        for name, verb in VERBS.items()
    }
    asked = {
        name: {"summary": entry.summary, "arguments": [*(each.name for each in entry.load().arguments), AT]}
        for name, entry in BY_NAME.items()
        if name not in VERBS
    }
    return {"ops": own | asked}


VERBS: Mapping[str, Verb] = {
    "ingest": Verb(
        "An agent saw a source, or changed it: its whole text.",
        (
            Wanted("uri", "text", required=True),
            Wanted("source", "text", required=True),
            Wanted("how", "text", "read", words=("read", "edit", "write", "ingest")),
        ),
        _ingest,
        "ccos.ingested/1",
    ),
    "failure": Verb(
        "Something fails at a node.",
        (Wanted("node", "text", required=True), Wanted("test", "text", "")),
        _failure,
        "ccos.failure/1",
    ),
    "pass": Verb("Nodes work again; without any, everything does.", (Wanted("nodes", "texts"),), _pass, "ccos.pass/1"),
    "page_fault": Verb(
        "The output of a run: what failed comes under pressure, and the window for it comes back.",
        (
            Wanted("output", "text", required=True),
            Wanted("command", "text", ""),
            Wanted("budget", "number", DEFAULT_BUDGET, least=SMALLEST_BUDGET),
        ),
        _page_fault,
        "ccos.page-fault/1",
    ),
    "recall": Verb("The window an agent should have now.", (*LENS, Wanted("record", "switch", False)), _recall),
    "recall_what_if": Verb(
        "The window it should have had at a step.", (Wanted("step", "number", required=True), *LENS), _recall_what_if
    ),
    "verify": Verb("The proof that nothing was changed.", (), _verify),
    "help": Verb("Every op, and what it takes.", (), _help, "ccos.memory-help/1"),
}
