"""Every question asked of one small story: its words, its sentences for screen readers, its JSON, kept as files.

A change is a decision, not a fix. To take today's for good: `CCOS_GOLDEN=write python -m pytest tests/golden`, and read
the difference before it goes in.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from ccos_core.present.aloud import SPOKEN
from ccos_core.query.catalogue import BY_NAME, QUESTIONS
from ccos_core.serve.cli.main import main
from ccos_core.serve.terminal import ASCII
from ccos_core.session import lifecycle
from ccos_core.session.session import open_session
from tests.golden.test_commands import neutral
from tests.story import START, Story

FILES = Path(__file__).parent / "questions"
STORY = r"""
    write src/dates.py "DAYS = 30\n\n\ndef due(day):\n    return day + DAYS\n\n\ndef late(day, today):\n    return today > due(day)\n"
    write src/db.py "from src.dates import due\n\n\nclass Store:\n    def load(self, row):\n        return row, due(row)\n\n    def save(self, row):\n        return row\n"
    write src/api.py "from src.db import Store\n\n\ndef handle(row):\n    return Store().load(row)\n\n\ndef health():\n    return 'ok'\n"
    write tests/test_api.py "from src.api import handle\n\n\ndef test_handle():\n    assert handle(1) == (1, 15)\n"
    ingest
    prompt "Invoices are due a fortnight late. Fix it."
    see src/api.py
    see src/db.py 4-6
    tool Bash pytest -q -> error "1 failed"
    fail test_handle at src/db.py:6
    usage 1800
    recall 300 around src/api.py
    edit src/api.py "Store().load(row)" -> "Store().load(row - 15)"
    fail test_handle at src/db.py:6
    compact 1800
    usage 400
    see src/api.py
    move src/dates.py -> src/days.py
    edit src/days.py "DAYS = 30" -> "DAYS = 14"
    edit src/api.py "Store().load(row - 15)" -> "Store().load(row)"
    pass test_handle
    note "the cause was in dates, never read"
    write README.md "Invoices.\n"
    remove README.md
