"""How tests talk to a server: all at once in this process, or as a host does, with one of its own."""

import contextlib
import io
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

from ccos_core.serve.mcp import wire as of
from ccos_core.serve.mcp.offer import Offer
from ccos_core.serve.mcp.server import serve
from tests.core.serve.mcp.offering import make
from tests.house import tree

SERVER = [sys.executable, "-m", "tests.core.serve.mcp.offering"]
LONG = 30.0
"""Seconds after which a test gives up; nothing here takes that long."""
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": of.STATELESS,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "a test", "version": "0"},
}


def environment() -> dict[str, str]:
    """The checkout's packages, wherever the environment's own copies are."""
    return {**os.environ, "PYTHONPATH": str(tree.ROOT)}


def request(method: str, params: dict[str, Any] | None = None, key: int | str = 1) -> dict[str, Any]:
    said = {"jsonrpc": "2.0", "id": key, "method": method}
    return said if params is None else {**said, "params": params}


def note(method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    said: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    return said if params is None else {**said, "params": params}


def hello(revision: str) -> dict[str, Any]:
    return request("initialize", {"protocolVersion": revision, "capabilities": {}, "clientInfo": {}}, "hello")


def enveloped(method: str, params: dict[str, Any] | None = None, key: int | str = 1) -> dict[str, Any]:
    return request(method, {**(params or {}), "_meta": {**ENVELOPE, **(params or {}).get("_meta", {})}}, key)


def said_to(said: bytes, offer_maker: Callable[[], Offer] = make) -> bytes:
    """The bytes a server says to these and their end, with no process of its own."""
    out = io.BytesIO()
    assert serve(offer_maker, io.BytesIO(said), out) == 0
    return out.getvalue()


def answers_to(said: bytes, offer_maker: Callable[[], Offer] = make) -> list[Any]:
    """The same as messages."""
    *lines, rest = said_to(said, offer_maker).decode().split("\n")
    assert rest == ""
    return [json.loads(line) for line in lines]


def lines_of(*messages: Any) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in messages)


def answers(*messages: Any, revision: str = "", offer_maker: Callable[[], Offer] = make) -> list[Any]:
    """What it says to these messages, after a handshake where a revision is named."""
    shaken = [hello(revision), note("notifications/initialized")] if revision else []
    said = answers_to(lines_of(*shaken, *messages), offer_maker)
    return said[1:] if revision else said


def answer(method: str, params: dict[str, Any] | None = None, revision: str = of.AGREED) -> Any:
    """The answer to one request, whole; in the envelope of the stateless revision where that is meant."""
    if revision == of.STATELESS:
        (said,) = answers(enveloped(method, params))
    else:
        (said,) = answers(request(method, params), revision=revision)
    return said


def result(method: str, params: dict[str, Any] | None = None, revision: str = of.AGREED) -> Any:
    return answer(method, params, revision)["result"]


def error(method: str, params: dict[str, Any] | None = None, revision: str = of.AGREED) -> Any:
    return answer(method, params, revision)["error"]


class Host:
    """A process of the server, and the other end of its pipes."""

    def __init__(self, command: list[str] = SERVER) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=tree.ROOT,
            env=environment(),
        )
        self._said: queue.Queue[bytes] = queue.Queue()
        self.trouble = bytearray()
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._hear, self._hear_trouble)]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> "Host":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(LONG)
        for thread in self._threads:
            thread.join(LONG)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with contextlib.suppress(BrokenPipeError):
                stream.close()

    def say(self, *messages: Any) -> None:
        self.say_bytes(lines_of(*messages))

    def say_bytes(self, said: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(said)
        self.process.stdin.flush()

    def hear(self, patience: float = LONG) -> Any:
        """The next message."""
        line = self._said.get(timeout=patience)
        assert line, f"the server is gone: {self.trouble.decode()}"
        return json.loads(line)

    def hear_until(self, key: int | str) -> list[Any]:
        """All messages up to the answer to this request."""
        heard = [self.hear()]
        while heard[-1].get("id") != key:
            heard.append(self.hear())
        return heard

    def ask(self, method: str, params: dict[str, Any] | None = None, key: int | str = 1) -> Any:
        self.say(request(method, params, key))
        return self.hear_until(key)[-1]

    def shake(self, revision: str = of.AGREED) -> None:
        self.say(hello(revision), note("notifications/initialized"))
        self.hear_until("hello")

    def end(self) -> int:
        """Say no more, and wait for it to go; gives its exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(LONG)

    def rest(self) -> list[Any]:
        """What it still had to say; asked when it has gone."""
        lines = iter(lambda: self._said.get(timeout=LONG), b"")
        return [json.loads(line) for line in lines]

    def _hear(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._said.put(line)
        self._said.put(b"")

    def _hear_trouble(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.trouble += line
