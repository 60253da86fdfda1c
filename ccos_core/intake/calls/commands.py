"""What a shell command did to files, as far as its line and its output tell: parsed, not guessed from words.

The line gives the programs that were run (`running`), each what it may have printed (here) and done (`writing`); the
output is cut among them (`splitting`), and what is certain of each is laid on what it shows (`views`, `hits`). Behind
a mark that a host or a shell put into an output nothing is certain any more.

Of PowerShell only a line that is one `Get-Content` and what picks lines of it is read; its short names (`gc`, `type`)
mean something else in other shells.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from ccos_core.intake.calls import searches, views
from ccos_core.intake.calls.arguments import operands, printed, read_arguments
from ccos_core.intake.calls.effects import Changed, Effect, Mixed, Moved, Shown, Uncertain, Wrote
from ccos_core.intake.calls.numbered import TAB
from ccos_core.intake.calls.running import LOUD, Run, joined, runs
from ccos_core.intake.calls.searches import Search
from ccos_core.intake.calls.splitting import ANYTHING, SILENT, Cut, Printed, split
from ccos_core.intake.calls.stages import Stage, literally
from ccos_core.intake.calls.views import View
from ccos_core.intake.calls.writing import WRITING, Refused, both_ends, written

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


_HEADER = re.compile(
    r"Warning: truncated output \([^\n]{0,80}\)\n(?:Total output lines: \d+\n)?\n?"
    r"|<persisted-output>\nOutput too large [^\n]{0,400}\n\nPreview \([^\n]{0,80}\):\n"
)
_COUNTED = r"(?:lines?|characters|chars|tokens|bytes)"
_LEFT_OUT = (
    "truncated",
    "omitted",
    "elided",
    "clipped",
    "skipped",
    "not shown",
    "too l",
    "…",
    "persisted-output",
    "output_tail",
)
"""Words without which there is no mark, in small letters: most outputs have none of them."""
_MARK = re.compile(
    rf"… ?\+?\d[\d,]{{0,15}} {_COUNTED}|…[^\n]{{0,20}}truncated…"
    rf"|\d[\d,]{{0,15}} (?:more )?{_COUNTED}\]? (?:were )?(?:truncated|omitted|elided|clipped|skipped|not shown)"
    rf"|\[(?:\.\.\. ?)?(?:output |content |observation |results? )?(?:truncated|omitted|clipped|elided)"
    rf"|<response clipped>|<(?:output_tail|elided_chars)>|</?persisted-output>|\n\.\.\.\n</persisted-output>"
    rf"|(?:output|observation)[^\n]{{0,20}} (?:was |is |has been )?(?:truncated|clipped|too large|too long)",
    re.IGNORECASE,
)
_SHELL = re.compile(
    r"(?:/\S+: line \d+: \S+: (?:Operation not permitted|No such file or directory|Permission denied)"
    r"|(?:\S*/)?(?:bash|sh|zsh): (?:warning: setlocale|warning: shell level|cannot set terminal process group"
    r"|no job control in this shell)[^\n]*)\n"
)
_TROUBLE = (
    "o such file or directory", "ermission denied", "Is a directory", "Not a directory", "Read-only file system",
    "did not match any", "not under version control", "cannot overwrite", "are the same file",
    "Operation not permitted", "bad source", "would be over",
)  # fmt: skip
_LOST = re.compile(
    r"(?:^|\n|: )(?:cd: |(?:zsh|\(eval\)):cd:\d+: )[^\n]{0,300}"
    r"(?:No such file|Not a directory|Permission denied)",
    re.IGNORECASE,
)
COMPLAINT = (
    r"(?:(?:zsh|\(eval\)):(?:\w{{1,20}}:)?\d+: "
    r"|(?:[\w./-]{{0,80}}: )?(?:line \d+: |\d+: )?(?:[\w./-]{{0,80}}/)?(?:{}): )"
)
"""What a program or the shell that couldn't run it says of it, in front."""


def seen(output: str) -> tuple[str, bool]:
    """(the part of an output that is as it was printed, whether something was left out behind it)."""
    header = _HEADER.match(output)
    start = header.end() if header is not None else 0
    while (noise := _SHELL.match(output, start)) is not None:
        start = noise.end()
    text, small = output[start:], output.lower()
    mark = _MARK.search(text) if any(word in small for word in _LEFT_OUT) else None
    if mark is None:
        return text, header is not None
    return text[: text.rfind("\n", 0, mark.start()) + 1], True


def complains(text: str, program: str) -> bool:
    """Whether a text begins as a complaint of a program does, or of the shell that was to run it."""
    return re.match(COMPLAINT.format(f"{re.escape(program)}|bash|sh|zsh|dash"), text) is not None


def is_calm(text: str, programs: Sequence[str]) -> bool:
    """Whether none of these programs, and no shell, says that something couldn't be done."""
    said = [name for name in (*programs, "bash", "sh", "zsh") if f"{name}: " in text]
    names = "|".join(map(re.escape, said))
    shell = "zsh:" in text or "(eval):" in text
    return not (said or shell) or re.search("^" + COMPLAINT.format(names), text, re.MULTILINE) is None


def complaints(output: str) -> list[str]:
    """The lines that say that something couldn't be done."""
    found = [words for words in _TROUBLE if words in output]
    return [line for line in output.split("\n") if any(words in line for words in found)] if found else []


def got_lost(output: str) -> bool:
    """Whether a `cd` went nowhere."""
    return "cd:" in output and _LOST.search(output) is not None


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
    return searches.hits(shows, whole)


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
    shows = None if _redirected(run.stages[-1]) else views.view(run.stages) or searches.search(run.stages)
    yield _Part(number, replace(_prints(run, shows), optional=not run.ran), shows)


def _prints(run: Run, shows: View | Search | None) -> Printed:
    if isinstance(shows, View):
        most = None if shows.open or shows.most is None else max(shows.most, len(run.stages))
        fed = run.stages[-1].name in ("nl", "awk", "gawk", "mawk", "grep", "rg")
        return Printed(most=most, looks=_or_complaints(_TABBED, run) if shows.way == TAB else None, fed=fed)
    if isinstance(shows, Search):
        return Printed(looks=_or_complaints(searches.LOOKS, run), fed=True)
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
