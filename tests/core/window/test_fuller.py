"""Whose turn it is to be shown more fully, counted as far as it matters, against counting everything."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.values.code import MODULE, Outline, Symbol
from ccos_core.values.tokens import line_parts
from ccos_core.window.fuller import STEP, Order, fuller, gain_of, look_ahead
from ccos_core.window.layout import BLANK_PARTS, Candidate, Member, cost
from ccos_core.window.pack import admit, admit_entering, by_file, cheapest, enrich, entering, likeliest
from ccos_core.window.source import BODY, SIGNATURE, SKELETON, Source

ORDERS = st.sampled_from((cheapest, likeliest))


@st.composite
def files(draw: st.DrawFn) -> list[Candidate]:
    """Symbols that lie one over another in files of short lines, where one that is shown more fully closes gaps."""
    found = []
    for path in ("a.py", "b.py")[: draw(st.integers(1, 2))]:
        lines = draw(st.lists(st.sampled_from(("", "", "x", "ab cd", "y" * 242)), min_size=1, max_size=14))
        spans = st.lists(st.integers(1, len(lines)), min_size=2, max_size=2).map(sorted)
        heads = draw(st.lists(spans, max_size=6))
        symbols = [symbol_at(first, last) for first, last in heads]
        source = Source(path, "\n".join(lines), Outline(tuple(symbols)))
        found += [Candidate(source, symbol, 0, "") for symbol in range(MODULE, len(symbols))]
    return draw(st.permutations(found))


@settings(max_examples=400, deadline=None)
@given(files(), st.integers(0, 1_500), st.integers(1, 4), ORDERS)
def test_it_shows_what_counting_everything_would(found: list[Candidate], room: int, step: int, order: Order) -> None:
    slow, fast = (admit(found, 100_000, set()).members for _ in range(2))
    room += sum(cost(shown) for shown in by_file(fast).values())
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("ccos_core.window.fuller.STEP", step)
        left = enrich(fast, room, order)
    assert left == slowly(slow, room, order)
    assert [(each.level, each.lines) for each in fast] == [(each.level, each.lines) for each in slow]


@pytest.mark.parametrize(("others", "level"), [(3, BODY), (4, SIGNATURE)])
def test_what_had_no_room_has_it_when_a_gap_is_closed_before_its_turn(
    monkeypatch: pytest.MonkeyPatch, others: int, level: str
) -> None:
    monkeypatch.setattr("ccos_core.window.fuller.STEP", 13)
    large = Source("large.py", "\n".join(["x"] * 12), Outline())
    gap = Source("gap.py", "x\n\nab cd", Outline((symbol_at(1, 3), symbol_at(3, 3))))
    alone = [Source(f"{at}.py", "x", Outline((symbol_at(1, 1),))) for at in range(1, others)]
    found = [Candidate(large, MODULE, 0, ""), Candidate(gap, 1, 0, ""), *(Candidate(each, 0, 0, "") for each in alone)]
    slow, fast = (admit([*found, Candidate(gap, 0, 0, "")], 100_000, set()).members for _ in range(2))
    room = sum(cost(shown) for shown in by_file(fast).values()) + 10 * line_parts("x") - 280
    assert enrich(fast, room, likeliest) == slowly(slow, room, likeliest)
    assert [each.level for each in fast] == [each.level for each in slow]
    assert (fast[0].level, fast[-1].level) == (level, BODY)


def test_what_has_no_room_is_not_counted_out() -> None:
    counted: list[int] = []

    class Counting(Source):
        def parts(self, lines: tuple[int, ...], whole: bool) -> int:
            counted.append(len(lines))
            return super().parts(lines, whole)

    lines = "\n".join(f"name_{at} = call_{at}(given)" for at in range(20 * STEP))
    large = Candidate(Counting("large.py", lines, Outline()), MODULE, 0, "")
    members = admit([large], 10_000, set()).members
    counted.clear()
    enrich(members, 20 * STEP * BLANK_PARTS + 5 * line_parts("name_0 = call_0(given)"))
    assert members[0].level == SIGNATURE
    assert sum(counted) < 10 * STEP


def test_a_skeleton_that_has_no_room_is_not_put_together() -> None:
    text = "\n".join(f"def name_{at}():\n    pass" for at in range(9))
    large = Candidate(
        Source("large.py", text, Outline(tuple(symbol_at(at, at) for at in range(1, 18, 2)))), MODULE, 0, ""
    )
    room = sum(line_parts(f"def name_{at}():") for at in range(4, 9))
    for left, level in ((room - 1, SIGNATURE), (room, SKELETON)):
        members = admit([large], 10_000, set()).members
        large.source._shown.clear()
        enrich(members, cost(members) + left)
        assert members[0].level == level
        assert ((MODULE, SKELETON) in large.source._shown) == (level == SKELETON)


def test_what_was_counted_out_is_not_counted_again() -> None:
    text = "\n".join(f"line {at}" for at in range(3 * STEP))
    known = list(entering([Candidate(Source("a.py", text, Outline()), MODULE, 0, "")]))
    members = admit_entering(known, 100_000).members
    enrich(members, 100_000)
    assert members[0].level == BODY
    lines, gain = fuller(known[0], BODY)
    assert lines == tuple(range(1, 3 * STEP + 1))
    assert gain == gain_of(known[0], BODY)
    look_ahead(known[0], 1_000)
    assert fuller(known[0], BODY) == (lines, gain)


def symbol_at(first: int, last: int) -> Symbol:
    """One that is called as it stands."""
    return Symbol(f"from_{first}_to_{last}", "function", first, first, first, last)


def slowly(members: list[Member], parts: int, order: Order) -> int:
    """The same by counting all there is, and putting it into order before the first is shown more fully."""
    files = by_file(members)
    costs = {path: cost(shown) for path, shown in files.items()}
    parts -= sum(costs.values())
    for level in (BODY, SKELETON):
        waiting = []
        for at, member in enumerate(members):
            if member.level == SIGNATURE:
                more = len(fuller(member, level)[0]) - len(member.lines)
                if more * BLANK_PARTS <= parts and (more > 0 or level == BODY):
                    gain = gain_of(member, level)
                    waiting.append((order(gain, at), gain, at))
        for _, gain, at in sorted(waiting):
            member, path = members[at], members[at].candidate.source.path
            if gain > parts:
                continue
            before = member.level, member.lines
            member.level, member.lines = level, fuller(member, level)[0]
            now = cost(files[path])
            if now - costs[path] > parts:
                member.level, member.lines = before
            else:
                parts -= now - costs[path]
                costs[path] = now
    return parts
