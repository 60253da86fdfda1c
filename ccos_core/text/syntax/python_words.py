"""Names Python itself gives: words that no file of a tree defines, and modules that no tree is asked for.

Lists of our own rather than the running Python's, which would make a fact depend on its version.
"""

from __future__ import annotations

_WORDS = b"""
    False None True and as assert async await break case class continue def del elif else except exec finally for
    from global if import in is lambda match nonlocal not or pass print raise return try type while with yield _
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
    BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
    ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception
    ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError
    ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError
    KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplemented
    NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
    RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration
    SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError
    UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError
    Warning ZeroDivisionError __all__ __build_class__ __debug__ __doc__ __file__ __import__ __loader__ __name__
    __package__ __path__ __spec__ abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr
    classmethod compile complex delattr dict dir divmod enumerate eval filter float format frozenset getattr globals
    hasattr hash help hex id input int isinstance issubclass iter len list locals map max memoryview min next object
    oct open ord pow property range repr reversed round set setattr slice sorted staticmethod str sum tuple vars
    zip"""
WORDS = frozenset(_WORDS.split())
"""Keywords and builtins."""

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
