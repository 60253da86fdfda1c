"""`remember`, `annotate`, `feedback`, `retract`, `supersede`, `label`: what a person or an agent says of a statement.

Each plans the ops of the vocabulary that say so. What the record says already isn't planned again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ccos_core.errors import NotFound, Refused, Usage
from ccos_core.memory.entry import LEVELS, OWNING_ACTOR, UNLABELLED_LEVEL
from ccos_core.query.catalogue import CLASSES, HOWS, PRIVACY, SCOPES
from ccos_core.query.contexts import last_speaker
from ccos_core.query.node_names import claim_node, known_statements, statement_named, statement_words
from ccos_core.query.question import Argument, Plan
from ccos_core.query.recorded import Home, home_of, planned, writing
from ccos_core.query.remembered import (
    AGAINST,
    CLAIM,
    EXPLICIT,
    FOR,
    FULL_WEIGHT,
    LIVE,
    MEMO,
    RETRACTED,
    SUPERSEDED,
)
from ccos_core.query.saying.utterance import memo_id
from ccos_core.text.moments import duration_millis
from ccos_core.text.sanitize import clean

if TYPE_CHECKING:
    from ccos_core.query.remembered import Assertions
    from ccos_core.replay.timeline import Timeline


Op = dict[str, Any]
_, USER, SESSION = SCOPES
PINS = {True: "pinned", False: "not pinned", None: ""}
LONGEST_TEXT = 20_000  # characters of a statement or a note


def remember(timeline: Timeline, at: int, user: Timeline | None, actor: str, **given: Any) -> Plan:
    """Plan to remember a text, or to confirm a statement that was said, named by its id."""
    memo, text = _statement(timeline, user, given["text"])
    home = Home(user, True) if given["scope"] == USER else home_of(timeline, user, memo)
    if given["scope"] not in (None, USER):
        home = Home(timeline)
    known = home.known(memo, actor)
    cls, scope = given["class"] or known.cls or CLASSES[0], given["scope"] or known.scope or SCOPES[0]
    about, tags, reason = list(given["about"]), list(given["tag"]), bounded_text(given["reason"])
    lifetime = _millis(given["lifetime"])
    where = _speaking(timeline) if scope == SESSION else {}
    same = known.born and known.standing == LIVE and not known.inferred and known.session == where.get("session", "")
    same = same and (known.cls, known.scope) == (cls, scope)
    same = same and set(about) <= set(known.about) and set(tags) <= set(known.tags)
    same = same and (known.author == "user" or actor != "user")  # a person confirms what an agent remembered
    same = same and not (actor == "user" and _is_deprecated(timeline, at, user, memo))
    if same and lifetime in (0, known.lifetime) and reason in ("", known.reason):
        return planned(home, [memo], (), "remembered", text=text, was=known.stated, actor=actor)
    more: Op = {
        "about": list(dict.fromkeys((*known.about, *about))),
        "tags": tags,
        "lifetime": lifetime or None,
        "reason": reason or None,
        **where,
    }
    op = {"kind": "remembered", "memo": memo, "class": cls, "words": text, "scope": scope, **more}
    return planned(home, [memo], [op], "remembered", text=text, actor=actor)


def annotate(timeline: Timeline, at: int, user: Timeline | None, node: str, text: str) -> Plan:
    """Plan a note on a node."""
    text, home = bounded_text(text), home_of(timeline, user, node)
    statement_words(text)
    was = next((each.step for each in home.known(node).notes if each.text == text), 0)
    ops = [] if was else [{"kind": "annotation", "node": node, "note": text}]
    return planned(home, [node], ops, "annotation", text=text, was=was)


def feedback(timeline: Timeline, at: int, user: Timeline | None, actor: str, node: str, sign: str, words: str) -> Plan:
    """Plan explicit evidence for or against a statement or a claim."""
    return speak(home_of(timeline, user, _believed(node)), actor, node, FOR if sign == "+" else AGAINST, words)


def speak(
    home: Home, actor: str, node: str, kind: str, words: str, by: tuple[str, ...] = (), weight: int = FULL_WEIGHT
) -> Plan:
    """Plan evidence; none if the last that this actor gave explicitly said the same."""
    words = bounded_text(words)
    given = [each for each in home.known(node).evidence if each.way == EXPLICIT and each.actor == actor]
    last = given[-1] if given else None
    new = (kind == FOR, weight, by, words)
    if last is not None and (last.supports, last.weight, last.by, last.words) == new:
        return planned(home, [node], (), kind, text=words, was=last.step)
    op = {"kind": kind, "claim": node, "weight": weight, "by": list(by), "words": words or None, "way": EXPLICIT}
    return planned(home, [node], [op], kind, text=words)


def retract(timeline: Timeline, at: int, user: Timeline | None, actor: str, node: str, words: str) -> Plan:
    """Plan to take a statement or a claim back."""
    home, words = home_of(timeline, user, _believed(node)), bounded_text(words)
    known = home.known(node, actor)
    if known.standing == RETRACTED:
        return planned(home, [node], (), RETRACTED, was=known.since, actor=actor)
    op = {"kind": RETRACTED, "claim": node, "words": words or None}
    return planned(home, [node], [op], RETRACTED, text=words, actor=actor)


def supersede(timeline: Timeline, at: int, user: Timeline | None, actor: str, node: str, new: str, how: str) -> Plan:
    """Plan that a statement or a claim takes the place of another; new words are remembered as the old ones were."""
    home = home_of(timeline, user, _believed(node))
    known = home.known(node, actor)
    ops: list[Op] = []
    if node.startswith(CLAIM):
        by, text = claim_node(bounded_text(new)), ""
    else:
        by, text = _statement(timeline, user, new)
        if not home.known(by, actor).born or home.known(by, actor).standing != LIVE:
            filed = {"class": known.cls or CLASSES[0], "scope": known.scope or SCOPES[0], "tags": list(known.tags)}
            where = {"host": known.host, "session": known.session} if known.session else {}
            ops = [{"kind": "remembered", "memo": by, "words": text, **filed, **where}]
    if by == node:
        raise Usage("can't supersede itself", place=node)
    if (known.standing, known.by, known.how) == (SUPERSEDED, by, how) and not ops:
        return planned(home, [node], (), SUPERSEDED, was=known.since, actor=actor)
    ops.append({"kind": SUPERSEDED, "claim": node, "by": by, "how": how})
    return planned(home, [node, by], ops, SUPERSEDED, text=text, actor=actor)


def label(timeline: Timeline, at: int, user: Timeline | None, actor: str, nodes: tuple[str, ...], **given: Any) -> Plan:
    """Plan labels of nodes, for those that don't have them yet."""
    pinned = {"yes": True, "no": False}.get(given["pin"])
    if not (given["privacy"] or given["tag"] or given["untag"] or given["region"] or given["pin"]):
        raise Usage("needs a label", place="label", hint="Use --privacy, --region, --tag, --untag or --pin.")
    home = one_home(timeline, user, nodes)

    def differs(node: str) -> bool:
        known = home.known(node)
        lacks = not set(given["tag"]) <= set(known.tags) or set(given["untag"]) & set(known.tags)
        private = given["privacy"] not in (None, known.privacy)
        elsewhere = given["region"] and sorted(given["region"]) != sorted(known.regions)
        return bool(lacks or private or elsewhere or pinned not in (None, known.pinned))

    new = [node for node in nodes if differs(node)]
    if actor != OWNING_ACTOR:
        _check_nothing_is_lowered([home.known(node) for node in new], given["privacy"], given["region"])
    more: Op = {"privacy": given["privacy"], "tags": list(given["tag"]), "untagged": list(given["untag"])}
    more["regions"] = sorted(given["region"])
    ops = [{"kind": "labelled", "nodes": new, **more, "pinned": pinned}] if new else []
    said = [
        *given["region"],
        *given["tag"],
        *(f"not {each}" for each in given["untag"]),
        *filter(None, (given["privacy"], PINS[pinned])),
    ]
    return planned(home, new or nodes, ops, "labelled", text=bounded_text(", ".join(said)))


