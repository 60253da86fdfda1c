"""`find EXPR`: a query over all steps. Words become a tree (`reading`), the tree masks of steps (`masks`), and those
rows or counts (`found`). The language is small, and every query ends."""

from ccos_core.query.finding import atoms
from ccos_core.query.finding.found import DEFAULT_BUDGET, LIMIT, Found, find
from ccos_core.query.question import Argument, Question


def about() -> str:
    """All words of queries, and some to begin with."""
    marks = {name: " ".join(marks) for name, (marks, _) in atoms.COMPARED.items()}
    lines = ["Queries to begin with:"]
    lines += [f"  find {query:<22} {says}" for query, says in atoms.CANNED]
    lines += ["", "Conditions, joined by and, or, not and brackets:"]
    lines += [f"  {name:<22} {says}" for name, says in atoms.FLAGS.items()]
    lines += [f"  {f'{name} {marks[name]}':<22} {says}" for name, (_, says) in atoms.COMPARED.items()]
    lines += [f"  {'@12m..@20m':<22} times since the first op; or days and hours (UTC): @2026-02-14.."]
    lines += [f"  {f'{name}(NODE)':<22} {says}" for name, says in atoms.NODES.items()]
    lines += [f"  {f'{name} CONDITION':<22} {says}" for name, says in atoms.RELATIVE.items()]
    lines += ["", "What becomes of the steps:"]
    lines += [f"  | {name:<20} {says}" for name, says in atoms.PIPES.items() if name != atoms.BY]
    lines += [f"  | {atoms.BY:<20} {atoms.PIPES[atoms.BY]}: {', '.join(atoms.GROUPS)}"]
    return "\n".join(lines)


QUESTIONS = {
    "find": Question(
        ask=find,
        answers=(Found,),
        example='find kind=tool error text~"permission denied"',
        arguments=(
            Argument("expr", "text", "what holds at a step", required=True),
            Argument(
                "budget", "budget", "tokens of the window in present() and absent()", default=DEFAULT_BUDGET, flag=True
            ),
            Argument("limit", "count", "rows to list; 0 lists all", default=LIMIT, flag=True),
        ),
        about=about(),
        needs=("progress",),
        moves=lambda answer: answer.step,
        nothing=lambda answer: not answer.steps,
    ),
}
