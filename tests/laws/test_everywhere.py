"""The same ops give the same head: under any hash seed, time zone and locale, in every Python that is at hand."""

import json
import os
import shutil
import subprocess
import sys
from functools import cache, partial
from pathlib import Path

import pytest

from tests import shared
from tests.depth import at_depth

ROOT = Path(__file__).parents[2]
OLDEST = (3, 11)

PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from ccos_core.log.chain import GENESIS
from ccos_core.ops import plain
from ccos_core.storage.jsonl import exported
from ccos_core.storage.opening import make_record, open_record
from ccos_core.storage.proof import prove
from ccos_core.values.canon import canonical, digest
vectors = json.load(open(sys.argv[2], encoding="utf-8"))["kinds"]
contents = {"12": b"arguments", "ab": "é 漢字 😀 \\u2028\\n".encode()}
hashes = {start * 32: digest(content) for start, content in contents.items()}
def referring(value):
    if isinstance(value, dict) and value.get("blob") in hashes:
        blob = hashes[value["blob"]]
        return {"blob": blob.hex(), "bytes": 9}
    return value
def fill(record):
    with record.write() as writing:
        for start, blob in hashes.items():
            writing.keep(blob, contents[start[:2]])
        for number, kind in enumerate(sorted(vectors)):
            known = plain.unseal(canonical(vectors[kind]["op"]))
            op = {name: referring(value) for name, value in known.items()}
            op["call"] = f"c{number}"
            body = plain.seal(op)
            writing.append(body, plain.delivery_key(op))
        writing.keep_fact(hashes["ab" * 32], "symbols", 1, canonical({"z": 1, "a": ["é"]}))
make_record(sys.argv[3], fill)
with open_record(sys.argv[3]) as record:
    proof = prove(record)
    assert not [each for each in proof.troubles if each.what != "content"], proof.troubles
    print(proof.head, digest(b"".join(exported(record))).hex())
"""

ENVIRONMENTS = [
    {"PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": locale}
    for seed, zone, locale in (
        ("0", "UTC", "C"),
        ("1", "Asia/Kathmandu", "C.UTF-8"),
        ("random", "America/St_Johns", "tr_TR.UTF-8"),
        ("4294967295", "", "POSIX"),
    )
]


def head(python: str, environment: dict[str, str], folder: Path) -> str:
    """What the program prints there."""
    folder.mkdir()
    golden = ROOT / "tests" / "golden" / "ops.json"
    done = subprocess.run(
        [python, "-X", "utf8", "-W", "error", "-c", PROGRAM, str(ROOT), str(golden), str(folder / "w.ccos")],
        env={**clean_environment(), **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    return done.stdout


def clean_environment() -> dict[str, str]:
    """Ours, without what would tell a Python how to behave."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**inherited, "PYTHONDONTWRITEBYTECODE": "1"}


def test_in_any_environment(tmp_path: Path) -> None:
    heads = {head(sys.executable, each, tmp_path / f"{at}") for at, each in enumerate(ENVIRONMENTS)}
    assert len(heads) == 1, heads


@pytest.mark.slow
def test_in_every_python(tmp_path: Path) -> None:
    expected = head(sys.executable, ENVIRONMENTS[0], tmp_path / "here")
    tried = []
    for version, python in others():
        own = with_packages(python)
        if own is not None:
            tried.append(version)
            assert head(own, ENVIRONMENTS[1], tmp_path / f"{version[0]}.{version[1]}") == expected, version
    missing = sorted({version for version, _ in others()} - set(tried))
    if missing:
        pytest.skip(f"same in {tried}; {missing} could not be given blake3, so nothing is known of them")
    if not tried:
        pytest.skip(f"only {sys.version_info[:2]} is at hand, so nothing is known of other Pythons")


def others() -> list[tuple[tuple[int, int], str]]:
    """The other Pythons that are tried: the newest, in a deep run all."""
    found = sorted(pythons().items())
    return found[at_depth(-1, 0) :]


@cache
def pythons() -> dict[tuple[int, int], str]:
    """Every other Python that is new enough, by version: on PATH, and where version managers keep them."""
    homes = [Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"]
    homes += [Path.home() / ".local" / "share" / "uv" / "python"]
    named = [shutil.which(f"python3.{minor}") for minor in range(OLDEST[1], OLDEST[1] + 12)]
    kept = [str(python) for home in homes for python in sorted(home.glob("*/bin/python3"))]
    found: dict[tuple[int, int], str] = {}
    for python in [each for each in named if each] + kept:
        version = version_of(python)
        if version is not None and version >= OLDEST and version != sys.version_info[:2]:
            found.setdefault(version, python)
    return found


def version_of(python: str) -> tuple[int, int] | None:
    code = "import sys, sqlite3, zlib, json; print(json.dumps(sys.version_info[:2]))"
    try:
        done = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if done.returncode:
        return None
    major, minor = json.loads(done.stdout)
    return major, minor


PACKAGES = ("blake3>=1.0.7,<2", "numpy>=2")


def with_packages(python: str) -> str | None:
    """That Python, in an environment that has what the engine imports; None where it can't be had.

    It is made once for all tests of a run."""
    return shared.made_once(f"python-{python.replace(os.sep, '-')}", partial(_with_packages, python))


def _with_packages(python: str) -> str | None:
    names = ", ".join(package.partition(">")[0] for package in PACKAGES)
    if subprocess.run([python, "-c", f"import {names}"], capture_output=True).returncode == 0:
        return python
    folder = shared.folder() / f"env-{len(list(shared.folder().iterdir()))}"
    own = folder / "bin" / "python"
    for command in (
        [python, "-m", "venv", str(folder)],
        [str(own), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES],
    ):
        try:
            if subprocess.run(command, capture_output=True, timeout=180).returncode:
                return None
        except (OSError, subprocess.TimeoutExpired):
            return None
    return str(own)
