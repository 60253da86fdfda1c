"""A model that proposes rules: asked only if configured, within a budget, once, and of no harm if it fails."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from ccos_core.errors import Unavailable, Usage
from ccos_core.learn.model_request import Page, deltas_in, request_of
from ccos_core.learn.reflecting import DAY_MILLIS, MOST_DELTAS
from ccos_core.serve.cli.main import main
from ccos_core.session.makers import Maker, ask, configured_maker
from ccos_core.session.reflecting import Reflection, reflect_on
from ccos_core.values.tokens import estimate
from tests.core.query.playbook.rule_tales import memo_of
from tests.core.session.test_reflecting import NOW, kinds, ops, rules, told

MOCK = Path(__file__).parents[4] / "shared" / "hosts" / "mock_model_server.py"
WORDS = "Keep every migration reversible."
KEY = "sk-proj-" + "Ab3dEf6hIj9kLm2nOp5q" * 2


class Endpoint(BaseHTTPRequestHandler):
    """Answers each request with the next of its answers, and keeps what it was sent."""

    answers: list[tuple[int, bytes]]
    sent: list[dict[str, Any]]

    def do_POST(self) -> None:
        self.sent.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        status, body = self.answers[min(len(self.sent), len(self.answers)) - 1]
        self.send_response(status)
        self.send_header("Location", "/elsewhere")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture
def endpoint() -> Iterator[type[Endpoint]]:
    fresh: Any = type("Fresh", (Endpoint,), {"answers": [], "sent": [], "port": 0})
    server = HTTPServer(("127.0.0.1", 0), fresh)
    fresh.port = server.server_port
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield fresh
    server.shutdown()
    server.server_close()


@pytest.fixture
def home(tmp_path: Path) -> str:
    """Two sessions about migrations, in words of their own."""
    ws = tmp_path / "home.ccos"
    told(ws, "a", "I prefer that a migration can be reverted.", f"Don't print the key {KEY}.")
    told(ws, "b", "Please always write a down migration as well.")
    return str(ws)


def maker(endpoint: Any, tokens: int = 50_000, calls: int = 3) -> Maker:
    return Maker("model:small", tokens, calls, url=f"http://127.0.0.1:{endpoint.port}/v1")


def steps_of(ws: str) -> dict[str, int]:
    return {op["session"]: step for step, op in reversed(list(enumerate(ops(ws), 1))) if op["kind"] == "prompt"}


def answered(ws: str, words: str = WORDS, **more: Any) -> bytes:
    evidence = [{"session": session, "step": step} for session, step in steps_of(ws).items()]
    rule = {"words": words, "kind": "rule", "category": "architecture", "reason": "both", "evidence": evidence, **more}
    return chat("Here it is:\n" + json.dumps({"rules": [rule]}))


def chat(text: str, total: int = 321) -> bytes:
    return json.dumps({"choices": [{"message": {"content": text}}], "usage": {"total_tokens": total}}).encode()


def run(ws: str, asked: Maker | None, now: int = NOW, **more: Any) -> Reflection:
    return reflect_on(ws, (ws,), now=now, maker=asked, **more)


def test_a_rule_of_a_model_is_recorded_with_its_evidence_and_what_it_cost(home: str, endpoint: Any) -> None:
    endpoint.answers = [(200, answered(home))]
    answer = run(home, maker(endpoint))
    assert [(each.verdict, each.words) for each in answer.judged] == [("ACCEPT_WITH_CAUTION", WORDS)]
    assert set(rules(home)[WORDS]) == {"a", "b"}
    (op,) = [each for each in ops(home) if each["kind"] == "distilled" and each["maker"] == "model:small"]
    assert (op["what"], op["spent"], len(op["of"])) == ("summary", answer.model.spent, 2)
    assert answer.model.spent >= 321
    (remembered,) = [each for each in ops(home) if each.get("memo") == memo_of(WORDS)]
    assert remembered["inferred"]


def test_a_second_run_asks_nothing(home: str, endpoint: Any) -> None:
    endpoint.answers = [(200, answered(home))]
    run(home, maker(endpoint))
    before = kinds(home)
    answer = run(home, maker(endpoint))
    assert (len(endpoint.sent), answer.model.problem) == (1, "there is no new session to ask about")
    assert kinds(home) == before


def test_an_answer_that_the_record_has_is_taken_from_it(home: str, endpoint: Any, monkeypatch: Any) -> None:
    """A run that plans anew, or reads the same sessions again, doesn't ask in the same words twice."""
    monkeypatch.setattr("ccos_core.session.reflecting.find_unprocessed", lambda found, *_: (tuple(found), ()))
    endpoint.answers = [(200, answered(home))]
    first = run(home, maker(endpoint))
    again = run(home, maker(endpoint), now=NOW + 1)
    assert len(endpoint.sent) == 1
    assert (first.model.spent > 0, again.model.spent, again.model.proposed) == (True, 0, 1)


