"""The words and the JSON of commands on the sample `tiny`, kept as files. A change is a decision, not a fix.

To take today's for good: `CCOS_GOLDEN=write python -m pytest tests/golden`, and read the difference before it goes in.
"""

from __future__ import annotations

import glob
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ccos_core.serve.cli.main import main
from ccos_core.storage.opening import open_record
from ccos_core.values.canon import digest
from tests.core.serve.calling import ROOT, demo

FILES = Path(__file__).parent / "commands"
COMMANDS = {
    "demo.txt": ["demo", "evicted"],
    "log.txt": ["log", "WS"],
    "log.jsonl": ["log", "WS", "--json"],
    "stats.txt": ["stats", "WS"],
    "stats.json": ["stats", "WS", "--json"],
    "verify.txt": ["verify", "WS"],
    "verify.json": ["verify", "WS", "--json"],
    "export.jsonl": ["export", "WS", "-o", "-"],
    "export.html": ["export", "WS", "-o", "-", "--format", "html"],
    "export.md": ["export", "WS", "-o", "-", "--format", "md"],
    "export.csv": ["export", "WS", "-o", "-", "--format", "csv"],
    "forget.json": ["forget", "WS", "--path", "src/db.py", "--json"],
    "ingest.json": ["ingest", "WS", "DIR", "--json"],
    "import.txt": ["import", "SAMPLE", "-o", "NEW"],
    "import.json": ["import", "SAMPLE", "-o", "NEW", "--json"],
    "sessions.txt": ["sessions", "SAMPLE"],
    "sessions.json": ["sessions", "SAMPLE", "--json"],
    "error.json": ["stats", "DIR/nonesuch.ccos", "--json"],
    "usage.txt": ["lgo", "WS"],
}
HEAD = FILES / "head.txt"
"""The head of `tiny`, on every machine. Its first op is the epoch, which pins the interpreters, weights and caps
of this version; so it moves when one of these does, and `CCOS_GOLDEN=write` takes the new one. If it moves without
that, records of before are read differently now."""
BEHIND = "e461a9e528a2906bda869d2ca2d7adb96ec9679c3f9da07a1bb523c82a692678"
"""Digest of its ops behind the epoch, which has been the same since the first version."""


@pytest.mark.parametrize("name", COMMANDS)
def test_the_words_stay(
    tmp_path: Path, name: str, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "proj"
    path = demo(folder)
    (folder / "a.py").write_text("x = 1\n")
    (folder / ".env").write_text("A=1\n")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("ccos_core.session.session.wall_clock", lambda: 1_771_061_999_000)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    named = {"WS": str(path), "DIR": str(folder), "DIR/nonesuch.ccos": str(folder / "nonesuch.ccos")}
    named |= {"NEW": str(folder / "new.ccos"), "SAMPLE": str(folder / "claude_code.jsonl")}
    if "SAMPLE" in COMMANDS[name]:
        shutil.copy(ROOT / "sample_workspaces" / "transcripts" / "claude_code.jsonl", folder)
    main([named.get(word, word) for word in COMMANDS[name]])
    out, err = capsysbinary.readouterr()
    said = neutral(out + (b"" if name.endswith(".jsonl") else b"--- stderr\n" + err if err else b""), tmp_path)
    kept = FILES / name
    if os.environ.get("CCOS_GOLDEN") == "write":
        kept.write_bytes(said)
    assert said == kept.read_bytes()


SIZES = re.compile(r"(\d+ B|[\d.]+ [kM]B)(?! as text)")
"""What the storage of a record takes: its engine decides."""


def neutral(said: bytes, folder: Path) -> bytes:
    """Without what is another on each machine: where things lie, and how SQLite and zlib pack."""
    text = said.decode()
    text = re.sub(r"[^ \"\n]*ccos-demo-[^/]+/", "DIR/", text).replace(str(folder / "proj"), "DIR")
    text = re.sub(r"^  \S.* -m ccos_tui(?= )|^  \S*ccos-tui(?= \w+ DIR)", "  ccos-tui", text, flags=re.MULTILINE)
    text = re.sub(r'("space":\{)[^}]*', r"\1...", text)
    text = re.sub(
        r"^(contents|facts|ops|on disk)\b.*$", lambda line: SIZES.sub("SIZE", line[0]), text, flags=re.MULTILINE
    )
    return text.encode()


BUILD = """
import sys, tempfile
sys.path.insert(0, sys.argv[1])
from sample_workspaces.tiny import build
with tempfile.TemporaryDirectory() as folder:
    print(build(folder + "/demo.ccos"))
"""


def head_of_demo(python: str, **environment: str) -> str:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment}
    done = subprocess.run([python, "-c", BUILD, str(ROOT)], env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "0"},
        {"PYTHONHASHSEED": "12345"},
        {"TZ": "Pacific/Kiritimati"},
        {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
        {"LC_ALL": "C", "PYTHONUTF8": "0"},
        {"PYTHONOPTIMIZE": "2"},
        {"HOME": "/nonexistent"},
    ],
    ids=lambda said: "-".join(said),
)
def test_the_head_is_the_same_everywhere(environment: dict[str, str]) -> None:
    head = head_of_demo(sys.executable, **environment)
    if os.environ.get("CCOS_GOLDEN") == "write":
        HEAD.write_text(head + "\n", encoding="utf-8")
    assert head == HEAD.read_text(encoding="utf-8").strip()


def test_without_its_epoch_the_demonstration_has_stayed(tmp_path: Path) -> None:
    """Whatever this version pins: the ops after it have the bytes they always had."""
    with open_record(demo(tmp_path)) as record:
        bodies = [body for step, _, body in record.rows() if step > 1]
    assert digest(b"\n".join(bodies)).hex() == BEHIND


def pythons() -> list[str]:
    """Every other interpreter at hand that is new enough and has blake3."""
    asked = "import sys, blake3, click; assert sys.version_info >= (3, 11); print(sys.version_info[:2], sys.prefix)"
    folders = [*os.environ.get("PATH", "").split(os.pathsep), *glob.glob(str(Path.home() / ".pyenv/versions/*/bin"))]
    found: dict[str, str] = {}
    for path in sorted({path for folder in folders for path in glob.glob(folder + "/python3.*[0-9]")}):
        done = subprocess.run([path, "-I", "-c", asked], capture_output=True, text=True)
        if done.returncode == 0:
            found.setdefault(done.stdout, path)
    return sorted(found.values())


def test_the_head_is_the_same_in_every_python_at_hand() -> None:
    others = pythons()
    if not others:
        pytest.skip("no other Python with blake3 and click is at hand")
    env = {"PYTHONPATH": ""}
    head = HEAD.read_text(encoding="utf-8").strip()
    assert {python: head_of_demo(python, **env) for python in others} == dict.fromkeys(others, head)
