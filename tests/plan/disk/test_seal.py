from __future__ import annotations

import hmac
from pathlib import Path
from typing import Any

import msgspec
import pytest

from leeboard.io.places import secret_key
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.seal import DRIFT_SEAL, Seal

VALUES: dict[str, dict[str, Any] | None] = {
    "intent.md": {"status": "active", "started_at": "t"},
    "stages/build/state.json": {"phase": "execute", "iterations": [{"index": 1}]},
    "stages/build/units/unit-01-a.md": {"status": "active"},
    "stages/build/units/unit-02-b.md": {},
}


@pytest.fixture
def folder(tmp_path: Path) -> PlanFolder:
    return PlanFolder(str(tmp_path))


def checked(folder: PlanFolder, values: dict[str, dict[str, Any] | None]) -> Seal:
    seal = Seal(folder, "x")
    seal.check(values)
    return seal


def sealed(folder: PlanFolder, values: dict[str, dict[str, Any] | None]) -> None:
    checked(folder, values).settle(values)


@pytest.mark.parametrize(
    ("path", "fields", "whole"),
    [
        ("intent.md", {"started_at": "t", "status": "active"}, True),
        ("intent.md", {"status": "completed", "started_at": "t"}, False),
        ("stages/build/state.json", {"phase": "execute", "iterations": [{"index": 2}]}, False),
        ("stages/build/state.json", {}, False),
        ("stages/build/units/unit-01-a.md", {"status": "completed"}, False),
        ("stages/build/units/unit-02-b.md", {"status": "completed"}, False),
        ("stages/build/units/unit-03-new.md", {}, True),
        ("stages/build/units/unit-03-new.md", {"status": "completed"}, False),
        ("stages/build/units/unit-01-a.md", None, True),
        ("stages/build/feedback/01-by-hand.md", {"origin": "user-chat"}, True),
        ("feedback/01-by-hand.md", {"origin": "user-chat", "status": "closed"}, False),
    ],
)
def test_it_breaks_when_a_field_of_the_engine_means_something_else(
    folder: PlanFolder, path: str, fields: dict[str, Any] | None, *, whole: bool
) -> None:
    """SH-56: nested values count too; new units and findings of people are free."""
    sealed(folder, VALUES)
    seal = checked(folder, VALUES | {path: fields})
    assert seal.whole is whole
    assert seal.tampered == (() if whole else (path,))


def test_a_file_that_is_gone_breaks_it(folder: PlanFolder) -> None:
    sealed(folder, VALUES)
    less = {path: fields for path, fields in VALUES.items() if "unit" not in path}
    assert checked(folder, less).tampered == ("stages/build/units/unit-01-a.md",)


def test_while_the_engine_writes_both_are_right(folder: PlanFolder) -> None:
    """SH-06: killed between the seal and the file, or between the file and the seal."""
    sealed(folder, VALUES)
    first, second = {"status": "active", "phase": "a"}, {"status": "active", "phase": "b"}
    seal = checked(folder, VALUES)
    seal.expect([("intent.md", first), ("intent.md", second), ("new.md", {"status": "closed"})])
    for fields in (VALUES["intent.md"], first, second):
        assert checked(folder, VALUES | {"intent.md": fields}).whole
        assert checked(folder, VALUES | {"intent.md": fields, "new.md": {"status": "closed"}}).whole
    assert not checked(folder, VALUES | {"intent.md": {"phase": "c"}}).whole
    seal.settle({"intent.md": second, "new.md": {"status": "closed"}})
    assert not checked(folder, VALUES | {"intent.md": first, "new.md": {"status": "closed"}}).whole
    assert checked(folder, VALUES | {"intent.md": second, "new.md": {"status": "closed"}}).whole


@pytest.mark.parametrize("text", [None, b"", b"0123456789abcdef", b'{"files": {}, "mac": ""}', b"[" * 10_000])
def test_a_seal_that_is_taken_away_or_made_up_is_noticed(folder: PlanFolder, text: bytes | None) -> None:
    sealed(folder, VALUES)
    if text is None:
        folder.remove("intents/x/.fsm_checksum")
    else:
        folder.write("intents/x/.fsm_checksum", text)
    seal = checked(folder, VALUES)
    assert seal.tampered == (".fsm_checksum",)
    seal.take(VALUES)
    assert checked(folder, VALUES).whole


