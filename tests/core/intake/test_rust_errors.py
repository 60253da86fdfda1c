"""What rustc and clippy refuse, to which unit it belongs, and what a run of cargo's proves to be compiled again."""

import pytest

from ccos_core.intake.failures import read
from ccos_core.intake.failures.paths import anchor
from ccos_core.values.outcome import Failure, Frame, Pass, ends
from tests.core.intake.rust_outputs import FIRING, GLAZE, KILN, KNOWN, MAIN, places, seen, told

COMPILING = "   Compiling kiln v0.1.0 (/home/ann/pots/crates/kiln)\n"
BELOW = "   Compiling glaze v0.2.0 (/home/ann/pots/crates/glaze)\n"
FINISHED = "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.50s\n"

MISMATCH = """\
error[E0308]: mismatched types
  --> crates/kiln/src/lib.rs:12:23
   |
11 |     let hot = Oven {
12 |         degrees: "x",
   |                  ^^^ expected `u32`, found `&str`
   |
note: field defined here
  ::: crates/glaze/src/lib.rs:3:9
   |
 3 |     pub degrees: u32,
   |         ------- here
help: try this
   |
12 -         degrees: "x",
12 +         degrees: 3,
   |

"""
MISSING = """\
error[E0425]: cannot find function `fire` in this scope
 --> crates/kiln/src/lib.rs:20:5
   |
20 |     fire();
   |     ^^^^ not found in this scope

"""
UNUSED = """\
warning: unused variable: `x`
 --> crates/kiln/src/main.rs:3:9
  |
3 |     let x = 3;
  |         ^ help: if this is intentional, prefix it with an underscore: `_x`
  |
  = note: `#[warn(unused_variables)]` on by default

"""
LINT = """\
error: length comparison to zero
  --> crates/kiln/src/lib.rs:42:34
   |
42 |     pots.len() == 0
   |     ^^^^^^^^^^^^^^^ help: using `is_empty` is clearer and more explicit: `pots.is_empty()`
   |
   = help: for further information visit https://rust-lang.github.io/rust-clippy/rust-1.95.0/index.html#len_zero
   = note: `-D clippy::len-zero` implied by `-D warnings`

"""
EXPLAIN = """\
Some errors have detailed explanations: E0308, E0425.
For more information about an error, try `rustc --explain E0308`.
"""


def unit(target: str = "lib", count: int = 2, package: str = "kiln") -> str:
    return f"error: could not compile `{package}` ({target}) due to {count} previous errors\n"


OUTPUT = COMPILING + UNUSED + MISMATCH + MISSING + EXPLAIN + unit() + "warning: build failed, waiting for other jobs\n"


def test_errors() -> None:
    found = told(OUTPUT, "cargo build", ok=False)
    assert seen(found) == [
        ("kiln (lib)", "error[E0308]: mismatched types", [(KILN, 12, ""), (GLAZE, 3, "")]),
        ("kiln (lib)", "error[E0425]: cannot find function `fire` in this scope", [(KILN, 20, "")]),
    ]
    assert [each.part for each in found.failures] == [f"E0308 {KILN}", f"E0425 {KILN}"]
    assert {each.runner for each in found.failures} == {"rustc"}
    assert found.passes == ()
    assert anchor(found.failures[0], KNOWN) == Frame(KILN, 12)


def test_warnings_are_no_failures_and_nobody_elses_either() -> None:
    assert not read(UNUSED + 'warning: `kiln` (bin "kiln") generated 1 warning\n', "cargo build", ok=False)
    assert not read("error: linking with `cc` failed: exit status: 1\n" + UNUSED, "cargo build", ok=False)


@pytest.mark.parametrize(
    ("text", "frame", "message"),
    [
        (
            "crates/kiln/src/lib.rs:12:23: error[E0308]: mismatched types: expected `u32`, found `&str`",
            (KILN, 12),
            "error[E0308]: mismatched types: expected `u32`, found `&str`",
        ),
        ("error: expected one of `;` or `}`\n --> crates/kiln/src/lib.rs:9:1\n", (KILN, 9), ""),
        ("error[E0583]: file not found for module `x`\n --> crates/kiln/src/lib.rs:9:1\n", (KILN, 9), ""),
        ("error: no rules expected `)`\n  --> crates/kiln/src/lib.rs:9:1 (in a macro)\n", (KILN, 9), ""),
        (
            "error: string values must be quoted\n --> crates/kiln/Cargo.toml:4:11\n  |\n",
            ("crates/kiln/Cargo.toml", 4),
            "",
        ),
        ("error[E0308]: mismatched types\n    --> crates\\kiln\\src\\lib.rs:12:23\n", (KILN, 12), ""),
        ("error: couldn't\n       read it\n --> crates/kiln/src/lib.rs:9:1\n", (KILN, 9), "error: couldn't"),
    ],
)
def test_an_error(text: str, frame: tuple[str, int], message: str) -> None:
    (failure,) = told(text, "cargo check", ok=False).failures
    assert failure.frames == (Frame(*frame),)
    assert failure.message == (message or text.partition("\n")[0])
    assert (failure.runner, failure.test) == ("rustc", "")


