"""`ccos_retrieve`: whatever a window showed shortened comes back exactly, also after a restart, also in pieces."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.errors import Erased
from ccos_core.serve.mcp.offer import Wrong
from ccos_core.session.forget import forget
from ccos_core.session.squeezing import squeeze
from ccos_core.text.compress.shortened import MARKER
from ccos_core.values.ids import path_of
from tests.core.serve.mcp.tools.serving import BILLING, FAILED, STORE, Host

SOURCES = {"src/store.py": STORE, "src/billing.py": BILLING}


def spoken(host: Host, budget: int, **said: str) -> list[tuple[str, str, str]]:
    """(path, node, reference) of all that is shown shortened."""
    items = host.call("recall", budget=budget, **said)["items"]
    return [(path_of(item["uri"]) or "", item["uri"], item["ref"]) for item in items if "ref" in item]


def test_every_reference_gives_the_original_after_a_restart(host: Host) -> None:
    host.call("page_fault", output=FAILED)
    asked = ({}, {"anchor": "tests/test_billing.py"}, {"anchor": "src/billing.py"}, {"text": "shipping"})
    found = {row for budget in range(64, 260, 16) for said in asked for row in spoken(host, budget, **said)}
    assert len(found) >= 5
    host.door.close()
    again = Host(host.project, Path(host.door.path))
    for path, node, reference in sorted(found):
        answer = again.call("ccos_retrieve", ccr_ref=reference)
        lines = (host.project / path).read_text().split("\n")
        assert answer["text"] == "\n".join(lines[answer["first"] - 1 : answer["last"]])
        assert answer["path"] == path
        shown = again.door.live().desk.timeline.at(again.head()[0])
        there = shown.find(node)
        assert there is not None
        assert shown.source(path).span(there.symbol) == (answer["first"], answer["last"])
    again.door.close()


def test_a_reference_outlives_what_it_was_of(host: Host) -> None:
    host.call("page_fault", output=FAILED)
    path, _, reference = spoken(host, 80)[0]
    before = host.call("ccos_retrieve", ccr_ref=reference)["text"]
    host.write(path, "nothing = 1\n")
    host.call("recall", budget=2_048)
    assert host.call("ccos_retrieve", ccr_ref=reference)["text"] == before


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(1, 15), st.integers(1, 15))
def test_lines_are_those_that_were_asked_for(host: Host, one: int, other: int) -> None:
    content = host.call("ccos_retrieve", ccr_ref=_content(host, "src/store.py"))
    first, last = sorted((one, other))
    if last <= content["lines"]:
        answer = host.call("ccos_retrieve", ccr_ref=f"{content['content'][:12]}:{first}-{last}")
        assert answer["text"].split("\n") == content["text"].split("\n")[first - 1 : last]
    assert content["text"] == STORE


def test_what_was_pieced_together(host: Host) -> None:
    """A file of which only parts were read is no content of the record, and is found all the same."""
    lines = [f"def part{number}(given):\n    given = given + {number}\n    return given" for number in range(20)]
    whole = "\n".join(lines).split("\n")
    live = host.door.live()
    for first, last in ((1, 20), (21, 60)):
        text = "\n".join(whole[first - 1 : last])
        seen = {"kind": "seen", "how": "read", "path": "src/parts.py", "content": text, "slice": [first, last]}
        live.tell([seen])
    for path, _, reference in spoken(host, 100, anchor="src/parts.py"):
        answer = host.call("ccos_retrieve", ccr_ref=reference)
        assert path == answer["path"] == "src/parts.py"
        assert answer["text"] == "\n".join(whole[answer["first"] - 1 : answer["last"]])
    assert spoken(host, 100, anchor="src/parts.py")


@pytest.mark.parametrize("said", ["", "x", "1234567", "deadbeef", "deadbeef:1-2", "deadbeef:0-2", "0" * 65, "\0"])
def test_what_stands_for_nothing(host: Host, said: str) -> None:
    with pytest.raises(Wrong) as wrong:
        host.call("ccos_retrieve", ccr_ref=said)
    assert wrong.value.argument == "ccr_ref"


def test_lines_it_has_not(host: Host) -> None:
    content = _content(host, "src/store.py")[:8]
    with pytest.raises(Wrong) as wrong:
        host.call("ccos_retrieve", ccr_ref=f"{content}:3-4000")
    assert wrong.value.nearest == f"{content}:1-{len(STORE.splitlines()) + 1}"


def test_what_was_forgotten_stays_so(host: Host) -> None:
    content = _content(host, "src/store.py")
    host.door.close()
    forget(host.door.path, blob=content)
    with pytest.raises(Erased):
        host.call("ccos_retrieve", ccr_ref=content[:10])


def _content(host: Host, path: str) -> str:
    live = host.door.live()
    live.keep_up()
    version = live.desk.timeline.sources.at(path, live.step)
    assert version is not None
    return version.content


def test_what_was_squeezed_is_for_the_users_own_agent(
    host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    log = "\n".join(f"2024-01-02 10:00:{at % 60:02} INFO served /item/{at} in {at}ms" for at in range(90))
    found = MARKER.search(squeeze(log.encode()).content.decode())
    assert found is not None
    first, last = int(found[2]), int(found[3])
    answer = host.call("ccos_retrieve", ccr_ref=f"{found[1]}:{first}-{last}")
    assert answer["text"] == "\n".join(log.split("\n")[first - 1 : last])
    assert (answer["first"], answer["last"], answer["lines"]) == (first, last, 90)
    assert host.call("ccos_retrieve", ccr_ref=found[1])["text"] == log
    with pytest.raises(Wrong):
        host.call("ccos_retrieve", ccr_ref=f"{found[1]}:80-900")
    monkeypatch.setattr(host.door, "principal", "guest")
    with pytest.raises(Wrong):
        host.call("ccos_retrieve", ccr_ref=found[1])
