"""Trusting Codex's hooks, as its `/hooks` does it: through its app server."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def listed_hooks(command: list[str], project: Path, environment: dict[str, str]) -> dict[str, Any]:
    """What Codex says of the hooks there are: `hooks`, `warnings`, `errors`."""
    with _app_server(command, project, environment) as server:
        return dict(_asked(server, 2, "hooks/list", {"cwds": [str(project)]})["data"][0])


def trust_hooks(command: list[str], project: Path, environment: dict[str, str]) -> list[dict[str, Any]]:
    """Trust all hooks there are; gives them as they were listed before."""
    with _app_server(command, project, environment) as server:
        listed = _asked(server, 2, "hooks/list", {"cwds": [str(project)]})["data"][0]["hooks"]
        state = {each["key"]: {"trusted_hash": each["currentHash"]} for each in listed}
        edits = [{"keyPath": "hooks.state", "value": state, "mergeStrategy": "upsert"}]
        _asked(server, 3, "config/batchWrite", {"edits": edits})
        return list(listed)


@contextmanager
def _app_server(command: list[str], project: Path, environment: dict[str, str]) -> "Iterator[subprocess.Popen[str]]":
    with subprocess.Popen(
        [*command, "app-server"], cwd=project, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    ) as server:  # fmt: skip
        try:
            _asked(server, 1, "initialize", {"clientInfo": {"name": "tests", "version": "1"}})
            _tell(server, {"method": "initialized"})
            yield server
        finally:
            server.kill()


def _tell(server: "subprocess.Popen[str]", message: dict[str, Any]) -> None:
    assert server.stdin is not None
    server.stdin.write(json.dumps(message) + "\n")
    server.stdin.flush()


def _asked(server: "subprocess.Popen[str]", number: int, method: str, params: dict[str, Any]) -> Any:
    assert server.stdout is not None
    _tell(server, {"id": number, "method": method, "params": params})
    for line in server.stdout:
        said = json.loads(line)
        if said.get("id") == number:
            return said["result"]
    raise AssertionError(f"the app server ended before it answered {method}")
