"""Where things lie: a project's workspace when nobody names one, and the user's state and cache folders.

By default a project's workspace is kept under the user's state folder, keyed by the project's root, so nothing is
written into anybody's repository unasked. A `.ccos/` folder in the project is used when somebody made one. The
folders follow the XDG variables, on every system.
"""

from __future__ import annotations

import os

from ccos_core.errors import NotFound
from ccos_core.values.canon import digest

SUFFIX = ".ccos"
HERE = ".ccos"
"""The folder `init --here` makes in a project."""
DEFAULT_NAME = "work" + SUFFIX
USER_NAME = "user" + SUFFIX
LONGEST_NAME = 40
"""Characters of a folder's name that its workspace's name keeps, so that no file system finds it too long."""
MOST_NAMED = 5
"""Workspaces that are named where several could be meant."""
HEARD, PAUSED, CUT = "-heard", "-paused", "-cut"
"""What is added to a workspace's name for what a hook heard and nobody has taken in, while nothing is recorded, and for
the marks of sessions whose window was cut."""
LOST = "-lost"
"""What is added to the name of what was heard for the count of what was lost of it."""


def state_home() -> str:
    """Where workspaces without a place of their own are kept."""
    return _xdg("XDG_STATE_HOME", ".local/state")


def cache_home() -> str:
    """Where caches go whose record lies in a folder that can't be written."""
    return _xdg("XDG_CACHE_HOME", ".cache")


def user_path() -> str:
    """The user's own record, beside the settings."""
    return os.path.join(_xdg("XDG_CONFIG_HOME", ".config"), USER_NAME)


def project_root(start: str) -> str:
    """The project `start` is in: the nearest folder upwards with a `.git` or a `.ccos`, else `start` itself."""
    folder = start = os.path.abspath(start)
    while True:
        if os.path.exists(os.path.join(folder, ".git")) or os.path.isdir(os.path.join(folder, HERE)):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return start
        folder = above


def here_path(root: str) -> str:
    """The workspace kept inside a project."""
    return os.path.join(root, HERE, DEFAULT_NAME)


def default_path(root: str) -> str:
    """The workspace a project has when nobody said where."""
    if os.path.isdir(os.path.join(root, HERE)):
        return here_path(root)
    return _keyed("projects", root, os.path.basename(root) or "root")


def recorded_into(named: str, root: str) -> str:
    """The workspace hooks record into: the file somebody named, or the workspace of a folder they named, or the one a
    project has."""
    if not named:
        return default_path(root)
    return default_path(project_root(named)) if os.path.isdir(named) else os.path.abspath(named)


def is_default(ws: str) -> bool:
    """Whether a workspace lies where a project has it when nobody said where: there hooks record into it."""
    folder, name = os.path.split(os.path.realpath(ws))
    projects = os.path.dirname(_keyed("projects", folder, "any"))
    return folder == os.path.realpath(projects) or (os.path.basename(folder), name) == (HERE, DEFAULT_NAME)


def session_path(transcript: str) -> str:
    """The workspace a transcript has when nobody said where."""
    return _keyed("sessions", transcript, os.path.splitext(os.path.basename(transcript))[0])


def heard_path(ws: str) -> str:
    """Where hooks write what they heard for a workspace, whether or not there is one yet."""
    return os.path.realpath(ws) + HEARD


def lost_path(ws: str) -> str:
    """What counts the events that hooks heard for a workspace and lost, by its size."""
    return heard_path(ws) + LOST


def paused_path(ws: str) -> str:
    """What lies beside a workspace in which nothing is recorded for the time being."""
    return os.path.realpath(ws) + PAUSED


def cut_path(ws: str) -> str:
    """The marks of sessions whose host has cut its window, for a hook."""
    return os.path.realpath(ws) + CUT


def scan_lock_path(ws: str) -> str:
    """The lock of whichever process looks through a workspace's project, or folds what was recorded of it."""
    return os.path.join(state_home(), "locks", digest(os.fsencode(os.path.realpath(ws))).hex()[:24])


def workspace(named: str) -> str:
    """The record a person means by `named`: the file itself, the workspace of a project's folder, or the only one that
    lies in a folder."""
    if not os.path.isdir(named):
        return named
    if own := own_workspace(named):
        return own
    lying = _lying_in(named)
    if len(lying) > 1:
        hint = f"Name one: {', '.join(lying[:MOST_NAMED])}{', ...' if len(lying) > MOST_NAMED else ''}"
        raise NotFound("there are several workspaces in this folder", place=named, hint=hint)
    if not lying:
        hint = f"Create one: ccos-tui init --here --root {named}"
        raise NotFound("this folder has no workspace yet", place=named, hint=hint)
    return lying[0]


def own_workspace(folder: str) -> str:
    """The workspace that the project a folder is of has, or that hooks have begun; nothing where there is none."""
    path = default_path(project_root(folder))
    return path if os.path.exists(path) or os.path.exists(heard_path(path)) else ""


def _lying_in(folder: str) -> list[str]:
    """Workspaces that somebody has put there."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    paths = (os.path.join(folder, name) for name in names if name.endswith(SUFFIX))
    return [path for path in paths if os.path.isfile(path)]


def _keyed(kind: str, path: str, name: str) -> str:
    key = digest(os.fsencode(os.path.realpath(path))).hex()[:12]
    return os.path.join(state_home(), kind, f"{name[:LONGEST_NAME]}-{key}{SUFFIX}")


def _xdg(variable: str, otherwise: str) -> str:
    said = os.environ.get(variable, "")
    base = said if os.path.isabs(said) else os.path.join(os.path.expanduser("~"), *otherwise.split("/"))
    return os.path.join(base, "ccos-tui")
