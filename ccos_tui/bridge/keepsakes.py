"""Files that belong to the reader (copies, exports, settings, watched nodes), and the program that shows a text.

They may hold what an agent saw, so only the reader may read them (0600). An export never replaces a file; a copy
replaces the copy before. Watches that can't be read count as none, and where they can't be written watching works all
the same. A text is shown by the reader's pager, else the reader's editor, else one that is there.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import stat
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from ccos_tui.settings import Settings, changed, read

MODE = 0o600
NEW = 0o666
"""Of which the reader's own mask takes what nobody gets."""
COPIED = "copied.txt"
MOST = 10_000
"""Files of one name that are told apart by a number."""
LONGEST = 60
"""Characters of a name."""
NO_SPACE = re.compile(r"[^A-Za-z0-9._-]+")


def here() -> str:
    """The current folder with a stroke at its end; empty where somebody removed it."""
    try:
        return os.path.join(os.getcwd(), "")
    except OSError:
        return ""


def keep_copy(text: str) -> str:
    """Write what was copied to where it is found without a clipboard; gives the file. Raises OSError."""
    path = os.path.join(state_folder(), COPIED)
    write_over(path, text)
    return path


def export(name: str, ending: str, text: str) -> str:
    """Write a file into the current folder, or where that can't be written into the state folder; gives which."""
    try:
        return _numbered(os.getcwd(), name, ending, text)
    except OSError:
        return _numbered(state_folder("exports"), name, ending, text)


@contextmanager
def shown_as_file(text: str, name: str) -> Iterator[str]:
    """A file for another program to show, gone again when that has ended; `name` is what it would be called."""
    handle, path = tempfile.mkstemp(prefix="ccos-", suffix="-" + plain_name(os.path.basename(name)))
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.write(text)
        yield path
    finally:
        with suppress(FileNotFoundError):
            os.unlink(path)


def write_over(path: str, text: str, *, keeps_rights: bool = False) -> None:
    """Write a file of the reader's own, whole or not at all, in the place of one that may be there. Nobody else may
    read it, unless it `keeps_rights`: those the file has, or those any new one gets. Raises OSError."""
    rights = _rights(path) if keeps_rights else MODE
    folder, name = os.path.split(path)
    draft = os.path.join(folder, f".{name}.{os.getpid()}")
    with suppress(FileNotFoundError):
        os.unlink(draft)  # of a process of that number that was ended in the middle
    _write_new(draft, text, NEW if rights is None else MODE)
    try:
        if rights not in (None, MODE):
            os.chmod(draft, rights)
        os.replace(draft, path)
    except OSError:
        os.unlink(draft)
        raise


def state_folder(*below: str) -> str:
    """A folder of the reader's own, made where there is none. Raises OSError."""
    from ccos_core.storage.locate import state_home

    folder = os.path.join(state_home(), *below)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return folder


def plain_name(said: str) -> str:
    """A name of a file without anything that a shell would want quoted; the end stays, for it says what it is."""
    return NO_SPACE.sub("-", said)[-LONGEST:].lstrip("-.") or "text"


def _numbered(folder: str, name: str, ending: str, text: str) -> str:
    for number in range(1, MOST):
        path = os.path.join(folder, f"{plain_name(name)}{f'-{number}' if number > 1 else ''}.{ending}")
        try:
            _write_new(path, text)
        except FileExistsError:
            continue
        return path
    raise OSError(f"too many files are named {name}")


def _rights(path: str) -> int | None:
    """Who may do what with a file; None where there is none."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        return None


def _write_new(path: str, text: str, mode: int = MODE) -> None:
    """Write a file that isn't there yet; a half of one isn't left behind."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.write(text)
    except OSError:
        os.unlink(path)
        raise


FILE = "config.toml"


def path() -> str:
    """The file, whether it is there or not: `$XDG_CONFIG_HOME/ccos-tui/config.toml`."""
    home = os.environ.get("XDG_CONFIG_HOME", "")
    base = home if os.path.isabs(home) else os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(base, "ccos-tui", FILE)


def load_settings() -> tuple[Settings, list[str]]:
    """(the settings, what of them wasn't understood)."""
    text, trouble = _text()
    settings, troubles = read(text)
    return settings, named([*([trouble] if trouble else []), *troubles])


def named(troubles: list[str]) -> list[str]:
    """The same, with the file they are in."""
    return [f"{path()}: {each}" for each in troubles]


