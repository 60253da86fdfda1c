"""What is said of our own defects, with the report the whole house writes; and of nothing else."""

from __future__ import annotations

KNOWN = 100
"""Defects whose reports are remembered, so that one that comes with every key is written down once."""

_told: dict[str, tuple[str, int]] = {}


def told(error: Exception, *words: str) -> tuple[str, int]:
    """(a sentence that names the report, the exit code) of what went wrong while `words` were being done."""
    about = f"{words} {type(error).__name__} {error} {_place(error)}"
    if about not in _told:
        if len(_told) >= KNOWN:
            _told.clear()
        _told[about] = _reported(error, words)
    return _told[about]


def _reported(error: Exception, words: tuple[str, ...]) -> tuple[str, int]:
    from ccos_core.serve.defects import explained

    try:
        raise error  # the report tells of the exception that is being handled
    except Exception as handled:
        fact, place, hint, code = explained(handled, ["app", *words])
    return ". ".join(filter(None, (f"{place}: {fact}" if place else fact, hint))), code


def _place(error: Exception) -> str:
    """Where it was raised."""
    trace, place = error.__traceback__, ""
    while trace is not None:
        place, trace = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}", trace.tb_next
    return place
