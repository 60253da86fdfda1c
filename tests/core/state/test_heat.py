"""Heat is exact: it doubles with each half-life, orders like the numbers it stands for, adds up the same anywhere."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.state import heat

half_lives = st.integers(1, 200)
ticks = st.integers(0, 1_000_000)
impulses = st.builds(heat.impulse, ticks, half_lives)
heats = st.one_of(st.just(0), impulses)


def value(of: int) -> Fraction:
    """The number a heat stands for, where one impulse at tick 0 is 1."""
    exponent, mantissa = divmod(of, 1 << heat.BITS)
    return Fraction(mantissa, 1 << (heat.BITS - 1)) * Fraction(2) ** (exponent - 64)


def test_one_impulse_at_the_start_is_one() -> None:
    assert heat.impulse(0, 32) == heat.ONE
    assert value(heat.ONE) == 1


@given(ticks, half_lives)
def test_an_impulse_is_worth_twice_as_much_a_half_life_later(tick: int, half_life: int) -> None:
    assert value(heat.impulse(tick + half_life, half_life)) == 2 * value(heat.impulse(tick, half_life))


@given(st.integers(0, 199), half_lives)
def test_growth_is_the_root_of_two_to_its_last_bits(part: int, half_life: int) -> None:
    part %= half_life
    grown = value(heat.impulse(part, half_life))
    unit = Fraction(1, 1 << (heat.BITS - 1))
    assert (grown - unit) ** half_life < Fraction(2) ** part
    assert (grown + 2 * unit) ** half_life > Fraction(2) ** part


@given(ticks, half_lives)
def test_later_is_worth_more(tick: int, half_life: int) -> None:
    assert heat.impulse(tick + 1, half_life) > heat.impulse(tick, half_life)


@given(heats, heats)
def test_order_is_the_order_of_the_numbers(one: int, other: int) -> None:
    assert (one < other) == ((value(one) if one else 0) < (value(other) if other else 0))


@given(heats, heats)
def test_adding_loses_less_than_the_last_bit(one: int, other: int) -> None:
    exact = (value(one) if one else 0) + (value(other) if other else 0)
    got = value(heat.add(one, other)) if one or other else 0
    assert heat.add(one, other) == heat.add(other, one)
    assert got <= exact
    assert exact - got <= exact / 2 ** (heat.BITS - 2)


@given(impulses, st.integers(0, 1 << 16), st.integers(0, 20))
def test_scaling_is_exact_to_the_last_bit(one: int, times: int, parts: int) -> None:
    got, exact = heat.scaled(one, times, parts), value(one) * times / 2**parts
    assert (got == 0) == (times == 0)
    assert not times or 0 <= exact - value(got) <= exact / 2 ** (heat.BITS - 2)


@given(impulses, impulses, st.integers(0, 30))
def test_the_stop_rule_asks_for_so_many_halvings(one: int, best: int, halvings: int) -> None:
    assert heat.within(one, best, halvings) == (value(one) >= value(best) / 2**halvings)


def test_nothing_is_never_warm_enough() -> None:
    assert not heat.within(0, 0, 30)


def test_a_million_ticks_fit_a_machine_word() -> None:
    assert heat.total([heat.scaled(heat.impulse(10_000_000, 32), 1 << 16)] * 64) < 2**63
    assert heat.impulse(10_000_001, 32) > heat.impulse(10_000_000, 32)
