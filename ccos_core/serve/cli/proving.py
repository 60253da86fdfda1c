"""`verify`: the proof of a record, printed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict

import click

from ccos_core.errors import NotUnderstood, Unavailable
from ccos_core.present import words
from ccos_core.serve import exits, terminal
from ccos_core.serve.cli.common import give, json_option, tell, workspace, workspace_argument
from ccos_core.serve.terminal import coloured
from ccos_core.session.deriving import Rederives
from ccos_core.storage.cache import keeps_journal, keeps_memory
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import Heard, Proof, Trouble, prove, read_anchors
from ccos_core.storage.record import Record

SCHEMA = "ccos.verify/1"


@click.command("verify")
@workspace_argument
@click.option(
    "--anchor",
    type=click.Path(path_type=str, dir_okay=False),
    help="Compare with the head hashes in this file, then add the current one. Keep it where the agent can't write.",
)
@click.option("--thorough", is_flag=True, help="Recompute all facts instead of a sample.")
@json_option
def verify_command(ws: str, anchor: str | None, thorough: bool, as_json: bool) -> int:
    """Check the chain, texts and facts of WS, and name the first step that isn't as recorded.

    \b
        ccos-tui verify work.ccos
        ccos-tui verify work.ccos --anchor ~/heads.txt
    """
    if anchor and os.path.exists(anchor) and not os.path.isfile(anchor):
        raise NotUnderstood("is not a plain file", place=anchor, hint="Name a file for the head hashes.")
    anchors = read_anchors(_kept(anchor)) if anchor and os.path.exists(anchor) else []
    if anchor and os.path.exists(anchor) and os.path.getsize(anchor) and not anchors:
        raise NotUnderstood(
            "contains no head hash", place=anchor, hint="Each line has a step and a hash of 64 hex digits."
        )
    with open_record(workspace(ws)) as record:
        proof = proof_of(record, anchors, thorough=thorough)
    if as_json:
        give(as_answer(proof))
    else:
        terminal.show(as_text(proof))
    if anchor and proof.valid and (proof.proven, proof.head) not in anchors:
        _keep(anchor, proof)
        tell(f"Head of step {proof.proven} added to {anchor}")
    return exits.DONE if proof.valid else exits.DAMAGED


def proof_of(
    record: Record,
    anchors: Iterable[tuple[int | None, str]] = (),
    heard: Heard = lambda done, total: None,
    *,
    thorough: bool = False,
) -> Proof:
    """Walk a record, and hold to account what was kept in place of ops."""
    proof = prove(record, anchors, Rederives(), heard, thorough=thorough)
    if proof.valid and proof.floor and _baseline_holds(record) is False:
        proof.troubles.append(Trouble(proof.floor, "state", "the saved state doesn't match its steps"))
    if proof.valid and _journal_holds(record, heard) is False:
        fact = "the saved journal doesn't match its steps; delete NAME.ccos-cache and it is rebuilt"
        proof.troubles.append(Trouble(proof.proven, "journal", fact))
    if proof.valid and keeps_memory(record.path):
        from ccos_core.session.memory_proof import memory_differs  # for records whose working memory was searched

        if (differs := memory_differs(record)) is not None:
            fact = f"{differs.id} {differs.fact}; delete NAME.ccos-cache-memory and it is rebuilt"
            proof.troubles.append(Trouble(differs.step, "memory", fact))
    return proof


def _baseline_holds(record: Record) -> bool | None:
    from ccos_core.session.worlds import baseline_holds  # the whole engine, for the few records that need it

    return baseline_holds(record)


def _journal_holds(record: Record, heard: Heard) -> bool | None:
    if not keeps_journal(record):
        return None
    from ccos_core.session.journaling import journal_holds  # the same, where somebody has asked something before

    return journal_holds(record, heard)


def as_answer(proof: Proof) -> dict[str, object]:
    """The proof as the JSON object of `--json`."""
    answer = asdict(proof)
    del answer["path"]
    answer["erased"] = [{"content": blob, "step": step} for blob, step in proof.erased]
    answer["away"] = [{"first": first, "last": last, "file": place} for first, last, place in proof.away]
    first = proof.first_break
    return {
        "schema": SCHEMA,
        "valid": proof.valid,
        "first_break": asdict(first) if first else None,
        **answer,
    }


def as_text(proof: Proof) -> str:
    """The proof in words."""
    lines = [
        f"{proof.path}",
        f"  chain     {words.count(proof.proven, 'step')} proven"
        + (f" of {proof.steps:,} readable" if proof.steps > proof.proven else ""),
        f"  contents  {proof.contents:,} proven, {words.size(proof.content_bytes)}",
        f"  facts     {proof.facts:,}" + (f", {proof.rederived:,} of them recomputed" if proof.rederived else ""),
    ]
    if proof.floor:
        lines.append(f"  archive   steps 1 to {proof.floor:,}")
    lines += [
        f"            steps {first:,} to {last:,} are in a missing file: {name}" for first, last, name in proof.away
    ]
    if proof.erased:
        lines.append(f"  erased    {words.count(len(proof.erased), 'content')}, on purpose")
        lines += [f"            {words.short(blob)} erased at step {step}" for blob, step in proof.erased[:10]]
    if proof.anchors:
        lines.append(f"  anchors   {proof.anchors:,} compared")
    lines.append(f"  head      step {proof.proven} {proof.head}")
    lines += _verdict(proof)
    return "\n".join(lines)


def _verdict(proof: Proof) -> list[str]:
    first = proof.first_break
    if first is None:
        return [coloured("OK", "good") + ": nothing was changed since it was recorded."]
    where = f" at step {first.step:,}" if first.step else ""
    lines = [coloured(f"BROKEN{where}", "bad") + f": {first.fact}", *_seen(first)]
    others = [trouble for trouble in proof.troubles if trouble is not first]
    lines += [f"  also {_where(trouble)}{trouble.fact}" for trouble in others[:9]]
    if len(others) > 9:
        lines.append(f"  and {len(others) - 9} more")
    return lines


def _seen(trouble: Trouble) -> list[str]:
    if not trouble.expected:
        return []
    return [f"  expected  {trouble.expected}", f"  found     {trouble.found}"]


def _where(trouble: Trouble) -> str:
    return f"at step {trouble.step:,}: " if trouble.step else ""


def _kept(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError as error:
        raise Unavailable(f"can't be read: {error.strerror}", place=path) from error


def _keep(path: str, proof: Proof) -> None:
    try:
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{proof.proven} {proof.head}\n")
    except OSError as error:
        raise Unavailable(f"the head can't be added: {error.strerror}", place=path) from error
