"""A file that takes the place of another when it is whole, or never appears."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from ccos_core.storage import file_lock
from ccos_core.storage.drafts import clear_left_over, sync_folder


@contextmanager
def replacing(path: str) -> Iterator[int]:
    """Give a handle to write to; what was written then takes the place of the file at `path`, or nothing happens.

    The contents are on disk before they get the name, and the name is on disk when this ends: after a power cut `path`
    is the old file or the new one, never an empty one.

    Where the system knows files without a name, a writer that is killed leaves nothing; elsewhere it leaves a draft,
    which the next maker clears away (`drafts`).
    """
    draft = f"{path}.{os.getpid()}-{os.urandom(4).hex()}.new"
    clear_left_over(os.path.dirname(path) or ".")
    handle = _nameless(os.path.dirname(path) or ".")
    is_named = handle is None
    if handle is None:
        handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        file_lock.hold(handle)
        yield handle
        os.fsync(handle)
        if not is_named:
            # with a folder, Python follows the link; without one it wouldn't
            os.link(f"/proc/self/fd/{handle}", draft, src_dir_fd=handle, follow_symlinks=True)
            is_named = True
        os.replace(draft, path)
        is_named = False
        try:
            sync_folder(os.path.dirname(path) or ".")
        except OSError as error:  # a folder that may be written and not listed, or that can't be synced (network, FUSE)
            if error.errno not in (errno.EACCES, errno.EPERM, errno.EINVAL, errno.ENOTSUP):
                raise
    finally:
        os.close(handle)
        if is_named:
            with suppress(OSError):
                os.unlink(draft)


def _nameless(folder: str) -> int | None:
    if not hasattr(os, "O_TMPFILE") or not os.path.isdir("/proc/self/fd"):
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o600)
    except OSError:
        return None
