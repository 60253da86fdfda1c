"""What each context of a host's conversation holds: the window the agent really had, as far as anybody recorded it.

Takes what was delivered, what hosts dropped, and what files have become; knows no ops and no world (`conversation` and
`sightings` tell it). A state is always one of what a context was told last against what is so now: what a file was in
between doesn't matter, and a file that becomes again what it was is held again.

A compaction takes everything away but the results it names, whether or not it is exact: a host that compacts puts a
summary in the place of its history, and what it brings back afterwards is delivered anew. Where a host only leaves old
results out, what the model wrote stays, with the calls whose results are gone. Where it isn't exact, being
out is inferred; `cuts` says so. Of Claude Code the few files touched last are then uncertain, because it shows these
again without a record of it, until a read, or an edit it accepts or refuses, tells. A fall of the recorded usage
without any boundary says only that something is gone, so what came before becomes uncertain. An edit shows a context
what it changed, whoever told the rest. A file known by slices alone is held in part, because no slice says that the
file ends with it. A renamed file is held under its new name, for what was delivered is what is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from ccos_core.state.holding import (
    ABSENT,
    IN,
    UNCERTAIN,
    Holding,
    Slice,
    Standing,
    carried,
    dated,
    held_nodes,
    kept,
    laid,
    mark_of,
    patched,
    respelled,
    standing,
)
from ccos_core.state.page import Page
from ccos_core.values.ids import path_of

Context = tuple[str, str, str]
"""(host, session, context): one stream of a conversation, with a window of its own."""

BROUGHT_BACK = {"claude-code": 5}
"""Host → the number of files, touched last, that it may show again after a compaction without a record of it."""
MOST_UNCOUNTED = 63
"""Thoughts before the last one that are remembered until the host counts."""
OF_MODEL = ("text:", "thought:", "call:")
"""How the items begin that the model wrote."""
FALL = 9, 10
"""Usage that is less than this share of what it was has fallen; a little less of it is but counted otherwise."""


@dataclass(slots=True)
class Image:
    """What one context holds of one file."""

    told: Holding
    """On the page the file was when the context was told of it last, ..."""
    now: Holding
    """... and on the one it is now."""
    doubt: int = 0
    """The step of a cut after which the host may have shown this file again; 0 where it is known. What came before it
    is uncertain."""

    def nodes(self) -> Iterable[str]:
        """All it may say anything of."""
        if self.told is self.now and not self.now.wounds:  # as nearly always
            return self.now.page.nodes
        each = [self.told] if self.told is self.now else [self.told, self.now]
        return chain(*[chain(holding.page.nodes, *[wound.nodes for wound in holding.wounds]) for holding in each])


@dataclass(slots=True)
class Held:
    """What one context holds."""

    images: dict[str, Image] = field(default_factory=dict)
    """By path."""
    said: dict[str, tuple[int, int]] = field(default_factory=dict)
    """What is no file: prompts, texts, thoughts, calls, results, summaries → its step and tokens."""
    calls: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """The host's id for a call → the steps of what it delivered; calls that were dropped aren't known any more."""
    words: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """The same of what the model wrote: its texts, thoughts and calls."""
    uncounted: list[str] = field(default_factory=list)
    """Thoughts since the host counted last: of these it says how many tokens they are in all."""
    asked: int = 0
    """The step at which the model was asked last: ..."""
    earlier: dict[str, None] = field(default_factory=dict)
    """... the thoughts before it, ..."""
    thoughts: dict[str, None] = field(default_factory=dict)
    """... and those since; both follow from `said` and `asked`."""
    window: int = 0
    """Tokens in it, as the host counted them last since it was cut; 0 where it hasn't."""
    fell: int = 0
    """The step at which they fell without a boundary: of what came before nobody knows whether it is there."""
    falls: list[tuple[int, int, int]] = field(default_factory=list)
    """(step, tokens before, tokens after) of each fall."""
    cuts: list[tuple[int, bool]] = field(default_factory=list)
    """The steps at which the host emptied or shortened it, and whether it said exactly what was left."""

    def state(self, item: str) -> Standing:
        """How an item stands: a node of the code, a prompt, a result, a summary."""
        if item in self.said:
            step, tokens = self.said[item]
            return Standing(UNCERTAIN if step < self.fell else IN, tokens, step)
        image = self.images.get(path_of(item) or "") if item.startswith(("file:", "sym:")) else None
        return ABSENT if image is None else standing(image.now, item, max(self.fell, image.doubt))

    def states(self, items: Iterable[str]) -> Iterator[tuple[str, Standing]]:
        """Items, and how each of them stands. Who asks for those of one file one after the other finds it once."""
        beginning, image = "", None
        for item in items:
            if not beginning or not item.startswith(beginning):
                beginning = item[: item.find("#") + 1] if item.startswith("sym:") else ""
                image = self.images.get(path_of(item) or "") if beginning else None
            if beginning:
                doubt = image.doubt if image is not None and image.doubt > self.fell else self.fell
                yield item, ABSENT if image is None else standing(image.now, item, doubt)
            else:
                yield item, self.state(item)

    def lines(self, path: str) -> dict[int, str]:
        """Return the lines of a file that surely stand in it, by number: as they are now, or were when it was told.

        Whether the file still has these lines only a look at it can say. What came before a compaction counts only if
        the host said exactly what was left: an edit it accepts may be due to a later read of other lines.
        """
        image = self.images.get(path)
        if image is None:
            return {}
        cut = max((step for step, exact in self.cuts if not exact), default=0)
        since = max(self.fell, image.doubt, cut)
        found: dict[int, str] = {}
        for page, runs, _ in (image.told, image.now):
            for first, last, marks in runs if page.text is not None else ():
                if marks[0] >> 1 >= since:
                    found.update(enumerate(page.lines[first - 1 : last], first))
        return found

    def items(self) -> Iterator[str]:
        """Everything of which it holds anything, or held it before it was changed."""
        for path in sorted(self.images):
            yield from dict.fromkeys(held_nodes(self.images[path].now))
        yield from self.said


