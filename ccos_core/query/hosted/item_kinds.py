"""What kind of thing an item of the agent's window is: a prompt, assistant text, a tool call, the output of a command.

Kinds are told by the item's id and by the name of the tool, as numbers: composition looks them up for every step of a
session at once. Nothing here reads an op.

    kind_of("prompt:12", "", "")  →  "prompt"       kind_of("result:40", "Bash", "")  →  "command"
"""

from __future__ import annotations

import re
from functools import lru_cache

KIND_TITLES = {
    "summary": "summaries",
    "prompt": "prompts",
    "note": "added by the agent's program",
    "text": "assistant text",
    "thinking": "thinking",
    "call": "tool calls",
    "read": "files read",
    "command": "command output",
    "search": "search results",
    "edit": "edits",
    "result": "other tool results",
    "memory": "memory files",
}
"""Kind of an item → the heading of its group; groups are shown in this order."""
KINDS = tuple(KIND_TITLES)
KIND_NUMBERS = {kind: number for number, kind in enumerate(KINDS)}
BY_PREFIX = {
    "summary": "summary",
    "prompt": "prompt",
    "text": "text",
    "thought": "thinking",
    "call": "call",
    "result": "result",
    "memory": "memory",
    "file": "read",
    "sym": "read",
}
"""Beginning of an item's id → its kind, where neither a tool nor a prompt's source says more."""
TOOLS = {
    "read": "read readfile readmanyfiles readnotebook viewfile view viewimage open openfile cat showfile getfile",
    "search": "glob grep grepsearch ls list listdir listdirectory listfiles findfiles findfile filesearch search "
    "searchfiles searchdir searchfilecontent codebasesearch ripgrep listcodedefinitionnames toolsearch",
    "edit": "edit editfile multiedit write writefile writetofile createfile create deletefile notebookedit applypatch "
    "applydiff replace replaceinfile searchreplace strreplaceeditor strreplacebasededittool patch insert insertcontent",
    "command": "bash shell shellcommand execcommand exec runshellcommand localshell runterminalcommand terminal run "
    "runcommand executebash executecommand bashoutput writestdin ipython",
}
"""Kind of a result → the tools that give it, as hosts call them, in lower case and without marks."""
_KIND_OF_TOOL = {name: kind for kind, names in TOOLS.items() for name in names.split()}
OWN_PROMPTS = ("", "task")
"""What a prompt is that a person typed, or an agent gave to its subagent; all else its program added."""


@lru_cache(maxsize=512)
def kind_of_tool(name: str) -> str:
    """Return the kind of a tool's results: `read`, `search`, `edit`, `command`, or `result` for any other."""
    plain = re.sub(r"[^a-z0-9]", "", name.rpartition("__")[2].rpartition(".")[2].lower())
    return _KIND_OF_TOOL.get(plain, "result")


def kind_of(item: str, tool: str, how: str) -> str:
    """Return the kind of an item, of the tool that gave it, or of how a prompt came about."""
    kind = BY_PREFIX.get(item.partition(":")[0], "result")
    if kind == "result":
        return kind_of_tool(tool)
    return "note" if kind == "prompt" and how not in OWN_PROMPTS else kind
