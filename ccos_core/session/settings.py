"""What the user's environment decides about where bytes lie. Nothing here may change what a fold yields.

On the hook's path.
"""

from __future__ import annotations

import os

from ccos_core.errors import Refused, Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccos_core.values.prices import Prices

OPLOG_MAX, OPLOG_KEEP = 50_000, 10_000
"""Ops kept one by one before the older ones are archived, and how many then stay."""


def switched_off() -> bool:
    """Whether nothing is to be recorded by this process."""
    return os.environ.get("CCOS_OFF", "") not in ("", "0")


def compressing() -> bool:
    """Whether windows may show bodies without their comments."""
    return os.environ.get("CCOS_COMPRESS_CONTEXT", "") != "0"


def recording_allowed() -> None:
    """Raise where the user has switched recording off for this process."""
    if switched_off():
        raise Refused("recording is switched off by CCOS_OFF", hint="Unset it to record again.")


def oplog_bounds() -> tuple[int, int]:
    """(CCOS_OPLOG_MAX, CCOS_OPLOG_KEEP); nothing is archived unasked where the first is 0."""
    most = _number("CCOS_OPLOG_MAX", OPLOG_MAX)
    keep = _number("CCOS_OPLOG_KEEP", min(OPLOG_KEEP, most))
    if keep > most:
        raise Usage(f"is {keep:,}, more than CCOS_OPLOG_MAX, which is {most:,}", place="CCOS_OPLOG_KEEP")
    return most, keep


def prices() -> Prices:
    """The prices that `cost` goes by: those of the file CCOS_PRICES names, or of this package."""
    from ccos_core.values.prices import listed_prices, prices_in

    path = os.path.expanduser(os.environ.get("CCOS_PRICES", "").strip())
    if not path:
        return listed_prices()
    try:
        with open(path, encoding="utf-8") as file:
            return prices_in(file.read(), path)
    except (OSError, UnicodeDecodeError) as error:
        raise Usage("can't be read", place=path, hint="CCOS_PRICES names a JSON file with prices.") from error


def _number(variable: str, otherwise: int) -> int:
    said = os.environ.get(variable, "").strip()
    if not said:
        return otherwise
    if not (said.isascii() and said.isdigit()):
        raise Usage(f"should be a whole number, not {said!r}", place=variable)
    return int(said)
