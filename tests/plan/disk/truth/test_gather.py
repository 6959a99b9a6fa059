from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from leeboard.model.truth import ABSENT, LogEntry
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.truth import gather as gathering
from leeboard.plan.disk.truth.action_log import append, told
from leeboard.plan.disk.truth.agent_writes import AgentWrite, agent_wrote
from leeboard.plan.disk.truth.gather import gather
from leeboard.plan.disk.truth.reset import baseline_init
from leeboard.plan.effect import Refusal
from leeboard.plan.surface import spelled
from tests.small_project import SMALL
from tests.truth_project import NOW, SLUG, TruthProject


def shown(project: TruthProject) -> dict[str, str]:
    return {each.path: each.kind for each in project.truth().divergences}


def test_an_unchanged_tree_differs_in_nothing(project: TruthProject) -> None:
    """FD-07."""
    truth = project.truth()
    assert (truth.divergences, truth.notes, truth.surface) == ((), (), 1)
    assert truth.standing == {"": "established", "shape": "established"}


def test_new_changed_and_removed(project: TruthProject) -> None:
    """FD-01, FD-02, FD-08, FD-09, FD-10, FD-15: also twice in a row, from memory."""
    project.write("stages/shape/outputs/mock.png", b"\x89PNG\0 one")
    project.write("knowledge/gone.md", "soon\n")
    project.classify("ignore")
    assert shown(project) == {}
    project.write("knowledge/old.md", "old\nnewer\n")
    project.write("knowledge/requirements.md", "# Revised\n")
    project.write("stages/shape/outputs/mock.png", b"\x89PNG\0 two")
    (project.top / "knowledge/gone.md").unlink()
    for _ in range(2):
        assert shown(project) == {
            "knowledge/gone.md": "file-removed",
            "knowledge/old.md": "modified",
            "knowledge/requirements.md": "new-file-detected",
            "stages/shape/artifacts/mock.png": "modified",
        }
    diffs = {each.path: each.diff for each in project.truth().divergences}
    assert diffs["knowledge/old.md"] is not None
    assert "+newer\n" in diffs["knowledge/old.md"]
    assert diffs["knowledge/requirements.md"] is not None
    assert diffs["stages/shape/artifacts/mock.png"] is None
    assert diffs["knowledge/gone.md"] is None


def test_restored_times_hide_nothing(project: TruthProject) -> None:
    """FD-06, FD-57: and times or modes alone are nothing."""
    path = project.top / "knowledge/old.md"
    times = path.stat()
    path.chmod(0o600)
    os.utime(path, ns=(1, 1))
    assert shown(project) == {}
    path.write_text("odl\n")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert shown(project) == {"knowledge/old.md": "modified"}


def test_a_later_stage_is_looked_at_when_it_is_reached(project: TruthProject) -> None:
    """FD-19: what was dropped into it before is found then."""
    project.write("stages/build/knowledge/early.md", "too early\n")
    assert shown(project) == {}
    state = project.folder.text(f"intents/{SLUG}/stages/shape/state.json") or ""
    project.write("stages/shape/state.json", state.replace('"active"', '"completed"'))
    assert shown(project) == {"stages/build/knowledge/early.md": "new-file-detected"}
    project.write("stages/shape/artifacts/late.md", "an earlier stage\n")
    assert "stages/shape/artifacts/late.md" in shown(project)


def test_what_the_log_says_comes_along(project: TruthProject) -> None:
    project.agent_writes("knowledge/old.md", "by the agent\n")
    project.agent_writes("knowledge/old.md", "once more\n")
    (found,) = project.truth().divergences
    assert [line.author_class for line in found.log] == ["agent", "agent"]
    assert found.log[1].before_sha == found.log[0].sha


