"""A folder that is only passing goes with whoever has it, asked or not, and says nothing of it."""

import gc
from pathlib import Path

from ccos_tui.bridge.opening import Passing


def test_it_goes_when_it_is_told_to() -> None:
    folder = Passing("ccos-passing-")
    path = Path(folder.name)
    (path / "demo.ccos").write_text("")
    folder.cleanup()
    folder.cleanup()
    assert not path.exists()


def test_it_goes_when_nobody_has_it_any_more() -> None:
    path = Path(Passing("ccos-passing-").name)
    gc.collect()  # a warning would be an error here
    assert not path.exists()
