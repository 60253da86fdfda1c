"""A shell's command lines are read as a shell reads them; what it would have to work out is known to be unknown."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from ccos_core.intake.calls.shell import Chain, For, Group, If, Loop, Pipeline, Simple, parse_line
from ccos_core.intake.calls.shell_words import PLAIN, QUOTED, Word
from tests.growth import assert_linear_cpu

TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)
MARKS = st.text(st.sampled_from("ab '\"\\$`!#~*?[]{}()<>|&;=\t\n-"), max_size=12)
WORDS = st.lists(
    st.tuples(TEXT | MARKS, st.sampled_from(["single", "double", "ansi", "escaped"])), min_size=1, max_size=5
)


def quoted(text: str, way: str) -> str:
    """One word as somebody may write it."""
    if way == "double":
        return '"' + "".join("\\" + one if one in '\\"$`' else one for one in text) + '"'
    if way == "ansi":
        return "$'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t") + "'"
    if way == "escaped" and text:
        return "".join("'\n'" if one == "\n" else "\\" + one for one in text)
    return shlex.quote(text)


def known(word: Word) -> str | None:
    """The text of a word that has neither variables nor anything unknown."""
    if all(piece.kind in (PLAIN, QUOTED) for piece in word):
        return "".join(piece.text for piece in word)
    return None


def words_of(line: str) -> list[str | None] | None:
    """The arguments of a program; None where the line can't be read."""
    script = parse_line(f"x {line}")
    if script is None:
        return None
    node = script[0].parts[0][1].nodes[0]
    assert isinstance(node, Simple)
    return [known(word) for word in node.words[1:]]


def simple(line: str) -> Simple:
    script = parse_line(line)
    assert script is not None
    node = script[0].parts[0][1].nodes[0]
    assert isinstance(node, Simple)
    return node


def shape(line: str) -> object:
    """A script as nested lists of words and names, for tables."""
    script = parse_line(line)
    return None if script is None else [_chain(chain) for chain in script]


def _chain(chain: Chain) -> object:
    told = [part for joiner, pipeline in chain.parts for part in ([joiner] if joiner else []) + [_pipeline(pipeline)]]
    return [*told, "&"] if chain.background else told if len(told) > 1 else told[0]


def _pipeline(pipeline: Pipeline) -> object:
    nodes = [_node(node) for node in pipeline.nodes]
    told = {"|": nodes} if len(nodes) > 1 else nodes[0]
    return {"!": told} if pipeline.negated else told


def _node(node: object) -> object:
    match node:
        case Simple():
            return " ".join(known(word) or "?" for word in node.words)
        case Group():
            return {"()" if node.subshell else "{}": [_chain(chain) for chain in node.body]}
        case For():
            return {"for " + node.name: [_chain(chain) for chain in node.body]}
        case If():
            return {
                "if": [[_chain(one) for one in body] for _, body in node.branches],
                "else": node.otherwise is not None,
            }
        case Loop():
            told = [_chain(chain) for body in node.bodies for chain in body]
            return {"silent" if node.silent else "loop": told} if told else "silent" if node.silent else "loop"
    raise AssertionError(node)


@given(WORDS)
def test_quoted_words_are_read_back(words: list[tuple[str, str]]) -> None:
    line = " ".join(quoted(text, way) for text, way in words)
    found = words_of(line)
    event("read" if found is not None else "unreadable")
    assert found in (None, [text for text, _ in words])


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here to be asked")
@settings(max_examples=25, deadline=None)
@given(WORDS)
def test_bash_reads_the_same_words(words: list[tuple[str, str]]) -> None:
    line = " ".join(quoted(text, way) for text, way in words)
    told = subprocess.run(["bash", "-c", f"printf '%s\\0' {line}"], stdout=subprocess.PIPE, check=True).stdout
    assert words_of(line) in (None, told.decode("utf-8", "surrogateescape").split("\0")[:-1])


