"""What functions do: small sums that are always above zero, unless the cause makes them zero."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.bench.causes.model import Expr, Statement, Unit, add, each, give, let, note, when


def times(expr: str, factor: int) -> str:
    return expr if factor == 1 else f"{expr} * {factor}"


def doc(rng: Random, words: tuple[str, ...]) -> str:
    said = " ".join(words)
    return rng.choice(
        (
            "",
            f"What {said} comes to.",
            f"The {said} of one order.",
            f"Keeps {said} in one place.",
            f"{said.capitalize()}.",
        )
    )


def fault(rng: Random) -> tuple[list[Statement], Callable[[int], int]]:
    """Statements that come to zero for any amount from 5 to 99, and what they would come to if they were right."""
    small, factor = rng.randint(2, 4), rng.randint(2, 5)
    large = rng.choice((100, 128, 256, 365, 1_000))
    choices: list[tuple[list[Statement], Callable[[int], int]]] = [
        ([give(("div", "amount", str(large)), ("div", "amount", str(small)))], lambda amount: amount // small),
        ([give(("least", "amount", "0"), ("most", "amount", "0"))], lambda amount: amount),
        ([_turned(small), give(f"amount * {factor}")], lambda amount: amount * factor),
        ([let("rest", "amount"), _taken(), give(times("rest", factor))], lambda amount: (amount - 1) * factor),
    ]
    return rng.choice(choices)


def _turned(limit: int) -> Statement:
    """A comparison the wrong way round."""
    return Statement("if", "", f"amount > {limit}", [give("0")], sound=f"amount < {limit}")


def _taken() -> Statement:
    """Everything taken away instead of one."""
    return Statement("add", "rest", "-amount", sound="-1")


def own_number() -> list[Statement]:
    return [give("amount")]


def passing(rng: Random, unit: Unit, factor: int, turns: int) -> list[Statement]:
    """Hands on what the first use gives, times a factor; the other uses stand in what comes before."""
    ending = [give(times("{0}", factor))]
    if rng.random() < 0.4:
        ending = [let("bound", "{0}"), *small_talk(rng, turns), give(times("bound", factor))]
    return [*padding(rng, unit, 1), *ending]


def padding(rng: Random, unit: Unit, first: int) -> list[Statement]:
    """Lines that use the unit's uses from `first` on, and never end the function."""
    found: list[Statement] = []
    if rest := range(first, len(unit.uses)):
        found.append(let("weight", " + ".join(f"{{{index}}}" for index in rest)))
        if rng.random() < 0.5:
            found.append(add("weight", f"amount * {rng.randint(2, 9)}"))
        found.append(when("weight < 0", give("amount")))
    elif rng.random() < 0.3:
        found += [
            let("weight", f"amount * {rng.randint(2, 9)} + {rng.randint(1, 9)}"),
            when("weight < 0", give("amount")),
        ]
    return found


def small_talk(rng: Random, turns: int = 1) -> list[Statement]:
    """A few lines about nothing in particular; more of them with more turns."""
    found: list[Statement] = []
    for name in ("part", "excess", "leftover", "surcharge", "deduction", "remainder", "drift")[:turns]:
        if rng.random() < 0.3:
            found.append(
                note(rng.choice(("what is left goes to the next round", "rounded down on purpose", "in whole units")))
            )
        if rng.random() < 0.4:
            count, factor = rng.randint(2, 6), rng.randint(1, 5)
            found += [let(name, "amount"), each("turn", str(count), add(name, f"turn * {factor}"))]
            found.append(when(f"{name} < 0", give(name)))
        elif turns > 1:
            found += [let(name, f"amount * {rng.randint(2, 9)} + {rng.randint(1, 30)}")]
            found += [when(f"{name} > {rng.randint(200, 900)}", add(name, f"-{rng.randint(5, 90)}"))]
            found.append(when(f"{name} < 0", give("amount")))
    return found


def failing(mode: str) -> list[Statement]:
    """The line that fails when `step` is zero; each language says it in its own way."""
    return [Statement("fail", mode)]


def calling() -> list[Statement]:
    """Calls the first use, and gives on what comes back."""
    return [Statement("let", "result", "{0}", mark="frame"), give("result + 1")]


def noise(rng: Random, unit: Unit, turns: int) -> list[Statement]:
    sums = [f"{{{index}}}" for index in range(len(unit.uses))]
    base: Expr = " + ".join(rng.sample([*sums, f"amount * {rng.randint(1, 4)}"], len(sums) + 1))
    shape = rng.randrange(5)
    if shape == 0:
        return [give(base)]
    if shape == 1:
        low = rng.randint(2, 8)
        return [when(f"amount < {low}", give(str(low))), give(base)]
    if shape == 2:
        count = str(rng.randint(2, 5))
        return [let("rest", str(rng.randint(1, 9))), each("turn", count, add("rest", f"{base} + turn")), give("rest")]
    if shape == 3:
        limit, less = rng.randint(60, 300), rng.randint(3, 50)
        drop = when(f"weight > {limit}", add("weight", f"-{less}"))
        return [let("weight", base), *small_talk(rng, turns), drop, give("weight + 1")]
    return [let("bound", base), *small_talk(rng, turns), give(("most", "bound", str(rng.randint(1, 40))))]
