"""The stream: a line in, a line out, in order, until there is none. Nothing that comes in ends it.

An object has its verb under `op`, its arguments beside it, and may have an `id`, which comes back with the answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from ccos_core.errors import CcosError, NotUnderstood, Usage
from ccos_core.serve import exits
from ccos_core.serve.cli.common import error_object
from ccos_core.serve.defects import explained
from ccos_core.serve.memory.store import Answer, Store

LONGEST = 64 * 2**20
"""Bytes of a line; a source is in it as a whole."""


def run(store: Store, stream: BinaryIO, give: Callable[[Answer], None]) -> int:
    """Answer every line; gives the highest exit code of all."""
    highest = exits.DONE
    for line in _lines(stream):
        answer, code = answered(store, line)
        give(answer)
        highest = max(highest, code)
    return highest


def answered(store: Store, line: bytes | CcosError) -> tuple[Answer, int]:
    """One line's answer, and its exit code. Whatever goes wrong is an answer too."""
    mark: dict[str, Any] = {}
    verb = ""
    try:
        if isinstance(line, CcosError):
            raise line
        said = _object(line)
        mark = {"id": said.pop("id")} if "id" in said else {}
        verb = _verb(said)
        return {**mark, **store.obey(verb, said)}, exits.DONE
    except CcosError as error:
        code = exits.code_of(error)
        return {**mark, **error_object(error.fact, error.place, error.hint, code)}, code
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:
        fact, place, hint, code = explained(error, ["memory", verb])
        return {**mark, **error_object(fact, place, hint, code)}, code


def _lines(stream: BinaryIO) -> Iterator[bytes | CcosError]:
    first = True
    while line := stream.readline(LONGEST + 1):
        if len(line) > LONGEST and not line.endswith(b"\n"):
            while (more := stream.readline(LONGEST)) and not more.endswith(b"\n"):
                pass
            yield NotUnderstood(f"a line has at most {LONGEST:,} bytes")
        else:
            text = (line.removeprefix(b"\xef\xbb\xbf") if first else line).strip()
            if text:
                yield text
        first = False


def _object(line: bytes) -> dict[str, Any]:
    try:
        said = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        what = "is nested too deeply" if isinstance(error, RecursionError) else f"isn't JSON: {error}"
        raise NotUnderstood(f"the line {what}", hint='Send {"op":"help"} for a list of ops.') from None
    if not isinstance(said, dict):
        raise NotUnderstood("the line isn't a JSON object", hint='Send {"op":"help"} for a list of ops.')
    return said


def _verb(said: dict[str, Any]) -> str:
    verb = said.pop("op", None)
    if not isinstance(verb, str):
        raise Usage("must name the op, as a text", place="op", hint='Send {"op":"help"} for a list of ops.')
    return verb
