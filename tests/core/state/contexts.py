"""What contexts hold, worked out the slow way: line by line, anew after each op, from what was delivered to each.

Shares with the fold only which lines of two texts are the same (`page.alike`, which has laws of its own).
"""

from dataclasses import dataclass, field, replace
from typing import Any

from ccos_core.state.page import NOWHERE, Page, alike, page_of
from ccos_core.state.sightings import text_of
from ccos_core.values import sheet as sheets
from ccos_core.values.code import MODULE
from ccos_core.values.ids import file_node, path_of
from ccos_core.values.tokens import by_size
from tests.core.state.small import Op, Tale

Context = tuple[str, str, str]
Mark = tuple[int, bool]
"""Step, by an edit."""


@dataclass
class Wound:
    """Lines that stand where others were held."""

    lines: range
    nodes: list[str]
    marks: list[Mark]
    lost: int
    since: int = 0


@dataclass
class Image:
    """What one context was told of one file."""

    page: Page
    marks: dict[int, list[Mark]] = field(default_factory=dict)
    wounds: list[Wound] = field(default_factory=list)
    doubt: int = 0

    def copy(self) -> "Image":
        return Image(self.page, dict(self.marks), [replace(wound) for wound in self.wounds], self.doubt)

    def show(self, line: int, mark: Mark) -> None:
        before = self.marks.get(line, [])
        if before[:1] != [mark]:
            self.marks[line] = [mark, *before][:4]

    def heal(self) -> None:
        self.wounds = [wound for wound in self.wounds if not self.sees(wound)]

    def sees(self, wound: Wound) -> bool:
        def fresh(line: int) -> bool:
            return line in self.marks and self.marks[line][0][0] >= wound.since

        if wound.lines:
            return all(map(fresh, wound.lines))
        return fresh(wound.lines.start) or fresh(wound.lines.start - 1)


def carried(image: Image, page: Page) -> Image:
    """The same, seen on another page."""
    was = {first + at: begins + at for first, begins, size in alike(page, image.page) for at in range(size)}
    now = {before: line for line, before in was.items()}
    found = Image(page, {line: image.marks[before] for line, before in was.items() if before in image.marks})
    found.doubt = image.doubt
    found.wounds = [replace(wound, lines=moved(wound.lines, now)) for wound in image.wounds]
    hurt: dict[Any, list[str]] = {}
    for node, (first, last) in image.page.nodes.items():
        if any(first <= line <= last for line in image.marks):
            for place in breaks(image, node, page, was, now):
                hurt.setdefault((place[0].start, place[0].stop, *place[1:]), []).append(node)  # empty ranges are equal
    for (start, stop, begins, ends), nodes in hurt.items():
        held = [line for line in range(begins, ends + 1) if line in image.marks]
        marks = sorted({mark for line in held for mark in image.marks[line]}, reverse=True)[:4]
        size = sum(size_of(image.page, line) for line in held if line not in now)
        found.wounds.append(Wound(range(start, stop), nodes, marks, size))
    return found


def moved(lines: range, now: dict[int, int]) -> range:
    there = [now[line] for line in lines if line in now]
    if there:
        return range(min(there), max(there) + 1)
    place = next((now[line] for line in range(lines.start - 1, 0, -1) if line in now), 0)
    return range(place + 1, place + 1)


def breaks(image: Image, node: str, page: Page, was: dict[int, int], now: dict[int, int]) -> list[Any]:
    begins, ends = image.page.nodes[node]
    if node not in page.nodes:
        return [(moved(range(begins, ends + 1), now), begins, ends)]
    first, last = page.nodes[node]
    steps = [(line, was[line]) for line in range(first, last + 1) if begins <= was.get(line, 0) <= ends]
    found: list[Any] = []
    for (line, before), (after, then) in zip(
        [(first - 1, begins - 1), *steps], [*steps, (last + 1, ends + 1)], strict=True
    ):
        skipped = range(before + 1, then)
        lines = range(line + 1, after)
        if skipped:
            if any(each in image.marks for each in skipped):
                found.append((lines, before + 1, then - 1))
        elif then <= before:
            if before in image.marks:
                found.append((lines, before, before))
        elif lines and (image.page.ended or before < last_known(image.page)):
            sides = [each for each in (before, then) if begins <= each <= ends]
            if all(each in image.marks for each in sides):
                found.append((lines, sides[0], sides[-1]))
    return found


