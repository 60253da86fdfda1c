"""Laws over whole runs of Go's tests, and over what is no run at all.

However it is printed, what fails is what failed; and what a later run ends is what it ran and what passed there, never
more.
"""

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.values.outcome import ends
from tests.core.intake.go_outputs import MODULE, Package, chosen_by, line_of, printed, told

TOPS = ["TestFire", "TestFireAgain", "TestMix", "TestOpen"]
SUBS = ["empty", "too_hot", "a/b"]
PATHS = [MODULE, f"{MODULE}/glaze", f"{MODULE}/internal/kiln"]
STYLES = ["plain", "verbose", "json"]

words = st.sampled_from(["PASS", "PASS", "FAIL", "SKIP"])
subs = st.dictionaries(st.sampled_from(SUBS[:2]), words, max_size=2).map(lambda each: tuple(each.items()))
tests = st.dictionaries(st.sampled_from(TOPS), st.tuples(words, subs), max_size=4).map(
    lambda told: tuple((name, word if word != "SKIP" else "PASS", subs) for name, (word, subs) in told.items())
)
modules = st.tuples(*(tests for _ in PATHS)).map(
    lambda told: tuple(Package(path, each) for path, each in zip(PATHS, told, strict=True))
)
patterns = st.sampled_from(["", "", "TestFire", "TestMix", "TestFire/too_hot", "TestMix/empty", "Nothing"])


def own_failures(packages: tuple[Package, ...], pattern: str) -> dict[str, tuple[str, int]]:
    """Each test that fails of itself: its message and the line of it."""
    found: dict[str, tuple[str, int]] = {}
    for package in packages:
        for name, word, subs in package.tests:
            each = {name: word, **{f"{name}/{sub}": how for sub, how in subs}}
            for test, how in each.items():
                if how == "FAIL" and chosen_by(pattern, test):
                    found[f"{package.path}.{test}"] = (f"no {test}", line_of(test))
    return found


def command(pattern: str, style: str) -> str:
    flag = {"plain": "", "verbose": " -v", "json": " -json"}[style]
    return f"go test{flag}{f' -run {pattern}' if pattern else ''} ./..."


@given(modules, patterns, st.sampled_from(STYLES))
def test_what_fails_is_what_failed(packages: tuple[Package, ...], pattern: str, style: str) -> None:
    failed = own_failures(packages, pattern)
    found = told(printed(packages, pattern, style), command(pattern, style), ok=not failed)
    assert {each.test: (each.message, each.frames[0].line) for each in found.failures} == failed


@settings(max_examples=200)
@given(modules, modules, patterns, st.sampled_from(STYLES), st.sampled_from([True, False]))
def test_a_later_run_ends_what_it_ran_and_what_passed(
    before: tuple[Package, ...], after: tuple[Package, ...], pattern: str, style: str, is_told: bool
) -> None:
    failures = told(printed(before), command("", "plain"), ok=False).failures
    run = told(printed(after, pattern, style), command(pattern, style) if is_told else "make test", ok=None)
    over = {each.test for each in failures if any(ends(passes, each) for passes in run.passes)}
    words = {f"{p.path}.{name}": (name, word) for p in after for name, word in p.words(pattern).items()}
    passing = {test for test, (name, word) in words.items() if word == "PASS" and chosen_by(pattern, name)}
    failing = {test for test, (_, word) in words.items() if word == "FAIL"}
    if not is_told and pattern and style == "plain":
        return  # a Makefile hides what it chose, and `ok` is believed to speak of the whole package
    assert not over & failing
    if style == "plain":
        return  # it tells nothing of skipped tests, nor of those that pass beside one that fails
    skipped = {test for test, (_, word) in words.items() if word == "SKIP"}
    left = {test for test in words if not chosen_by(pattern, words[test][0])}
    assert not over & (skipped | left)
    if is_told:
        within = set(words) if "/" in pattern else set()  # who picks within a test may leave some of it out
        spoilt = skipped | failing | left | within
        assert over >= {each.test for each in failures} & passing - {
            test for test in passing if any(other.startswith(test + "/") for other in spoilt)
        }


def test_a_test_that_was_picked_within_is_not_said_to_be_over() -> None:
    before = (Package(PATHS[1], (("TestFireAgain", "FAIL", ()),)),)
    after = (Package(PATHS[1], (("TestFireAgain", "PASS", (("too_hot", "PASS"),)),)),)
    (failure,) = told(printed(before), command("", "plain"), ok=False).failures
    for pattern, is_over in (("TestFire/too_hot", False), ("TestFire", True)):
        run = told(printed(after, pattern, "verbose"), command(pattern, "verbose"), ok=True)
        assert any(ends(passes, failure) for passes in run.passes) is is_over


@given(modules, st.integers(0, 2), st.sampled_from(STYLES))
def test_of_another_package_nothing_ends(packages: tuple[Package, ...], left: int, style: str) -> None:
    failures = told(printed(packages), command("", "plain"), ok=False).failures
    fine = tuple(
        Package(p.path, tuple((name, "PASS", tuple((sub, "PASS") for sub, _ in subs)) for name, _, subs in p.tests))
        for p in packages
    )
    run = told(printed(fine[:left] + fine[left + 1 :], "", style), command("", style), ok=True)
    over = {each.test for each in failures if any(ends(passes, each) for passes in run.passes)}
    assert over == {each.test for each in failures if not each.test.startswith(f"{PATHS[left]}.")}
