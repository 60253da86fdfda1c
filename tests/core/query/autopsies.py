"""Sessions that went astray, by kind, each with its cause; and sessions that didn't, whatever they look like.

`T` is the test failing in the code it is felt in, `t` the same told in the test alone, `R` the same as its runner
prints it, `P` that it passes.
"""

from __future__ import annotations

CART = "fail tests/test_cart.py at api/cart.py"
BARE = "fail tests/test_cart.py"
RATES = "store/rates.py"

LOOKED = "prompt|see api/cart.py|see shop/totals.py|see shop/prices.py|see store/rates.py"
"""The agent has seen the whole way."""
SOME = "prompt|see api/cart.py|see shop/prices.py"

DRIFTS: dict[str, tuple[str, str, str]] = {
    # name: (kind, the cause, the story)
    "dropped before it failed": (
        "evicted", RATES,
        f"{LOOKED}|edit store/rates.py|compact|see api/cart.py|T|edit api/cart.py|T|edit api/cart.py|T"),
    "dropped while it failed": (
        "evicted", RATES,
        f"{LOOKED}|edit store/rates.py|T|compact exact|see api/cart.py|edit api/cart.py|T|edit api/cart.py|T"),
    "dropped, one try": ("evicted", RATES, "see api/cart.py|see store/rates.py|T|see README.md|compact"
        "|edit api/cart.py|T"),
    "dropped, and mended in the end": (
        "evicted", RATES,
        f"{LOOKED}|T|clear|see api/cart.py|edit api/cart.py|T|edit api/cart.py|T|edit store/rates.py|P"),
    "dropped, told in the test alone": (
        "evicted", RATES,
        f"{LOOKED}|edit store/rates.py|t|compact|see api/cart.py|edit api/cart.py|t|edit api/cart.py|t"),
    "dropped with nothing said": (
        "evicted", RATES,
        f"usage 50000|{LOOKED}|usage 70000|edit store/rates.py|T|usage 9000|edit api/cart.py|T|edit api/cart.py|T"),
    "dropped, while decoys are changed": (
        "evicted", RATES,
        f"{LOOKED}|see shop/totals_view.py|edit store/rates.py|T|compact keeping shop/totals_view.py"
        "|edit shop/totals_view.py|T"
        "|edit api/cart.py|T"),
    "dropped, and the hub is changed": (
        "evicted", RATES,
        f"{LOOKED}|edit store/rates.py|T|compact|see store/money.py|edit store/money.py|T|edit store/money.py|T"),
    "dropped, moved before": (
        "evicted", "store/tariffs.py",
        f"{LOOKED}|edit store/rates.py|move store/rates.py store/tariffs.py|T|compact|see api/cart.py"
        "|edit api/cart.py|T"
        "|edit api/cart.py|T"),
    "changed elsewhere": (
        "stale", RATES, f"{LOOKED}|foreign store/rates.py|T|edit api/cart.py|T|edit api/cart.py|T"),
    "changed by a subagent": (
        "stale", RATES, f"{LOOKED}|by sub: see store/rates.py|by sub: edit store/rates.py|T|edit api/cart.py|T"
        "|edit shop/totals.py|T"),
    "changed by the user": (
        "stale", RATES, f"{LOOKED}|by user: edit store/rates.py|T|edit shop/prices.py|T|edit api/cart.py|T"),
    "changed elsewhere, seen at last": (
        "stale", RATES,
        f"{LOOKED}|foreign store/rates.py|T|edit shop/prices.py|T|edit shop/prices.py|T|see store/rates.py"
        "|edit shop/prices.py|P"),
    "changed elsewhere while it failed": (
        "stale", RATES,
        f"{LOOKED}|edit shop/prices.py|T|foreign store/rates.py|edit shop/prices.py|T|edit shop/prices.py|T"
        "|see store/rates.py"
        "|edit store/rates.py|P"),
    "read again late": (
        "reread", RATES,
        f"{LOOKED}|T|compact|see api/cart.py|edit api/cart.py|T|see store/rates.py|edit store/rates.py|P"),
    "read again, and mended elsewhere": (
        "reread", RATES,
        f"{LOOKED}|T|compact|see api/cart.py|edit api/cart.py|T|see store/rates.py|edit api/cart.py|P"),
    "read again, nothing failed": (
        "reread", RATES,
        f"{LOOKED}|compact|see store/rates.py|see shop/prices.py|see shop/totals.py|edit shop/totals.py"),
    "to and fro": (
        "loop", "api/cart.py",
        f"{LOOKED}|T|edit api/cart.py|T|back api/cart.py|T|edit api/cart.py|T|back api/cart.py|T"),
    "to and fro in a decoy": (
        "loop", "shop/totals.py",
        f"{SOME}|T|edit shop/totals_view.py|T|back shop/totals_view.py|T|edit shop/totals_view.py|T"
        "|back shop/totals_view.py|T"),
    "the same place": (
        "loop", RATES,
        f"{LOOKED}|edit store/rates.py|T|edit api/cart.py|T|edit api/cart.py|T|edit api/cart.py|T"
        "|edit api/cart.py|T"),
    "the same place, in the end mended": (
        "loop", RATES,
        f"{LOOKED}|T|edit api/cart.py|T|edit api/cart.py|T|edit api/cart.py|T|edit api/cart.py|T"
        "|edit store/rates.py|P"),
    "put back, and nothing failed": (
        "loop", RATES, "|".join([LOOKED, *["edit store/rates.py", "see shop/prices.py", "back store/rates.py"] * 3])),
    "put back from a copy, and nothing failed": (
        "loop", RATES,
        "|".join([LOOKED, "copy store/rates.py kept.py", *["edit docs_tool.py", "copy kept.py store/rates.py"] * 3])),
    "put back by version control, and nothing failed": (
        "loop", RATES, "|".join([LOOKED, *["edit store/rates.py", "restore store/rates.py"] * 3])),
    "run again and again": ("loop", RATES, f"{LOOKED}|edit store/rates.py|T|T|see api/cart.py|T|T|see api/cart.py|T"),
    "run again and again, in the end mended": (
        "loop", RATES, f"{LOOKED}|T|T|see api/cart.py|T|T|see store/rates.py|edit store/rates.py|P"),
    "settings changed in its place": (
        "untouched", RATES, f"{SOME}|T|edit setup.cfg|T|edit api/cart.py|T|see store/rates.py|edit store/rates.py|P"),
    "gone on with, and just this is run": (
        "untouched", RATES,
        f"{LOOKED}|see shop/stock.py|edit shop/stock.py|edit store/rates.py|R|edit shop/stock.py|R|edit shop/stock.py"
        "|R"),
    "once on the way, then past it": (
        "untouched", RATES,
        f"{LOOKED}|edit store/rates.py|T|edit shop/prices.py|T|edit docs_tool.py|T|edit api/cart_rates.py|T"),
    "the wrong file": (
        "untouched", RATES,
        f"{LOOKED}|see api/cart_rates.py|edit store/rates.py|T|edit api/cart_rates.py|T|edit api/cart_rates.py|T"),
    "the wrong files, in the end mended": (
        "untouched", RATES,
        f"{SOME}|T|see api/cart_rates.py|edit api/cart_rates.py|T|edit shop/totals_view.py|T|see store/rates.py"
        "|edit store/rates.py|P"),
    "one wrong file": (
        "untouched", RATES,
        f"{LOOKED}|T|see api/cart_rates.py|edit api/cart_rates.py|T|edit store/rates.py|P"),
    "the wrong file, never mended, nothing known": (
        "untouched", "shop/totals.py",
        f"{SOME}|T|see api/cart.py|edit api/cart_rates.py|T|edit api/cart_rates.py|T"),
    "the test made to agree": (
        "untouched", RATES,
        f"{LOOKED}|edit store/rates.py|t|edit tests/test_cart.py|t|edit tests/test_cart.py|t"),
}  # fmt: skip

