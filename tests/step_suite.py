"""What every store must do with steps: keep them all, find again those that are worth it."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.lookup import Archive
from tests.store_suite import a_session, a_step, keep


def found(store: Archive, *, files: str = "", folders: str = "", keywords: str = "", session: str = "s1") -> str:
    """Ids of past steps, in their order; terms are given apart by spaces."""
    steps = store.past_steps(session, files.split(), folders.split(), keywords.split())
    return " ".join(step.id for step in steps)


class StepSuite:
    def test_steps_come_back_in_the_order_they_were_taken(self, store: Archive) -> None:
        full = a_step(
            "b",
            action_type="bash",
            files=("src/a.py",),
            folders=("src/",),
            command="make",
            reasoning="why",
            drift_type="minor",
            correction_given="back",
            keywords=("basket",),
        )
        keep(store, a_session(), full, a_step("a"))
        keep(store, a_session(), a_step("c"))
        assert store.steps("s1") == (full, a_step("a"), a_step("c"))
        assert store.steps("s2") == ()

    def test_a_step_below_five_is_kept_but_not_validated(self, store: Archive) -> None:
        """AD-95, AD-81: at 5 it counts, at 4 it does not."""
        keep(store, a_session(), a_step("four", 4, files=("a.py",)), a_step("five", 5, files=("a.py",)))
        assert [step.is_validated for step in store.steps("s1")] == [False, True]
        assert found(store, files="a.py") == "five"

    def test_a_step_may_say_itself_that_it_does_not_count(self, store: Archive) -> None:
        keep(store, a_session(), a_step("denied", 10, files=("a.py",), is_validated=False))
        assert found(store, files="a.py") == ""

    def test_the_first_good_change_of_a_file_is_a_key_decision(self, store: Archive) -> None:
        """AD-94."""
        first = a_step("first", 9, action_type="edit", files=("a.py",))
        keep(
            store,
            a_session(),
            a_step("read", 10, files=("a.py",)),
            replace(first, id="astray", drift_score=3),
            first,
            replace(first, id="again", drift_score=10),
            replace(first, id="both", files=("a.py", "b.py")),
            replace(first, id="weak", drift_score=8, files=("c.py",)),
            replace(first, id="shell", action_type="bash", files=("d.py",)),
        )
        assert [step.id for step in store.steps("s1") if step.is_key_decision] == ["first", "both"]

    def test_files_folders_and_keywords_each_lead_to_a_step(self, store: Archive) -> None:
        """AD-81 to AD-83: one shared term suffices, and only a whole term is one."""
        keep(
            store,
            a_session(),
            a_step("file", files=("src/a.py", "src/b.py")),
            a_step("folder", folders=("src/api/",)),
            a_step("word", keywords=("basket", "price")),
        )
        assert found(store, files="x src/b.py") == "file"
        assert found(store, folders="src/api/") == "folder"
        assert found(store, keywords="price x") == "word"
        assert found(store, files="src/", folders="src/", keywords="bask %") == ""

    def test_a_key_decision_is_found_whatever_its_score(self, store: Archive) -> None:
        """AD-84."""
        keep(store, a_session(), a_step("turn", 3, is_key_decision=True), a_step("other", 3))
        assert found(store) == "turn"

    def test_ten_distinct_steps_in_the_order_of_the_questions(self, store: Archive) -> None:
        """AD-85: of thirty candidates; five of each question, newest first."""
        terms: dict[str, object] = {"files": ("a.py",), "folders": ("src/",), "keywords": ("basket",)}
        keep(store, a_session(), *(a_step(f"k{number}", keywords=("basket",)) for number in range(8)))
        keep(store, a_session(), *(a_step(f"d{number}", folders=("src/",)) for number in range(8)))
        keep(store, a_session(), *(a_step(f"f{number}", files=("a.py",)) for number in range(8)))
        keep(
            store, a_session(), *(replace(a_step(f"all{number}", is_key_decision=True), **terms) for number in range(2))
        )
        everything = found(store, files="a.py", folders="src/", keywords="basket")
        assert everything == "all1 all0 f7 f6 f5 d7 d6 d5 k7 k6"
        assert found(store, folders="src/") == "all1 all0 d7 d6 d5"

    def test_the_own_session_comes_before_its_project(self, store: Archive) -> None:
        own = a_step("own", files=("a.py",))
        keep(store, a_session(), own)
        theirs = [replace(own, id=f"theirs{number}", session_id="s2") for number in range(7)]
        keep(store, a_session("s2"), *theirs)
        keep(store, a_session("s3", root="/elsewhere"), replace(own, id="far", session_id="s3"))
        assert found(store, files="a.py") == "own theirs6 theirs5 theirs4 theirs3"
        assert found(store, files="a.py", session="s2") == "theirs6 theirs5 theirs4 theirs3 theirs2"
        assert found(store, files="a.py", session="s3") == "far"

    def test_sessions_without_a_place_share_nothing(self, store: Archive) -> None:
        keep(store, a_session("s1", root=""), a_step("lost", files=("a.py",)))
        keep(store, a_session("s2", root=""))
        assert found(store, files="a.py", session="s2") == ""

    def test_a_step_told_again_replaces_its_first_telling(self, store: Archive) -> None:
        step = a_step("one", 9, action_type="edit", files=("a.py",), keywords=("basket",))
        keep(store, a_session(), step, a_step("two"))
        keep(store, a_session(), replace(step, drift_score=3, correction_given="no"))
        assert [(kept.id, kept.drift_score) for kept in store.steps("s1")] == [("one", 3), ("two", 8)]
        assert found(store, files="a.py", keywords="basket") == ""
