"""The catalogue is whole: every question in it can be asked, told in words, and explained; reading it costs nothing."""

import subprocess
import sys
from dataclasses import fields, is_dataclass

import pytest

from ccos_core.query.catalogue import ALIASES, BY_NAME, QUESTIONS, entry_of
from ccos_core.query.help import all_help
from ccos_core.query.question import FORMS, REST
from ccos_core.query.tool import Entry, QuestionTool
from ccos_core.query.words import assigned, line, usage
from ccos_core.serve.repl.loop import OWN
from tests.core.serve.calling import ROOT

SEED = {
    "tl": "timeline", "g": "goto", "n": "next", "p": "prev", "s": "stats", "r": "recall", "a": "around", "t": "task",
    "d": "diff", "e": "energy", "m": "missing", "c": "cause", "i": "impact", "bl": "blame", "h": "help", "q": "quit",
}  # fmt: skip
every = pytest.mark.parametrize("entry", QUESTIONS, ids=lambda entry: entry.name)
TOOLS = [(entry, entry.tool) for entry in QUESTIONS if entry.tool is not None]


@every
def test_a_question_is_declared_in_full(entry: Entry) -> None:
    question = entry.load()
    assert entry.summary.endswith(".")
    assert question.example.split()[0] == entry.name
    assert question.writes == entry.writes
    assert entry.tool is None or entry.tool.writes == entry.writes
    assert set(question.needs) <= {"actor", "census", "compress", "marks", "prices", "progress", "shown", "user"}
    for at, argument in enumerate(question.arguments):
        assert argument.form in FORMS
        assert argument.says
        assert bool(argument.words) == (argument.form == "word")
        assert not (argument.required and (argument.flag or argument.default is not None))
        assert argument.form != "switch" or (argument.flag and argument.default is False)
        if argument.form in REST:
            assert not any(not later.flag for later in question.arguments[at + 1 :]), "nothing can stand behind text"
        if argument.required:
            assert all(before.required or before.flag for before in question.arguments[:at])


@every
def test_its_example_fits_it(entry: Entry) -> None:
    assigned(entry.load(), entry.name, line(entry.load().example.partition(" ")[2]))


@every
def test_its_answers_are_frozen_and_have_words(entry: Entry) -> None:
    for answer in entry.load().answers:
        assert is_dataclass(answer)
        assert answer.__dataclass_params__.frozen  # type: ignore[attr-defined]
        assert hasattr(answer, "__slots__")
        assert answer.schema.startswith("ccos.")  # type: ignore[attr-defined]
        assert "schema" not in {field.name for field in fields(answer)}
        assert callable(answer.as_rows)  # type: ignore[attr-defined]


@pytest.mark.parametrize(("entry", "tool"), TOOLS, ids=lambda each: each.name)
def test_its_tool_fits_it(entry: Entry, tool: QuestionTool) -> None:
    """The server lists a tool without loading its question, so the entry repeats what the question takes."""
    question = entry.load()
    taken = {argument.name: argument for argument in question.arguments}
    for argument in tool.takes:
        if argument.form == "step":
            assert not question.timeless
        else:
            assert taken[argument.of].form == argument.form
    required = {argument.of for argument in tool.takes if argument.required}
    assert required == {argument.name for argument in question.arguments if argument.required}
    named = {field.partition(":")[0] for field in tool.fields.split()}
    for answer in question.answers:
        assert tool.schema in ("", answer.schema)  # type: ignore[attr-defined]
        assert named <= {field.name for field in fields(answer)}


def test_every_word_means_one_thing() -> None:
    words = [*BY_NAME, *ALIASES, *OWN]
    assert len(words) == len(set(words))
    assert len(BY_NAME) == len(QUESTIONS)
    meant = {alias: entry_of(alias) or OWN.get(alias) for alias in SEED}
    assert {alias: each and each.name for alias, each in meant.items()} == SEED
    assert entry_of("nonesuch") is None


def test_help_tells_of_all() -> None:
    told = {command.name: command for command in all_help().commands}
    assert set(BY_NAME) < set(told)
    for entry in QUESTIONS:
        assert told[entry.name].usage == usage(entry.name, entry.load())


def test_reading_the_catalogue_loads_no_question() -> None:
    code = (
        "import sys; import ccos_core.serve.cli.main; import ccos_core.query.catalogue;"
        "print([m for m in sys.modules if m == 'numpy' or m.startswith(('ccos_core.replay', 'ccos_core.session'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr
