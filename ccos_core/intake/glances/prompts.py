"""What a session began with: the first thing a person said in it, as an import of its first records tells it."""

from __future__ import annotations

from collections.abc import Iterable

from ccos_core.intake.importers.record import Format, Observation, Record


def first_prompt(said: Iterable[Observation]) -> str:
    """The first words of a person in the main conversation; empty where another agent began it."""
    for each in said:
        if each["kind"] != "prompt" or each.get("source") not in ("user", "agent") or each.get("context"):
            continue
        return each["said"] if each["source"] == "user" and isinstance(each["said"], str) else ""
    return ""


def prompt_in(format_: Format, head: Iterable[Record]) -> str:
    """The same, of the first records of a transcript."""
    reader = format_.reader("")
    return first_prompt(each for record in head for each in reader.feed(record))
