"""Pictures of the screens, the same bytes on every run: what tests compare, and what `screenshots/` shows.

Each is a story on a sample workspace at a size and in a theme. A picture is Textual's own SVG, of which nothing is
left that changes by itself: its ids are drawn anew for every text, so they are all called the same here.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass

from ccos_tui.screens.search_all import SearchScreen
from tests.tui.driving import MIDDLE, NARROW, SLIM, WIDE, Driven, opened

TOUR = ("a", "enter")
"""The first keys of docs/TOUR.md: the agent's window, right after the cause of everything left it."""
STANDING = ("5", "3", "G", "enter", "w")
"""Where the cause is seen again, with its file watched: what most other pictures look at."""
STORIES: Mapping[str, tuple[str, ...]] = {
    "debugger": (),
    "autopsy": TOUR[:1],
    "host": TOUR,
    "why": (*TOUR, "w", "W"),
    "watch": (*TOUR, "w", "W", "right_square_bracket"),
    "step": ("5", "3", "G", "P"),
    "composition": ("3", "0", "G", "c"),
    "diff": ("4", "0", "G", "d"),
    "energy": (*STANDING, "x"),
    "tree": (*STANDING, "t"),
    "provenance": (*STANDING, "p"),
    "both-windows": (*STANDING, "L", "L"),
    "find": ("f", *"fail", "enter"),
    "statements": ("G", "quotation_mark"),
    "claims": ("G", "ampersand"),
    "memory": ("G", "number_sign"),
    "pressure": ("3", "0", "G", "percent_sign"),
    "window-said": ("5", "3", "G", "3", "tab"),
    "watched-words": ("2", "G", "P", "j", "w", "right_square_bracket", "W"),
    "help": ("question_mark",),
    "palette": ("ctrl+p",),
    "settings": ("O",),
    "notes": (*STANDING, "m", "c", "M"),
    "recoveries": ("exclamation_mark",),
    "restore": ("4", "0", "G", "Y"),
    "search": (),
}
"""Picture → the keys that lead there from the last step of `drift`; `search` has a home with sessions instead."""
SEARCHED = "column hold"
"""Words that stand in one of the sessions of `homes.fill`."""
FRAMED = ("step", "composition", "recoveries", "restore", "search")
"""Pictures that are taken at every size, dark and light."""
SAID = ("window-said", "statements", "claims", "watched-words", "pressure", "memory")
"""Those of what was said, and of the memory, at every size, dark."""
SIZES = {"160x48": WIDE, "100x30": MIDDLE, "80x24": SLIM, "60x20": NARROW}
LOOKS: Mapping[str, Mapping[str, str]] = {
    "dark": {},
    "light": {"theme": "paper"},
    "no-color": {"NO_COLOR": "1"},
}
"""Look → a theme, or a variable of the environment."""
LETTERS = "'Fira Code', 'JetBrains Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
_IDS = re.compile(r"terminal-\d+-")
_FETCHED = re.compile(r"\s*@font-face \{.*?\n    \}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture."""

    story: str
    size: str
    look: str = "dark"

    @property
    def name(self) -> str:
        return f"{self.story}-{self.size}-{self.look}"


def compared() -> list[Picture]:
    """What tests hold to what is kept: the debugger in every way, some others too but for the lack of colours, the rest
    as most people see them."""
    debugger = [Picture("debugger", size, look) for size in SIZES for look in LOOKS]
    panes = [Picture(story, size, look) for story in FRAMED for size in SIZES for look in ("dark", "light")]
    said = [Picture(story, size) for story in SAID for size in SIZES]
    others = [story for story in STORIES if story not in ("debugger", *FRAMED, *SAID)]
    return [*debugger, *panes, *said, *(Picture(story, "100x30") for story in others)]


def drawn(path: str, picture: Picture) -> str:
    """The picture as SVG. What of a look the environment says has to be said before."""

    async def draw() -> str:
        is_search = picture.story == "search"
        async with opened("search" if is_search else path, SIZES[picture.size]) as driven:
            driven.app.theme = LOOKS[picture.look].get("theme", driven.app.theme)
            await driven.settle()
            if is_search:
                await _searched(driven)
            await driven.press(*STORIES[picture.story])
            await driven.rest()
            return exported(driven)

    return asyncio.run(draw())


async def _searched(driven: Driven) -> None:
    screen = next(each for each in driven.app.screen_stack if isinstance(each, SearchScreen))
    await driven.until(lambda: screen.there is not None)
    await driven.type(SEARCHED)
    await driven.until(lambda: screen.answered_line == SEARCHED)
    await driven.settle()


def exported(driven: Driven) -> str:
    """What is on the screen now, in letters that are there: the font Textual names would have to be fetched."""
    told = _IDS.sub("terminal-", driven.app.export_screenshot(title="ccos-tui"))
    told = _FETCHED.sub("", told).replace("Fira Code, monospace", LETTERS).replace("arial", "sans-serif")
    return "\n".join(line.rstrip() for line in told.splitlines()) + "\n"