@pytest.mark.parametrize(
    "text",
    [
        "error[unresolved]: cannot resolve `x`\n --> src/a.py:3:8\n",
        "error: something\n\n --> crates/kiln/src/lib.rs:9:1\n",
        "error: one\nerror: two\nwarning: three\n",
        "warning: unused\n --> crates/kiln/src/lib.rs:9:1\n",
    ],
)
def test_no_error_of_rustc(text: str) -> None:
    assert not [each for each in read(text, "cargo check", ok=False).failures if each.runner != "cargo"]


# what could not be compiled, in its order; the unit that the errors above are said to belong to
UNITS = [
    ([unit()], "kiln (lib)"),
    ([unit("lib test"), unit()], "kiln (lib)"),
    ([unit(), unit("lib test")], "kiln (lib)"),
    ([unit(count=2), unit("lib test", count=4)], "kiln (lib test)"),
    ([unit("lib test")], "kiln (lib test)"),
    ([unit('test "firing"')], 'kiln (test "firing")'),
    (["error: could not compile `kiln` due to 2 previous errors\n"], "kiln"),
    (["error: could not compile `kiln` due to previous error\n"], "kiln"),
    ([unit(package="glaze"), unit()], "kiln (lib)"),
    ([unit(package="other"), unit(package="glaze")], ""),
    ([], ""),
]


@pytest.mark.parametrize(("units", "expected"), UNITS)
def test_what_they_belong_to(units: list[str], expected: str) -> None:
    output = COMPILING + BELOW + MISMATCH + MISSING + "".join(units)
    assert [each.test for each in told(output, "cargo test", ok=False).failures] == [expected] * 2


def test_each_package_has_its_own() -> None:
    output = COMPILING + BELOW + MISMATCH + MISMATCH.replace("kiln", "glaze") + unit(package="glaze") + unit()
    assert [each.test for each in told(output, "cargo test", ok=False).failures] == ["kiln (lib)", "glaze (lib)"]


