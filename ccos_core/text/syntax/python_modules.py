"""Python: which file a module's name means, asked from where.

A module has a place (its path without suffix; a package its folder) and as many dotted names as there are folders its
name may start in: any that lies in no package. So `src/` layouts, several roots in one tree and packages without
`__init__.py` need no configuration, and an `__init__.py` that comes or goes renames nothing here: names are put
together when they are asked for. An address is a place with a slash before it, or a dotted name.
"""

from __future__ import annotations

from collections.abc import Iterator

from ccos_core.text.syntax.resolution import shared_folders

INITS = ("__init__.py", "__init__.pyi")
# A list of our own rather than the running Python's, which would make a link depend on its version.
_LIBRARY = """
    __future__ abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect
    builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall
    concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm
    decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput
    fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac
    html http imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging
    lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt
    ntpath numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform
    plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pyexpat queue quopri random
    re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd
    smtplib sndhdr socket socketserver spwd sqlite3 ssl stat statistics string stringprep struct subprocess sunau
    symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit tkinter
    token tokenize tomllib trace traceback tracemalloc tty turtle types typing unicodedata unittest urllib uu uuid venv
    warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib
    zoneinfo"""
LIBRARY = frozenset(_LIBRARY.split())
"""The standard library. A tree's own module of that name is meant only by its neighbours."""


class Modules:
    """All Python files of a tree, by place."""

    def __init__(self) -> None:
        self.places: dict[str, list[str]] = {}
        """Place → the paths that are there, the one an import means first."""
        self.packages: dict[str, int] = {}
        """Folder → how many `__init__` it has."""
        self.heads: dict[str, dict[str, int]] = {}
        """Name of a module or folder → the folders it is found in, and for how many files."""
        self._met: dict[tuple[str, str], str | None] = {}
        """Dotted name, folder it was asked from → what it means there, as long as no file comes or goes."""

    def add(self, path: str) -> None:
        place = place_of(path)
        self._met.clear()
        # A package before a module, code before a stub.
        self.places[place] = sorted(
            [*self.places.get(place, ()), path], key=lambda each: (not is_init(each), each.endswith(".pyi"), each)
        )
        for folder, name in _steps(place):
            parents = self.heads.setdefault(name, {})
            parents[folder] = parents.get(folder, 0) + 1
        if is_init(path):
            self.packages[place] = self.packages.get(place, 0) + 1

    def remove(self, path: str) -> None:
        place = place_of(path)
        self._met.clear()
        self.places[place].remove(path)
        if not self.places[place]:
            del self.places[place]
        for folder, name in _steps(place):
            _one_less(self.heads[name], folder)
        if is_init(path):
            _one_less(self.packages, place)

    def at(self, address: str, asker: str) -> str | None:
        """The path of the module at an address, as the file `asker` would import it; None if that isn't clear."""
        if address.startswith("/"):
            return next(iter(self.places.get(address[1:], ())), None)
        key = address, asker.rpartition("/")[0]
        if key not in self._met:
            self._met[key] = self._named(address, asker)
        return self._met[key]

    def _named(self, address: str, asker: str) -> str | None:
        """What a dotted name means: the same for all files of the asker's folder."""
        head = address.partition(".")[0]
        tail = address.replace(".", "/")
        fitting = []
        for folder in self.heads.get(head, ()):
            path = next(iter(self.places.get(f"{folder}/{tail}" if folder else tail, ())), None)
            if path is not None and not self._in_package(folder) and self._reachable(folder, path, address, asker):
                fitting.append((not _holds(folder, asker), -shared_folders(folder, asker.rpartition("/")[0]), path))
        fitting.sort()
        if len(fitting) > 1 and fitting[0][:2] == fitting[1][:2]:
            return None
        return fitting[0][2] if fitting else None

    def _reachable(self, folder: str, path: str, name: str, asker: str) -> bool:
        """Whether an import could mean it: a package anywhere, or a lone module on a path the asker has."""
        if name.partition(".")[0] in LIBRARY:
            return folder == self._root(asker) and folder not in self.packages
        return "." in name or is_init(path) or _holds(folder, asker) or "/" not in folder

    def _in_package(self, folder: str) -> bool:
        while folder:
            if folder in self.packages:
                return True
            folder = folder.rpartition("/")[0]
        return False

    def _root(self, path: str) -> str:
        """The folder in which the name of the module at `path` starts."""
        root = folder = path.rpartition("/")[0]
        while folder:
            above = folder.rpartition("/")[0]
            if folder in self.packages:
                root = above
            folder = above
        return root


def place_of(path: str) -> str:
    """Where a module is: two files at one place are one module, of which an import means the first."""
    folder, _, file = path.rpartition("/")
    return folder if file in INITS else path.rpartition(".")[0]


def names_of(path: str) -> set[str]:
    """Everything a file may be called: its place, and all dotted ends of that."""
    place = place_of(path)
    parts = place.split("/")
    return {f"/{place}", *(".".join(parts[start:]) for start in range(len(parts)))}


def is_init(path: str) -> bool:
    return path.rpartition("/")[2] in INITS


def address_of(path: str, module: str) -> str | None:
    """The address an import's module (`.models`, `..`, `a.b`) stands for in the file at `path`; None above the top."""
    if not module.startswith("."):
        return module
    name = module.lstrip(".")
    parts = path.split("/")[:-1]
    above = len(module) - len(name) - 1
    if above > len(parts):
        return None
    return "/" + "/".join([*parts[: len(parts) - above], *filter(None, name.split("."))])


def inner(address: str, name: str) -> str:
    """The address of what is called `name` inside of a package."""
    if not address.startswith("/"):
        return f"{address}.{name}"
    return f"/{name}" if address == "/" else f"{address}/{name}"


def _steps(place: str) -> Iterator[tuple[str, str]]:
    """(folder, name in it) along a place, from the top."""
    parts = place.split("/")
    for depth, name in enumerate(parts):
        yield "/".join(parts[:depth]), name


def _holds(folder: str, path: str) -> bool:
    return not folder or path.startswith(folder + "/")


def _one_less(counts: dict[str, int], key: str) -> None:
    counts[key] -= 1
    if not counts[key]:
        del counts[key]
