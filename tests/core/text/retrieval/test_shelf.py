"""The shelf, and the two scores over it, against the same said naively."""

from collections.abc import Mapping, Sequence
from math import isqrt

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.text.retrieval.scores import UNIT, bm25, log2, rarity, tfidf
from ccos_core.text.retrieval.shelf import MOST, Shelf, postings
from ccos_core.text.retrieval.tokenize import Unit

WORDS = st.sampled_from(["ant", "bee", "cat", "dog", "eel"])
BAGS = st.dictionaries(WORDS, st.integers(1, 5) | st.integers(250, 300), max_size=4)
UNITS = st.lists(st.tuples(BAGS, BAGS), max_size=4).map(
    lambda bags: [Unit(at - 1, head, body) for at, (head, body) in enumerate(bags)]
)
PATHS = st.sampled_from(["a.py", "b.py", "b/c.py", "z.py"])
TREES = st.dictionaries(PATHS, UNITS, max_size=4)
QUERIES = st.dictionaries(WORDS | st.just("unheard"), st.integers(1, 4), max_size=5)
Tree = Mapping[str, Sequence[Unit]]


@given(TREES, QUERIES)
def test_bm25_is_what_it_says(tree: Tree, query: Mapping[str, int]) -> None:
    units = [unit for path in sorted(tree) for unit in tree[path]]
    total = sum(sum(unit.head.values()) for unit in units)
    wanted = []
    for unit in units:
        score = 0
        usual = max(1024 * total // len(units) // 256 * 256, 256)
        hurdle = 512 + 1024 * 1024 * sum(unit.head.values()) // (2 * usual)
        for term, weight in query.items():
            said = unit.head.get(term, 0) * UNIT
            holding = sum(term in each.head for each in units)
            score += weight * rarity(len(units), holding) * (said * UNIT // (said + hurdle)) if said else 0
        wanted.append(score)
    assert bm25(filled(tree).collection(), query).tolist() == wanted


@given(TREES, QUERIES)
def test_tfidf_is_what_it_says(tree: Tree, query: Mapping[str, int]) -> None:
    units = [unit for path in sorted(tree) for unit in tree[path]]

    def often(unit: Unit, term: str) -> int:
        count = min(unit.body.get(term, 0), 255)
        return UNIT + log2(count) if count else 0

    def rare(term: str) -> int:
        return rarity(len(units), sum(term in {**each.head, **each.body} for each in units))

    own = [isqrt(sum(often(unit, term) ** 2 for term in unit.body)) for unit in units]
    usual = sum(own) // max(len(units), 1) // 256 * 256
    wanted = [
        (sum(weight * rare(term) * (rare(term) * often(unit, term) >> 10) for term, weight in query.items()) << 10)
        // max((4 * length + 6 * usual) // 10, 1)
        for unit, length in zip(units, own, strict=True)
    ]
    assert tfidf(filled(tree).collection(), query).tolist() == wanted


@given(TREES, TREES, st.lists(PATHS), QUERIES, st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_changes_give_what_a_fresh_shelf_gives(
    before: Tree, after: Tree, dropped: list[str], query: Mapping[str, int], random: object
) -> None:
    shelf = filled(before)
    bm25(shelf.collection(), query), tfidf(shelf.collection(), query)
    for path in dropped:
        shelf.drop(path)
    changed = list(after)
    random.shuffle(changed)  # type: ignore[attr-defined]
    for path in changed:
        shelf.put(path, postings(after[path]))
    left = {path: units for path, units in before.items() if path not in dropped}
    fresh = filled({**left, **after})
    assert shelf.collection().documents == fresh.collection().documents
    for score in (bm25, tfidf):
        assert score(shelf.collection(), query).tolist() == score(fresh.collection(), query).tolist()


def test_documents_go_by_path_and_place() -> None:
    units = [Unit(-1, {}, {"ant": 1}), Unit(2, {"bee": 1}, {"ant": 2})]
    shelf = filled({"b.py": units, "a.py": units})
    collection = shelf.collection()
    assert collection.documents == (("a.py", -1), ("a.py", 2), ("b.py", -1), ("b.py", 2))
    rows = collection.rows("ant")
    assert rows is not None
    assert (rows.document.tolist(), rows.body.tolist(), rows.head.tolist()) == ([0, 1, 2, 3], [1, 2, 1, 2], [0] * 4)
    assert collection.rows("cat") is None


def test_nothing_on_the_shelf() -> None:
    collection = Shelf().collection()
    assert bm25(collection, {"ant": 1}).tolist() == tfidf(collection, {"ant": 1}).tolist() == []


def test_counts_stay_within_their_columns() -> None:
    told = postings([Unit(0, {"ant": MOST + 7}, {"ant": 10**9})])
    assert (told.head.tolist(), told.body.tolist()) == ([MOST], [MOST])


def test_the_rare_word_and_the_telling_head_come_first() -> None:
    tree = {
        "a.py": [Unit(0, {"get": 1, "item": 1}, {"get": 1, "quorum": 1}), Unit(1, {"get": 1}, {"get": 9})],
        "b.py": [Unit(0, {"get": 1, "quorum": 1}, {"x": 1}), Unit(1, {"x": 1}, {"get": 1, "x": 9})],
    }
    collection = filled(tree).collection()
    assert bm25(collection, {"get": 1, "quorum": 1}).argmax() == 2
    assert tfidf(collection, {"get": 1, "quorum": 1}).argmax() == 0


def filled(tree: Tree) -> Shelf:
    shelf = Shelf()
    for path, units in tree.items():
        shelf.put(path, postings(units))
    return shelf
