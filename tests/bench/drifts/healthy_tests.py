"""Healthy sessions that are about tests: written first, changed on purpose, failing by chance."""

from __future__ import annotations

from dataclasses import replace

from tests.bench.causes.words import NOUNS, VERBS, camel, pascal, snake
from tests.bench.drifts.desk import Desk
from tests.bench.drifts.habits import Unfit, busy, claim, explore, feature, opening, pool
from tests.bench.drifts.model import Fault, Spot, Test
from tests.bench.drifts.phrases import following
from tests.bench.drifts.spotting import tests_of
from tests.bench.drifts.tweaks import stub


def test_first(desk: Desk) -> None:
    """A failing test is written first; what it tries is written until it passes."""
    rng = desk.rng
    home = _home(desk)
    opening(desk, pool(desk), rng.randint(2, 7))
    for _ in range(rng.randint(1, 2)):
        desk.read(home.path)
        (fault,) = _wanted(desk, home, 1)
        only = fault.test if rng.random() < 0.6 else None
        first = desk.run(only)
        if rng.random() < 0.4:
            desk.read(fault.path)
            fault = _half_done(desk, fault)
            desk.run(only)
        edit = desk.change(fault.path, fault.mended(desk.files[fault.path]))
        after = desk.run(only)
        claim(desk, "mended", edit, after.at, fault)
        claim(desk, "soon", first.at, edit, fault)
        busy(desk, rng.randint(0, 2), [path for path in pool(desk) if path not in (fault.path, home.path)])
    if rng.random() < 0.5:
        desk.prompt(following(rng))
        explore(desk, pool(desk), rng.randint(1, 5))


test_first.__test__ = False  # type: ignore[attr-defined]


def step_by_step(desk: Desk) -> None:
    """One test asks for several things in a row; run by run it gets further, until it passes."""
    rng = desk.rng
    home = _home(desk)
    opening(desk, pool(desk), rng.randint(2, 5))
    desk.read(home.path)
    faults = _wanted(desk, home, rng.randint(3, 6))
    only = faults[0].test if rng.random() < 0.6 else None
    for fault in faults:
        desk.run(only)
        if rng.random() < 0.3:
            desk.read(fault.path)
        edit = desk.change(fault.path, fault.mended(desk.files[fault.path]))
    after = desk.run(only)
    claim(desk, "mended", edit, after.at, faults[-1])
    claim(desk, "green", after.at, after.at)
    busy(desk, rng.randint(0, 2), [path for path in pool(desk) if path not in (home.test.path, home.path)])


def changed_on_purpose(desk: Desk) -> None:
    """What a function gives is changed because that was asked for; the test that expected the old is changed too."""
    rng, ground = desk.rng, desk.ground
    if not ground.sides:
        raise Unfit
    fault = rng.choice(ground.sides)
    line = _asserted(desk, fault)
    opening(desk, pool(desk), rng.randint(2, 6))
    busy(desk, rng.randint(0, 2), [path for path in pool(desk) if path not in (fault.path, fault.test.path)])
    desk.prompt(f"From now on {fault.message} should be below zero: it is a cost.")
    desk.read(fault.path)
    desk.change(fault.path, fault.broken(desk.files[fault.path]))
    only = fault.test if rng.random() < 0.6 else None
    first = desk.run(only)
    desk.read(fault.test.path)
    text = desk.files[fault.test.path]
    head, _, tail = text.partition(fault.test.head)
    edit = desk.change(fault.test.path, head + fault.test.head + tail.replace(line, _turned(line), 1))
    desk.faults.remove(fault)
    after = desk.run(only)
    claim(desk, "mended", edit, after.at, replace(fault, path=fault.test.path))
    claim(desk, "soon", first.at, edit, replace(fault, path=fault.test.path))
    others = [path for path in pool(desk) if path not in (fault.path, fault.test.path)]
    busy(desk, rng.randint(1, 3), others or ground.apart())


def flaky(desk: Desk) -> None:
    """A test fails once and passes when run again; nothing was wrong with what it tries."""
    rng, ground = desk.rng, desk.ground
    if not ground.sides:
        raise Unfit
    fault = rng.choice(ground.sides)
    opening(desk, pool(desk), rng.randint(3, 8))
    busy(desk, rng.randint(1, 3), [path for path in pool(desk) if path not in (fault.path, fault.test.path)])
    text = desk.files[fault.path]
    desk.files[fault.path] = fault.broken(text)  # as if: nobody sees it, the next run doesn't know of it
    desk.run()
    desk.files[fault.path] = text
    after = desk.run(fault.test if rng.random() < 0.5 else None)
    claim(desk, "green", after.at, after.at)
    if ground.apart():
        feature(desk, rng.choice(ground.apart()))
    after = desk.run()
    claim(desk, "green", after.at, after.at)


