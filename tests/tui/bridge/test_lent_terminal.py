"""While another program has the terminal, what is typed there is for that program alone."""

from __future__ import annotations

import signal
import sys

import pytest

from ccos_tui.bridge import keepsakes

INTERRUPTS = """
import os, signal, sys
assert signal.getsignal(signal.{0}) is not signal.SIG_IGN
os.kill(os.getppid(), signal.{0})
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGQUIT"])
def test_a_ctrl_c_in_a_pager_is_the_pagers(name: str) -> None:
    number = getattr(signal, name, None)
    if number is None:
        pytest.skip("there is no such signal here")
    heard: list[int] = []

    def hear(number: int, _: object) -> None:
        heard.append(number)

    before = signal.signal(number, hear)
    try:
        assert keepsakes.show_with([sys.executable, "-c", INTERRUPTS.format(name)], "shown") == ""
        assert heard == []
        assert signal.getsignal(number) is hear
    finally:
        signal.signal(number, before)
