from __future__ import annotations

from leeboard.io.plan.truth.compared import MOST, Memory, key_of
from leeboard.model.truth import Divergence
from tests.truth_project import SLUG, TruthProject

ONE = Divergence(path="knowledge/a", scope="")


def test_it_is_remembered_while_nothing_changes(project: TruthProject) -> None:
    memory = Memory(project.folder, SLUG)
    memory.put("build", "key", "digest", (ONE,), 7)
    memory.keep()
    again = Memory(project.folder, SLUG)
    assert again.get("build", "key") == (ONE,)
    assert again.get("build", "other") is None
    assert again.get("shape", "key") is None
    assert "digest" in again.baselines
    assert again.settled("build") == 0


def test_the_last_tick_without_a_difference(project: TruthProject) -> None:
    memory = Memory(project.folder, SLUG)
    memory.put("build", "key", "digest", (), 7)
    memory.put("build", "other", "digest", (ONE,), 9)
    assert memory.settled("build") == 7
    memory.put("build", "other", "digest", (ONE,) * (MOST + 1), 9)
    assert memory.settled("build") == 0, "a mass is not remembered"


def test_nothing_is_remembered_of_what_is_not_known(project: TruthProject) -> None:
    assert key_of("", "files", ()) == ""
    assert key_of("digest", "", ()) == ""
    assert key_of("digest", "files", ()) != key_of("digest", "files", ("*.log",))
    memory = Memory(project.folder, SLUG)
    memory.put("build", "", "digest", (ONE,), 1)
    assert memory.get("build", "") is None


def test_it_is_only_a_memory(project: TruthProject) -> None:
    """Whatever is not ours is not there."""
    memory = Memory(project.folder, SLUG)
    memory.put("build", "key", "digest", (), 7)
    memory.keep()
    for path in (project.path.parent / "state/digests").iterdir():
        path.write_bytes(b"noise")
    assert Memory(project.folder, SLUG).get("build", "key") is None
