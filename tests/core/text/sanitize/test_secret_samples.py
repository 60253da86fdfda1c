"""Secrets in their usual surroundings, through every channel: 98 % are masked, and 95 % in each class and channel.

The samples are made up from a seed; `secret_samples` says of what. A figure per class and channel is printed with -s.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping

import pytest

from ccos_core.session.arguments import argument_text
from ccos_core.text.sanitize import clean
from tests.core.text.sanitize.secret_samples import Sample, samples

EACH = 4
"""Samples of every template."""
AT_LEAST, IN_EACH = 0.98, 0.95

CHANNELS: Mapping[str, Callable[[str], str]] = {
    "file": lambda text: clean(f"import os\n\n{text}\n\nprint(1)\n")[0],
    "output": lambda text: clean(f"$ cat config\n{text}\n[exit 0]\n")[0],
    "prompt": lambda text: clean(f"It fails with this, please help:\n\n    {text}\n\nThanks!")[0],
    "command line": lambda text: argument_text({"command": text, "timeout": 5})[0],
    "hook": lambda text: argument_text({"file_path": "a.txt", "content": text})[0],
    "server": lambda text: argument_text({"op": "ingest", "source": text})[0],
    "JSON inside": lambda text: clean(json.dumps({"result": {"content": text}}))[0],
    "numbered": lambda text: clean("\n".join(f"{n:>6}\t{line}" for n, line in enumerate(text.split("\n"), 1)))[0],
}
"""How a text reaches us → what is kept of it."""


def survives(sample: Sample, kept: str) -> bool:
    """Whether any piece of a sample's secret can still be read."""
    return any(piece in kept or json.dumps(piece)[1:-1] in kept for piece in sample.secrets)


@pytest.mark.parametrize("seed", [20_261, 20_262])
def test_secrets_are_masked_in_every_class_and_channel(seed: int) -> None:
    tried: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    survived: Counter[tuple[str, str]] = Counter()
    made = list(samples(seed, EACH))
    for sample in made:
        for channel, through in CHANNELS.items():
            tried.update(("all", sample.kind, channel))
            if survives(sample, through(sample.text)):
                kept.update(("all", sample.kind, channel))
                survived[sample.kind, sample.template] += 1
    assert len(made) >= 600
    shares = {name: 1 - kept[name] / number for name, number in tried.items()}
    print({name: f"{share:.1%}" for name, share in shares.items()}, survived.most_common(20))
    assert shares["all"] >= AT_LEAST, survived
    assert all(share >= IN_EACH for share in shares.values()), (shares, survived)


def test_a_sample_that_is_left_alone_survives() -> None:
    """Of what the law above is made: it sees a secret that nobody masks."""
    made = list(samples(1, 1))
    assert all(survives(sample, sample.text) for sample in made)
    assert {sample.kind for sample in made} == {"assignment", "header", "url", "shell", "vendor", "pem", "split"}


CLEAN = (
    "identified by 'name' in the library",
    "requests.get(url, auth=(user, password))",
    'auth=("user", "password")',
    'client.basic_auth("user", "pass")',
    "Cookie: theme=dark; lang=en",
    "Set-Cookie: consent=accepted; Path=/",
    "const cookie = require('cookie');",
    "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: {name: db, key: password}",
    "- name: LOG_LEVEL\n  value: debug4all2see",
    '{"name": "password", "value": "password"}',
    "docker run -p 8080:80 nginx",
    "mysql -p orders",
    "gcc $(mysql_config --cflags) -pthread",
    "find /var/lib/mysql -type f -print0",
    "docker run -d mysql:8 -p3306:3306",
    "ValueError: password 'must be set'",
    "mkdir -p build/api2/v1",
    "git log -p src/db.py",
    "ssh -p 2222 host",
    "redis-cli -p 6379 ping",
    "def f(password=None, token=token1): pass",
    'message = "the token " + "was refused"',
    'name = "pass" + "word"',
    'raise Error("no key for " "the user")',
    "ENV API_TOKEN $TOKEN",
    "RETRY_KEY: value",
    "x = SetBasicAuth",
)


@pytest.mark.parametrize("text", CLEAN)
def test_what_is_no_secret_stays(text: str) -> None:
    for channel in ("file", "command line", "JSON inside"):
        through = CHANNELS[channel]
        assert "REDACTED" not in through(text), channel


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ('token = "{one}" + "{two}"', 'token = "REDACTED_TOKEN" + "REDACTED_TOKEN"'),
        ('token = "{one}" \\\n    "{two}"', 'token = "REDACTED_TOKEN" \\\n    "REDACTED_TOKEN"'),
        ("export TOKEN={one}\\\n{two}", "export TOKEN=REDACTED_TOKEN\\\nREDACTED_TOKEN"),
    ],
)
def test_what_is_cut_is_masked_piece_by_piece(text: str, masked: str) -> None:
    one, two = "aB3dE6gH9jK2" + "mN5pQ8", "sT1vW4yZ7bC0" + "eF3hI6"
    assert clean(text.format(one=one, two=two))[0] == masked
