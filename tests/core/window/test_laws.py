"""The laws of packing, searched by machine: membership before richness, and a ceiling that holds."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.text.syntax.resolution import Link, Target
from ccos_core.values.code import MODULE, Outline, Symbol
from ccos_core.values.tokens import UNIT, estimate
from ccos_core.window.around import WEIGHTS, around, candidates
from ccos_core.window.fuller import look_ahead
from ccos_core.window.layout import Candidate, Member, cost, entry, opening
from ccos_core.window.linearize import Window, linearize, places
from ccos_core.window.pack import admit, admit_entering, by_file, enrich, entering, share_of_anchor
from ccos_core.window.source import LEVELS, SIGNATURE, Source

LINES = st.text(alphabet="ab _(.é\t", max_size=20) | st.integers(235, 245).map(lambda n: "x" * n)
BUDGETS = st.integers(0, 90) | st.integers(90, 2_500)


@st.composite
def sources(draw: st.DrawFn, path: str) -> Source:
    """A file of some lines, with symbols in symbols anywhere in it."""
    lines = draw(st.lists(LINES, max_size=12))
    symbols = []
    for _ in range(draw(st.integers(0, 6)) if lines else 0):
        first = draw(st.integers(1, len(lines)))
        line = draw(st.integers(first, min(len(lines), first + 2)))
        signature = draw(st.integers(line, min(len(lines), line + 3)))
        last = draw(st.integers(signature, len(lines)))
        outer = draw(st.sampled_from(["", *(f"{symbol.name}." for symbol in symbols)]))
        name = outer + draw(st.sampled_from("fgh"))
        doc = draw(st.sampled_from([0, last]))
        symbols.append(Symbol(name, draw(st.sampled_from(["class", "constant"])), line, first, signature, last, doc))
    return Source(path, "\n".join(lines), Outline(tuple(symbols)))


@st.composite
def trees(draw: st.DrawFn) -> tuple[Mapping[str, Source], list[Link], int]:
    """Some files, links between what is in them, and a symbol of the first."""
    paths = [f"{'d' * n}/{n}.py" for n in range(draw(st.integers(1, 5)))]
    tree = {path: draw(sources(path)) for path in paths}

    def symbol(path: str) -> int:
        return draw(st.integers(MODULE, len(tree[path].outline.symbols) - 1))

    links = []
    for _ in range(draw(st.integers(0, 12))):
        target = draw(st.sampled_from(paths))
        role = draw(st.sampled_from(sorted(WEIGHTS)))
        links.append(Link(symbol(paths[0]), Target(target, symbol(target)), role, 1, draw(st.integers(1, 20))))
    return tree, links, symbol(paths[0])


TREES = trees()
FOUND = settings(max_examples=60, deadline=None)


@FOUND
@given(TREES, BUDGETS)
def test_the_text_never_exceeds_the_budget(told: tuple[Mapping[str, Source], list[Link], int], budget: int) -> None:
    for window in windows(told, budget):
        assert window.tokens == (estimate(window.text) if window.text else 0)
        assert window.tokens <= budget


@FOUND
@given(TREES, BUDGETS, BUDGETS)
def test_a_larger_budget_never_loses_a_member(
    told: tuple[Mapping[str, Source], list[Link], int], one: int, other: int
) -> None:
    for small, large in zip(windows(told, min(one, other)), windows(told, max(one, other)), strict=True):
        assert {item.uri for item in small.items} <= {item.uri for item in large.items}


@FOUND
@given(TREES, BUDGETS)
def test_members_are_the_start_of_the_order_up_to_the_first_that_does_not_fit(
    told: tuple[Mapping[str, Source], list[Link], int], budget: int
) -> None:
    tree, links, symbol = told
    path = next(iter(tree))
    for anchor in (MODULE, symbol):
        order = candidates(tree.__getitem__, links, path, anchor)
        parts = budget * UNIT - share_of_anchor(budget)
        members = admit(order, parts, set()).members
        assert [member.candidate for member in members] == order[: len(members)]
        used = bill(order[: len(members)])
        assert used <= parts
        if len(members) < len(order):
            assert bill(order[: len(members) + 1]) > parts


@FOUND
@given(TREES, st.integers(0, 200_000))
def test_enriching_changes_no_membership_and_loses_no_line(
    told: tuple[Mapping[str, Source], list[Link], int], parts: int
) -> None:
    members = admitted(told, parts)
    before = [Member(member.candidate, member.level, member.lines) for member in members]
    left = enrich(members, parts)
    assert [member.candidate for member in members] == [member.candidate for member in before]
    for poor, rich in zip(before, members, strict=True):
        assert LEVELS.index(rich.level) >= LEVELS.index(poor.level) == LEVELS.index(SIGNATURE)
        assert set(rich.lines) >= set(poor.lines)
    assert left == parts - sum(cost(shown) for shown in by_file(members).values())
    assert left >= 0


@FOUND
@given(TREES, st.integers(0, 100_000))
def test_what_is_counted_is_what_is_printed(told: tuple[Mapping[str, Source], list[Link], int], parts: int) -> None:
    members = enriched(told, parts)
    for shown in by_file(members).values():
        printed = linearize("", 0, shown)
        assert -(-cost(shown) // UNIT) == estimate(printed.text) == printed.tokens
        assert all(item.tokens == (estimate(item.text) if item.text else 0) for item in printed.items)
        assert cost(shown) <= opening(shown[0].candidate.source.path) + sum(
            entry(member.candidate.source, member.lines, member.whole) for member in shown
        )


@FOUND
@given(TREES, st.integers(0, 100_000))
def test_places_are_the_window_without_its_text(told: tuple[Mapping[str, Source], list[Link], int], parts: int) -> None:
    members = enriched(told, parts)
    printed, found = linearize("", 0, members), places(members)
    assert found.tokens == printed.tokens
    assert [(each.uri, each.path, each.level, each.tokens, each.reason) for each in found.items] == [
        (item.uri, item.path, item.level, item.tokens, item.reason) for item in printed.items
    ]


@FOUND
@given(TREES, st.lists(st.integers(0, 100_000), min_size=2, max_size=4), st.booleans())
def test_what_is_known_from_one_budget_changes_no_other(
    told: tuple[Mapping[str, Source], list[Link], int], budgets: list[int], ahead: bool
) -> None:
    tree, links, _ = told
    found = candidates(tree.__getitem__, links, next(iter(tree)))
    known = list(entering(found))
    if ahead:
        for each in known:
            look_ahead(each, 5)
    for parts in budgets:
        alone, shared = admit(found, parts, set()), admit_entering(known, parts)
        assert enrich(alone.members, parts) == enrich(shared.members, parts)
        assert linearize("", 0, alone.members, alone.missed) == linearize("", 0, shared.members, shared.missed)


@FOUND
@given(TREES, st.randoms(use_true_random=False))
def test_the_order_is_total_and_no_matter_of_arrival(
    told: tuple[Mapping[str, Source], list[Link], int], random: object
) -> None:
    tree, links, _ = told
    path = next(iter(tree))
    order = candidates(tree.__getitem__, links, path)
    shuffled = links[:]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    again = candidates(tree.__getitem__, shuffled, path)
    assert [(each.symbol, each.source.path, each.score) for each in order] == [
        (each.symbol, each.source.path, each.score) for each in again
    ]
    assert len({each.source.node(each.symbol) for each in order}) == len(order)
    firsts = len({each.source.path for each in order})
    for part in (order[:firsts], order[firsts:]):
        keys = [(-each.score, each.source.node(each.symbol)) for each in part]
        assert keys == sorted(keys)


@FOUND
@given(TREES, BUDGETS)
def test_an_item_for_every_member_and_every_line_once(
    told: tuple[Mapping[str, Source], list[Link], int], budget: int
) -> None:
    for window in windows(told, budget):
        assert len({item.uri for item in window.items}) == len(window.items)
        printed = window.text.split("\n")
        for item in window.items:
            assert not item.text or all(line in printed for line in item.text.split("\n"))
            assert item.tokens == (estimate(item.text) if item.text else 0)


STORY = """
from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.parse import outline
from ccos_core.text.syntax.resolve_python import resolver
from ccos_core.window.around import around
from ccos_core.window.source import Source
names = [f"n{n}" for n in range(30)]
tree = {f"{name}.py": f"class {name}:\\n  def m(self): return self.k\\n  k = 1\\n" for name in names}
tree["a.py"] = "".join(f"from {name} import {name}\\n{name}().m()\\n" for name in names)
found = {path: Source(path, text, outline(language_of(path), text.encode())) for path, text in tree.items()}
told = resolver()
for path in found:
    told.put(path, found[path].outline)
