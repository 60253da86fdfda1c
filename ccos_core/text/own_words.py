"""What of a prompt the user wrote: without what a host put around it, images, and what ccos-tui itself told.

A host marks its words with tags, and sends the arguments of a slash command in one. Everything else in a prompt is the
user's, pasted or typed; `statements` tells pasted blocks apart. Left-out text becomes blank lines, so that lines keep
their numbers. Takes linear time, whatever the tags are.

    own_words("Fix it.<system-reminder>Be brief.</system-reminder>")  →  "Fix it."
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ccos_core.text.delivered import without_delivered

OF_HOSTS = (
    "system-reminder|system_reminder|user-prompt-submit-hook|hook_prompt|task-notification|local-command-caveat"
    "|local-command-stdout|local-command-stderr|bash-input|bash-stdout|bash-stderr|command-name|command-message"
    "|command-contents|ide_opened_file|ide_selection|ide_diagnostics|new-diagnostics|environment_context"
    "|environment_details|user_instructions|user_shell_command|turn_aborted|subagent_notification|skill"
    "|untrusted_context|tool_result|tool_use_error|function_results|session-context|teammate-message"
)
"""Tags that hosts put around words of their own, and of tools."""
REQUEST = "## My request for Codex:\n"
"""What Codex puts between what its editor shows and the user's words."""

_TAG = re.compile(rf"<(/?)({OF_HOSTS})\b[^<>]*>", re.IGNORECASE)
_ARGUMENTS = "<command-args>", "</command-args>"
_COMMAND = re.compile(r"\s*/[a-zA-Z][\w:.-]*(?=\s|$)")
_EDITOR = re.compile(r"\s*# Context from my IDE setup:\n")
_NO_WORDS = re.compile(
    r"[ \t]*\[(?:[\w.+-]+/[\w.+-]+, [\d,]+ bytes, blake3 [0-9a-f]+…|(?:image|document|input_image|file)(?: [^\]\n]*)?"
    r"|Image #\d+)\][ \t]*$"
    r"|^\[\.\.\. lines left out: [\d,]{1,20}; blake3 of all [\d,]{1,20} bytes: [0-9a-f]{64} \.\.\.\]",
    re.MULTILINE,
)
_BREAKS = re.compile(r"[^\n]+")


def own_words(text: str) -> str:
    """Return what the user wrote of a prompt, each line where it was."""
    if (editor := _EDITOR.match(text)) and (at := text.find(REQUEST, editor.end())) >= 0:
        text = _blank(text[: at + len(REQUEST)]) + text[at + len(REQUEST) :]
    if command := _COMMAND.match(text):
        text = _blank(text[: command.end()]) + text[command.end() :]
    if "<" in text:
        text = _without_tagged(text)
    return without_delivered(_NO_WORDS.sub("", text))


def arguments_of(text: str) -> str:
    """Return what the user wrote behind a slash command, as a host records it; each line where it was."""
    begin, end = _ARGUMENTS
    before, mark, rest = text.partition(begin)
    if not mark or end not in rest:
        return ""
    return _blank(before) + own_words(rest.rpartition(end)[0])


# ---- helpers ----


def _blank(text: str) -> str:
    """Return as many lines, with nothing in them."""
    return _BREAKS.sub("", text)


def _without_tagged(text: str) -> str:
    """Leave out what stands between tags of hosts; see `_tagged`."""
    kept: list[str] = []
    at = 0
    for first, end in _tagged(text):
        kept += [text[at:first], _blank(text[max(first, at) : end])]
        at = max(end, at)
    return "".join([*kept, text[at:]])


def _tagged(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each stretch that is the host's. An open tag without an end counts if it begins a line, and
    goes to the end of the text. An end without a beginning belongs to the stretch of that tag before it: what a host
    quotes may hold the tag itself."""
    tags = list(_TAG.finditer(text))
    ends = Counter(tag[2].lower() for tag in tags if tag[1])
    last: dict[str, int] = {}
    name, first, depth = "", 0, 0
    for tag in tags:
        this = tag[2].lower()
        ends[this] -= bool(tag[1])
        if not depth and tag[1] and this in last:
            yield last[this], tag.end()
            last[this] = tag.end()
        elif not depth and not tag[1]:
            if ends[this]:
                name, first, depth = this, tag.start(), 1
            elif not text[text.rfind("\n", 0, tag.start()) + 1 : tag.start()].strip():
                yield tag.start(), len(text)
                return
        elif this == name:
            depth += -1 if tag[1] else 1
            if not depth or (tag[1] and not ends[this]):
                yield first, tag.end()
                last[this], depth = tag.end(), 0
