"""Regions of code of our own, and what must hold for any."""

from hypothesis import given, settings

from ccos_core.query.structure.graph import Codebase, Graph, files, graph
from ccos_core.query.structure.regions import Lean, Part, Region, Regions, regions
from tests.core.query.structure.making import edges_of, graphs, importing, reached


def all_of(folder: str, *names: str) -> list[tuple[str, str]]:
    """Files that all import the ones before them."""
    paths = [f"{folder}/{name}" for name in names]
    return [(paths[at], paths[before]) for at in range(len(paths)) for before in range(at)]


def test_two_folders_that_keep_to_themselves_but_for_one_import() -> None:
    web = all_of("web", "core.ts", "form.ts", "list.ts", "page.ts")
    api = all_of("api/db", "pool.go", "query.go", "rows.go")
    tests = [("tests/a.ts", "web/page.ts"), ("tests/b.ts", "web/core.ts")]
    tests += [("tests/a.ts", "api/db/rows.go"), ("tests/a.ts", "web/form.ts")]
    code = importing([*web, *api, ("web/page.ts", "api/db/pool.go"), *tests], "api/lone.go")
    assert regions(code) == Regions(
        regions=(
            Region(
                number=1,
                folder="web",
                center="web/core.ts",
                parts=tuple(Part(f"web/{name}.ts", 1) for name in ("core", "form", "list", "page")),
                files=("web/core.ts", "web/form.ts", "web/list.ts", "web/page.ts"),
                symbols=0,
                inside=6,
                tests=2,
                leans_on=(Lean(2, 1, 1),),
            ),
            Region(
                number=2,
                folder="api/db",
                center="api/db/pool.go",
                parts=tuple(Part(f"api/db/{name}.go", 1) for name in ("pool", "query", "rows")),
                files=("api/db/pool.go", "api/db/query.go", "api/db/rows.go"),
                symbols=0,
                inside=3,
                tests=0,
                leans_on=(),
            ),
        ),
        alone=("api/lone.go",),
        islands=1,
    )


def test_a_region_is_named_by_the_folder_most_of_it_lies_in() -> None:
    paths = ["a/x/1", "a/x/2", "a/y/3", "a/y/z/4", "b/5"]
    code = importing([(start, end) for start in paths for end in paths if start < end])
    (found,) = regions(code).regions
    assert (found.folder, found.parts) == ("a", (Part("a/x", 2), Part("a/y", 2)))


def test_a_region_at_the_top_has_no_folder() -> None:
    (found,) = regions(importing([("a.py", "b.py")])).regions
    assert (found.folder, found.center, found.parts) == ("", "b.py", (Part("a.py", 1), Part("b.py", 1)))


def test_code_without_any_tie() -> None:
    assert regions(importing([], "b", "a")) == Regions((), ("a", "b"), 0)
    assert regions(Codebase({}, {})) == Regions((), (), 0)


def test_what_has_nothing_to_do_with_each_other_is_never_one_region() -> None:
    found = regions(importing([("a", "b"), ("c", "d")]))
    assert [region.files for region in found.regions] == [("a", "b"), ("c", "d")]
    assert found.islands == 2


@given(graphs(12))
@settings(deadline=None)
def test_every_tied_file_is_in_one_region_which_hangs_together(told: Graph) -> None:
    names = [f"d{node % 3}/{node:02}" for node in range(len(told))]
    code = importing([(names[start], names[end]) for start, end in edges_of(told)], *names)
    found = regions(code)
    inside = [path for region in found.regions for path in region.files]
    assert sorted([*inside, *found.alone]) == sorted(names)
    whole = files(code)
    for number, region in enumerate(found.regions, 1):
        part = whole.graph.within([whole.paths.index(path) for path in region.files])
        both = graph(len(part), [pair for start, end in edges_of(part) for pair in ((start, end), (end, start))])
        assert region.number == number
        assert len(region.files) > 1
        assert reached(both, 0) | {0} == set(range(len(part)))
        assert region.center in region.files
    sizes = [len(region.files) for region in found.regions]
    assert sizes == sorted(sizes, reverse=True)
    between = sum(lean.uses for region in found.regions for lean in region.leans_on)
    assert between + sum(region.inside for region in found.regions) == len(edges_of(told))


@given(graphs(10))
@settings(deadline=None)
def test_the_order_in_which_files_are_told_is_of_no_account(told: Graph) -> None:
    names = [f"{node:02}" for node in range(len(told))]
    edges = [(names[start], names[end]) for start, end in edges_of(told)]
    code = importing(edges, *names)
    turned = Codebase(dict(reversed(code.outlines.items())), dict(reversed(code.links.items())))
    assert regions(code) == regions(turned)
