"""A playbook as a text: YAML, TOON, or a block of Markdown for AGENTS.md; and back.

    written([FiledRule("Format before you commit.", "rule", "git", "project", "proven")], YAML)
    read(text, "playbook.yaml") == the same rules

The block stands between two lines of its own, and nothing else of a file is touched. YAML is read as far as this wrote
it, without a library: each value is JSON on one line, which is YAML as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from ccos_core.errors import NotUnderstood
from ccos_core.learn.maturity import MATURITIES
from ccos_core.learn.rule import CATEGORIES, KINDS, RULE
from ccos_core.serve.terminal import json_text, toon_text
from ccos_core.serve.toon import NotToon
from ccos_core.serve.toon_tables import read as read_toon

SCHEMA = "ccos.playbook/1"
YAML, MARKDOWN, TOON = FORMATS = ("yaml", "markdown", "toon")
BEGIN, END = "<!-- ccos-tui playbook: written by `ccos-tui playbook export` -->", "<!-- end of ccos-tui playbook -->"
SCOPES = ("project", "user", "session")
_ITEM = re.compile(r"- \[([a-z, -]+)\] (.+)")
_PAIR = re.compile(r"  (?:- |  )([a-z_]+): (.+)")


@dataclass(frozen=True, slots=True)
class FiledRule:
    """One rule as a file has it."""

    text: str
    kind: str = RULE
    category: str = ""
    scope: str = "project"
    maturity: str = "candidate"


NAMES = tuple(each.name for each in fields(FiledRule))


def written(rules: Sequence[FiledRule], form: str) -> str:
    """Return rules as a text that ends with a line break."""
    if form == MARKDOWN:
        return "\n".join([BEGIN, *map(_item, rules), END]) + "\n"
    rows = [asdict(each) for each in rules]
    if form == TOON:
        return toon_text({"schema": SCHEMA, "rules": rows}) + "\n"
    lines = [f"schema: {json_text(SCHEMA)}", "rules:" if rows else "rules: []"]
    for row in rows:
        lines += [f"  {'  ' if at else '- '}{name}: {json_text(row[name])}" for at, name in enumerate(NAMES)]
    return "\n".join(lines) + "\n"


def read(text: str, place: str) -> list[FiledRule]:
    """Return the rules of a text that `written` wrote, or of the block in it. Raises `NotUnderstood`."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if (span := _block(lines, place)) is not None:
        return [_from_item(line, place) for line in lines[span[0] + 1 : span[1]] if line.strip()]
    told: Any
    try:
        told = _from_yaml(lines) if lines[0] == f"schema: {json_text(SCHEMA)}" else read_toon(text)
    except NotToon as error:
        raise NotUnderstood(f"isn't a playbook that ccos-tui wrote: {error}", place=place) from error
    if not isinstance(told, dict) or told.get("schema") != SCHEMA or not isinstance(told.get("rules"), list):
        raise NotUnderstood("isn't a playbook that ccos-tui wrote", place=place)
    return [_checked(each, place) for each in told["rules"]]


def with_block(text: str, rules: Sequence[FiledRule], place: str) -> str:
    """Return a text with the block of these rules in the place of the one that it has, or behind its end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    block = written(rules, MARKDOWN).replace("\n", newline)
    lines = text.split("\n")  # a file may have both kinds of line ends
    span = _block([line.removesuffix("\r") for line in lines], place)
    if span is not None:
        before = "".join(f"{line}\n" for line in lines[: span[0]])
        after = "\n".join(lines[span[1] + 1 :])
        return before + (block if after or text.endswith("\n") else block.removesuffix(newline)) + after
    if not text:
        return block
    return text + newline * (2 - text.endswith(newline)) + block


# ---- helpers ----


def _block(lines: Sequence[str], place: str) -> tuple[int, int] | None:
    """Return the numbers of the two lines around the block; None if there is none."""
    begins = [at for at, line in enumerate(lines) if line == BEGIN]
    ends = [at for at, line in enumerate(lines) if line == END]
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or begins[0] > ends[0]:
        raise NotUnderstood(
            "the two lines around the playbook's block don't match",
            place=place,
            hint=f"Leave one pair of them, or none: {BEGIN} and {END}",
        )
    return begins[0], ends[0]


def _item(rule: FiledRule) -> str:
    filed = ", ".join(filter(None, (rule.kind, rule.maturity, rule.scope, rule.category)))
    return f"- [{filed}] {' '.join(rule.text.split())}"


def _from_item(line: str, place: str) -> FiledRule:
    found = _ITEM.fullmatch(line.rstrip())
    if found is None:
        raise NotUnderstood(f"isn't a rule: {line.strip()[:80]}", place=place)
    said = found[1].split(", ")
    given = {"text": found[2]}
    for name, words in (("kind", KINDS), ("maturity", MATURITIES), ("scope", SCOPES), ("category", CATEGORIES)):
        given.update((name, word) for word in said if word in words)
    return FiledRule(**given)


def _from_yaml(lines: Iterable[str]) -> dict[str, object]:
    """Read the lines that `written` makes."""
    rows: list[dict[str, object]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith(("#", "schema:", "rules:")):
            continue
        pair = _PAIR.fullmatch(line)
        if pair is None or (not rows and not line.startswith("  - ")):
            raise NotToon(f"line {number} can't be read")
        if line.startswith("  - "):
            rows.append({})
        try:
            rows[-1][pair[1]] = json.loads(pair[2])
        except (ValueError, RecursionError) as error:
            raise NotToon(f"line {number} isn't a text in quotes") from error
    return {"schema": SCHEMA, "rules": rows}


def _checked(row: object, place: str) -> FiledRule:
    if not isinstance(row, dict) or not isinstance(row.get("text"), str) or not row["text"].strip():
        raise NotUnderstood("has a rule without text", place=place)
    if strange := [name for name, value in row.items() if name not in NAMES or not isinstance(value, str)]:
        raise NotUnderstood(f"has a rule with an unknown field: {str(strange[0])[:40]}", place=place)
    found = FiledRule(**row)
    known = {"kind": KINDS, "category": ("", *CATEGORIES), "scope": SCOPES, "maturity": MATURITIES}
    for name, words in known.items():
        if getattr(found, name) not in words:
            raise NotUnderstood(f"has an unknown {name}: {getattr(found, name)[:40]!r}", place=place)
    return found