def test_nearly_all_quoted_words_are_read() -> None:
    """The law above doesn't pass by reading nothing."""
    texts = ["a", "a b", "it's", 'say "x"', "$HOME", "`x`", "a\nb", "é", "*.py", "{a,b}", "#", "~", "", "-", "a=b", "!"]
    lines = [" ".join(quoted(text, way) for text in texts) for way in ("single", "double", "ansi")]
    assert [words_of(line) for line in lines] == [texts] * 3


@given(TEXT | MARKS, st.sampled_from(["EOF", "'EOF'", '"E F"', "\\EOF"]))
def test_a_quoted_document_is_its_text(text: str, delimiter: str) -> None:
    word = delimiter.strip("'\"").removeprefix("\\")
    body = "".join(line + "\n" for line in text.replace("\r", "").split("\n") if line != word)
    if delimiter == "EOF" and any(mark in body for mark in "$`\\"):
        return
    if body.startswith("\\"):  # the grammar skips a backslash there
        return
    document = simple(f"cat > f << {delimiter}\n{body}{word}\necho done").redirects[1]
    assert document.operator == "<<"
    assert known(document.target) == body


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("cat <<EOF\na $x\nEOF\n", None),
        ("cat <<EOF\na `x`\nEOF\n", None),
        ("cat <<EOF\na \\$x \\n $ 5$\nEOF\n", "a $x \\n $ 5$\n"),
        ("cat <<EOF\na\\\nb\nEOF\n", "ab\n"),
        ("cat <<-EOF\n\t\ta\n\tb\n\tEOF\n", "a\nb\n"),
        ("cat <<< 'one $x'", "one $x"),
    ],
)
def test_documents(line: str, text: str | None) -> None:
    assert known(simple(line).redirects[0].target) == text


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a; b\nc", ["a", "b", "c"]),
        ("a && b || c", [["a", "&&", "b", "||", "c"]]),
        ("a |\n b | c", [{"|": ["a", "b", "c"]}]),
        ("a |& b", [{"|": ["a", "b"]}]),
        ("a & b", [["a", "&"], "b"]),
        ("! a", [{"!": "a"}]),
        ("a # b\nc", ["a", "c"]),
        ("a \\\n  b", ["a b"]),
        ("a *.py '*.py' \"$x\" $(b) `c` {d,e} f", ["a ? *.py ? ? ? ? f"]),
        ("( a; b ) && { c; }", [[{"()": ["a", "b"]}, "&&", {"{}": ["c"]}]]),
        ("for f in a b; do c; done", [{"for f": ["c"]}]),
        ("for f\ndo c; done", [{"loop": ["c"]}]),
        ("if a; then b; elif c; then d; else e; fi", [{"if": [["b"], ["d"]], "else": True}]),
        ("while a; do b; done; c", [{"loop": ["b", "a"]}, "c"]),
        ("case $x in a) b;; *) c;; esac; d", [{"loop": ["b", "c"]}, "d"]),
        ("f() { a; }; b", [{"silent": [{"{}": ["a"]}]}, "b"]),
        ("function f { a; }\nb", [{"silent": [{"{}": ["a"]}]}, "b"]),
        ("[[ -f a && b < c ]] && d", [["silent", "&&", "d"]]),
        ("(( x++ )); a", ["loop", "a"]),
        ("echo $((1<<2)); a", ["echo ?", "a"]),
        ("cat <(a; b) c", ["cat ? c"]),
        ("git commit -m \"$(cat <<'EOF'\nit's (a\nEOF\n)\" && b", [["git commit -m ?", "&&", "b"]]),
        ('a "$(b "c)" \'d)\')" e', ["a ? e"]),
        ("time -p a", ["a"]),
        ("", []),
        ("# only a comment", []),
        ("python - <<'E'\nx\nE", ["python -"]),
        ("python3 - a <<'E' > f\nx\nE", ["python3 - a"]),
        ("cat <<E && b | c\nx\nE\nd", [["cat", "&&", {"|": ["b", "c"]}], "d"]),
        ("a | cat <<E | b\nx\nE", [{"|": ["a", "cat", "b"]}]),
        ("! cat <<E && b\nx\nE", [[{"!": "cat"}, "&&", "b"]]),
        ("a > f && b 2>&1 | c > g", [["a", "&&", {"|": ["b", "c"]}]]),
        ('x $"a"', None),
        ("x \\ a", None),
        ("x c#d", ["x c#d"]),
        ("cat <<'E'\nnever ended\n", None),
        ("time { a; }", None),
        ("a 'b", None),
        ('a "b', None),
        ("a $(b", None),
        ("a `b", None),
        ("a && ", None),
        ("a | | b", None),
        ("( a", None),
        ("a )", None),
        ("if a; then b", None),
        ("done", None),
        ("a <", None),
        ("<<<", None),
        ("a ${x:-$(b)} ${y#c} d", ["a ? ? d"]),
        ("a ${x:-${y}}", ["a ?"]),
    ],
)
def test_shapes(line: str, expected: object) -> None:
    assert shape(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a > b 2>&1", [(None, ">", "b"), (2, ">&", "1")]),
        ("a >>b 2>/dev/null <c", [(None, ">>", "b"), (2, ">", "/dev/null"), (None, "<", "c")]),
        ("a &> b", [(None, "&>", "b")]),
        ("a2>b", [(None, ">", "b")]),
        ("> 'a b'", [(None, ">", "a b")]),
        ("a > $x", [(None, ">", None)]),
    ],
)
def test_redirections(line: str, expected: list[tuple[int | None, str, str | None]]) -> None:
    found = simple(line).redirects
    assert [(one.fd, one.operator, known(one.target)) for one in found] == expected


