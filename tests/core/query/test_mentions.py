"""Which files a session named: what a test's strings and a pasted console show are none."""

from __future__ import annotations

from ccos_core.query.mentions import named_at
from tests.core.query.conversations import Conversation

PASTED = """It fails in shop/cart.py, as in docs/plan.md:

⏺ Bash(git add docs/red.md && git commit)
  ⎿  1 file changed, 37 insertions(+)
 create mode 100644 docs/red.md
"""
RESULT = 'shop/cart_test.go:18: {\\ncmd/cart/main.go:39: env.Write("extra.go")\\n  + extra.go\n'


def test_strings_and_pasted_text_name_no_files() -> None:
    story = Conversation().say(PASTED).run("go test ./...", printed=RESULT).edit("shop/cart.py", "x = 1", "x = 2")
    timeline = story.timeline
    found = {each.path for each in named_at(timeline, timeline.head).files}
    assert found >= {"shop/cart.py", "docs/plan.md", "shop/cart_test.go", "cmd/cart/main.go"}
    assert not {path for path in found if path.endswith(("extra.go", "red.md", "ncmd/cart/main.go"))}
    story.run("cat extra.go", printed="package main")
    assert "extra.go" in {each.path for each in named_at(story.timeline, story.step).files}
