"""Make the samples: `python sample_workspaces/make.py` writes the transcripts and what is expected of each sample;
with `-o DIR` the workspaces as well, to be opened. A test holds what is kept here to what is made.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from ccos_core.query.catalogue import BY_NAME  # noqa: E402
from ccos_core.serve import demo_story  # noqa: E402
from ccos_core.serve.demos import catalogue  # noqa: E402
from ccos_core.session.asking import Desk  # noqa: E402
from ccos_core.session.importing import Importing  # noqa: E402
from ccos_core.session.transcripts import Story, Tail  # noqa: E402
from ccos_core.session.worlds import Knowing  # noqa: E402
from ccos_core.storage.opening import open_record  # noqa: E402
from sample_workspaces import polyglot, till, tiny  # noqa: E402

Answer = dict[str, Any]
TRANSCRIPTS = HERE / "transcripts"


def files() -> Iterator[tuple[Path, str]]:
    """Every file that is kept here, and what should stand in it."""
    lines = demo_story.transcript("TOKEN")
    yield HERE / "drift" / "session.jsonl", "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    for demo in catalogue.DEMOS.values():
        if demo.transcript is not None:
            yield HERE / demo.name / "session.jsonl", demo.transcript()
    for name, written in till.TRANSCRIPTS.items():
        yield TRANSCRIPTS / name, written()
    with tempfile.TemporaryDirectory() as folder:
        for name, (build, answered) in SAMPLES.items():
            path = str(Path(folder) / f"{name}.ccos")
            build(path)
            yield HERE / name / "answer.json", _json(answered(path))
        yield TRANSCRIPTS / "answers.json", _json({name: imported(name, folder) for name in till.TRANSCRIPTS})


def of_drift(path: str) -> Answer:
    """What led the agent astray, and when."""
    with open_record(path) as record, Desk(record) as desk:
        autopsy = desk.ask(BY_NAME["autopsy"], {}).answer
        missing = desk.ask(BY_NAME["missing"], {"node": "src/db.py"}).answer
    cause = autopsy.suspects[0]
    return {
        "steps": missing.head,
        "failure": autopsy.failure,
        "cause": cause.node,
        "how": cause.kind,
        "lost_at": autopsy.step,
        "in_our_window": [[run.first, run.last, run.state] for run in missing.suggested.runs],
        "suspects": [suspect.node for suspect in autopsy.suspects],
    }


def of_forgotten(path: str) -> Answer:
    """Where the rule was said, lost, broken and missed, and who remembers it."""
    told = _told(path)
    prompts = [step for step, op in told if op["kind"] == "prompt" and op["source"] == "user"]
    broken = [step for step, op in told if op["kind"] == "seen" and op["how"] == "edit" and "schema/" in op["path"]]
    return {
        "steps": len(told),
        "said_at": prompts[0],
        "lost_at": next(step for step, op in told if op["kind"] == "compaction"),
        "broken_at": broken[0],
        "complained_at": prompts[-1],
        "file": "schema/booking.json",
    }


def of_loop(path: str) -> Answer:
    """How often the same line was changed, and where the cause was read at last."""
    told = _told(path)
    seen = [(step, op["path"], op["how"]) for step, op in told if op["kind"] == "seen"]
    fixed = next(step for step, file, how in seen if file == "ledger/clock.py" and how == "read")
    return {
        "steps": len(told),
        "edits": [step for step, file, how in seen if file == "ledger/due.py" and how == "edit" and step < fixed],
        "failed": [step for step, op in told if op["kind"] == "tool" and op["outcome"] == "error"],
        "cause": "ledger/clock.py",
        "first_read_at": fixed,
    }


def _told(path: str) -> list[tuple[int, Answer]]:
    with open_record(path) as record:
        return [(step, json.loads(body)) for step, _, body in record.rows()]


def of_tiny(path: str) -> Answer:
    """One of each kind, and what was masked or left out."""
    with open_record(path) as record:
        told = [json.loads(body) for _, _, body in record.rows()]
    return {
        "steps": len(told),
        "kinds": sorted({op["kind"] for op in told}),
        "findings": [[step, finding[1]] for step, op in enumerate(told, 1) for finding in op.get("findings", ())],
        "withheld": [[step, op["withheld"]] for step, op in enumerate(told, 1) if "withheld" in op],
    }


def of_polyglot(path: str) -> Answer:
    """What each file defines and depends on, and what fails."""
    with open_record(path) as record:
        knowing = Knowing(record)
        defined = {each: [symbol.name for symbol in knowing.outline(each).symbols] for each in knowing.paths()}
        links = sorted({(each, link.target.path) for each in knowing.paths() for link in knowing.links(each)})
        live = sorted(map(list, knowing.world.failures.live))
    return {"defined": defined, "depends": [list(link) for link in links if link[0] != link[1]], "failing": live}


def imported(name: str, folder: str) -> Answer:
    """What an import of one of the transcripts finds."""
    path = str(Path(folder) / f"{name}.ccos")
    with Importing(path) as importing:
        told = importing.take(Story(Tail(str(TRANSCRIPTS / name))))
    with open_record(path) as record:
        repaired = Knowing(record).source("till/tax.py").text == till.TAX.replace(till.OLD, till.NEW)
    counts = told.counts
    figures = {each: getattr(counts, each) for each in ("prompts", "calls", "failures", "reads", "edits", "files")}
    known = {"agent": told.agent, "session": told.session, "project": told.cwd, "models": list(told.models)}
    return {**known, **figures, "repaired": repaired, "unknown": len(told.unknown) + len(told.unread)}


SAMPLES: Mapping[str, tuple[Callable[[str], str], Callable[[str], Answer]]] = {
    "drift": (catalogue.build, of_drift),
    "forgotten": (partial(catalogue.build, name=catalogue.FORGOTTEN), of_forgotten),
    "loop": (partial(catalogue.build, name=catalogue.LOOP), of_loop),
    "tiny": (tiny.build, of_tiny),
    "polyglot": (polyglot.build, of_polyglot),
}
"""Sample → how its workspace is made, and its answer."""


def main() -> None:
    """Write what is kept, and the workspaces where somebody wants them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(";")[0])
    parser.add_argument("-o", dest="folder", metavar="DIR", type=Path, help="put the workspaces in here")
    folder = parser.parse_args().folder
    for path, text in files():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(HERE)}")
    for name, (build, _) in SAMPLES.items() if folder else ():
        folder.mkdir(parents=True, exist_ok=True)
        build(str(folder / f"{name}.ccos"))
        print(f"made {folder / name}.ccos")


def _json(answer: Answer) -> str:
    return json.dumps(answer, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    main()
