"""Answers as plain text, for tools whose answer is mostly code: in JSON a model would read it with every quote and line
break escaped. The window comes as it is; around it stands what a model acts on: notes, references, failures.
"""

from __future__ import annotations

from ccos_core.text.delivered import marked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    Row = Mapping[str, Any]

MOST_ENDED = 10
"""Failures that ended which are named."""
MOST_REACHED = 4
"""Nodes named of those a failure reaches."""
RETRIEVE = "Shown in part; call ccos_retrieve with the ref for the whole text:"
NEXT = "Left out for lack of budget, next first:"
WHY = "Why each item is included:"


def window_text(answer: Row) -> str:
    """A window: notes, its text, the references of what is shown in part, what nearly was in, and the reasons if they
    were asked for. An answer that is no window of ours, with states instead of a text, stays JSON."""
    if "text" not in answer:
        from ccos_core.serve.mcp.wire import text_of

        return text_of(answer)
    text = _window(answer)
    return marked(text) if text else ""


def _window(answer: Row) -> str:
    parts = ["\n".join(answer.get("notes", ())), answer["text"].rstrip("\n"), *_about(answer)]
    return "\n\n".join(filter(None, parts))


def page_fault_text(answer: Row) -> str:
    """What a run told, in a few lines, and then the window."""
    failures, ended = answer["failures"], answer["ended"]
    more = answer.get("more_failures", 0)
    lines = [
        f"Recorded as step {answer['step']:,}: {len(failures) + more:,} failing in this run, {len(ended):,} ended, "
        f"{answer['live']:,} failing in all.",
        *map(_failed, failures),
        *([f"- {more:,} more"] if more else []),
        *_passed(ended),
        *answer.get("notes", ()),
    ]
    return marked("\n\n".join(filter(None, ("\n".join(lines), _window(answer["window"])))))


def rules_text(answer: Row) -> str:
    """The rules as lines, or why there are none."""
    return "\n".join(filter(None, (*answer.get("notes", ()), answer["text"] or answer["why"])))


def page_text(answer: Row) -> str:
    """An answer as it is printed."""
    return marked("\n".join((*answer.get("notes", ()), answer["text"])))


def original_text(answer: Row) -> str:
    """The exact text, and nothing else."""
    return str(answer["text"])


def context_text(answer: Row) -> str:
    """What was remembered, a line each."""
    left = f"{answer['more']:,} more; give a query or a larger budget." if answer["more"] else ""
    return marked("\n".join(filter(None, (*answer.get("notes", ()), answer["text"] or "Nothing is remembered.", left))))


def recorded_text(answer: Row) -> str:
    """What was recorded, in a line."""
    done = "Recorded" if answer["changed"] else "Known already"
    filed = ", ".join(filter(None, (answer["cls"], answer["scope"], answer["standing"])))
    line = f"{done} at step {answer['step']:,}: {answer['kind']} {' '.join(answer['nodes'])} ({filed})"
    return "\n".join((line, *answer.get("notes", ())))


def _about(answer: Row) -> Iterator[str]:
    items, missed = answer.get("items", ()), answer.get("missed", ())
    yield _listed(
        RETRIEVE, (f"{_named(each['uri'])} ({each['level']}) {each['ref']}" for each in items if "ref" in each)
    )
    yield _listed(NEXT, (_named(each["uri"]) for each in missed))
    why = (each for each in items if "reason" in each)
    yield _listed(WHY, (f"{_named(each['uri'])}: {each['reason']}; {each['tokens']:,} tokens" for each in why))
    if "recorded" in answer:
        yield f"Recorded as step {answer['recorded']:,}."


def _listed(head: str, rows: Iterable[str]) -> str:
    said = [f"- {row}" for row in rows]
    return "\n".join([head, *said]) if said else ""


def _failed(failure: Row) -> str:
    said = ": ".join(filter(None, (failure["runner"], failure["test"], failure["message"])))
    there = f" [at {_named(failure['anchors'][0])}]" if failure["anchors"] else ""
    reached = [_named(node) for node, _ in failure["reaches"] if node not in failure["anchors"][:1]]
    more = max(failure.get("reached", len(failure["reaches"])) - MOST_REACHED - 1, 0)
    depends = f"; it depends on {', '.join(reached[:MOST_REACHED])}{f' and {more} more' if more else ''}"
    return f"- failed: {_one_line(said)}{there}{depends if reached else ''}"


def _passed(ended: list[Row]) -> Iterator[str]:
    for each in ended[:MOST_ENDED]:
        yield f"- passes again: {_one_line(' '.join(filter(None, (each['runner'], each['test'], each['part']))))}"
    if len(ended) > MOST_ENDED:
        yield f"- {len(ended) - MOST_ENDED:,} more pass again"


def _named(uri: str) -> str:
    from ccos_core.present.words import node_words, visible

    return visible(node_words(uri))


def _one_line(said: str) -> str:
    from ccos_core.present.words import clipped, visible

    return clipped(visible(said), 300)