def test_assignments_stand_in_front() -> None:
    node = simple("A=1 B='x y' c D=2")
    assert [(name, known(value)) for name, value in node.assignments] == [("A", "1"), ("B", "x y")]
    assert [known(word) for word in node.words] == ["c", "D=2"]


@given(st.text(st.sampled_from("ab '\"\\$`#*{}()<>|&;=\n!") | st.characters(), max_size=60))
def test_no_line_raises(line: str) -> None:
    parse_line(line)


HOSTILE = [
    "'", '"', "(", "$(", "$((", "`", "cat <<E\n", "<<E ", "\\", '"$(', "${", "$'", "<", "&", "if ", "a() ", "a ", "<(",
    "{", "a=", "! ", "$(`\\`", "a <<'", "[[ ", "1", "{,", "for x in ", "case ", "((", "\n", "#", "$", "a\\\n", "|& ",
]  # fmt: skip


@pytest.mark.parametrize("mark", HOSTILE)
def test_much_of_one_mark_is_read_in_one_pass(mark: str) -> None:
    """What would take the square of its length is refused before the grammar sees it."""
    for line in ("{}", "cat {}\nx"):
        assert_linear_cpu(lambda size, line=line: line.replace("{}", mark * (size // len(mark))), parse_line, 5_000)


def test_too_deep_is_unreadable() -> None:
    assert parse_line("{ " * 10_000 + "a; " + "}; " * 10_000) is None
    assert parse_line("if ( " * 10_000) is None
    assert parse_line("f() " * 10_000) is None
    assert parse_line("function f " * 10_000) is None
    assert parse_line("{ " * 20 + "a; " + "}; " * 20) is not None


CRASHING = "for text in ('{\\U000cd155', 'echo {\\U0001f600,b}', '${\\U0010fffd}', 'a\\u0085b'): parse_line(text)"


def test_no_character_after_a_brace_ends_the_process() -> None:
    """The grammar's scanner looks characters up in a table without asking how long it is."""
    program = f"from ccos_core.intake.calls.shell import parse_line\nfor _ in range(50):\n    {CRASHING}"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_characters_beyond_ascii_stand_in_words() -> None:
    assert words_of("echo café 数字 '😀' a\u00a0b") == ["echo", "café", "数字", "😀", "a\u00a0b"]
