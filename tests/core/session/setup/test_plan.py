"""Setup on a disk: done once, done again, and undone byte for byte, whatever happened in between."""

from __future__ import annotations

import json
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import CcosError, Refused
from ccos_core.session.setup import hosts, plan, writing
from ccos_core.session.setup.hosts import BY_NAME, HOSTS, Machine, Scope, Target
from ccos_core.session.setup.plan import Change, Refusal
from tests.core.session.setup.configurations import EVENTS, as_host_reads, json_texts, program, toml_texts


class Place:
    """A home and a project of somebody, and what setup does there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home, self.project = folder / "home", folder / "project"
        for each in (self.home, self.project):
            each.mkdir()
        self.machine = Machine(str(self.home), {}, "linux", str(self.project))

    def targets(self, host: str = "claude-code", scope: Scope = "user", python: str = "/py") -> list[Target]:
        return BY_NAME[host].targets(self.machine, scope, program(python))

    def every(self, scope: Scope = "user", python: str = "/py") -> list[Target]:
        return [target for host in HOSTS for target in self.targets(host.name, scope, python)]

    def wire(self, targets: list[Target]) -> list[Refusal]:
        changes, refused = plan.wiring(targets, str(self.project))
        for change in changes:
            plan.perform(change, str(self.project))
        return refused

    def unwire(self, targets: list[Target] | None = None) -> tuple[list[Change], list[Refusal]]:
        changes, refused = plan.unwiring(targets or [], writing.entries())
        for change in changes:
            plan.perform(change, str(self.project))
        return changes, refused

    def files(self) -> dict[str, tuple[bytes, int]]:
        """Everything there is, but for what setup remembers."""
        return {
            str(path.relative_to(self.folder)): (path.read_bytes(), stat.S_IMODE(path.lstat().st_mode))
            for path in sorted(self.folder.rglob("*"))
            if path.is_file() and "state" not in path.parts
        }

    def folders(self) -> list[str]:
        return [str(path) for path in sorted(self.folder.rglob("*")) if path.is_dir() and "state" not in path.parts]


@contextmanager
def somewhere() -> Iterator[Place]:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", os.path.join(folder, "state"))
        yield Place(Path(folder))


@pytest.fixture
def place() -> Iterator[Place]:
    with somewhere() as made:
        yield made


def write(path: str, text: str | bytes) -> Path:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


@settings(max_examples=40)
@given(json_texts(), toml_texts(), st.sampled_from(["user", "project"]), st.data())
def test_undone_is_as_if_nothing_had_been(
    said: tuple[str, dict[str, Any]], table: str, scope: Scope, data: st.DataObject
) -> None:
    with somewhere() as place:
        targets = place.every(scope)
        for target in targets:
            if target.form != "whole" and data.draw(st.booleans()):
                write(target.path, table if target.form == "toml" else as_host_reads(said, target))
        before, folders = place.files(), place.folders()
        assert place.wire(targets) == []
        after = place.files()
        assert plan.wiring(targets, str(place.project)) == ([], [])
        assert all(plan.wiring([target], "")[0] == [] for target in targets)
        assert after != before
        assert place.wire(place.every(scope, "/another/python")) == []  # the installation has moved
        _, refused = place.unwire()
        assert refused == []
        assert (place.files(), place.folders()) == (before, folders)
        assert writing.entries() == []


@settings(max_examples=40)
@given(json_texts(), st.sampled_from(["claude-code", "cursor", "gemini", "openclaw", "opencode", "vscode"]))
def test_what_was_edited_since_loses_ours_alone(said: tuple[str, dict[str, Any]], host: str) -> None:
    with somewhere() as place:
        targets = [target for target in place.targets(host) if target.form != "whole"]
        for target in targets:
            write(target.path, as_host_reads(said, target))
        place.wire(targets)
        for target in targets:
            file = Path(target.path)
            file.write_bytes(file.read_bytes() + b"\n// mine\n")
        changes, refused = place.unwire()
        assert refused == []
        assert all("only the entries of setup" in change.note for change in changes)
        for target in targets:
            left = Path(target.path).read_text(encoding="utf-8")
            assert "".join(left.split()) == "".join((as_host_reads(said, target) + "//mine").split())


def test_nothing_is_left_where_nothing_was(place: Place) -> None:
    place.wire(place.every())
    place.wire(place.every("project"))
    assert len(place.files()) == 22
    everything = writing.entries()
    for entry in everything[::3]:  # some of it, then the rest
        changes, _ = plan.unwiring([], [entry])
        plan.perform(changes[0], "")
    place.unwire()
    assert place.files() == {}
    assert place.folders() == [str(place.home), str(place.project)]


def test_rights_and_links_stay(place: Place) -> None:
    settings_file = place.targets()[1].path
    real = write(str(place.folder / "dotfiles" / "claude.json"), "{}")
    real.chmod(0o640)
    os.makedirs(os.path.dirname(settings_file))
    os.symlink(real, settings_file)
    place.wire(place.targets())
    assert os.path.islink(settings_file)
    assert b"hooks" in real.read_bytes()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    (backup,) = real.parent.glob("*.ccos-backup")
    assert (backup.read_bytes(), stat.S_IMODE(backup.stat().st_mode)) == (b"{}", 0o640)
    assert stat.S_IMODE(os.stat(place.targets()[0].path).st_mode) == 0o600
    shared = place.targets(scope="project")[0]
    place.wire([shared])
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(os.stat(shared.path).st_mode) == 0o666 & ~mask
    place.unwire()
    assert os.path.islink(settings_file)
    assert real.read_bytes() == b"{}"
    assert list(real.parent.iterdir()) == [real]


def test_a_link_into_nowhere_is_written_through_and_emptied_again(place: Place) -> None:
    (target,) = place.targets("cursor")
    os.makedirs(os.path.dirname(target.path))
    os.symlink(place.folder / "later" / "mcp.json", target.path)
    assert place.wire([target]) == []
    assert (place.folder / "later" / "mcp.json").is_file()
    place.unwire()
    assert os.path.islink(target.path)
    assert not (place.folder / "later").exists()


def test_a_file_that_is_not_understood_stays_and_is_named(place: Place) -> None:
    servers, hooks = place.targets()
    file = write(hooks.path, '{"hooks": ')
    (refused,) = place.wire([servers, hooks])
    assert refused.target == hooks
    assert "line 1" in refused.error.fact
    assert file.read_bytes() == b'{"hooks": '
    assert os.path.exists(servers.path)


def test_a_file_that_somebody_writes_to_meanwhile_stays(place: Place) -> None:
    (target,) = place.targets("gemini")
    file = write(target.path, "{}")
    changes, _ = plan.wiring([target], "")
    file.write_bytes(b'{"theirs": 1}')
    with pytest.raises(Refused, match="meanwhile"):
        plan.perform(changes[0], "")
    assert file.read_bytes() == b'{"theirs": 1}'
    assert list(file.parent.iterdir()) == [file]
    assert writing.entries() == []
    assert place.wire([target]) == []
    place.unwire()
    assert file.read_bytes() == b'{"theirs": 1}'
    assert list(file.parent.iterdir()) == [file]


def test_wired_by_hand_before_it_is_as_it_was_by_hand(place: Place) -> None:
    (target,) = place.targets("cursor")
    by_hand = b'{"mcpServers": {"ccos": {"command": "ccos-tui", "args": ["mcp"]}}}'
    file = write(target.path, by_hand)
    place.wire([target])
    assert file.read_bytes() != by_hand
    place.unwire()
    assert file.read_bytes() == by_hand


def test_edited_between_two_runs_and_undone(place: Place) -> None:
    """The copy of before has ours in it by then, so it isn't what undo means."""
    (target,) = place.targets("cursor")
    file = write(target.path, b'{"a": 1}')
    place.wire([target])
    file.write_bytes(file.read_bytes().replace(b'"a"', b'"b"'))
    place.wire(place.targets("cursor", python="/moved/python"))
    place.unwire()
    assert file.read_bytes() == b'{"b": 1}'


