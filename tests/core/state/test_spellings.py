"""What outputs call the files of a workspace is remembered from one output to the next, and never too long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.failures.paths import Known
from ccos_core.session.worlds import new_world
from ccos_core.state import trouble

PATHS = ["a.py", "src/a.py", "src/b.py", "lib/src/a.py", "tests/test_a.py", "src/lib.rs"]
SPELLINGS = [*PATHS, "/home/me/project/src/a.py", "../a.py", "lib/b.py", "src", "src/main.rs", "x/a.py", ""]
FOLDERS = [".", "src", "lib"]

changes = st.tuples(st.sampled_from(["come", "go"]), st.sampled_from(PATHS))
questions = st.tuples(st.sampled_from(FOLDERS), st.sampled_from(SPELLINGS))


@pytest.mark.parametrize(("most", "folders"), [(2, 8), (4_096, 2), (4_096, 8)])
@given(story=st.lists(changes | questions, max_size=40))
def test_whatever_has_come_and_gone_a_spelling_means_what_it_means_to_who_asks_first(
    story: list[tuple[str, str]], most: int, folders: int
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(trouble, "MOST_SPELLINGS", most)
        patched.setattr(trouble, "MOST_FOLDERS", folders)
        world = new_world()
        there: dict[str, None] = {}
        for what, which in story:
            if what == "come":
                world.put_file(which)
                there[which] = None
            elif what == "go":
                world.drop_file(which)
                there.pop(which, None)
            else:
                known, anew = trouble.spelled_in(world, what), Known(list(there), what)
                assert known.find(which) == anew.find(which)
                assert known.spelling(which) == anew.spelling(which)
                assert known.target(which) == anew.target(which)
                assert len(world.spelled) <= folders


def test_what_runs_in_one_folder_after_another_is_remembered_of_each() -> None:
    world = new_world()
    world.put_file("src/a.py")
    known = [trouble.spelled_in(world, folder) for folder in FOLDERS]
    world.put_file("src/a.py")
    world.drop_file("src/b.py")
    assert all(trouble.spelled_in(world, folder) is each for folder, each in zip(FOLDERS, known, strict=True))
    world.drop_file("src/a.py")
    assert all(trouble.spelled_in(world, folder) is not each for folder, each in zip(FOLDERS, known, strict=True))
