"""A recorded session once more, as if each tool result had been shortened before the agent saw it.

What a context holds is folded anew, and a shortened read delivers the lines it shows, no others: so a later read is
only shortened by what the agent could really have seen. What the agent would have done otherwise is unknown; it is
taken to do the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ccos_core.errors import CcosError
from ccos_core.query.squeezing.ledger import Ledger
from ccos_core.query.squeezing.needs import cited, edited_lines, texts_of
from ccos_core.replay.fork import OFTEN, Fork
from ccos_core.state.host import Context
from ccos_core.state.sightings import context_of, text_of
from ccos_core.text.compress.reread import numbered_lines, shorten_edit, shorten_read
from ccos_core.text.compress.router import PLAIN, reference_of, shorten
from ccos_core.text.compress.shortened import Shortened
from ccos_core.text.compress.source_reads import Mentions, shorten_source
from ccos_core.values.tokens import estimate

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.fork import Progress
    from ccos_core.replay.timeline import Timeline

READ = "read"
"""The kind of a file's content that stays as it is."""
EDITED, CITED = "edited", "cited"
WORKED_ON_STEPS = 200
"""A file that was edited so few steps ago stays whole in the main thread: its lines are often edited again."""
LOSSLESS = ("search", "listing")
"""Kinds whose short form says everything, in another order of words."""
_NONE = Shortened("", "")


class SqueezedResult(NamedTuple):
    """One tool result, in both versions."""

    step: int
    context: Context
    kind: str
    tokens: int
    left: int
    """Tokens of the shortened one."""

    content: str
    """Hash of the original."""


class Need(NamedTuple):
    """Something of a recent result that the agent used."""

    step: int
    how: str
    """`edited` or `cited`."""

    what: str
    fate: str
    """`shown`, `fetchable` or `missing`, with shortened results."""


class Growth(NamedTuple):
    """Something that changed the size of a context's window: the host counted it, or cut it."""

    step: int
    window: int
    """Tokens in it; of a cut those before it, or 0."""

    is_cut: bool = False
    is_auto: bool = False
    """Whether the host cut it by itself."""


@dataclass(slots=True)
class Course:
    """What came of it."""

    results: list[SqueezedResult] = field(default_factory=list)
    needs: list[Need] = field(default_factory=list)
    growths: dict[Context, list[Growth]] = field(default_factory=dict)

    def tokens_by_kind(self) -> Counter[str]:
        """Tokens of the results as they were."""
        found = Counter[str]()
        for each in self.results:
            found[each.kind] += each.tokens
        return found

    def saved_by_kind(self) -> Counter[str]:
        """Tokens that shortening saves."""
        found = Counter[str]()
        for each in self.results:
            found[each.kind] += each.tokens - each.left
        return found


def squeezed_course(timeline: Timeline, last: int, progress: Progress = lambda done, of: None) -> Course:
    """Replay a record up to a step with shortened results."""
    replay = _Replay(timeline, last)
    for step, op in timeline.between(1, last):
        if step % OFTEN == 0:
            progress(step, last)
        replay.take(step, op)
    return replay.course


