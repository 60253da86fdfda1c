"""`task:` and `hybrid:` as an engineer reads them: a small project, and reports about it."""

import os
import subprocess
import sys
from textwrap import dedent

import pytest

from ccos_core.text.retrieval.mentions import report
from ccos_core.text.syntax.resolution import Target
from ccos_core.values.code import Outline
from ccos_core.values.tokens import estimate
from ccos_core.window.lexicon import Lexicon, is_aside
from ccos_core.window.linearize import Window
from ccos_core.window.pack import cheapest, likeliest
from ccos_core.window.ranking import ASIDE, REASONS, query, ranked
from ccos_core.window.task import hybrid, task
from tests.core.window.trees import Tree

FILES = {
    "depot/post.py": """\
        from depot.errors import LostParcel
        from depot.scales import grams

        class Depot:
            '''Sends what comes in.'''

            def send(self, parcel):
                if not parcel.tag:
                    raise LostParcel(parcel)
                return self.stamp(parcel, grams(parcel))

            def stamp(self, parcel, weight):
                parcel.price = weight * self.rate
                return parcel
        """,
    "depot/scales.py": """\
        OUNCE = 28

        def grams(parcel):
            '''What it weighs.'''
            return sum(item.heft for item in parcel.items)

        def ounces(parcel):
            return grams(parcel) // OUNCE
        """,
    "depot/errors.py": """\
        class LostParcel(Exception):
            '''Nobody knows where it is.'''
        """,
    "depot/reports.py": """\
        def monthly_report(depot):
            '''A table of all months.'''
            return [depot.month(number) for number in range(12)]
        """,
    "tests/test_post.py": """\
        def test_send_stamps_the_parcel_with_its_weight_and_price():
            parcel = Depot().send(Parcel(tag="a", weight=3, price=0))
            assert parcel.price == parcel.weight
        """,
    "README.md": "Send a parcel: its weight, its price, a stamp.\n",
}


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon(Tree(FILES))


def test_the_words_of_a_report_find_the_body(lexicon: Lexicon) -> None:
    window = hybrid("The table of months is wrong in the monthly report", lexicon, 500)
    assert window.items[0].uri == "sym:depot/reports.py#monthly_report"
    assert window.items[0].level == "body"
    assert "for number in range(12)" in window.text
    assert window.lens == "hybrid:The table of months is wrong in the monthly report"


def test_a_whole_window(lexicon: Lexicon) -> None:
    window = task("`Depot.send` loses parcels without a tag", lexicon, 150, compress=False)
    assert window.text == dedent("""\
        # depot/post.py
        class Depot:
            def send(self, parcel):
                if not parcel.tag:
                    raise LostParcel(parcel)
                return self.stamp(parcel, grams(parcel))

        # depot/scales.py
        def ounces(parcel):
            return grams(parcel) // OUNCE
        """)
    assert [(item.uri, item.level, item.reason) for item in window.items] == [
        ("sym:depot/post.py#Depot.send", "body", "has its words, called like it, named in it"),
        ("sym:depot/scales.py#ounces", "body", "has its words, called like it"),
    ]


@pytest.mark.parametrize(
    "report",
    [
        'It breaks.\n\nTraceback (most recent call last):\n  File "/x/run.py", line 1, in <module>\n'
        '  File "/usr/lib/python3/site-packages/depot/scales.py", line 99, in ounces\nTypeError: no',
        "It breaks.\n\nSee https://forge.example/letters/depot/blob/v2/depot/scales.py#L7-L8.",
        "It breaks.\n\n`depot.scales.ounces` isn't right.",
        "It breaks.\n\ndepot/scales.py:8: in ounces",
    ],
)
def test_what_a_report_names_comes_first(lexicon: Lexicon, report: str) -> None:
    for lens in (task, hybrid):
        assert lens(report, lexicon, 300).items[0].uri == "sym:depot/scales.py#ounces"


def test_the_innermost_frame_comes_before_the_others() -> None:
    tree = Tree({f"m{n}.py": f"def f{n}():\n    return {n}\n" for n in range(4)})
    text = "It fails\nTraceback (most recent call last):\n"
    text += "".join(f'  File "/ci/m{n}.py", line 2, in f{n}\n' for n in (2, 0, 3))
    paths = [item.path for item in hybrid(text, Lexicon(tree), 400).items]
    assert list(dict.fromkeys(paths)) == ["m3.py", "m0.py", "m2.py"]


def test_what_is_linked_to_the_best_comes_nearer_in_hybrid() -> None:
    loose = "def near(tag): return tag\n\ndef nearer(tag): return tag\n"
    tree = Tree(
        {
            "a.py": "from z import last\n\ndef parcels(): return last(tag)\n",
            "m.py": loose,
            "z.py": "def last(tag): return tag.end\n",
        }
    )
    view = Lexicon(tree).view()

    def place(nearness: bool) -> int:
        order = ranked("Parcels lose their tag", view, nearness=nearness).order()
        return [view.targets[at] for at in order].index(Target("z.py", 0))

    assert place(nearness=True) < place(nearness=False)


def test_tests_come_after_what_they_test(lexicon: Lexicon) -> None:
    text = "send stamps the parcel with its weight and price"
    uris = [item.uri for item in hybrid(text, lexicon, 2_000).items]
    stamp = uris.index("sym:depot/post.py#Depot.stamp")
    assert stamp < uris.index("sym:tests/test_post.py#test_send_stamps_the_parcel_with_its_weight_and_price")
    view = lexicon.view()
    heads = ranked(text, view).shares["heads"]
    assert ASIDE > 1
    assert heads[view.targets.index(Target("depot/post.py", 2))] > 0


