"""What a pipeline that was certainly run did to files: redirections, `tee`, patches, `rm`, `mv`, `sed -i`, `git`.

Where the new text is known it is told, else that the file isn't what it was. What a program complained of it didn't do.
A program that edits in place may find nothing to change, or not be the one its user thought of (BSD's `sed -i` takes
another word): the file is uncertain. So is all that a program may have done that may not have been run, and what lies
under a pattern.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ccos_core.intake.calls.arguments import fed_to, operands, option, printed, read_arguments
from ccos_core.intake.calls.effects import Appended, Changed, Effect, Moved, Patched, Removed, Uncertain, Wrote
from ccos_core.intake.calls.patches import parse_diff, parse_patch
from ccos_core.intake.calls.python_scripts import effects_of_script
from ccos_core.intake.calls.running import LOUD
from ccos_core.intake.calls.searches import handed_over
from ccos_core.intake.calls.stages import Stage, literally

Refused = tuple[Effect, str, int]
"""What a program couldn't do, the program, and how many lines complain of it."""
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
_UNKNOWN = "\0"
"""In front of a word that only the shell knew; what may follow is the pattern it wrote."""
_PLAIN_OLD = re.compile(r"s([/|#,@!~])(?P<old>(?:(?!\1)[^\\.*+?\[\](){}|^$\n&])+)\1[^\n;{}]*?\1[g\d]*")
"""A script of `sed` that replaces one plain text; without it a file is left as it is."""
_SAYING = re.compile(r"([\w./-]{1,80}): ")
_NOWHERE = re.compile(r"/dev/|/proc/|&|-$|\d+$")


def written(
    stages: Sequence[Stage],
    complaints: Sequence[str],
    refused: list[Refused],
    output: str,
    text_of: Callable[[str], str | None],
    well: bool = False,
    surely: bool = True,
) -> list[Effect]:
    """Its effects, in order; paths as they are spelled. `refused` gets what somebody complained of. `text_of` gives the
    text of a file that is known; `well` says that the last of them is known to have succeeded, `surely` that they were
    run."""
    found: list[Effect] = []
    fed: str | None = None
    for at, stage in enumerate(stages, 1):
        text = printed(stage, fed)
        done = list(_redirected(stage, text))
        by_shell = len(done)
        if (handed := handed_over(stages[:at])) is not None:
            done += (_perhaps(each, handed[1].holding) for each in _done(handed[0], None, output))
        if not stage.opaque and stage.words:
            done += (
                _scripted(stage, fed, text_of, output, well and stage is stages[-1])
                if _PYTHON.fullmatch(stage.name)
                else _done(stage, fed, output)
            )
        heard = [line for line in complaints if _is_by(line, stage)]
        own = [line for line in heard if _speaker(line) == stage.name] if stage.name in LOUD else heard
        for number, effect in enumerate(done):
            lines = _refusing(effect, heard if number < by_shell else own)
            if lines:
                refused.append((effect, stage.name, lines))
            else:
                found.append(effect)
        fed = text
    if not surely:
        found = [_perhaps(each) for effect in found for each in both_ends(effect)]
    return [replace(effect, inferred=True) for effect in found]


# -- helpers ----------------------------------------------------------------------------------------------------------


def _is_by(line: str, stage: Stage) -> bool:
    """Whether a complaint may be about what this program does: one that begins with the name of another isn't."""
    name = _speaker(line)
    return name == stage.name or (name not in LOUD and name not in _PROGRAMS)


def _speaker(line: str) -> str:
    """The name that a complaint begins with; empty where it has none."""
    says = _SAYING.match(line)
    return says[1].rpartition("/")[2] if says is not None else ""


def _perhaps(effect: Effect, holding: str = "") -> Effect:
    """The same, if it happened at all."""
    if isinstance(effect, Uncertain):
        return replace(effect, there=False, holding=holding or effect.holding)
    return Uncertain(effect.path, holding=holding)


def both_ends(effect: Effect) -> Iterator[Effect]:
    """An effect, and for a move what is there now as well."""
    yield effect
    if isinstance(effect, Moved):
        yield Uncertain(effect.to)


def _redirected(stage: Stage, text: str | None) -> Iterator[Effect]:
    """Files that take what a program prints."""
    taking = [one for one in stage.redirects if one.operator in WRITING]
    printing = [one for one in taking if one.fd in (None, 1) and one.operator in (">", ">|", ">>")]
    if not stage.opaque and (not stage.words or stage.words[0] in (":", "true")):
        text = ""
    for redirect in taking:
        path = redirect.target
        yield from (Uncertain(pattern, pattern=True) for pattern in redirect.patterns)
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
        stage = replace(stage, words=stage.words[1:], patterns=stage.patterns[1:])
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
        if path.startswith(_UNKNOWN):
            yield from _doubts(path)
        elif text is None:
            yield Changed(path)
        elif not _NOWHERE.match(path):
            yield Appended(path, text) if more else Wrote(path, text)


def _removed(stage: Stage) -> Iterator[Effect]:
    arguments = _known(stage, "")
    if not any(name in ("--cached", "-n", "--dry-run") for name, _ in arguments):
        for path in operands(arguments):
            yield from _doubts(path) if path.startswith(_UNKNOWN) else (Removed(path),)


def _moved(stage: Stage) -> Iterator[Effect]:
    arguments = _known(stage, "t:S:")
    named = operands(arguments)
    into = option(arguments, "-t", "--target-directory")
    if any(name in ("-n", "--no-clobber", "--dry-run") for name, _ in arguments):
        return
    if any(path.startswith(_UNKNOWN) for path in (*named, *into)):
        yield from _doubts(*named)
    elif into:
        yield from (Moved(path, _inside(into[0], path)) for path in named)
    elif len(named) == 2 and (to := _target(named[0], named[1])):
        yield Moved(named[0], to)
    elif len(named) >= 2:
        several = len(named) > 2
        yield from (Moved(path, _inside(named[-1], path)) if several else Removed(path) for path in named[:-1])


