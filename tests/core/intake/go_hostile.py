"""What may stand in an output of Go's tools, for the laws of `test_hostile`."""

from tests.core.intake import test_go_build, test_go_runs, test_go_traces
from tests.core.intake.go_outputs import KNOWN
from tests.core.intake.hostile import Texts, lines_of

REAL = [
    test_go_runs.RUN,
    test_go_runs.VERBOSE,
    test_go_runs.events(test_go_runs.VERBOSE),
    test_go_runs.ASSERTED,
    test_go_runs.FINE,
    "--- FAIL: TestFire (0.00s)\n" + test_go_traces.FELL + "\n\n" + test_go_traces.STACK + test_go_traces.END,
    test_go_traces.LATE + test_go_traces.END,
    test_go_traces.RACE + test_go_traces.LOST + test_go_traces.RACED + test_go_traces.END,
    test_go_traces.PROGRAM,
    test_go_build.REFUSED + test_go_build.UNDEFINED + test_go_build.VETTED,
]
COMMANDS = ["", "go test ./...", "go test -v -run 'TestFire/a|b' .", "go build ./...", "go vet .", "go run ./cmd/stoke"]

FLOODS = [
    "panic: x\n",
    "panic: x\n\ngoroutine 1 [running]:\n",
    "panic: x\n\ngoroutine 1 [running]:\nmain.main()\n\t/a/b.go:3 +0x1\n",
    "goroutine 1 [running]:\nmain.main()\n\t/a/b.go:3 +0x1\n\n",
    "fatal error: ",
    "panic: test timed out after 1s\n\tTestA (1s)\n",
    "\tTestA (1s)\n",
    "main.main()\n",
    "main.main(",
    "\t/a/b.go:3 +0x1\n",
    "\t/a/b.go:",
    "WARNING: DATA RACE\n",
    "WARNING: DATA RACE\nRead at 0x1 by goroutine 1:\n  a.b()\n      /a/b.go:3\n",
    "==================\n",
    "=== RUN   TestA\n",
    "=== RUN   TestA/",
    "--- FAIL: TestA (0.00s)\n",
    "--- FAIL: TestA (0.00s)\n    a_test.go:3: no\n",
    "    a_test.go:3: no\n",
    "    a_test.go:",
    "        \tError Trace:\ta.go:3\n",
    "        \tError:      \tx\n",
    "a.go:3 ",
    "ok  \ta/b\t0.1s\n",
    "FAIL\ta/b\t0.1s\n",
    "FAIL\ta/b [build failed]\n",
    "FAIL ",
    "exit status 1\n",
    "got:\n",
    "# a/b\n",
    "# a/b\na/b.go:3:1: no\n",
    "a/b.go:3:1: no\n",
    "a/b.go:3:",
    "# [a/b]\n",
    "\thave\n",
    '{"Action":"output","Package":"a","Output":"--- FAIL: TestA (0.00s)\\n"}\n',
    '{"Action":"output","Package":"a","Output":"x"}\n',
    '{"Action":',
    '{"Action":' + "[" * 50 + "\n",
    "...1 frames elided...\n",
    "[...]",
    "a/",
    "%2e",
]

# what is repeated with a number, what then follows with a number
CROWDS = [
    ("--- FAIL: TestA{0} (0.00s)\n", "FAIL\ta/b{0}\t0.1s\n"),
    ("=== RUN   TestA{0}\n", "--- PASS: TestA{0} (0.00s)\n"),
    ("=== RUN   TestA/{0}\n    a.go:{0}: x\n", "    --- FAIL: TestA/{0} (0.00s)\n"),
    ("panic: x{0}\n\ngoroutine 1 [running]:\na/b.TestA{0}()\n\t/a/b.go:{0}\n", "--- FAIL: TestA{0} (0.00s)\n"),
    ("--- FAIL: TestA{0} (0.00s)\n", "panic: x{0}\n\ngoroutine 1 [running]:\na/b.F()\n\t/a/b.go:{0}\n"),
    ("WARNING: DATA RACE\nRead at 0x1 by goroutine 1:\n  a.TestA{0}()\n      /a/b.go:3\n", "--- FAIL: TestA{0} (0s)\n"),
    ("# a/b{0}\na/b{0}/c.go:3:1: no\n", "FAIL\ta/b{0} [build failed]\n"),
    ("a/b{0}/c.go:3:1: no\n", "ok  \ta/b{0}\t0.1s\n"),
]

TEXTS = Texts("go", KNOWN, COMMANDS, lines_of(REAL), FLOODS, CROWDS, real=lambda: REAL, runs="go test -run ")
