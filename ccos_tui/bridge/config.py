"""Where the settings lie, read and written."""

from __future__ import annotations

import os

from ccos_tui.bridge.keepsakes import write_over
from ccos_tui.settings import Settings, changed, read

FILE = "config.toml"


def path() -> str:
    """The file, whether it is there or not: `$XDG_CONFIG_HOME/ccos-tui/config.toml`."""
    home = os.environ.get("XDG_CONFIG_HOME", "")
    base = home if os.path.isabs(home) else os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(base, "ccos-tui", FILE)


def load() -> tuple[Settings, list[str]]:
    """(the settings, what of them wasn't understood)."""
    text, trouble = _text()
    settings, troubles = read(text)
    return settings, named([*([trouble] if trouble else []), *troubles])


def named(troubles: list[str]) -> list[str]:
    """The same, with the file they are in."""
    return [f"{path()}: {each}" for each in troubles]


def save(name: str, value: str | bool | int) -> str:
    """Say one setting otherwise from now on; gives what kept it from that, if anything did."""
    text, trouble = _text()
    if trouble:
        return trouble
    new = changed(text, name, value)
    if getattr(read(new)[0], name) != value:  # said in a way that isn't ours: nothing else of the file may be lost
        return f"{FILE} has a form that only you can edit"
    try:
        _write(new)
    except OSError as error:
        return (error.strerror or "can't be written").lower()
    return ""


def _write(text: str) -> None:
    """Another text in place of the file, where it really lies; it is there whole, or as it was."""
    os.makedirs(os.path.dirname(path()), mode=0o700, exist_ok=True)
    write_over(os.path.realpath(path()), text, keeps_rights=True)


def _text() -> tuple[str, str]:
    """(what the file holds, why it can't be read)."""
    try:
        with open(path(), encoding="utf-8-sig") as file:  # some editors put a mark in front
            return file.read(), ""
    except FileNotFoundError:
        return "", ""
    except (OSError, UnicodeDecodeError) as error:
        return "", f"can't be read: {error}"