class Hosts:
    """What all contexts hold."""

    def __init__(self) -> None:
        self.contexts: dict[Context, Held] = {}
        self.pages: dict[str, Page] = {}
        """What each file is now of which any context holds anything."""
        self.readers: dict[str, dict[Context, Image]] = {}
        """The same files → who does."""
        self.unclaimed: dict[int, tuple[int, tuple[tuple[str, str], ...]]] = {}
        """Windows that our server handed out to nobody knows whom, in order: step → the step it was computed at, and
        (node, level) of each item."""
        self.moved: dict[Context, dict[str, None]] = {}
        """Items whose state may have changed, by context, since somebody last looked here, and emptied it; no part of
        the state."""

    def held(self, context: Context) -> Held:
        """What a context holds, for who wants to know."""
        return self.contexts.get(context) or Held()

    def delivered(self, context: Context, path: str, page: Page, slices: Sequence[Slice], step: int) -> None:
        """A context was shown lines of a file, which is this page now."""
        if not slices:
            return
        image = self._of(context).images.get(path)
        if image is None:
            self._hold(context, path, laid(Holding(page), slices))
        else:
            if image.told is not image.now or image.now.wounds:
                self._note(context, image.nodes())
            image.told = image.now = laid(dated(image.now, step), slices)
        self._note(context, *(page.among(first, last) for first, last, _ in slices))

    def edited(self, context: Context, path: str, before: Page, page: Page, step: int) -> None:
        """A context made this page of that one, and knows what it changed; it was told nothing if that is nothing."""
        if before.text is None or page.text is None or before.name == page.name:
            self.changed(path, page)
            return
        self.changed(path, page, but=context)
        image = self._of(context).images.get(path)
        holding = Holding(before) if image is None else dated(image.now, step)
        holding = patched(holding, page, mark_of(step, patched=True))
        if image is not None:
            self._note(context, image.nodes(), page.nodes)
            image.told = image.now = holding
        elif holding.runs:
            self._hold(context, path, holding)
            self._note(context, page.nodes)

    def accepted(self, context: Context, path: str) -> None:
        """The host let a context edit a file, which it does only of files the context holds."""
        image = self.held(context).images.get(path)
        if image is not None and image.doubt:
            image.doubt = 0
            self._note(context, image.nodes())

    def doubted(self, context: Context) -> list[str]:
        """The files of which it is uncertain whether the host showed them again after a cut."""
        return [path for path, image in self.held(context).images.items() if image.doubt]

    def let_go(self, context: Context, path: str) -> None:
        """A context turned out not to hold a file."""
        self._note(context, self.contexts[context].images[path].nodes())
        self._let_go(context, path)

    def changed(self, path: str, page: Page, but: Context | None = None) -> None:
        """A file is this page now, and no context was told but one."""
        if path not in self.readers:
            return
        self.pages[path] = page
        for context, image in self.readers[path].items():
            if context != but:
                self._note(context, image.nodes(), page.nodes)
                _look_again(image, page)

    def renamed(self, path: str, to: str, page: Page, spelled: Callable[[str], str]) -> None:
        """A file has another path, and what is held of it with it."""
        for context, image in self.readers.pop(path, {}).items():
            images = self._of(context).images
            self._note(context, image.nodes(), images.get(to, image).nodes())
            image.told = respelled(image.told, image.told.page.named(spelled), spelled)
            images[to] = images.pop(path)
            self.readers.setdefault(to, {})[context] = image
        self.pages.pop(path, None)
        if to in self.readers:
            self.pages.setdefault(to, page)
            self.changed(to, page)

    def said(self, context: Context, item: str, step: int, tokens: int) -> None:
        """Something that is no file went into a context."""
        self._of(context).said[item] = step, tokens
        self._note(context, (item,))

    def called(self, context: Context, call: str, step: int) -> None:
        """What went into a context at a step was the result of a call."""
        calls = self._of(context).calls
        calls[call] = (*calls.get(call, ()), step)

    def wrote(self, context: Context, call: str, step: int) -> None:
        """What went into a context at a step was written by the model, in the message or call of this name."""
        words = self._of(context).words
        words[call] = (*words.get(call, ()), step)

    def asked(self, context: Context, step: int) -> None:
        """The model was asked something: what it thought before belongs to earlier turns."""
        held = self._of(context)
        held.asked = step
        held.earlier.update(held.thoughts)
        held.thoughts = {}

    def thought(self, context: Context, item: str, counted: bool) -> None:
        """What went into a context is a thought, of which the host has told the tokens or not."""
        held = self._of(context)
        held.thoughts[item] = None
        if not counted:
            held.uncounted = [*held.uncounted[-MOST_UNCOUNTED:], item]

    def thoughts_counted(self, context: Context, tokens: int) -> None:
        """The host counted the thoughts since its last count, all together: each is taken for an equal part."""
        held = self._of(context)
        there = [item for item in held.uncounted if item in held.said]
        for number, item in enumerate(there):
            share = tokens // len(there) + (number < tokens % len(there))
            held.said[item] = held.said[item][0], share
        self._note(context, there)

    def forget_thoughts(self, context: Context) -> None:
        """The thoughts of earlier turns aren't sent to the model any more."""
        held = self._of(context)
        gone, held.earlier = held.earlier, {}
        for item in gone:
            held.window = max(held.window - held.said.pop(item)[1], 0)
        if gone:
            self._note(context, gone)

    def shown(self, context: Context, call: str, step: int) -> None:
        """The result of a call was this source, and counts as that."""
        held = self._of(context)
        for before in held.calls.get(call, ()):
            if held.said.pop(item := f"result:{before}", None) is not None:
                self._note(context, (item,))
        self.called(context, call, step)

    def cut(self, context: Context, step: int, calls: Iterable[str], exact: bool, words_stay: bool = False) -> None:
        """A context was emptied, but for what was delivered and written under some names, and perhaps all that the
        model wrote."""
        held = self._of(context)
        self._note(context, held.items())
        left = {call: held.calls[call] for call in calls if call in held.calls}
        steps = dict.fromkeys(step for each in left.values() for step in each)
        held.calls = left
        if not words_stay:
            held.words = {call: held.words[call] for call in calls if call in held.words}
        written = {step for each in held.words.values() for step in each}
        held.said = {
            item: told
            for item, told in held.said.items()
            if (words_stay or told[0] in written if item.startswith(OF_MODEL) else told[0] in steps)
        }
        maybe = () if exact else _touched_last(held.images, BROUGHT_BACK.get(context[0], 0))
        for path, image in list(held.images.items()):
            told = kept(image.told, steps.__contains__) if steps else Holding(image.told.page)
            if told.runs or told.wounds:
                image.told = image.now = told
                image.doubt = 0
                _look_again(image, self.pages[path])
            elif path in maybe:
                image.doubt = step
            else:
                self._let_go(context, path)
        held.uncounted = []
        held.earlier = {item: None for item in held.earlier if item in held.said}
        held.thoughts = {item: None for item in held.thoughts if item in held.said}
        held.window = held.fell = 0
        held.cuts.append((step, exact))

    def measured(self, context: Context, step: int, window: int) -> None:
        """The host counted the tokens in a context."""
        held = self._of(context)
        held.uncounted = []
        if window <= 0:  # of a message that was never sent
            return
        if window * FALL[1] < held.window * FALL[0]:
            held.falls.append((step, held.window, window))
            held.fell = step
            self._note(context, held.items())
        held.window = window

    def recall_words(self) -> None:
        """Take from what is said which of it are thoughts, after a saved state was restored."""
        for held in self.contexts.values():
            for item, (step, _) in sorted(held.said.items(), key=lambda each: each[1][0]):
                if item.startswith("thought:"):
                    (held.earlier if step < held.asked else held.thoughts)[item] = None

    def restored(self, context: Context, path: str, told: Holding, page: Page, doubt: int) -> None:
        """Take from a saved state what a context holds of a file, which is this page now."""
        image = self._hold(context, path, told)
        image.doubt = doubt
        _look_again(image, page)
        self.pages[path] = page

    def _of(self, context: Context) -> Held:
        found = self.contexts.get(context)
        if found is None:
            found = self.contexts[context] = Held()
        return found

    def _hold(self, context: Context, path: str, holding: Holding) -> Image:
        image = self._of(context).images[path] = Image(holding, holding)
        self.readers.setdefault(path, {})[context] = image
        self.pages[path] = holding.page
        return image

    def _let_go(self, context: Context, path: str) -> None:
        del self._of(context).images[path], self.readers[path][context]
        if not self.readers[path]:
            del self.readers[path], self.pages[path]

    def _note(self, context: Context, *nodes: Iterable[str]) -> None:
        moved = self.moved.setdefault(context, {})
        for each in nodes:
            moved.update(dict.fromkeys(each))


def _touched_last(images: Mapping[str, Image], most: int) -> tuple[str, ...]:
    """Return the files a context read or edited last, unless that was before an earlier cut."""
    newest = {
        path: max((marks[0] >> 1 for _, _, marks in image.told.runs), default=0) for path, image in images.items()
    }
    since = [path for path, image in images.items() if newest[path] > image.doubt]
    return tuple(sorted(since, key=lambda path: (-newest[path], path))[:most])


def _look_again(image: Image, page: Page) -> None:
    """The file is this page now: what was told of it is so on it, or is carried over to it."""
    told = image.told
    if told.page.name != page.name:
        image.now = carried(told, page)
        return
    image.told = image.now = told._replace(page=page)
    if told.page.ended != page.ended:  # whether its end is known was learned behind the context's back
        image.told = told._replace(page=replace(page, ended=told.page.ended))
