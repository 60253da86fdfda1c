"""What a Python script did to files, as agents write them to change some: read, replaced, written.

The script's lines are walked once, from the top. Known are texts, paths, what was read of a file, and what was replaced
in that; whatever else a name stands for isn't. A file that was written with something that isn't known is another one
than before, and so is one that is written only on some condition, or in a loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ccos_core.intake.calls.effects import Effect
from ccos_core.intake.calls.python_calls import CALLS, HARMLESS, METHODS, NOTHING, Doing, Known, joined
from ccos_core.intake.calls.python_words import (
    NAME,
    NUMBER,
    SIGN,
    TEXT,
    Line,
    Word,
    assigned,
    closing,
    colon,
    is_main,
    lines_of,
    outer,
    parts,
)

CONDITIONS = ("if", "elif", "else", "for", "while", "try", "except", "finally", "def", "class", "match", "case")
"""How a line begins whose block may be run, or not, or more than once."""
BETWEEN = ("if", "else", "and", "or", "not", "in", "is", "for", "lambda", "async", "await", "yield")
"""Names that stand for nothing, between what does."""
EXITS = ("sys.exit", "exit", "quit", "os._exit", "SystemExit")
SWALLOWING = ("suppress", "raises", "assertRaises", "assertRaisesRegex")
"""Contexts that end where something goes wrong in them, and not the script."""
WRITING = ("open(", "write", "os.", "shutil.", "unlink(", ".rename(", ".replace(")
"""A script without any of these does nothing that is told here."""
ROOTS = tuple(dict.fromkeys(name.partition(".")[0] for name in CALLS))
"""Names of the language and its library that calls begin with."""
DEEPEST = 20
"""Brackets in one another."""


@lru_cache(maxsize=64)  # one that is there is run again and again
def effects_of_script(script: str, well: bool = True) -> tuple[Effect, ...]:
    """What it did if no error ended it, in the order it was begun; paths as they are spelled. `well` says that it
    ended as one that is content."""
    if not any(word in script for word in WRITING):
        return ()
    lines = lines_of(script)
    return tuple(_Walk(lines, well).run(lines))


@dataclass(slots=True)
class _Block:
    """Lines that stand deeper than the one they belong to."""

    indent: int
    begins: str
    surely: bool
    dead: bool = False
    """Whether it is a function that nobody calls."""
    before: dict[str, Known | None] = field(default_factory=dict)
    """What the names stood for that were given something in it; None for one that stood for nothing."""


class _Walk:
    """One script, being walked."""

    def __init__(self, lines: Sequence[Line], well: bool) -> None:
        self.names: dict[str, Known] = {}
        self.doing = Doing()
        self.blocks: list[_Block] = []
        self.well = well
        self.doubtful = False
        """Whether the script may have ended before this line."""
        self.over = False
        self.counts: dict[str, int] = {}
        """How often a name stands anywhere."""
        self.inner: dict[str, None] = {}
        """Names that stand in functions, which may be called at any time."""
        self.shared: dict[str, None] = {}
        """Names that functions give something else."""
        self._look_ahead(lines)

    def run(self, lines: Sequence[Line]) -> list[Effect]:
        """Walk all lines."""
        decorated = False
        for line in lines:
            while self.blocks and line.indent <= self.blocks[-1].indent:
                self._leave(self.blocks.pop())
            words = line.words[1:] if line.words[0].said == "async" else line.words
            if words:
                self._line(words, line.indent, decorated)
            if self.over:
                break
            decorated = line.words[0] == Word(SIGN, "@")
        return self.doing.effects()

    def _look_ahead(self, lines: Sequence[Line]) -> None:
        function: int | None = None
        for line in lines:
            said = [word.said or "" for word in line.words if word.kind == NAME]
            for name in said:
                self.counts[name] = self.counts.get(name, 0) + 1
            function = None if function is not None and line.indent <= function else function
            if function is not None or "def" in said[:2]:
                self.inner |= dict.fromkeys(said)
                function = line.indent if function is None else function
            if said[:1] in (["global"], ["nonlocal"]):
                self.shared |= dict.fromkeys(said)

    # -- blocks ---------------------------------------------------------------------------------------------------

    def _enter(self, block: _Block) -> None:
        self.blocks.append(block)
        self._weigh()

    def _leave(self, block: _Block) -> None:
        """What a function calls something nobody else does; what was given on some condition isn't known then."""
        for name, value in block.before.items():
            if self.blocks:
                self.blocks[-1].before.setdefault(name, value)
            if block.begins in ("def", "class") and value is None:
                self.names.pop(name, None)
            elif block.begins in ("def", "class") and value is not None:
                self.names[name] = value
            elif not block.surely:
                self.names[name] = NOTHING
        self._weigh()

    def _weigh(self) -> None:
        self.doing.surely = not self.doubtful and all(block.surely for block in self.blocks)
        self.doing.dead = any(block.dead for block in self.blocks)

    def _bind(self, name: str, value: Known) -> None:
        """Give a name something."""
        if value.file is not None and name in self.inner:
            value.file.touched = True
        if self.blocks:
            self.blocks[-1].before.setdefault(name, self.names.get(name))
        self.names[name] = value if name not in self.shared else NOTHING

    def _forget(self, words: Sequence[Word]) -> None:
        """Names of these stand for something else now."""
        for word in words:
            if word.kind == NAME:
                self._bind(word.said or "", NOTHING)

    # -- lines ----------------------------------------------------------------------------------------------------

    def _line(self, words: Sequence[Word], indent: int, decorated: bool = False) -> None:
        begins = (words[0].said or "") if words[0].kind == NAME else ""
        at_colon = colon(words)
        if begins in ("match", "case") and (at_colon is None or words[1].said in (":", "=", ".", ",")):
            begins = ""
        if begins in CONDITIONS and at_colon is not None:
            self._compound(words[:at_colon], words[at_colon:], indent, decorated)
        elif begins == "with" and at_colon is not None:
            self._with(words[1:at_colon], indent)
            self._same_line(words[at_colon + 1 :], indent)
        elif begins in ("import", "from"):
            for word in words:
                self.names.pop(word.said or "", None)
        elif begins in ("del", "global", "nonlocal"):
            self._forget(words[1:])
        elif (at := assigned(words)) is not None:
            self._assign(words, at)
        else:
            self._value(words[begins in ("return", "assert", "raise", "await") :])
            if begins == "raise" and (self.doing.surely or words[1:] == (Word(NAME, "SystemExit"),)):
                self._ends(failing=False)

    def _compound(self, head: Sequence[Word], rest: Sequence[Word], indent: int, decorated: bool) -> None:
        """A line with a block, and what stands on the same line."""
        begins, name = head[0].said or "", (head[1].said or "") if len(head) > 1 else ""
        called = decorated or self.counts.get(name, 0) > 1 or name.startswith(("test", "__"))
        main = is_main([*head, *rest[:1]])
        if begins in ("if", "elif", "while"):
            self._value(head[1:])
        elif begins == "for":
            self._value(head[len(_until_in(head)) + 1 :])
        elif begins in ("def", "class"):
            self._bind(name, NOTHING)
        self._enter(_Block(indent, begins, main, dead=begins == "def" and not indent and not called))
        if begins == "for":
            self._forget(_until_in(head[1:]))
        elif begins == "def":
            self._forget([word for word in head[1:] if word.said not in ROOTS])
        elif begins in ("except", "case"):
            self._forget(head[1:])
        self._same_line(rest[1:], indent)

    def _same_line(self, words: Sequence[Word], indent: int) -> None:
        """What stands behind the colon of a line. It has no block of its own."""
        if words and (words[0].said not in (*CONDITIONS, "with") or colon(words) is None):
            self._line(words, indent + 1)

    def _with(self, body: Sequence[Word], indent: int) -> None:
        if body[:1] == (Word(SIGN, "("),) and closing(body, 0) == len(body) - 1:
            body = body[1:-1]
        for part in parts(body, (",",)):
            at = part.index(Word(NAME, "as")) if Word(NAME, "as") in part else len(part)
            value = self._value(part[:at])
            if len(part) == at + 2:
                self._bind(part[-1].said or "", value)
            else:
                self._forget(part[at + 1 :])
        if any(word.said in SWALLOWING for word in body):
            self._enter(_Block(indent, "with", surely=False))

    def _assign(self, words: Sequence[Word], at: int) -> None:
        sign, targets, rest = words[at].said, [words[:at]], words[at + 1 :]
        while (at_next := assigned(rest)) is not None:
            targets.append(rest[:at_next])
            rest = rest[at_next + 1 :]
        value = self._value(rest)
        for target in targets:
            if sign == "=" and target and target[0].kind == NAME and (len(target) == 1 or target[1].said == ":"):
                self._bind(target[0].said or "", value)
            else:  # several names, a part of something, or what is added to what is there
                _touch(value)
                self._forget(target)

    # -- values ---------------------------------------------------------------------------------------------------

    def _value(self, words: Sequence[Word], depth: int = 0) -> Known:
        """What some words stand for. What they do on the way is noted."""
        if not words or depth > DEEPEST:
            return self._unknown(words)
        between = [word.said or "" for word in outer(words) if word.kind == NAME and word.said in BETWEEN]
        if between:
            return self._perhaps(words, between, depth)
        values = [self._single(part, depth) for part in parts(words, ("/", "+"))]
        if len(values) < 2:
            return values[0] if values else NOTHING
        for each in values:
            _touch(each)
        signs = {word.said for word in outer(words) if word.kind == SIGN and word.said in ("/", "+")}
        texts = [each.text for each in values]
        if signs == {"+"} and None not in texts:
            return self.doing.text("".join(text or "" for text in texts))
        first = values[0]
        if signs == {"/"} and first.path is not None and first.replaced is None:
            return Known(path=joined([first.path, *texts[1:]]))
        return NOTHING

    def _perhaps(self, words: Sequence[Word], between: Sequence[str], depth: int) -> Known:
        """What is worked out in part, or more than once."""
        surely, hidden = self.doing.surely, dict[str, Known]()
        if "for" in between:  # what it goes through has its names for itself
            through = _until_in(words[words.index(Word(NAME, "for")) + 1 :])
            named = [word.said or "" for word in through if word.kind == NAME]
            hidden = {name: self.names.pop(name) for name in dict.fromkeys(named) if name in self.names}
        whole, first = not {"if", "for", "lambda"} & set(between), bool({"and", "or"} & set(between))
        for number, part in enumerate(parts(words, BETWEEN)):
            self.doing.surely = surely and whole and not (number and first)
            _touch(self._value(part, depth + 1))
        self.doing.surely = surely
        self.names |= hidden
        return NOTHING

    def _single(self, words: Sequence[Word], depth: int) -> Known:
        """Texts that stand beside one another, a number, a name, a call, and what is called of that."""
        if all(word.kind == TEXT for word in words):
            said = [word.said for word in words]
            return NOTHING if None in said else Known(text="".join(each or "" for each in said))
        at, called, value = 0, "", NOTHING
        while at < len(words):
            word = words[at]
            if word.kind == SIGN and word.said in ("(", "["):
                end = closing(words, at)
                inside = words[at + 1 : end]
                if word.said == "(" and at:
                    value = self._called(called, value, inside, depth)
                else:
                    within = self._value(inside, depth + 1)
                    value = within if word.said == "(" else NOTHING
                at, called = end + 1, ""
            elif word.kind == NAME and not at:
                value, called, at = self.names.get(word.said or "", NOTHING), word.said or "", 1
            elif word == Word(SIGN, ".") and at and at + 1 < len(words) and words[at + 1].kind == NAME:
                called, at = f"{called}.{words[at + 1].said}", at + 2
                if at == len(words) or words[at] != Word(SIGN, "("):
                    _touch(value)
                    value = NOTHING
            elif word.kind in (TEXT, NUMBER) and not at:
                value = Known(text=word.said) if word.kind == TEXT else Known(number=word.said)
                at = 1
            else:
                _touch(value)
                return self._unknown(words)
        return value

    def _unknown(self, words: Sequence[Word]) -> Known:
        """Words nobody takes apart here: whatever they name may be changed by them."""
        for at, word in enumerate(words):
            if word.kind == NAME:
                _touch(self.names.get(word.said or "", NOTHING))
                if words[at + 1 : at + 2] and words[at + 1].said == ":=":
                    self._bind(word.said or "", NOTHING)
        return NOTHING

    def _called(self, name: str, of: Known, words: Sequence[Word], depth: int) -> Known:
        """What a call gives, and does."""
        given, named = list[Known](), dict[str, Known]()
        for part in parts(words, (",",)):
            if len(part) > 2 and part[0].kind == NAME and part[1] == Word(SIGN, "="):
                named[part[0].said or ""] = self._value(part[2:], depth + 1)
            else:
                given.append(self._value(part, depth + 1))
        root, _, last = name.rpartition(".")
        if last in ("chdir", "fchdir"):
            self._stray()
        if name in EXITS:
            self._ends(failing=len(words) == 1 and words[0].kind in (TEXT, NUMBER) and words[0].said != "0")
        way = CALLS.get(name) if name.partition(".")[0] not in self.names else None
        way = way or (METHODS.get(last) if root or name.startswith(".") else None)
        for each in (*given, *named.values()):  # something may write into it, or read of it
            _touch(each)
        if way is not None:
            return way(self.doing, of, given, named)
        if last not in HARMLESS:
            _touch(of)
        return NOTHING

    # -- where it goes --------------------------------------------------------------------------------------------

    def _ends(self, failing: bool) -> None:
        """The script ends here, if it comes here."""
        if self.doing.dead:
            return
        if self.doing.surely:
            self.over = True
        elif not failing or not self.well:
            self.doubtful = True
        self._weigh()

    def _stray(self) -> None:
        """It goes to another folder, from here on; who does it in a function may do it before anything else."""
        self.doing.lost = True
        if any(block.begins == "def" for block in self.blocks):
            self.doing.done = [each for each in self.doing.done if each.path.startswith("/")]


def _touch(value: Known) -> None:
    if value.file is not None:
        value.file.touched = True


def _until_in(words: Sequence[Word]) -> Sequence[Word]:
    """What a loop gives its names to."""
    return words[: words.index(Word(NAME, "in"))] if Word(NAME, "in") in words else words
