"""Panics of Rust's as every version writes them, with and without a backtrace; and errors that carry one."""

import pytest

from ccos_core.intake.failures import read
from ccos_core.intake.failures.paths import anchor
from ccos_core.intake.failures.rust_panics import function
from ccos_core.values.outcome import Failure, Frame, Pass
from tests.core.intake.rust_outputs import BOTTOM, KNOWN, ROOT, STD, TOP, places, told

HEAT = "crates/kiln/src/heat.rs"

# a panic; its place and its message
HEADS = [
    (f"thread 'main' panicked at {HEAT}:12:9:\ntoo hot", 12, "too hot"),
    (f"thread 'main' (4711) panicked at {HEAT}:12:9:\ntoo hot", 12, "too hot"),
    (f"thread '<unnamed>' panicked at {HEAT}:12:9:\ntoo hot", 12, "too hot"),
    (f"thread 'it's \"odd\"' panicked at {HEAT}:12:9:\ntoo hot", 12, "too hot"),
    (f"thread 'main' panicked at 'too hot', {HEAT}:12:9", 12, "too hot"),
    (f"thread 'main' panicked at 'it's, well', {HEAT}:12:9", 12, "it's, well"),
    (f"thread 'main' panicked at '', {HEAT}:12:9", 12, ""),
    (f"thread 'main' panicked at 'first\n  at {HEAT}:1:1\nlast', {HEAT}:12:9", 12, "first"),
    (f"thread 'main' panicked at {HEAT}:12:9:\nfirst\nsecond\n  at x.rs:1:1", 12, "first"),
    (
        f"thread 'main' panicked at {HEAT}:12:9:\nassertion `left == right` failed: warm\n  left: 2\n right: 3",
        12,
        "assertion `left == right` failed: warm",
    ),
    (
        f"thread 'main' panicked at 'assertion failed: `(left == right)`\n  left: `2`,\n right: `3`', {HEAT}:12:9",
        12,
        "assertion failed: `(left == right)`",
    ),
    (f"thread 'main' panicked at {HEAT}:12:9:\nsrc/other.rs:3:4:", 12, "src/other.rs:3:4:"),
    (f"[2024-01-01] thread 'main' panicked at {HEAT}:12:9:\ntoo hot", 12, "too hot"),
    ("thread 'main' panicked at crates\\kiln\\src\\heat.rs:12:9:\ntoo hot", 12, "too hot"),
    (f"thread 'main' panicked at {HEAT}:12:9:\nnote: run with `RUST_BACKTRACE=1`", 12, ""),
]


@pytest.mark.parametrize(("text", "line", "message"), HEADS)
def test_a_panic(text: str, line: int, message: str) -> None:
    found = told(f"{text}\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n")
    assert found.failures == (Failure("rust", "", (Frame(HEAT, line),), message),)
    assert anchor(found.failures[0], KNOWN) == Frame(HEAT, line)


@pytest.mark.parametrize(
    "text",
    [
        "the thread panicked at noon",
        "thread 'main' panicked",
        "thread main panicked at a.rs:3:5",
        "thread 'main' panicked at no place at all",
        "thread 'main' panicked at 'never closed",
        "thread 'rustc' panicked at compiler/rustc_middle/src/heat.rs:12:9:\nbroken",
    ],
)
def test_no_panic_of_ours(text: str) -> None:
    assert not read(text).failures


def short_trace(place: str, own: str) -> str:
    """As `RUST_BACKTRACE=1` writes it."""
    return (
        f"thread 'main' (4711) panicked at {place}:\ntoo hot\nstack backtrace:\n{TOP}"
        f"   2: kiln::heat::fire\n             at {own}:12:9\n"
        f"   3: <kiln::heat::Oven<T> as kiln::Warm>::warm::{{{{closure}}}}\n             at {own}:30:5\n"
        f"   4: kiln::main\n             at ./src/main.rs:4:20\n{BOTTOM}"
    )


def test_a_backtrace() -> None:
    found = told(short_trace("crates/kiln/src/heat.rs:12:9", "./src/heat.rs"))
    assert [places(each) for each in found.failures] == [
        [(HEAT, 12, "fire"), (HEAT, 30, "warm"), ("crates/kiln/src/main.rs", 4, "main")]
    ]


def test_the_column_may_be_another() -> None:
    found = told(short_trace("crates/kiln/src/heat.rs:12:31", "./src/heat.rs"))
    assert places(found.failures[0])[0] == (HEAT, 12, "fire")


def test_a_file_that_two_packages_have_is_the_panicking_ones() -> None:
    text = (
        "thread 'main' panicked at crates/kiln/src/lib.rs:3:5:\nno\nstack backtrace:\n"
        "   0: kiln::a\n             at ./src/lib.rs:3:5\n   1: kiln::b\n             at ./src/lib.rs:9:5\n"
    )
    assert places(told(text).failures[0]) == [
        ("crates/kiln/src/lib.rs", 3, "a"),
        ("crates/kiln/src/lib.rs", 9, "b"),
    ]


def test_another_packages_panic_tells_nothing_of_the_programs_folder() -> None:
    text = (
        f"thread 'main' panicked at crates/glaze/src/lib.rs:3:5:\nno\nstack backtrace:\n   0: glaze::a\n"
        f"             at {ROOT}/crates/glaze/src/lib.rs:3:5\n   1: kiln::b\n             at ./src/lib.rs:9:5\n"
    )
    assert places(told(text).failures[0]) == [("crates/glaze/src/lib.rs", 3, "a"), ("src/lib.rs", 9, "b")]


