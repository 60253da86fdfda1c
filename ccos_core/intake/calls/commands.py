"""What a shell command did to files, as far as its line and its output tell: parsed, not guessed from words.

The line gives the programs that were run (`running`), each what it may have printed (here) and done (`writing`); the
output is cut among them (`splitting`), and what is certain of each is laid on what it shows (`views`, `hits`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from ccos_core.intake.calls import hits, views
from ccos_core.intake.calls.arguments import operands, read_arguments
from ccos_core.intake.calls.effects import Changed, Effect, Mixed, Moved, Shown, Uncertain, Wrote
from ccos_core.intake.calls.hits import Search
from ccos_core.intake.calls.listed_files import literally
from ccos_core.intake.calls.literal import printed
from ccos_core.intake.calls.numbered import TAB
from ccos_core.intake.calls.powershell import as_other_shells_say
from ccos_core.intake.calls.printed import COMPLAINT, complains, complaints, got_lost, is_calm, seen
from ccos_core.intake.calls.running import LOUD, Run, Stage, joined, runs
from ccos_core.intake.calls.splitting import ANYTHING, SILENT, Cut, Printed, split
from ccos_core.intake.calls.views import View
from ccos_core.intake.calls.writing import WRITING, Refused, both_ends, written

FEW = 20
"""Complaints that are looked at."""


TextOf: TypeAlias = Callable[[str], str | None]
"""Gives the text of a file, by its path as effects have it; None where not all of it is known."""


def nobody_knows(_: str) -> str | None:
    """Of no file."""
    return None


def effects_of_command(
    command: str, output: str, succeeded: bool | None, cwd: str = ".", text_of: TextOf = nobody_knows
) -> list[Effect]:
    """What is certain of it, in the order it happened; all of it `inferred`.

    `output` is what the command printed, without what a host writes around it; `succeeded` is its own outcome, None
    where nobody says. Paths come as the command spells them, relative to `cwd` where they aren't absolute. `text_of`
    is asked for scripts that are run: what they do is in them.
    """
    command = as_other_shells_say(command)
    text, torn = seen(output)
    refused = complaints(output if torn else text)[:FEW]
    calm = "&&" in command and not torn and is_calm(text, sorted(LOUD))
    told = runs(command, succeeded, cwd if cwd != "." else "", got_lost(output), calm)
    if not told:
        return []
    shown = _shown(told, text, torn, text_of)
    found: list[Effect] = []
    texts: dict[str, str | None] = {}
    undone: list[Refused] = []
    for number, run in enumerate(told):
        found += shown.get(number, ())
        lying = partial(_script, texts, text_of, run.cwd)
        surely = run.ran and run.succeeded is not False
        before = len(undone)
        done = _placed(written(run.stages, refused, undone, output, lying, run.succeeded is True, surely), run.cwd)
        undone[before:] = [(_placed([effect], run.cwd)[0], name, lines) for effect, name, lines in undone[before:]]
        for each in done:
            if isinstance(each, Moved):
                texts[each.to] = texts[each.path] if each.path in texts else text_of(each.path)
            texts[each.path] = each.text if isinstance(each, Wrote) else None
        found += done
    return _told_once([*found, *_done_after_all(undone)])


def _done_after_all(undone: Sequence[Refused]) -> Iterator[Effect]:
    """What was tried more often than complained of may have been done once."""
    tries = Counter((effect.path, name) for effect, name, _ in undone)
    for effect, name, lines in undone:
        if lines < tries[effect.path, name]:
            yield from (Uncertain(each.path, inferred=True) for each in both_ends(effect))


def _told_once(found: list[Effect]) -> list[Effect]:
    """Without what is uncertain for a second time."""
    doubted: dict[Uncertain, None] = {}
    kept: list[Effect] = []
    for each in found:
        if not isinstance(each, Uncertain):
            kept.append(each)
        elif each not in doubted:
            doubted[each] = None
            kept.append(each)
    return kept


# -- what was shown ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch of the output that one program prints, or prints of one file."""

    run: int
    printed: Printed
    shows: View | Search | None = None
    whole: bool = False
    """Whether it is all of one file among several."""


def _shown(told: Sequence[Run], text: str, torn: bool, text_of: TextOf) -> dict[int, list[Effect]]:
    """Run → what it showed of files."""
    parts = [part for number, run in enumerate(told) if not run.inside for part in _parts(number, run)]
    if not any(part.shows for part in parts) or any(run.background and not _muted(run) for run in told):
        return {}
    cuts = _cut(told, parts, text, torn, text_of)
    found: dict[int, list[Effect]] = {}
    for part, cut in zip(parts, cuts, strict=True):
        run = told[part.run]
        if part.shows is None:
            continue
        if cut is not None and cut.text and not _failed(run, part, cut):
            found.setdefault(part.run, []).extend(_placed(_laid(part.shows, cut), run.cwd))
        elif part.whole and not torn and text and _is_mixed(run, part.shows, cut, text):
            found.setdefault(part.run, []).extend(_placed([Mixed(part.shows.path, inferred=True)], run.cwd))
    return found


