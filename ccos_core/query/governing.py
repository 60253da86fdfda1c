"""`govern` and `expire`: what principals may see, how long statements last, and writing down what has run out.

Only the owner governs: what others record as a policy isn't read. A policy is an op, so each step knows the one that
was in force. Nothing expires by itself: `expire` takes a time and records what had run out by then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar

from ccos_core.errors import Refused, Usage
from ccos_core.memory.boundaries import time_of
from ccos_core.memory.entry import LEVELS
from ccos_core.memory.view import ANY, LISTS, Policy, policy_of
from ccos_core.present.parts import and_more
from ccos_core.present.rows import Row, Span, View, clean, note, row, title
from ccos_core.present.words import count, duration
from ccos_core.query.question import Argument, Plan, Question
from ccos_core.query.remembered import LIVE, remembered_until
from ccos_core.query.saying.utterance import USER
from ccos_core.query.viewed import POLICY, policy_at, policy_step

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

SHOW, SET = "show", "set"
GRANT_WORDS = {
    "regions": "only regions {}",
    "denied_regions": "not regions {}",
    "classes": "only classes {}",
    "denied_classes": "not classes {}",
    "tags": "only tags {}",
    "denied_tags": "not tags {}",
    "agents": "entries of agents {}",
}


@dataclass(frozen=True, slots=True)
class Governed:
    """The policy in force: the answer to `govern`."""

    schema: ClassVar[str] = "ccos.governed/1"
    at: int
    """The last step when it was asked."""

    since: int
    """The step that recorded it; 0 of the one that holds until the owner records another."""

    hash: str
    """Its hash, as windows that are handed out name it."""

    policy: Mapping[str, Any]
    """As it is recorded: `principals`, `lifetimes` in milliseconds by class, `thresholds`, `budgets`."""

    changed: bool = False
    """Whether this question has recorded it."""

    step: int = 0
    """The step it was recorded at now; 0 if it wasn't."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """One row for each principal, then the lifetimes and figures."""
        return list(_policy_rows(self))


