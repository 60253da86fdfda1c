"""What failures give to nodes in columns is what they give to each, however they come, go on and end."""

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.replay.journal import Journal
from ccos_core.replay.reaches import Numbering, Reaches, summed
from ccos_core.state.failures import Failures, Live
from ccos_core.state.heat import impulse
from ccos_core.values.outcome import Failure

NODES = [f"file:{name}.py" for name in "abcde"]

keys = st.sampled_from(["one", "two", "three", "four"]).map(lambda test: ("pytest", test, ""))
lives = st.builds(
    lambda since, tick, strengths: Live(Failure("pytest", ""), (), since, since, impulse(tick, 32), strengths),
    st.integers(1, 3),
    st.integers(0, 900),
    st.dictionaries(st.sampled_from(NODES), st.integers(0, 1 << 16), min_size=1),
)


@given(st.lists(st.tuples(keys, st.none() | lives), min_size=1, max_size=12), st.data())
def test_pressures_are_the_same(told: list, data: st.DataObject) -> None:
    failures, journal = Failures(), Journal()
    numbering = Numbering(journal)
    reaches = Reaches(journal, failures, numbering)
    given_then = dict.fromkeys(NODES, 0)
    for key, live in told:
        if live is not None:
            failures.fail(key, live)
        elif key in failures.live:
            failures.let_go([key])
        reaches.turn(key, failures.live.get(key))
        turned = numbering.names(reaches.take_turned().tolist())
        assert all(node in turned for node in NODES if failures.pressure(node) != given_then[node])
        given_then = {node: failures.pressure(node) for node in NODES}
        asked = data.draw(st.lists(st.sampled_from(NODES), unique=True))
        gifts = reaches.gifts(numbering.column(asked))
        assert summed(gifts, len(asked)).tolist() == [failures.pressure(node) for node in asked]
