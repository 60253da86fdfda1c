"""The working set as somebody reads it: what is in, in which order, and why."""

from ccos_core.window.annotated import Annotated
from ccos_core.window.lenses import window_of
from tests.core.state.small import INVOICES, Tale


def reasons(tale: Tale, budget: int = 2_000) -> dict[str, str]:
    return {item.uri: item.reason for item in tale.window("working-set", budget).items}


def test_nothing_warm_is_an_empty_window() -> None:
    window = Tale(INVOICES).window("working-set", 2_000)
    assert (window.text, window.items, window.tokens) == ("", (), 0)


def test_what_is_in_says_why() -> None:
    tale = Tale(INVOICES).tell({"kind": "paged_in", "nodes": ["sym:invoice_words.py#invoice_total_handle"]})
    tale.read("store.py", INVOICES["store.py"]).edit("dates.py", INVOICES["dates.py"].replace("30", "31"))
    tale.tell({"kind": "attention", "nodes": ["sym:store.py#save"]}).fail("sym:api.py#handle", test="test_it")
    told = reasons(tale)
    assert told["sym:invoice_words.py#invoice_total_handle"] == "pinned at step 7"
    assert told["sym:api.py#handle"] == "user fails here: test_it"
    assert told["sym:store.py#save"] == "pointed at"
    assert told["file:store.py"] == "read"
    assert told["sym:dates.py#DAYS"] == "edited"
    assert told["sym:service.py#invoice"] == "handle fails, and depends on it"
    assert list(told)[:2] == ["sym:invoice_words.py#invoice_total_handle", "sym:api.py#handle"]


def test_what_was_sent_away_stays_away_until_asked_for() -> None:
    tale = Tale(INVOICES).fail("sym:api.py#handle").tell({"kind": "paged_out", "nodes": ["sym:service.py#invoice"]})
    assert "sym:service.py#invoice" not in reasons(tale)
    tale.tell({"kind": "paged_in", "nodes": ["sym:service.py#invoice"]})
    assert next(iter(reasons(tale))) == "sym:service.py#invoice"


def test_what_is_gone_from_the_tree_is_gone_from_the_window() -> None:
    tale = Tale(INVOICES).fail("sym:api.py#handle").tell({"kind": "gone", "path": "dates.py"})
    assert not [uri for uri in reasons(tale) if "dates.py" in uri]


def test_it_stops_by_itself() -> None:
    tale = Tale(INVOICES).read("dates.py", INVOICES["dates.py"])
    for _ in range(400):
        tale.prompt()
    tale.read("store.py", INVOICES["store.py"])
    assert list(reasons(tale)) == ["file:store.py"]


def test_a_smaller_budget_shows_the_first_of_them() -> None:
    tale = Tale(INVOICES).fail("sym:api.py#handle")
    large, small = list(reasons(tale)), list(reasons(tale, 30))
    assert 0 < len(small) < len(large)
    assert small == large[: len(small)]


def test_near_misses_say_how_many_tokens_they_are_short() -> None:
    tale = Tale(INVOICES).fail("sym:api.py#handle")
    window = tale.window("working-set", 30)
    missed = window.missed[0]
    assert missed.uri not in [item.uri for item in window.items]
    assert missed.reason
    assert missed.uri in [item.uri for item in tale.window("working-set", 30 + missed.short).items]
    assert missed.uri not in [item.uri for item in tale.window("working-set", 30 + missed.short - 3).items]


def test_an_annotated_window_says_why_and_where() -> None:
    tale = Tale(INVOICES).fail("sym:api.py#handle", test="test_it")
    tale.world.graph.settle()
    window = window_of("working-set", 400, Annotated(tale), tale.world)
    blob = tale.source("api.py").blob[:8]
    assert window.text.startswith(
        f"# api.py\n#   handle (body): user fails here: test_it @{blob}:4-5\ndef handle(request):\n"
    )


def test_what_is_shown_in_part_says_where_the_whole_is() -> None:
    tale = Tale({"long.py": "X = 1\n\n\ndef f():\n" + "    print(X)\n" * 60}).fail("sym:long.py#f")
    items = [item for budget in range(20, 600, 20) for item in tale.window("working-set", budget).items]
    assert {item.ref.partition(":")[2] for item in items if item.level == "signature"} == {"4-64"}
    for item in items:
        assert (item.ref == "") == (item.level == "body")
