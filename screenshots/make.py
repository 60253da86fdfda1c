"""Make the pictures: `python screenshots/make.py` draws every screen on the sample workspaces, as SVG.

With `resvg-py` installed those for the README are written as PNG as well; without it that is said, and the SVG are all
there is. The stories are those that the tests hold to what is kept (`tests/tui/snapshots/pictures.py`).
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from ccos_core.serve.cli import demo  # noqa: E402
from tests.tui.snapshots.pictures import STORIES, Picture, drawn  # noqa: E402

TERMINAL = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
SHOWN = ("debugger", "watch", "why", "autopsy")
"""Those that are wanted as PNG."""
SIZES = {"60x20": ("debugger",), "100x30": ("debugger",)}
"""Size → the screens that are drawn in it besides the largest."""
PIXELS = 1_640
"""Columns of a PNG."""


def main() -> int:
    """Draw them all, in a place of nobody's settings."""
    with tempfile.TemporaryDirectory() as held:
        os.environ.update(TERMINAL, XDG_CONFIG_HOME=held, XDG_STATE_HOME=held, XDG_CACHE_HOME=held)
        os.environ.pop("NO_COLOR", None)
        # the settings name where their file lies, which is another place on every run
        wanted = [Picture(story, "160x48") for story in STORIES if story != "settings"]
        wanted += [Picture(story, size) for size, stories in SIZES.items() for story in stories]
        wanted.append(Picture("debugger", "160x48", "light"))
        for number, picture in enumerate(wanted):
            path = os.path.join(held, str(number), "drift.ccos")
            os.mkdir(os.path.dirname(path))
            demo.build(path)
            write(picture, drawn(path, picture))
    return 0


def write(picture: Picture, svg: str) -> None:
    """Under the name of its screen; what isn't usual about it follows."""
    odd = [picture.size] * (picture.size != "160x48") + [picture.look] * (picture.look != "dark")
    path = HERE / f"{'-'.join([picture.story, *odd])}.svg"
    path.write_text(svg, encoding="utf-8")
    print(f"wrote {path.relative_to(HERE.parent)}")
    if picture.story in SHOWN and not odd:
        as_png(path, svg)


def as_png(path: Path, svg: str) -> None:
    """The same as pixels, where that can be done here."""
    try:
        import resvg_py
    except ImportError:
        print(f"NO PNG of {path.stem}: pip install resvg-py", file=sys.stderr)
        return
    png = resvg_py.svg_to_bytes(svg_string=svg, width=PIXELS)
    path.with_suffix(".png").write_bytes(bytes(png))
    print(f"wrote {path.with_suffix('.png').relative_to(HERE.parent)}")


if __name__ == "__main__":
    sys.exit(main())
