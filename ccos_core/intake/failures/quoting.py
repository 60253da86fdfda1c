"""Whether a command shows texts rather than running anything.

A traceback in a document, in a diff or among the hits of a search is quoted: nothing failed. A log is another matter,
for that is how the output of something that ran elsewhere is read.
"""

from __future__ import annotations

import re

from ccos_core.intake.failures.command import Run, runs

_SHOW = {
    "cat", "bat", "head", "tail", "less", "more", "nl", "sed", "awk", "grep", "egrep", "fgrep", "rg", "ag", "ack", "ls",
    "find", "tree", "wc", "sort", "uniq", "cut", "tr", "diff", "cmp", "stat", "file", "pwd", "which", "xxd", "od",
    "echo", "printf", "true", "git", "str_replace_editor", "open", "view",
}  # fmt: skip
_GIT_RUNS = {"bisect", "rebase", "commit", "push", "merge", "submodule"}
"""These run hooks or commands of their own."""
_LOG = re.compile(r"\.(?:log|txt|out|err|output|stderr|stdout)(?:\.\d+)?$|log|output|result|(?:^|/)tmp/", re.IGNORECASE)


def is_quoting(command: str) -> bool:
    """Whether all it does is to show files that are no logs."""
    done = runs(command)
    return bool(done) and all(shows(run) for run in done)


def shows(run: Run) -> bool:
    if run.tool not in _SHOW or (run.tool == "git" and run.words[:1] and run.words[0] in _GIT_RUNS):
        return False
    if run.tool == "find" and any(word.startswith("-exec") for word in run.words):
        return False
    named = [word for word in run.words if not word.startswith("-")]
    return run.tool in ("git", "echo", "printf") or not any(_LOG.search(word) for word in named)
