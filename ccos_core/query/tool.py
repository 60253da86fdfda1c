"""Describe a question for the catalogue, and as a tool of the server for agents: its name, words and arguments.

The server lists its tools before it loads any question, so this imports nothing, and an entry of the catalogue holds
all that a list needs. `serve/mcp/tools/questions.py` makes schemas of it and runs it. An argument has a form, as in
`question.FORMS`; its schema and its check follow from that.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccos_core.query.question import Question

MOST_ROWS = 10_000
LENSES = "A window by name: working-set, around:X, hybrid:TEXT, memo:TEXT, resume, host, delivered."


class ToolArgument:
    """One argument of a tool."""

    __slots__ = ("default", "form", "least", "most", "name", "of", "required", "says", "words")

    def __init__(
        self,
        name: str,
        form: str,
        says: str,
        *,
        of: str = "",
        required: bool = False,
        least: int = 1,
        most: int = MOST_ROWS,
        default: int | None = None,
        words: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.form = form
        """As in `question.FORMS`. A span is two arguments: first and last step."""
        self.says = says
        self.of = of or name
        """The argument of the question that it becomes."""
        self.required = required
        self.least = least
        """The lowest `count`."""
        self.most = most
        """The highest `count`."""
        self.default = default
        self.words = words
        """The words a `word` may be."""


class QuestionTool:
    """A question as a tool."""

    __slots__ = ("description", "fields", "name", "plain", "schema", "takes", "title", "toolset", "writes")

    def __init__(
        self,
        name: str,
        title: str,
        description: str,
        *takes: ToolArgument,
        schema: str = "",
        fields: str = "",
        toolset: str = "history",
        writes: bool = False,
        plain: str = "",
    ) -> None:
        self.name = name
        self.title = title
        self.description = description
        self.takes = takes
        self.schema = schema
        """Schema of every answer; empty if it depends on the arguments."""
        self.fields = fields
        """Fields that every answer has, with their JSON types: `head:integer steps:array`."""
        self.toolset = toolset
        self.writes = writes
        """Whether it records what it is told."""
        self.plain = plain
        """The function of `serve/mcp/tools/plain.py` that makes text of the answer; empty for JSON."""


class Entry:
    """A question in the catalogue."""

    __slots__ = ("aliases", "module", "name", "summary", "tool", "writes")

    def __init__(
        self,
        name: str,
        summary: str,
        aliases: tuple[str, ...] = (),
        module: str = "",
        tool: QuestionTool | None = None,
        writes: bool = False,
    ) -> None:
        self.name = name
        self.summary = summary
        """What it tells, in one line."""
        self.aliases = aliases
        """Shorter names of it, in the REPL."""
        self.module = module or name
        """The file of `ccos_core/query` that holds it."""
        self.tool = tool
        """The question as a tool for agents, if it is one."""
        self.writes = writes
        """Whether it records what it is told."""

    def load(self) -> Question:
        """Import the question."""
        from importlib import import_module

        module = import_module(f"ccos_core.query.{self.module}")
        question: Question = module.QUESTION if hasattr(module, "QUESTION") else module.QUESTIONS[self.name]
        return question


NODE = ToolArgument("node", "node", "A path, symbol or node id.", required=True)
CODE = ToolArgument("node", "node", "A path or symbol.", required=True)
STEP = ToolArgument("step", "step", "The step; by default the last one.")
LENS = ToolArgument("lens", "lens", LENSES)
BUDGET = ToolArgument("budget", "budget", "Size of the window in tokens.")


def rows(says: str, default: int, *, name: str = "limit", most: int = MOST_ROWS) -> ToolArgument:
    """Make the argument that says how many rows to list."""
    return ToolArgument(name, "count", says, most=most, default=default)


def span(first: str, last: str, *, required: bool = False) -> tuple[ToolArgument, ToolArgument]:
    """Make the two arguments of a span."""
    return (
        ToolArgument("first", "span", first, of="span", required=required),
        ToolArgument("last", "span", last, of="span", required=required),
    )
