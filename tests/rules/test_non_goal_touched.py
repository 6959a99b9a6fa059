from __future__ import annotations

import pytest

from leeboard.model.contract import Contract, Mode
from leeboard.model.touch import FileChange, TreeChange
from tests.tree_rules import changed, found, found_between, held, tree_event


def _messages(goal: str, *paths: str, mode: Mode = "core") -> list[str]:
    contract = Contract(non_goals=(goal,), mode=mode)
    return [one.message for one in found("non_goal_touched", held(contract), tree_event(changed(*paths)), {}, {})]


def test_it_says_which_non_goal_and_which_path() -> None:
    """SP-13."""
    said = _messages("Do not touch src/billing", "src/billing/tax.py", "src/a.py")
    assert said == ["src/billing/tax.py was changed, which a non-goal rules out: Do not touch src/billing."]


@pytest.mark.parametrize(("mode", "count"), [("core", 1), ("harden", 1), ("perf", 1), ("explore", 0)])
def test_modes(mode: Mode, count: int) -> None:
    assert len(_messages("src/billing", "src/billing/tax.py", mode=mode)) == count


def test_what_can_not_be_checked_is_silent() -> None:
    assert _messages("No API changes", "src/api/a.py") == []
    assert _messages("No fallbacks, retries or guardrails", "src/a.py") == []


def test_a_subject_is_stable_and_one_of_its_own_for_each_non_goal() -> None:
    contract = Contract(non_goals=("Do not touch src/billing", "no tests"))
    event = tree_event(changed("src/billing/tests/test_tax.py"))
    subjects = [one.subject for one in found("non_goal_touched", held(contract), event, {}, {})]
    assert len(set(subjects)) == len(subjects)
    assert all(one.startswith("src/billing/tests/test_tax.py:") for one in subjects)
    assert all(one.severity == "warn" for one in found("non_goal_touched", held(contract), event, {}, {}))


def test_a_file_that_is_moved_away_is_touched() -> None:
    file = FileChange(path="src/tax.py", old_path="src/billing/tax.py", kind="renamed")
    event = tree_event(TreeChange(root="/repo", files=(file,)))
    (one,) = found("non_goal_touched", held(Contract(non_goals=("src/billing",))), event, {}, {})
    assert one.path == "src/billing/tax.py"
    assert "moved away" in one.message


def test_who_was_asked_or_is_another_is_not_blamed() -> None:
    contract = held(Contract(non_goals=("src/billing",)))
    change = changed("src/billing/a.py", "src/billing/b.py")
    event = tree_event(change, shared=("src/billing/a.py",), directed=("src/billing/b.py",))
    assert not found("non_goal_touched", contract, event, {}, {})


def test_new_tests_are_no_change_of_existing_ones() -> None:
    contract = held(Contract(non_goals=("Changing existing tests",)))
    assert not found_between("non_goal_touched", contract, {}, {"tests/test_a.py": "x"})
    assert found_between("non_goal_touched", contract, {"tests/test_a.py": "y"}, {"tests/test_a.py": "x"})


@pytest.mark.parametrize(
    ("path", "before", "after", "count"),
    [
        ("requirements.txt", "flask==3.0\n", "flask==3.0\nhttpx==0.28\n", 1),
        ("requirements.txt", "flask==3.0\n", "flask==3.1\n", 0),
        ("web/package.json", '{"dependencies": {}}', '{"dependencies": {"left": "1.0.0"}}', 1),
        ("pyproject.toml", '[project]\nversion = "1"\n', '[project]\nversion = "2"\n', 0),
        ("src/a.py", "x", "import httpx", 0),
    ],
)
def test_new_packages(path: str, before: str, after: str, count: int) -> None:
    contract = held(Contract(non_goals=("No new dependencies",)))
    assert len(found_between("non_goal_touched", contract, {path: before}, {path: after})) == count
