"""The whole text of the step at the cursor: what was said, done to files, and given back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events
from textual.selection import Selection
from textual.strip import Strip

from ccos_core.present.rows import Row, Span, note
from ccos_core.present.sentences import Sentence, sentence_at, words_node
from ccos_core.present.words import count
from ccos_tui.bridge.ask import YES, Ask, ask
from ccos_tui.focus import Focus
from ccos_tui.present.followed import Target, targets_in
from ccos_tui.present.matches import marked, matches
from ccos_tui.present.said import told_words
from ccos_tui.present.step_rows import StepRows
from ccos_tui.widgets.pane import Pane

if TYPE_CHECKING:
    from ccos_core.query.step_text import Part
    from ccos_core.query.told import ToldAbout
    from ccos_tui.app import CcosApp


class StepPane(Pane):
    """The parts of a step as rows that are made when they are seen."""

    slot: ClassVar[str] = "step"
    title: ClassVar[str] = "Step"
    awaited: ClassVar[bool] = True
    ALLOW_SELECT = True
    DEFAULT_CSS = """
    StepPane { overflow-y: scroll; }
    StepPane.-whole {
        scrollbar-background: $background;
        scrollbar-background-hover: $background;
        scrollbar-background-active: $background;
    }
    """
    """Its scrollbar is always there, though out of sight where all is shown: to put it there and take it away, from
    step to step, would lay out the whole screen."""

    def __init__(self) -> None:
        super().__init__()
        self._unfolded: dict[int, int] = {}
        """Part → how far it is unfolded."""
        self._shown: tuple[int | None, str] = (None, "")
        """The step that is shown, and the word that is marked in it."""
        self._column: int | None = None
        """The column that was clicked."""
        self._sentence: int | None = None
        """Which sentence is marked, where it isn't the first of the row at the cursor."""
        self._told: tuple[int, ToldAbout] | None = None
        """A step, and what had been said about it."""
        self.is_row: Callable[[int], bool] = lambda step: False
        """Whether a step stands for its row in the list of steps, where that has several."""

    # -- its answer ---------------------------------------------------------------------------------------------------

    def question(self, here: Focus) -> Ask | None:
        if not here.step:
            return None
        return ask("show", here.step, row=YES if self.is_row(here.step) else None)

    def nothing(self, here: Focus) -> Sequence[Row]:
        self.say_below("")
        return (note("Nothing has happened yet."),)

    def resize_to(self, count: int) -> None:
        super().resize_to(count)
        self.set_class(count <= self.page, "-whole")

    def present(self) -> None:
        if self.answer is None:
            return
        step, word = self.answer.at, self.marked_word
        is_other = step != self._shown[0]
        if is_other:
            self._unfolded = {}
            cast("CcosApp", self.app).screen.clear_selection()
        rows = self.made(lambda width: self.rows_of(self.answer, self.here, width))
        self.show(rows, cursor=0 if is_other else None)
        if word and is_other and (first := self.next_match(-1, 1)) is not None:
            self.select(first, told=False, centred=True)
        self._shown = (step, word)

    def rows_of(self, answer: Any, here: Focus, width: int) -> Sequence[Row]:
        parts: Sequence[Part] = answer.parts
        self._say_foot()
        return StepRows(parts, width, self._unfolded, self.marked_word)

    def has_told(self, step: int) -> bool:
        """Whether it is known what had been said about a step."""
        return self._told is not None and self._told[0] == step

    def show_told(self, step: int, answer: ToldAbout) -> None:
        """Say in the foot how much had been said about a step, as long as that is shown."""
        self._told = step, answer
        if self.answer is not None:
            self._say_foot()

    def _say_foot(self) -> None:
        step, tokens = self.answer.at, sum(part.tokens for part in self.answer.parts)
        told = told_words(self._told[1]) if self._told is not None and self._told[0] == step else ""
        self.say_below(f"{told}step {step:,}, {count(tokens, 'token')}")

    def row_at(self, index: int) -> Row:
        made = super().row_at(index)
        if not self.has_focus or self.answer is None:
            return made
        sentence = self._chosen_chars(index)
        targets = targets_in(made.copies, self._part(index)) if index == self.cursor else []
        if sentence is None and not targets:
            return made
        indent = len(made.spans[0].text)
        spans = [(span.text, span.role) for span in made.spans]
        begin = end = 0
        if sentence is not None:
            begin, end = sentence[0] + indent, sentence[1] + indent
            spans = marked(spans, [(begin, end)], "sentence")
        if targets:
            target = _range(targets[0], made, indent)
            spans = marked(spans, [target], "sentence-followed" if begin <= target[0] < end else "followed")
        return replace(made, spans=tuple(Span(text, role) for text, role in spans))

    # -- folding ------------------------------------------------------------------------------------------------------

    def unfold(self, *, row_only: bool = False) -> bool:
        """Show more of the part at the cursor, or of the first that is folded; gives whether there was anything."""
        rows = self._rows
        if not isinstance(rows, StepRows) or (row_only and not rows.is_fold(self.cursor)):
            return False
        here = rows.part_at(self.cursor) if len(rows) else 0
        number = next((each for each in (here, *range(len(self.answer.parts))) if rows.has_folds(each)), None)
        if number is None:
            return False
        self._unfolded[number] = self._unfolded.get(number, 0) + 1
        self._again()
        return True

    def fold(self) -> bool:
        """Fold everything again; gives whether anything was unfolded."""
        was, self._unfolded = self._unfolded, {}
        if was:
            self._again()
        return bool(was)

    def _again(self) -> None:
        self.show(self.made(lambda width: self.rows_of(self.answer, self.here, width)))
        self.refresh()

    # -- searching ----------------------------------------------------------------------------------------------------

    @property
    def marked_word(self) -> str:
        """The word that was searched last, as long as it is marked."""
        return cast("CcosApp", self.app).marked_word

    def next_match(self, index: int, by: int) -> int | None:
        """Return the next row with the searched word; None if there is none before the end."""
        rows, word = self._rows, self.marked_word
        return rows.next_match(index, by, word) if word and isinstance(rows, StepRows) else None

    def mark_anew(self) -> None:
        """Another word is searched, or none."""
        if self.answer is not None and self.marked_word != self._shown[1]:
            self.present()

    # -- following ----------------------------------------------------------------------------------------------------

    def targets(self) -> list[Target]:
        """What the row at the cursor names: steps, paths, symbols; what was clicked first."""
        if not self.count() or self.answer is None:
            return []
        row, index = self.row_at(self.cursor), self.cursor
        found = targets_in(row.copies, self._part(index))
        if self._column is not None and row.spans:
            at = self._column - len(row.spans[0].text)
            found.sort(key=lambda each: not each.begin <= at < each.end)
        return found

    def _part(self, index: int) -> Part | None:
        rows = self._rows
        return self.answer.parts[rows.part_at(index)] if isinstance(rows, StepRows) and self.answer.parts else None

    def on_click(self, event: events.Click) -> None:
        """Before that of the list, which Textual calls as well: remember where in the row it was."""
        within = event.get_content_offset(self)
        self._column = within.x if within is not None else None

    def select(self, index: int, *, told: bool = True, centred: bool = False) -> None:
        if told and index != self.cursor:
            self._column = None
        if index != self.cursor and self._sentences_shown:
            self.refresh()  # another sentence is marked, which may take several rows
        self._sentence = None
        super().select(index, told=told, centred=centred)

    @property
    def _sentences_shown(self) -> bool:
        rows = self._rows
        return self.has_focus and isinstance(rows, StepRows) and len(rows) > 0 and rows.speaks(self.cursor)

    def on_focus(self) -> None:
        """Besides what the list does, which Textual calls as well: show the sentence that is marked."""
        self.refresh()

    def on_blur(self) -> None:
        """Show it no more."""
        self.refresh()

    # -- sentences ----------------------------------------------------------------------------------------------------

    @property
    def words(self) -> str | None:
        """The words that are selected with the mouse; else the sentence, or line, at the cursor; as a node."""
        selection = self.text_selection
        if selection is not None and (selected := self.get_selection(selection)) is not None:
            return words_node(selected[0])
        sentence = self._chosen()
        return words_node(sentence.text) if sentence is not None else None

    def move_sentence(self, by: int) -> bool:
        """Mark a sentence so many further; gives whether there is one."""
        rows = self._rows
        if not isinstance(rows, StepRows) or (spots := rows.spots(self.cursor)) is None:
            return False
        sentences = rows.sentences(self.cursor)
        at = self._sentence if self._sentence is not None else sentence_at(sentences, *spots)
        wanted = (at if at is not None else -1) + by
        if not 0 <= wanted < len(sentences):
            return False
        found = rows.row_of(self.cursor, sentences[wanted].begin)
        if found is None:
            return False
        self.select(found)
        self._sentence = wanted
        self.refresh()
        return True

    def _chosen(self) -> Sentence | None:
        rows = self._rows
        if not isinstance(rows, StepRows) or (spots := rows.spots(self.cursor)) is None:
            return None
        sentences = rows.sentences(self.cursor)
        at = self._sentence if self._sentence is not None else sentence_at(sentences, *spots)
        return sentences[at] if at is not None and at < len(sentences) else None

    def _chosen_chars(self, index: int) -> tuple[int, int] | None:
        """Which characters of a row belong to the marked sentence, from the row's first on; None if none do."""
        rows = self._rows
        if not isinstance(rows, StepRows) or not rows.speaks(index) or rows.part_at(index) != rows.part_at(self.cursor):
            return None
        spots, sentence = rows.spots(index), self._chosen()
        if spots is None or sentence is None or not (sentence.begin < spots[1] and spots[0] < sentence.end):
            return None
        (_, first), (_, last) = spots
        begin, end = max(sentence.begin, spots[0])[1], min(sentence.end, spots[1])[1]
        return max(begin, first) - first, min(end, last) - first

    # -- selecting text -----------------------------------------------------------------------------------------------

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The text under the mouse's selection, with the lines that are wrapped on the screen."""
        rows = self._rows
        first = selection.start.y if selection.start is not None else 0
        last = selection.end.y if selection.end is not None else len(rows) - 1
        lines = [row.text for row in rows[first : last + 1]]
        start = selection.start.x if selection.start is not None else 0
        if lines and selection.end is not None:
            lines[-1] = lines[-1][: selection.end.x]
        if lines:
            lines[0] = lines[0][start:]
        return "\n".join(lines), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        self.refresh()

    def render_line(self, y: int) -> Strip:
        index = y + self.scroll_offset.y
        strip = super().render_line(y)
        selection = self.text_selection
        span = selection.get_span(index) if selection is not None else None
        if span is not None:
            first, end = span
            width = strip.cell_length
            end = width if end == -1 else min(end, width)
            style = self.screen.get_component_rich_style("screen--selection")
            before, within, after = strip.divide([min(first, end), end, width])
            strip = Strip.join([before, within.apply_style(style), after])
        return strip.apply_offsets(self.scroll_offset.x, index)


def _range(target: Target, row: Row, indent: int) -> tuple[int, int]:
    """Where a target of a line stands in its row; a wrapped line's other rows show other parts of it."""
    shown = "".join(span.text for span in row.spans)
    found = matches(shown[indent:], target.text, most=1)
    return (found[0][0] + indent, found[0][1] + indent) if found else (0, 0)