def _copied(stage: Stage) -> Iterator[Effect]:
    named = operands(_known(stage, "t:S:"))
    if any(path.startswith(_UNKNOWN) for path in named):
        yield from _copied_like(named)
    elif len(named) == 2 and (to := _target(named[0], named[1])):
        yield Changed(to, like=named[0])
    elif len(named) > 2:
        yield from (Changed(_inside(named[-1], path), like=path) for path in named[:-1])


def _copied_like(named: Sequence[str]) -> Iterator[Effect]:
    """Several files of which not all are known, and where they were put."""
    *paths, into = named
    if into.startswith(_UNKNOWN):
        yield from _doubts(into)
        return
    yield Uncertain(into)
    for path in paths:
        name = path.removeprefix(_UNKNOWN).rpartition("/")[2]
        if name:
            yield Uncertain(_inside(literally(into), name), pattern=True)


def _doubts(*paths: str, holding: str = "") -> Iterator[Effect]:
    """Files that may not be what they were, or all that lie under a pattern; of nothing known nothing is said."""
    for path in paths:
        known = not path.startswith(_UNKNOWN)
        if path != _UNKNOWN:
            yield Uncertain(path.removeprefix(_UNKNOWN), pattern=not known, holding=holding, there=known)


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
    """`sed -i` and `perl -pi`: which lines they change depends on the lines, and whether any at all."""
    words = _placeholders(stage)
    perl = stage.name == "perl"
    pattern = r"-[a-zA-Z]*i.*" if perl else r"-[nErsuz]*i.*|--in-place.*"
    if not any(re.fullmatch(pattern, word) for word in words):
        return
    at, scripts, files = 0, list[str](), list[str]()
    while at < len(words):
        word = words[at]
        if re.fullmatch(r"-[a-zA-Z0-9]*e|--expression|-f" if perl else r"-[nErsuz]*e|--expression|-f", word):
            scripts += words[at + 1 : at + 2]
            at += 1
        elif word.startswith("-") and len(word) > 1:
            scripts += [word.partition("=")[2]] if word.startswith("--expression=") else []
        elif word:  # `sed -i ''` has an empty one
            files.append(word)
        at += 1
    if not scripts:
        scripts, files = files[:1], files[1:]
    old = _PLAIN_OLD.fullmatch(scripts[0]) if len(scripts) == 1 and not perl else None
    yield from _doubts(*files, holding=old["old"] if old else "")


def _rewritten(stage: Stage) -> Iterator[Effect]:
    """Formatters, and linters that mend: which of the files they are given they change, they don't say."""
    words, name = _placeholders(stage), stage.name
    if words[:1] == ["format"] and name == "ruff":
        words = words[1:]
    elif not _REWRITING[name] & set(words) and _REWRITING[name]:
        return
    yield from _doubts(*filter(_is_file_name, words))


def _is_file_name(word: str) -> bool:
    known = word.rpartition("/")[2]
    return not word.startswith("-") and (word.startswith(_UNKNOWN) or "." in known.strip("."))


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
    for path in operands(arguments):
        if path.startswith(_UNKNOWN):
            yield from _doubts(path)
        else:
            yield Wrote(path, "") if empty else Changed(path)


def _dumped(stage: Stage) -> Iterator[Effect]:
    yield from (Changed(word[3:]) for word in stage.words if word and re.match(r"of=(?!/dev/)", word))


def _known(stage: Stage, values: str) -> list[tuple[str, str]]:
    """Its arguments; what isn't known begins with a mark, and the pattern behind it may be known."""
    return read_arguments(_placeholders(stage), values) or []


def _placeholders(stage: Stage) -> list[str]:
    patterns = stage.patterns or ("",) * len(stage.words)
    words = zip(stage.words, patterns, strict=True)
    return [word if word is not None else _UNKNOWN + pattern for word, pattern in words][1:]


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
_REWRITING: dict[str, frozenset[str]] = {
    "gofmt": frozenset({"-w"}),
    "goimports": frozenset({"-w"}),
    "gofumpt": frozenset({"-w"}),
    "shfmt": frozenset({"-w"}),
    "black": frozenset(),
    "isort": frozenset(),
    "rustfmt": frozenset(),
    "autopep8": frozenset({"-i", "--in-place"}),
    "yapf": frozenset({"-i", "--in-place"}),
    "clang-format": frozenset({"-i"}),
    "ruff": frozenset({"--fix"}),
    "eslint": frozenset({"--fix"}),
    "prettier": frozenset({"--write", "-w"}),
    "biome": frozenset({"--write", "--apply"}),
}
"""Programs that rewrite the files they are given → the words of which they need one to do so."""
_PROGRAMS |= dict.fromkeys(_REWRITING, _rewritten)
_GIT: dict[str, Callable[[Stage], Iterator[Effect]]] = {
    "rm": _removed,
    "mv": _moved,
    "checkout": _restored,
    "restore": _restored,
}


def _refusing(effect: Effect, complaints: Sequence[str]) -> int:
    """How many lines say that it couldn't be done."""
    if not complaints or (isinstance(effect, Uncertain) and effect.pattern):
        return 0
    named = re.compile(rf"(?<![\w./-]){re.escape(effect.path)}(?![\w/-])")
    return sum(named.search(line) is not None for line in complaints)
