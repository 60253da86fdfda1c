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

    pane: str = ""
    """The pane that has to have the focus, where the key does something else in others."""

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
    "Jumping to changes",
    "Inspecting",
    "The window",
    "Finding",
    "Marking, copying, exporting",
    "Screens and quitting",
)


def _group(group: str, *actions: Action) -> tuple[Action, ...]:
    return tuple(replace(each, group=group) for each in actions)


ACTIONS: tuple[Action, ...] = (
    *_group(
        MOVING,
        Action("down", "j down", "Go one step forward, or one row down in a list.", where=EVERYWHERE, short="step",
               command="next"),
        Action("up", "k up", "Go one step back, or one row up in a list.", where=EVERYWHERE, command="prev"),
        Action("right", "l right", "Go one timeline column forward."),
        Action("left", "h left", "Go one timeline column back."),
        Action("first", "g home", "Go to the first step or row; with a count, to that step.", where=EVERYWHERE,
               command="goto start"),
        Action("last", "G end", "Go to the last step or row; with a count, to that step.", where=EVERYWHERE,
               command="goto end"),
        Action("page-down", "pagedown", "Go one page down.", where=EVERYWHERE),
        Action("page-up", "pageup", "Go one page up.", where=EVERYWHERE),
        Action("half-down", "ctrl+d", "Go half a page down.", where=EVERYWHERE),
        Action("half-up", "ctrl+u", "Go half a page up.", where=EVERYWHERE),
        Action("play", "space", "Play or pause; a count sets the steps per second."),
        Action("jump-back", "ctrl+o less_than_sign", "Jump back."),
        Action("jump-on", "greater_than_sign", "Jump forward."),
        Action("follow", "F", "Follow a running session at its end, or stop."),
    ),
    *_group(
        CHANGES,
        Action("change-back", "left_square_bracket", "Go to the watched node's previous change.",
               short="change", command="last NODE"),
        Action("change-on", "right_square_bracket", "Go to the watched node's next change.", command="next NODE"),
        Action("compaction-back", "left_curly_bracket", "Go to the previous compaction.",
               command="find kind=compaction or kind=cleared"),
        Action("compaction-on", "right_curly_bracket", "Go to the next compaction.", short="compaction",
               command="find kind=compaction or kind=cleared"),
        Action("failure-on", "e", "Go to the next failing test or call.", short="failure",
               command="find fail or refail or error"),
        Action("failure-back", "E", "Go to the previous failing test or call.",
               command="find fail or refail or error"),
        Action("prompt-on", "J", "Go to the next prompt.", command="find kind=prompt"),
        Action("prompt-back", "K", "Go to the previous prompt.", command="find kind=prompt"),
        Action("state-on", "full_stop", "Go to the next file edit.",
               command="find kind=edit or kind=write"),
        Action("state-back", "comma", "Go to the previous file edit.",
               command="find kind=edit or kind=write"),
    ),
    *_group(
        SEEING,
        Action("enter", "enter", "Follow the row; in the steps, select the step's file.",
               where=EVERYWHERE),
        Action("next-pane", "tab", "Go to the next pane; with a count, to that pane.", where=EVERYWHERE, short="pane"),
        Action("prev-pane", "shift+tab", "Go to the previous pane.", where=EVERYWHERE),
        Action("open-row", "s", "Show the steps of the row, or close them."),
        Action("every-step", "b", "Show every step as a row, or group them.", command="ccos-tui log WS --steps"),
        Action("fold-turn", "u", "Fold the turn of a prompt, or unfold it.", short="fold"),
        Action("fold-turns", "U", "Fold all turns, or unfold them."),
        Action("fold-subagents", "H", "Fold the subagent, or unfold it; elsewhere all of them."),
        Action("clock", "T", "Show the time of day, the elapsed time or no time."),
        Action("zoom", "z", "Enlarge the pane, or restore it."),
        Action("watch", "w", "Watch the selected node, or stop.", short="watch", command="watch NODE"),
        Action("watch-words", "w", "In the Step pane, watch the marked or selected words.",
               pane="step", short="watch words", command='watch "WORDS"'),
        Action("sentence-on", "right_parenthesis", "In the Step pane, mark the next sentence.", pane="step",
               short="sentence"),
        Action("sentence-back", "left_parenthesis", "In the Step pane, mark the previous sentence.", pane="step"),
        Action("step-text", "P", "Show the text of this step.", short="text", command="show"),
        Action("unfold", "u", "In the Step pane, unfold long texts; again, fold them.", pane="step",
               short="unfold"),
        Action("diff", "d", "Show what this step changed, or what changed since the mark.", short="diff",
               command="diff A B"),
        Action("mark-here", "equals_sign", "Set the mark for comparing at this step, or remove it."),
        Action("why", "W", "Explain why the node is in the window or not.", short="why", command="why NODE"),
        Action("energy", "x", "Show which nodes gained or lost heat.", command="energy A B"),
        Action("tree", "t", "Show the node's dependencies and dependents.", command="blame NODE"),
        Action("provenance", "p", "List the steps that recorded the node.", command="provenance NODE"),
        Action("text", "v", "Show the window's text.", command="recall"),
        Action("open", "o", "Open the text at this step in $PAGER or $EDITOR.", where=EVERYWHERE,
               command="show NODE"),
    ),
    *_group(
        WINDOW,
        Action("lens", "L", "Show the agent's window, the suggested or both.", short="lens",
               command="recall --lens host"),
        Action("composition", "c", "Show what fills the agent's window, and its course.",
               command="composition"),
        Action("order", "s", "In the Window pane, order by size or by age.", pane="window"),
        Action("more", "plus", "Enlarge the budget.", command="recall 4096"),
        Action("less", "minus", "Reduce the budget.", command="recall 1024"),
        Action("budget", "B", "Enter a budget.", command="recall 3000"),
    ),
    *_group(
        FINDING,
        Action("search", "slash", "Search the steps or the focused list.", where=EVERYWHERE,
               short="search", command="find text~WORD"),
        Action("again-on", "n", "Go to the next match.", where=EVERYWHERE),
        Action("again-back", "N", "Go to the previous match.", where=EVERYWHERE),
        Action("filter", "i", "Filter the steps by kind, context, outcome and file.", short="filter",
               command="ccos-tui log WS --kind edit"),
        Action("filter-clear", "I", "Clear the filter."),
        Action("search-all", "ctrl+f", "Search what was said in all sessions on this machine.", where=EVERYWHERE,
               command="ccos-tui search WORDS"),
        Action("find", "f", "Find steps by a query.", short="find", command="find QUERY"),
        Action("find-query", "c i", "Edit the query.", where="find", short="query", command="find QUERY"),
        Action("try", "c i", "Enter the changes to try.", where="whatif", short="try", command="whatif"),
        Action("other", "c i", "Choose the other workspace.", where="compare", short="other", command="compare WS"),
        Action("autopsy", "a", "Find where the session went wrong: ranked suspects.", short="autopsy",
               command="autopsy"),
        Action("recoveries", "exclamation_mark", "List failures and what ended each.", command="recoveries --calls"),
        Action("pressure", "percent_sign", "Show how full the agent's window is, and what could go.",
               command="pressure"),
        Action("pressure-on", "l right", "Go one step forward.", where="pressure", short="next step", command="next"),
        Action("pressure-back", "h left", "Go one step back.", where="pressure", short="step before", command="prev"),
        Action("memory", "number_sign", "Show what holds: requests, rules, documents and the map.",
               command="mindmap"),
        Action("memory-size", "i", "Draw the map in another size.", where="memory", short="map size",
               command="mindmap 1"),
        Action("memory-label", "m", "Label the statement.", where="memory", short="label",
               command="label memo:ID --tag WORD"),
        Action("memory-replace", "u", "Replace the statement by other words.", where="memory", short="replace",
               command="supersede memo:ID WORDS"),
        Action("memory-retract", "d delete", "Retract the statement.", where="memory", short="retract",
               command="retract memo:ID"),
        Action("rules", "asterisk", "List rules with score, maturity and conflicts.", command="rules"),
        Action("rule-evidence", "x", "Show what speaks for and against it, by way.", where="rules", short="evidence",
               command="rule memo:ID"),
        Action("rule-retired", "i", "List retired rules, too, or not.", where="rules", short="retired",
               command="rules --retired"),
        Action("rule-helpful", "plus", "Record that the rule helped.", where="rules", short="helped",
               command="feedback memo:ID +"),
        Action("rule-harmful", "minus", "Record that the rule did harm.", where="rules", short="harmed",
               command="feedback memo:ID -"),
        Action("rule-replace", "u", "Replace the rule by other words.", where="rules", short="replace",
               command="supersede memo:ID WORDS"),
        Action("rule-retract", "d delete", "Retire the rule.", where="rules", short="retire",
               command="retract memo:ID"),
        Action("diary", "semicolon", "Show what each session did, decided, met and learned.", command="diary"),
        Action("statements", "quotation_mark", "List what was said; confirm, replace or retract it.",
               command="statements"),
        Action("told", "D", "List what had been said about this step.", command="told"),
        Action("claims", "ampersand", "List claims with belief, tension and evidence.", command="claims"),
        Action("said-which", "i", "Show all, those lost or those held.", where="statements", short="all, lost, held",
               command="statements --which lost"),
        Action("said-author", "c", "Show those of the user, the agent, files or all.", where="statements",
               short="author", command="statements --author all"),
        Action("said-watch", "w", "Watch the statement.", where="statements", short="watch", command="watch WORDS"),
        Action("said-why", "W", "Explain why the window has it or not.", where="statements", short="why",
               command="why WORDS"),
        Action("said-confirm", "m", "Confirm the statement and what it is.", where="statements", short="confirm",
               command="remember memo:ID"),
        Action("said-replace", "u", "Replace the statement by other words.", where="statements", short="replace",
               command="supersede memo:ID WORDS"),
        Action("said-retract", "d delete", "Retract the statement.", where="statements", short="retract",
               command="retract memo:ID"),
        Action("said-helpful", "plus", "Record that the statement helped.", where="statements", short="helped",
               command="feedback memo:ID +"),
        Action("said-harmful", "minus", "Record that the statement did harm.", where="statements",
               command="feedback memo:ID -"),
        Action("said-evidence", "x", "Show what speaks for and against it.", where="statements",
               command="claims memo:ID"),
        Action("claim-contested", "i", "Show all, or those that are contested.", where="claims", short="contested",
               command="tension"),
        Action("claim-support", "plus", "Record that something speaks for it.", where="claims", short="for",
               command="support CLAIM"),
        Action("claim-contradict", "minus", "Record that something speaks against it.", where="claims",
               short="against", command="contradict CLAIM"),
        Action("claim-replace", "u", "Replace the claim by another.", where="claims", short="replace",
               command="supersede claim:WORDS NEW"),
        Action("claim-retract", "d delete", "Retract the claim.", where="claims", short="retract",
               command="retract claim:WORDS"),
        Action("command", "colon", "Enter a command, as in postmortem.", where=EVERYWHERE, short="command"),
        Action("palette", "ctrl+p", "Search all actions and commands.", where=EVERYWHERE),
    ),
    *_group(
        KEEPING,
        Action("bookmark", "m", "Bookmark this step with a letter.", command="mark NAME", argument="a letter"),
        Action("to-bookmark", "apostrophe", "Go to a bookmark; '' jumps back.", command="goto NAME",
               argument="a letter"),
        Action("note", "A", "Write a note at this step.", command="note TEXT"),
        Action("note-change", "c i", "Edit the note or bookmark.", where="notes", short="edit", command="note TEXT"),
        Action("note-drop", "d delete", "Delete the note or bookmark.", where="notes", short="forget",
               command="note --drop TEXT"),
        Action("restore", "Y", "Write this step's files to a folder.",
               command="ccos-tui restore WS@STEP DIR"),
        Action("restore-to", "c i", "Write the files into a folder.", where="files", short="write to a folder",
               command="ccos-tui restore WS@STEP DIR"),
        Action("restore-over", "f", "Write into the same folder, replacing what is there.", where="files",
               short="replace", command="ccos-tui restore WS@STEP DIR --force"),
        Action("copy", "y",
               "Copy: y text, i id, l link to this moment, h hash, j JSON.",
               where=EVERYWHERE, argument="y text, i id, l link, h hash, j JSON"),
        Action("export", "r", "Save this view: s SVG, t text, j JSON, m Markdown report.",
               where=EVERYWHERE, argument="s SVG, t text, j JSON, m Markdown report"),
    ),
    *_group(
        LEAVING,
        Action("notes", "M", "List bookmarks and notes.", command="mark"),
        Action("sessions", "S", "Choose another session.", where=EVERYWHERE, command="ccos-tui sessions"),
        Action("demo", "d", "Choose a demonstration.", where="sessions", short="demo", command="ccos-tui demo"),
        Action("verify", "V", "Prove that no recorded step was changed.", command="ccos-tui verify WS"),
        Action("go-on", "R", "Continue work that was stopped."),
        Action("stop", "escape", "Stop long work; unmark a search; go back to the steps."),
        Action("compare", "C", "Compare two sessions.", command="compare WS"),
        Action("whatif", "X", "Try another budget or weights, or leave out steps.", command="whatif"),
        Action("settings", "O", "Change settings and theme.", where=EVERYWHERE),
        Action("mouse", "ctrl+t", "Switch mouse support off or on.", where=EVERYWHERE),
        Action("suspend", "ctrl+z", "Suspend to the shell; fg returns.", where=EVERYWHERE),
        Action("help", "question_mark", "Show all keys; twice, explain every mark.", where=EVERYWHERE, short="help"),
        Action("legend", "f1", "Explain every mark on screen.", where=EVERYWHERE),
        Action("back", "q escape", "Go back; from a pane to the steps, and q there quits.",
               where=EVERYWHERE),
        Action("quit", "Q", "Quit.", where=EVERYWHERE),
    ),
)  # fmt: skip

BY_ID = {action.id: action for action in ACTIONS}
SIGNS = {
    "left_square_bracket": "[", "right_square_bracket": "]", "left_curly_bracket": "{", "right_curly_bracket": "}",
    "left_parenthesis": "(", "right_parenthesis": ")", "quotation_mark": '"', "ampersand": "&",
    "percent_sign": "%", "number_sign": "#", "asterisk": "*", "semicolon": ";",
    "full_stop": ".", "comma": ",", "equals_sign": "=", "slash": "/", "colon": ":", "question_mark": "?", "plus": "+",
    "minus": "-",
    "exclamation_mark": "!", "apostrophe": "'", "less_than_sign": "<", "greater_than_sign": ">", "pagedown": "PgDn",
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
        self._by_key: dict[tuple[str, str, str], Action] = {
            (each.where, each.pane, key): each for each in self.actions for key in each.keys
        }

    def action(self, key: str, screen: str, pane: str = "") -> Action | None:
        """What a key does on a screen while a pane has the focus."""
        places = ((screen, pane, key), (screen, "", key), (EVERYWHERE, "", key))
        return next((self._by_key[each] for each in places if each in self._by_key), None)

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