@pytest.mark.parametrize("text", [None, b"0123456789abcdef"])
def test_a_tree_from_elsewhere_opens(folder: PlanFolder, text: bytes | None) -> None:
    if text is not None:
        folder.write("intents/x/.fsm_checksum", text)
    assert checked(folder, VALUES).whole


def test_a_seal_of_another_intent_does_not_fit(folder: PlanFolder) -> None:
    sealed(folder, VALUES)
    folder.write("intents/y/.fsm_checksum", folder.read("intents/x/.fsm_checksum") or b"")
    other = Seal(folder, "y")
    other.settle({})
    folder.write("intents/y/.fsm_checksum", folder.read("intents/x/.fsm_checksum") or b"")
    again = Seal(folder, "y")
    again.check(VALUES)
    assert again.tampered == (".fsm_checksum",)


def test_what_was_sealed_in_a_copy_does_not_count_here(tmp_path: Path) -> None:
    """SH-56: a project that is moved opens as one from elsewhere; brought back, what was done there is told."""
    here, copy = PlanFolder(str(tmp_path / "here")), PlanFolder(str(tmp_path / "copy"))
    for made in (here, copy):
        Path(made.home).mkdir()
    sealed(here, VALUES)
    copy.write("intents/x/.fsm_checksum", here.read("intents/x/.fsm_checksum") or b"")
    forged = VALUES | {"intent.md": {"status": "completed"}}
    assert checked(copy, forged).whole
    sealed(copy, forged)
    here.write("intents/x/.fsm_checksum", copy.read("intents/x/.fsm_checksum") or b"")
    assert checked(here, forged).tampered == (".fsm_checksum",)


def test_one_place_has_one_seal_however_it_is_spelled(folder: PlanFolder, tmp_path: Path) -> None:
    sealed(folder, VALUES)
    (tmp_path.parent / f"{tmp_path.name}-link").symlink_to(tmp_path)
    other = PlanFolder(f"{tmp_path}-link")
    assert checked(other, VALUES | {"intent.md": {}}).tampered == ("intent.md",)


def test_a_seal_of_the_first_version_opens_once(folder: PlanFolder) -> None:
    """It knew no place and no lines. Made anew with the next write, it does."""
    lines: dict[str, dict[str, Any] | None] = {
        "stages/build/rulings.jsonl": {"lines": 1, "last": {"decision": "approved"}}
    }
    sealed(folder, VALUES)
    kept = msgspec.json.decode(folder.read("intents/x/.fsm_checksum") or b"")
    text = msgspec.json.encode(["x", kept["files"]], order="deterministic")
    first = {"files": kept["files"], "mac": hmac.new(secret_key(), text, "sha256").hexdigest(), "version": 1}
    folder.write("intents/x/.fsm_checksum", msgspec.json.encode(first))
    assert checked(folder, VALUES | {"intent.md": {}}).tampered == ("intent.md",)
    seal = checked(folder, VALUES | lines)
    assert seal.whole
    assert seal.is_at("any step of that version")
    seal.settle({})
    assert checked(folder, VALUES | lines).whole
    assert checked(folder, VALUES).tampered == ("stages/build/rulings.jsonl",)
    assert not checked(folder, VALUES | lines).is_at("any step")


def test_what_could_not_be_read_is_compared_once_it_can(folder: PlanFolder) -> None:
    path = "stages/build/units/unit-01-a.md"
    sealed(folder, VALUES)
    checked(folder, VALUES | {path: None}).settle({"intent.md": VALUES["intent.md"]})
    assert checked(folder, VALUES).whole
    assert checked(folder, VALUES | {path: {"status": "completed"}}).tampered == (path,)


def test_without_a_key_there_is_no_seal(folder: PlanFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "file" / "state"))
    sealed(folder, VALUES)
    assert checked(folder, {}).whole
    assert folder.read("intents/x/.fsm_checksum") is None


def test_two_seals_of_one_intent_know_nothing_of_each_other(folder: PlanFolder) -> None:
    sealed(folder, VALUES)
    other = Seal(folder, "x", DRIFT_SEAL)
    other.check({"baseline.json": {"sha256": "a"}})
    assert other.whole, "it was never sealed here"
    other.settle({"baseline.json": {"sha256": "a"}})
    assert (other.knows("baseline.json"), other.knows("intent.md")) == (True, False)
    assert checked(folder, VALUES).whole
    folder.remove("intents/x/.drift_checksum")
    gone = Seal(folder, "x", DRIFT_SEAL)
    gone.check({})
    assert gone.tampered == (DRIFT_SEAL,)
    assert checked(folder, VALUES).whole
