from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.model.known import Known
from leeboard.truth.learn import learned
from leeboard.truth.underneath import found_undone
from tests.known_world import BEGAN, HeldDisk, HeldKnowledge, bash_done, read_done, world_of

TEXT = "one\ntwo\n"


def stale_file(path: str = "a.py") -> tuple[Known, HeldKnowledge]:
    knowledge = HeldKnowledge(HeldDisk({path: (TEXT, BEGAN - 9)}))
    (known,) = learned(world_of(read_done(path, TEXT)), knowledge)
    return replace(known, stale=True), knowledge


def undone(command: str, known: Known, knowledge: HeldKnowledge) -> list[str]:
    event = bash_done(command, BEGAN + 9)
    return [one.message for one in found_undone(event, world_of(event), knowledge, (known,))]


def test_what_somebody_did_is_gone_again() -> None:
    known, knowledge = stale_file()
    knowledge.disk.files["a.py"] = (TEXT, BEGAN + 5)
    (words,) = undone("make", known, knowledge)
    assert words.startswith("Somebody's change of a.py is gone again")
    assert "`make` ran at that time" in words


def test_it_is_said_once() -> None:
    known, knowledge = stale_file()
    knowledge.disk.files["a.py"] = (TEXT, BEGAN + 5)
    event = bash_done("make", BEGAN + 9)
    (found,) = found_undone(event, world_of(event), knowledge, (known,))
    assert undone("make", replace(known, told=found.subject.rpartition("@")[2]), knowledge) == []


def test_what_is_still_there_is_not_gone() -> None:
    known, knowledge = stale_file()
    knowledge.disk.files["a.py"] = ("one\nTWO\n", BEGAN + 5)
    assert undone("make", known, knowledge) == []


@pytest.mark.parametrize("command", ["git checkout .", "git checkout a.py", "git reset --hard", "make; git restore ."])
def test_what_was_said_before_is_not_said_after(command: str) -> None:
    known, knowledge = stale_file()
    knowledge.disk.files["a.py"] = (TEXT, BEGAN + 5)
    assert undone(command, known, knowledge) == []


def test_what_moves_all_the_time_is_left_out() -> None:
    known, knowledge = stale_file("a.log")
    assert undone("make", known, knowledge) == []
