"""`playbook`: the rules of a workspace as a file, and rules of a file in a workspace."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ccos_core.errors import NotFound, NotUnderstood, Usage
from ccos_core.learn.maturity import CANDIDATE, DEPRECATED, maturity
from ccos_core.learn.rule import CATEGORY_TAG, IMPORT, LIVE
from ccos_core.memory.view import AGENT, OWNER
from ccos_core.present.words import count
from ccos_core.query.playbook.playbook_rules import last_time, read_playbook
from ccos_core.query.saying.utterance import memo_id
from ccos_core.serve import exits, terminal
from ccos_core.serve.cli.asking import desk_of
from ccos_core.serve.cli.common import reading, tell, workspace, workspace_argument
from ccos_core.serve.playbook_files import FORMATS, MARKDOWN, TOON, YAML, FiledRule, read, with_block, written
from ccos_core.serve.terminal import Bars
from ccos_core.text.retrieval.carried import normalised_words

if TYPE_CHECKING:
    from ccos_core.session.asking import Desk

EXPORT, IMPORT_FROM = ACTIONS = ("export", "import")
LARGEST_FILE = 1 << 22  # bytes
ENDINGS = {".md": MARKDOWN, ".markdown": MARKDOWN, ".toon": TOON}
"""Ending of a file's name → how rules are written to it, unless that is said."""


@click.command("playbook")
@click.argument("action", type=click.Choice(ACTIONS))
@workspace_argument
@click.argument("file", required=False, metavar="[FILE]", type=click.Path(path_type=str))
@click.option("--format", "form", type=click.Choice(FORMATS), help="With export; else by the ending of FILE, or YAML.")
def playbook_command(action: str, ws: str, file: str | None, form: str | None) -> int:
    """Write the rules of WS that are in force to FILE, or take rules from FILE.

    Without FILE, export prints them. As Markdown they are a block between two marked lines: FILE keeps all else that
    it holds, a second export changes nothing, and rules that agents may not see are left out. Import reads what export
    wrote, or the block in a file. A rule that WS knows already, or has retired, is left as it is.

    \b
        ccos-tui playbook export work.ccos playbook.yaml
        ccos-tui playbook export work.ccos AGENTS.md
        ccos-tui playbook import work.ccos playbook.yaml
    """
    if action == IMPORT_FROM:
        if file is None:
            raise Usage("playbook import takes WS FILE", hint="See: ccos-tui playbook --help")
        return _import(ws, file)
    form = form or ENDINGS.get(os.path.splitext(file or "")[1].lower(), YAML)
    if file is not None and not os.path.isdir(os.path.dirname(os.path.abspath(file))):
        raise NotFound("there is no such folder", place=os.path.dirname(file))
    bars = Bars()
    with reading(ws) as record, desk_of(record, bars, AGENT if form == MARKDOWN else OWNER) as desk:
        rules = rules_in_force(desk)
    bars.end()
    return _export(rules, file, form)


def rules_in_force(desk: Desk) -> list[FiledRule]:
    """Return the rules that are told at the last step, as a file has them."""
    timeline = desk.timeline
    now = last_time(timeline, timeline.head)
    playbook = read_playbook(timeline, timeline.head, desk.user())
    found = []
    for each in playbook.in_force():
        trust = maturity(each, now, playbook.thresholds)
        if trust != DEPRECATED and not each.session:
            found.append(FiledRule(each.content, each.kind, each.category, each.scope, trust))
    return found


def _export(rules: Sequence[FiledRule], file: str | None, form: str) -> int:
    from ccos_core.session.setup import writing

    if file is None:
        terminal.show_bytes(written(rules, form).removesuffix("\n").encode("utf-8"))
        return exits.DONE
    before = writing.read(file)
    if form == MARKDOWN:
        after = with_block(_text(before or b"", file), rules, file).encode("utf-8")
    else:
        if before is not None:
            read(_text(before, file), file)  # only a file of ours is replaced
        after = written(rules, form).encode("utf-8")
    if after != before:
        writing.replace_file(file, before, after, private=False)
    tell(f"{count(len(rules), 'rule')} in {file}{'' if after != before else ', as before'}")
    return exits.DONE


def _import(ws: str, file: str) -> int:
    from ccos_core.session.session import open_session
    from ccos_core.session.settings import recording_allowed

    recording_allowed()
    if not os.path.isfile(file):
        raise NotFound("there is no such file", place=file)
    with open(file, "rb") as opened:
        found = read(_text(opened.read(LARGEST_FILE + 1), file), file)
    bars = Bars()
    with reading(ws) as record, desk_of(record, bars) as desk:
        known = {each.id: each for each in read_playbook(desk.timeline, desk.timeline.head, desk.user()).rules}
    bars.end()
    new = {memo_id(normalised_words(each.text)): each for each in found}
    taken = {memo: each for memo, each in new.items() if memo not in known}
    retired = [memo for memo in new if memo in known and known[memo].standing != LIVE]
    ops = [op for memo, each in taken.items() for op in _ops(memo, each, os.path.basename(file))]
    if ops:
        with open_session(workspace(ws), stay=False) as session:
            session.record(ops)
    known_before = len(new) - len(taken) - len(retired)
    left = f", {known_before:,} known before" if known_before else ""
    left += f", {count(len(retired), 'rule')} left retired" if retired else ""
    tell(f"took {count(len(taken), 'rule')} of {len(new):,} from {file}{left}")
    return exits.DONE


def _ops(memo: str, rule: FiledRule, source: str) -> list[dict[str, Any]]:
    """Return what is recorded of a rule; one that a file trusts is established here, too."""
    tags = [f"{CATEGORY_TAG}{rule.category}"] if rule.category else []
    said = {"kind": "remembered", "memo": memo, "class": rule.kind, "words": rule.text, "scope": rule.scope}
    remembered = {**said, **({"tags": tags} if tags else {}), "reason": f"from {source}", "actor": "user"}
    if rule.maturity in (CANDIDATE, DEPRECATED):
        return [remembered]
    trusted = {"kind": "supported", "claim": memo, "weight": 1_000, "way": IMPORT, "by": [], "actor": "user"}
    return [remembered, {**trusted, "words": f"{rule.maturity} in {source}"}]


def _text(data: bytes, file: str) -> str:
    if len(data) > LARGEST_FILE:
        raise NotUnderstood(f"has more than {LARGEST_FILE:,} bytes", place=file)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotUnderstood("isn't UTF-8", place=file) from error
