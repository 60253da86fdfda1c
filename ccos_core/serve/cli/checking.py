"""`check`: gate a session in continuous integration."""

from __future__ import annotations

import os
from xml.sax.saxutils import quoteattr

import click

from ccos_core.errors import Usage
from ccos_core.serve import exits, terminal
from ccos_core.serve.answering import Manner, show, told_of_damage
from ccos_core.serve.cli.asking import desk_of
from ccos_core.serve.cli.common import FORMATS, JSON_OPTION, keep_format, reading, workspace_argument
from ccos_core.serve.terminal import Bars

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ccos_core.query.check.answer import Check, Checked
    from ccos_core.query.check.rules import Settings

RULES_BYTES = 1 << 20
"""Size of a rules file at most."""


@click.command("check")
@workspace_argument
@click.option("--rules", metavar="FILE", type=click.Path(path_type=str), help="A TOML file with rules.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "junit", *FORMATS]),
    default="text",
    callback=keep_format,
    is_eager=True,
    help="How to print the result.",
)
@click.option("--json", "as_json", **JSON_OPTION)
def check_command(ws: str, rules: str | None, form: str, as_json: bool) -> int:
    """Check WS against rules; exit code 1 if one is broken.

    \b
        ccos-tui check work.ccos
        ccos-tui check session.jsonl --format junit

    Without --rules: nothing fails at the end, no loops, no secrets outside of prompts, no edits outside of the
    project, no dangerous commands. Limits for tokens, the window and cost are off until a rules file sets them.
    An unknown rule or option is a usage error, exit code 2. docs/REPORTS.md lists all rules.
    """
    from ccos_core.query.check import check
    from ccos_core.session.settings import prices

    given = _rules(rules)
    bars = Bars()
    with reading(ws) as record, desk_of(record, bars) as desk:
        try:
            answer = check(desk.timeline, desk.timeline.head, given, prices)
        finally:
            bars.end()
        if form == "junit" and not as_json:
            for line in junit(answer, os.path.basename(record.path)):
                terminal.show(line)
        else:
            show(answer, Manner.JSON if as_json else Manner.LINES, desk.timeline.partial)
        if told_of_damage(desk):
            return exits.DAMAGED
    return exits.DONE if answer.passed else exits.NO


def _rules(path: str | None) -> Mapping[str, Settings]:
    """Read the rules; whatever is wrong with the file is a usage error, so that it never looks like a broken rule."""
    from ccos_core.query.check.rules import default_rules, rules_of

    if path is None:
        return default_rules()
    try:
        with open(path, "rb") as file:
            data = file.read(RULES_BYTES + 1)
    except OSError as error:
        raise Usage(f"can't be read: {(error.strerror or str(error)).lower()}", place=path) from error
    if len(data) > RULES_BYTES:
        raise Usage("is too large for a rules file", place=path)
    try:
        return rules_of(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Usage("is not UTF-8", place=path) from error
    except Usage as error:
        raise Usage(error.fact, place=path, hint=error.hint) from error


def junit(answer: Check, name: str) -> Iterator[str]:
    """Yield the lines of a JUnit file: a test case for each rule."""
    from ccos_core.present.rows import clean

    broken = sum(bool(each.broken) for each in answer.rules)
    counts = f'tests="{len(answer.rules) + len(answer.off)}" failures="{broken}" errors="0" skipped="{len(answer.off)}"'
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<testsuites {counts}>"
    yield f'<testsuite name={quoteattr(f"ccos-tui check {clean(name)}")} {counts} time="0">'
    for each in answer.rules:
        yield from _case(each)
    for rule in answer.off:
        yield f'<testcase classname="ccos-tui.check" name="{rule}" time="0"><skipped/></testcase>'
    yield "</testsuite>"
    yield "</testsuites>"


def _case(checked: Checked) -> Iterator[str]:
    from xml.sax.saxutils import escape

    case = f'<testcase classname="ccos-tui.check" name="{checked.rule}" time="0"'
    if not checked.broken:
        yield f"{case}/>"
        return
    words = [each.words for each in checked.broken]
    words += [f"and {checked.more:,} more"] * bool(checked.more)
    yield f'{case}><failure type="broken" message={quoteattr(words[0])}>'
    yield from (escape(each) for each in words)
    yield "</failure></testcase>"
