"""The rules behind test_purity: what import contracts cannot show, read off the syntax tree.

Replay gives the same bits on every machine only while nothing ambient, unordered or inexact gets into a fold. Each rule
takes a `Source` and yields the offending nodes. A line that breaks a rule with good reason says so: `# pure: reason`;
an allowance nobody needs is an offence too. Deliberately absent: types across modules. A set that arrives from another
module without an annotation is not seen; the law on two hash seeds is there for that.
"""

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.house import sets
from tests.house.syntax import Syntax

TOUCHES_THE_WORLD = {"storage", "session", "serve"}
HASHED = {"values", "ops", "text", "log", "state", "memory", "window", "replay"}

ALLOWANCE = re.compile(r"#\s*pure:\s*\S")


class Offence(NamedTuple):
    line: int
    rule: str
    what: str


Found = Iterator[tuple[ast.AST, str]]
Rule = Callable[[Syntax], Found]


def offences(source: str, room: str) -> list[Offence]:
    """What is wrong with one module that stands in this room of ccos_core (or, for ccos_tui, in `tui`)."""
    syntax, allowed, used = Syntax(source), _allowances(source), set()
    found = []
    for rule in rules_for(room):
        for node, what in rule(syntax):
            lines = allowed & set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
            used |= lines
            if not lines:
                found.append(Offence(node.lineno, rule.__name__, what))
    found += [Offence(line, "allowance", "a `# pure:` that nothing needs") for line in allowed - used]
    return sorted(set(found))


def rules_for(room: str) -> list[Rule]:
    rules: list[Rule] = [unix_only_imports]
    if room not in TOUCHES_THE_WORLD | {"tui"}:
        rules += [the_world, builtin_hash, bare_sets]
    if room in HASHED:
        rules += [inexact_numbers]
    return rules


# ---- the rules ----

WORLDLY_BUILTINS = {"open", "print", "input"}
WORLDLY_MODULES = {"locale", "random", "secrets", "socket", "subprocess", "tempfile", "uuid"}
WORLDLY_NAMES = {
    "datetime": {"now", "today", "utcnow"},
    "date": {"today"},
    "os": {"environ", "environb", "getenv", "getcwd", "getcwdb", "urandom", "getpid"},
    "time": {"time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "localtime"},
    "Path": {"cwd", "home"},
}
CLOCKS = {"now", "utcnow", "today"}


def the_world(syntax: Syntax) -> Found:
    """No files, clocks, environment or chance: they are handed in."""
    for node in syntax.nodes:
        match node:
            case ast.Call(func=ast.Name(id=called)) if called in WORLDLY_BUILTINS:
                yield node, f"{called}()"
            case ast.Call(func=ast.Attribute(attr=called)) if called in CLOCKS:
                yield node, f".{called}()"
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if name in WORLDLY_NAMES.get(owner, ()):
                yield node, f"{owner}.{name}"
            case ast.Import(names=names):
                yield from ((node, f"import {n.name}") for n in names if _top(n.name) in WORLDLY_MODULES)
            case ast.ImportFrom(module=str(module), names=names, level=0):
                worldly = WORLDLY_NAMES.get(module, ())
                whole = _top(module) in WORLDLY_MODULES
                yield from ((node, f"from {module} import {n.name}") for n in names if whole or n.name in worldly)


def builtin_hash(syntax: Syntax) -> Found:
    """The builtin differs from run to run; values/canon.py gives identity. Inside `__hash__` it is at home."""
    for node in syntax.nodes:
        match node:
            case ast.Call(func=ast.Name(id="hash")) if syntax.function_around(node) != "__hash__":
                yield node, "hash()"
            case ast.Call(args=[ast.Name(id="hash"), *_]) | ast.keyword(value=ast.Name(id="hash")):
                yield node, "hash handed on"


def bare_sets(syntax: Syntax) -> Found:
    """A set has no order that two runs share: sort it first."""
    for node in sets.iterated(syntax):
        yield node, f"order taken from a set: {ast.unparse(node)[:60]}"


EXACT_MATH = {"ceil", "comb", "factorial", "floor", "gcd", "isqrt", "lcm", "perm"}


def inexact_numbers(syntax: Syntax) -> Found:
    """Whatever is hashed, ordered or compared is an integer; floats are made where people read them."""
    for node in syntax.nodes:
        match node:
            case ast.Constant(value=float() | complex()):
                yield node, f"float {node.value!r}"
            case ast.Call(func=ast.Name(id="float")):
                yield node, "float()"
            case ast.Call(args=[ast.Name(id="float"), *_]):
                yield node, "float handed on"
            case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
                yield node, "true division; // keeps integers"
            case ast.Attribute(value=ast.Name(id="math"), attr=name) if name not in EXACT_MATH:
                yield node, f"math.{name}"
            case ast.ImportFrom(module="math", names=names):
                yield from ((node, f"math.{n.name}") for n in names if n.name not in EXACT_MATH)
            case ast.Import(names=[ast.alias(name="statistics")]) | ast.ImportFrom(module="statistics"):
                yield node, "statistics"


UNIX_ONLY = {"fcntl", "grp", "pwd", "resource", "termios", "tty"}


def unix_only_imports(syntax: Syntax) -> Found:
    """Inside a function they cost nobody else anything; at the top they end the program on Windows."""
    for node in syntax.nodes:
        match node:
            case ast.Import(names=names) if not syntax.function_around(node):
                yield from ((node, f"import {n.name}") for n in names if _top(n.name) in UNIX_ONLY)
            case ast.ImportFrom(module=str(module), level=0) if not syntax.function_around(node):
                if _top(module) in UNIX_ONLY:
                    yield node, f"from {module} import"


def _top(module: str) -> str:
    return module.split(".")[0]


def _allowances(source: str) -> set[int]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {t.start[0] for t in tokens if t.type == tokenize.COMMENT and ALLOWANCE.search(t.string)}