def test_without_memory_ours_is_known_by_what_it_says(place: Place) -> None:
    targets = [target for target in place.every() if target.form != "whole"]
    for target in targets:
        said = '{\n  "description": "a"\n}\n' if target.reading.keys else '{\n  "a": 1\n}\n'
        write(target.path, "[x]\na = 1\n" if target.form == "toml" else said)
    place.wire(targets)
    os.unlink(writing.path())
    assert writing.entries() == []
    _, refused = place.unwire(targets)
    assert refused == []
    for target in targets:
        left = Path(target.path).read_text()
        assert "ccos" not in left
        assert '"a": 1' in left or "a = 1" in left or '"description": "a"' in left


@pytest.mark.parametrize("whole", ['{\n  "a": 1\n}\n', '{"a": 1, "mcpServers": {"other": {"command": "x"}}}', "{}\n"])
def test_without_memory_nothing_empty_is_left_of_ours(place: Place, whole: str) -> None:
    targets = [target for target in place.every() if target.form in ("json", "hooks", "both")]
    targets = [target for target in targets if not target.reading.keys]
    assert len({target.form for target in targets}) == 3
    for target in targets:
        write(target.path, whole)
    place.wire(targets)
    Path(writing.path()).write_bytes(b"{")
    place.unwire(targets)
    for target in targets:
        assert json.loads(Path(target.path).read_bytes()) == json.loads(whole), target.host


