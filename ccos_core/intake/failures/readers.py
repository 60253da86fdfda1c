"""Every reader of outputs, in the order in which they are asked, with the signs by which each is known.

Runs of Python come before plain tracebacks, for they hold such.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ccos_core.intake.failures import (
    go,
    javascript_jest,
    javascript_mocha,
    javascript_node,
    javascript_node_tests,
    javascript_vitest,
    python,
    python_pytest,
    python_unittest,
    rust,
    typescript,
)
from ccos_core.intake.failures.page import Findings, Page


@dataclass(frozen=True, slots=True)
class Reader:
    """What reads the outputs of one runner.

    In every output it finds or claims anything in stands one of the signs; a line ends with a line feed, and begins
    behind one. A silent one knows commands as well that have nothing to say when all is well.
    """

    read: Callable[[Page], Findings]
    signs: tuple[str, ...] = ("",)
    silent: bool = False

    def may_speak(self, page: Page, text: str) -> bool:
        """Whether it is worth asking; `text` is what no reader has claimed."""
        return (self.silent and page.ok is True) or any(sign in text for sign in self.signs)


READERS: tuple[Reader, ...] = (
    Reader(python_pytest.read),
    Reader(javascript_vitest.read, javascript_vitest.SIGNS),
    Reader(javascript_jest.read, javascript_jest.SIGNS),
    Reader(javascript_node_tests.read, javascript_node_tests.SIGNS),
    Reader(javascript_node_tests.read_tap, javascript_node_tests.TAP_SIGNS),
    Reader(javascript_mocha.read, javascript_mocha.SIGNS),
    Reader(python_unittest.read, python_unittest.SIGNS),
    Reader(python.read_doctest, python.DOCTEST_SIGNS),
    Reader(python.read, python.SIGNS, silent=True),
    Reader(rust.read, rust.SIGNS),
    Reader(go.read, go.SIGNS, silent=True),
    Reader(typescript.read, typescript.SIGNS, silent=True),
    Reader(javascript_node.read, javascript_node.SIGNS, silent=True),
)