def last_known(page: Page) -> int:
    """Of a page put together from parts nobody knows the end."""
    return max((at for at, line in enumerate(page.lines, 1) if at < page.size or line), default=0)


def size_of(page: Page, line: int) -> int:
    return len(page.lines[line - 1].encode()) + 1 if page.text is not None else 0


def kept(was: list[tuple[str, str]], lines: list[str]) -> list[bool]:
    """Of the lines an edit wrote in the place of others, which were delivered and stood there as they do: those both
    begin with, and of the rest those both end with."""
    found = [False] * len(lines)
    head, most = 0, min(len(was), len(lines))
    while head < most and was[head][0] == lines[head]:
        found[head] = was[head][1] == sheets.DELIVERED
        head += 1
    for at in range(1, most - head + 1):
        if was[-at][0] != lines[-at]:
            break
        found[-at] = was[-at][1] == sheets.DELIVERED
    return found


class Reference:
    """All contexts of a tale, told the same ops."""

    def __init__(self) -> None:
        self.images: dict[Context, dict[str, Image]] = {}
        self.said: dict[Context, dict[str, tuple[int, int]]] = {}
        self.calls: dict[Context, dict[str, list[int]]] = {}
        self.words: dict[Context, dict[str, list[int]]] = {}
        self.uncounted: dict[Context, list[str]] = {}
        self.asked: dict[Context, int] = {}
        self.window: dict[Context, int] = {}
        self.fell: dict[Context, int] = {}

    def tell(self, tale: Tale, op: Op) -> None:
        """Tell an op to the tale, and work out what it does."""
        context = op.get("host", ""), op.get("session", ""), op.get("context", "")
        kind, step = op["kind"], len(tale.ops) + 1
        path = op.get("path", "")
        before, sheet = self.page(tale, path), self.sheet(tale, path)
        known = tale.world.version(path)
        there = path in tale.world.graph.files
        tale.tell(op)
        if kind == "seen":
            self.seen(tale, op, context, before, sheet, known is not None)
        elif kind == "renamed" and there and path != op["to"]:
            self.renamed(path, op["to"])
        elif kind == "recall":
            self.recall(tale, op, context)
        elif kind in ("prompt", "tool"):
            self.say(op, context, kind, step)
        elif kind in ("turn", "thought"):
            self.write(op, context, kind, step)
        elif kind == "usage":
            self.think(op, context)
            self.usage(context, step, op["window"])
        elif kind in ("compaction", "cleared"):
            elided = kind == "compaction" and op["trigger"] == "auto" and op["exact"] and "summary" not in op
            self.cut(context, step, op.get("kept", []), op.get("exact", True), elided)
            if "summary" in op:
                self.put(op, context, f"summary:{step}", step, op["summary"]["bytes"])

    def page(self, tale: Tale, path: str) -> Page:
        nesting, version = tale.world.graph.files.get(path), tale.world.version(path)
        if nesting is None or version is None:
            return NOWHERE
        sheet = tale.world.sheets.get(path)
        text = text_of(tale.world, path, tale.facts)
        return page_of(nesting, version.content, text, sheet is not None, sheet is None or sheet.ended)

    def sheet(self, tale: Tale, path: str) -> sheets.Sheet:
        text = text_of(tale.world, path, tale.facts)
        return tale.world.sheets.get(path) or (sheets.shown(text) if text is not None else sheets.BLANK)

    def image(self, context: Context, path: str, page: Page) -> Image:
        """What a context was told, seen on the page the file is now."""
        told = self.images.setdefault(context, {}).get(path)
        if told is None:
            return Image(page)
        if told.page.name == page.name:
            return Image(page, told.marks, told.wounds, told.doubt)
        return carried(told, page)

    def adopted(self, context: Context, path: str, page: Page, step: int) -> Image:
        image = self.image(context, path, page).copy()
        for wound in image.wounds:
            wound.since = wound.since or step
        return image

    def seen(self, tale: Tale, op: Op, context: Context, before: Page, sheet: sheets.Sheet, known: bool) -> None:
        path, how, step = op["path"], op["how"], len(tale.ops)
        page = self.page(tale, path)
        if how == "ingest":
            return
        if how == "edit" and not op.get("inferred") and path in self.images.get(context, {}):
            self.images[context][path].doubt = 0
        if how == "edit" and "slice" not in op:
            if known and before.text is not None and page.text is not None and before.name != page.name:
                self.edit(context, path, before, page, step)
        else:
            image = self.adopted(context, path, page, step)
            lines = self.shown(op, tale, sheet, page)
            if page.lines[-1:] == ("",) and lines and lines[-1][0] == page.size - 1:
                lines.append((page.size, lines[-1][1]))  # and that nothing follows
            for line, by_edit in lines:
                image.show(line, (step, by_edit))
            if lines:
                image.heal()
                self.images[context][path] = image
        self.answered(op, context, step)

    def edit(self, context: Context, path: str, before: Page, page: Page, step: int) -> None:
        image = self.adopted(context, path, before, step)
        was = {first + at: begins + at for first, begins, size in alike(page, before) for at in range(size)}
        now = {line: there for there, line in was.items()}
        found = Image(page, {line: image.marks[each] for line, each in was.items() if each in image.marks})
        found.doubt = image.doubt
        found.wounds = [replace(wound, lines=moved(wound.lines, now)) for wound in image.wounds]
        new = [line for line in range(1, page.size + 1) if line not in was]
        for line in new:
            found.show(line, (step, True))
        found.heal()
        if new or path in self.images[context]:
            self.images[context][path] = found

    def shown(self, op: Op, tale: Tale, sheet: sheets.Sheet, page: Page) -> list[tuple[int, bool]]:
        how, written = op["how"], op["how"] == "write"
        if "slice" not in op:
            return [] if how == "edit" else [(line, written) for line in range(1, page.size + 1)]
        if "content" not in op or (text := tale.facts.text(op["content"]["blob"])) is None:
            return []
        first = op["slice"][0]
        lines = range(first, first + len(text.removesuffix("\n").split("\n")))
        if how == "read":
            return [(line, False) for line in lines]
        kinds = [kind for begins, ends, kind in sheet.runs for _ in range(begins, ends + 1)]
        was = list(zip(sheet.lines, kinds, strict=True))[first - 1 : first - 1 + len(lines)]
        written_again = kept(was, [page.lines[line - 1] for line in lines])
        return [(line, not again) for line, again in zip(lines, written_again, strict=True)]

    def renamed(self, path: str, to: str) -> None:
        def spelled(node: str) -> str:
            there = path_of(node) == path
            return node.replace(file_node(path)[5:], file_node(to)[5:], 1) if there else node

        for images in self.images.values():
            if (image := images.pop(path, None)) is not None:
                nodes = {spelled(node): span for node, span in image.page.nodes.items()}
                wounds = [replace(each, nodes=list(map(spelled, each.nodes))) for each in image.wounds]
                images[to] = Image(replace(image.page, nodes=nodes), image.marks, wounds, image.doubt)

    def recall(self, tale: Tale, op: Op, context: Context) -> None:
        step = len(tale.ops)
        for node, level, _ in op["items"]:
            place = tale.world.find(node)
            if place is None or tale.world.versions[place.path][-1].step > op["computed_at"]:
                continue
            page = self.page(tale, place.path)
            symbols = tale.world.graph.files[place.path].outline.symbols
            tops = tale.world.graph.files[place.path].members[MODULE]
            first, last = page.nodes[node]
            lines = list(range(first, last + 1))
            if level != "body" and place.symbol == MODULE:
                lines = sorted({symbols[top].line for top in tops})[:4] or [1]
            elif level != "body":
                symbol = symbols[place.symbol]
                lines = [symbol.line] if level == "name" else list(range(symbol.line, symbol.signature + 1))
            image = self.adopted(context, place.path, page, step)
            if page.lines[-1:] == ("",) and page.size - 1 in lines:
                lines.append(page.size)
            for line in lines:
                image.show(line, (step, False))
            image.heal()
            self.images[context][place.path] = image
        self.answered(op, context, step)
        if "said" in op:
            self.said.setdefault(context, {})[f"delivery:{step}"] = step, (2 * op["said"]["bytes"] + 6) // 7

    def answered(self, op: Op, context: Context, step: int) -> None:
        """What was shown is the result of its call."""
        if "call" in op:
            for each in self.calls.setdefault(context, {}).setdefault(op["call"], []):
                self.said.get(context, {}).pop(f"result:{each}", None)
            self.calls[context][op["call"]].append(step)

    def say(self, op: Op, context: Context, kind: str, step: int) -> None:
        if "arguments" in op:
            self.put_words(op, context, f"call:{step}", step, op["arguments"]["bytes"])
        if kind == "prompt":
            if "channel" in op and op.get("call", "") in self.calls.get(context, {}):
                return  # it stands in the result
            self.put(op, context, f"prompt:{step}", step, op["said"]["bytes"])
            self.asked[context] = step
        elif "result" in op:
            before = self.calls.get(context, {}).get(op.get("call", ""), [])
            if all(f"result:{each}" in self.said.get(context, {}) for each in before):
                self.put(op, context, f"result:{step}", step, op["result"]["bytes"])

    def put(self, op: Op, context: Context, item: str, step: int, size: int) -> None:
        self.said.setdefault(context, {})[item] = step, (2 * size + 6) // 7
        if "call" in op:
            self.calls.setdefault(context, {}).setdefault(op["call"], []).append(step)

    def write(self, op: Op, context: Context, kind: str, step: int) -> None:
        """The model said or thought something."""
        if kind == "turn":
            self.put_words(op, context, f"text:{step}", step, op["said"]["bytes"])
            return
        self.put_words(op, context, f"thought:{step}", step, op["said"]["bytes"] if "said" in op else 0)
        if "tokens" in op:
            self.said[context][f"thought:{step}"] = step, op["tokens"]
        else:
            self.uncounted.setdefault(context, []).append(f"thought:{step}")

    def put_words(self, op: Op, context: Context, item: str, step: int, size: int) -> None:
        self.said.setdefault(context, {})[item] = step, (2 * size + 6) // 7
        if "call" in op:
            self.words.setdefault(context, {}).setdefault(op["call"], []).append(step)

    def think(self, op: Op, context: Context) -> None:
        """A count tells what was thought, and of some models it is about no thought of an earlier turn."""
        said = self.said.get(context, {})
        there = [item for item in self.uncounted.pop(context, []) if item in said]
        for number, item in enumerate(there if op.get("thinking") else []):
            parts = [len(range(part, op["thinking"], len(there))) for part in range(len(there))]
            said[item] = said[item][0], parts[number]
        if op.get("model") == "claude-sonnet-4-5":
            for item in [each for each in said if each.startswith("thought:")]:
                if said[item][0] < self.asked.get(context, 0):
                    self.window[context] = max(self.window.get(context, 0) - said.pop(item)[1], 0)

    def usage(self, context: Context, step: int, window: int) -> None:
        if window > 0:
            if 10 * window < 9 * self.window.get(context, 0):
                self.fell[context] = step
            self.window[context] = window

    def cut(self, context: Context, step: int, kept: list[str], exact: bool, elided: bool) -> None:
        newest = {
            path: max((marks[0][0] for marks in image.marks.values()), default=0)
            for path, image in self.images.get(context, {}).items()
        }
        fresh = [path for path in newest if newest[path] > self.images[context][path].doubt]
        may_return = context[0] == "claude-code" and not exact
        maybe = [] if not may_return else sorted(fresh, key=lambda path: (-newest[path], path))[:5]
        calls = {call: steps for call, steps in self.calls.get(context, {}).items() if call in kept}
        words = {call: steps for call, steps in self.words.get(context, {}).items() if elided or call in kept}
        left = {step for steps in calls.values() for step in steps}
        written = {step for steps in words.values() for step in steps}
        self.calls[context], self.words[context] = calls, words
        self.uncounted.pop(context, None)
        for item, each in list(self.said.setdefault(context, {}).items()):
            by_model = item.partition(":")[0] in ("text", "thought", "call")
            if not (elided or each[0] in written if by_model else each[0] in left):
                del self.said[context][item]
        self.window[context] = self.fell[context] = 0
        for path, image in list(self.images.get(context, {}).items()):
            marks = {line: [mark for mark in marks if mark[0] in left] for line, marks in image.marks.items()}
            image = Image(image.page, {line: each for line, each in marks.items() if each})
            for wound in self.images[context][path].wounds:
                if survived := [mark for mark in wound.marks if mark[0] in left]:
                    image.wounds.append(replace(wound, marks=survived))
            if image.marks or image.wounds:
                self.images[context][path] = image
            elif path in maybe:
                self.images[context][path].doubt = step
            else:
                del self.images[context][path]

    def state(self, tale: Tale, context: Context, item: str) -> tuple[str, int, int]:
        """(state, tokens, step) of an item now."""
        fell = self.fell.get(context, 0)
        if item in self.said.get(context, {}):
            step, told = self.said[context][item]
            return "uncertain" if step < fell else "in", told, step
        path = path_of(item) or ""
        if path not in self.images.get(context, {}):
            return "out", 0, 0
        image = self.image(context, path, self.page(tale, path))
        fell = max(fell, image.doubt)
        sure = Image(
            image.page,
            {line: marks for line, marks in image.marks.items() if marks[0][0] >= fell},
            [wound for wound in image.wounds if wound.marks[0][0] >= fell],
        )
        state, of_sure = judged(image, item), judged(sure, item)
        first, last = image.page.nodes.get(item, (1, 0))
        held = [line for line in image.marks if first <= line <= last]
        hurt = [wound for wound in image.wounds if item in wound.nodes]
        size = sum(size_of(image.page, line) for line in held) + sum(wound.lost for wound in hurt)
        steps = [image.marks[line][0] for line in held] + [wound.marks[0] for wound in hurt]
        if state != of_sure and {state, of_sure} != {"in", "patched"}:
            state = "uncertain"
        return state, by_size(size), max(steps, default=(0, False))[0]


def judged(image: Image, item: str) -> str:
    if any(item in wound.nodes for wound in image.wounds):
        return "stale"
    if item not in image.page.nodes:
        return "out"
    first, last = image.page.nodes[item]
    held = [line for line in range(first, last + 1) if line in image.marks]
    if len(held) < last - first + 1:
        return "partial" if held else "out"
    if cut_off(image.page, item):
        return "partial"
    return "patched" if any(image.marks[line][0][1] for line in held) else "in"


def cut_off(page: Page, item: str) -> bool:
    """Whether a page put together from parts may end before an item does."""
    first, last = page.nodes[item]
    if page.ended or last < last_known(page):
        return False
    begins, ends = page.lines[first - 1], page.lines[last - 1]
    deeper = len(ends) - len(ends.lstrip()) > len(begins) - len(begins.lstrip())
    return item.startswith("file:") or deeper or ends.rstrip()[-1:] in set(":{([,=\\") or ends.rstrip().endswith("=>")
