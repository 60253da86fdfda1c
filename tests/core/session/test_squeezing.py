"""What `squeeze` leaves out, `retrieve` gives back: from another process, for any bytes, or nothing is left out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.errors import Damaged, NotFound, Usage
from ccos_core.serve.cli import squeezing
from ccos_core.session.squeezing import fetched, squeeze
from ccos_core.storage import originals
from ccos_core.storage.opening import open_record
from ccos_core.text.compress.router import KINDS
from ccos_core.text.compress.shortened import MARKER
from tests import story

LOG = "\n".join(f"2024-01-02 10:00:{at % 60:02} INFO served /item/{at} in {at}ms" for at in range(90)).encode()
SECRET = b"gh" + b"p_0123456789abcdefghijABCDEFGHIJ012345"
LINES = st.lists(st.one_of(st.sampled_from(LOG.split(b"\n")), st.binary(max_size=20)), min_size=20, max_size=60)


@pytest.fixture(autouse=True, scope="module")
def _state(tmp_path_factory: pytest.TempPathFactory) -> None:
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))


@given(st.one_of(LINES.map(b"\n".join), st.binary(max_size=2_000)), st.sampled_from([None, *KINDS]))
def test_what_was_squeezed_can_be_fetched_byte_for_byte(content: bytes, kind: str | None) -> None:
    short = squeeze(content, kind)
    if short.reference:
        assert fetched(short.reference) == content
        lines = content.split(b"\n")
        for found in MARKER.finditer(short.content.decode("utf-8", "replace")):
            span = fetched(f"{found[1]}:{found[2]}-{found[3]}")
            assert span == b"\n".join(lines[int(found[2]) - 1 : int(found[3])])
    else:
        assert short.content == content


def run(*words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "ccos_tui", *words], input=given, capture_output=True, timeout=60)


def test_another_process_fetches_it() -> None:
    shown = run("squeeze", given=LOG)
    found = MARKER.search(shown.stdout.decode())
    assert found is not None
    assert len(shown.stdout) * 2 < len(LOG)
    assert run("retrieve", found[1]).stdout == LOG
    assert run("retrieve", f"{found[1]}:{found[2]}-{found[2]}").stdout == LOG.split(b"\n")[int(found[2]) - 1]


def test_the_command_line_tells_what_is_no_reference() -> None:
    assert [run("retrieve", each).returncode for each in ("nope", "0123456789ab")] == [2, 1]


def test_nothing_is_left_out_that_cannot_be_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    shown = run("squeeze", given=LOG)
    assert (shown.stdout, shown.returncode) == (LOG, 0)
    assert b"nothing was shortened" in shown.stderr


def test_a_secret_is_neither_kept_nor_shown() -> None:
    content = LOG + b"\ntoken: " + SECRET + b"\n" + LOG
    short = squeeze(content)
    whole = fetched(short.reference)
    assert whole is not None
    assert SECRET not in whole
    assert SECRET not in short.content


def test_files_are_for_their_user_only_and_the_oldest_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(originals, "MOST_BYTES", 9_000)
    kept = [originals.keep(os.urandom(3_000)) for _ in range(5)]
    for age, name in enumerate(kept):
        path = Path(originals.folder(), name)
        if path.exists():
            os.utime(path, ns=(age, age))
    last = originals.keep(os.urandom(3_000))
    left = originals.find("")
    assert last in left
    assert kept[0] not in left
    assert sum(Path(originals.folder(), each).stat().st_size for each in left) <= 9_000
    assert Path(originals.folder(), last).stat().st_mode & 0o777 == 0o600


def test_a_changed_or_ambiguous_original_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    name = originals.keep(LOG)
    with pytest.raises(NotFound):
        fetched(f"{name[:12]}:80-900")
    Path(originals.folder(), name[:12] + "0" * 52).write_bytes(b"")
    with pytest.raises(Usage):
        fetched(name[:12])
    Path(originals.folder(), name).write_bytes(b"junk")
    with pytest.raises(Damaged):
        fetched(name)


def test_json_has_what_is_too_long_to_be_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(squeezing, "LARGEST_OUTPUT", len(LOG))
    done = CliRunner().invoke(squeezing.squeeze_command, ["--json"], input=LOG + b"\nthe rest")
    assert json.loads(done.output)["content"].endswith("\nthe rest")


def test_a_recorded_text_is_retrieved_as_it_was_recorded(tmp_path: Path) -> None:
    """The gate makes bytes visible that are no UTF-8, so a record holds none of them."""
    with story.new_session(tmp_path) as session:
        path = session.recorded.path
        session.record([{"kind": "tool", "name": "Bash", "outcome": "ok", "result": b"one\r\n\xff\xfe two\nthree"}])
    with open_record(path) as record:
        ((name,),) = record.ask("SELECT hash FROM blob")
        recorded = record.content(bytes(name))
    assert run("retrieve", bytes(name).hex()[:12], path).stdout == recorded
    assert run("retrieve", f"{bytes(name).hex()[:12]}:2-2", path).stdout == b"[BYTE 0xFF][BYTE 0xFE] two"
