"""Start here, on a fresh machine, with nothing but Python 3.11 or newer:

    python3 start.py demo     open the product on its bundled demonstration
    python3 start.py test     run the tests; further words go to pytest
                              --quick first: the two-minute part; --deep first: laws at full depth, and everything
    python3 start.py WORDS    anything else goes to ccos-tui as it stands, e.g. verify x.ccos

The first start makes an environment in .venv beside this file, which takes a minute. A stamp in it remembers what is
installed, so the next start begins at once. Nothing outside this folder is touched; packages come from wherever your
own pip is configured to find them. Deleting .venv is always safe.

Standard library only, and no syntax newer than Python 3.8: an old one must get far enough to say what is needed.
"""

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

NEEDED = (3, 11)
NEWER = ("python3.13", "python3.12", "python3.11", "python3.14", "python3", "python")
# names to look for on PATH when the running Python is too old, the ones tried most first

QUICK = (
    "tests/house",
    "tests/golden",
    "tests/core/ops",
    "tests/core/log",
    "tests/core/values",
    "tests/core/state",
    "tests/core/storage",
    "tests/core/text",
    "tests/core/replay",
    "tests/core/window",
    "tests/core/query",
    "tests/tui/present",
)
# The rooms that see most mistakes and start few processes and no screens; tests/README.md says what they cost.

WINDOWS = os.name == "nt"
ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / ("Scripts/python.exe" if WINDOWS else "bin/python")
PACKAGES = VENV / "packages"  # in place of VENV_PYTHON, where Python has pip but no venv
STAMP = VENV / "start.stamp"  # there only while the environment is whole
LOCK = VENV / "start.lock"  # there in each .venv that this file made
LOG = VENV / "start.log"


def main(words: list) -> int:
    try:
        if sys.version_info < NEEDED:
            return go_on_with_newer_python(words)
        set_up("dev" if words[:1] == ["test"] else "")
    except KeyboardInterrupt:
        say("Interrupted. Run the same command again to go on.")
        return 130
    except OSError as error:
        sys.exit(f"Cannot set up {VENV}: {error}\nThis folder must be yours to write; a copy of it elsewhere will do.")
    return launch(words)


def launch(words: list) -> int:
    """Become the tests, which run from the checkout, or the product, which runs where the user stands."""
    python, environment = runner()
    if words[:1] == ["test"]:
        os.chdir(str(ROOT))
        # compiled modules are kept, else each worker and each program that a test starts compiles all of them again
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        return become([python, "-m", "pytest", *tests(words[1:], environment)], environment)
    # -P: a file that happens to be called json.py where the user stands must not be imported
    return become([python, "-P", "-m", "ccos_tui", *words], environment)


def tests(words: list, environment: dict) -> list:
    """The words for pytest; --deep and --quick are ours."""
    if words[:1] == ["--deep"]:
        environment["CCOS_DEEP"] = "1"
        return words[1:]
    if words[:1] == ["--quick"]:
        return ["-m", "not slow", *QUICK, *words[1:]]
    return words


