"""What a pipeline that was certainly run did to files: redirections, `tee`, patches, `rm`, `mv`, `sed -i`, `git`.

Where the new text is known it is told, else that the file isn't what it was. What a program complained of it didn't do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ccos_core.intake.calls.arguments import operands, option, read_arguments
from ccos_core.intake.calls.effects import Appended, Changed, Effect, Moved, Patched, Removed, Wrote
from ccos_core.intake.calls.literal import fed_to, printed
from ccos_core.intake.calls.patches import parse_diff, parse_patch
from ccos_core.intake.calls.python_scripts import effects_of_script
from ccos_core.intake.calls.running import Stage

WRITING = (">", ">|", ">>", "&>", "&>>", ">&", "<>")
"""Redirections into a file."""
_PATCHING = re.compile(r"^patching file '?([^'\n]{1,400})'?$", re.MULTILINE)
_UPDATED = re.compile(r"^Updated (\d{1,9}) paths? from ", re.MULTILINE)
_PYTHON = re.compile(r"python(?:\d(?:\.\d{1,2})?)?")
_PYTHON_SAYS = ("-u", "-B", "-E", "-I", "-O", "-OO", "-q", "-s", "-S")
_CUT_SHORT = re.compile(
    r"^(?:[\w.]{0,200}(?:Error|Exception)|KeyboardInterrupt)(?::|\r?$)"
    r"|python[\d.]{0,5}: (?:(?:command )?not found|can't open)|command not found: python|^Python was not found",
    re.MULTILINE,
)
"""What stands in an output where a script ended by an error, or nobody was there to run it."""
_NOWHERE = re.compile(r"/dev/|/proc/|&|-$|\d+$")


def written(
    stages: Sequence[Stage],
    complaints: Sequence[str],
    output: str,
    text_of: Callable[[str], str | None],
    well: bool = False,
) -> list[Effect]:
    """Its effects, in order; paths as they are spelled. `text_of` gives the text of a file that is known; `well` says
    that the last of them is known to have succeeded."""
    found: list[Effect] = []
    fed: str | None = None
    for stage in stages:
        text = printed(stage, fed)
        found += _redirected(stage, text)
        if not stage.opaque and stage.words:
            found += (
                _scripted(stage, fed, text_of, output, well and stage is stages[-1])
                if _PYTHON.fullmatch(stage.name)
                else _done(stage, fed, output)
            )
        fed = text
    return [replace(effect, inferred=True) for effect in found if not _refused(effect, complaints)]


# -- helpers ----------------------------------------------------------------------------------------------------------


def _redirected(stage: Stage, text: str | None) -> Iterator[Effect]:
    """Files that take what a program prints."""
    taking = [one for one in stage.redirects if one.operator in WRITING]
    printing = [one for one in taking if one.fd in (None, 1) and one.operator in (">", ">|", ">>")]
    if not stage.opaque and (not stage.words or stage.words[0] in (":", "true")):
        text = ""
    for redirect in taking:
        path = redirect.target
        if not path or _NOWHERE.match(path):
            continue
        if text is None or printing != [redirect]:
            yield Changed(path)
        elif redirect.operator == ">>":
            yield Appended(path, text)
        else:
            yield Wrote(path, text)


def _done(stage: Stage, fed: str | None, output: str) -> Iterator[Effect]:
    """What a program does to files by itself."""
    if stage.name in ("apply_patch", "applypatch"):
        yield from _applied(stage, fed, output)
        return
    if stage.name == "tee":
        yield from _tee(stage, fed)
        return
    doing, applies = _PROGRAMS.get(stage.name), stage.name == "patch"
    if stage.name == "git":
        stage = replace(stage, words=stage.words[1:])
        command = stage.words[0] or "" if stage.words else ""
        doing, applies = _GIT.get(command), command in ("apply", "patch")
    if applies:
        yield from _patched(stage, fed, output)
    elif doing is _restored:
        yield from _put_back(stage, output)
    elif doing is not None:
        yield from doing(stage)


def _scripted(
    stage: Stage, fed: str | None, text_of: Callable[[str], str | None], output: str, well: bool
) -> list[Effect]:
    """What a script of Python did, if it came to its end: one that stands in the line, is fed, or lies in a file."""
    words = list(stage.words[1:])
    while words and words[0] in _PYTHON_SAYS:
        words.pop(0)
    if "Traceback (most recent call last)" in output or (not well and _CUT_SHORT.search(output)):
        return []
    if not words or words[0] == "-":
        script = fed_to(stage, fed)
    elif words[0] == "-c":
        script = words[1] if len(words) > 1 else None
    else:
        script = text_of(words[0]) if words[0] and not words[0].startswith("-") else None
    return list(effects_of_script(script, well)) if script else []


def _applied(stage: Stage, fed: str | None, output: str) -> Iterator[Effect]:
    text = stage.words[1] if len(stage.words) > 1 else fed_to(stage, fed)
    if text and not re.search(r"(?im)^(?:error|invalid|failed|.*verification failed)", output):
        yield from parse_patch(text)


def _patched(stage: Stage, fed: str | None, output: str) -> Iterator[Effect]:
    words = [word or "" for word in stage.words[1:]]
    text = fed_to(stage, fed)
    if {"--check", "--stat", "--numstat", "--summary", "--dry-run", "--cached"} & set(words):
        return
    if text is None:  # it lies in a file, and the program says what it patches
        yield from (Changed(match[1]) for match in _PATCHING.finditer(output))
        return
    if re.search(
        r"FAILED|malformed|rejects? to file|^error: |does not apply|corrupt patch|garbage", output, re.MULTILINE
    ):
        return
    reverse = {"-R", "--reverse"} & set(words)
    for effect in parse_diff(text):
        if reverse or any(word in ("-d", "--directory") or word.startswith("--directory=") for word in words):
            yield Changed(effect.path)
        elif isinstance(effect, Patched) and re.search(r"offset|fuzz", output):
            yield replace(effect, hunks=[replace(hunk, first=None) for hunk in effect.hunks])
        else:
            yield effect


def _tee(stage: Stage, fed: str | None) -> Iterator[Effect]:
    arguments, text = _known(stage, ""), fed_to(stage, fed)
    more = bool(option(arguments, "-a", "--append"))
    for path in operands(arguments):
        if text is None:
            yield Changed(path)
        elif not _NOWHERE.match(path):
            yield Appended(path, text) if more else Wrote(path, text)


def _removed(stage: Stage) -> Iterator[Effect]:
    arguments = _known(stage, "")
    if not any(name in ("--cached", "-n", "--dry-run") for name, _ in arguments):
        yield from (Removed(path) for path in operands(arguments))


def _moved(stage: Stage) -> Iterator[Effect]:
    arguments = _known(stage, "t:S:")
    named = operands(arguments)
    into = option(arguments, "-t", "--target-directory")
    if any(name in ("-n", "--no-clobber", "--dry-run") for name, _ in arguments):
        return
    if into:
        yield from (Moved(path, _inside(into[0], path)) for path in named)
    elif len(named) == 2 and (to := _target(named[0], named[1])):
        yield Moved(named[0], to)
    elif len(named) >= 2:
        several = len(named) > 2
        yield from (Moved(path, _inside(named[-1], path)) if several else Removed(path) for path in named[:-1])


def _copied(stage: Stage) -> Iterator[Effect]:
    named = operands(_known(stage, "t:S:"))
    if len(named) == 2 and (to := _target(named[0], named[1])):
        yield Changed(to, like=named[0])
    elif len(named) > 2:
        yield from (Changed(_inside(named[-1], path), like=path) for path in named[:-1])


def _target(path: str, to: str) -> str:
    """Where one file comes to lie; empty where `to` may be a file or a folder."""
    if to.endswith("/") or to.rpartition("/")[2] in (".", ".."):
        return _inside(to, path)
    name, new = path.rstrip("/").rpartition("/")[2], to.rpartition("/")[2]
    if name == new or "." in new.lstrip("."):
        return to
    return ""


def _inside(folder: str, path: str) -> str:
    return f"{folder.rstrip('/')}/{path.rstrip('/').rpartition('/')[2]}"


def _edited_in_place(stage: Stage) -> Iterator[Effect]:
    """`sed -i` and `perl -pi`: which lines they change depends on the lines."""
    words = ["*" if word is None else word for word in stage.words[1:]]
    perl = stage.name == "perl"
    pattern = r"-[a-zA-Z]*i.*" if perl else r"-[nEru]*i.*|--in-place.*"
    if not any(re.fullmatch(pattern, word) for word in words):
        return
    at, scripted, files = 0, False, list[str]()
    while at < len(words):
        word = words[at]
        if re.fullmatch(r"-[a-zA-Z0-9]*e|--expression|-f" if perl else r"-[nEru]*e|--expression|-f", word):
            scripted, at = True, at + 1
        elif word.startswith("-") and len(word) > 1:
            scripted = scripted or word.startswith("--expression=")
        elif word:  # `sed -i ''` has an empty one
            files.append(word)
        at += 1
    yield from (Changed(path) for path in files[0 if scripted else 1 :] if path != "*")


def _restored(stage: Stage) -> Iterator[Effect]:
    return iter(())


def _put_back(stage: Stage, output: str) -> Iterator[Effect]:
    """`git checkout -- FILES`, `git restore FILES`."""
    words = [word or "" for word in stage.words[1:]]
    if stage.words[0] == "checkout":
        words = words[words.index("--") + 1 :] if "--" in words else _updated(words, output)
    elif "--staged" in words and "--worktree" not in words:
        return
    named = operands(read_arguments(words, "s:") or [])
    yield from (Changed(path, restored=True) for path in named if path not in (".", "*"))


def _updated(words: list[str], output: str) -> list[str]:
    """What a checkout without dashes names: files, where git says that it updated just as many; else a branch."""
    counts = _UPDATED.findall(output)
    return words if counts == [str(len(words))] and not any(word.startswith("-") for word in words) else []


def _truncated(stage: Stage) -> Iterator[Effect]:
    arguments = _known(stage, "s:r:")
    empty = option(arguments, "-s", "--size") == ["0"]
    yield from (Wrote(path, "") if empty else Changed(path) for path in operands(arguments))


def _dumped(stage: Stage) -> Iterator[Effect]:
    yield from (Changed(word[3:]) for word in stage.words if word and re.match(r"of=(?!/dev/)", word))


def _known(stage: Stage, values: str) -> list[tuple[str, str]]:
    """Its arguments; none where one isn't known."""
    return read_arguments(stage.words[1:], values) or []


_PROGRAMS: dict[str, Callable[[Stage], Iterator[Effect]]] = {
    "rm": _removed,
    "unlink": _removed,
    "mv": _moved,
    "cp": _copied,
    "sed": _edited_in_place,
    "gsed": _edited_in_place,
    "perl": _edited_in_place,
    "truncate": _truncated,
    "dd": _dumped,
}
_GIT: dict[str, Callable[[Stage], Iterator[Effect]]] = {
    "rm": _removed,
    "mv": _moved,
    "checkout": _restored,
    "restore": _restored,
}


def _refused(effect: Effect, complaints: Sequence[str]) -> bool:
    """Whether somebody said that it couldn't be done."""
    named = re.compile(rf"(?<![\w./-]){re.escape(effect.path)}(?![\w/-])")
    return any(named.search(line) for line in complaints)
