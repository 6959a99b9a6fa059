"""Shell lines by which an agent ends its guard, or changes what the user ruled out: refused, or told once they ran.

Each line of the tables is proposed through the hook. What is not refused there is carried out in a repository of its
own, and whatever it changed has to be spoken of by the hooks that follow.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from tests.guarded_tree import SCHEMA, GuardedTree, Line, lines_of

LOOSENING, FORBIDDEN = lines_of("loosening.txt"), lines_of("forbidden.txt")
ORDINARY = lines_of("ordinary.txt")
SPEAKS_OF_GUARD = ("settings", "leeboard.toml", "changed_guard", "belongs to the guard", "self_allowance")
SPEAKS_OF_SCHEMA = (SCHEMA,)


class Count(msgspec.Struct):
    """What came of a table."""

    refused: list[str] = msgspec.field(default_factory=list)
    harmless: list[str] = msgspec.field(default_factory=list)
    told: list[str] = msgspec.field(default_factory=list)
    unnoticed: list[str] = msgspec.field(default_factory=list)
    unread: list[str] = msgspec.field(default_factory=list)
    """Passed, and not to be carried out here."""

    def __str__(self) -> str:
        counted = ", ".join(f"{name} {len(getattr(self, name))}" for name in self.__struct_fields__)
        open_lines = "".join(f"\n    {line[:150]!r}" for line in (*self.unnoticed, *self.unread))
        return f"{counted}{open_lines}"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> GuardedTree:
    made = GuardedTree(tmp_path_factory.mktemp("guarded") / "tree")
    made.make()
    return made


class Trial:
    """One table on trees like `tree`, with the surroundings of each hook and line in its own folder."""

    def __init__(self, tree: GuardedTree, tmp_path: Path, patch: pytest.MonkeyPatch) -> None:
        self._tree, self._tmp_path, self._patch = tree, tmp_path, patch
        self._made = 0

    def count(self, lines: tuple[Line, ...], words: tuple[str, ...], state: Callable[[GuardedTree], object]) -> Count:
        count = Count()
        proposing = self._enter()
        for line in lines:
            answer, _ = proposing.propose(line.text)
            if answer.denied:
                count.refused.append(line.text)
            elif not line.is_run:
                count.unread.append(line.text)
            else:
                self._carry_out(line, count, words, state)
                self._move_to(proposing)
        return count

    def spoken_of(self, lines: tuple[Line, ...], profile: str) -> dict[str, str]:
        """What is said of which line; each is the first one of a session."""
        said = {}
        tree = self._enter()
        for at, line in enumerate(lines):
            tree.session, tree.profile = f"s{at}", profile
            tree.begin()
            answer, _ = tree.propose(line.text)
            if answer.denied or answer.words:
                said[line.text] = answer.words
        return said

    def _carry_out(
        self, line: Line, count: Count, words: tuple[str, ...], state: Callable[[GuardedTree], object]
    ) -> None:
        tree = self._enter()
        before = state(tree)
        _, call = tree.propose(line.text)
        said = tree.carried_out(line.text, call)
        if state(tree) == before:
            count.harmless.append(line.text)
        else:
            (count.told if any(word in said for word in words) else count.unnoticed).append(line.text)

    def _enter(self) -> GuardedTree:
        self._made += 1
        tree = self._tree.fresh(self._tmp_path / str(self._made))
        self._move_to(tree)
        tree.begin()
        return tree

    def _move_to(self, tree: GuardedTree) -> None:
        for name, value in tree.environment().items():
            if name.startswith(("HOME", "LEEBOARD_", "XDG_")):
                self._patch.setenv(name, value)


@pytest.fixture
def trial(tree: GuardedTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trial:
    return Trial(tree, tmp_path, monkeypatch)


def test_the_tables_are_as_large_as_they_claim() -> None:
    assert len({line.text for line in LOOSENING}) == len(LOOSENING) >= 320
    assert len({line.text for line in FORBIDDEN}) == len(FORBIDDEN) >= 100


def test_the_guard_is_not_ended_unnoticed(trial: Trial, record_property: Callable[[str, object], None]) -> None:
    count = trial.count(LOOSENING, SPEAKS_OF_GUARD, lambda tree: tree.guard())
    record_property("review", f"{len(LOOSENING)} lines that loosen the guard: {count}")
    assert (count.unnoticed, count.unread) == ([], [])


def test_what_the_user_ruled_out_is_not_changed_unnoticed(
    trial: Trial, record_property: Callable[[str, object], None]
) -> None:
    count = trial.count(FORBIDDEN, SPEAKS_OF_SCHEMA, lambda tree: tree.schema())
    record_property("review", f"{len(FORBIDDEN)} lines that change a forbidden file: {count}")
    assert (count.unnoticed, count.unread) == ([], [])


@pytest.mark.parametrize("profile", ["advise", "enforce"])
def test_everyday_lines_pass_without_a_word(trial: Trial, profile: str) -> None:
    assert len({line.text for line in ORDINARY}) == len(ORDINARY) >= 220
    assert trial.spoken_of(ORDINARY, profile) == {}
