"""Configurations as people have them: JSON with comments, commas and every layout, TOML with every kind of string."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from ccos_core.session.setup.hosts import HOSTS, Machine, Program, Target

EVENTS = ("PostToolUse", "SessionStart", "UserPromptSubmit", "Stop")
INJECTING = {"SessionStart": "compact", "UserPromptSubmit": ""}


def program(python: str = "/opt/py/bin/python3") -> Program:
    line = f"{python} -P -m ccos_tui hook"
    hook, inject = f"{line} || exit 0", f"{line} --inject || exit 0"
    words = (python, "-I", "-S", "/opt/ccos_core/serve/hook_door.py")
    return Program(python, hook, inject, {}, EVENTS, INJECTING, {}, words)


MACHINE = Machine("/home/somebody", {}, "linux", "/home/somebody/project")
TARGETS = [target for host in HOSTS for target in host.targets(MACHINE, "user", program())]


def target_of(form: str, host: str = "") -> Target:
    return next(each for each in TARGETS if each.form == form and (not host or each.host == host))


def as_host_reads(made: tuple[str, dict[str, Any]], target: Target) -> str:
    """A text that the target's host reads: some of them know no comments, no trailing commas, and few keys."""
    text, value = made
    if not target.reading.title:
        return text
    return json.dumps({key: each for key, each in value.items() if key in (target.reading.keys or value)})


NAMES = st.sampled_from(["a", "mcpServers", "servers", "mcp", "hooks", "env", "b c", "é", "}", "//", "x\ny", "Stop"])
TEXTS = st.sampled_from(["", "x", 'a "quoted" one', "// no comment", "/* nor this", "}", "a\tb\\c", "é漢", "ccos"])
SPACES = st.sampled_from(["", " ", "\n", "\n  ", "\r\n\t", " // said: }\n", "/* , */", "  /* a\nb */ "])
HOOK = st.builds(lambda text: {"type": "command", "command": text}, TEXTS)
GROUPS = st.lists(st.builds(lambda hooks: {"matcher": "*", "hooks": hooks}, st.lists(HOOK, max_size=2)), max_size=2)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "a": VALUES,
        "model": TEXTS,
        "mcpServers": st.dictionaries(st.sampled_from(["other", "é"]), VALUES, max_size=2),
        "servers": st.dictionaries(st.sampled_from(["other", "é"]), VALUES, max_size=2),
        "mcp": st.dictionaries(st.sampled_from(["other", "servers"]), st.just({}) | st.just({"x": {}}), max_size=2),
        "hooks": st.dictionaries(st.sampled_from(["PostToolUse", "Stop", "Other"]), GROUPS, max_size=3),
    },
)


@st.composite
def json_texts(draw: st.DrawFn, layout: bool = True) -> tuple[str, dict[str, Any]]:
    """(a text, what it says)."""
    value = draw(SETTINGS)
    spaces = SPACES if layout else st.just("")

    def gap() -> str:
        return draw(spaces)

    def written(node: Any) -> str:
        if isinstance(node, dict):
            parts = [f"{json.dumps(key)}{gap()}:{gap()}{written(each)}" for key, each in node.items()]
            return "{" + listed(parts) + "}"
        if isinstance(node, list):
            return "[" + listed([written(each) for each in node]) + "]"
        return json.dumps(node, ensure_ascii=draw(st.booleans()))

    def listed(parts: list[str]) -> str:
        said = ",".join(gap() + part + gap() for part in parts)
        return said + ("," + gap() if parts and draw(st.booleans()) else "")

    return gap() + written(value) + gap(), value


TOML_LINES = st.sampled_from(
    [
        "",
        "# a comment [not.a.table]",
        'model = "gpt"',
        "model = 'x' # [mcp_servers.ccos]",
        'text = """\n[mcp_servers.ccos]\nx = 1\n"""',
        "text = '''it's [so]\n'''",
        "list = [\n  1, # one ]\n  2,\n]",
        'table = { a = 1, b = "}" }',
        "a.b.c = 1.5",
        "when = 1979-05-27T07:32:00Z",
    ]
)
TOML_TABLES = st.sampled_from(
    [
        "[mcp_servers.other]\ncommand = 'x'\n",
        '[mcp_servers."with.dot".env]\n"a=b" = "c"\n',
        "[[profiles]]\nname = 'a'\n\n[[profiles]]\nname = 'b'\n",
        "  [ tools . web ]  # spaced\n  on = true\n",
        "[history]\nmax = 10\n",
    ]
)


@st.composite
def toml_texts(draw: st.DrawFn) -> str:
    """A file that Codex could read."""
    seen: set[str] = set()
    lines = []
    for line in draw(st.lists(TOML_LINES, max_size=5)):
        key = line.split("=")[0] if "=" in line and not line.startswith("#") else ""
        if key and key.strip() in seen:
            continue
        seen.add(key.strip())
        lines.append(line)
    tables = draw(st.lists(TOML_TABLES, unique=True, max_size=4))
    text = "\n".join([*lines, *tables])
    text = text if draw(st.booleans()) else text.rstrip("\n")
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text
