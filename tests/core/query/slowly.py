"""What questions answer at once, worked out from the ops one by one."""

from collections.abc import Callable

from tests.core.replay.told import as_of
from tests.core.state.small import Tale


def renamed_to(tale: Tale, first: int, last: int) -> Callable[[str], str]:
    """What a node of one step is called at a later one."""
    done = renames(tale, first, last)

    def to(node: str) -> str:
        for path, new in done:
            node = moved(node, path, new)
        return node

    return to


def called(tale: Tale, first: int, last: int, node: str) -> str:
    """What a node was called at an earlier step than the one at which it is called so."""
    for path, new in reversed(renames(tale, first, last)):
        node = moved(node, new, path)
    return node


def renames(tale: Tale, first: int, last: int) -> list[tuple[str, str]]:
    """The renames of files that were there."""
    done = []
    for step in range(first + 1, last + 1):
        op = tale.ops[step - 1]
        if op["kind"] == "renamed" and op["path"] != op["to"] and op["path"] in as_of(tale, step - 1).world.graph.files:
            done.append((op["path"], op["to"]))
    return done


def moved(node: str, path: str, to: str) -> str:
    if node == f"file:{path}":
        return f"file:{to}"
    return f"sym:{to}#{node.partition('#')[2]}" if node.startswith(f"sym:{path}#") else node
