from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.model.known import Known, NoText
from leeboard.model.truth import ABSENT
from leeboard.truth.change import changed_file, is_moving, matters
from leeboard.truth.learn import learned
from tests.known_world import BEGAN, KEY, HeldDisk, HeldKnowledge, read_done, world_of

TEXT = "one\ntwo\nthree\n"


class CountingDisk(HeldDisk):
    reads = 0

    def text(self, path: str) -> str | None:
        self.reads += 1
        return super().text(path)


def known_file() -> tuple[Known, HeldKnowledge, CountingDisk]:
    disk = CountingDisk({"a.py": (TEXT, BEGAN - 9)})
    knowledge = HeldKnowledge(disk)
    (known,) = learned(world_of(read_done("a.py", "one\n")), knowledge)
    disk.reads = 0
    return known, knowledge, disk


def test_a_file_that_looks_the_same_is_not_read() -> None:
    known, knowledge, disk = known_file()
    assert changed_file(known, knowledge, KEY) is None
    assert disk.reads == 0


def test_one_that_was_only_touched_has_not_changed() -> None:
    known, knowledge, disk = known_file()
    disk.files["a.py"] = (TEXT, BEGAN + 9)
    assert changed_file(known, knowledge, KEY) is None
    assert disk.reads == 1


def test_what_could_have_looked_the_same_is_read() -> None:
    known, knowledge, disk = known_file()
    disk.files["a.py"] = ("ONE\ntwo\nthree\n", BEGAN - 9)
    assert changed_file(known, knowledge, KEY) is None, "this disk lies"
    assert changed_file(replace(known, stamp=()), knowledge, KEY) is not None


def test_gone_and_unknown() -> None:
    known, knowledge, disk = known_file()
    del disk.files["a.py"]
    changed = changed_file(known, knowledge, KEY)
    assert changed is not None
    assert changed.now.digest == ABSENT
    assert changed_file(replace(known, digest=ABSENT), knowledge, KEY) is None
    assert changed_file(replace(known, digest=""), knowledge, KEY) is None, "nobody could read it then"


@pytest.mark.parametrize(
    ("now", "whole_file", "expected"),
    [("one\ntwo\nTHREE\n", False, False), ("one\ntwo\nTHREE\n", True, True), ("ONE\ntwo\nthree\n", False, True)],
)
def test_what_matters(now: str, *, whole_file: bool, expected: bool) -> None:
    known, knowledge, disk = known_file()
    disk.files["a.py"] = (now, BEGAN + 9)
    changed = changed_file(known, knowledge, KEY)
    assert changed is not None
    assert matters(changed, whole_file=whole_file) is expected
    assert not matters(replace(changed, known=replace(known, seen=())), whole_file=True), "it never saw it"


@pytest.mark.parametrize("kind", ["link", "large", "other"])
def test_what_is_no_text_any_more_has_changed_once(kind: NoText) -> None:
    known, knowledge, disk = known_file()
    disk.files["a.py"] = ("", BEGAN + 9)
    disk.kinds["a.py"] = kind
    first, again = (changed_file(known, knowledge, KEY) for _ in range(2))
    assert first is not None
    assert first == again
    assert kind in first.now.digest
    assert matters(first, whole_file=False)
    disk.files["a.py"] = ("", BEGAN + 10)
    later = changed_file(known, knowledge, KEY)
    assert later is not None
    assert later.now.digest != first.now.digest


def test_what_nobody_may_look_at_is_unknown() -> None:
    known, knowledge, _ = known_file()

    class Refusing(HeldDisk):
        def text(self, path: str) -> str | None:
            return None if path == "a.py" else super().text(path)

    knowledge.disk = Refusing({"a.py": (TEXT, BEGAN + 9)})
    assert changed_file(known, knowledge, KEY) is None


@pytest.mark.parametrize(
    ("path", "ignored", "expected"),
    [
        ("server.log", False, True),
        (".git/HEAD", False, True),
        ("src/logs/reader.py", False, False),
        ("docs/tmp/plan.md", False, False),
        ("poetry.lock", False, False),
        ("tests/want.out", False, False),
        ("logs/today.txt", True, True),
        ("tmp/cache.json", True, True),
        ("src/app.py", True, False),
    ],
)
def test_what_moves_all_the_time(path: str, *, ignored: bool, expected: bool) -> None:
    class Ignoring(HeldDisk):
        def ignored_of(self, paths: tuple[str, ...]) -> frozenset[str]:
            return frozenset(paths if ignored else ())

    assert is_moving(path, Ignoring({})) is expected
    assert is_moving(path, None) is (expected and not ignored)
