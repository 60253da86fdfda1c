"""What to search for, as a person types it: words, and filters as `in:prompt since:3d agent:codex project:~/shop`.

asked = asked_of("still fails in:prompt,text since:2w", now)     # of the screen
asked = Asked("still fails", kinds=kinds_of("prompt,text"))      # of the command line
"""

from __future__ import annotations

import os
import re
from dataclasses import replace

from ccos_core.errors import Usage
from ccos_core.session.search import Asked
from ccos_core.session.search_texts import KINDS

AGO = re.compile(r"(\d{1,6})([mhdw])")
SECONDS = {"m": 60, "h": 3_600, "d": 86_400, "w": 7 * 86_400}
FILTER = re.compile(r"(?:^|(?<=\s))(in|agent|project|since):(\S+)(?=\s|$)")


def asked_of(line: str, now: int, limit: int) -> Asked:
    """Read a line of words and filters; `now` is in milliseconds since 1970. The last word may not be finished."""
    filters = dict(FILTER.findall(line))
    asked = Asked(FILTER.sub("", line), limit=limit, agent=filters.get("agent", ""), unfinished=True)
    if "in" in filters:
        asked = replace(asked, kinds=kinds_of(filters["in"]))
    if "since" in filters:
        asked = replace(asked, since=since_of(filters["since"], now))
    if "project" in filters:
        asked = replace(asked, project=folder_of(filters["project"]))
    return asked


def kinds_of(said: str) -> tuple[str, ...]:
    """Kinds of texts, separated by commas; all of them where none is named."""
    named = [each for each in re.split(r"[,\s]+", said.lower()) if each]
    for each in named:
        if each not in KINDS:
            raise Usage("isn't a kind of text", place=each, hint=f"One of: {'  '.join(KINDS)}")
    return tuple(dict.fromkeys(named)) or KINDS


def since_of(said: str, now: int) -> int:
    """Milliseconds since 1970 of a day or a minute (UTC), or of a time before `now`, as in `3d`."""
    from ccos_core.text.moments import MOMENT, moment

    if ago := AGO.fullmatch(said):
        return now - int(ago[1]) * SECONDS[ago[2]] * 1_000
    try:
        if MOMENT.fullmatch(said) and not (when := moment(said)).is_offset:
            return when.begin
    except ValueError:
        pass
    raise Usage("isn't a time", place=said, hint="Such as 2026-02-14, 2026-02-14T09:30, 45m, 12h, 3d or 2w.")


def folder_of(said: str) -> str:
    """The folder that a project is called by."""
    return os.path.abspath(os.path.expanduser(said))