def _is_mixed(run: Run, shows: View | Search, cut: Cut | None, text: str) -> bool:
    """Whether a file among several was surely printed, and nobody can tell where."""
    if not run.ran or run.succeeded is False or (cut is not None and (cut.text or cut.all)):
        return False
    return not any(shows.path in line for line in complaints(text))


def _cut(told: Sequence[Run], parts: Sequence[_Part], text: str, torn: bool, text_of: TextOf) -> list[Cut | None]:
    """What each part printed. Where several files come one behind the other, those whose text is known tell the others
    apart."""
    plain = split(text, [part.printed for part in parts], torn)
    if None not in plain or torn or not any(part.whole for part in parts):
        return plain
    known: list[Printed] = []
    for part in parts:
        path = joined(told[part.run].cwd, part.shows.path) if part.whole and part.shows is not None else None
        held = text_of(path) if path is not None else None
        known.append(replace(part.printed, literal=held) if held else part.printed)
    if known == [part.printed for part in parts]:
        return plain
    better = split(text, known, torn)
    return better if None not in better else plain


def _laid(shows: View | Search, cut: Cut) -> list[Shown]:
    if isinstance(shows, View):
        return views.shows(shows, cut.text, cut.all)
    whole = cut.text if cut.all else cut.text[: cut.text.rfind("\n") + 1]
    return hits.hits(shows, whole)


def _failed(run: Run, part: _Part, cut: Cut) -> bool:
    """Whether what came is a complaint rather than the file."""
    if isinstance(part.shows, View) and run.succeeded is False and len(run.stages) == 1:
        return True
    return any(complains(cut.text, stage.name) for stage in run.stages if stage.name)


def _muted(run: Run) -> bool:
    """Whether nothing of it comes out."""
    both = {redirect.fd for redirect in run.stages[-1].redirects if redirect.operator in (">", ">>", ">&", ">|")}
    all_of_it = any(redirect.operator in ("&>", "&>>") for redirect in run.stages[-1].redirects)
    return all_of_it or (bool(both & {None, 1}) and 2 in both)


# -- what is printed --------------------------------------------------------------------------------------------------

_SILENT = {
    "cd", "mkdir", "rmdir", "rm", "mv", "cp", "touch", "chmod", "chown", "ln", "export", "unset", "set", "true", ":",
    "false", "sleep", "test", "[", "truncate", "shopt", "alias", "umask", "wait", "trap", "exit", "return", "local",
    "declare", "readonly", "read", "shift", "kill", "tee",
}  # fmt: skip
"""What prints nothing unless it complains."""
_TALKING = {"-v", "--verbose", "-p", "--help", "--version", "-i", "-l", "-x", "-o"}
_ONE_LINE = {"pwd", "date", "whoami", "hostname"}
_TABBED = r" {0,20}\d{1,9}\t"


def _parts(number: int, run: Run) -> Iterator[_Part]:
    """What of the output one run may account for, in order."""
    several = list(_several(run.stages)) if len(run.stages) == 1 else []
    if several:
        whole = run.stages[0].name == "cat"
        yield from (_Part(number, replace(one, optional=not run.ran), shows, whole) for one, shows in several)
        return
    shows = None if _redirected(run.stages[-1]) else views.view(run.stages) or hits.search(run.stages)
    yield _Part(number, replace(_prints(run, shows), optional=not run.ran), shows)


def _prints(run: Run, shows: View | Search | None) -> Printed:
    if isinstance(shows, View):
        most = None if shows.open or shows.most is None else max(shows.most, len(run.stages))
        fed = run.stages[-1].name in ("nl", "awk", "gawk", "mawk", "grep", "rg")
        return Printed(most=most, looks=_or_complaints(_TABBED, run) if shows.way == TAB else None, fed=fed)
    if isinstance(shows, Search):
        return Printed(looks=_or_complaints(hits.LOOKS, run), fed=True)
    last = run.stages[-1]
    if last.silent:
        return SILENT
    if _redirected(last):
        return SILENT if run.succeeded is True and len(run.stages) == 1 and _keeps_quiet(last) else _complaint(run)
    if (text := _literal(run.stages)) is not None:
        return Printed(literal=text)
    if len(run.stages) > 1 or last.opaque:
        return _counted(last) if last.name == "wc" else ANYTHING
    if last.name in _ONE_LINE or last.name == "wc":
        return _counted(last)
    if last.name in _SILENT and not _TALKING & set(last.words):
        return SILENT if run.succeeded is True and last.name != "cd" else _complaint(run)
    return ANYTHING


