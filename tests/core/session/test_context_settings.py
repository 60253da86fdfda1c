"""The specification's settings file is read as it is; what is wrong is named, and secrets are refused."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from ccos_core.errors import CcosError, NotUnderstood, Refused, Usage
from ccos_core.session.context_settings import KEYS, read_settings, settings_of

SEED: dict[str, Any] = {
    "server": {"host": "localhost", "port": 8767, "transport": "stdio"},
    "workspace": {"root": "~/.openclaw/workspace"},
    "resources": {
        "soul": "SOUL.md",
        "user": "USER.md",
        "memory": "MEMORY.md",
        "impressions": "IMPRESSIONS.md",
        "daily_pattern": "memory/{date}.md",
    },
    "pressure": {"context_max": 200000, "thresholds": {"low": 0.5, "medium": 0.7, "high": 0.85, "critical": 0.95}},
    "compression": {
        "default_level": "dense",
        "thor_endpoint": "http://192.168.1.181:11434",
        "summarization_model": "gemma2:9b",
    },
    "persistence": {
        "mindmap_path": "cos/mindmap.md",
        "access_log": "cos/access.jsonl",
        "access_log_retention_days": 30,
    },
    "optional": {"qdrant_url": "http://192.168.1.200:6333", "qdrant_collection": "cos_context"},
}
YAML = """\
# cos/config.yaml
server:
  host: localhost
  transport: stdio  # or http
resources:
  memory: docs/notes.md
  daily_pattern: log/{date}.md
pressure:
  context_max: 100000
  thresholds:
    low: 0.5
    medium: 0.7
    high: 0.85
    critical: 0.95
compression:
  default_level: ultra-dense
"""
TOML = """\
[pressure]
context_max = 100000
[resources]
memory = "docs/notes.md"
"""


def test_the_whole_file_of_the_specification() -> None:
    found = settings_of(SEED)
    assert {key.rpartition(".")[0] for key in found.values} == {key.rpartition(".")[0] for key in KEYS} - {"brokers"}
    assert found.detail == 2
    assert (found.mindmap_path, found.access_log, found.retention_days) == ("cos/mindmap.md", "cos/access.jsonl", 30)
    assert found.policy()["pressure"] == {"context_max": 200000, "thresholds": [500, 700, 850, 950]}
    assert found.policy()["resources"]["daily"] == "memory/{date}.md"
    assert found.roles().paths("daily", "2026-02-08") == ("memory/2026-02-08.md",)


def test_yaml_as_it_is(tmp_path: Path) -> None:
    pytest.importorskip("yaml", reason="PyYAML isn't installed")
    path = tmp_path / "config.yaml"
    path.write_text(YAML)
    found = read_settings(str(path))
    assert found.detail == 3
    assert found.roles().memory == ("docs/notes.md",)
    path.write_text("a: [")
    with pytest.raises(NotUnderstood):
        read_settings(str(path))
    path.write_text("- a\n")
    with pytest.raises(Usage):
        read_settings(str(path))


def test_yaml_makes_no_objects(tmp_path: Path) -> None:
    pytest.importorskip("yaml", reason="PyYAML isn't installed")
    path = tmp_path / "config.yaml"
    path.write_text("server: !!python/object/apply:os.system ['echo x']\n")
    with pytest.raises(CcosError):
        read_settings(str(path))


def test_the_same_as_toml(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(TOML)
    assert read_settings(str(path)).policy() == {
        "pressure": {"context_max": 100000},
        "resources": {"memory": "docs/notes.md"},
    }


@pytest.mark.parametrize(
    ("key", "value", "error", "said"),
    [
        ("pressure.treshold", 1, Usage, "pressure.thresholds"),
        ("colour", "red", Usage, "no such setting"),
        ("server.host", "0.0.0.0", Refused, "this machine"),
        ("server.transport", "http", Usage, "stdio"),
        ("server.port", True, Usage, "whole number"),
        ("pressure.thresholds.low", 0.9, Usage, "rise"),
        ("pressure.context_max", -1, Usage, "whole number"),
        ("pressure", 3, Usage, "settings below"),
        ("compression.default_level", "loud", Usage, "dense"),
        ("resources.daily_pattern", "memory.md", Usage, "{date}"),
        ("optional.qdrant_url", "http://ann:hunter2@10.0.0.1:6333", Refused, "password"),
        ("optional.qdrant_url", "https://q.example/?api_key=abc", Refused, "password"),
        ("compression.thor_endpoint", "file:///etc/passwd", Usage, "URL"),
    ],
)
def test_what_is_wrong_is_named(key: str, value: object, error: type[CcosError], said: str) -> None:
    told = copy.deepcopy(SEED)
    *above, name = key.split(".")
    place: dict[str, Any] = told
    for each in above:
        place = place[each]
    place[name] = value
    with pytest.raises(error) as raised:
        settings_of(told)
    assert said in str(raised.value)
    assert "hunter2" not in str(raised.value)
    assert "abc" not in str(raised.value)


def test_an_empty_file_sets_nothing() -> None:
    assert settings_of({}).policy() == {"pressure": {}, "resources": {}}


def test_each_broker_is_switched_off_alone() -> None:
    qdrant = {"optional": {"qdrant_url": "http://localhost:6333"}}
    assert settings_of(qdrant).switched_off == frozenset()
    assert settings_of(qdrant).search_broker() is not None
    assert settings_of({}).search_broker() is None
    for name in ("files", "memory", "search", "session"):
        found = settings_of({**qdrant, "brokers": {name: False}})
        assert found.switched_off == {name}
        assert (found.search_broker() is None) == (name == "search")
    with pytest.raises(Usage, match="true or false"):
        settings_of({"brokers": {"files": "no"}})
