"""Lines that a guard has to stop, and lines that only look like them: each proposed through the hook, in real trees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.guard_repository import GuardRepository, Scene, scenes

SCENES = scenes(
    "broken_constraint",
    "lost_work",
    "protected_file",
    "irreversible_command",
    "lookalike_package",
    "secret_sent",
    "powershell",
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], GuardRepository]:
    """Each kind of repository once: no line is run in it."""
    known: dict[str, GuardRepository] = {}

    def make(state: str) -> GuardRepository:
        if state not in known:
            known[state] = GuardRepository(tmp_path_factory.mktemp("guard") / state)
            known[state].make(state)
        return known[state]

    return make


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: f"{scene.rule}-{scene.name}")
def test_every_line_is_answered_as_the_table_says(
    scene: Scene, made: Callable[[str], GuardRepository], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = made(scene.repository)
    monkeypatch.setenv("HOME", str(tree.home))
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "leeboard.toml").write_text(scene.settings, encoding="utf-8")
    passed = [line for line in scene.refused if not _is_refused(tree, scene, line)]
    stopped = {line: said.words for line in scene.silent if (said := tree.propose(scene, line)).words or said.denied}
    assert (passed, stopped) == ([], {})


def _is_refused(tree: GuardRepository, scene: Scene, line: str) -> bool:
    said = tree.propose(scene, line)
    return said.denied and scene.rule in said.words


def test_the_tables_have_as_many_that_look_alike() -> None:
    refused = sum(len(scene.refused) for scene in SCENES)
    assert sum(len(scene.silent) for scene in SCENES) >= refused
