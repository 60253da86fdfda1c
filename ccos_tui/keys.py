"""Every key, what it does and in which words: the one table that bindings, footer, help, palette and docs/KEYS.md read.

An action is a word; screens have a method `do_WORD` for those they know. Keys can be set otherwise by that word in the
settings. Digits before a key are a count; a key with an `argument` waits for one character more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

HOME = "debugger"
EVERYWHERE = "everywhere"


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that can be done."""

    id: str
    said: str
    """Its keys as Textual calls them, with spaces between: `j down`, `ctrl+d`, `left_square_bracket`."""

    words: str
    """What it does."""

    where: str = HOME
    """The screen that knows it."""

    short: str = ""
    """A word or two for the footer; without one it isn't there."""

    command: str = ""
    """The line that gives the same without a screen."""

    argument: str = ""
    """What the one character behind it is, where it wants one."""

    group: str = ""
    """Under which heading the help lists it."""

    @property
    def line(self) -> str:
        """What is typed instead: behind a colon, or in a shell where it is a command of its own."""
        return self.command if not self.command or self.command.startswith("ccos-tui ") else f":{self.command}"

    @property
    def keys(self) -> tuple[str, ...]:
        """Its keys, the first one first."""
        return tuple(self.said.split())


MOVING, CHANGES, SEEING, WINDOW, FINDING, KEEPING, LEAVING = (
    "Moving",
    "Running to a change",
    "Looking at something",
    "The window",
    "Finding",
    "Keeping and taking along",
    "Screens and leaving",
)


def _group(group: str, *actions: Action) -> tuple[Action, ...]:
    return tuple(replace(each, group=group) for each in actions)


