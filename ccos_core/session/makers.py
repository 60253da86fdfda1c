"""The model that the user configured: a command or an OpenAI-compatible endpoint, asked within a budget for each day.

    maker = configured_maker()          # None if none is configured
    answer = ask(maker, text, most_tokens=1_000)

Nothing else in this program names a model. A call follows no redirect and no proxy, ends after a time and at a size,
and raises `Unavailable` on any failure. A command runs with recording switched off.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ccos_core.errors import Unavailable, Usage
from ccos_core.values.tokens import estimate

if TYPE_CHECKING:
    from collections.abc import Callable

COMMAND, URL, MODEL, KEY, TOKENS, CALLS = (
    "CCOS_MODEL_COMMAND", "CCOS_MODEL_URL", "CCOS_MODEL", "CCOS_MODEL_KEY", "CCOS_MODEL_TOKENS", "CCOS_MODEL_CALLS"
)  # fmt: skip
"""The variables that configure a model."""
CALLS_A_DAY = 10
TIMEOUT_SECONDS = 120
BYTES_PER_TOKEN = 8
"""Bytes of an answer that are read for each token that it may have."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class Maker:
    """A model, and how much it may be asked."""

    name: str
    """Under this its answers are recorded: `model:NAME`."""

    tokens: int
    """For each day and record, sent and answered; 0 asks nothing."""

    calls: int
    """For each day and record."""

    command: tuple[str, ...] = ()
    url: str = ""
    """The base, such as `http://127.0.0.1:11434/v1`; empty for a command."""

    key: str = field(default="", repr=False)

    @property
    def destination(self) -> str:
        """Where a text is sent."""
        return self.url or shlex.join(self.command)


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What a model answered."""

    text: str
    spent: int
    """Tokens sent and answered: as the endpoint counted, but at least as estimated."""

    millis: int


def configured_maker() -> Maker | None:
    """Return the model that the environment configures; None if it names none."""
    command, url = os.environ.get(COMMAND, "").strip(), os.environ.get(URL, "").strip().rstrip("/")
    if not (command or url):
        return None
    if command and url:
        raise Usage(f"names a model, and {URL} another one", place=COMMAND, hint="Unset one of them.")
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise Usage("isn't a command", place=COMMAND, hint=str(error)) from None
    model = os.environ.get(MODEL, "").strip()
    if url:
        _check_url(url)
        if not model:
            raise Usage("names no model", place=MODEL, hint="Name one that the endpoint has.")
    return Maker(
        name=f"model:{model or os.path.basename(words[0])}"[:100],
        tokens=_number(TOKENS, 0),
        calls=_number(CALLS, CALLS_A_DAY),
        command=words,
        url=url,
        key=os.environ.get(KEY, "").strip(),
    )


def ask(maker: Maker, text: str, most_tokens: int, timeout: float = TIMEOUT_SECONDS) -> ModelAnswer:
    """Send a text and return the answer, of at most about `most_tokens`. Raises `Unavailable` on any failure."""
    began = monotonic()
    most_bytes = most_tokens * BYTES_PER_TOKEN
    try:
        if maker.url:
            answer, counted = _asked_by_url(maker, text, most_tokens, most_bytes, timeout)
        else:
            answer, counted = _asked_by_command(maker, text, most_bytes, timeout), 0
    except (OSError, HTTPException, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise Unavailable(
            f"the model gave no answer: {error or type(error).__name__}", place=maker.destination
        ) from error
    spent = max(counted, estimate(text) + estimate(answer))
    return ModelAnswer(answer, spent, int(1_000 * (monotonic() - began)))


# ---- helpers ----


def _check_url(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or "@" in parts.netloc:
        raise Usage(
            "isn't the base of an endpoint", place=URL, hint=f"Such as http://127.0.0.1:11434/v1; {KEY} has a key."
        )
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise Usage(
            "would send diaries without encryption", place=URL, hint="Use https, or an endpoint of this machine."
        )


def _number(variable: str, otherwise: int) -> int:
    said = os.environ.get(variable, "").strip()
    if said and not (said.isascii() and said.isdigit()):
        raise Usage(f"should be a whole number, not {said!r}", place=variable)
    return int(said) if said else otherwise


def _asked_by_url(maker: Maker, text: str, most_tokens: int, most_bytes: int, timeout: float) -> tuple[str, int]:
    parts = urlsplit(maker.url)
    connect = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = connect(parts.hostname or "", parts.port, timeout=timeout)
    body = {
        "model": maker.name.removeprefix("model:"),
        "messages": [{"role": "user", "content": text}],
        "max_tokens": most_tokens,
        "temperature": 0,
    }
    headers = {"Content-Type": "application/json"}
    if maker.key:
        headers["Authorization"] = f"Bearer {maker.key}"

    def stop() -> None:
        if connection.sock is not None:
            connection.sock.shutdown(socket.SHUT_RDWR)

    with _ending(timeout, stop):
        try:
            connection.request("POST", f"{parts.path}/chat/completions", json.dumps(body).encode(), headers)
            response = connection.getresponse()
            if response.status != 200:
                raise ValueError(f"status {response.status}")
            said = _within(response.read(most_bytes + 1), most_bytes)
        finally:
            connection.close()
    found = json.loads(said)
    usage = found.get("usage")
    counted = usage.get("total_tokens") if isinstance(usage, dict) else 0
    return str(found["choices"][0]["message"]["content"]), counted if isinstance(counted, int) else 0


def _asked_by_command(maker: Maker, text: str, most_bytes: int, timeout: float) -> str:
    with tempfile.TemporaryFile() as given:
        given.write(text.encode("utf-8", "replace"))
        given.seek(0)
        process = subprocess.Popen(  # noqa: S603 -- the user's own command
            maker.command,
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "CCOS_OFF": "1"},
            start_new_session=True,
        )

        def stop() -> None:
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()

        with _ending(timeout, stop), process:
            assert process.stdout is not None
            said = process.stdout.read(most_bytes + 1)
            if len(said) > most_bytes:
                stop()
        text = _within(said, most_bytes).decode("utf-8", "replace")
        if process.returncode:
            raise ValueError(f"exit status {process.returncode}")
        return text


def _within(said: bytes, most_bytes: int) -> bytes:
    if len(said) > most_bytes:
        raise ValueError(f"the answer was cut off after {most_bytes:,} bytes")
    return said


@contextmanager
def _ending(timeout: float, stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` after a time, if the block hasn't ended."""

    def ended() -> None:
        try:
            stop()
        except OSError:
            return

    timer = Timer(timeout, ended)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