SOUND: dict[str, str] = {
    "put back twice": "|".join([LOOKED, *["edit store/rates.py", "back store/rates.py"] * 2]),
    "put back whenever it failed": "|".join([LOOKED, *["edit store/rates.py", "T", "back store/rates.py", "P"] * 4]),
    "put back by the user": "|".join([LOOKED, *["edit store/rates.py", "by user: back store/rates.py"] * 4]),
    "put back by one after the other": "|".join(
        [LOOKED, *(f"edit store/rates.py|by {who}: back store/rates.py" for who in ("sub", "other", "third"))]),
    "several files put back": "|".join(
        f"edit {path}|back {path}" for path in (RATES, "api/cart.py", "shop/totals.py", "shop/prices.py")),
    "put back now and then": "|".join([LOOKED, *["edit store/rates.py", "back store/rates.py", *["prompt"] * 150] * 3]),
    "put back, with nothing changed in between": "|".join(
        [LOOKED, "copy store/rates.py kept.py", "edit docs_tool.py", *["copy kept.py store/rates.py"] * 4]),
    "a copy of something else": "|".join(
        [LOOKED, *["edit docs_tool.py", "copy shop/prices.py store/rates.py"] * 4]),
    "nothing at all": "prompt",
    "nothing failed": f"{LOOKED}|edit store/rates.py|edit api/cart.py|P",
    "mended at once": f"{LOOKED}|T|edit store/rates.py|P",
    "mended at the second try": f"{LOOKED}|T|edit shop/prices.py|T|edit store/rates.py|P",
    "mended after two tries of it": f"{LOOKED}|T|edit store/rates.py|T|edit store/rates.py|P",
    "broken and mended": f"{LOOKED}|edit store/rates.py|T|edit store/rates.py|P",
    "a compaction that lost nothing needed": (
        f"{LOOKED}|edit store/rates.py|P|compact|see shop/stock.py|see store/shelf.py"
        "|fail tests/test_stock.py at shop/stock.py|edit store/shelf.py|pass tests/test_stock.py"),
    "a compaction that kept what was needed": (
        f"{LOOKED}|T|compact keeping store/rates.py|edit store/rates.py|T|edit store/rates.py|P"),
    "read again at once": f"{LOOKED}|T|compact|see store/rates.py|edit store/rates.py|P",
    "read again as the work goes on": (
        f"{LOOKED}|compact|see docs_tool.py|edit docs_tool.py|see store/rates.py|see shop/prices.py"
        "|see shop/totals.py"),
    "run once more to be sure": f"{LOOKED}|T|T|T|edit store/rates.py|P",
    "run again as others change things": (
        f"{LOOKED}|T|foreign README.md|T|T|foreign README.md|T|edit store/rates.py|P"),
    "read again after its own change": (
        f"{LOOKED}|edit store/rates.py|see store/rates.py|T|edit store/rates.py|see store/rates.py|P"),
    "the test first": (
        f"{SOME}|edit tests/test_cart.py|t|edit api/cart.py|t|edit shop/totals.py|t|edit store/rates.py|P"),
    "several failures, each mended": (
        f"{LOOKED}|see shop/stock.py|T|fail tests/test_stock.py at shop/stock.py|edit store/rates.py|P"
        "|fail tests/test_stock.py at shop/stock.py|edit store/shelf.py|pass tests/test_stock.py"),
    "one failure waits for the other": (
        f"{LOOKED}|see shop/stock.py|see store/shelf.py|T|fail tests/test_stock.py at shop/stock.py"
        "|edit store/shelf.py|T"
        "|fail tests/test_stock.py at shop/stock.py|edit shop/stock.py|T|pass tests/test_stock.py"
        "|edit store/rates.py|P"),
    "the same test fails for other reasons": "|".join(
        [LOOKED, *(f"T|edit {path}|P" for path in (RATES, "api/cart.py", "shop/totals.py"))]),
    "still failing, at work on the cause": f"{LOOKED}|edit store/rates.py|T|edit store/rates.py|T"
        "|edit store/rates.py|T",
    "still failing, at work on it, nothing known": f"{LOOKED}|T|edit store/rates.py|T|edit store/rates.py",
    "still failing, at work on it after a compaction": (
        f"{LOOKED}|T|compact|see store/rates.py|see api/cart.py|edit store/rates.py|T|edit store/rates.py|T"),
    "still failing, nothing was tried": f"{LOOKED}|T|see store/rates.py|T|see shop/prices.py",
    "a failure nobody works on": (
        f"T|{LOOKED}|see shop/stock.py|edit shop/stock.py|T|edit store/shelf.py|T|edit shop/stock.py|T"
        "|edit store/shelf.py|T"),
    "going on with what it was at": (
        f"{LOOKED}|see shop/stock.py|edit shop/stock.py|edit store/rates.py|T|edit shop/stock.py|T|edit shop/stock.py|T"
        "|edit store/rates.py|P"),
    "run by one after the other": f"{LOOKED}|T|T|by checker: {CART}|by reviewer: {CART}|by critic: {CART}",
    "scripts to look into it": (
        f"{LOOKED}|T|write cart_try.py|T|write cart_look.py|T|write cart_fix.py|T|edit store/rates.py|P"),
    "notes while it fails": f"{LOOKED}|T|edit README.md|T|edit README.md|T|edit store/rates.py|P",
    "formatted by somebody": f"{LOOKED}|foreign shop/totals_view.py|T|edit store/rates.py|P",
    "the tree looked at again": f"{LOOKED}|edit store/rates.py|look|T|edit store/rates.py|look|P",
    "moved": f"{LOOKED}|T|move store/rates.py store/tariffs.py|edit store/tariffs.py|T|edit store/tariffs.py|P",
}  # fmt: skip


def lines(story: str) -> str:
    """A story as `tales` tells it."""
    words = {"R": "run tests/test_cart.py fails", "T": CART, "t": BARE, "P": "pass tests/test_cart.py"}
    return "\n".join(words.get(line, line) for line in story.split("|"))
