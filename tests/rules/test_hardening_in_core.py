from __future__ import annotations

import pytest

from leeboard.model.contract import Contract, Mode
from leeboard.model.touch import FileChange, Hunk, TreeChange
from leeboard.rule import discover
from tests.tree_rules import found, found_between, held, tree_event

_HANDLED = "def f():\n    try:\n        return g()\n    except Exception:\n        return None\n"


def subjects(
    after: dict[str, str], before: dict[str, str] | None = None, contract: Contract | None = None
) -> list[str]:
    return [
        one.subject for one in found_between("hardening_in_core", held(contract or Contract()), before or {}, after)
    ]


def test_one_finding_for_each_path_and_signal() -> None:
    """SP-34."""
    found = found_between(
        "hardening_in_core", held(Contract(objective="add the export")), {}, {"src/a.py": _HANDLED * 2}
    )
    assert [(one.subject, one.line, one.severity) for one in found] == [
        ("src/a.py:broad exception handling", 4, "warn"),
        ("src/a.py:default on error", 4, "warn"),
    ]
    assert "src/a.py:4" in found[0].message


def test_the_countersteer_is_the_one_of_the_design() -> None:
    (rule,) = [loaded.rule for loaded in discover() if loaded.id == "hardening_in_core"]
    assert rule.countersteer is not None
    assert rule.countersteer.action == "move guardrails into a `harden:` follow-up task"
    assert rule.countersteer.priority == "high"


@pytest.mark.parametrize(("mode", "fires"), [("core", True), ("perf", True), ("harden", False), ("explore", False)])
def test_modes(mode: Mode, *, fires: bool) -> None:
    assert bool(subjects({"src/a.py": _HANDLED}, contract=Contract(mode=mode))) == fires


@pytest.mark.parametrize(
    "path",
    ["tests/test_a.py", "docs/a.md", "README.md", "poetry.lock", "dist/a.py", "src/a_pb2.py", "src/a.spec.ts"],
)
def test_where_nothing_counts(path: str) -> None:
    assert subjects({path: f"{_HANDLED}retry = 3\ntimeout = 5\n"}) == []


def test_what_the_contract_asks_for_is_the_work() -> None:
    text = {"src/up.py": "def up():\n    return send(retries=3, timeout=5)\n"}
    assert subjects(text) == ["src/up.py:retry", "src/up.py:timeout"]
    assert subjects(text, contract=Contract(objective="add retry to the uploader")) == ["src/up.py:timeout"]
    assert subjects(text, contract=Contract(acceptance=("pytest -k 'retry or timeout'",))) == []


def test_moved_code_is_not_new() -> None:
    assert subjects({"src/b.py": _HANDLED, "src/a.py": "x = 1\n"}, {"src/a.py": f"{_HANDLED}x = 1\n"}) == []


def test_a_renamed_file_is_compared_with_itself() -> None:
    after = _HANDLED.replace("Exception:", "Exception as e:")
    hunk = Hunk(4, ("    except Exception as e:",), ("    except Exception:",))
    file = FileChange(path="src/b.py", old_path="src/a.py", kind="renamed", hunks=(hunk,), added=1, deleted=1)
    event = tree_event(TreeChange(root="/repo", files=(file,)))
    assert not found("hardening_in_core", held(Contract()), event, {"src/a.py": _HANDLED}, {"src/b.py": after})


def test_a_file_of_another_task_is_blamed_on_nobody() -> None:
    hunk = Hunk(1, tuple(_HANDLED.splitlines()))
    file = FileChange(path="src/a.py", kind="added", hunks=(hunk,), added=5)
    event = tree_event(TreeChange(root="/repo", files=(file,)), shared=("src/a.py",))
    assert not found("hardening_in_core", held(Contract()), event, {}, {"src/a.py": _HANDLED})


def test_an_ordinary_feature_is_silent() -> None:
    text = (
        "def price(row):\n    try:\n        return row['price']\n    except KeyError:\n        return None\n\n\n"
        "class Export:\n    def rows(self, db):\n        for row in db.rows():\n            if row is None:\n"
        "                continue\n            yield price(row) or 0\n"
    )
    assert subjects({"src/export.py": text}) == []


def test_without_a_contract_nothing_is_said() -> None:
    assert not found_between("hardening_in_core", None, {}, {"src/a.py": _HANDLED})


def test_ordinary_files_are_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str, language: str) -> None:
        raise AssertionError(f"parsed {language}: {text[:40]}")

    monkeypatch.setattr("leeboard.contracts.hardening.find.parse", refuse)
    text = "def f(rows):\n    try:\n        return rows[0]\n    except IndexError:\n        return None\n"
    assert subjects({f"src/m{number}.py": text for number in range(50)}) == []
