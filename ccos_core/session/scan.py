"""Walks a source tree and says which files are to be recorded, and why each other one is not.

The order is that of the paths' bytes and the same on every machine. `walk` only lists; `scan` reads, too. What git
ignores and what a `.ccosignore` names stays out, and so do binary, huge and special files, links, and folders of
dependencies, builds and caches; nothing is left out without a reason that `Tally` can put into words. What usually
holds secrets is found without its content, and never opened.

The border: this reads the file system and changes nothing. Only rules inside the root count; what a machine ignores
for all its repositories (`core.excludesFile`) does not, or two machines would record two trees from the same files.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from ccos_core.text.ignore import Matcher, Rules, parse_rules
from ccos_core.text.withheld import withheld

MAX_BYTES = 1_000_000
SNIFFED = 8_192  # a NUL among the first bytes means binary, as git has it


class Reason(StrEnum):
    """Why something is left out, in words that follow a number."""

    GITIGNORE = "ignored by .gitignore"
    CCOSIGNORE = "ignored by .ccosignore"
    TOOLS = "of dependencies, builds, caches or version control"
    BINARY = "binary"
    LARGE = "too large"
    LINK_INSIDE = "linked to another path in here"
    LINK_OUTSIDE = "linked from outside"
    LINK_BROKEN = "linked to nothing"
    SPECIAL = "special (pipe, socket or device)"
    NAME = "with a name that is not UTF-8"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Listed:
    path: str
    """Relative to the root, `/`-separated."""
    withheld: bool = False
    """To be recorded without content."""


@dataclass(frozen=True, slots=True)
class Found:
    path: str
    data: bytes | None
    """None where the content is withheld."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    path: str
    """Bytes that are no UTF-8 are written as escapes here, so that it can be printed anywhere."""
    reason: Reason
    is_folder: bool = False
    """A folder counts as one, for it wasn't looked into."""


@dataclass(slots=True)
class Tally:
    """Counts what a walk gives: add each item as it passes."""

    max_bytes: int = MAX_BYTES
    files: int = 0
    withheld: int = 0
    left_out: dict[Reason, tuple[int, int]] = field(default_factory=dict)
    """Files and folders, by reason."""

    def add(self, item: Listed | Found | LeftOut) -> None:
        if isinstance(item, LeftOut):
            files, folders = self.left_out.get(item.reason, (0, 0))
            self.left_out[item.reason] = (files + (not item.is_folder), folders + item.is_folder)
        else:
            self.files += 1
            self.withheld += item.data is None if isinstance(item, Found) else item.withheld

    def words(self) -> str:
        """Like "4,102 files and 3 folders ignored by .gitignore, 12 binary, 3 over 1 MB"; "" if all was found."""
        return ", ".join(self._counted(reason) for reason in Reason if reason in self.left_out)

    def _counted(self, reason: Reason) -> str:
        files, folders = self.left_out[reason]
        count = f"{folders:,} folder{'s' * (folders != 1)}" if folders else f"{files:,}"
        if files and folders:
            count = f"{files:,} file{'s' * (files != 1)} and {count}"
        return f"{count} over {_size(self.max_bytes)}" if reason is Reason.LARGE else f"{count} {reason}"


def scan(root: str, start: str = "", *, max_bytes: int = MAX_BYTES) -> Iterator[Found | LeftOut]:
    """Every file below `start` with its content, and everything left out; see `walk` and `read`."""
    return (item if isinstance(item, LeftOut) else read(root, item, max_bytes=max_bytes) for item in walk(root, start))


def read(root: str, listed: Listed, *, max_bytes: int = MAX_BYTES) -> Found | LeftOut:
    """The content of one listed file, opened once. What changed its nature since it was listed is left out."""
    if listed.withheld:
        return Found(listed.path, None)
    content = _content(os.path.join(os.fsencode(root), listed.path.encode()), max_bytes)
    if isinstance(content, Reason):
        return LeftOut(listed.path, content)
    return LeftOut(listed.path, Reason.BINARY) if b"\0" in content[:SNIFFED] else Found(listed.path, content)


def walk(root: str, start: str = "") -> Iterator[Listed | LeftOut]:
    """Every file at or below `start` by name alone, sorted by the bytes of its path.

    `start` is a folder or a file in `root`, absolute or relative to it. The ignore files of the folders between count.
    ValueError if it lies outside, OSError if it isn't there.
    """
    top = os.path.realpath(os.fsencode(root))
    parts = _parts(os.path.abspath(os.fsencode(root)), top, os.fsencode(start))
    os.lstat(os.path.join(top, *parts))
    return _walk(top, parts)


def never_opened(path: str) -> bool:
    """Return whether a name alone says that this wasn't written to be read: for paths that don't come from a walk."""
    *folders, name = os.fsencode(path).split(b"/")
    return not _TOOLS.isdisjoint(folders) or (name.rpartition(b".")[2].lower() in _BINARY and not withheld(path))