# ---- helpers ----


def _is_deprecated(timeline: Timeline, at: int, user: Timeline | None, memo: str) -> bool:
    """Tell whether feedback deprecated a rule, so that a person who remembers it says something new."""
    from ccos_core.learn.maturity import deprecation
    from ccos_core.query.playbook.playbook_rules import read_playbook

    playbook = read_playbook(timeline, at, user)
    rule = playbook.rule(memo)
    return rule is not None and deprecation(rule, playbook.thresholds) is not None


def _check_nothing_is_lowered(labelled: list[Assertions], privacy: str | None, regions: tuple[str, ...]) -> None:
    """Raise `Refused` where anyone but the owner would let more be seen than before."""
    for known in labelled:
        level = LEVELS.index(known.privacy) if known.privacy else UNLABELLED_LEVEL
        if (privacy and LEVELS.index(privacy) < level) or (regions and not set(known.regions) <= set(regions)):
            raise Refused("only the owner lowers a label", place=known.node, hint="Ask the user to do so.")


def bounded_text(text: str | None) -> str:
    """Return a text as the gate will record it."""
    if len(text or "") > LONGEST_TEXT:
        raise Usage(f"is longer than {LONGEST_TEXT:,} characters", place=(text or "")[:40] + "…")
    return clean(text or "")[0].strip()