def test_a_dry_run_shows_what_would_be_sent_and_sends_nothing(home: str, endpoint: Any) -> None:
    before = kinds(home)
    dry = run(home, maker(endpoint), dry_run=True)
    assert (endpoint.sent, kinds(home)) == ([], before)
    endpoint.answers = [(200, chat("{}"))]
    run(home, maker(endpoint))
    ((message,),) = [each["messages"] for each in endpoint.sent]
    assert message["content"] == dry.model.text


def test_secrets_are_masked_before_anything_leaves(home: str, endpoint: Any) -> None:
    endpoint.answers = [(200, chat("{}"))]
    run(home, maker(endpoint))
    assert "migration" in json.dumps(endpoint.sent)
    assert KEY not in json.dumps(endpoint.sent)
    text, _ = request_of([Page("a", ((f"the key is {KEY}", (1,)),))], 4_000)
    assert KEY not in text
    assert "the key is" in text


@pytest.mark.parametrize(
    "evidence",
    [[], [{"session": "a", "step": 99}], [{"session": "c", "step": 1}], "a", [7, {"step": []}], None],
)
def test_a_rule_that_no_step_bears_is_rejected_with_the_reason(home: str, endpoint: Any, evidence: Any) -> None:
    endpoint.answers = [(200, answered(home, evidence=evidence))]
    answer = run(home, maker(endpoint))
    assert [(each.verdict, each.reason) for each in answer.judged] == [("REJECT", "no step shows it")]
    assert WORDS not in rules(home)


def test_one_session_or_steps_about_something_else_bear_no_rule(home: str, endpoint: Any) -> None:
    first = [{"session": "a", "step": steps_of(home)["a"]}]
    endpoint.answers = [(200, answered(home, evidence=first))]
    assert [each.reason for each in run(home, maker(endpoint)).judged] == ["one session alone shows it"]
    pages = [Page("a", (("Revert it.", (3,)),)), Page("b", (("Revert that.", (4,)),))]
    said = json.dumps({"rules": [{"words": "Use tabs.", "evidence": [{"session": "a", "step": 3}]}]})
    assert [each.sessions for each in deltas_in(said, pages, memo_of)] == [()]


@pytest.mark.parametrize(
    "reply",
    [(500, b""), (302, b""), (200, b""), (200, b"[]"), (200, b"{}"), (200, b'{"choices": []}'), (200, b"[" * 9_999)],
)
def test_a_failure_of_the_model_leaves_the_run_as_it_is_without(
    home: str, endpoint: Any, tmp_path: Path, reply: tuple[int, bytes]
) -> None:
    other = tmp_path / "other.ccos"
    told(other, "a", "I prefer that a migration can be reverted.", f"Don't print the key {KEY}.")
    told(other, "b", "Please always write a down migration as well.")
    run(str(other), None)
    endpoint.answers = [reply]
    answer = run(home, maker(endpoint))
    assert "gave no answer" in answer.model.problem
    assert len(endpoint.sent) == 1, "it is asked once, and no redirect is followed"
    assert kinds(home) == kinds(str(other))


@pytest.mark.parametrize(
    "text", ["", "no", "{", "[]", '{"rules": 3}', '{"rules": [3, {}, {"words": 4}]}', "{" * 99_999]
)
def test_an_answer_that_isnt_understood_proposes_nothing(text: str) -> None:
    assert deltas_in(text, [Page("a", ())], memo_of) == ()


def test_a_model_that_proposes_without_end_is_cut_off() -> None:
    many = [{"words": f"Rule {each}."} for each in range(10_000)]
    assert len(deltas_in(json.dumps({"rules": many}), [], memo_of)) == MOST_DELTAS


def test_nothing_is_asked_beyond_the_budget_of_a_day(tmp_path: Path, endpoint: Any) -> None:
    ws = str(tmp_path / "home.ccos")
    endpoint.answers = [(200, chat("{}", total=9_000))]
    found = []
    for each in range(8):
        told(Path(ws), f"s{each}", "Please always write a down migration.", at=NOW + each)
        found.append(run(ws, maker(endpoint, tokens=25_000, calls=9), now=NOW + each))
    assert len(endpoint.sent) == 3
    assert [each.model.left for each in found[:4]] == [25_000, 16_000, 7_000, -2_000]
    assert "too few for one diary" in found[-1].model.problem
    told(Path(ws), "later", "Please always write a down migration.", at=NOW + DAY_MILLIS + 9)
    assert run(ws, maker(endpoint, tokens=25_000, calls=3), now=NOW + DAY_MILLIS + 9).model.problem == ""
    told(Path(ws), "last", "Please always write a down migration.", at=NOW + DAY_MILLIS + 9)
    assert "calls" in run(ws, maker(endpoint, tokens=25_000, calls=1), now=NOW + DAY_MILLIS + 9).model.problem


