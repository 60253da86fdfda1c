"""What may stand in an output of cargo and its programs, for the laws of `test_hostile`."""

from tests.core.intake import test_rust_errors, test_rust_runs
from tests.core.intake.hostile import Texts, lines_of
from tests.core.intake.rust_outputs import KNOWN, NAMES, ROOTS, Program, printed

REAL = [
    test_rust_runs.RUN,
    test_rust_runs.QUIET,
    test_rust_runs.LOUD,
    test_rust_runs.DOCS,
    test_rust_errors.OUTPUT,
    test_rust_errors.SCRIPT,
    test_rust_errors.COMPILING + test_rust_errors.LINT + test_rust_errors.FINISHED,
    printed(tuple(Program(*root[:3], tuple((name, "FAILED") for name in NAMES)) for root in ROOTS), "", "old"),
]
COMMANDS = [
    "",
    "cargo test",
    "cargo test -q",
    "cargo build",
    "cargo run",
    "cargo clippy",
    "cargo test -p x y -- --skip z",
]

FLOODS = [
    "thread '",
    "thread 'a' panicked at ",
    "thread 'a' panicked at 'b\n",
    "thread 'a' panicked at 'b', ",
    "thread 'a' panicked at a.rs:3:5:\n",
    "thread 'a' panicked at a.rs:3:5:\nx\nstack backtrace:\n",
    "thread 'a' has overflowed its stack\n",
    "stack backtrace:\n",
    "   0: a::b\n",
    "   0: a::b\n             at ./a.rs:3:5\n",
    "             at ./a.rs:3:5\n",
    "<a::b<",
    "   0: <<<<<",
    "', a.rs:3:5\n",
    "', ",
    "running 1 test\n",
    "running 2 tests\ntest a ... FAILED\n",
    "test a ... ok\n",
    "test a ... \n",
    "test a ... ",
    "test a - should panic ... ",
    "a --- FAILED\n",
    "failures:\n",
    "successes:\n",
    "---- a stdout ----\n",
    "---- a stdout ----\nthread 'a' panicked at a.rs:3:5:\nx\n",
    "---- a ",
    "    a\n",
    "test result: FAILED. 0 passed; 1 failed\n",
    "test result: ok. 1 passed; ",
    "1 passed; ",
    "error: test failed, to rerun pass `-p a --lib`\n",
    "     Running unittests src/lib.rs (target/debug/deps/a-0123456789abcdef)\n",
    "     Running src/lib.rs (",
    "     Running `target/debug/a`\n",
    "     Running `",
    "   Doc-tests a\n",
    "test a.rs - b (line 3) ... ok\n",
    "test a.rs - ",
    "error[E0308]: x\n --> a.rs:3:5\n",
    "error[E0308]: x\n",
    " --> a.rs:3:5\n",
    " ::: ",
    "error: could not compile `a` (lib) due to 2 previous errors\n",
    "error: could not compile `",
    "   Compiling a v1 (/a)\n",
    "   Compiling ",
    "a.rs:3:5: error[E0308]: x\n",
    "a.rs:3:5: ",
    "::",
    "a::",
    "{{",
    "[0123456789",
]

# what is repeated with a number, what then follows with a number
CROWDS = [
    ("test a{0} ... FAILED\n", "thread 'a{0}' panicked at a.rs:{0}:5:\nx\n"),
    ("running 1 test\ntest a{0} ... FAILED\n", "thread 'a{0}' panicked at a.rs:{0}:5:\nx\n"),
    ("---- a{0} stdout ----\nthread 'a{0}' panicked at a.rs:{0}:5:\nx\n", "    a{0}\n"),
    ("     Running `target/debug/a{0}`\n", "thread 'main' panicked at a.rs:{0}:5:\nx\n"),
    ("error: failed to run custom build command for `a{0} v1`\n", "thread 'main' panicked at a.rs:{0}:5:\nx\n"),
    ("error[E1]: x\n --> a{0}.rs:3:5\n\n", "error: could not compile `a{0}` (lib) due to 2 previous errors\n"),
    ("   Compiling a{0} v1 (/a{0})\n", "error[E1]: x\n --> a{0}/b.rs:3:5\n\n"),
    (
        "     Running tests/a{0}.rs (target/debug/deps/a{0}-0123456789abcdef)\nrunning 1 test\n",
        "error: test failed, to rerun pass `-p a{0} --lib`\n",
    ),
]

TEXTS = Texts("rust", KNOWN, COMMANDS, lines_of(REAL), FLOODS, CROWDS, real=lambda: REAL, runs="cargo test ")