def _speaking(timeline: Timeline) -> dict[str, str]:
    """Return the header of an op of the session that spoke last."""
    last = last_speaker(timeline, timeline.head)
    if last is None:
        raise NotFound("there is no session in this record", place="session", hint="Use --scope project.")
    return {"host": last.host, "session": last.session}


def one_home(timeline: Timeline, user: Timeline | None, nodes: tuple[str, ...]) -> Home:
    """Return where these nodes are at home. Raises `Usage` if they belong into different records."""
    homes = [home_of(timeline, user, node) for node in nodes]
    if len({home.is_user for home in homes}) > 1:
        raise Usage("belong into different records", place=" ".join(nodes)[:80], hint="Name them one by one.")
    return homes[0]


def _statement(timeline: Timeline, user: Timeline | None, said: str) -> tuple[str, str]:
    """Return (memo, words) of a statement's id, or of words."""
    if said.startswith(MEMO):
        memo = statement_named(timeline, said, timeline.head, user)
        return memo, known_statements(timeline, timeline.head, user)[memo]
    text = bounded_text(said)
    return memo_id(statement_words(text)), text


def _believed(node: str) -> str:
    """Return the node if it can be believed and taken back."""
    if not node.startswith((MEMO, CLAIM)):
        raise Usage("is neither a statement nor a claim", place=node, hint="`statements` and `claims` list them.")
    return node


def _millis(said: str | None) -> int:
    if not said:
        return 0
    try:
        return duration_millis(said)
    except ValueError:
        raise Usage("isn't a lifetime", place=said[:40], hint="As in: 90m, 12h, 30d or 2w.") from None


NODE = Argument("node", "thing", "a statement (memo:ID) or a claim (claim:WORDS)", required=True)
WORDS = Argument("words", "text", "why", default="")
QUESTIONS = {
    "remember": writing(
        remember,
        "remember Use tabs in Makefiles. --class preference",
        (
            Argument("class", "word", "what it is", flag=True, words=CLASSES),
            Argument("scope", "word", "where it holds", flag=True, words=SCOPES),
            Argument("about", "things", "what it is about", default=(), flag=True),
            Argument("tag", "texts", "a tag", default=(), flag=True),
            Argument("lifetime", "name", "when it may expire: 90m, 12h, 30d, 2w", flag=True),
            Argument("reason", "name", "why it is worth remembering", flag=True),
            Argument("text", "text", "the words, or the memo:ID of a statement to confirm", required=True),
        ),
        about="A new statement is a note and holds in this project. One that is known keeps its class and scope.",
    ),
    "annotate": writing(
        annotate,
        "annotate src/db.py the retry belongs here",
        (
            Argument("node", "thing", "a statement, a claim, a path or a symbol", required=True),
            Argument("text", "text", "the note", required=True),
        ),
        needs=("user",),
    ),
    "feedback": writing(
        feedback,
        "feedback memo:ae13bce2194772e7 + it helped",
        (NODE, Argument("sign", "word", "helpful or harmful", required=True, words=("+", "-")), WORDS),
        about="Feedback is evidence, as `support` and `contradict` give it for claims.",
    ),
    "retract": writing(
        retract,
        "retract memo:ae13bce2194772e7",
        (NODE, WORDS),
        about="Earlier steps keep what was known then. `remember` makes a statement live again. A statement "
        "of the user stays live until a person retracts it.",
    ),
    "supersede": writing(
        supersede,
        "supersede memo:ae13bce2194772e7 Use spaces everywhere.",
        (
            NODE,
            Argument("how", "word", "how the new one relates to the old one", default=HOWS[0], flag=True, words=HOWS),
            Argument("new", "text", "the new words, or the memo:ID of a statement", required=True),
        ),
    ),
    "label": writing(
        label,
        "label src/db.py --tag storage",
        (
            Argument("nodes", "things", "what to label", required=True),
            Argument("privacy", "word", "who may see it", flag=True, words=PRIVACY),
            Argument(
                "region", "texts", "a region it belongs to; all of them replace those before", default=(), flag=True
            ),
            Argument("tag", "texts", "a tag to add", default=(), flag=True),
            Argument("untag", "texts", "a tag to remove", default=(), flag=True),
            Argument("pin", "word", "whether it never expires", flag=True, words=("yes", "no")),
        ),
        needs=("user", "actor"),
    ),
}
