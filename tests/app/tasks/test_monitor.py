"""Events of a real repository: one for each change, and none that says nothing new."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from leeboard.app.tasks.monitor import HEARTBEAT, Monitor, MonitorNews
from leeboard.contracts.disk.drift_folder import DriftFolder
from leeboard.contracts.report_json import parse_event
from leeboard.io import clock
from tests.git_repository import ENVIRONMENT, GitRepository
from tests.killed_work import work_tree

Now = list[float]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitRepository:
    for name, value in (ENVIRONMENT | {"HOME": str(tmp_path / "home")}).items():
        monkeypatch.setenv(name, value)
    for name in ("XDG_STATE_HOME", "WG_DIR"):
        monkeypatch.delenv(name, raising=False)
    return work_tree(tmp_path / "repo")


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Now:
    """A clock to be set."""
    time = [1_800_000_000.0]
    monkeypatch.setattr(clock, "now", lambda: time[0])
    return time


def looked(repository: GitRepository, task: str = "") -> list[MonitorNews]:
    return list(Monitor(repository.root, os.environ, task).round())


def events(repository: GitRepository) -> list[dict[str, Any]]:
    path = repository.path / ".workgraph" / ".speedrift" / "events.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def said(repository: GitRepository) -> list[tuple[str, str]]:
    return [(event["task_id"], event["score"]) for event in events(repository)]


def graph(repository: GitRepository) -> Path:
    return repository.path / ".workgraph" / "graph.jsonl"


def test_one_event_for_each_task_and_change(repository: GitRepository) -> None:
    """SP-35, SP-37."""
    before = graph(repository).read_bytes()
    assert [told.task for told in looked(repository)] == ["one", "two"]
    assert looked(repository) == []
    repository.write("docs/a.md", "beyond\n")
    assert [json.loads(told.line) for told in looked(repository)] == events(repository)[2:]
    assert said(repository) == [("one", "green"), ("two", "yellow"), ("one", "yellow"), ("two", "yellow")]
    assert graph(repository).read_bytes() == before
    assert sorted(path.name for path in (repository.path / ".workgraph" / ".speedrift").iterdir()) == [
        *(".gitignore", "events.jsonl", "events.jsonl.lock")
    ]


def test_an_event_is_what_a_redirect_reads(repository: GitRepository) -> None:
    (told,) = looked(repository, "one")
    event = parse_event(told.line)
    assert event is not None
    assert (event.report.task_id, event.base, len(event.id)) == ("one", repository.head, 32)
    assert event.timestamp.endswith("Z")


def test_a_commit_hides_nothing_before_anybody_recorded_where_the_work_began(repository: GitRepository) -> None:
    begun = repository.head
    looked(repository, "one")
    repository.write("docs/a.md", "beyond\n")
    repository.commit("hidden?")
    looked(repository, "one")
    last = events(repository)[-1]
    assert (last["score"], last["base_commit"]) == ("yellow", begun)


def test_an_unchanged_tree_is_told_of_again_after_a_while(repository: GitRepository, now: Now) -> None:
    looked(repository, "one")
    for passed, count in ((HEARTBEAT - 1, 1), (1, 2), (0, 2), (-3 * HEARTBEAT, 3), (1, 3)):
        now[0] += passed
        looked(repository, "one")
        assert len(events(repository)) == count


def test_one_task_that_fails_keeps_no_other_from_being_looked_at(repository: GitRepository) -> None:
    text = graph(repository).read_text().replace('"id": "one",', '"id": "one", "started_at": "yesterday",')
    graph(repository).write_text(text)
    first, second = looked(repository)
    assert (first.is_error, "yesterday" in first.note, second.task) == (True, True, "two")
    assert (events(repository)[0]["kind"], events(repository)[0]["task_id"]) == ("monitor_error", "one")
    assert parse_event(first.line) is None
    assert looked(repository) == []


def test_what_the_end_breaks_is_no_failure(repository: GitRepository) -> None:
    graph(repository).write_text(
        graph(repository).read_text().replace('"id": "one",', '"id": "one", "started_at": "x",')
    )
    asked = iter((False, True, True, True))
    assert list(Monitor(repository.root, os.environ).round(lambda: next(asked))) == []
    assert events(repository) == []


def test_a_graph_that_is_gone_is_said_and_no_event(repository: GitRepository) -> None:
    graph(repository).unlink()
    graph(repository).mkdir()
    monitor = Monitor(repository.root, os.environ | {"WG_DIR": str(repository.path / ".workgraph")})
    (told,) = monitor.round()
    assert told.is_error
    assert not told.line


@pytest.mark.parametrize(("task", "count"), [("three", 0), ("two", 1)])
def test_only_tasks_in_progress(repository: GitRepository, task: str, count: int) -> None:
    assert len(looked(repository, task)) == count


def test_where_nothing_was_promised_there_is_nothing_to_say(repository: GitRepository) -> None:
    graph(repository).write_text("")
    assert looked(repository) == []
    assert not (repository.path / ".workgraph" / ".speedrift").exists()


def test_a_contract_without_a_task_has_its_events_too(repository: GitRepository) -> None:
    graph(repository).unlink()
    repository.write("leeboard.toml", '[contract]\nobjective = "Do it"\ntouch = ["src/**", "leeboard.toml"]\n')
    repository.write("docs/a.md", "beyond\n")
    (told,) = looked(repository)
    assert told.task == "contract"
    event = parse_event(told.line)
    assert event is not None
    assert (event.report.task_id, event.report.score) == ("", "yellow")


def test_a_name_that_is_no_text_is_no_reason_to_fail(repository: GitRepository) -> None:
    repository.write("docs/\udcff.md", "beyond\n")
    (told,) = looked(repository, "one")
    assert not told.is_error
    event = parse_event(told.line)
    assert event is not None
    assert event.report.score == "yellow"


def test_the_cursor_is_only_read(repository: GitRepository) -> None:
    folder = DriftFolder(str(repository.path / ".workgraph"))
    folder.make()
    state = repository.path / ".workgraph" / ".speedrift" / "state.json"
    state.write_text("{")
    assert any("can not be read" in told.note for told in looked(repository))
    assert state.read_text() == "{"