ACTIONS: tuple[Action, ...] = (
    *_group(
        MOVING,
        Action("down", "j down", "One step on; in a list one row down.", where=EVERYWHERE, short="step",
               command="next"),
        Action("up", "k up", "One step back; in a list one row up.", where=EVERYWHERE, command="prev"),
        Action("right", "l right", "On by a column of the timeline."),
        Action("left", "h left", "Back by a column of the timeline."),
        Action("first", "g home", "To the first; with a count to that step.", where=EVERYWHERE, command="goto start"),
        Action("last", "G end", "To the last; with a count to that step.", where=EVERYWHERE, command="goto end"),
        Action("page-down", "pagedown", "A page on.", where=EVERYWHERE),
        Action("page-up", "pageup", "A page back.", where=EVERYWHERE),
        Action("half-down", "ctrl+d", "Half a page on.", where=EVERYWHERE),
        Action("half-up", "ctrl+u", "Half a page back.", where=EVERYWHERE),
        Action("play", "space", "Play on from here, or pause; with a count so many steps a second."),
        Action("jump-back", "ctrl+o less_than_sign", "Back to where you were before the last jump."),
        Action("jump-on", "greater_than_sign", "On again, to where you came back from."),
        Action("follow", "F", "Stay at the end of a session that goes on, or stop."),
    ),
    *_group(
        CHANGES,
        Action("change-back", "left_square_bracket", "Back to the last change of what is watched.",
               short="watch change", command="last NODE"),
        Action("change-on", "right_square_bracket", "On to the next change of what is watched.", command="next NODE"),
        Action("compaction-back", "left_curly_bracket", "Back to the compaction before.",
               command="find kind=compaction or kind=cleared"),
        Action("compaction-on", "right_curly_bracket", "On to the next compaction.", short="compaction",
               command="find kind=compaction or kind=cleared"),
        Action("failure-on", "e", "On to the next failing test or call, known ones too.", short="failure",
               command="find fail or refail or error"),
        Action("failure-back", "E", "Back to the failing test or call before.",
               command="find fail or refail or error"),
        Action("prompt-on", "J", "On to the next prompt.", command="find kind=prompt"),
        Action("prompt-back", "K", "Back to the prompt before.", command="find kind=prompt"),
        Action("state-on", "full_stop", "On to the next step that edits or writes a file.",
               command="find kind=edit or kind=write"),
        Action("state-back", "comma", "Back to the step before that edited or wrote one.",
               command="find kind=edit or kind=write"),
    ),
    *_group(
        SEEING,
        Action("enter", "enter", "Go where the row leads; in the steps select what the step is about.",
               where=EVERYWHERE),
        Action("next-pane", "tab", "To the next pane; with a count to that pane.", where=EVERYWHERE, short="pane"),
        Action("prev-pane", "shift+tab", "To the pane before.", where=EVERYWHERE),
        Action("zoom", "z", "One pane as large as the screen, and back."),
        Action("watch", "w", "Watch what is selected, or stop.", short="watch", command="watch NODE"),
        Action("diff", "d", "What changed: by this step, or since the mark.", short="diff", command="diff A B"),
        Action("mark-here", "equals_sign", "Compare with this step from now on; once more to stop."),
        Action("why", "W", "Why it is in the window, or not.", short="why", command="why NODE"),
        Action("energy", "x", "Who got hotter, who colder.", command="energy A B"),
        Action("tree", "t", "What it depends on, and what depends on it.", command="blame NODE"),
        Action("provenance", "p", "Where what is known of it comes from.", command="provenance NODE"),
        Action("text", "v", "The window's own text.", command="recall"),
        Action("open", "o", "Open its text, as it was then, in $PAGER or $EDITOR.", where=EVERYWHERE,
               command="show NODE"),
    ),
    *_group(
        WINDOW,
        Action("lens", "L", "Another window: ours, the host's, both.", short="lens", command="recall --lens host"),
        Action("more", "plus", "A larger budget.", command="recall 4096"),
        Action("less", "minus", "A smaller budget.", command="recall 1024"),
        Action("budget", "B", "Say a budget.", command="recall 3000"),
    ),
    *_group(
        FINDING,
        Action("search", "slash", "Search in the steps, or in the list that has the focus.", where=EVERYWHERE,
               short="search", command="find text~WORD"),
        Action("again-on", "n", "On to what was searched.", where=EVERYWHERE),
        Action("again-back", "N", "Back to what was searched.", where=EVERYWHERE),
        Action("find", "f", "Find steps by a query.", short="find", command="find QUERY"),
        Action("find-query", "c i", "Say the query otherwise.", where="find", short="query", command="find QUERY"),
        Action("try", "c i", "Say what is to be otherwise.", where="whatif", short="try", command="whatif"),
        Action("other", "c i", "Say which workspace.", where="compare", short="other", command="compare WS"),
        Action("autopsy", "a", "Where it went wrong: ranked suspects.", short="autopsy", command="autopsy"),
        Action("command", "colon", "Type a command, the same as in postmortem.", where=EVERYWHERE, short="command"),
        Action("palette", "ctrl+p", "Every action, with its key and its command.", where=EVERYWHERE),
    ),
    *_group(
        KEEPING,
        Action("bookmark", "m", "Call this step by a letter.", command="mark NAME", argument="a letter"),
        Action("to-bookmark", "apostrophe", "Go to the step of a letter; '' goes back.", command="goto NAME",
               argument="a letter"),
        Action("note", "A", "Note something at this step.", command="note TEXT"),
        Action("note-change", "c i", "Say it otherwise.", where="notes", short="change", command="note TEXT"),
        Action("note-drop", "d delete", "Forget it.", where="notes", short="forget", command="note --drop TEXT"),
        Action("copy", "y",
               "Copy: y its text, i its id, l a link to the moment, h the hash, j the answer as JSON.",
               where=EVERYWHERE, argument="y its text, i its id, l a link, h the hash, j JSON"),
        Action("export", "r", "Write this view to a file: s SVG, t text, j JSON, m a Markdown report.",
               where=EVERYWHERE, argument="s SVG, t text, j JSON, m a Markdown report"),
    ),
    *_group(
        LEAVING,
        Action("notes", "M", "Bookmarks and notes.", command="mark"),
        Action("sessions", "S", "Another session.", where=EVERYWHERE, command="ccos-tui sessions"),
        Action("demo", "d", "Open the demonstration.", where="sessions", short="demo", command="ccos-tui demo"),
        Action("verify", "V", "Prove that nothing was changed since it was recorded.", command="ccos-tui verify WS"),
        Action("go-on", "R", "Go on with long work that was stopped."),
        Action("stop", "escape", "Stop long work, and keep what is done of it."),
        Action("compare", "C", "Compare with another workspace.", command="compare WS"),
        Action("whatif", "X", "What if: another budget, other weights, a step left out.", command="whatif"),
        Action("settings", "O", "Settings and themes.", where=EVERYWHERE),
        Action("mouse", "ctrl+t", "Leave the mouse to the terminal, or take it back.", where=EVERYWHERE),
        Action("suspend", "ctrl+z", "Back to the shell; fg comes back here.", where=EVERYWHERE),
        Action("help", "question_mark f1", "All keys.", where=EVERYWHERE, short="help"),
        Action("back", "q escape", "Back; on the first screen q leaves.", where=EVERYWHERE),
        Action("quit", "Q", "Leave at once.", where=EVERYWHERE),
    ),
)  # fmt: skip

