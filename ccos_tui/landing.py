"""From a hit of the search over all sessions to its step in the debugger, with the words marked.

The session is opened as any other is, which may import it first; the cursor goes to the step as soon as it is recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccos_core.present.rows import Moment
from ccos_tui.bridge import opening, searching
from ccos_tui.bridge.work import explained
from ccos_tui.records import RecordApp

if TYPE_CHECKING:
    from ccos_core.session.search import Hit, Searched
    from ccos_tui.screens.search_all import SearchScreen


class LandingApp(RecordApp):
    """An app that opens sessions at a step."""

    def __init__(self) -> None:
        super().__init__()
        self.landing: Hit | None = None
        """Where the reader wants to stand."""
        self.search_line = ""
        """What was searched for in all sessions last, ..."""
        self.search_found: Searched | None = None
        """... what was found, ..."""
        self.search_at = 0
        """... and which row of it was chosen."""

    def search_screen(self) -> SearchScreen:
        from ccos_tui.screens.search_all import SearchScreen

        return SearchScreen()

    def do_search_all(self, count: int | None, char: str) -> None:
        """Search what was said in all sessions, wherever the reader stands."""
        from ccos_tui.screens.search_all import SearchScreen

        if not isinstance(self.screen, SearchScreen):
            self.push_screen(SearchScreen())
        else:
            self.screen.do_search(None, "")

    def open_hit(self, hit: Hit) -> None:
        """Open a session at what was found in it."""
        self.landing = hit
        self.open(hit.path)
        self.picks, self.picked_in = True, opening.SEARCH

    def land(self) -> None:
        hit = self.landing
        if hit is None or not self.is_open:
            return
        try:
            step = searching.step_of(self.path, hit)
        except Exception as error:
            fact, place, hint, _ = explained(error, "search")
            for home in self.homes():
                home.said(f"{place}: {fact}. {hint}")
            return
        if step:
            self.landing = None
            if hit.marks:
                words = dict.fromkeys(hit.snippet[begin:end] for begin, end in hit.marks)
                self.remember_search(next(iter(words)))
                self.mark_word("\n".join(words))
            for home in self.homes():
                home.lead_to(Moment(step))

    def remember_search(self, text: str) -> None:
        """Somebody searched this; `n` searches it again."""
        raise NotImplementedError

    def mark_word(self, text: str) -> None:
        """Mark words, each on a line of its own, wherever they are shown."""
        raise NotImplementedError
