"""What questions answer at once, worked out from the ops one by one."""

from collections.abc import Callable

from tests.core.replay.told import as_of
from tests.core.state.small import Tale


def renamed_to(tale: Tale, first: int, last: int) -> Callable[[str], str]:
    """What a node of one step is called at a later one."""
    done = []
    for step in range(first + 1, last + 1):
        op = tale.ops[step - 1]
        if op["kind"] == "renamed" and op["path"] != op["to"] and op["path"] in as_of(tale, step - 1).world.graph.files:
            done.append((op["path"], op["to"]))

    def to(node: str) -> str:
        for path, new in done:
            if node == f"file:{path}":
                node = f"file:{new}"
            elif node.startswith(f"sym:{path}#"):
                node = f"sym:{new}#" + node.partition("#")[2]
        return node

    return to