@pytest.mark.parametrize("said", [b"", b"{", b"[]", b'{"files": [{}]}', b'{"files": 7}', b"\xff"])
def test_a_spoiled_memory_costs_nothing_but_exactness(place: Place, said: bytes) -> None:
    targets = place.targets()
    place.wire(targets)
    Path(writing.path()).write_bytes(said)
    assert writing.entries() == []
    place.unwire(targets)
    assert all(b"ccos_tui" not in Path(target.path).read_bytes() for target in targets)


def test_a_backup_that_is_gone_costs_nothing_but_exactness(place: Place) -> None:
    (target,) = place.targets("vscode")
    file = write(target.path, b'{ "inputs": [] }')
    place.wire([target])
    for backup in file.parent.glob("*.ccos-backup"):
        backup.unlink()
    changes, _ = place.unwire()
    assert "only the entries of setup" in changes[0].note
    assert json.loads(file.read_bytes()) == {"inputs": []}


def test_what_is_remembered_is_nobody_elses_to_read(place: Place) -> None:
    place.wire(place.targets())
    assert stat.S_IMODE(os.stat(writing.path()).st_mode) == 0o600


def test_a_diff_says_what_comes_and_goes(place: Place) -> None:
    target = place.targets("codex")[0]
    write(target.path, 'model = "x"')
    ((change,), _) = plan.wiring([target], "")
    diff = change.diff()
    assert diff.startswith(f"--- {target.path}\n+++ {target.path}\n@@ ")
    assert '-model = "x"\n\\ No newline at the end of the file\n' in diff
    assert "+[mcp_servers.ccos]\n" in diff


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "@@ -1,2 +3 @@\n"]), max_size=30).map("".join)


@given(LINES, LINES, LINES, LINES)
def test_a_diff_is_what_is_known_of_whole_files(head: str, old: str, new: str, tail: str) -> None:
    """Applied to what was there it gives what will be, line by line, at the places it names."""
    before, after = head + old + tail, head + new + tail
    target = BY_NAME["codex"].targets(Machine("/h", {}, "linux", "/p"), "user", program())[0]
    diff = Change(target, before.encode(), after.encode(), None).diff().splitlines(keepends=True)
    assert (diff == []) == (before == after)
    lines, made, at = before.splitlines(keepends=True), [], 0
    for line in diff[2:]:
        if line.startswith("@@ "):
            start, _, length = line.split()[1].lstrip("-").partition(",")
            begin = int(start) - (length != "0")
            made, at = made + lines[at:begin], begin
            assert int(line.split()[2].lstrip("+").partition(",")[0]) - (",0 @@" not in line) == len(made)
        elif line.startswith("-"):
            assert lines[at] == line[1:]
            at += 1
        elif line.startswith("+"):
            made.append(line[1:])
        else:
            assert lines[at] == line[1:]
            made.append(line[1:])
            at += 1
    assert "".join(made + lines[at:]) == after


def test_what_cannot_be_written_is_said(place: Place) -> None:
    target = place.targets("codex")[0]
    write(str(place.home / ".codex"), "a file where a folder should be")
    changes, _ = plan.wiring([target], "")
    with pytest.raises(CcosError):
        plan.perform(changes[0], "")
    assert writing.entries() == []


def test_nothing_is_left_of_what_could_not_be_remembered(place: Place) -> None:
    (target,) = place.targets("gemini")
    file = write(target.path, "{}")
    write(str(place.folder / "state"), "a file where a folder should be")
    with pytest.raises(CcosError):
        place.wire([target, *place.targets("cursor")])
    assert file.read_bytes() == b"{}"
    assert list(file.parent.iterdir()) == [file]
    assert not (place.home / ".cursor").exists()


