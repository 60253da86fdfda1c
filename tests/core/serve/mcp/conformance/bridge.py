"""A stdio server behind streamable HTTP, for the conformance suite, which knocks at nothing else.

`python -m tests.core.serve.mcp.conformance.bridge` prints its address and serves until it is ended. Each session has a
process of its own. It is a bridge for tests and no product: it stores nothing, resumes nothing and has no stream but
those of requests.
"""

import json
import queue
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from tests.core.serve.mcp.talking import environment
from tests.house import tree

SERVER = [sys.executable, "-m", "tests.core.serve.mcp.conformance.offering"]
HERE = ("localhost", "127.0.0.1", "::1")
PATIENCE = 30.0
"""Seconds for an answer."""


class Session:
    """One process, and who waits for what it says."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tree.ROOT, env=environment()
        )
        self._lock = threading.Lock()
        self._waiting: dict[Any, queue.Queue[Any]] = {}
        threading.Thread(target=self._hear, daemon=True).start()

    def say(self, message: Any) -> None:
        assert self.process.stdin is not None
        with self._lock:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()

    def ask(self, message: Any) -> Any:
        """Everything that belongs to a request, its answer last."""
        token = message.get("params", {}).get("_meta", {}).get("progressToken")
        mine: queue.Queue[Any] = queue.Queue()
        self._waiting |= {("id", message["id"]): mine, ("token", token): mine}
        self.say(message)
        while True:
            said = mine.get(timeout=PATIENCE)
            yield said
            if "id" in said:
                return

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(PATIENCE)

    def _hear(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said = json.loads(line)
            key = ("id", said["id"]) if "id" in said else ("token", said.get("params", {}).get("progressToken"))
            if key in self._waiting:
                self._waiting[key].put(said)


class Bridge(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    sessions: dict[str, Session] = {}  # noqa: RUF012  (the handler's, of which there is one for each request)

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        if not self._is_from_here():
            return self._answer(403)
        name = self.headers.get("Mcp-Session-Id", "")
        if message.get("method") == "initialize":
            name = f"session-{len(self.sessions)}"
            self.sessions[name] = Session()
        session = self.sessions.get(name)
        if session is None:
            return self._answer(404)
        if "id" not in message or "method" not in message:
            session.say(message)
            return self._answer(202)
        if "progressToken" in message.get("params", {}).get("_meta", {}):
            return self._stream(session.ask(message))
        return self._answer(200, json.dumps(list(session.ask(message))[-1]).encode(), name)

    def do_GET(self) -> None:
        self._answer(405)

    def do_DELETE(self) -> None:
        session = self.sessions.pop(self.headers.get("Mcp-Session-Id", ""), None)
        if session is not None:
            session.end()
        self._answer(200 if session else 404)

    def log_message(self, *_: Any) -> None:
        """Nobody reads it."""

    def _is_from_here(self) -> bool:
        host = urlsplit("//" + self.headers.get("Host", "")).hostname
        origin = self.headers.get("Origin")
        return host in HERE and (origin is None or urlsplit(origin).hostname in HERE)

    def _answer(self, code: int, body: bytes = b"", session: str = "") -> None:
        self.send_response(code)
        if session:
            self.send_header("Mcp-Session-Id", session)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, messages: Any) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for message in messages:
            self.wfile.write(b"event: message\ndata: " + json.dumps(message).encode() + b"\n\n")
            self.wfile.flush()
        self.close_connection = True


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", 0), Bridge) as server:
        print(f"http://localhost:{server.server_port}/mcp", flush=True)
        server.serve_forever()
