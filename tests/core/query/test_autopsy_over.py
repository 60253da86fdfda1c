"""A failure that task runners hide the end of is over where the very command that told it tells nothing any more."""

import json
from typing import Any

import pytest

from ccos_core.query.autopsy import autopsy
from ccos_core.query.autopsy.answer import Autopsy
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

FLOW, SUFFIX, HOOKS = "checks/flow_test.go", "shop/suffix.go", "shop/hooks.go"
FILES = {
    FLOW: 'package checks\n\nfunc TestFlow(t *testing.T) {\n\tout := start("shop")\n\tif out == "" {\n'
    '\t\tt.Fatal("nothing sold")\n\t}\n}\n',
    SUFFIX: "package shop\n\nfunc Suffix(n int) int {\n\treturn n\n}\n",
    HOOKS: "package shop\n\nfunc Hook(n int) int {\n\treturn n\n}\n",
}
"""The test starts a program: nothing in it uses what is at fault."""
FAILS = """\
--- FAIL: TestFlow (0.01s)
    flow_test.go:6: nothing sold
FAIL
FAIL\texample.com/shop/checks\t0.02s
FAIL
"""
PASSES = "ok  \texample.com/shop/checks\t0.02s\n"
AGENT = {"host": "story", "session": "s"}


class Shop:
    """The session, told."""

    def __init__(self) -> None:
        self.tale = Tale(FILES)
        self.texts = dict(FILES)

    def op(self, **op: Any) -> None:
        self.tale.tell({**op, **AGENT, "call": f"call-{len(self.tale.ops)}"})

    def see(self, path: str) -> None:
        self.op(kind="seen", how="read", path=path, content=self.tale.facts.keep(self.texts[path]))

    def edit(self, path: str) -> None:
        self.texts[path] += f"// {len(self.tale.ops)}\n"
        self.op(kind="seen", how="edit", path=path, content=self.tale.facts.keep(self.texts[path]))

    def run(self, command: str, output: str, outcome: str = "ok") -> None:
        keep = self.tale.facts.keep
        arguments = keep(json.dumps({"command": command}))
        self.op(kind="tool", name="Bash", outcome=outcome, arguments=arguments, result=keep(output), cwd=".")

    def autopsy(self) -> Autopsy:
        timeline = timeline_of(self.tale)
        return autopsy(timeline, timeline.head)


def mended(last: str, output: str = PASSES, outcome: str = "ok") -> Autopsy:
    """What is changed at last is what had been dropped; then this command is run."""
    shop = Shop()
    shop.see(SUFFIX)
    shop.run("make check 2>&1 | head -100", FAILS)
    shop.op(kind="compaction", trigger="auto", exact=False)
    for path in (FLOW, HOOKS, FLOW):
        shop.edit(path)
        shop.run("make check 2>&1 | head -200", FAILS)
    shop.see(SUFFIX)
    shop.edit(SUFFIX)
    shop.run(last, output, outcome)
    return shop.autopsy()


@pytest.mark.parametrize("last", ["make check", "make check 2>&1 | tail -5", "make check | grep -v skip"])
def test_the_same_command_tells_that_it_is_over(last: str) -> None:
    answer = mended(last)
    first = answer.suspects[0]
    assert (first.node, first.kind, first.certainty) == (f"file:{SUFFIX}", "reread", "likely")
    assert f"The failure seems to have ended at step {answer.at}, after this file was changed." in first.why
    assert first.evidence[-1].words == "the same command no longer reports it"


@pytest.mark.parametrize(
    ("last", "output", "outcome"),
    [
        ("make other", PASSES, "ok"),
        ("make check ARGS=-short", PASSES, "ok"),
        ("cd elsewhere && make check", PASSES, "ok"),
        ("make $WHAT", PASSES, "ok"),
        ("make check", "nothing to be done\n", "ok"),
        ("make check", PASSES, "error"),
        ("make check", FAILS, "ok"),
    ],
)
def test_anything_else_tells_nothing(last: str, output: str, outcome: str) -> None:
    answer = mended(last, output, outcome)
    assert not any("seems to have ended" in each.why for each in answer.suspects)