# Folders that stay out wherever they are. `build`, `dist`, `vendor`, `target`, `venv`, `env`, `out` and `bin` are
# missing on purpose: people also give these names to folders of their own work, so they need a witness.
_TOOLS = frozenset(
    b".git .hg .svn .bzr .jj .pijul _darcs CVS node_modules bower_components jspm_packages elm-stuff .venv __pycache__"
    b" .tox .nox .eggs .mypy_cache .ruff_cache .pytest_cache .hypothesis .ipynb_checkpoints site-packages .gradle"
    b" .terraform .terragrunt-cache .next .nuxt .svelte-kit .turbo .parcel-cache .angular .dart_tool .stack-work"
    b" dist-newstyle .bundle .cache .ccache .direnv .nyc_output .serverless .vercel .yarn .pnpm-store .zig-cache"
    b" .import_linter_cache".split()
)
# A folder of this name is output if one of these lies beside it …
_WITNESSES = {
    b"build": frozenset({b"build.gradle", b"build.gradle.kts", b"pubspec.yaml"}),
    b"dist": frozenset({b"package.json", b"pyproject.toml", b"setup.py"}),
    b"target": frozenset({b"Cargo.toml", b"pom.xml", b"build.sbt"}),
    b"vendor": frozenset({b"go.mod", b"composer.json"}),
}
# … and any folder is, if one of these lies in it: tools mark their caches, environments and build trees so.
_MARKS = frozenset({b"CACHEDIR.TAG", b"pyvenv.cfg", b"CMakeCache.txt"})

# Never worth opening. A suffix that some language also uses for text (`.ts`, `.obj`, `.dat`) is not here.
_BINARY = frozenset(
    b"7z aac avi avif bmp br bz2 class dll dmg doc docx dylib ear eot exe flac flv gif gz h5 heic icns ico iso jar jpeg"
    b" jpg lz4 m4a m4v mkv mov mp3 mp4 mpeg npy npz o odp ods odt ogg onnx otf parquet pdf pickle pkl png ppt pptx psd"
    b" pt pth pyc pyd pyo rar safetensors so sqlite sqlite3 tar tgz tif tiff ttf war wasm wav webm webp whl woff woff2"
    b" xls xlsx xz zip zst".split()
)
# What lies beside a workspace is called after it: NAME.ccos-wal, -cache, -heard, -cut, ...
_OWN, _BESIDE = b".ccos", b".ccos-"


@dataclass(frozen=True, slots=True)
class _Folder:
    path: str
    """Relative to the root, with a slash at its end; empty for the root."""
    names: frozenset[bytes]
    git: Matcher
    ccos: Matcher


_Entry = os.DirEntry[bytes]
_Todo = tuple[_Folder, _Entry, list[bytes] | None]  # the last: what of `start` lies below; None beyond it


def _walk(top: bytes, parts: list[bytes]) -> Iterator[Listed | LeftOut]:
    home = _enter(top, "", Matcher(_exclude(top)), Matcher(), asked=True)
    if isinstance(home, Reason):
        yield LeftOut(".", home, is_folder=True)
        return
    pending = _children(*home, parts)
    while pending:  # a stack, so that no tree is too deep
        folder, entry, rest = pending.pop()
        path = folder.path + entry.name.decode("utf-8", "surrogateescape")
        if _is_ours(entry):
            continue
        if not _is_folder(entry):
            reason = _against_file(folder, entry, path, top)
            yield LeftOut(_printable(path), reason) if reason else Listed(path, withheld(path))
            continue
        opened = _against_folder(folder, entry, path, asked=rest is not None) or _enter(
            entry.path, path + "/", folder.git, folder.ccos, asked=rest is not None
        )
        if isinstance(opened, Reason):
            yield LeftOut(_printable(path), opened, is_folder=True)
        else:
            pending += _children(*opened, rest)


def _children(folder: _Folder, entries: list[_Entry], rest: list[bytes] | None) -> list[_Todo]:
    if rest:
        named = [(folder, entry, rest[1:]) for entry in entries if entry.name == rest[0]]
        if not named:  # gone since, or spelled otherwise where case doesn't matter
            raise FileNotFoundError(
                f"no {os.fsdecode(rest[0])} in {folder.path or './'}: spell it as the folder lists it"
            )
        return [*named]  # a list of the wider type
    return [(folder, entry, None) for entry in reversed(entries)]


def _enter(where: bytes, path: str, git: Matcher, ccos: Matcher, asked: bool) -> tuple[_Folder, list[_Entry]] | Reason:
    """List a folder and read its rules. A folder that was asked for by name is entered whatever lies in it."""
    try:
        with os.scandir(where) as listing:
            # With a slash after folders this is the order of whole paths: `a-b`, `a/b`, `a0`.
            entries = sorted(listing, key=lambda entry: entry.name + b"/" if _is_folder(entry) else entry.name)
    except OSError:
        return Reason.UNREADABLE
    names = frozenset(entry.name for entry in entries)
    if not (asked or names.isdisjoint(_MARKS)):
        return Reason.TOOLS
    if b".gitignore" in names:
        git = git.below(_rules(os.path.join(where, b".gitignore"), path))
    if b".ccosignore" in names:
        ccos = ccos.below(_rules(os.path.join(where, b".ccosignore"), path))
    return _Folder(path, names, git, ccos), entries