def save_settings(name: str, value: str | bool | int) -> str:
    """Say one setting otherwise from now on; gives what kept it from that, if anything did."""
    text, trouble = _text()
    if trouble:
        return trouble
    new = changed(text, name, value)
    if getattr(read(new)[0], name) != value:  # said in a way that isn't ours: nothing else of the file may be lost
        return f"{FILE} has a form that only you can edit"
    try:
        _write_settings(new)
    except OSError as error:
        return (error.strerror or "can't be written").lower()
    return ""


def _write_settings(text: str) -> None:
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


FOLDER = "watches"
MOST_FILES = 200
"""Workspaces of which they are kept; those that nobody has changed for longest are forgotten."""
Kept = tuple[str, int]
"""A node, and the step at which it is called so."""


def load_watches(workspace: str) -> list[Kept]:
    """What was watched in a workspace."""
    try:
        with open(_path(workspace), encoding="utf-8") as file:
            told = json.load(file)["watches"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
    return [(node, at) for node, at in filter(_is_one, told if isinstance(told, list) else [])]


def save_watches(workspace: str, watched: Iterable[Kept]) -> str:
    """Keep what is watched now, no file where that is nothing; gives what kept it from that, if anything did."""
    path, told = _path(workspace), [list(each) for each in watched]
    try:
        if told:
            _write_watches(path, {"workspace": _spelled(workspace), "watches": told})
        else:
            with suppress(FileNotFoundError):
                os.unlink(path)
    except OSError as error:
        return (error.strerror or "can't be written").lower()
    return ""


def _write_watches(path: str, told: object) -> None:
    folder = state_folder(FOLDER)
    write_over(path, json.dumps(told))
    _forget_the_oldest(folder)


def _path(workspace: str) -> str:
    """The file of a workspace, by where that really lies."""
    from ccos_core.storage.locate import state_home
    from ccos_core.values.canon import digest

    name = digest(os.fsencode(os.path.realpath(workspace))).hex()[:32]
    return os.path.join(state_home(), FOLDER, f"{name}.json")


def _spelled(workspace: str) -> str:
    """For whoever looks into the file."""
    return os.fsencode(os.path.realpath(workspace)).decode("utf-8", "replace")


def _is_one(told: object) -> bool:
    match told:
        case [str(node), int(at)]:
            return bool(node) and at >= 0 and not isinstance(at, bool)
    return False


def _forget_the_oldest(folder: str) -> None:
    with suppress(OSError), os.scandir(folder) as found:
        files = sorted((each.stat().st_mtime_ns, each.path) for each in found)
        for _, path in files[: max(len(files) - MOST_FILES, 0)]:
            os.unlink(path)


VARIABLES = ("PAGER", "VISUAL", "EDITOR")
"""Who reads wants a pager first; what is shown is a copy, so nothing is lost by not editing it."""
USUAL = ("less", "more", "vi", "nano")
"""Tried where nobody said anything."""
ITS_OWN = ("SIGINT", "SIGQUIT")
"""What a terminal sends to all who sit at it, and what only the program that has the terminal is meant by: who
interrupts a pager's search wants to go on reading."""
NO_READER = "no program to open it: set $PAGER or $EDITOR"


def reader(environment: Mapping[str, str]) -> list[str]:
    """The words to call it by; none where there is no program of the kind."""
    for name in VARIABLES:
        words = _words(environment.get(name, ""))
        if words and shutil.which(words[0]):
            return words
    found = next((each for each in USUAL if shutil.which(each)), None)
    return [found] if found else []


def show_with(words: Sequence[str], path: str) -> str:
    """Let it show a file until somebody leaves it; gives what went wrong, if anything did."""
    try:
        with subprocess.Popen([*words, path]) as shown, _left_to_it():  # noqa: S603  (the reader said which program)
            code = shown.wait()
    except OSError as error:
        return f"{words[0]}: {(error.strerror or 'not started').lower()}"
    return f"{words[0]} ended with exit code {code}" if code else ""


@contextmanager
def _left_to_it() -> Iterator[None]:
    """Don't hear what isn't meant for us. It begins behind the other program's start, who would inherit it."""
    before: dict[int, Any] = {}
    for name in ITS_OWN:
        with suppress(AttributeError, ValueError):  # no such signal, or not the thread that has them
            number = getattr(signal, name)
            before[number] = signal.signal(number, signal.SIG_IGN)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)


def _words(said: str) -> list[str]:
    try:
        return shlex.split(said)
    except ValueError:  # quotes that don't end
        return []
