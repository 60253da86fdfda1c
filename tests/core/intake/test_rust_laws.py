"""Laws over whole runs of cargo's tests, and over what is no run at all.

However it is printed, what fails is what failed; and what a later run ends is what it ran and what passed there, never
more.
"""

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.failures import read
from ccos_core.values.outcome import Failure, ends, homes
from tests.core.intake.rust_hostile import REAL
from tests.core.intake.rust_outputs import NAMES, ROOTS, Program, hash_of, printed, told

STYLES = ["new", "old", "nocapture", "quiet", "split", "turned"]

words = st.sampled_from(["ok", "ok", "FAILED", "ignored"])
outcomes = st.dictionaries(st.sampled_from(NAMES), words, max_size=len(NAMES)).map(lambda each: tuple(each.items()))
workspaces = st.tuples(*(outcomes for _ in ROOTS)).map(
    lambda told: tuple(Program(*root[:3], each) for root, each in zip(ROOTS, told, strict=True))
)
choices = st.sampled_from(["", "", "fires", "heat", "tests::", "opens", "nothing"])


def named(program: Program, name: str) -> str:
    folder = next(root[3] for root in ROOTS if root[0] == program.root and root[2] == program.package)
    return f"{folder}{program.root}::{name}"


def ended(programs: tuple[Program, ...], chosen: str, word: str) -> set[str]:
    return {
        named(program, name)
        for program in programs
        for name, each in program.outcomes
        if each == word and chosen in name
    }


def command(chosen: str, style: str) -> str:
    quiet = " -q" if style == "quiet" else ""
    return f"cargo test --workspace --no-fail-fast{quiet} {chosen}".strip()


@given(workspaces, choices, st.sampled_from(STYLES))
def test_what_fails_is_what_failed(programs: tuple[Program, ...], chosen: str, style: str) -> None:
    failed = ended(programs, chosen, "FAILED")
    found = told(printed(programs, chosen, style), command(chosen, style), ok=not failed)
    assert {each.test for each in found.failures} == failed
    for failure in found.failures:
        name = failure.test.partition("::")[2]
        assert failure.message == f"no {name}"
        assert [(at.path, at.line) for at in failure.frames] == [("crates/kiln/src/heat.rs", 3 + len(name))]


@given(workspaces, workspaces, choices, st.sampled_from(STYLES), st.sampled_from(STYLES))
def test_a_later_run_ends_what_it_ran_and_what_passed(
    before: tuple[Program, ...], after: tuple[Program, ...], chosen: str, style: str, later: str
) -> None:
    failures = told(printed(before, "", style), command("", style), ok=False).failures
    passing = ended(after, chosen, "ok")
    run = told(printed(after, chosen, later), command(chosen, later), ok=None)
    over = {each.test for each in failures if any(ends(passes, each) for passes in run.passes)}
    there = {named(program, name) for program in after for name, _ in program.outcomes}
    assert not over & (there - passing)  # what isn't there any more may end with the rest of its program
    if later != "quiet":
        assert over >= {each.test for each in failures} & passing


@given(workspaces, st.sampled_from(STYLES), st.integers(0, 3))
def test_of_another_program_nothing_ends(programs: tuple[Program, ...], style: str, left: int) -> None:
    failures = told(printed(programs, "", "new"), command("", "new"), ok=False).failures
    fine = tuple(Program(p.root, p.crate, p.package, tuple((name, "ok") for name, _ in p.outcomes)) for p in programs)
    run = told(printed(fine[:left] + fine[left + 1 :], "", style), command("", style).replace("--workspace ", ""))
    mine = named(programs[left], "")
    over = [each.test for each in failures if any(ends(passes, each) for passes in run.passes)]
    assert not [each for each in over if each.startswith(mine)]


@given(workspaces, st.sampled_from(STYLES))
def test_two_programs_never_have_one_name(programs: tuple[Program, ...], style: str) -> None:
    assert len({hash_of(program) for program in programs}) == len(programs)
    found = told(printed(programs, "", style), command("", style))
    assert len({(each.test, each.part) for each in found.failures}) == len(found.failures)


@given(st.sampled_from(REAL), st.data())
def test_a_prefix_never_fails_what_the_whole_does_not(real: str, data: st.DataObject) -> None:
    whole = {(each.runner, each.test.rpartition("::")[2]) for each in read(real, "cargo test").failures}
    cut = real[: data.draw(st.integers(0, len(real)))]
    for failure in read(cut.rpartition("\n")[0], "cargo test").failures:
        assert (failure.runner, failure.test.rpartition("::")[2]) in whole or not failure.test or not failure.frames


@given(st.lists(st.sampled_from(NAMES), max_size=4).map("::".join), st.sampled_from(["", "a/"]))
def test_modules_are_looked_for_below_the_root(name: str, folder: str) -> None:
    found = homes(Failure("cargo", f"{folder}src/lib.rs::{name}"))
    assert found[-1] == f"{folder}src/lib.rs"
    assert all(each.startswith(f"{folder}src/") for each in found)
