"""Questions as the catalogue hands them to whoever asks, on the timeline of a tale."""

import json
from typing import Any

from ccos_core.query.catalogue import BY_NAME
from ccos_core.replay.timeline import Timeline
from ccos_core.serve.printing import as_json_object, as_lines
from ccos_core.values.marks import Mark


def ask(timeline: Timeline, name: str, at: int, marks: tuple[Mark, ...] = (), **said: Any) -> Any:
    """The answer, which can be told in words and as JSON."""
    question = BY_NAME[name].load()
    names = {each.name.replace("-", "_"): each.default for each in question.arguments}
    given = {name: said.get(name, default) for name, default in names.items()}
    needed = {
        "progress": lambda done, total: None,
        "marks": marks,
        "user": None,
        "actor": "user",
        "shown": lambda entry: entry,
        "compress": True,
    }
    more = {name: each for name, each in needed.items() if name in question.needs}
    answer = question.ask(timeline, at, **given, **more)
    assert isinstance(answer, question.answers)
    assert set(said) <= set(given)
    assert json.loads(json.dumps(as_json_object(answer)))
    assert as_lines(answer, 80)
    assert as_lines(answer, None, aloud=True)
    return answer
