"""A folder that goes when nobody has it any more, at the latest when the program ends.

Whoever leaves before it was shown to them never hears that it is there: then that nobody let go of it is no mistake,
which a `TemporaryDirectory` would take it for.
"""

from __future__ import annotations

import shutil
import tempfile
from weakref import finalize


class Passing:
    """A new one."""

    def __init__(self, prefix: str) -> None:
        self.name = tempfile.mkdtemp(prefix=prefix)
        self.cleanup = finalize(self, shutil.rmtree, self.name, ignore_errors=True)
        """Have it go now."""
