"""What people and agents say in between. Healthy sessions and those that go wrong draw from the same words."""

from __future__ import annotations

from random import Random

from tests.bench.causes.words import ADJECTIVES, NOUNS, VERBS

REQUESTS = (
    "Please tidy up how {} works, and keep the tests green.", "Add a {} to the {} report.",
    "The {} numbers look off for some customers. Have a look.", "We need {} handling for {}.",
    "Get the test suite to pass again.", "CI is red since this morning, find out why.",
    "Make the {} code easier to follow.", "Can you extend {} so that {} is counted too?",
    "Something is wrong with {}. Fix it without changing its interface.", "Prepare the release of the {} part.",
)  # fmt: skip
NEXT = (
    "Good. Now run all tests and fix what fails.", "Next: the {} part. Then run everything.", "ok, continue",
    "Thanks. What about {}?", "keep going", "Please also look after {}.", "Run the tests again please.",
    "Now the other thing: {} should follow {}.",
)  # fmt: skip
REMARKS = (
    "Let me look at this file.", "I'll run the tests.", "Let me check how this is used.", "I see what happens here.",
    "Next I'll change this function.", "Let me read the surrounding code first.", "That should do it, let me verify.",
    "Now for the next part.", "Let me search for its callers.", "I'll make a small change here.",
    "The tests will tell.", "Looking at the output again.", "Let me see what this returns.", "One moment.",
    "I think the problem is here.", "This looks right to me.", "Let me double-check.", "Interesting.",
)  # fmt: skip
SUMMARIES = (
    "The user asked for work on {}. Files were read, some were changed. Tests run with the usual runner.",
    "Work so far: {} was looked at, {} was extended. Open: run the whole suite.",
    "Progress: changes around {} are in place. Next steps: verify, then clean up {}.",
    "1. Request: {}.\n2. Files looked at: several.\n3. Current work: {}.\n4. Pending: tests.",
)
ORDERS = (
    "Find out how {} is worked out and report back.", "Look through the {} code and summarise it.",
    "Check who uses {} and whether {} is affected.", "Read the modules around {} and list what each does.",
)  # fmt: skip
FINDINGS = (
    "The modules are small and call each other in a line. Nothing stood out.",
    "Done. The functions take an amount and give a number; tests exist for some of them.",
    "Summary: {} is worked out in two steps, see the module's functions.", "Finished; details above.",
)  # fmt: skip


def request(rng: Random) -> str:
    return _filled(rng, REQUESTS)


def following(rng: Random) -> str:
    return _filled(rng, NEXT)


def remark(rng: Random) -> str:
    return rng.choice(REMARKS)


def summary(rng: Random) -> str:
    return _filled(rng, SUMMARIES)


def orders(rng: Random) -> str:
    return _filled(rng, ORDERS)


def findings(rng: Random) -> str:
    return _filled(rng, FINDINGS)


def thing(rng: Random) -> str:
    return (
        f"{rng.choice(ADJECTIVES)} {rng.choice(NOUNS)}"
        if rng.random() < 0.5
        else f"{rng.choice(VERBS)}ing {rng.choice(NOUNS)}s"
    )


def _filled(rng: Random, forms: tuple[str, ...]) -> str:
    form = rng.choice(forms)
    return form.format(*(thing(rng) for _ in range(form.count("{}"))))