@pytest.mark.parametrize("path", ["tests/a.py", "pkg/test_a.py", "docs/conf.py", "examples/x/a.go", "web/a.spec.ts"])
def test_what_goes_with_a_project(path: str) -> None:
    assert is_aside(path)
    assert not is_aside("src/" + path.replace("/", "_").replace("test", "tast").replace("spec", "spoc"))


def test_prose_files_are_not_read(lexicon: Lexicon) -> None:
    assert "README.md" not in lexicon.shelf.files


def test_what_is_withheld_is_not_read() -> None:
    class Withholding(Tree):
        def paths(self) -> list[str]:
            return ["keys.py", *self.sources]

        def outline(self, path: str) -> Outline:
            return Outline() if path == "keys.py" else super().outline(path)

    tree = Withholding({"a.py": "def fetch(): pass\n"})
    assert [item.path for item in hybrid("fetch keys", Lexicon(tree), 300).items] == ["a.py"]


def test_failures_lead_a_task_and_weigh_in_a_hybrid(lexicon: Lexicon) -> None:
    live = [(Target("depot/reports.py", 0), 7), (Target("depot/scales.py", 1), 9)]
    text = "Depot.send loses parcels"
    led = task(text, lexicon, 600, live)
    by_file = list(dict.fromkeys(item.path for item in led.items))
    assert by_file[:3] == ["depot/scales.py", "depot/reports.py", "depot/post.py"]
    assert led.items[0].uri == "sym:depot/scales.py#grams"
    assert led.items[0].reason == REASONS["failing"] == "fails now"
    assert len({item.uri for item in led.items}) == len(led.items)
    without = [item.uri for item in hybrid(text, lexicon, 600).items]
    weighed = [item.uri for item in hybrid(text, lexicon, 600, live).items]
    assert without[0] == "sym:depot/post.py#Depot.send"
    assert list(dict.fromkeys(uri.split("#")[0] for uri in weighed))[:2] == ["sym:depot/scales.py", "sym:depot/post.py"]
    report = "sym:depot/reports.py#monthly_report"
    assert weighed.index(report) < without.index(report)


def test_strengths_may_be_of_any_size(lexicon: Lexicon) -> None:
    live = [(Target("depot/reports.py", 0), 1), (Target("depot/scales.py", 1), 2**90), (Target("depot/post.py", 0), 0)]
    window = task("xyzzy", lexicon, 600, live)
    assert [item.uri for item in window.items] == ["sym:depot/scales.py#grams", "sym:depot/reports.py#monthly_report"]


def test_failures_of_another_version_do_not_matter(lexicon: Lexicon) -> None:
    live = [(Target("gone.py", 3), 7), (Target("depot/scales.py", 99), 9)]
    window = task("xyzzy", lexicon, 300, live)
    assert [item.uri for item in window.items] == ["file:depot/scales.py"]


def test_nothing_fits(lexicon: Lexicon) -> None:
    for lens, name in ((task, "task"), (hybrid, "hybrid")):
        for text in ("", "\n\n", "xyzzy", "---", "é"):
            assert lens(text, lexicon, 2_048) == Window(f"{name}:{text}", 2_048, 0, "", ())
        assert lens("Depot.send", lexicon, 0).items == ()
        assert lens("Depot.send", Lexicon(Tree({})), 2_048).items == ()


def test_a_large_report_is_bounded(lexicon: Lexicon) -> None:
    noise = "".join(f"2031-01-01 worker-{n} did job_{n} at /srv/x{n}.log:{n}\n" for n in range(20_000))
    window = hybrid("Depot.send loses parcels\n" + noise, lexicon, 400)
    assert window.items[0].uri == "sym:depot/post.py#Depot.send"
    assert window.tokens <= 400


def test_the_first_line_counts_most() -> None:
    said = report("Wrong table\n\na table, a chair, a chair, a chair, a lamp\n```\nlamp lamp lamp\n```\n")
    assert query(said) == {"wrong": 4, "tabl": 5, "chair": 2, "lamp": 2}


def test_bodies_go_to_what_is_likeliest_for_what_it_takes() -> None:
    gains = [(100, 0), (90, 1), (30, 2), (400, 3)]
    assert [likeliest(*one) for one in gains] == [100, 180, 90, 1_600]
    assert [cheapest(*one) for one in gains] == [100, 90, 30, 400]


def test_the_ceiling_holds_on_the_text(lexicon: Lexicon) -> None:
    for budget in range(0, 400, 7):
        for lens in (task, hybrid):
            window = lens("send a parcel of some weight", lexicon, budget)
            assert window.tokens == (estimate(window.text) if window.text else 0) <= budget


STORY = """
from tests.core.window.trees import Tree
from ccos_core.text.retrieval.mentions import report
from ccos_core.text.syntax.resolution import Target
from ccos_core.window.lexicon import Lexicon
from ccos_core.window.task import hybrid, task
names = [f"n{n}" for n in range(30)]
files = {f"{n}.py": f"from a import {n}\\ndef {n}_parcel(tag):\\n    return {n}.tag\\n" for n in names}
files["a.py"] = "".join(f"class {name}:\\n    tag = 1\\n" for name in names)
lexicon = Lexicon(Tree(files))
live = [(Target("a.py", 4), 2), (Target("n3.py", 0), 2)]
for lens in (task, hybrid):
    print(lens("Parcels lose their tag\\n`n7.tag` at n9.py:3", lexicon, 700, live))
"""


def test_the_same_window_under_any_hash_seed() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-c", STORY],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join([os.getcwd(), *sys.path])},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(told) == 1
    assert b"n7_parcel" in told.pop()
