"""The contents of Gemini's API: parts with texts, media, and results of functions."""

from __future__ import annotations

import json
from typing import Any

from ccos_core.intake.importers.fields import at, objects, text, word
from ccos_core.intake.importers.images import placeholder


def said_in(content: Any) -> str:
    """The words of a content: a text, a part, or parts; other media as a placeholder."""
    if isinstance(content, str):
        return content
    found = []
    for part in content if isinstance(content, list) else [content]:
        media = at(part, "inlineData")
        if isinstance(part, str):
            found.append(part)
        elif media is not None:
            found.append(placeholder("media", word(media, "mimeType"), text(media, "data")))
        else:
            found.append(text(part, "text"))
    return "\n".join(filter(None, found))


def printed_in(result: Any) -> str:
    """What the model was given of a call: its output or error, and what stands beside it."""
    if isinstance(result, str):
        return result
    found = []
    for part in objects({"parts": result if isinstance(result, list) else [result]}, "parts"):
        response = at(part, "functionResponse", "response")
        said = at(response, "output") if at(response, "error") is None else at(response, "error")
        if response is not None:
            said = response if said is None else said
            found.append(said if isinstance(said, str) else json.dumps(said, ensure_ascii=False))
        found.append(said_in(part))
    return "\n".join(filter(None, found))