def test_the_log_is_only_read_when_something_differs(project: TruthProject, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not further back than the last tick at which nothing did."""
    asked: list[tuple[int, int, int]] = []
    real = told

    def counted(folder: PlanFolder, slug: str, paths: set[str], since: int, *, scopes: set[str]) -> object:
        asked.append((len(paths), len(scopes), since))
        return real(folder, slug, paths, since, scopes=scopes)

    monkeypatch.setattr(gathering, "told", counted)
    project.tick()
    for _ in range(12):
        project.tick()
    assert {(paths, scopes) for paths, scopes, _ in asked} == {(0, 0)}
    project.write("knowledge/old.md", "changed\n")
    project.tick()
    assert asked[-1][:2] == (1, 1)
    assert asked[-1][2] > 1


def test_what_was_written_over_is_found_though_nothing_differs(project: TruthProject) -> None:
    """The log grew. It stays until it is classified; then the log is left alone again."""
    person = project.write("knowledge/old.md", "a person's\n")
    lost = project.sha("knowledge/old.md")
    project.agent_writes("knowledge/old.md", "old\n")
    new, made = project.write("knowledge/new.md", "dropped in\n"), project.sha("knowledge/new.md")
    new.unlink()
    wrote = [AgentWrite(place="knowledge/new.md", sha=ABSENT, before=made)]
    agent_wrote(project.folder, SLUG, wrote, project.number, NOW)
    for _ in range(2):
        assert {each.path: each.buried for each in project.truth().divergences} == {
            "knowledge/new.md": made,
            "knowledge/old.md": lost,
        }
        assert project.findings() == {
            "knowledge/new.md": ("file-removed", "agent"),
            "knowledge/old.md": ("modified", "agent"),
        }
    project.classify("ignore")
    assert person.read_text() == "old\n"
    assert [project.findings() for _ in range(3)] == [{}] * 3
    assert project.truth().divergences == ()


def test_lines_before_a_baseline_accuse_nobody(tmp_path: Path) -> None:
    """Of the same tick."""
    project = TruthProject(tmp_path / "begun", SMALL)
    project.write("knowledge/old.md", "a person's\n")
    project.agent_writes("knowledge/old.md", "the agent's\n")
    assert not isinstance(baseline_init(project.folder, SLUG, NOW), Refusal)
    project.engine.tick(SLUG)
    assert project.truth().divergences == ()


def test_nobody_elses_lines_explain(project: TruthProject) -> None:
    project.agent_writes("knowledge/a.md", "x\n")
    log = project.top / "action-log.jsonl"
    lines = log.read_text().splitlines()
    log.write_text("\n".join([*lines[:-1], lines[-1].replace('"AGW-1-01"', '"AGW-1-09"')]) + "\n")
    truth = project.truth()
    assert truth.divergences[0].log == ()
    assert "1 lines of action-log.jsonl were written by somebody else" in truth.notes[0]


def test_the_switch(project: TruthProject) -> None:
    """FD-53, FD-54: nothing is read, and an unreadable baseline does no harm."""
    (project.path / ".haiku/settings.yml").write_text("drift_detection: false\n")
    (project.top / "baseline.json").unlink()
    (project.top / "baseline.json").mkdir()
    project.write("knowledge/new.md", "x\n")
    reads: list[str] = []
    plan = project.plan()
    reading = PlanFolder(str(project.path))
    read = PlanFolder.read

    def noted(self: PlanFolder, path: str, *most: int) -> bytes | None:
        reads.append(path)
        return read(self, path, *most)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PlanFolder, "read", noted)
        assert gather(reading, plan) is None
    assert reads == ["settings.yml"]
    assert project.tick().action == "elaborate"


def test_no_stage_is_worked_on(project: TruthProject) -> None:
    text = (project.top / "intent.md").read_text()
    project.write("intent.md", text.replace("status: active", "status: completed"))
    assert gather(project.folder, project.plan()) is None


def test_markers_and_the_digests_they_are_about(project: TruthProject) -> None:
    """FD-27, FD-50: the baseline waits; an absent file is said to be so."""
    (project.top / "knowledge/old.md").unlink()
    project.write("knowledge/new.md", "x\n")
    project.classify("surface-as-feedback")
    truth = project.truth()
    assert [(marker.path, marker.sha) for marker in truth.markers] == [
        ("knowledge/new.md", project.sha("knowledge/new.md")),
        ("knowledge/old.md", ABSENT),
    ]
    assert truth.now_at == {"knowledge/new.md": project.sha("knowledge/new.md"), "knowledge/old.md": ABSENT}
    assert truth.acknowledged["knowledge/new.md"] == ABSENT
    assert truth.acknowledged["knowledge/old.md"] != ABSENT
    assert truth.dispatch is None
    assert truth.last_assessment is not None
    assert (truth.last_assessment.id, truth.next_assessment) == ("AS-01", 2)


def test_names_that_are_no_text_and_what_is_no_file_any_more(project: TruthProject) -> None:
    """FD-10: a pipe in the place of a file; once that is classified it is a note."""
    name = os.fsdecode(b"knowledge/caf\xe9.md")
    project.write(name, "x\n")
    assert list(shown(project)) == [spelled(name)]
    project.classify("ignore")
    assert shown(project) == {}
    (project.top / name).unlink()
    os.mkfifo(project.top / name)
    assert shown(project) == {spelled(name): "file-removed"}
    project.classify("ignore")
    assert shown(project) == {}
    assert "could not be looked at" in project.truth().notes[0]


def test_what_the_time_did_not_reach_is_said_and_not_gone(project: TruthProject) -> None:
    (project.path / ".haiku/settings.yml").write_text("drift_seconds: 0.000001\n")
    assert shown(project) == {}
    assert any("ran out" in note for note in project.truth().notes)
    clue = project.engine.tick(SLUG)
    assert not clue.is_error
    assert any("ran out" in note for note in clue.payload["warnings"])


def test_what_was_shown_stays_open_however_little_time_there_is(project: TruthProject) -> None:
    """Edited, new or removed; what was not reached is named, some of it."""
    gone = project.write("knowledge/gone.md", "1\n")
    project.findings()
    project.classify("ignore")
    gone.unlink()
    for name in ("knowledge/new.md", "stages/shape/outputs/a.md"):
        project.write(name, "somebody's\n")
    asked = project.tick()
    paths = ["knowledge/gone.md", "knowledge/new.md", "stages/shape/outputs/a.md"]
    assert [each["path"] for each in asked.payload["findings"]] == paths
    (project.path / ".haiku/settings.yml").write_text("drift_seconds: 0.000001\n")
    for number in range(30):
        project.write(f"knowledge/more/{number}.md", "x\n")
    again = project.tick()
    assert again.payload["findings"] == asked.payload["findings"]
    assert again.payload["tick_id"] == asked.payload["tick_id"]
    told = next(note for note in again.payload["notes"] if "ran out" in note)
    assert "drift_seconds" in told
    assert "files and folders were not looked at: knowledge" in told
    project.write("knowledge/new.md", "changed again\n")
    assert len(project.findings()) == 3
    project.classify("ignore")
    assert project.findings() == {}


def test_a_folder_swapped_for_a_link(project: TruthProject, tmp_path: Path) -> None:
    """What lies behind it is not ours: its files are gone, the link itself is new."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/old.md").write_text("old\n")
    (project.top / "knowledge").rename(tmp_path / "moved")
    (project.top / "knowledge").symlink_to(tmp_path / "outside")
    assert shown(project) == {"knowledge": "new-file-detected", "knowledge/old.md": "file-removed"}


