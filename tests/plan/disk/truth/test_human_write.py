from __future__ import annotations

import base64
import os
import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from leeboard.plan.disk.truth.human_write import HumanWrite, HumanWritten, human_write
from leeboard.plan.effect import Refusal
from tests.truth_project import NOW, SLUG, TruthProject


def write(project: TruthProject, path: str, content: str = "text\n", **more: Any) -> HumanWritten | Refusal:
    return human_write(project.folder, SLUG, HumanWrite(path=path, content=content, **more), NOW)


def code(answer: HumanWritten | Refusal) -> str:
    return answer.code if isinstance(answer, Refusal) else ""


def test_written_logged_audited_and_found(project: TruthProject) -> None:
    """FD-37, FD-41, FD-44 to FD-47: the baseline waits for the next tick."""
    baseline = (project.top / "baseline.json").read_bytes()
    answer = write(project, "knowledge/old.md", "revised\n", claimed_author_id="po", rationale="as they said")
    assert isinstance(answer, HumanWritten)
    assert (answer.path, answer.author_class, answer.action_log_entry_id) == (
        "knowledge/old.md",
        "human-via-mcp",
        "HWM-1-01",
    )
    line = project.lines("action-log.jsonl")[-1]
    assert (line["sha"], line["tick_counter"], line["human_author_id"]) == (answer.sha, 1, "po")
    (audit,) = project.lines("write-audit.jsonl")
    assert (audit["entry_id"], audit["rationale"], audit["overwrite"]) == ("HWM-1-01", "as they said", True)
    assert (project.top / "baseline.json").read_bytes() == baseline
    assert project.findings() == {"knowledge/old.md": ("modified", "human-via-mcp")}


def test_the_same_content_by_hand_has_no_author(project: TruthProject) -> None:
    """FD-39, FD-48."""
    write(project, "knowledge/told.md", "same\n")
    project.write("knowledge/silent.md", "same\n")
    assert project.findings() == {
        "knowledge/silent.md": ("new-file-detected", "human-implicit"),
        "knowledge/told.md": ("new-file-detected", "human-via-mcp"),
    }


def test_an_unchanged_digest_is_no_finding(project: TruthProject) -> None:
    """FD-47."""
    write(project, "knowledge/old.md", "old\n")
    assert project.findings() == {}


def test_the_author_stays_with_the_baseline(project: TruthProject) -> None:
    """FD-40."""
    write(project, "stages/shape/knowledge/a/b.md")
    project.classify("ignore")
    found = project.json("stages/shape/baseline.json")["stages/shape/knowledge/a/b.md"]
    assert (found["author_class"], found["acknowledged_via"]) == ("human-via-mcp", "classification-terminal")


def test_the_alias(project: TruthProject) -> None:
    """FD-15: written to the canonical folder, unless the file lies in the other."""
    answer = write(project, "stages/shape/outputs/new.md")
    assert isinstance(answer, HumanWritten)
    assert answer.path == "stages/shape/artifacts/new.md"
    assert answer.dirs_created == ("stages/shape/artifacts",)
    project.write("stages/shape/outputs/there.md", "old\n")
    write(project, "stages/shape/artifacts/there.md", "new\n")
    assert (project.top / "stages/shape/outputs/there.md").read_text() == "new\n"
    assert not (project.top / "stages/shape/artifacts/there.md").exists()


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("../../outside.md", "path_escape"),
        ("/etc/passwd", "path_escape"),
        ("knowledge/../intent.md", "path_escape"),
        ("intent.md", "deny_list_match"),
        ("stages/shape/state.json", "deny_list_match"),
        ("stages/shape/units/unit-01-a.md", "deny_list_match"),
        ("baseline.json", "deny_list_match"),
        ("stages/shape/drift-assessments/DA-01.json", "deny_list_match"),
        ("Action-Log.jsonl", "deny_list_match"),
        ("knowledge/ANSWERS.md", "deny_list_match"),
        ("knowledge/answers.MD", "deny_list_match"),
        ("src/app.py", "no_allow_match"),
        ("stages/none/knowledge/a.md", "invalid_stage"),
    ],
)
def test_places_that_are_nobodys(project: TruthProject, path: str, reason: str) -> None:
    answer = write(project, path)
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.details["reason"]) == ("path_outside_tracked_surface", reason)
    assert "it may lie below knowledge/, stages/STAGE/artifacts/, stages/STAGE/knowledge/" in answer.message
    assert "(STAGE is build or shape)" in answer.message
    assert project.lines("write-audit.jsonl") == []


def test_refusals(project: TruthProject) -> None:
    assert (
        code(human_write(project.folder, "none", HumanWrite(path="knowledge/a", content="x"), NOW))
        == "intent_not_found"
    )
    assert (
        code(human_write(project.folder, "../x", HumanWrite(path="knowledge/a", content="x"), NOW))
        == "intent_not_found"
    )
    assert code(write(project, "knowledge/a", "", content_encoding="utf-8")) == "empty_content"
    assert code(write(project, "knowledge/a", "%%%", content_encoding="base64")) == "invalid_content_encoding"
    assert code(write(project, "knowledge/a", "x", content_encoding="utf-16")) == "invalid_content_encoding"
    assert code(write(project, "knowledge/a", "\ud800")) == "invalid_content_encoding"
    assert code(write(project, "knowledge/old.md", overwrite=False)) == "path_already_exists"
    assert code(write(project, "knowledge/deep/a.md", create_dirs=False)) == "parent_dir_missing"
    assert code(write(project, "knowledge/old.md/below")) == "disk_write_failed"
    (project.top / "knowledge/folder").mkdir()
    assert code(write(project, "knowledge/folder")) == "disk_write_failed"
    assert project.lines("write-audit.jsonl") == []


