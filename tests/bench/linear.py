"""Foreign text costs what it weighs: twice the text takes about twice the time, whatever it is made of.

Each hostile text of the tests is taken at two sizes in turn; a ratio near 2 is linear, 4 would be quadratic.
"""

from collections.abc import Callable, Iterator

from ccos_core.intake.failures import go, read, rust
from ccos_core.intake.failures.page import Findings, Page, page_of
from ccos_core.text.ignore import Matcher, parse_rules
from ccos_core.text.sanitize import clean
from ccos_core.text.withheld import withheld_in
from tests.bench.harness import Result, paired
from tests.core.intake import go_hostile, rust_hostile
from tests.core.intake.javascript_hostile import FLOODS as JAVASCRIPT
from tests.core.intake.javascript_outputs import EVERY, Case, File
from tests.core.intake.test_javascript_node import THROWN
from tests.core.intake.test_typescript import PLAIN, PRETTY
from tests.core.text.sanitize.test_clean import HOSTILE

SIZE = 150_000
LIMIT = 3.2


def lines(smoke: bool) -> Iterator[Result]:
    size, runs = (1_000, 1) if smoke else (SIZE, 3)
    worst = max((_doubled(piece, size, runs) for piece in HOSTILE), key=lambda result: result.ratio or 0)
    yield worst
    yield from _outputs(size, runs)
    command = "cat $(" * (size // 100)
    yield paired(lambda: withheld_in(command * 2), lambda: withheld_in(command), runs).result("command, doubled", LIMIT)
    rules = [Matcher(parse_rules("".join(f"*.ext{n}\n/path/{n}\n" for n in range(count)))) for count in (1_000, 2_000)]
    yield paired(lambda: _asked(rules[1]), lambda: _asked(rules[0]), runs).result("ignore rules, doubled", LIMIT)
    readers = {"rust": (rust.read, rust_hostile), "go": (go.read, go_hostile)}
    for name, (reader, laws) in readers.items():
        pieces = [lambda many, piece=piece: piece * many for piece in laws.FLOODS[::8]]
        pieces += [lambda many, pair=pair: _crowd(pair, many) for pair in laws.CROWDS]
        yield max((_read_doubled(name, reader, piece, size, runs) for piece in pieces), key=lambda one: one.ratio or 0)


def _crowd(pair: tuple[str, str], many: int) -> str:
    """What is repeated with a number, then what follows with a number."""
    return "".join(map(pair[0].format, range(many))) + "\n" + "".join(map(pair[1].format, range(many)))


def _read_doubled(
    name: str, reader: Callable[[Page], Findings], piece: Callable[[int], str], size: int, runs: int
) -> Result:
    many = size // len(piece(1)) + 1
    once, twice = page_of(piece(many), "", False), page_of(piece(2 * many), "", False)
    title = f"{name} {piece(1)[:16]!r}, doubled"
    return paired(lambda: reader(twice), lambda: reader(once), runs).result(title, LIMIT)


def _doubled(piece: str, size: int, runs: int) -> Result:
    once = (piece * (size // len(piece) + 1))[:size]
    twice = (piece * (2 * size // len(piece) + 1))[: 2 * size]
    return paired(lambda: clean(twice), lambda: clean(once), runs).result(f"clean {piece[:16]!r}, doubled", LIMIT)


def _outputs(size: int, runs: int) -> Iterator[Result]:
    """Outputs of JavaScript's tools, whole and hostile."""
    places = (("src/cart.js", 3, "total"), ("test/cart.test.js", 9, "TestContext.<anonymous>"))
    for style, (_, write) in EVERY.items():
        tests = [(Case(("cart", f"{at}")), Case(("till", f"{at}"), "failed", places)) for at in range(size // 300)]
        files = [File(f"test/{at}.test.js", pair) for at, pair in enumerate(tests)]
        once, twice = write(files[: len(files) // 2]), write(files)
        yield _read(style, once, twice, runs)
    for name, piece in (("tsc", PLAIN), ("tsc --pretty", PRETTY), ("node", THROWN)):
        yield _read(name, piece * (size // len(piece) + 1), piece * (2 * size // len(piece) + 2), runs)
    yield paired(lambda: _flooded(size // 50), lambda: _flooded(size // 100), runs).result(
        f"{len(JAVASCRIPT)} floods of JavaScript's outputs, doubled", LIMIT
    )


def _flooded(times: int) -> None:
    for piece in JAVASCRIPT:
        read(piece * times, "npx jest", ok=False)


def _read(name: str, once: str, twice: str, runs: int) -> Result:
    measured = paired(lambda: read(twice, "npx jest", ok=False), lambda: read(once, "npx jest", ok=False), runs)
    return measured.result(f"output of {name}, doubled", LIMIT)


def _asked(matcher: Matcher) -> None:
    for number in range(2_000):
        matcher.ignored(f"src/package/module{number}.py", False)
