"""What every test has: a limit of time, a depth, cache and config folders that aren't the user's own, and Ctrl-C.

By default a law tries at most 25 examples, the same in every run, so that a change is judged by what it changed; and
the benchmarks' own generators are tested only since they changed. With `CCOS_DEEP=1` (`start.py test --deep`) laws try
as many as they say, others in every run, and everything runs.
"""

import os
import shutil
import signal
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests import limits, shared
from tests.depth import DEEP, examples_of

settings.register_profile("untimed", parent=settings(), deadline=None, derandomize=not DEEP)
settings.load_profile("untimed")

pytest_runtest_protocol = limits.pytest_runtest_protocol


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    limits.pytest_configure(config)
    os.environ.setdefault(shared.RUN, uuid.uuid4().hex)  # workers get it from the process that starts them


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(shared.folder(), ignore_errors=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bound the laws, whatever number of examples each says for itself."""
    for item in () if DEEP else items:
        law = getattr(item, "obj", None)
        said = getattr(law, "_hypothesis_internal_use_settings", None)
        if said is not None:
            law._hypothesis_internal_use_settings = settings(said, max_examples=examples_of(said.max_examples))


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in the background deaf to it, and programs that tests start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def _no_cache_of_anybodys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        yield


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that hooks may tell of, and a state folder that is nobody's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("CCOS_WORKSPACE", "CCOS_OFF"):
        monkeypatch.delenv(name, raising=False)
    root = tmp_path / "shop"
    (root / ".git").mkdir(parents=True)
    return root