@pytest.mark.parametrize(
    ("old", "new", "wanted"), [("active", "locked", "intent_locked"), ("", "", "intent_not_active")]
)
def test_intents_that_are_not_written_to(project: TruthProject, old: str, new: str, wanted: str) -> None:
    text = (project.top / "intent.md").read_text()
    changed = (
        text.replace(f"status: {old}", f"status: {new}") if old else text.replace("---\n", "---\narchived: true\n", 1)
    )
    project.write("intent.md", changed)
    assert code(write(project, "knowledge/a.md")) == wanted


def test_a_project_that_wants_to_know_why(project: TruthProject) -> None:
    (project.path / ".haiku/settings.yml").write_text("human_write_require_rationale: true\n")
    assert code(write(project, "knowledge/a.md", rationale=" ")) == "rationale_required"
    assert code(write(project, "knowledge/a.md", rationale="asked for")) == ""


def test_with_the_gate_switched_off(project: TruthProject) -> None:
    """O-13, FD-45: logged and audited all the same."""
    (project.path / ".haiku/settings.yml").write_text("drift_detection: false\n")
    write(project, "knowledge/a.md")
    assert len(project.lines("write-audit.jsonl")) == 1


def test_links_are_not_followed(project: TruthProject) -> None:
    outside = project.path / "outside"
    outside.mkdir()
    (project.top / "knowledge/link.md").symlink_to(outside / "a.md")
    (project.top / "knowledge/away").symlink_to(outside)
    (project.top / "stages/shape/discovery").symlink_to(outside)
    for path in ("knowledge/link.md", "knowledge/away/a.md", "stages/shape/discovery/a.md"):
        answer = write(project, path)
        assert isinstance(answer, Refusal)
        assert answer.details["reason"] == "parent_chain_contains_symlink"
    assert list(outside.iterdir()) == []


def test_long_and_secret_words_are_bounded(project: TruthProject) -> None:
    key = "ghp_" + "q7Zk2Wm9Tx4Rb8Nc3Vd6Hf1Jg5Ls0PaYeUi"
    write(
        project,
        "knowledge/a.md",
        claimed_author_id="p" * 5000,
        rationale=f"use {key} " + "é" * 9000,
        user_instruction_excerpt="e" * 900,
    )
    (audit,) = project.lines("write-audit.jsonl")
    assert len(audit["claimed_author_id"]) == 128
    assert audit["rationale"].endswith("...[truncated]")
    assert len(audit["rationale"].encode()) <= 4096
    assert audit["user_instruction_excerpt"] == "e" * 200 + "..."
    assert key not in (project.top / "write-audit.jsonl").read_text()


def test_fifty_megabytes_and_bytes(project: TruthProject) -> None:
    content = os.urandom(1 << 20) * 50
    answer = write(project, "knowledge/film.bin", base64.b64encode(content).decode(), content_encoding="base64")
    assert isinstance(answer, HumanWritten)
    assert (project.top / "knowledge/film.bin").read_bytes() == content
    assert project.findings() == {"knowledge/film.bin": ("new-file-detected", "human-via-mcp")}


@contextmanager
def small_disk(size: int) -> Iterator[None]:
    """No file of this process may grow beyond it."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("size", [50_000, 400, 0])
def test_a_disk_that_is_full(project: TruthProject, size: int) -> None:
    """Wherever it fails, nothing is left and the file is as it was."""
    with small_disk(size):
        assert code(write(project, "knowledge/old.md", "x" * 100_000)) == "disk_write_failed"
    assert (project.top / "knowledge/old.md").read_text() == "old\n"
    assert not list(project.top.glob(".hwm-tmp-*"))
    assert not (project.path / f".haiku/tmp/{SLUG}.hwm").exists()
    assert project.findings() == {}
    assert code(write(project, "knowledge/old.md")) == ""


def test_folders_swapped_for_links_all_the_time(project: TruthProject) -> None:
    """Whatever comes of it: nothing is ever written outside, and a file is one of those that were asked for, whole."""
    outside, stop = project.path / "outside", threading.Event()
    outside.mkdir()
    project.write("knowledge/deep/a.md", "0\n")

    def swap() -> None:
        place, aside = project.top / "knowledge/deep", project.top / "knowledge/aside"
        while not stop.is_set():
            place.rename(aside)
            place.symlink_to(outside)
            place.unlink()
            aside.rename(place)

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        answers = [write(project, "knowledge/deep/a.md", f"{number}\n", create_dirs=False) for number in range(40)]
    finally:
        stop.set()
        swapper.join()
    assert {code(answer) for answer in answers} - {""} <= {
        "path_outside_tracked_surface",
        "parent_dir_missing",
        "disk_write_failed",
    }
    assert list(outside.iterdir()) == []
    assert (project.top / "knowledge/deep/a.md").read_text() in {f"{number}\n" for number in range(40)}
    assert not list(project.top.glob(".hwm-tmp-*"))
