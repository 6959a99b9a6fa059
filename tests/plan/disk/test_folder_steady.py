"""A look walks to each folder once; what it sees is what lies there, and no link is followed."""

from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.errors import StateError
from leeboard.plan.disk import folder as module
from leeboard.plan.disk.folder import PlanFolder, SteadyFolder, steady


@pytest.fixture
def folder(tmp_path: Path) -> PlanFolder:
    made = PlanFolder(str(tmp_path))
    for name in ("a", "b", "c"):
        made.write(f"intents/x/stages/{name}/units/one.md", name.encode())
    made.write("intents/x/intent.md", b"x")
    return made


def _descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_it_reads_what_the_folder_reads_and_gives_all_descriptors_back(
    folder: PlanFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _descriptors()
    for room in (1, 2, 3, 12):
        monkeypatch.setattr(module, "MOST_OPEN", room)
        with steady(folder) as held:
            for _ in range(2):
                for name in ("a", "b", "c"):
                    path = f"intents/x/stages/{name}/units"
                    assert held.read(f"{path}/one.md") == name.encode()
                    assert held.texts(path, ".md") == {"one.md": name}
                    assert held.names(f"{path}/") == ("one.md",)
                assert held.read("intents/x/intent.md") == b"x"
                assert held.read("intents/none/intent.md") is None
            assert _descriptors() <= before + room
        assert _descriptors() == before


def test_a_look_within_a_look_is_the_same(folder: PlanFolder) -> None:
    with steady(folder) as held:
        with steady(held) as inner:
            assert inner is held
        assert held.read("intents/x/intent.md") == b"x"
    assert held.read("intents/x/intent.md") == b"x"
    with steady(held) as later:
        assert later is not held


def test_once_it_is_over_every_folder_is_walked_to_anew(folder: PlanFolder, tmp_path: Path) -> None:
    with steady(folder) as held:
        held.read("intents/x/intent.md")
    (tmp_path / ".haiku/intents/x").rename(tmp_path / "aside")
    before = _descriptors()
    assert held.read("intents/x/intent.md") is None
    held.write("intents/x/intent.md", b"new")
    assert held.read("intents/x/intent.md") == b"new"
    assert _descriptors() == before


def test_what_is_written_is_written_where_the_folder_is_now(folder: PlanFolder, tmp_path: Path) -> None:
    with steady(folder) as held:
        held.read("intents/x/intent.md")
        (tmp_path / ".haiku/intents/x").rename(tmp_path / "aside")
        held.write("intents/x/intent.md", b"new")
    assert (tmp_path / ".haiku/intents/x/intent.md").read_bytes() == b"new"
    assert (tmp_path / "aside/intent.md").read_bytes() == b"x"


@pytest.mark.parametrize("linked", [".haiku", ".haiku/intents", ".haiku/intents/x", ".haiku/intents/x/intent.md"])
def test_no_link_is_followed(folder: PlanFolder, tmp_path: Path, linked: str) -> None:
    place = tmp_path / linked
    place.rename(tmp_path / "aside")
    place.symlink_to(tmp_path / "aside")
    before = _descriptors()
    with steady(folder) as held, pytest.raises(StateError, match="symbolic link"):
        held.read("intents/x/intent.md")
    assert _descriptors() == before


def test_no_path_leads_out(folder: PlanFolder) -> None:
    held = SteadyFolder(folder.home)
    with pytest.raises(StateError, match="leads out"):
        held.read("intents/../../secret/file")
    held.end()