"""  # noqa: E501  (a file is a line of the story)
LINES: dict[str, tuple[str, ...]] = {
    "access": ("access --limit 20", "access --jsonl --turns 3", "access --together"),
    "timeline": ("timeline", "timeline 5 9", "timeline --limit 3 @10", "timeline --context main 6..8"),
    "overview": ("overview", "overview 6..18 --columns 5", "overview start 0 --columns 3",
                 "overview --columns 0 --context main"),
    "goto": ("goto 57%", "goto start", "goto @1m30s", "goto 99", "goto strat"),
    "state": ("state", "state @9", "state @0", "state @12 --lens host", "state @16 --lens both"),
    "next": ("next", "next @4", "next due @6", "next src/api.py @start --budget 60", "next src/db.py",
             "next src/db.py @9 --lens host", "next src/db.py --lens both"),
    "prev": ("prev", "prev @0"),
    "when": ("when", "when @start"),
    "stats": ("stats",),
    "epochs": ("epochs",),
    "mark": ("mark", "goto 12", "mark lost because it was compacted", "mark lost @13", "goto lost", "mark --drop lost",
             "mark 12"),
    "note": ("note", "note look here again @9", "note", "note --drop look @9", "note --drop @9"),
    "recall": ("recall", "recall 60", "recall @3", "recall 400 @11 --lens hybrid:due",
               "recall @14 --lens host", "recall @14 --lens delivered", "recall @2 --lens delivered",
               "recall 120 @16 --lens both", "recall 120 @16 --lens resume"),
    "composition": ("composition", "composition @14", "composition --limit 1 @16", "composition --columns 4",
                    "composition @2"),
    "mindmap": ("mindmap 1", "mindmap 2 @14", "mindmap 3", "mindmap", "mindmap ultra-dense @0", "mindmap 4"),
    "pressure": ("pressure", "pressure @14", "pressure @2"),
    "candidates": ("candidates", "candidates --policy keep_technical @14", "candidates --policy mru", "candidates @2"),
    "verbatim": ("verbatim @14", "verbatim", "verbatim @2"),
    "around": ("around src/api.py 200", "around handle 60 @8", "around nonesuch"),
    "rules": ("remember Run the tests before you commit. --class rule --tag category:testing", "rules commit the fix",
              "rules draw a logo", "rules", "recall --lens rules:commit"),
    "task": ("task the day an invoice is due --budget 100", "task"),
    "hybrid": ("hybrid AssertionError in handle --budget 100 @11",),
    "missing": ("missing src/db.py 40", "missing due", "missing src/api.py 30 --lens around:tests/test_api.py",
                "missing README.md", "missing health 60", "missing nonesuch", "missing due 60 --lens task:due",
                "missing src/db.py --lens host",
                "missing due @9 --lens host", "missing src/api.py --lens delivered", "missing prompt:6 --lens host",
                "missing src/db.py --lens both", "missing src/db.py --lens host --session other"),
    "last": ("last due", "last src/db.py --budget 60", "last src/api.py @start",
             "last src/api.py --lens host", "last README.md @3 --lens host",
             "last due --lens task:due --budget 60"),
    "watch": ("watch due", "watch src/db.py --budget 60", "watch src/api.py --lens around:tests/test_api.py",
              "watch src/api.py --lens host", "watch src/api.py --lens both",
              "watch due --lens hybrid:due --budget 60"),
    "why": ("why due @14", "why src/db.py --budget 40", "why src/db.py#Store.load --budget 40 @14", "why health",
            "why README.md", "why src/db.py @9 --lens host", "why src/db.py --lens host",
            "why src/api.py @14 --lens delivered"),
    "diff": ("diff 6 14", "diff 14 6 --budget 60", "diff 10", "diff start end", "diff 3 99",
             "diff 6 16 --lens host", "diff 11 22 --lens host", "diff 6 14 --lens delivered", "diff 14 17 --lens both"),
    "energy": ("energy 6 14", "energy 14 21", "energy 22 24", "energy 6 14 --columns 8"),
    "cause": ("cause src/api.py", "cause load", "cause health @4", "cause README.md"),
    "show": ("show src/days.py @6", "show due", "show @7", "show README.md", "show none.py", "show @0"),
    "summarize": ("summarize src/db.py 30", "summarize --target 20 @6", "summarize prompt:6", "summarize none.py"),
    "files": ("files", "files @4", "files --at start"),
    "provenance": ("provenance src/days.py", "provenance Store.load @14", "provenance README.md"),
    "impact": ("impact due", "impact src/db.py @14", "impact tests/test_api.py",
               'impact "due in src/days.py"'),
    "blame": ("blame tests/test_api.py", "blame handle @14", "blame src/days.py"),
    "failures": ("failures", "failures --all", "failures @14", "failures @3"),
    "onboard": ("onboard", "onboard sample --limit 2", "onboard read", "onboard --at start"),
    "diary": ("diary", "diary --markdown", "diary --at start"),
    "recoveries": ("recoveries --calls", "recoveries @9", "recoveries --at start"),
    "commits": ("commits", "commits 1a2b3c4", "commits no-hash"),
    "autopsy": ("autopsy", "autopsy @14", "autopsy @5"),
    "find": ("find kind=read", "find fail | count", "find path~\"src/*\" and not kind=read | by kind", "find @1m..@2m",
             "find text~\"fortnight\"", "find kind=raed", "find present(due) | first",
             "find author=user and standing=live", "find author=user class!=said"),
    "whatif": ("whatif 14 --weight edit=8", "whatif 14 --half-life 4", "whatif 21 --without 13",
               "whatif 14 --without 99", "whatif 14 --with-failure src/db.py",
               "whatif 24 --squeeze", "whatif 24 --squeeze --budget 4k"),
    "compare": ("compare other.ccos", "compare work.ccos", "compare", "compare nonesuch.ccos"),
    "remember": ("remember Use tabs in Makefiles. --class preference", "remember use TABS in makefiles",
                 "remember memo:ae13 --class fact --scope session --lifetime 30d", "remember !!!",
                 "context", "remember Ask first. --lifetime soon"),
    "rule": ("remember Format before you commit. --class rule --tag category:git --reason 'CI refuses it'",
             "rule memo:0bb8 --now 2026-03-01", "feedback memo:0bb8 + it did", "rule memo:0bb8 --now 2026-03-01",
             "retract memo:0bb8 formatting is automatic now", "rule memo:0bb8 --now 2026-03-01", "rule memo:ae13"),
    "conflicts": ("remember Use SQLite. --class rule", "remember Prefer PostgreSQL. --class rule",
                  "conflicts --now 2026-03-01", "conflicts @3"),
    "invert": ("remember Use SQLite. --class rule --tag category:architecture", "invert memo:fdea",
               "feedback memo:fdea - it locks", "invert memo:fdea it locks", "invert memo:fdea",
               "rule memo:fdea --now 2026-03-01", "conflicts @3"),
    "outcome": ("outcome", "outcome record", "outcome failure it came back", "outcome --session none"),
    "feedback": ("feedback memo:ae13 + it helped", "feedback memo:ae13 + it helped", "feedback memo:ae13 -",
                 "tension", "feedback src/db.py +", "feedback memo:ffff0000 +"),
    "supersede": ("supersede memo:ae13 Invoices are due at once. --how refine",
                  "supersede memo:ae13 Invoices are due at once. --how refine", "context", "retract memo:ae13",
                  "supersede memo:ae13 Invoices are due a fortnight late."),
    "claims": ("support rates are floats --by src/db.py", 'contradict rates are floats --weight 500 --words "no, ints"',
               "claims", "claims rates are floats", "claims rates are", 'retract "claim:rates are floats"', "claims"),
    "tension": ("support rates are floats", "contradict rates are floats", "support days are ints", "tension"),
    "page-out": ("page-out src/db.py --reason noise", "page-out src/db.py", "page-in src/db.py src/days.py"),
    "entries": ("entries class=said --max-results 3", "entries class=tool --reduction summarization --max-results 4",
                "entries text~fortnight", "entries since=20", "entries clas=said",
                "entries @1d.. --boundaries '{\"privacy\": \"low\"}'"),
    "personal": ("personal", "personal @4"),
    "govern": ("govern", 'govern set {"principals": {"agent": {"level": "low", "regions": ["EU"]}},'
               ' "lifetimes": {"diary": "90d"}, "thresholds": {"entries": 10000}}', "govern", "govern set {",
               'govern set {"principals": {"owner": {"level": "low"}}}'),
    "expire": ("remember Use tabs in Makefiles. --lifetime 1d", "expire --now 2026-02-15", "expire --now 2100-01-01",
               "expire --now 2100-01-01", "expire --now soon"),
    "help": ("help", "help goto", "help nonesuch"),
}  # fmt: skip
"""Question → what is asked of it."""
LINES |= {entry.name: (entry.load().example,) for entry in QUESTIONS if entry.name not in LINES}
"""A question of which nothing stands above is asked its own example."""


ELSEWHERE = (
    STORY.partition("    edit src/api.py")[0]
    + r"""
    see src/dates.py
    edit src/dates.py "DAYS = 30" -> "DAYS = 14"
    pass test_handle