BY_ID = {action.id: action for action in ACTIONS}
SIGNS = {
    "left_square_bracket": "[", "right_square_bracket": "]", "left_curly_bracket": "{", "right_curly_bracket": "}",
    "full_stop": ".", "comma": ",", "equals_sign": "=", "slash": "/", "colon": ":", "question_mark": "?", "plus": "+",
    "minus": "-", "apostrophe": "'", "less_than_sign": "<", "greater_than_sign": ">", "pagedown": "PgDn",
    "pageup": "PgUp", "up": "↑", "down": "↓", "left": "←", "right": "→", "space": "Space", "enter": "Enter",
    "escape": "Esc", "tab": "Tab", "shift+tab": "S-Tab", "home": "Home", "end": "End", "f1": "F1",
}  # fmt: skip


def sign(key: str) -> str:
    """How a key is written for people."""
    if key.startswith("ctrl+"):
        return "^" + key.removeprefix("ctrl+").upper()
    return SIGNS.get(key, key)


class Keys:
    """The table as it is in force: with what the settings say otherwise."""

    def __init__(self, otherwise: Mapping[str, Iterable[str]] | None = None) -> None:
        said = otherwise or {}
        self.actions = tuple(
            replace(each, said=" ".join(said[each.id])) if each.id in said else each for each in ACTIONS
        )
        self._by_key: dict[tuple[str, str], Action] = {
            (each.where, key): each for each in self.actions for key in each.keys
        }

    def action(self, key: str, screen: str) -> Action | None:
        """What a key does on a screen."""
        return self._by_key.get((screen, key)) or self._by_key.get((EVERYWHERE, key))

    def of(self, screen: str) -> list[Action]:
        """What can be done on a screen."""
        return [each for each in self.actions if each.where in (screen, EVERYWHERE)]

    def foot(self, ids: Iterable[str], words: Mapping[str, str]) -> list[tuple[str, str]]:
        """These actions for the foot of a screen, in this order: how the key is written, and what it does there."""
        by_id = {each.id: each for each in self.actions}
        return [(self.sign(each), words.get(each) or by_id[each].short or each) for each in ids if self.sign(each)]

    def sign(self, id_: str) -> str:
        """The first key of an action, as it is written."""
        return next((sign(key) for each in self.actions if each.id == id_ for key in each.keys), "")

    def told(self, text: str) -> str:
        """A text that names actions, as in `{watch} watches it`, with the keys they have in it."""
        return text.format_map({each.id: self.sign(each.id) for each in self.actions})


BY_THEMSELVES = Keys()
"""The keys where nobody wants others."""
