"""Foreign text costs what it weighs: twice the text takes about twice the time, whatever it is made of.

Each hostile text of the tests is taken at two sizes in turn; a ratio near 2 is linear, 4 would be quadratic.
"""

from collections.abc import Iterator

from ccos_core.text.ignore import Matcher, parse_rules
from ccos_core.text.sanitize import clean
from ccos_core.text.withheld import withheld_in
from tests.bench.harness import Result, paired
from tests.core.text.sanitize.test_clean import HOSTILE

SIZE = 150_000
LIMIT = 3.2


def lines(smoke: bool) -> Iterator[Result]:
    size, runs = (1_000, 1) if smoke else (SIZE, 3)
    worst = max((_doubled(piece, size, runs) for piece in HOSTILE), key=lambda result: result.ratio or 0)
    yield worst
    command = "cat $(" * (size // 100)
    yield paired(lambda: withheld_in(command * 2), lambda: withheld_in(command), runs).result("command, doubled", LIMIT)
    rules = [Matcher(parse_rules("".join(f"*.ext{n}\n/path/{n}\n" for n in range(count)))) for count in (1_000, 2_000)]
    yield paired(lambda: _asked(rules[1]), lambda: _asked(rules[0]), runs).result("ignore rules, doubled", LIMIT)


def _doubled(piece: str, size: int, runs: int) -> Result:
    once = (piece * (size // len(piece) + 1))[:size]
    twice = (piece * (2 * size // len(piece) + 1))[: 2 * size]
    return paired(lambda: clean(twice), lambda: clean(once), runs).result(f"clean {piece[:16]!r}, doubled", LIMIT)


def _asked(matcher: Matcher) -> None:
    for number in range(2_000):
        matcher.ignored(f"src/package/module{number}.py", False)
