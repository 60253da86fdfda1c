"""`find EXPR`: a query over all steps. Words become a tree (`reading`), the tree masks of steps (`masks`), and those
rows or counts (`found`). The language is small, and every query ends."""

import textwrap
from collections.abc import Iterator, Sequence

from ccos_core.query.finding import atoms
from ccos_core.query.finding.found import DEFAULT_BUDGET, LIMIT, Found, find
from ccos_core.query.question import Argument, Question

NAME_COLUMNS, TEXT_COLUMNS = 26, 50
"""Columns of a table's names and of the texts beside them; with the indent of a help page they fit 80 columns."""


def about() -> str:
    """Return the tables of the query language, with example queries first."""
    tables = {
        "Example queries:": [(f"find {query}", says) for query, says in atoms.CANNED],
        "Conditions, combined with and, or, not and parentheses:": [
            *atoms.FLAGS.items(),
            *((f"{name} {' '.join(marks)}", says) for name, (marks, says) in atoms.COMPARED.items()),
            ("@12m..@20m", "times since the first step; or UTC days and hours: @2026-02-14.."),
            *((f"{name}(NODE)", says) for name, says in atoms.NODES.items()),
            *((f"{name} CONDITION", says) for name, says in atoms.RELATIVE.items()),
        ],
        "Output:": [
            *((f"| {name}", says) for name, says in atoms.PIPES.items() if name != atoms.BY),
            (f"| {atoms.BY}", f"{atoms.PIPES[atoms.BY]}: {', '.join(atoms.GROUPS)}"),
        ],
    }
    return "\n\n".join("\n".join([title, *_table(rows)]) for title, rows in tables.items())


def _table(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    for name, says in rows:
        first, *more = textwrap.wrap(says, TEXT_COLUMNS)
        yield f"  {name:<{NAME_COLUMNS - 1}} {first}"
        yield from (f"  {'':<{NAME_COLUMNS - 1}} {line}" for line in more)


QUESTIONS = {
    "find": Question(
        ask=find,
        answers=(Found,),
        example='find kind=tool error text~"permission denied"',
        arguments=(
            Argument("expr", "text", "the query", required=True),
            Argument(
                "budget", "budget", "size of the window in present() and absent()", default=DEFAULT_BUDGET, flag=True
            ),
            Argument("limit", "count", "rows to list; 0 lists all", default=LIMIT, flag=True),
        ),
        about=about(),
        needs=("progress", "user"),
        moves=lambda answer: answer.step,
        nothing=lambda answer: not answer.steps,
    ),
}
