"""What Claude Code puts before its agent by itself."""

from typing import Any

import pytest

from tests.core.intake.importers.claude_code_fixtures import CWD, SHOP, Talk, listed, read_of, text
from tests.core.intake.importers.foreign import of_kind

PATH = f"{CWD}/shop.py"


def files(kind: str, **attached: Any) -> list[tuple[Any, ...]]:
    talk = Talk()
    talk.attach(kind, **attached)
    seen = of_kind(talk.told(), "seen")
    assert all(each["call"] == talk.last and each["actor"] == "host" for each in seen)
    return [(each["how"], each["path"], each.get("content"), each.get("slice")) for each in seen]


def words(kind: str, **attached: Any) -> list[tuple[str, str]]:
    talk = Talk()
    talk.attach(kind, **attached)
    return [(each["said"], each["source"]) for each in of_kind(talk.told(), "prompt")]


def test_a_file_that_was_mentioned_or_brought_back() -> None:
    content = {"type": "text", "file": read_of(PATH, SHOP)["file"]}
    assert files("file", filename=PATH, content=content) == [("read", PATH, SHOP, None)]
    part = {"type": "text", "file": read_of(PATH, "def tax(rows):", 5, 7)["file"]}
    assert files("file", filename=PATH, content=part) == [("read", PATH, "def tax(rows):", [5, 5])]


def test_a_file_that_is_only_named_is_not_shown() -> None:
    content = {"type": "text", "file": read_of(PATH, SHOP)["file"]}
    assert files("already_read_file", filename=PATH, content=content) == []
    assert files("compact_file_reference", filename=PATH, displayPath="shop.py") == []


def test_a_file_that_was_changed_by_somebody_else() -> None:
    snippet = listed("def tax(rows):\n    return 0", 5) + "\n...\n" + listed("x = 1", 20)
    found = files("edited_text_file", filename=PATH, snippet=snippet)
    assert found == [("read", PATH, "def tax(rows):\n    return 0", [5, 6]), ("read", PATH, "x = 1", [20, 20])]


def test_a_change_of_a_large_file_is_only_told() -> None:
    talk = Talk()
    talk.attach("edited_text_file", filename=PATH, snippet="")
    assert [each["withheld"] for each in of_kind(talk.told(), "seen")] == ["unplaced"]


def test_lines_selected_in_an_editor() -> None:
    attached = {"filename": PATH, "lineStart": 5, "lineEnd": 6, "content": "def tax(rows):\n    return 0"}
    assert files("selected_lines_in_ide", **attached) == [("read", PATH, attached["content"], [5, 6])]


def test_notes_that_are_loaded() -> None:
    note = {"path": f"{CWD}/CLAUDE.md", "type": "Project", "content": "Be kind.\n"}
    assert files("nested_memory", path=note["path"], content=note) == [("read", note["path"], "Be kind.\n", None)]
    assert files("nested_memory", path=note["path"], content={**note, "contentDiffersFromDisk": True}) == []
    memories = [{"path": "/m/a.md", "content": "a\n", "mtimeMs": 1}, {"path": "/m/b.md", "content": "b\n", "limit": 1}]
    assert files("relevant_memories", memories=memories) == [("read", "/m/a.md", "a\n", None)]


def test_a_plan() -> None:
    assert files("plan_file_reference", planFilePath="/p/plan.md", planContent="1.\n") == [
        ("read", "/p/plan.md", "1.\n", None)
    ]


@pytest.mark.parametrize(
    ("kind", "attached", "said", "source"),
    [
        ("queued_command", {"prompt": "go on", "commandMode": "prompt"}, "go on", "user"),
        ("queued_command", {"prompt": [text("go on")], "origin": {"kind": "human"}}, "go on", "user"),
        ("queued_command", {"prompt": "done", "commandMode": "task-notification"}, "done", "host"),
        ("hook_additional_context", {"content": ["one", "two"]}, "one\ntwo", "host"),
        ("hook_success", {"hookEvent": "SessionStart", "content": "branch: main"}, "branch: main", "host"),
        ("hook_blocking_error", {"blockingError": {"blockingError": "no", "command": "x"}}, "no", "host"),
        ("invoked_skills", {"skills": [{"name": "a", "path": "a", "content": "Do."}, 7]}, "Do.", "host"),
        ("skill_listing", {"content": "- a: does a", "skillCount": 1}, "- a: does a", "host"),
    ],
)
def test_words(kind: str, attached: dict[str, Any], said: str, source: str) -> None:
    assert words(kind, **attached) == [(said, source)]


def test_what_a_hook_prints_after_a_tool_is_not_shown() -> None:
    assert words("hook_success", hookEvent="PostToolUse", content="formatted") == []