"""
)


@pytest.fixture(scope="module")
def workspaces(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The story, and one that went otherwise."""
    told = {"work.ccos": STORY, "other.ccos": ELSEWHERE}
    return [tell(tmp_path_factory.mktemp("story") / name, story) for name, story in told.items()]


def tell(path: Path, story: str) -> Path:
    """Tell a story on a clock that goes ten seconds a look."""
    ticking = itertools.count(START, 10_000)
    lifecycle.init(str(path), clock=lambda: START)
    with open_session(str(path), clock=lambda: next(ticking)) as session:
        Story(session).tell(story)
    return path


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize(("ending", "options"), [("txt", []), ("plain", ["--plain"]), ("jsonl", ["--json"])])
def test_the_words_stay(
    workspaces: list[Path], tmp_path: Path, name: str, ending: str, options: list[str],
    capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    path = tmp_path / "proj" / "work.ccos"
    path.parent.mkdir()
    for workspace in workspaces:
        shutil.copy(workspace, path.parent)
    monkeypatch.chdir(path.parent)
    said = b""
    for lines in together(name):
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO("\n".join(lines).encode())))
        main(["postmortem", path.name, *options])
        out, err = capsysbinary.readouterr()
        assert b"a defect of" not in err, err
        asked = "".join(f"> {line}\n" for line in lines).encode()
        said += (
            (b"" if ending == "jsonl" else asked)
            + out
            + (b"" if ending == "jsonl" else err)
            + b"\n" * (ending != "jsonl")
        )
        assert ending != "plain" or not set(out.decode()) & set(SPOKEN), "a sign is nothing to be read aloud"
    kept = FILES / f"{name}.{ending}"
    told = neutral(said, tmp_path)
    if name in ("rule", "rules", "invert"):  # whose times are those of the commands here, and so the chain's hashes
        told = re.sub(rb'"((?:\w+_)?at|now)":\d{13}', rb'"\1":0', told)
        told = re.sub(rb'"head":"[0-9a-f]{64}"', b'"head":"0"', told)
    if os.environ.get("CCOS_GOLDEN") == "write":
        FILES.mkdir(exist_ok=True)
        kept.write_bytes(told)
    assert told.decode() == kept.read_text(encoding="utf-8")


TOGETHER = (
    "mark",
    "note",
    "remember",
    "rule",
    "conflicts",
    "invert",
    "feedback",
    "supersede",
    "claims",
    "tension",
    "page-out",
    "govern",
    "expire",
)


def together(name: str) -> list[tuple[str, ...]]:
    """Lines that belong together, where one moves what the next stands on; all others by themselves."""
    return [LINES[name]] if name in TOGETHER else [(line,) for line in LINES[name]]


def test_every_sign_has_one_in_ascii() -> None:
    signs = {char for path in FILES.glob("*.txt") for char in path.read_text("utf-8") if not char.isascii()}
    assert signs <= set(ASCII)


def test_every_question_is_asked() -> None:
    assert {*BY_NAME, "help"} == set(LINES)


def test_nothing_is_kept_that_nobody_asks() -> None:
    assert {path.stem for path in FILES.iterdir()} == set(LINES)
    assert len(QUESTIONS) + 1 == len(LINES)
