"""`sanitize`: find text that a person doesn't see as a machine reads it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from ccos_core.present.words import count, visible
from ccos_core.serve import exits, terminal
from ccos_core.serve.cli.common import give, json_option, tell

if TYPE_CHECKING:
    from ccos_core.session.sanitizing import Looked
    from ccos_core.session.scan import LeftOut
    from ccos_core.text.injection import Flagged
    from ccos_core.text.sanitize.anomalies import Anomaly

STDIN = "-"
QUOTED_CHARACTERS = 120
"""Of a flagged sentence."""
LARGEST_INPUT = 64 * 2**20
"""Bytes of stdin that are looked at."""


@click.command("sanitize")
@click.argument("paths", metavar="[PATH...]", nargs=-1, type=click.Path(path_type=str))
@click.option("--strict", is_flag=True, help="Let what has an innocent explanation count as well.")
@json_option
def sanitize_command(paths: tuple[str, ...], strict: bool, as_json: bool) -> int:
    """Find hidden characters and look-alike letters; exit code 1 if there are any.

    \b
        ccos-tui sanitize
        ccos-tui sanitize README.md src
        curl -s https://example.org | ccos-tui sanitize -

    Each line of the answer gives a place, the character or word, and what it decodes to: text in tag characters or
    variation selectors, or the Latin word that one with Cyrillic letters is taken for. PATH is a file or a folder (by
    default the current one), `-` stdin. What a language needs to be written passes, such as joiners in Persian and
    emoji. A finding with an innocent explanation, such as a soft hyphen in prose, is a note: it is printed, and counts
    with --strict alone. So is a sentence that reads as an instruction to a model where data should be: that is a
    signal, not a shield. docs/SECURITY.md lists what passes, and says what the signal misses.
    """
    from ccos_core.session.scan import LeftOut

    looked: list[Looked] = []
    left_out: list[LeftOut] = []
    for item in _looked(paths or (os.curdir,)):
        if isinstance(item, LeftOut):
            left_out.append(item)
        else:
            looked.append(item)
    every = [(each.path, anomaly) for each in looked for anomaly in each.found]
    alarms = [(path, anomaly) for path, anomaly in every if strict or not anomaly.note]
    signals = [(each.path, flagged) for each in looked for flagged in each.signals]
    if as_json:
        notes = [] if strict else [(path, anomaly) for path, anomaly in every if anomaly.note]
        _give(len(looked), alarms, notes, signals, left_out, strict=strict)
    else:
        for path, anomaly in every:
            terminal.show(described(path, anomaly))
        for path, flagged in signals:
            terminal.show(signalled(path, flagged))
        tell(_summary(len(looked), len(alarms), len(every) - len(alarms), len(signals), left_out))
    return exits.NO if alarms or (strict and signals) else exits.DONE


def _looked(paths: tuple[str, ...]) -> Iterator[Looked | LeftOut]:
    from ccos_core.session.sanitizing import look, looked_at

    for path in paths:
        if path == STDIN:
            yield look(STDIN, sys.stdin.buffer.read(LARGEST_INPUT))
        else:
            yield from looked_at((path,))


def described(path: str, anomaly: Anomaly) -> str:
    """Return one finding as a line: `a.py:3:7 tag [U+E0068 TAG:h], 2 characters: "hi"`."""
    times = f", {count(anomaly.count, 'character')}" if anomaly.count > 1 and anomaly.kind != "mixed-script" else ""
    said = f": {visible(anomaly.decoded)!r}" if anomaly.decoded else ""
    if anomaly.kind == "mixed-script":
        said = f", taken for {anomaly.decoded!r}"
    note = f" (note: {anomaly.note})" if anomaly.note else ""
    return f"{visible(path)}:{anomaly.line}:{anomaly.column} {anomaly.kind} {anomaly.what}{times}{said}{note}"


def signalled(path: str, flagged: Flagged) -> str:
    """Return one signal as a line: `a.md:3 may be an instruction to a model (overt, 0.93, prose): "Ignore all …"`."""
    said = visible(flagged.text)
    short = f"{said[:QUOTED_CHARACTERS]}…" if len(said) > QUOTED_CHARACTERS else said
    score = f"{flagged.score // 1000}.{flagged.score % 1000 // 10:02}"
    what = f"may be an instruction to a model ({flagged.attack}, {score}, {flagged.kind})"
    return f"{visible(path)}:{flagged.line} {what}: {short!r}"


def _summary(files: int, alarms: int, notes: int, signals: int, left_out: list[LeftOut]) -> str:
    said = f"{count(files, 'file')}: {count(alarms, 'finding')}"
    said += f", {count(notes, 'note')}" if notes else ""
    said += f", {count(signals, 'signal')}" if signals else ""
    return said + (f", {count(len(left_out), 'path')} left out" if left_out else "")


def _give(
    files: int,
    alarms: list[tuple[str, Anomaly]],
    notes: list[tuple[str, Anomaly]],
    signals: list[tuple[str, Flagged]],
    left_out: list[LeftOut],
    *,
    strict: bool,
) -> None:
    give(
        {
            "schema": "ccos.sanitized/1",
            "clean": not alarms and not (strict and signals),
            "files": files,
            "findings": [{"path": path, **asdict(anomaly)} for path, anomaly in alarms],
            "notes": [{"path": path, **asdict(anomaly)} for path, anomaly in notes],
            "signals": [{"path": path, **asdict(flagged)} for path, flagged in signals],
            "left_out": [{"path": each.path, "reason": str(each.reason)} for each in left_out],
        }
    )