SCRIPT = f"""\
{COMPILING}error: failed to run custom build command for `kiln v0.1.0 (/home/ann/pots/crates/kiln)`

Caused by:
  process didn't exit successfully: `/home/ann/pots/target/debug/build/kiln-7f01df84c5173a6b/build-script-build`
  --- stderr

  thread 'main' (17700) panicked at crates/kiln/build.rs:3:43:
  no clay
  note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""


def test_a_build_script() -> None:
    (failure,) = told(SCRIPT, "cargo build", ok=False).failures
    assert (failure.runner, failure.test, failure.message) == ("rustc", "kiln (build script)", "no clay")
    assert places(failure) == [("crates/kiln/build.rs", 3, "")]
    assert ends(told(COMPILING + FINISHED, "cargo check", ok=True).passes[0], failure)


def test_clippy_is_another() -> None:
    (failure,) = told(COMPILING + LINT + unit(count=1), "cargo clippy", ok=False).failures
    assert (failure.runner, failure.test) == ("clippy", "kiln (lib)")
    fine = COMPILING.replace("Compiling", " Checking") + FINISHED
    assert any(ends(each, failure) for each in told(fine, "cargo clippy -- -D warnings", ok=True).passes)
    assert not any(ends(each, failure) for each in told(fine, "cargo check", ok=True).passes)
    warned = fine.replace("    Finished", UNUSED + "    Finished")
    assert not any(ends(each, failure) for each in told(warned, "cargo clippy", ok=True).passes)


ALL = {
    "lib": "kiln (lib)",
    "lib test": "kiln (lib test)",
    "bin": 'kiln (bin "kiln")',
    "bin test": 'kiln (bin "kiln" test)',
    "other bin": 'kiln (bin "stoke")',
    "test": 'kiln (test "firing")',
    "script": "kiln (build script)",
    "old": "kiln",
    "glaze": "glaze (lib)",
    "glaze test": "glaze (lib test)",
}
WHOLE = ["lib", "lib test", "bin", "bin test", "other bin", "test", "script", "old"]
RAN = "     Running unittests src/lib.rs (target/debug/deps/kiln-0123456789abcdef)\n"

# the command, what was compiled before it was finished, what of ALL that ends
PROVEN = [
    ("cargo build", COMPILING, ["lib", "bin", "script"]),
    ("cargo b --release", COMPILING, ["lib", "bin", "script"]),
    ("cargo check", COMPILING.replace("Compiling", " Checking"), ["lib", "bin", "script"]),
    ("cargo check --all-targets", COMPILING, WHOLE),
    ("cargo test", COMPILING, WHOLE),
    ("cargo test fires", COMPILING, WHOLE),
    ("cargo test --lib", COMPILING, ["lib", "script"]),
    ("cargo test --features hot", COMPILING, ["lib", "script"]),
    ("cargo build --bin stoke", COMPILING, ["lib", "other bin", "script"]),
    ("cargo run --bin stoke", COMPILING, ["lib", "other bin", "script"]),
    ("cargo run", COMPILING, ["lib", "script"]),
    ("cargo build", BELOW + COMPILING, ["lib", "script", "glaze"]),
    ("cargo test", BELOW + COMPILING, ["lib", "script", "glaze"]),
    ("cargo test -p kiln", BELOW + COMPILING, [*WHOLE, "glaze"]),
    ("cargo test --package=kiln", BELOW + COMPILING, [*WHOLE, "glaze"]),
    ("cargo test --workspace", BELOW + COMPILING, [*WHOLE, "glaze", "glaze test"]),
    ("cargo test --workspace --exclude glaze", BELOW + COMPILING, ["lib", "script", "glaze"]),
    ("cargo check --workspace --all-targets --exclude glaze", BELOW + COMPILING, ["lib", "script", "glaze"]),
    ("cargo build", "   Compiling serde v1.0.0\n", []),
    ("cargo build", "", []),
    ("make", COMPILING, []),
    ("cargo build && cargo test", COMPILING, []),
]


@pytest.mark.parametrize(("command", "compiled", "over"), PROVEN)
def test_what_was_compiled_again(command: str, compiled: str, over: list[str]) -> None:
    passes = told(compiled + UNUSED + FINISHED, command, ok=True).passes
    ended = [name for name, test in ALL.items() if any(ends(each, Failure("rustc", test)) for each in passes)]
    assert sorted(ended) == sorted(over)


def test_a_package_whose_tests_ran_was_asked_for() -> None:
    passes = told(BELOW + COMPILING + FINISHED + RAN, "cargo test", ok=False).passes
    ended = [name for name, test in ALL.items() if any(ends(each, Failure("rustc", test)) for each in passes)]
    assert sorted(ended) == sorted([*WHOLE, "glaze"])


@pytest.mark.parametrize("broken", [OUTPUT, COMPILING, SCRIPT, COMPILING + MISMATCH + FINISHED])
def test_nothing_is_proven_that_is_not_finished(broken: str) -> None:
    assert not [each for each in told(broken, "cargo build", ok=None).passes if each.scope == "tests"]


def test_a_manifest_that_is_read_again() -> None:
    (failure,) = read("error: bad value\n --> crates/kiln/Cargo.toml:4:11\n", "cargo build", ok=False).failures
    output = "   Compiling kiln v0.1.0 (crates/kiln)\n".replace("(", "(/")
    passes = read(output + FINISHED, "cargo build", ok=True).passes
    assert passes[1] == Pass("rustc", "files", (), ("/crates/kiln/Cargo.toml",))
    assert not ends(passes[1], failure)
    same = Failure("rustc", "", (Frame("/crates/kiln/Cargo.toml", 4),))
    assert ends(passes[1], same)


def test_an_error_in_a_test_points_at_what_it_misuses() -> None:
    text = MISMATCH.replace("--> crates/kiln/src/lib.rs", f"--> {FIRING}")
    (failure,) = told(COMPILING + text + unit('test "firing"', 1), "cargo test", ok=False).failures
    assert anchor(failure, KNOWN) == Frame(GLAZE, 3)
    assert MAIN in KNOWN.paths


def test_what_a_test_compiles_is_no_build() -> None:
    output = (
        f"{RAN}\nrunning 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; "
        f"0 filtered out\n\n{MISMATCH}"
    )
    assert told(output, "cargo test", ok=True).failures == ()
