"""The toolset `memos`: search what the working memory derives from the record, and see how it keeps up."""

from __future__ import annotations

from ccos_core.serve.mcp.offer import Tool, Wrong
from ccos_core.serve.mcp.tools import schemas
from ccos_core.serve.mcp.tools.asking import FOLDING, ready, told, wrong
from ccos_core.serve.mcp.tools.door import heard
from ccos_core.serve.mcp.tools.questions import question_tools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccos_core.serve.mcp.offer import Answer, Arguments, Call
    from ccos_core.serve.mcp.tools.door import Door

SECRETS, PERSONAL = "secrets", "pii"


def tools(door: Door) -> tuple[Tool, ...]:
    """Them all, in the order in which they are listed."""
    return (
        Tool(
            name="wm_search",
            title="Search the working memory",
            description="Find statements, calls, failures and other entries of the record by conditions and words. "
            "Returns each with its provenance.",
            takes=schemas.takes(
                query=schemas.conditions(
                    'Conditions: {"type": "failed", "tag": "lang:py", "intent": "prompt:12", "since": 100}, with and, '
                    "or, not; limit bounds how many entries are looked at."
                ),
                words=schemas.text("Rank by these words; without them the latest come first."),
                boundaries=schemas.conditions("Boundaries: temporal, privacy, jurisdictional, scope."),
                mode=schemas.choice(
                    "By keywords, or by vectors of word parts.", "keyword", "semantic", default="keyword"
                ),
                max_results=schemas.number("Entries to return.", 1, 1_000, 20),
            ),
            gives=schemas.gives("ccos.memories/1", memories=schemas.LIST, more=schemas.FLAG, mode=schemas.TEXT),
            toolset="memos",
            reads_only=True,
            repeats=True,
            run=lambda given, call: _search(door, given, call),
        ),
        Tool(
            name="observability_ingest",
            title="Update the working memory",
            description="Bring the working memory up to the record now, instead of at the next search.",
            takes=schemas.takes(
                from_action=schemas.word("The action to go on behind, such as act-100. Nothing before it is skipped."),
                redact=schemas.several("What to count: secrets, pii. Both are masked in any case."),
                embed_model=schemas.word("Make vectors for semantic search: wordparts/1."),
                summarize=schemas.switch("Shorten long texts. They always are.", default=True),
            ),
            gives=schemas.gives("ccos.ingested/1", ops=schemas.NUMBER, entries=schemas.NUMBER, at=schemas.NUMBER),
            toolset="memos",
            reads_only=True,
            repeats=True,
            run=lambda given, call: _ingest(door, given, call),
        ),
        Tool(
            name="stats_memos",
            title="Statistics of the working memory",
            description="Count the entries by class, privacy and region; show lag, throughput and errors.",
            takes=schemas.takes(),
            gives=schemas.gives("ccos.memory-stats/1", entries=schemas.NUMBER, lag=schemas.NUMBER),
            toolset="memos",
            reads_only=True,
            repeats=True,
            run=lambda given, call: _stats(door, given, call),
        ),
        *question_tools(door, "memos"),
    )


def _search(door: Door, given: Arguments, call: Call) -> Answer:
    from ccos_core.errors import Usage

    live = ready(door, call)
    try:
        found = live.memory.search(
            live.desk,
            given.get("query", ""),
            words=given.get("words", ""),
            boundaries=given.get("boundaries"),
            mode=given["mode"],
            max_results=given["max_results"],
            progress=heard(call, FOLDING),
        )
    except Usage as error:
        raise wrong("query", error) from error
    return told(door, given, found)


def _ingest(door: Door, given: Arguments, call: Call) -> Answer:
    live = ready(door, call)
    behind = _step(given.get("from_action", ""))
    if strange := [each for each in given.get("redact", ()) if each.removeprefix(":") not in (SECRETS, PERSONAL)]:
        raise Wrong("redact", "it is neither secrets nor pii.", SECRETS if strange[0][:1] == "s" else PERSONAL)
    done = live.memory.ingest(heard(call, FOLDING))
    from ccos_core.text.retrieval.vectors import MODEL

    notes, embedded = [], 0
    if (model := given.get("embed_model", "").removeprefix(":")) == MODEL:
        embedded = live.memory.embed()
    elif model:
        notes.append(f"The model {model!r} isn't available, so no vectors were made; {MODEL} is.")
    if not given["summarize"]:
        notes.append("An entry holds at most 512 tokens; its ccr_ref gives the whole text.")
    if behind is not None and behind > done.cursor.step:
        notes.append(f"The record ends at step {done.cursor.step}.")
    from_step = done.cursor.step - done.ops
    answer = {"schema": "ccos.ingested/1", "ops": done.ops, "entries": done.entries, "at": done.cursor.step}
    answer |= {"from": from_step, "rebuilt": done.rebuilt, **({"embedded": embedded} if model == MODEL else {})}
    if counted := {each.removeprefix(":") for each in given.get("redact", ())}:
        since = behind if behind is not None else from_step
        has = {"secrets": SECRETS in counted, "personal_data": PERSONAL in counted}
        answer["masked"] = live.memory.masked(live.desk, since, **has)
    return {**answer, **({"notes": notes} if notes else {})}


def _stats(door: Door, given: Arguments, call: Call) -> Answer:
    live = ready(door, call)
    live.memory.ingest(heard(call, FOLDING))
    return told(door, given, live.memory.stats(live.desk))


def _step(said: str) -> int | None:
    from ccos_core.errors import Usage
    from ccos_core.memory.asking import step_of

    try:
        return step_of(said) if said else None
    except Usage as error:
        raise wrong("from_action", error) from error