def _against_folder(folder: _Folder, entry: _Entry, path: str, asked: bool) -> Reason | None:
    if not asked and (entry.name in _TOOLS or not folder.names.isdisjoint(_WITNESSES.get(entry.name, ()))):
        return Reason.TOOLS
    return _ignored(folder, path, True) or _bad_name(path)


def _against_file(folder: _Folder, entry: _Entry, path: str, top: bytes) -> Reason | None:
    if entry.name == b".git":  # where a worktree or a submodule says whose it is
        return Reason.TOOLS
    reason = _ignored(folder, path, False)
    if reason:
        return reason
    if entry.is_symlink():
        return _link(entry.path, top)
    if not _is_regular(entry):
        return Reason.SPECIAL
    is_binary = entry.name.rpartition(b".")[2].lower() in _BINARY and not withheld(path)
    return Reason.BINARY if is_binary else _bad_name(path)


def _is_ours(entry: _Entry) -> bool:
    if _is_folder(entry):
        return entry.name == b".ccos"
    return entry.name.endswith(_OWN) or _BESIDE in entry.name


def _ignored(folder: _Folder, path: str, is_dir: bool) -> Reason | None:
    if folder.git.ignored(path, is_dir):
        return Reason.GITIGNORE
    return Reason.CCOSIGNORE if folder.ccos.ignored(path, is_dir) else None


def _bad_name(path: str) -> Reason | None:
    """Ids, hashes and JSON are UTF-8 throughout; a line break in a name is odd, but it is."""
    return None if path.isascii() or _printable(path) == path else Reason.NAME


def _link(where: bytes, top: bytes) -> Reason:
    """Links are never followed: what they name is found under its own path, or is none of ours."""
    try:
        target = os.path.realpath(where, strict=True)
    except OSError:
        return Reason.LINK_BROKEN
    return Reason.LINK_INSIDE if os.path.join(target, b"").startswith(os.path.join(top, b"")) else Reason.LINK_OUTSIDE


def _is_folder(entry: _Entry) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_regular(entry: _Entry) -> bool:
    try:
        return entry.is_file(follow_symlinks=False)
    except OSError:
        return False


def _parts(root: bytes, top: bytes, start: bytes) -> list[bytes]:
    """The names that lead from the root to `start`; the root may have been named through a link."""
    given = os.path.normpath(os.path.join(root, start))
    for base in (root, top):
        if given == base:
            return []
        inside = os.path.join(base, b"")
        if given.startswith(inside):
            return given[len(inside) :].split(os.fsencode(os.sep))
    raise ValueError(f"{os.fsdecode(given)} is not inside {os.fsdecode(root)}: name a path below it, or another root")


def _exclude(top: bytes) -> Rules:
    """The rules of a repository that are not in its tree. In a worktree `.git` is a file that says where they are."""
    git = os.path.join(top, b".git")
    pointer = _content(git, MAX_BYTES)
    if isinstance(pointer, bytes) and pointer.startswith(b"gitdir: "):
        git = os.path.join(top, pointer[8:].rstrip(b"\r\n"))
        common = _content(os.path.join(git, b"commondir"), MAX_BYTES)
        if isinstance(common, bytes):
            git = os.path.join(git, common.rstrip(b"\r\n"))
    return _rules(os.path.join(git, b"info", b"exclude"), "")


def _rules(where: bytes, base: str) -> Rules:
    """Like git, this doesn't follow a link to an ignore file: a tree can't make us read what lies outside."""
    content = _content(where, MAX_BYTES)
    return parse_rules(content.decode("utf-8", "surrogateescape") if isinstance(content, bytes) else "", base)


# Never through a link put there a moment ago, and never waiting for the other end of a pipe.
_CAREFULLY = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_BINARY"):
    _CAREFULLY |= getattr(os, _flag, 0)


def _content(where: bytes, most: int) -> bytes | Reason:
    try:
        handle = os.open(where, _CAREFULLY)
    except (OSError, ValueError):  # a NUL in a name that a file gave us is a ValueError
        return Reason.UNREADABLE
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return Reason.SPECIAL
        if status.st_size > most:
            return Reason.LARGE
        chunks = [os.read(handle, status.st_size + 1)]
        while chunks[-1] and sum(map(len, chunks)) <= most:  # to its end, for files grow and some never say their size
            chunks.append(os.read(handle, 65_536))
    except OSError:
        return Reason.UNREADABLE
    finally:
        os.close(handle)
    content = b"".join(chunks)
    return content if len(content) <= most else Reason.LARGE


def _printable(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _size(count: int) -> str:
    for unit, size in (("MB", 1_000_000), ("KB", 1_000)):
        if count and count % size == 0:
            return f"{count // size:,} {unit}"
    return f"{count:,} bytes"
