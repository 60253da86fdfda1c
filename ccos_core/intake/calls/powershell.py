"""What agents on Windows read files with, in the words of other shells: `Get-Content` and what picks lines of it.

Only a line that is this and nothing more; a path that holds anything to be filled in isn't known. Its short names
(`gc`, `type`) mean something else in other shells.
"""

from __future__ import annotations

import re
import shlex

_READS = re.compile(
    r"\s*Get-Content(?P<words>(?:\s+(?:-[A-Za-z]+|\"[^\"$`\n]+\"|'[^'\n]+'|[^\s\"'`$;|&<>()-][^\s\"'`$;|&<>()]*))+)"
    r"\s*(?:\|\s*(?:Select-Object|select)(?P<picked>(?:\s+-(?:First|Skip|Last)\s+\d{1,9})+)\s*)?",
    re.IGNORECASE,
)
_WORD = re.compile(r"\"([^\"]+)\"|'([^']+)'|(\S+)")
_PICKED = re.compile(r"-(First|Skip|Last)\s+(\d+)", re.IGNORECASE)
_NAMED = ("-path", "-literalpath")
_LINES = {"-totalcount": "first", "-head": "first", "-first": "first", "-tail": "last", "-last": "last"}


def as_other_shells_say(command: str) -> str:
    """The same command for a shell of the other kind; where it is none of these, as it is."""
    found = _READS.fullmatch(command)
    if found is None:
        return command
    words = ["".join(word) for word in _WORD.findall(found["words"])]
    said = _PICKED.findall(found["picked"] or "")
    picked = {name.lower(): int(number) for name, number in said}
    if len(picked) < len(said):
        return command
    paths: list[str] = []
    rest = iter(words)
    for word in rest:
        option = word.lower()
        if option in _LINES:
            value = next(rest, "")
            if picked or not value.isdecimal() or len(value) > 9:  # lines that are picked of those that were picked
                return command
            picked[_LINES[option]] = int(value)
        elif option == "-encoding":
            next(rest, "")
        elif option not in ("-raw", *_NAMED):
            paths.append(word)
    if len(paths) != 1 or paths[0].startswith("-") or set("*?[,") & set(paths[0]):
        return command
    if picked and ({"-raw"} & set(map(str.lower, words)) or ("last" in picked and len(picked) > 1)):
        return command
    return _said(shlex.quote(paths[0].replace("\\", "/")), picked)


def _said(path: str, picked: dict[str, int]) -> str:
    first, skipped = picked.get("first"), picked.get("skip", 0)
    if "last" in picked:
        return f"tail -n {picked['last']} {path}"
    if first is None:
        return f"tail -n +{skipped + 1} {path}" if skipped else f"cat {path}"
    return f"sed -n {skipped + 1},{skipped + first}p {path}" if first else "true"
