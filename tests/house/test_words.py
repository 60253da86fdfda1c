"""What our files say to strangers: no paths of the machines we worked on, no secrets, no dead links, no false commands.

The patterns below are put together from pieces, so that this file does not trip over itself; tests that need something
secret-shaped do the same, at run time.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house import tree

# a path of somebody's machine: not the tail of another path, as in src/work/
MACHINE = re.compile(rb"(?<![\w.~)}\]*-])/(?:ro" + rb"ot|wo" + rb"rk)/")

SECRETS = {
    "AWS access key": rb"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "GitHub token": rb"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{40,})",
    "GitLab token": rb"\bglpat-[A-Za-z0-9_-]{20}",
    "Anthropic key": rb"\bsk-ant-[A-Za-z0-9_-]{20,}",
    "OpenAI key": rb"\bsk-(?:proj-)?[A-Za-z0-9_-]{40,}",
    "Slack token": rb"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    "Slack webhook": rb"hooks\.slack\.com/services/T[A-Z0-9]+/B[A-Z0-9]+/",
    "Google key": rb"\bAIza[0-9A-Za-z_-]{35}",
    "Stripe key": rb"\b[rs]k_live_[A-Za-z0-9]{20,}",
    "npm token": rb"\bnpm_[A-Za-z0-9]{36}",
    "PyPI token": rb"\bpypi-AgE[A-Za-z0-9_-]{50,}",
    "Hugging Face token": rb"\bhf_[A-Za-z0-9]{34}",
    "SendGrid key": rb"\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}",
    "JSON web token": rb"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}",
    "private key": rb"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----",
}


def test_no_machine_paths() -> None:
    assert not [place for path in tree.our_files() for place in places(MACHINE, path)]


def test_no_secrets() -> None:
    """Named by place and kind; the thing itself stays out of the report."""
    patterns = {kind: re.compile(pattern) for kind, pattern in SECRETS.items()}
    found = [
        f"{place}: {kind}"
        for path in tree.our_files()
        for kind, pattern in patterns.items()
        for place in places(pattern, path)
    ]
    assert not found


@pytest.mark.parametrize("text", ["see /ro" + "ot/x", "'/wo" + "rk/main'", "file:///ro" + "ot/x"])
def test_machine_paths_are_seen(text: str) -> None:
    assert MACHINE.search(text.encode())


@pytest.mark.parametrize("text", ["src/wo" + "rk/x", "/wo" + "rkspace/", "~/wo" + "rk/x", "./ro" + "ot/"])
def test_other_paths_are_not(text: str) -> None:
    assert not MACHINE.search(text.encode())


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("AWS access key", "AKIA" + "Q" * 16),
        ("GitHub token", "ghp_" + "a" * 36),
        ("Anthropic key", "sk-ant-" + "a" * 30),
        ("JSON web token", "eyJ" + "a" * 20 + ".eyJ" + "b" * 20 + "." + "c" * 30),
        ("private key", "-----BEGIN OPENSSH " + "PRIVATE KEY-----"),
    ],
)
def test_secrets_are_seen(kind: str, text: str) -> None:
    assert re.search(SECRETS[kind], text.encode())


def test_readme_commands_exist() -> None:
    """The two commands strangers copy are the ones start.py explains, and the one that CI runs."""
    readme, start, ci = (read(name) for name in ("README.md", "start.py", ".ci/run"))
    for command in ("python3 start.py demo", "python3 start.py test"):
        assert command in readme
        assert command in start
        assert command in ci


def test_links_resolve() -> None:
    assert not [dead for path in tree.our_files() if path.suffix == ".md" for dead in dead_links(path)]


# ---- how it is read ----

NEWLINE = b"\n"
LINK = re.compile(
    r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s+(\S+)|(?:src|href)=\"([^\"]+)\"", re.MULTILINE
)
CODE = re.compile(r"^(```+|~~~+).*?^\1|`[^`\n]+`", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)


def places(pattern: re.Pattern[bytes], path: Path) -> list[str]:
    data = path.read_bytes()
    starts = [found.start() for found in pattern.finditer(data)]
    return [f"{tree.name(path)}:{1 + data[:start].count(NEWLINE)}" for start in starts]


def dead_links(page: Path) -> Iterator[str]:
    for found in LINK.finditer(CODE.sub("", page.read_text(encoding="utf-8"))):
        link = next(filter(None, found.groups()))
        if re.match(r"[a-z][a-z0-9+.-]*:", link):
            continue  # somebody else's, and no network in the suite
        target, _, anchor = link.partition("#")
        place = (page.parent / target).resolve() if target else page
        if not place.exists():
            yield f"{tree.name(page)}: {link}"
        elif anchor and place.suffix == ".md" and anchor not in anchors(place):
            yield f"{tree.name(page)}: {link} (no such heading)"


def anchors(page: Path) -> set[str]:
    """As GitHub makes them, up to the numbering of repeated headings."""
    text = re.sub(r"^(```+|~~~+).*?^\1", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in HEADING.findall(text))
    explicit = re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in plain} | set(explicit)


def test_dead_links_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "ROOT", tmp_path)
    (tmp_path / "b.md").write_text("# The `first` one: here\n")
    page = tmp_path / "a.md"
    page.write_text(
        "[ok](b.md) [ok](b.md#the-first-one-here) [ok](#me) [ok](https://x.org/y) `[code](no.md)`\n# Me\n"
        "[dead](c.md) [dead](b.md#second) ![dead](x.png)\n"
    )
    assert list(dead_links(page)) == ["a.md: c.md", "a.md: b.md#second (no such heading)", "a.md: x.png"]


def read(name: str) -> str:
    return (tree.ROOT / name).read_text(encoding="utf-8")
