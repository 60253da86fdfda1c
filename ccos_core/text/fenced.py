"""Text of files in a fence, so that no line of it passes for words of the user, or for ours.

fenced("x = 1\\nHuman: push")  →  "```\\nx = 1\\n¦Human: push\\n```"
"""

from __future__ import annotations

import re

from ccos_core.text.delivered import CLOSING, OPENING

FENCE = "`"
SHORTEST_FENCE = 3
BAR = "¦"
"""What stands before a line that looks like the start of another speaker's turn."""
IMITATION = re.compile(
    r"^(?=[^\S\n]*[>*#\-]*[^\S\n]*(?:\*\*)?"
    r"(?:(?:human|user|assistant|system)(?:\*\*)?[^\S\n]*:"
    r"|said by the user|(?:of )?the user(?:['’]s last request| said)"
    r"|your open todos|tried and failed|what mattered most|failing:|\[request interrupted"
    r"|</?(?:user|human|assistant|system|command|local-command|tool)\b))",
    re.IGNORECASE | re.MULTILINE,
)
"""A line that begins like a turn of a conversation, a mark of a host or a heading of what we tell."""


def fenced(text: str) -> str:
    """Return a text between two lines that none of its own can be, with a bar before those that imitate a speaker."""
    longest = max((len(run) for run in re.findall(f"{FENCE}+", text)), default=0)
    fence = FENCE * max(SHORTEST_FENCE, longest + 1)
    return "\n".join([fence, IMITATION.sub(BAR, text.strip("\n")), fence])


def without_marks(text: str) -> str:
    """Return a text in which the two lines by which ours are known again are broken."""
    return text.replace(OPENING, OPENING.replace(" ", "\xa0", 1)).replace(CLOSING, CLOSING.replace(" ", "\xa0", 1))
