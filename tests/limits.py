"""End every test that hangs, and name it.

pytest-timeout interrupts a test that runs too long; it fails with the line where it stood, and the run goes on. Code in
C that never returns to Python can't be interrupted, so behind that stands a watchdog: it prints where every thread is
and ends the process. xdist then names the test that its worker was running, and goes on with another worker.

`--timeout SECONDS` sets another limit for every test, `--timeout 0` none.
"""

import faulthandler
from collections.abc import Generator

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key

from tests.depth import at_depth

TIMEOUT_SECONDS = at_depth(120, 1_200)
WATCHDOG_FACTOR = 1.25


@pytest.hookimpl(tryfirst=True)  # before pytest-timeout reads the option
def pytest_configure(config: pytest.Config) -> None:
    if config.pluginmanager.hasplugin("timeout") and config.option.timeout is None:
        config.option.timeout = TIMEOUT_SECONDS


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    seconds = getattr(item.config.option, "timeout", TIMEOUT_SECONDS)
    stderr = item.config.stash.get(fault_handler_stderr_fd_key, None)
    if not seconds or stderr is None or item.config.getoption("usepdb", default=False):
        return (yield)
    faulthandler.dump_traceback_later(seconds * WATCHDOG_FACTOR, exit=True, file=stderr)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()
