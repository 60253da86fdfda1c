"""`polyglot`: one agent, four languages, and a failure that crosses files in each.

Every pair of files is a caller and what it calls; a run of each language's tests fails in the caller. So the cause that
is suspected must be found along a dependency of that language.
"""

from __future__ import annotations

from typing import Any

from ccos_core.intake.importers import generic
from ccos_core.intake.importers.record import Record
from ccos_core.session.lifecycle import init_elsewhere
from ccos_core.session.session import open_session

START = 1_772_359_200_000  # 2026-03-01 10:00:00 UTC
CWD = "/home/kim/mixed"

FILES = {
    "py/rates.py": "RATES = {}\n\n\ndef rate(name):\n    return RATES[name]\n",
    "py/fees.py": "from py.rates import rate\n\n\ndef fee(name, cents):\n    return cents * rate(name) // 100\n",
    "ts/rates.ts": "const rates: Record<string, number> = {};\n\nexport function rate(name: string): number {\n"
    "  return rates[name];\n}\n",
    "ts/fees.ts": 'import { rate } from "./rates";\n\nexport function fee(name: string, cents: number): number {\n'
    "  return Math.floor((cents * rate(name)) / 100);\n}\n",
    "go.mod": "module mixed\n\ngo 1.22\n",
    "fees/rates.go": "package fees\n\nvar rates = map[string]int{}\n\nfunc Rate(name string) int {\n"
    "\treturn rates[name]\n}\n",
    "fees/fees.go": "package fees\n\nfunc Fee(name string, cents int) int {\n\treturn cents * Rate(name) / 100\n}\n",
    "Cargo.toml": '[package]\nname = "mixed"\nversion = "0.1.0"\n',
    "src/lib.rs": "pub mod rates;\n\nuse crate::rates::rate;\n\npub fn fee(name: &str, cents: i64) -> i64 {\n"
    "    cents * rate(name) / 100\n}\n",
    "src/rates.rs": 'pub fn rate(name: &str) -> i64 {\n    panic!("no rate for {name}")\n}\n',
}

RUNS = {
    "pytest -q": (
        "F\n____ test_fee ____\n\n    def test_fee():\n>       assert fee('card', 100) == 2\n\npy/test_fees.py:5: \n"
        "_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _\n\n    def fee(name, cents):\n"
        ">       return cents * rate(name) // 100\n\n"
        "py/fees.py:5: \n_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _\n\n    def rate(name):\n>       return RATES[name]\n"
        "E       KeyError: 'card'\n\npy/rates.py:5: KeyError\n"
        "FAILED py/test_fees.py::test_fee - KeyError: 'card'\n1 failed in 0.02s\n"
    ),
    "go test ./...": (
        "--- FAIL: TestFee (0.00s)\n    fees_test.go:7: Fee() = 0, want 2\nFAIL\nFAIL\tmixed/fees\t0.002s\nFAIL\n"
    ),
    "cargo test": (
        "running 1 test\ntest tests::fee_of_a_card ... FAILED\n\nfailures:\n\n---- tests::fee_of_a_card stdout ----\n"
        "thread 'tests::fee_of_a_card' panicked at src/rates.rs:2:5:\nno rate for card\n\n\nfailures:\n"
        "    tests::fee_of_a_card\n\n"
        "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
    ),
}


def build(path: str) -> str:
    """Make its workspace; gives the head."""
    init_elsewhere(path, CWD, START)
    reader = generic.FORMAT.reader("polyglot-0001")
    with open_session(path, clock=lambda: START) as session:
        for number, line in enumerate(transcript(), 1):
            session.record(reader.feed(Record(number, line)))
        return session.recorded.head()[1].hex()


def transcript() -> list[dict[str, Any]]:
    """The session, line by line."""
    lines: list[dict[str, Any]] = [
        {"kind": "session", "id": "polyglot-0001", "agent": "demo", "cwd": CWD},
        {"kind": "prompt", "text": "The fee of a card is wrong, in every language."},
    ]
    for number, (path, text) in enumerate(FILES.items()):
        read = {"kind": "read", "call": f"r{number}", "path": path, "text": text, "whole": True}
        lines.append({"kind": "call", "id": f"r{number}", "name": "read", "arguments": {"path": path}})
        lines += [read, {"kind": "result", "call": f"r{number}", "text": text, "outcome": "ok"}]
    for number, (command, printed) in enumerate(RUNS.items()):
        lines.append({"kind": "call", "id": f"t{number}", "name": "shell", "arguments": {"command": command}})
        lines.append({"kind": "result", "call": f"t{number}", "text": printed, "outcome": "error"})
    return [{**line, "at": START + 5_000 * number} for number, line in enumerate(lines)]