def test_a_file_edited_since_that_cannot_be_written(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    (target,) = place.targets("cursor")
    file = Path(os.path.realpath(write(target.path, b'{"a": 1}')))
    place.wire([target])
    before = writing.entries()
    edited = file.read_bytes().replace(b'"a"', b'"b"')
    file.write_bytes(edited)

    put = os.replace

    def full(draft: str, path: str) -> None:
        if path == str(file):
            raise OSError(28, "No space left on device")
        put(draft, path)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(CcosError):
        place.wire(place.targets("cursor", python="/moved/python"))
    assert file.read_bytes() == edited
    assert writing.entries() == before
    assert len(list(file.parent.iterdir())) == 2


def test_a_home_that_is_a_project_too(place: Place) -> None:
    place.machine = Machine(str(place.home), {}, "linux", str(place.home))
    place.wire(place.targets("cursor"))
    os.unlink(writing.path())
    changes, refused = place.unwire([*place.targets("cursor"), *place.targets("cursor", "project")])
    assert (len(changes), refused) == (1, [])


def test_a_folder_in_place_of_a_file_is_refused(place: Place) -> None:
    (target,) = place.targets("gemini")
    os.makedirs(target.path)
    (refused,) = place.wire([target])
    assert "isn't a configuration file" in refused.error.fact


# ---- the plugin ----


def test_a_plugin_is_whole_and_goes_again(place: Place) -> None:
    folder = str(place.folder / "plugin")
    targets = plan.plugin_targets(folder, program())
    assert place.wire(targets) == []
    assert plan.wiring(targets, "") == ([], [])
    said = {path.relative_to(folder).as_posix(): json.loads(path.read_bytes()) for path in Path(folder).rglob("*.json")}
    assert sorted(said) == [
        ".claude-plugin/marketplace.json",
        ".claude-plugin/plugin.json",
        ".mcp.json",
        "hooks/hooks.json",
    ]
    assert set(said["hooks/hooks.json"]["hooks"]) == set(EVENTS)
    assert said[".mcp.json"]["mcpServers"]["ccos"]["command"] == "/opt/py/bin/python3"
    assert place.wire(plan.plugin_targets(folder, program("/moved"))) == []
    _, refused = place.unwire()
    assert refused == []
    assert not os.path.exists(folder)


def test_a_plugin_leaves_what_others_wrote(place: Place) -> None:
    folder = place.folder / "plugin"
    targets = plan.plugin_targets(str(folder), program())
    file = write(str(folder / ".mcp.json"), "{}")
    (refused,) = place.wire(targets)
    assert "wasn't written by setup" in refused.error.fact
    assert file.read_bytes() == b"{}"
    changed = write(str(folder / "hooks" / "hooks.json"), '{"mine": 1}')
    _, left = place.unwire()
    assert [each.target.path for each in left] == [str(changed)]
    assert changed.read_bytes() == b'{"mine": 1}'


# ---- hosts with more than one thing, and hosts that read less than we do ----


def test_a_file_with_a_server_and_hooks_of_ours_has_both_taken_out(place: Place) -> None:
    (target,) = place.targets("gemini")
    file = write(target.path, '{\n  "ui": {"hideTips": true}\n}\n')
    place.wire([target])
    said = json.loads(file.read_bytes())
    assert said["ui"] == {"hideTips": True}
    assert "ccos" in said["mcpServers"]
    assert set(said["hooks"]) == {"SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "PreCompress"}
    assert said["hooks"]["AfterTool"][0]["hooks"][0]["timeout"] == hosts.SECONDS * 1_000  # it counts milliseconds
    file.write_bytes(file.read_bytes().replace(b"true", b"false"))
    place.unwire()
    assert json.loads(file.read_bytes()) == {"ui": {"hideTips": False}}


def test_a_server_that_an_older_version_wired_gets_hooks_and_both_go(place: Place) -> None:
    (target,) = place.targets("gemini")
    file = write(target.path, '{"a": 1}')
    place.wire([replace(target, form="json", value=target.value[0])])  # as it was before there were hooks
    place.wire([target])
    assert "hooks" in json.loads(file.read_bytes())
    file.write_bytes(file.read_bytes().replace(b'"a": 1', b'"a": 2'))
    place.unwire()
    assert json.loads(file.read_bytes()) == {"a": 2}


def test_an_opencode_file_that_we_make_has_its_schema_and_goes(place: Place) -> None:
    """OpenCode would write it in by itself, and the file would be somebody else's by then."""
    server, plugin_file = place.targets("opencode")
    place.wire([server, plugin_file])
    assert json.loads(Path(server.path).read_bytes())["$schema"] == "https://opencode.ai/config.json"
    assert Path(plugin_file.path).read_text().startswith("// Written by `ccos-tui setup`")
    Path(server.path).write_bytes(Path(server.path).read_bytes() + b"\n")  # it wrote into it all the same
    place.unwire()
    assert place.files() == {}


def test_the_plugin_for_opencode_is_known_without_memory(place: Place) -> None:
    _, target = place.targets("opencode")
    place.wire([target])
    os.unlink(writing.path())
    moved = place.targets("opencode", python="/moved")[1]
    assert place.wire([moved]) == []  # another installation's is replaced
    os.unlink(writing.path())
    place.unwire(place.targets("opencode"))
    assert not os.path.exists(target.path)
    write(target.path, "export const Mine = 1\n")
    (refused,) = place.wire([target])
    assert "wasn't written by setup" in refused.error.fact
    assert place.unwire(place.targets("opencode")) == ([], [])


@pytest.mark.parametrize("put_back", [False, True])
@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini", "opencode"])
def test_what_an_older_version_left_does_not_come_back(place: Place, host: str, put_back: bool) -> None:
    """Nothing was remembered of it when this one wrote its own over it."""
    older = [target for target in place.targets(host, python="/older") if target.form not in ("json", "toml")]
    place.wire(older)
    old = {target.path: Path(target.path).read_bytes() for target in older}
    os.unlink(writing.path())
    assert place.wire(place.targets(host)) == []
    assert not [path for path, data in old.items() if Path(path).read_bytes() == data]
    for path, data in old.items() if put_back else ():
        Path(path).write_bytes(data)
    assert place.unwire()[1] == []
    left = [path.read_bytes() for path in map(Path, old) if path.exists()]
    assert old
    assert all(data.split() in ([], [b"{}"]) for data in left)
    assert writing.entries() == []


def test_beside_what_an_older_version_left_the_rest_stays(place: Place) -> None:
    (target,) = place.targets("gemini", python="/older")
    file = write(target.path, '{\n  "ui": {"hideTips": true}\n}\n')
    place.wire([target])
    os.unlink(writing.path())
    place.wire(place.targets("gemini"))
    place.unwire()
    assert json.loads(file.read_bytes()) == {"ui": {"hideTips": True}}


@pytest.mark.parametrize(
    ("host", "said", "fact"),
    [
        ("gemini", '{"ui": {},}', "comma after the last"),
        ("gemini", "[" * 100_000, "nested too deeply"),
        ("gemini", '{"a": ' + "7" * 5_000 + "}", "number that is too long"),
        ("gemini", '\ufeff{"ui": {}}', "byte order mark"),
        ("gemini", '{"mcpServers": []}', "mcpServers isn't an object"),
        ("gemini", '{"hooks": {"AfterTool": true}}', "hooks"),
        ("codex", '{ // mine\n"hooks": {}}', "line 1: isn't plain JSON"),
        ("codex", '{"hooks": {},\n}', "line 2: isn't plain JSON"),
        ("codex", '{"hooks": {}, "hooks": {}}', "'hooks' twice"),
        ("codex", '{"hooks": {}, "model": 1}', "'model'"),
        ("codex", '{"hooks": {"Stop": 5}}', "hooks"),
        ("opencode", '{"mcp": []}', "mcp isn't an object"),
    ],
    ids=lambda said: said[:40],
)
def test_what_its_host_would_refuse_is_refused(place: Place, host: str, said: str, fact: str) -> None:
    """As the hosts themselves did, each with a message of its own: see the tests with real hosts."""
    target = next(each for each in place.targets(host) if each.form in ("hooks", "both", "json"))
    file = write(target.path, said)
    (refused,) = place.wire([target])
    assert fact in refused.error.fact
    assert refused.error.hint or fact in ("hooks", "mcp isn't an object", "mcpServers isn't an object")
    assert file.read_text(encoding="utf-8") == said


@pytest.mark.parametrize("said", ['{ // mine\n "ui": {"a": "// no comment, }"}}', '{"ui": {}, "ui": {"b": 1}}'])
def test_what_gemini_reads_is_edited(place: Place, said: str) -> None:
    (target,) = place.targets("gemini")
    write(target.path, said)
    assert place.wire([target]) == []
    place.unwire()
    assert Path(target.path).read_text() == said
