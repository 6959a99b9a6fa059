from __future__ import annotations

from leeboard.model.truth import Divergence
from leeboard.plan.disk.truth.gather import MOST, Compared, TruthMemory, key_of
from tests.truth_project import SLUG, TruthProject

ONE = Divergence(path="knowledge/a", scope="")


def compared(key: str, *differs: Divergence, tick: int = -1, log: int = -1) -> Compared:
    return Compared(key=key, baseline="digest", differs=differs, settled=tick, log=log)


def test_it_is_remembered_while_nothing_changes(project: TruthProject) -> None:
    memory = TruthMemory(project.folder, SLUG)
    memory.put("build", compared("key", ONE))
    memory.keep()
    again = TruthMemory(project.folder, SLUG)
    assert again.get("build", "key") == (ONE,)
    assert again.get("build", "other") is None
    assert again.get("shape", "key") is None
    assert "digest" in again.baselines
    assert again.settled("build") == 0


def test_the_last_tick_without_a_difference(project: TruthProject) -> None:
    memory = TruthMemory(project.folder, SLUG)
    memory.put("build", compared("key", tick=7, log=100))
    assert [memory.is_settled(*each) for each in (("build", 100), ("build", 101), ("shape", 100))] == [
        True,
        False,
        False,
    ]
    memory.put("build", compared("other", ONE))
    assert memory.settled("build") == 7
    assert memory.is_settled("build", 100)
    memory.put("build", compared("other", *[ONE] * (MOST + 1)))
    assert memory.settled("build") == 0, "a mass is not remembered"


def test_nothing_is_remembered_of_what_is_not_known(project: TruthProject) -> None:
    assert key_of("", "files", ()) == ""
    assert key_of("digest", "", ()) == ""
    assert key_of("digest", "files", ()) != key_of("digest", "files", ("*.log",))
    memory = TruthMemory(project.folder, SLUG)
    memory.put("build", compared("", ONE))
    assert memory.get("build", "") is None


def test_it_is_only_a_memory(project: TruthProject) -> None:
    """Whatever is not ours is not there."""
    memory = TruthMemory(project.folder, SLUG)
    memory.put("build", compared("key", tick=7))
    memory.keep()
    for path in (project.path.parent / "state/digests").iterdir():
        path.write_bytes(b"noise")
    assert TruthMemory(project.folder, SLUG).get("build", "key") is None