class _Replay:
    def __init__(self, timeline: Timeline, last: int) -> None:
        self.course = Course()
        self._timeline = timeline
        self._fork = Fork(timeline.facts)
        self._ledgers: dict[Context, Ledger] = {}
        self._mentions: dict[Context, Mentions] = {}
        self._edited_at: dict[str, int] = {}
        self._reads: dict[tuple[Context, str], list[tuple[int, Plain]]] = {}
        self._writes: dict[tuple[Context, str], list[tuple[int, Plain]]] = {}
        self._shortened: dict[tuple[Context, str], tuple[str, Shortened]] = {}
        self._edits: dict[tuple[Context, str], str] = {}
        for step, op in timeline.between(1, last):
            if op["kind"] == "seen" and op["how"] != "ingest" and "call" in op:
                calls = self._reads if op["how"] == "read" else self._writes
                calls.setdefault(_key(op), []).append((step, op))

    def take(self, step: int, op: Plain) -> None:
        kind = op["kind"]
        ledger = self._ledgers.setdefault(context_of(op), Ledger())
        if kind == "tool":
            self._called(step, op, ledger)
        elif kind == "turn":
            said = self._text(op, "said")
            self._cite(step, ledger, said)
            self._mentioned(op).add(said)
        elif kind == "prompt":
            said = self._text(op, "said")
            self._mentioned(op).add(said)
            ledger.words.append(said)
        elif kind == "usage":
            self._grown(op, Growth(step, op["window"]))
        elif kind == "compaction":
            ledger.cut()
            self._grown(op, Growth(step, op.get("before", 0), is_cut=True, is_auto=op["trigger"] != "manual"))
        if kind == "seen" and op["how"] == "read":
            self._read(step, op, ledger)
        elif kind == "seen" and op["how"] in ("edit", "write"):
            self._edited(step, op, ledger)
        else:
            self._fork.tell(step, op)

    def _grown(self, op: Plain, growth: Growth) -> None:
        self.course.growths.setdefault(context_of(op), []).append(growth)

    # -- calls ----------------------------------------------------------------------------------------------------

    def _called(self, step: int, op: Plain, ledger: Ledger) -> None:
        ledger.called()
        arguments = self._text(op, "arguments")
        self._edits[_key(op)] = arguments
        self._cite(step, ledger, arguments)
        self._mentioned(op).add(arguments, is_call=True)
        if (text := self._text(op, "result")) == "":
            return
        short = self._short(step, op, text)
        size, left = estimate(text), estimate(short.text)
        reads = self._reads.get(_key(op), ())
        kind = READ if reads and not short.gaps and size == left else short.kind
        self.course.results.append(SqueezedResult(step, context_of(op), kind, size, left, op["result"]["blob"]))
        self._shortened[_key(op)] = text, short
        shown = text if short.kind in LOSSLESS else short.text
        ledger.put_result(text, shown, "\n".join(_hidden_lines(text, short)))

    def _short(self, step: int, op: Plain, text: str) -> Shortened:
        ref = reference_of(text.encode("utf-8", "surrogatepass"))
        reads = self._reads.get(_key(op), ())
        if len(reads) == 1 and reads[0][0] > step and "content" in reads[0][1]:
            read = reads[0][1]
            held = self._fork.world.hosts.held(context_of(op)).lines(read["path"])
            short = shorten_read(text, held, ref, read.get("slice", [1])[0])
            short = short or self._skeleton(step, read, text, ref)
            if short is not None:
                return short
        writes = self._writes.get(_key(op), ())
        if len(writes) == 1 and writes[0][0] > step:
            held = self._fork.world.hosts.held(context_of(op)).lines(writes[0][1]["path"])
            known = {line.strip() for line in (*held.values(), *texts_of(self._edits.get(_key(op), "")))}
            return shorten_edit(text, known, ref) or Shortened(PLAIN, text)
        return shorten(text, ref=ref)

    def _skeleton(self, step: int, read: Plain, text: str, ref: str) -> Shortened | None:
        since = step - self._edited_at.get(read["path"], -WORKED_ON_STEPS)
        if since < WORKED_ON_STEPS and not read.get("context"):
            return None
        content = self._text(read, "content")
        outline = self._fork.facts.outline_of_text(content, read["path"])
        if outline is None:
            return None
        return shorten_source(text, content, outline.symbols, self._mentioned(read), ref, read.get("slice", [1])[0])

    def _mentioned(self, op: Plain) -> Mentions:
        return self._mentions.setdefault(context_of(op), Mentions())

    def _cite(self, step: int, ledger: Ledger, text: str) -> None:
        self.course.needs += [Need(step, CITED, what, fate) for what, fate in cited(ledger, text)]
        ledger.words.append(text)

    # -- files ----------------------------------------------------------------------------------------------------

    def _read(self, step: int, op: Plain, ledger: Ledger) -> None:
        text = self._text(op, "content")
        first = op.get("slice", [1])[0]
        result, short = self._shortened.get(_key(op), ("", _NONE))
        hidden = _hidden_numbers(result, short, first)
        if text:
            ledger.put_lines(op["path"], first, text.split("\n"), hidden)
        if not hidden:
            self._fork.tell(step, op)
            return
        self._fork.tell(step, {**op, "how": "ingest"})
        lines = text.split("\n")
        for begin, end in _runs([number for number in range(first, first + len(lines)) if number not in hidden]):
            part = "\n".join(lines[begin - first : end - first + 1]) + "\n"
            told = {**op, "slice": [begin, end], "content": self._fork.facts.keep(part)}
            self._fork.tell(step, told)

    def _edited(self, step: int, op: Plain, ledger: Ledger) -> None:
        path, world, facts = op["path"], self._fork.world, self._fork.facts
        self._edited_at[path] = step
        before = text_of(world, path, facts) or ""
        self._fork.tell(step, op)
        after = text_of(world, path, facts) or ""
        lines = before.split("\n")
        if not op.get("inferred"):
            for line in edited_lines(lines, after.split("\n"), self._edits.get(_key(op), "")):
                if ledger.is_recent(path, line):
                    self.course.needs.append(Need(step, EDITED, f"{path}: {line.strip()}", ledger.of_line(path, line)))
        known = set(lines) if op["how"] == "edit" else set()
        ledger.written(path, [line for line in after.split("\n") if line not in known])
        ledger.written(path, texts_of(self._edits.get(_key(op), "")))

    def _text(self, op: Plain, name: str) -> str:
        blob: Mapping[str, str] | None = op.get(name)
        if blob is None:
            return ""
        try:
            return self._timeline.content(blob["blob"]).decode("utf-8", "replace")
        except CcosError:
            return ""


# ---- helpers ----


def _key(op: Plain) -> tuple[Context, str]:
    return context_of(op), op.get("call", "")


def _hidden_lines(text: str, short: Shortened) -> Iterator[str]:
    """Yield the lines of a result that stand behind its markers."""
    lines = text.split("\n")
    for gap in short.gaps:
        yield from lines[gap.first - 1 : gap.last]


def _hidden_numbers(text: str, short: Shortened, first: int) -> set[int]:
    """Return which lines of a file, by number, its shortened read doesn't show."""
    if not short.gaps:
        return set()
    numbers = [number for number, _ in numbered_lines(text, first)]
    return {number for gap in short.gaps for number in numbers[gap.first - 1 : gap.last] if number}


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield first and last of each run of neighbours."""
    begin = None
    for at, number in enumerate(numbers):
        begin = number if begin is None else begin
        if at + 1 == len(numbers) or numbers[at + 1] != number + 1:
            yield begin, number
            begin = None