def test_a_file_that_never_holds_still(project: TruthProject) -> None:
    """It is told with a digest it had, or as one that nobody could read: it is never gone."""
    path, stop = project.write("knowledge/busy.bin", b"x"), threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            path.write_bytes(bytes([number % 250]) * 400_000)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(5):
            truth = project.truth()
            seen = [each.kind for each in truth.divergences if each.path == "knowledge/busy.bin"]
            assert seen in (["new-file-detected"], []), seen
            assert seen or truth.notes
    finally:
        stop.set()
        writer.join()


def test_large_and_binary_files(project: TruthProject) -> None:
    """FD-02: fifty megabytes are hashed, and not shown."""
    project.write("stages/shape/artifacts/film.bin", os.urandom(1 << 20) * 50)
    (found,) = project.truth().divergences
    assert found.file is not None
    assert (found.file.bytes, found.file.is_binary, found.diff) == (50 << 20, True, None)
    assert found.sha == project.sha("stages/shape/artifacts/film.bin")


def test_an_earlier_tools_tree(project: TruthProject) -> None:
    """O-16: the intent's knowledge lay in the baseline of each stage; that of the active one counts."""
    entries = project.record().entries("")
    from leeboard.plan.files.truth import format_baseline  # noqa: PLC0415 - here alone

    project.record().write({"stages/shape/baseline.json": format_baseline(entries)})
    project.record().forget()
    for name in ("baseline.json", "action-log.jsonl"):
        (project.top / name).unlink()
    for seal in (project.path.parent / "state/seals").iterdir():
        seal.unlink()
    (project.top / ".fsm_checksum").unlink()
    project.write("knowledge/old.md", "changed meanwhile\n")
    assert project.findings() == {"knowledge/old.md": ("modified", "human-implicit")}


def test_a_clock_that_is_set_back_changes_nothing(project: TruthProject) -> None:
    """Ticks order what happened, no clock does."""
    project.engine = type(project.engine)(str(project.path), clock=lambda: "1999-01-01T00:00:00Z")
    project.agent_writes("knowledge/old.md", "by the agent\n")
    os.utime(project.top / "knowledge/old.md", ns=(1, 1))
    assert project.findings() == {}
    entry = LogEntry(
        entry_type="human_write",
        path="knowledge/old.md",
        sha=project.sha("knowledge/old.md"),
        author_class="human-via-mcp",
        timestamp=NOW,
        tick_counter=1,
    )
    append(project.folder, SLUG, [entry])
    assert project.findings() == {}, "a line of an earlier tick explains nothing now"
