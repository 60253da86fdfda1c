"""The drawing, read back by a small reader of Graphviz's language written after its grammar."""

from __future__ import annotations

import html
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.query.structure.cycles import cycles
from ccos_core.query.structure.dot import dot
from ccos_core.query.structure.graph import Codebase, files
from ccos_core.query.structure.names import legible
from tests.core.query.structure.making import importing

TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|->|[{}\[\];,=]|[A-Za-z0-9_.-]+?(?=->|[\s{}\[\];,="]|$))', re.DOTALL)


def drawn(code: Codebase) -> str:
    graph = files(code)
    return dot(graph, cycles(code, graph))


class Drawing:
    """What is in a drawing: tooltips of boxes by id, their clusters, and arrows with their colour."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        at = 0
        while text[at:].strip():
            found = TOKEN.match(text, at)
            assert found, text[at : at + 40]
            self.tokens.append(found[1])
            at = found.end()
        self.boxes: dict[str, str] = {}
        self.labels: dict[str, str] = {}
        self.arrows: dict[tuple[str, str], dict[str, str]] = {}
        self.clusters: dict[str, str] = {}
        assert [self._next(), self._next(), self._next()] == ["digraph", "code", "{"]
        self._statements("")
        assert self.tokens == []

    def _next(self) -> str:
        return self.tokens.pop(0)

    def _statements(self, cluster: str) -> None:
        while (word := self._next()) != "}":
            if word == "subgraph":
                name = self._next()
                assert self._next() == "{"
                self._statements(name)
                continue
            if self.tokens[0] == "=":
                assert [word, self._next()] == ["label", "="]
                self.clusters[cluster] = shown(self._next())
            elif self.tokens[0] == "->":
                arrow = word, self.tokens[1]
                del self.tokens[:2]
                self.arrows[arrow] = self._attributes()
            else:
                told = self._attributes()
                if word not in ("graph", "node", "edge"):
                    self.boxes[word], self.labels[word] = told["tooltip"], told["label"]
            assert self._next() == ";"

    def _attributes(self) -> dict[str, str]:
        found = {}
        assert self._next() == "["
        while True:
            name, equals, value, end = (self._next() for _ in range(4))
            assert equals == "="
            found[name] = shown(value)
            if end == "]":
                return found
            assert end == ","


def shown(word: str) -> str:
    """What Graphviz shows of a word: a quoted string ends at a bare quote, and a label reads escapes and entities."""
    if not word.startswith('"'):
        return word
    breaks = dict.fromkeys("nlr", "\n")
    return html.unescape(re.sub(r"\\(.)", lambda found: breaks.get(found[1], found[1]), word[1:-1]))


def test_boxes_in_folders_and_arrows_with_circles_in_red() -> None:
    code = importing([("a.py", "p/b.py"), ("p/b.py", "p/c.py"), ("p/c.py", "p/b.py")])
    assert drawn(code) == (
        "digraph code {\n"
        '  graph [rankdir=LR, fontname="sans-serif"];\n'
        '  node [shape=box, fontname="sans-serif", fontsize=10];\n'
        "  edge [color=gray40];\n"
        '  n0 [label="a.py", tooltip="a.py"];\n'
        "  subgraph cluster_1 {\n"
        '    label="p";\n'
        '    n1 [label="b.py", tooltip="p/b.py"];\n'
        '    n2 [label="c.py", tooltip="p/c.py"];\n'
        "  }\n"
        '  n0 -> n1 [tooltip="1 use"];\n'
        '  n1 -> n2 [tooltip="1 use", color=red];\n'
        '  n2 -> n1 [tooltip="1 use", color=red];\n'
        "}\n"
    )


def test_nothing_is_a_drawing_too() -> None:
    assert Drawing(drawn(Codebase({}, {}))).boxes == {}


@pytest.mark.parametrize(
    "path",
    [
        'quo"te.py',
        "back\\slash.py",
        "ends\\",
        '\\"both\\\\".py',
        "new\\nline.py",
        "a&amp;b.py",
        "<b>bold</b>.py",
        "{a|b}.py",
        "x];y [label=z.py",
        "graph",
        "digraph -> node; // no comment",
        "ünïcödé/日本.py",
        "# 100%/a#b.py",
    ],
)
def test_a_name_is_shown_as_it_is(path: str) -> None:
    told = Drawing(drawn(importing([(path, "b.py")])))
    assert sorted(told.boxes.values()) == sorted([path, "b.py"])
    assert len(told.arrows) == 1


@pytest.mark.parametrize(("path", "said"), [("a\nb.py", "a%0Ab.py"), ("\x1b[31m.py", "%1B[31m.py")])
def test_what_cannot_be_printed_is_spelled(path: str, said: str) -> None:
    assert said in Drawing(drawn(importing([(path, "c.py")]))).boxes.values()


def test_a_hidden_character_is_named() -> None:
    (told,) = Drawing(drawn(importing([], "a\u202eb.py"))).boxes.values()
    assert "\u202e" not in told
    assert "202E" in told


@given(st.lists(st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=12), min_size=1, unique=True))
@settings(deadline=None)
def test_any_names(names: list[str]) -> None:
    code = importing(pairwise(names), *names)
    told = Drawing(drawn(code))
    assert [told.boxes[f"n{node}"] for node in range(len(names))] == [legible(name) for name in sorted(names)]
    assert len(told.arrows) == len(names) - 1
    assert set(told.clusters.values()) <= {legible(name.rpartition("/")[0]) for name in names}
