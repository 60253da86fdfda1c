"""The windows of a report: whose window belongs to a step, what was in it, what a row changed, and what was watched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ccos_core.errors import NotFound, Usage
from ccos_core.present.later import untitled
from ccos_core.present.parts import node_name
from ccos_core.present.rows import View
from ccos_core.query.catalogue import BY_NAME
from ccos_core.query.contexts import MAIN, contexts_of
from ccos_core.query.question import HOST
from ccos_core.serve.report.tables import Json, RowTable, difference
from ccos_core.values.ids import file_node

if TYPE_CHECKING:
    from ccos_core.query.step_groups import Group
    from ccos_core.session.asking import Desk

Whose = Mapping[str, str]
"""Whose window is asked about, as arguments of a question."""
SUGGESTED: Whose = {"lens": "working-set"}
VIEW = View(None, full=True)


class Windows:
    """Windows of a record, asked for as the terminal does."""

    def __init__(self, desk: Desk, rows: RowTable, first: int, last: int) -> None:
        self.desk = desk
        self.rows = rows
        self.first, self.last = first, last
        self._context = desk.timeline.journal.steps["context"]
        self._of_context: dict[int, Whose | None] = {}
        self.main = self._main()

    @property
    def is_agents(self) -> bool:
        """Whether the agent's window is recorded; if not, the suggested one is shown."""
        return self.main is not SUGGESTED

    def at(self, numbered: Sequence[tuple[int, Group]]) -> tuple[Json, Json]:
        """Return windows and diffs of numbered rows: [number, difference from the window before], [number, rows]."""
        windows: list[Json] = []
        diffs: list[Json] = []
        before: list[int] = []
        since = self.first - 1
        for number, group in numbered:
            step, whose = max(group.steps, default=group.step), self.whose(group.step)
            answer = self._ask("recall", step, whose)
            now = self.rows.places(untitled(answer.item_rows(VIEW)))
            windows.append([number, *difference(before, now)])
            before = now
            if step > since:
                answer = self._ask("diff", step, whose, span=f"{since}..{step}")
                diffs.append([number, *self.rows.places(untitled(answer.as_rows(VIEW)))])
                since = step
        return windows, diffs

    def whose(self, step: int) -> Whose:
        """Return whose window a step belongs to: that of its own context if it has one, else that of the main one."""
        found = self._of(int(self._context[step - 1]))
        return found if found is not None else self.main

    def watched(self, nodes: Sequence[str]) -> Json:
        """Return [name, node, runs] of nodes, a run being [first step, last step, state]."""
        return [self._watched(node) for node in nodes]

    def _watched(self, node: str) -> Json:
        answer = self._ask("watch", self.last, self.main, node=node)
        side = answer.agent or answer.suggested
        runs = [[run.first, run.last, run.state] for run in side.runs]
        return [node_name(answer.node), node, runs, self.rows.places(untitled(answer.as_rows(VIEW)))]

    def _ask(self, name: str, at: int, whose: Whose, **said: str) -> Any:
        return self.desk.ask(BY_NAME[name], {**whose, **said}, at).answer

    # -- whose --------------------------------------------------------------------------------------------------------

    def _main(self) -> Whose:
        """Return the window of the main context with the most steps that has one."""
        every = contexts_of(self.desk.timeline)
        steps = Counter(self._context[self.first - 1 : self.last].tolist())
        for number, _ in sorted(steps.items(), key=lambda each: (bool(every[each[0]].context), -each[1], each[0])):
            found = self._of(number)
            if found is not None:
                return found
        return SUGGESTED

    def _of(self, number: int) -> Whose | None:
        if number not in self._of_context:
            self._of_context[number] = self._tried(number)
        return self._of_context[number]

    def _tried(self, number: int) -> Whose | None:
        """Return how to ask for the window of a context; None if nothing of it is recorded."""
        context = contexts_of(self.desk.timeline)[number]
        whose = {"lens": HOST, "context": context.context or MAIN}
        if context.session:
            whose["session"] = f"{context.host}/{context.session}" if context.host else context.session
        try:
            self._ask("recall", self.last, whose)
        except (NotFound, Usage):
            return None
        return whose


def most_seen(desk: Desk, first: int, last: int, most: int) -> list[str]:
    """Return the files that the session read and changed most often, a change counting as ten reads."""
    found: Counter[str] = Counter()
    for _, op in desk.timeline.between(first, last):
        if op["kind"] == "seen" and op["how"] != "ingest":
            found[file_node(op["path"])] += 1 if op["how"] == "read" else 10
    return [node for node, _ in sorted(found.items(), key=lambda each: (-each[1], each[0]))[:most]]