def _keeps_quiet(stage: Stage) -> bool:
    """Whether it says nothing besides what is redirected."""
    return stage.name in ("cat", "echo", "printf", "") or any(redirect.fd == 2 for redirect in stage.redirects)


def _complaint(run: Run) -> Printed:
    """Nothing, or lines in which it or the shell complains."""
    if len(run.stages) > 1 or run.stages[-1].name not in _SILENT | {"cat", "echo", "printf"}:
        return ANYTHING
    return Printed(looks=re.compile(_complaining(run)), fed=True)


def _or_complaints(looks: str, run: Run) -> re.Pattern[str]:
    """Lines that look so, or in which one of the programs says what it couldn't do."""
    return re.compile(f"{looks}|{_complaining(run)}")


def _complaining(run: Run) -> str:
    names = "|".join(re.escape(stage.name) for stage in run.stages)
    return COMPLAINT.format(f"{names}|bash|sh|zsh")


def _counted(stage: Stage) -> Printed:
    """Programs that print a line, or one for each file."""
    named = [word for word in stage.words[1:] if word is None or not word.startswith("-")]
    if None in named:
        return ANYTHING
    several = stage.name == "wc" and len(named) > 1
    return Printed(least=1, most=len(named) + 1 if several else 1, fed=True)


def _literal(stages: Sequence[Stage]) -> str | None:
    text: str | None = None
    for stage in stages:
        text = printed(stage, text)
    return text


def _redirected(stage: Stage) -> bool:
    """Whether what it prints goes elsewhere."""
    return any(redirect.fd in (None, 1) and redirect.operator in WRITING for redirect in stage.redirects)


def _several(stages: Sequence[Stage]) -> Iterator[tuple[Printed, View | None]]:
    """`cat a b`, and `head a b` with its headers."""
    stage = stages[0]
    if stage.name not in ("cat", "head", "tail") or stage.opaque or any(one.fd != 2 for one in stage.redirects):
        return
    arguments = read_arguments(stage.words[1:], "" if stage.name == "cat" else "n:c:")
    named = operands(arguments or [])
    if arguments is None or len(named) < 2 or "-" in named:
        return
    options = [word for word in stage.words[1:] if word is not None and word not in named]
    if stage.name == "cat" and options:
        return
    if any(name in ("-q", "--quiet", "--silent") for name, _ in arguments):
        return
    for number, path in enumerate(named):
        if stage.name != "cat":
            yield Printed(literal=f"{chr(10) if number else ''}==> {path} <==\n"), None
        seen_of_it = views.view([Stage((stage.name, *options, path))])
        yield Printed(most=seen_of_it.most if seen_of_it is not None else None), seen_of_it


def _script(texts: Mapping[str, str | None], text_of: TextOf, cwd: str | None, path: str) -> str | None:
    """The text of a file that is run: it was written by the same line, or before."""
    placed = joined(cwd, path)
    if placed is None:
        return None
    return texts[placed] if placed in texts else text_of(placed)


# -- where ------------------------------------------------------------------------------------------------------------


def _somewhere(effect: Effect) -> Effect:
    """A file that may have been changed in a folder nobody can tell: any of that name."""
    pattern = effect.path if isinstance(effect, Uncertain) and effect.pattern else literally(effect.path)
    holding = effect.holding if isinstance(effect, Uncertain) else ""
    return Uncertain(f"**/{_UPWARDS.sub('', pattern)}", pattern=True, holding=holding, inferred=True)


_UPWARDS = re.compile(r"^(?:\.{1,2}/)+")


def _placed(found: Sequence[Effect], cwd: str | None) -> list[Effect]:
    """With paths from where the line was started; what was shown of those nobody can tell is left out."""
    placed: list[Effect] = []
    for effect in found:
        path = joined(cwd, effect.path)
        if path is None:
            if not isinstance(effect, (Shown, Mixed)):
                placed.append(_somewhere(effect))
            continue
        if isinstance(effect, Moved):
            to = joined(cwd, effect.to)
            placed += [] if to is None else [replace(effect, path=path, to=to)]
        elif isinstance(effect, Changed) and effect.like:
            placed.append(replace(effect, path=path, like=joined(cwd, effect.like) or ""))
        else:
            placed.append(replace(effect, path=path))
    return placed