def test_a_place_the_backtrace_has_not() -> None:
    text = (
        f"thread 'main' panicked at {HEAT}:12:9:\nno\nstack backtrace:\n"
        f"   0: kiln::warm\n             at {ROOT}/{HEAT}:30:5\n"
    )
    assert places(told(text).failures[0]) == [(HEAT, 12, ""), (HEAT, 30, "warm")]


def test_a_full_backtrace() -> None:
    at = "\n" + " " * 31 + "at "
    registry = "/home/ann/.cargo/registry/src/index.crates.io-0123456789abcdef"
    steps = [
        f"std[e28293b1aa0f68bd]::panicking::default_hook::{{closure#0}}{at}{STD}/std/src/panicking.rs:292:27",
        f"kiln[0123456789abcdef]::heat::fire{at}{ROOT}/crates/kiln/src/heat.rs:12:9",
        f"kiln::heat::warm::h0123456789abcdef{at}{ROOT}/crates/kiln/src/heat.rs:30:5",
        f"serde::de::walk{at}{registry}/serde-1.0.0/src/heat.rs:7:1",
        f"start_thread{at}./nptl/pthread_create.c:442:8",
        "_start",
        "<unknown>",
    ]
    trace = "".join(f"{number:4}:     0x55aa00c37aea - {step}\n" for number, step in enumerate(steps))
    (failure,) = told(f"thread 'main' panicked at {HEAT}:12:9:\ntoo hot\nstack backtrace:\n{trace}").failures
    assert places(failure)[:2] == [(HEAT, 12, "fire"), (HEAT, 30, "warm")]
    assert not [at for at in failure.frames if at.path.startswith("/rustc")]
    assert KNOWN.find(failure.frames[2].path) is None


def test_steps_without_a_place_look_like_a_gutter() -> None:
    text = (
        f"thread 'main' panicked at {HEAT}:12:9:\ntoo hot\nstack backtrace:\n   0: core::panicking::panic_fmt\n"
        "   1: core::option::expect_failed\n   2: kiln::heat::fire\n             at ./src/heat.rs:12:9\n"
        "   3: kiln::main\n             at ./src/main.rs:4:20\n"
    )
    assert places(told(text).failures[0])[-1] == ("crates/kiln/src/main.rs", 4, "main")


def test_a_toolchain_anywhere_is_set_aside() -> None:
    for path in (
        f"{STD}/core/src/lib.rs",
        "/usr/src/rustc-1.63.0/library/test/src/lib.rs",
        "/home/ann/.rustup/toolchains/stable/lib/rustlib/src/rust/library/std/src/lib.rs",
        "src/libcore/lib.rs",
        "library/core/src/lib.rs",
        "/usr/local/cargo/registry/src/index.crates.io-0123456789abcdef/kiln-1.0.0/src/lib.rs",
        "/usr/local/cargo/git/checkouts/kiln-0123/abc/src/heat.rs",
        "vendor/crates.io/kiln/src/heat.rs",
    ):
        assert KNOWN.find(path) is None, path


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("kiln::heat::fire", "fire"),
        ("kiln::heat::fire::{{closure}}", "fire"),
        ("kiln[0123456789abcdef]::heat::fire::{closure#2}", "fire"),
        ("kiln::heat::fire::h0123456789abcdef", "fire"),
        ("<kiln::Oven<T,A> as core::fmt::Display>::fmt", "fmt"),
        ("<kiln::Oven<alloc::vec::Vec<u8>>>::open::<u8>", "open"),
        ("kiln::<impl kiln::Oven>::open", "open"),
        ("main", "main"),
        ("<unknown>", ""),
        ("", ""),
    ],
)
def test_names_of_functions(said: str, name: str) -> None:
    assert function(said) == name


PROGRAM = "     Running `target/debug/kiln --hot 3`\n"
FALL = f"\nthread 'main' panicked at {HEAT}:12:9:\ntoo hot\n"


def test_a_program_is_known_by_its_name() -> None:
    found = told(f"    Finished `dev` profile [unoptimized] target(s) in 0.1s\n{PROGRAM}{FALL}", "cargo run", ok=False)
    assert [(each.runner, each.test) for each in found.failures] == [("rust", "kiln")]
    assert found.passes == ()


@pytest.mark.parametrize(
    ("command", "ok", "passes"),
    [
        ("cargo run -- --hot 2", True, (Pass("rust", "tests", ("kiln",)),)),
        ("cargo r", True, (Pass("rust", "tests", ("kiln",)),)),
        ("cargo run | head", True, ()),
        ("cargo run", False, ()),
        ("cargo run", None, ()),
        ("make", True, ()),
    ],
)
def test_a_program_that_ran_through(command: str, ok: bool | None, passes: tuple[Pass, ...]) -> None:
    output = "     Running `target\\release\\kiln.exe`\nwarm\n"
    assert told(output, command, ok).passes == passes


def test_a_stack_that_ran_over_says_no_place() -> None:
    assert not told("\nthread 'main' has overflowed its stack\nfatal runtime error: stack overflow\n").failures