@dataclass(frozen=True, slots=True)
class Expired:
    """What had run out: the answer to `expire`."""

    schema: ClassVar[str] = "ccos.expired/1"
    now: int
    """The time it was asked for, in milliseconds."""

    policy: str
    """The hash of the policy that gives classes their lifetime."""

    nodes: tuple[str, ...]
    """The statements that had run out and were live."""

    texts: tuple[str, ...]
    """The words of each."""

    step: int = 0
    """The step that records it; 0 if nothing had run out."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """Say which statements have expired."""
        when = datetime.fromtimestamp(self.now / 1_000, UTC).strftime("%Y-%m-%d %H:%M UTC")
        shown, more = view.some(list(zip(self.nodes, self.texts, strict=False)), 40)
        rows = [row(Span(f"  {clean(node)}", "link"), f"  {clean(text)}") for node, text in shown]
        head = f"{count(len(self.nodes), 'statement')} had run out by {when}"
        return [title(head), *rows, *and_more(more, "statement")]


def govern(timeline: Timeline, at: int, actor: str, action: str, policy: str | None) -> Plan:
    """Show the policy in force, or plan to put another in its place."""
    now = policy_at(timeline, timeline.head)
    since = policy_step(timeline, timeline.head)
    if action == SHOW:
        if policy:
            raise Usage("show takes no policy", place=policy[:40], hint="govern set JSON")
        return Plan((), Governed(timeline.head, since, now.hash, now.as_json()))
    if actor != USER:
        raise Refused("only the owner governs", place="govern", hint="Use the command line, without --as.")
    if not policy:
        hint = 'As in: govern set {"principals": {"agent": {"level": "low"}}}'
        raise Usage("needs a policy", place="govern set", hint=hint)
    new = policy_of(policy)
    if new == now:
        return Plan((), Governed(timeline.head, since, now.hash, now.as_json()))
    op = {"kind": "governed", "name": POLICY, "policy": new.as_json()}
    return Plan((op,), Governed(timeline.head, timeline.head + 1, new.hash, new.as_json(), changed=True))


def expire(timeline: Timeline, at: int, actor: str, now: str | None) -> Plan:
    """Plan to record which statements had run out by a time; without one, by the time of the last step."""
    if actor != USER:
        hint = "Use the command line, without --as."
        raise Refused("only the owner lets statements expire", place="expire", hint=hint)
    time = time_of(now) if now is not None else timeline.time(timeline.head) or 0
    policy = policy_at(timeline, timeline.head)
    found = dict(_run_out(timeline, policy, time))
    answer = Expired(time, policy.hash, tuple(found), tuple(found.values()))
    op = {"kind": "expired", "nodes": list(found), "policy": f"lifetime {policy.hash[:16]}", "now": time}
    return Plan((op,) if found else (), answer)


# ---- helpers ----


def _run_out(timeline: Timeline, policy: Policy, now: int) -> Iterator[tuple[str, str]]:
    """Yield (node, words) of the statements whose lifetime is over: their own, or else that of their class."""
    for node, known in remembered_until(timeline, timeline.head).items():
        lifetime = known.lifetime or policy.lifetimes.get(known.cls, 0)
        began = timeline.time(known.stated)
        if known.standing == LIVE and not known.pinned and lifetime and began is not None and began + lifetime <= now:
            yield node, known.text


def _policy_rows(answer: Governed) -> Iterator[Row]:
    where = f"recorded at step {answer.since:,}" if answer.since else "as it is until you record another"
    yield title(f"policy {answer.hash[:12]}, {where}")
    for name, grant in answer.policy["principals"].items():
        said = [f"sees up to {grant['level']}" if grant["level"] != LEVELS[-1] else "sees everything"]
        said += [GRANT_WORDS[key].format(", ".join(grant[key])) for key in LISTS if grant[key] and grant[key] != [ANY]]
        if not grant["agents"]:
            said.append("no entries of other agents")
        yield row(f"  {clean(name)}: {clean('; '.join(said))}")
    for cls, millis in answer.policy["lifetimes"].items():
        yield row(f"  {clean(cls)} expires after {duration(millis)}")
    for part in ("thresholds", "budgets"):
        for key, value in answer.policy[part].items():
            yield row(f"  {part[:-1]} {clean(key)}: {value:,}")
    yield note("  Others see nothing.")


QUESTIONS = {
    "govern": Question(
        ask=govern,
        answers=(Governed,),
        writes=True,
        needs=("actor",),
        timeless=True,
        example='govern set {"principals": {"agent": {"level": "low"}}, "lifetimes": {"diary": "90d"}}',
        arguments=(
            Argument("action", "word", "show or set", default=SHOW, words=(SHOW, SET)),
            Argument("policy", "text", "the policy as JSON"),
        ),
        about=(
            "A principal sees statements up to its level: "
            + ", ".join(LEVELS)
            + "; what has no label is medium. A policy may also name regions, classes and tags that it sees or doesn't "
            "see, and other agents whose statements it sees. `agent` sees up to medium unless a policy changes "
            "that. A threshold `latency` in milliseconds has `entries` and `wm_search` warn of slower queries. What a "
            "policy leaves out is as it was before any was recorded."
        ),
    ),
    "expire": Question(
        ask=expire,
        answers=(Expired,),
        writes=True,
        needs=("actor",),
        timeless=True,
        example="expire --now 2026-03-01",
        arguments=(Argument("now", "name", "the time to count from; by default that of the last step", flag=True),),
        about=(
            "A statement has the lifetime it was remembered with, or that of its class in the policy. What is pinned "
            "doesn't expire. `remember` makes an expired statement live again."
        ),
        nothing=lambda answer: not answer.nodes,
    ),
}