def _home(desk: Desk) -> Fault:
    """Something a test tries, whose file and test file may hold one more of each."""
    sides = [fault for fault in desk.ground.sides if fault.path != fault.test.path or desk.ground.family == "rust"]
    if not sides:
        raise Unfit
    return desk.rng.choice(sides)


def _wanted(desk: Desk, home: Fault, count: int) -> list[Fault]:
    """A test of so many functions, and a stub of each, are written; gives what is wrong with each stub."""
    ground, rng = desk.ground, desk.rng
    words = [(rng.choice(VERBS), *rng.sample(NOUNS, 2)) for _ in range(count)]
    names = [snake(each) if ground.family in ("python", "rust") else camel(each) for each in words]
    amount = rng.randint(10, 60)
    text, spots = _test_text(desk, home, words[0], names, amount)
    desk.change(home.test.path, text)
    bodies = [f"amount - amount * {number}" for number in rng.sample(range(1, 9), count)]
    text = desk.files[home.path]
    for name, body in zip(names, bodies, strict=True):
        text = stub(ground.family, text, name, body)
    desk.change(home.path, text)
    made = next(test for test in tests_of(ground.family, desk.files) if _is(test, words[0], names[0]))
    desk.tests.append(made)
    faults = []
    for name, body, (line, below) in zip(names, bodies, spots, strict=True):
        give = next(line for line in desk.files[home.path].split("\n") if body in line)
        right = give.replace(body, f"amount * {rng.randint(2, 9)} + {rng.randint(2, 30)}")
        where = (Spot(made.path, line, made.symbol, below or made.head),)
        faults.append(Fault(home.path, name, right, give, made, where, "sign", name, amount))
    desk.faults += faults
    return faults


def _half_done(desk: Desk, fault: Fault) -> Fault:
    """A first try that isn't enough; gives what is wrong now."""
    more = replace(fault, wrong=fault.wrong + _note(desk))
    desk.change(fault.path, desk.files[fault.path].replace(fault.wrong, more.wrong))
    desk.faults[desk.faults.index(fault)] = more
    return more


def _test_text(
    desk: Desk, home: Fault, words: tuple[str, ...], names: list[str], amount: int
) -> tuple[str, list[tuple[str, str]]]:
    """(the test's file with one more test; of each thing it asks for, the line that fails and one before it)."""
    family, text = desk.ground.family, desk.files[home.test.path]
    if family == "python":
        module = _module(text, home.symbol)
        lines = [f"    assert {name}({amount}) > 0" for name in names]
        test = "\n".join([f"def test_{names[0]}():", *lines])
        return f"{_import(module, names)}{text.rstrip()}\n\n\n{test}\n", [(line, "") for line in lines]
    if family == "go":
        package = _called(text, home).rpartition(".")[0]
        said = [f"{package}.{name}" if package else name for name in names]
        heads = [f"\tif got := {name}({amount}); got <= 0 {{" for name in said]
        failing = '\t\tt.Fatalf("got %d", got)'
        inner = [line for head in heads for line in (head, failing, "\t}")]
        test = "\n".join([f"func Test{pascal(words)}(t *testing.T) {{", *inner, "}"])
        return f"{text.rstrip()}\n\n{test}\n", [(failing, head) for head in heads]
    if family == "rust":
        lines = [f"        assert!({name}({amount}) > 0);" for name in names]
        test = "\n".join(["    #[test]", f"    fn {names[0]}_is_positive() {{", *lines, "    }"])
        at = text.rindex("\n}")
        return f"{text[:at]}\n\n{test}{text[at:]}", [(line, "") for line in lines]
    raise Unfit


def _module(text: str, symbol: str) -> str:
    for line in text.split("\n"):
        if line.startswith("from ") and line.endswith(f" import {symbol}"):
            return line.split()[1]
    raise Unfit


def _import(module: str, names: list[str]) -> str:
    return f"from {module} import {', '.join(names)}\n"


def _called(text: str, home: Fault) -> str:
    before = text.partition(f"{home.message}({home.amount})")[0]
    return before[before.rindex(" ") + 1 :] + home.message


def _is(test: Test, words: tuple[str, ...], name: str) -> bool:
    return test.symbol in (f"test_{name}", f"Test{pascal(words)}", f"{name}_is_positive")


def _note(desk: Desk) -> str:
    return {"python": "  # for now", "rust": " // for now"}.get(desk.ground.family, "  // for now")


def _asserted(desk: Desk, fault: Fault) -> str:
    """The line of a test that says what it wants."""
    lines = desk.files[fault.test.path].split("\n")
    start = lines.index(fault.test.head)
    for line in lines[start:]:
        if "> 0" in line or "<= 0" in line:
            return line
    raise Unfit


def _turned(line: str) -> str:
    return line.replace("> 0", "< 0") if "> 0" in line else line.replace("<= 0", ">= 0")