def test_a_request_has_only_pages_that_fit() -> None:
    pages = [Page(f"s{each}", (("Revert it. " * 30, (each,)),)) for each in range(40)]
    text, sent = request_of(pages, 1_000)
    assert 0 < len(sent) < 40
    assert estimate(text) <= 1_000


def test_a_command_gets_the_text_and_has_recording_switched_off() -> None:
    program = "import os, sys; print(os.environ['CCOS_OFF'], sys.stdin.read()[::-1])"
    found = ask(Maker("model:x", 1, 1, command=(sys.executable, "-c", program)), "abc", 100)
    assert (found.text.strip(), found.spent > 0) == ("1 cba", True)


@pytest.mark.parametrize(
    "program",
    ["import time; time.sleep(60)", "while True: print('x' * 999)", "raise SystemExit(3)"],
    ids=["never answers", "never stops", "fails"],
)
def test_a_command_that_fails_or_never_ends_is_ended(program: str) -> None:
    began = time.monotonic()
    with pytest.raises(Unavailable, match="gave no answer"):
        ask(Maker("model:x", 1, 1, command=(sys.executable, "-c", program)), "abc", 10, timeout=0.5)
    assert time.monotonic() - began < 30
    with pytest.raises(Unavailable):
        ask(Maker("model:x", 1, 1, command=("/nonexistent/model",)), "abc", 10)


def test_nothing_is_configured_by_default_and_mistakes_are_named(monkeypatch: Any) -> None:
    for name in ("COMMAND", "URL", "KEY", "TOKENS", "CALLS"):
        monkeypatch.delenv(f"CCOS_MODEL_{name}", raising=False)
    monkeypatch.setenv("CCOS_MODEL", "small")
    assert configured_maker() is None
    monkeypatch.setenv("CCOS_MODEL_URL", "http://127.0.0.1:11434/v1/")
    found = configured_maker()
    assert found is not None
    assert (found.name, found.tokens, found.url) == ("model:small", 0, "http://127.0.0.1:11434/v1")
    monkeypatch.setenv("CCOS_MODEL_KEY", KEY)
    assert KEY not in repr(configured_maker())
    for url in ("http://models.example.com/v1", "ftp://x", "https://me:pass@x/v1", "https://x/v1?key=1", "localhost"):
        monkeypatch.setenv("CCOS_MODEL_URL", url)
        with pytest.raises(Usage):
            configured_maker()


def test_the_command_line_asks_only_with_model_and_a_budget(
    home: str, endpoint: Any, monkeypatch: Any, capsys: Any
) -> None:
    endpoint.answers = [(200, chat("{}"))]
    monkeypatch.delenv("CCOS_MODEL_URL", raising=False)
    line = ["reflect", home, home, "--now", "2026-10-01T00:00:00Z", "--days", "9999"]
    assert main([*line, "--model", "--dry-run"]) != 0
    assert "no model is configured" in capsys.readouterr().err
    monkeypatch.setenv("CCOS_MODEL_URL", f"http://127.0.0.1:{endpoint.port}/v1")
    monkeypatch.setenv("CCOS_MODEL", "small")
    assert main([*line, "--model", "--dry-run"]) == 0
    assert "CCOS_MODEL_TOKENS sets it" in capsys.readouterr().out
    monkeypatch.setenv("CCOS_MODEL_TOKENS", "50000")
    assert main([*line, "--dry-run"]) == 0
    assert "small" not in capsys.readouterr().out
    assert main([*line, "--model", "--dry-run"]) == 0
    assert "| Below are diaries" in capsys.readouterr().out
    assert endpoint.sent == []
    assert main([*line, "--model"]) == 0
    assert "asked about 2 sessions" in capsys.readouterr().out
    assert len(endpoint.sent) == 1


@pytest.mark.skipif(not MOCK.exists(), reason=f"{MOCK} isn't here: the scripted model server isn't tested")
def test_the_scripted_model_server_is_asked_as_any_endpoint(home: str, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (tmp_path / "script.json").write_text("[]")
    server = subprocess.Popen([sys.executable, str(MOCK), str(port), str(tmp_path / "script.json"), str(tmp_path)])
    try:
        for _ in range(200):
            with socket.socket() as look:
                if look.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        answer = run(home, Maker("model:mock-model", 50_000, 3, url=f"http://127.0.0.1:{port}/v1"))
    finally:
        server.kill()
        server.wait()
    assert (answer.model.problem, answer.model.proposed, answer.judged) == ("", 0, ())
    assert answer.model.spent > 0
