"""What Codex gives back to its agent for a call, in all the ways its versions write it.

The agent sees a text. In it stand, by version, a JSON object or a few lines of headers in front of what the tool really
printed: how it ended, how long it took, whether it goes on. A long output has lost its middle.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ccos_core.intake.importers.fields import at, decoded, lasted, objects, text
from ccos_core.intake.importers.images import placeholder, placeholder_of_url

MOST_HEADERS = 12
EXIT = re.compile(r"(?:Exit code|Process exited with code):? (-?\d{1,9})$")
TIME = re.compile(r"Wall time:? (\d{1,9})(?:\.(\d{1,9}))? seconds?$")
RUNS = re.compile(r"(?:Process running with session ID|Script running with cell ID) (\S{1,100})$")
SCRIPT = re.compile(r"Script (completed|failed|terminated)\b.*$")
ECHO = re.compile(r"Command: .*?\n(?=(?:Chunk ID: \S{1,100}\n)?Wall time:? \d)", re.DOTALL)
"""The command itself, with all of its lines; what they say isn't said of how it went."""
NOTES = re.compile(r"(?:Command:|Chunk ID:|Original token count:|Total output lines:|Warning: truncated output\b).*$")
OUTPUT = "Output:"
SHORTENED = re.compile(r"(?:Warning: truncated output\b.*\n)?Total output lines: \d{1,9}\n\n?")
"""What stands at the head of an output whose middle was cut out."""
CUT = re.compile(
    r"…\d{1,12} (?:tokens|chars|characters|bytes|lines) truncated…|\[\.\.\. (?:omitted )?\d{1,9} .{0,60}\.\.\.\]"
)
ABORTED = re.compile(r"(?:command |exec )?(?:was )?aborted(?: by (?:the )?user\b|\.?\s*$)", re.IGNORECASE)
FAILED = re.compile(
    r"(?:(?:apply_patch|exec_command|write_stdin|exec|execution|sandbox|tool call|mcp\S*|patch|\w+_\w+)"
    r" (?:verification |handler |call )?(?:failed|error|rejected|denied|received)"
    r"|failed |err(?:or)?:|unsupported |unknown tool|unable to |command timed out|invalid |missing )",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Answer:
    """The end of a call."""

    text: str
    """What the agent saw."""

    output: str
    """What the tool printed; where its middle was cut out, the lines before that."""

    outcome: str = "ok"
    millis: int | None = None

    process: str = ""
    """What goes on running, as later calls name it."""

    cut: bool = False


def answer_of(said: Any) -> Answer:
    """Read the output of a call."""
    shown = _shown(said)
    if isinstance(said, dict) and at(said, "success") is False:
        return replace(_plain(shown), outcome="error")
    return before_cut(_structured(shown) or _headed(shown) or _plain(shown))


def output_of(item: Any) -> Any:
    """The output of a call's item; of a search for tools their descriptions, as JSON."""
    if isinstance(tools := at(item, "tools"), list) and at(item, "output") is None:
        return json.dumps(tools, ensure_ascii=False)
    return at(item, "output")


def text_of(content: Any) -> str:
    """The text by which a message is known: images and files are their kind in brackets."""
    return content if isinstance(content, str) else "".join(_joined(content, _kind_in_brackets))


def words_of(content: Any) -> str:
    """The text of a message or an output that is given in parts, with a line for each image and file."""
    return content if isinstance(content, str) else "".join(_joined(content, _line_for))


def answers_in(printed: str) -> str:
    """What the user answered to questions of the agent, one line for each answer."""
    told = at(decoded(printed), "answers")
    chosen = (each.get("answers") for each in told.values() if isinstance(each, dict)) if isinstance(told, dict) else ()
    return "\n".join(said for each in chosen if isinstance(each, list) for said in each if isinstance(said, str))


def before_cut(answer: Answer) -> Answer:
    """Return the answer with the output before its first cut: line numbers behind a cut aren't known."""
    found = CUT.search(answer.output)
    if found is None:
        return answer
    end = answer.output.rfind("\n", 0, found.start()) + 1
    return replace(answer, output=answer.output[:end], cut=True)


# -- helpers ----------------------------------------------------------------------------------------------------------


def _kind_in_brackets(part: dict[str, Any]) -> str:
    return f"[{_kind(part)}]"


def _line_for(part: dict[str, Any]) -> str:
    kind, url = _kind(part), text(part, "image_url") or text(part, "image_url", "url") or text(part, "file_data")
    return placeholder_of_url(kind, url) if url else placeholder(kind, text(part, "mimeType"), text(part, "data"))


def _kind(part: dict[str, Any]) -> str:
    return text(part, "type").removeprefix("input_").removeprefix("output_")


def _parts(content: Any, line_for: Callable[[dict[str, Any]], str]) -> Iterator[str]:
    for part in objects(content):
        kind = text(part, "type")
        if isinstance(part.get("text"), str):
            yield part["text"]
        elif "image" in kind or "file" in kind or "audio" in kind:
            yield line_for(part)


def _shown(said: Any) -> str:
    if isinstance(said, dict):
        inner = next((said[name] for name in ("content", "content_items", "output", "text") if said.get(name)), "")
        return words_of(inner)
    return words_of(said)


def _joined(content: Any, line_for: Callable[[dict[str, Any]], str]) -> Iterator[str]:
    """Parts, each on lines of its own."""
    said = list(_parts(content, line_for))
    for number, part in enumerate(said, 1):
        yield part if part.endswith("\n") or number == len(said) else f"{part}\n"


def _structured(shown: str) -> Answer | None:
    """An object with the output and what is known of it."""
    if not shown.startswith("{"):
        return None
    told = decoded(shown)
    output, about = at(told, "output"), at(told, "metadata")
    if not isinstance(output, str) or not isinstance(about, dict):
        return None
    code = about.get("exit_code")
    exited = code if isinstance(code, int) and not isinstance(code, bool) else None
    return Answer(shown, output, _outcome(exited, output), lasted(about.get("duration_seconds")))


def _headed(shown: str) -> Answer | None:
    """Lines that say how it went, up to `Output:`."""
    echoed = ECHO.match(shown)
    start, answer = echoed.end() if echoed is not None else 0, Answer(shown, "")
    code: int | None = None
    for _ in range(MOST_HEADERS):
        end = shown.find("\n", start, start + 500)
        line = shown[start : end if end >= 0 else len(shown)]
        if line == OUTPUT or end < 0:
            start = end + 1 if end >= 0 else len(shown) if line == OUTPUT else start
            break
        if (found := EXIT.match(line)) is not None:
            code = int(found[1])
        elif (found := TIME.match(line)) is not None:
            answer = replace(answer, millis=int(found[1]) * 1000 + int(f"{found[2] or ''}000"[:3]))
        elif (found := RUNS.match(line)) is not None:
            answer = replace(answer, process=found[1])
        elif (found := SCRIPT.match(line)) is not None:
            code = 0 if found[1] == "completed" else 1
        elif NOTES.match(line) is None:
            break
        start = end + 1
    if start == 0:
        return None
    found = SHORTENED.match(shown, start)
    output = shown[found.end() if found else start :]
    outcome = "unknown" if answer.process and code is None else _outcome(code, output)
    return replace(answer, output=output, outcome=outcome)


def _plain(shown: str) -> Answer:
    return Answer(shown, shown, _outcome(None, shown))


def _outcome(code: int | None, output: str) -> str:
    if ABORTED.match(output):
        return "interrupted"
    if code is None:
        return "error" if FAILED.match(output) else "ok"
    return "ok" if code == 0 else "error"
