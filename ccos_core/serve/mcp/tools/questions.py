"""Make a tool of every question whose entry in the catalogue describes one.

The schema of an argument follows from its form, and so does its check. The answer is the same as that of `--json`.
"""

from __future__ import annotations

from ccos_core.query.catalogue import QUESTIONS
from ccos_core.serve.mcp.offer import Tool, Wrong
from ccos_core.serve.mcp.tools import plain, schemas
from ccos_core.serve.mcp.tools.asking import answered, node_of, ready, step_of, wrong

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccos_core.query.tool import Entry, QuestionTool, ToolArgument
    from ccos_core.serve.mcp.offer import Answer, Arguments, Call
    from ccos_core.serve.mcp.tools.door import Door
    from ccos_core.serve.mcp.tools.schemas import Schema
    from ccos_core.session.live import Live

SEPARATOR, MANY = "\n", ("things", "texts")
"""Between the values of an argument that has several, as `query.words` has it; a test compares."""
BLAMED = ("thing", "things", "text", "lens")
"""Forms that only the question itself can check: an error of the question is told as an error of this argument."""


def question_tools(door: Door, toolset: str) -> tuple[Tool, ...]:
    """Return the questions of a toolset as tools, in the order of the catalogue."""
    described = ((entry, entry.tool) for entry in QUESTIONS if entry.tool is not None)
    return tuple(_tool(door, entry, tool) for entry, tool in described if tool.toolset == toolset)


def _tool(door: Door, entry: Entry, tool: QuestionTool) -> Tool:
    kinds = (field.split(":") for field in tool.fields.split())
    return Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        takes=schemas.takes(
            *(argument.name for argument in tool.takes if argument.required),
            **{argument.name: schema_of(argument) for argument in tool.takes},
        ),
        gives=schemas.gives(tool.schema, **{name: {"type": kind} for name, kind in kinds}),
        toolset=tool.toolset,
        reads_only=not tool.writes,
        repeats=True,
        run=lambda given, call: ask(door, entry.name, tool, given, call),
        plain=getattr(plain, tool.plain) if tool.plain else None,
    )


def schema_of(argument: ToolArgument) -> Schema:
    """Return the JSON Schema of an argument."""
    match argument.form:
        case "step" | "span":
            return schemas.number(argument.says, 0)
        case "budget":
            return schemas.any_budget(argument.says, argument.default or schemas.BUDGET)
        case "count":
            return schemas.number(argument.says, argument.least, argument.most, argument.default)
        case "things" | "texts":
            return schemas.several(argument.says)
        case "word":
            return schemas.choice(argument.says, *argument.words)
        case _:
            return schemas.word(argument.says)


def ask(door: Door, question: str, tool: QuestionTool, given: Arguments, call: Call) -> Answer:
    """Check the arguments and ask the question. Raises `Wrong` with the argument that can't be meant."""
    from ccos_core.errors import NotFound, Usage
    from ccos_core.query.arguments import takes_words
    from ccos_core.query.catalogue import BY_NAME

    live = ready(door, call, whole=tool.writes)
    present = {argument.name: argument for argument in tool.takes if given.get(argument.name) not in (None, [])}
    words = takes_words(BY_NAME[question].load())
    step = next((given[name] for name, each in present.items() if each.form == "step"), None)
    at = None if step is None else step_of(live, step)
    said = {each.of: _said(live, each, given, at, words=words) for each in present.values() if each.form != "step"}
    try:
        return answered(door, call, given, question, said, at)
    except (Usage, NotFound) as error:
        blamed = next((name for name, each in present.items() if each.form in BLAMED), None)
        if blamed is None:
            raise
        raise wrong(blamed, error) from error


def _said(live: Live, argument: ToolArgument, given: Arguments, at: int | None, *, words: bool) -> str:
    """Write a value as it is typed at a command line."""
    if argument.form == "node":
        return node_of(live, given[argument.name], argument.name, at, words=words)
    if argument.form == "span":
        return _span(live, given)
    value = given[argument.name]
    return SEPARATOR.join(value) if argument.form in MANY else str(value)


def _span(live: Live, given: Arguments) -> str:
    first = step_of(live, given.get("first", 0), "first")
    last = step_of(live, given.get("last", live.step), "last")
    if first > last:
        raise Wrong("first", f"step {first:,} is after the last one, {last:,}.", str(last))
    return f"{first}..{last}"
