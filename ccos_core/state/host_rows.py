"""What contexts hold, as plain values in one order, and back.

A holding tells its page only where the file has become another one since: else the page is what the file is. Everything
is in lists of small rows, so that no row grows with its session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ccos_core.state.holding import Holding, Wound
from ccos_core.state.host import Context, Held, Hosts, Image
from ccos_core.state.page import Page


def rows_of(hosts: Hosts) -> dict[str, list[Any]]:
    """All of it: contexts by their number in the first list, then what each holds."""
    told = [hosts.contexts[context] for context in sorted(hosts.contexts)]
    return {
        "hosts": [_context(context, hosts.contexts[context]) for context in sorted(hosts.contexts)],
        "held": [
            [number, path, *_image(image, hosts.pages[path])]
            for number, held in enumerate(told)
            for path, image in sorted(held.images.items())
        ],
        "said": [[number, *each] for number, held in enumerate(told) for each in _flat(held.said)],
        "calls": [[number, *each] for number, held in enumerate(told) for each in _flat(held.calls)],
        "words": [[number, *each] for number, held in enumerate(told) for each in _flat(held.words)],
        "unclaimed": [[step, at, [list(each) for each in items]] for step, (at, items) in hosts.unclaimed.items()],
    }


def restore(
    hosts: Hosts, rows: Mapping[str, Any], page_now: Callable[[str], Page], text: Callable[[str], str | None]
) -> None:
    """Make hosts that hold nothing the ones that were told. `page_now` says what a file is now, `text` what a content
    of the record is."""
    contexts: list[Context] = []
    for host, session, name, *counts, uncounted, falls, cuts in rows["hosts"]:
        contexts.append((host, session, name))
        held = hosts.contexts[contexts[-1]] = Held()
        held.window, held.fell, held.asked = counts
        held.uncounted = list(uncounted)
        held.falls = [(step, before, after) for step, before, after in falls]
        held.cuts = [(step, exact) for step, exact in cuts]
    for step, at, items in rows["unclaimed"]:
        hosts.unclaimed[step] = at, tuple((node, level) for node, level in items)
    for number, item, *said in rows["said"]:
        step, tokens = said
        hosts.contexts[contexts[number]].said[item] = step, tokens
    for number, call, *steps in rows["calls"]:
        hosts.contexts[contexts[number]].calls[call] = tuple(steps)
    for number, call, *steps in rows["words"]:
        hosts.contexts[contexts[number]].words[call] = tuple(steps)
    hosts.recall_words()
    for number, path, doubt, runs, wounds, of in rows["held"]:
        now = hosts.pages.get(path) or page_now(path)
        told = Holding(_page(of, text) if of else now, _runs(runs), tuple(_wound(*each) for each in wounds))
        hosts.restored(contexts[number], path, told, now, doubt)


def _context(context: Context, held: Held) -> list[Any]:
    counts = held.window, held.fell, held.asked, list(held.uncounted)
    return [*context, *counts, [list(each) for each in held.falls], [list(each) for each in held.cuts]]


def _flat(told: Mapping[str, tuple[int, ...]]) -> Iterator[list[Any]]:
    for name, numbers in sorted(told.items()):
        yield [name, *numbers]


def _image(image: Image, now: Page) -> list[Any]:
    page, runs, wounds = image.told
    of: list[Any] = []
    if page is not now:
        nodes = [[node, *span] for node, span in page.nodes.items()]
        of = [page.name, (page.text or "") if page.composed else "", page.composed, page.ended, nodes]
    return [image.doubt, [[*span, *marks] for *span, marks in runs], [_plain(wound) for wound in wounds], of]


def _plain(wound: Wound) -> list[Any]:
    return [wound.first, wound.last, list(wound.nodes), list(wound.marks), wound.lost, wound.since]


def _wound(first: int, last: int, nodes: Iterable[str], marks: Iterable[int], lost: int, since: int) -> Wound:
    return Wound(first, last, tuple(nodes), tuple(marks), lost, since)


def _runs(rows: Iterable[list[int]]) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
    return tuple((first, last, tuple(marks)) for first, last, *marks in rows)


def _page(of: list[Any], text: Callable[[str], str | None]) -> Page:
    name, said, composed, ended, rows = of
    nodes = {node: (first, last) for node, first, last in rows}
    return Page(name, said if composed else text(name) if name else None, nodes, composed, ended)
