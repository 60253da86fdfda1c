"""Where the settings lie, read and written."""

from __future__ import annotations

import os

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
    return settings, [f"{path()}: {each}" for each in [*([trouble] if trouble else []), *troubles]]


def save(name: str, value: str | bool | int) -> str:
    """Say one setting otherwise from now on; gives what kept it from that, if anything did."""
    text, trouble = _text()
    if trouble:
        return trouble
    draft = f"{path()}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path()), mode=0o700, exist_ok=True)
        with open(draft, "w", encoding="utf-8") as file:
            file.write(changed(text, name, value))
        os.replace(draft, path())
    except OSError as error:
        return (error.strerror or "can't be written").lower()
    return ""


def _text() -> tuple[str, str]:
    """(what the file holds, why it can't be read)."""
    try:
        with open(path(), encoding="utf-8") as file:
            return file.read(), ""
    except FileNotFoundError:
        return "", ""
    except (OSError, UnicodeDecodeError) as error:
        return "", f"can't be read: {error}"
