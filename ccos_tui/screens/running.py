"""Running to where something changed, and looking at what is selected: what the debugger does beside moving about.

The reverse watchpoint is here: `[` goes back to the last change of what is watched, `]` on to the next. The cursor
moves when the answer comes, and the line at the foot says what happened there.
"""

from __future__ import annotations

from textual import events

from ccos_core.present.cells import clip
from ccos_core.present.parts import node_name
from ccos_core.present.rows import Moment
from ccos_tui.bridge import keepsakes
from ccos_tui.bridge.ask import ask
from ccos_tui.focus import MOST, Focus, Watches
from ccos_tui.messages import Answered
from ccos_tui.screens.keyed import KeyedScreen
from ccos_tui.widgets.rows import Rows
from ccos_tui.widgets.watch_pane import WatchPane

GO = "go"
"""The slot of questions that move the cursor."""
TURN = "ccos.turn/2"
NONE_SELECTED = "nothing is selected: {enter} selects in the steps or the window"
NAMED_COLUMNS = 48
"""Columns for the name of what is watched, in the line that says so."""
RUN = "{change-back} and {change-on}"
NONE_WATCHED = f"nothing is watched: {{watch}} watches the selected node; {RUN} go to its changes"


class Running(KeyedScreen):
    """A screen with a cursor, on which nodes are watched."""

    here: Focus
    active: str
    """The pane that had the focus last."""

    def __init__(self) -> None:
        super().__init__()
        self.watches = Watches()
        self._runs = 1
        """Changes that are still to be run to, the one that was asked for included."""

    def on_key(self, event: events.Key) -> None:
        """Any key ends a run of many, and does what it does."""
        self._runs = 1

    # -- what the screen does -----------------------------------------------------------------------------------------

    def fit_in(self) -> None:
        """Show what there is room for; the screen itself knows how."""
        raise NotImplementedError

    def go(self, here: Focus, *, jump: bool = False) -> None:
        """Stand somewhere else."""
        raise NotImplementedError

    def show_pane(self, name: str) -> None:
        """Bring a pane to where it can be seen."""
        raise NotImplementedError

    # -- what is selected ---------------------------------------------------------------------------------------------

    def pointed(self) -> str | None:
        """The node that the selected row is about; where it is about none, the one that was selected last."""
        leads = self._leads()
        return leads.node if leads is not None and leads.node is not None else self.here.node

    def _leads(self) -> Moment | None:
        row = self.focused.selected if isinstance(self.focused, Rows) else None
        return row.leads if row is not None else None

    def _look_at(self, pane: str) -> None:
        """Select what is pointed at, and show a pane that is about it."""
        node = self.pointed()
        if node != self.here.node:
            self.go(self.here.on(node))
        self.show_pane(pane)
        if node is None:
            self.said(self.keys.told(NONE_SELECTED))

    def do_why(self, count: int | None, char: str) -> None:
        self._look_at("why")

    def do_tree(self, count: int | None, char: str) -> None:
        self._look_at("tree")

    def do_provenance(self, count: int | None, char: str) -> None:
        self._look_at("provenance")

    def do_energy(self, count: int | None, char: str) -> None:
        self.show_pane("energy")

    # -- what is watched ----------------------------------------------------------------------------------------------

    def do_watch(self, count: int | None, char: str) -> None:
        node = self.pointed()
        if node is None:
            self.said(self.keys.told(NONE_SELECTED))
        else:
            self.watch_node(node)

    def watch_node(self, node: str) -> None:
        """Watch a node, or words; or no more, if they are watched."""
        if node not in self.watches:
            self.take_up(node)
            return
        self.watches.leave(node)
        self._watched_otherwise(node, f"{_named(node)} no longer watched")

    def take_up(self, node: str) -> None:
        """Watch a node, or words, and select it."""
        if self.watches.watch(node, self.here.step):
            said = f"{_named(node)} watched: {self.keys.told(RUN)} go to its changes"
        else:
            said = f"{MOST} nodes are watched already; {self.keys.sign('watch')} on a row of Watch removes one"
        self._watched_otherwise(node, said)

    def _watched_otherwise(self, node: str, said: str) -> None:
        self.go(self.here.on(node))
        self.fit_in()
        self.said(said + self._keep_watches())

    def _keep_watches(self) -> str:
        """For the next time; says so where that can't be done."""
        if self.ours.is_passing:
            return ""
        trouble = keepsakes.save_watches(self.ours.path, ((each.node, each.at) for each in self.watches.each))
        return f"; not saved: {trouble}" if trouble else ""

    def do_change_back(self, count: int | None, char: str) -> None:
        self._run(forward=False, times=count or 1)

    def do_change_on(self, count: int | None, char: str) -> None:
        self._run(forward=True, times=count or 1)

    def _run(self, *, forward: bool, times: int) -> None:
        """Ask for the next change of the node that is meant."""
        pane = self.query_one(WatchPane)
        node = self._followed(pane)
        if node is None:
            self.said(self.keys.told(NONE_WATCHED))
            return
        self._runs = times
        lens = pane.lens_of(node, self.here, forward=forward)
        word = "next" if forward else "last"
        self.ours.engine.ask(GO, ask(word, self.here.step, node=node, **self.here.through(lens)))

    def _followed(self, pane: WatchPane) -> str | None:
        """Return the node whose changes are run to: in the panes Watch and Why the one they show; elsewhere the
        selected node if it is watched, else the first watched one, else the selected one."""
        selected = self.here.node
        if selected is not None and self.focused is not pane and (selected in self.watches or self.active == "why"):
            return selected
        return pane.chosen.node if pane.chosen is not None else self.pointed()

    def went(self, message: Answered) -> None:
        """A question was answered that moves the cursor, or says why it stays."""
        if message.ask.at != self.here.step:
            return  # the reader has gone on since
        if message.moved is not None:
            self.go(self.here.at(message.moved), jump=True)
        if message.answer.schema == TURN:
            self.said(message.answer.line)
        if message.moved is not None and self._runs > 1 and message.ask.name in ("last", "next"):
            self._run(forward=message.ask.name == "next", times=self._runs - 1)


def _named(node: str) -> str:
    return clip(node_name(node), NAMED_COLUMNS)
