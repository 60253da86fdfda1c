"""Heats are looked up some at a time; which are looked up together changes none of them."""

import pytest

from ccos_core.replay import moment as moments
from ccos_core.serve.cli import demo
from ccos_core.session.asking import Desk
from ccos_core.storage.opening import open_record


@pytest.mark.parametrize("at_once", [1, 2, 3, 7, 400])
def test_few_at_a_time_are_the_same(tmp_path, monkeypatch, at_once):
    path = str(tmp_path / "demo.ccos")
    demo.build(path)
    with open_record(path) as record, Desk(record) as desk:
        for step in (9, 40, 61):
            world = desk.timeline.at(step)
            monkeypatch.setattr(moments, "AT_ONCE", 400)
            expected = {node: world.heat_of(node) for _, _, node in world.ranking()[1]}
            again = desk.timeline.at(step)
            fresh = moments.Moment(again.journal, again._sources, step)
            monkeypatch.setattr(moments, "AT_ONCE", at_once)
            nodes = [node for _, _, node in fresh.ranking()[1]]
            assert nodes == list(expected)
            backwards = moments.Moment(again.journal, again._sources, step)
            assert {node: fresh.heat_of(node) for node in nodes} == expected
            assert {node: backwards.heat_of(node) for node in reversed(nodes)} == expected
            assert fresh.window("working-set", 2_048) == again.window("working-set", 2_048)