print(around("a.py", found.__getitem__, told.links("a.py"), 300))
"""


def test_the_same_window_under_any_hash_seed() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-c", STORY],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(told) == 1
    assert b"class n0" in told.pop()


def admitted(told: tuple[Mapping[str, Source], list[Link], int], parts: int) -> list[Member]:
    tree, links, _ = told
    return admit(candidates(tree.__getitem__, links, next(iter(tree))), parts, set()).members


def enriched(told: tuple[Mapping[str, Source], list[Link], int], parts: int) -> list[Member]:
    members = admitted(told, parts)
    enrich(members, parts)
    return members


def windows(told: tuple[Mapping[str, Source], list[Link], int], budget: int) -> list[Window]:
    """Around the first file, and around a symbol of it."""
    tree, links, symbol = told
    path = next(iter(tree))
    return [around(path, tree.__getitem__, links, budget, anchor) for anchor in (MODULE, symbol)]


def bill(order: Sequence[Candidate]) -> int:
    """What candidates take when they enter."""
    found = sum(entry(each.source, each.source.shown(each.symbol, SIGNATURE)) for each in order)
    return found + sum(opening(path) for path in sorted({each.source.path for each in order}))


def test_what_shows_nothing_at_first_can_be_shown_more_fully() -> None:
    blank = Candidate(Source("blank.py", "\n", Outline()), MODULE, 1, "read")
    found = admit([blank], 1_000, set())
    enrich(found.members, 1_000)
    assert [(each.level, each.lines) for each in found.members] == [("body", (1,))]
    assert places(found.members).items[0].tokens == linearize("", 0, found.members).items[0].tokens == 0


def test_who_finds_out_why_is_asked_once_and_only_by_who_wants_to_know() -> None:
    asked: list[None] = []
    found = Candidate(Source("a.py", "x = 1\n", Outline()), MODULE, 1, lambda: f"read {asked.append(None)}")
    members = admit([found], 1_000, set()).members
    assert places(members).items[0].uri == "file:a.py"
    assert not asked
    assert places(members).items[0].reason == linearize("", 0, members).items[0].reason == "read None"
    assert len(asked) == 1