def runner() -> tuple:
    """The Python that has the packages, and the process environment it needs."""
    environment = dict(os.environ)
    if VENV_PYTHON.exists():
        return str(VENV_PYTHON), environment
    paths = [str(ROOT), str(PACKAGES), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    return sys.executable, environment


def become(command: list, environment: dict) -> int:
    """Replace this process, so that exit codes and signals are the product's own. Windows can't, and waits."""
    if not WINDOWS:
        os.execve(command[0], command, environment)  # noqa: S606 - no shell is what we want
    try:
        return subprocess.call(command, env=environment)
    except KeyboardInterrupt:
        return 130


# ---- is there anything to do? ----


def is_ready(extras: str) -> bool:
    """What the tests need is enough for everything else too."""
    return installed() in (stamp_for(extras), stamp_for("dev"))


def installed() -> str:
    """The stamp of a whole environment; empty for a missing, interrupted or broken one."""
    # a link to a Python that has since been removed counts as broken, for exists() follows it
    whole = STAMP.is_file() and (VENV_PYTHON.exists() or PACKAGES.exists())
    return STAMP.read_text(encoding="utf-8") if whole else ""


def stamp_for(extras: str) -> str:
    """Three lines: where and for which Python, from which pyproject.toml, with which extras."""
    place = f"{sys.implementation.cache_tag} {sys.platform} {ROOT}".encode("utf-8", "surrogateescape")
    project = (ROOT / "pyproject.toml").read_bytes()
    return "\n".join([hashlib.sha256(place).hexdigest(), hashlib.sha256(project).hexdigest(), extras])


def same_place(stamp: str, other: str) -> bool:
    return stamp.split("\n")[0] == other.split("\n")[0]


# ---- setting up ----


def set_up(extras: str) -> None:
    if is_ready(extras):
        return
    say("Setting up .venv: needed once, takes about a minute ...")
    made_by_us = LOCK.exists()
    VENV.mkdir(exist_ok=True)
    with one_at_a_time():
        if is_ready(extras):  # another start saw to it while we waited
            return
        LOG.write_bytes(b"")
        if not same_place(installed(), stamp_for(extras)):
            # ours, but unfinished or for another Python: begin again. Somebody else's: build upon it
            make_environment(from_scratch=made_by_us)
        with contextlib.suppress(FileNotFoundError):
            STAMP.unlink()
        # editable, so that what runs is the source as it stands; a plain folder gets that from PYTHONPATH
        project = ["--editable"] if VENV_PYTHON.exists() else []
        if not logged([*pip_install(), *project, ".[dev]" if extras else "."]):
            sys.exit(explain_pip_failure())
        STAMP.write_text(stamp_for(extras), encoding="utf-8")


def make_environment(from_scratch: bool) -> None:
    """The best environment this Python can make: a venv, a venv filled from outside, or a plain folder."""
    if from_scratch:
        clear()
    if logged([base_python(), "-m", "venv", str(VENV)]) and venv_has_pip():
        return
    clear()  # Debian without python3-venv stops half-way
    if not logged([base_python(), "-m", "pip", "--version"]):
        sys.exit(
            f"{base_python()} has neither a working venv nor pip, and one of them is needed. On Debian and Ubuntu:\n"
            "  sudo apt install python3-venv\nElsewhere: a Python 3.11+ with pip. Then run the same command again."
        )
    if not (logged([base_python(), "-m", "venv", "--without-pip", str(VENV)]) and logged(outer_pip("--version"))):
        clear()
        PACKAGES.mkdir()


def pip_install() -> list:
    """The pip that suits the environment: its own, ours from outside, or ours into a plain folder."""
    if not VENV_PYTHON.exists():
        return [base_python(), "-m", "pip", "install", "--upgrade", "--target", str(PACKAGES)]
    return [str(VENV_PYTHON), "-m", "pip", "install"] if venv_has_pip() else outer_pip("install")


def outer_pip(word: str) -> list:
    return [base_python(), "-m", "pip", "--python", str(VENV_PYTHON), word]


def venv_has_pip() -> bool:
    return logged([str(VENV_PYTHON), "-m", "pip", "--version"])


def base_python() -> str:
    """The running Python; if that is .venv's own, then the one it came from, for .venv may be cleared."""
    inside = Path(sys.prefix).resolve() == VENV.resolve()
    return getattr(sys, "_base_executable", sys.executable) if inside else sys.executable


def clear() -> None:
    """Empty .venv, but for the lock that other starts may be waiting on and the log of what led here."""
    for path in VENV.iterdir():
        if path not in (LOCK, LOG):
            path.unlink() if path.is_symlink() or path.is_file() else shutil.rmtree(str(path))


def logged(command: list) -> bool:
    """Run one step of the set-up, its output to the log; say whether it went well."""
    # Indexes, proxies and certificates stay as configured; only where pip puts things is ours to say.
    unwanted = ("PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT")
    environment = {name: value for name, value in os.environ.items() if name not in unwanted}
    environment.update(PIP_USER="0", PIP_REQUIRE_VIRTUALENV="0", PIP_NO_INPUT="1")
    with LOG.open("ab") as log:
        # close_fds=False hands the lock down: if we are killed, pip keeps it until it has ended too.
        streams = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log, "close_fds": False}
        return subprocess.call(command, cwd=str(ROOT), env=environment, **streams) == 0


def explain_pip_failure() -> str:
    said = LOG.read_text(encoding="utf-8", errors="replace").rstrip().splitlines()
    tail = "\n".join(f"  {line}" for line in said[-12:])
    return (
        f"pip could not install what is needed. The end of what it said:\n\n{tail}\n\n"
        f"All of it is in {LOG}.\nCheck that pip reaches its index (pip config list), then run the same command again."
    )


@contextlib.contextmanager
def one_at_a_time():
    """Of two starts at once, one waits, and finds all done. The system frees the lock of one that died."""
    with LOCK.open("a+b") as lock:
        os.set_inheritable(lock.fileno(), True)
        if WINDOWS:
            import msvcrt

            lock.seek(0)
            msvcrt.locking(lock.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            with contextlib.suppress(OSError):  # some network folders know no locks; then nobody waits
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# ---- the wrong Python ----


def go_on_with_newer_python(words: list) -> int:
    needed, found = ".".join(map(str, NEEDED)), ".".join(map(str, sys.version_info[:3]))
    python = newer_python()
    if not python:
        sys.exit(f"Python {needed} or newer is needed, found {found}; try python3.12 start.py")
    say(f"Python {needed} or newer is needed, found {found}; going on with {python}")
    return become([python, str(ROOT / "start.py"), *words], dict(os.environ))


def newer_python() -> str:
    """Being on PATH is not enough: version managers put stand-ins there for Pythons that won't start."""
    probe = f"import sys; sys.exit(sys.version_info < {NEEDED})"
    quiet = subprocess.DEVNULL
    for python in filter(None, map(shutil.which, NEWER)):
        if subprocess.call([python, "-c", probe], stdin=quiet, stdout=quiet, stderr=quiet) == 0:
            return python
    return ""


def say(words: str) -> None:
    """To stderr: stdout belongs to the product, whose output a program may be reading."""
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
