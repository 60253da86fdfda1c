"""What the gate costs a hook on every tool call: clean text of the usual size, and of the largest a host sends.

The text is Python as people write it, nothing in it to surface or mask, which is what nearly all calls carry. For scale
each line has what packing and naming the same bytes costs (zlib-1 and blake3), which is no limit of its own.
"""

import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from blake3 import blake3

from ccos_core.session.admit import admit
from ccos_core.text.sanitize import clean
from ccos_core.values.paths import Place
from tests.bench.harness import Result, paired

HERE = Place(("/home/ann/proj",), "/home/ann")
SIZES = {"4 kB": (4_000, 0.5, 400), "200 kB": (200_000, 15.0, 40)}
"""Name → (characters, limit in ms, calls a measurement)."""


def lines(smoke: bool) -> Iterator[Result]:
    text = source()
    for name, (size, limit, calls) in SIZES.items():
        said = text[:size]
        assert clean(said)[0] is said
        measured = paired(gate(said, 1 if smoke else calls), packing(said, 1 if smoke else calls), 1 if smoke else 15)
        for_one = 1_000 / (1 if smoke else calls)
        value, baseline = measured.value * for_one, measured.baseline * for_one
        yield Result(f"admit {name} of clean text", value, "ms", limit)
        yield Result(f"admit {name} / zlib-1 + blake3", value, "ms", 100, baseline, measured.ratio)


def gate(said: str, calls: int) -> Callable[[], None]:
    observation = {
        "kind": "tool", "name": "Read", "outcome": "ok", "host": "bench", "session": "s-1", "call": "toolu_01",
        "cwd": "/home/ann/proj", "arguments": {"file_path": "/home/ann/proj/src/module.py"}, "result": said, "at": 1,
    }  # fmt: skip

    def run() -> None:
        for _ in range(calls):
            admit(observation, HERE)

    return run


def packing(said: str, calls: int) -> Callable[[], None]:
    def run() -> None:
        for _ in range(calls):
            content = said.encode()
            zlib.compress(content, 1)
            blake3(content).digest()

    return run


def source() -> str:
    """Our own code, as often as it takes; what the gate would change in it left out."""
    root = Path(__file__).resolve().parents[2] / "ccos_core"
    texts = [path.read_text(encoding="utf-8") for path in sorted(root.rglob("*.py"))]
    text = "".join(text for text in texts if clean(text)[0] == text)
    return text * (1 + 200_000 // len(text))
