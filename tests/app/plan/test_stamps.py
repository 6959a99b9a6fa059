from __future__ import annotations

import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from leeboard.app.plan.stamps import ALONE_SECONDS, Stamps
from leeboard.clients.claude_code.hooks import parse
from leeboard.model.event import ToolFinished, ToolProposed
from leeboard.model.session import AgentState, OpenCall, Session
from leeboard.model.truth import ABSENT, LogEntry
from leeboard.model.workspace import Workspace
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.truth.action_log import told
from tests.hook_process import shell
from tests.plan_tree import SLUG, STAGE, PlanTree
from tests.trusting import in_trust

INNER = f".haiku/intents/{SLUG}"
DOC = f"stages/{STAGE}/knowledge/brief.md"
BUSY = Session(id="s", agents=(AgentState(open_calls=(OpenCall(id="other", action="bash", turn=1),)),))


def sha(text: str) -> str:
    return sha256(text.encode()).hexdigest()


class Stand:
    """The tracked files of an intent, and shell lines of one session over them."""

    def __init__(self, folder: Path) -> None:
        self.tree = PlanTree(folder)
        self.top = self.tree.top / INNER
        self.stamps = Stamps(str(self.tree.top), SLUG, Workspace(str(self.tree.top)), "s")

    def put(self, path: str, text: str) -> None:
        (self.top / path).parent.mkdir(parents=True, exist_ok=True)
        (self.top / path).write_text(text)

    def line(
        self,
        command: str,
        does: Callable[[], Any],
        *,
        session: Session | None = None,
        takes: float = 1.0,
        fails: bool = False,
    ) -> tuple[LogEntry, ...]:
        """A line that runs, and what is stamped after it."""
        before = parse(shell("t1", command, cwd=str(self.tree.top)), now=1.0)
        self.stamps.remember(next(event for event in before.events if isinstance(event, ToolProposed)))
        does()
        how: dict[str, Any] = {"error": "Exit code 1"} if fails else {"tool_response": {"stdout": ""}}
        name = "PostToolUseFailure" if fails else "PostToolUse"
        told_after = shell("t1", command, name=name, cwd=str(self.tree.top), **how)
        after = parse(told_after, now=1.0 + takes)
        return self.stamps.stamp(next(event for event in after.events if isinstance(event, ToolFinished)), session)

    def log(self, path: str) -> list[tuple[str, str | None, str]]:
        entries = told(PlanFolder(str(self.tree.top)), SLUG, [path]).entries.get(path, ())
        return [(entry.author_class, entry.before_sha, entry.sha) for entry in entries]


@pytest.fixture
def stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stand:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    in_trust(monkeypatch)
    return Stand(tmp_path)


def test_a_line_that_names_the_file_stamps_what_it_wrote_and_over_what(stand: Stand) -> None:
    stand.put(DOC, "old\n")
    found = stand.line(f"sed -i s/old/new/ {INNER}/{DOC}", lambda: stand.put(DOC, "new\n"))
    assert [entry.entry_id for entry in found] == ["AGW-0-01"]
    assert stand.log(DOC) == [("agent", sha("old\n"), sha("new\n"))]


def test_the_alias_is_stamped_by_its_canonical_name(stand: Stand) -> None:
    """FD-15."""
    place = f"stages/{STAGE}/outputs/plan.txt"
    stand.line(f"echo made > {INNER}/{place}", lambda: stand.put(place, "made\n"))
    assert stand.log(f"stages/{STAGE}/artifacts/plan.txt") == [("agent", ABSENT, sha("made\n"))]


def test_a_removed_file_is_stamped_as_absent(stand: Stand) -> None:
    stand.put(DOC, "old\n")
    stand.line(f"rm {INNER}/{DOC}", (stand.top / DOC).unlink)
    assert stand.log(DOC) == [("agent", sha("old\n"), ABSENT)]


def test_what_its_script_names_belongs_to_a_line_that_was_alone(stand: Stand) -> None:
    stand.put(DOC, "old\n")
    stand.tree.git.write("gen.sh", "#!/bin/sh\nmake_the brief.md\n")
    stand.line("./gen.sh", lambda: stand.put(DOC, "new\n"))
    assert stand.log(DOC) == [("agent", sha("old\n"), sha("new\n"))]


@pytest.mark.parametrize(
    "command",
    [
        f"for n in brief other; do echo $n > {INNER}/{DOC.replace('brief', '$n')}; done",
        f"git diff --stat > {INNER}/{DOC.replace('brief', 'b$(date +%F)')}",
    ],
)
def test_a_name_that_the_line_puts_together_is_its_own(stand: Stand, command: str) -> None:
    assert "brief.md" not in command
    stand.put(DOC, "old\n")
    stand.line(command, lambda: stand.put(DOC, "new\n"))
    assert stand.log(DOC) == [("agent", sha("old\n"), sha("new\n"))]


@pytest.mark.parametrize("command", ["./gen.sh", "python3 build.py", "make -v; pytest --version", "git pull"])
def test_what_a_person_saves_while_a_line_runs_that_names_nothing_is_not_its_work(stand: Stand, command: str) -> None:
    stand.tree.git.write("gen.sh", "#!/bin/sh\nsleep 2\n")
    stand.tree.git.write("build.py", "import time\n")
    stand.line(command, lambda: stand.put(DOC, "the person's\n"), takes=2.5)
    assert stand.log(DOC) == []


def test_what_a_line_took_away_before_anybody_saw_it_is_put_down(stand: Stand) -> None:
    """Nothing differs any more, so nobody would ever hear of it."""
    stand.tree.git.write("clean.sh", "#!/bin/sh\nempty_everything\n")
    stand.put(DOC, "the person's\n")
    stand.line("./clean.sh", (stand.top / DOC).unlink)
    assert stand.log(DOC) == [("agent", sha("the person's\n"), ABSENT)]


def test_a_line_that_failed_has_written_what_it_wrote_before(stand: Stand) -> None:
    stand.line(f"echo new > {INNER}/{DOC}; false", lambda: stand.put(DOC, "new\n"), fails=True)
    assert stand.log(DOC) == [("agent", ABSENT, sha("new\n"))]


@pytest.mark.parametrize(
    ("session", "takes"), [(BUSY, 1.0), (None, ALONE_SECONDS + 1), (None, -5.0)], ids=["busy", "long", "clock set back"]
)
def test_else_it_belongs_to_nobody_alone(stand: Stand, session: Session | None, takes: float) -> None:
    stand.put(DOC, "old\n")
    stand.tree.git.write("gen.sh", "#!/bin/sh\nmake_the brief.md\n")
    stand.line("./gen.sh", lambda: stand.put(DOC, "new\n"), session=session, takes=takes)
    assert stand.log(DOC) == []


REPORT = f"stages/{STAGE}/artifacts/junit.xml"
FOLDER = f"{INNER}/stages/{STAGE}/artifacts"


@pytest.mark.parametrize(
    "command",
    [
        f"python3 -m pytest -q --junitxml={FOLDER}/junit.xml",
        f"python3 -m pytest -q --junitxml {FOLDER}/junit.xml",
        f"cd {FOLDER}; python3 -m pytest -q --junitxml=junit.xml",
        f"pytest --junitxml={FOLDER}/junit.xml 2>&1 | tail -3",
    ],
)
@pytest.mark.parametrize("takes", [1.0, ALONE_SECONDS + 60])
def test_what_a_line_tells_a_test_runner_to_write_is_its_own(stand: Stand, command: str, takes: float) -> None:
    (stand.tree.top / FOLDER).mkdir(parents=True, exist_ok=True)
    stand.put(REPORT, "old\n")
    stand.line(command, lambda: stand.put(REPORT, "new\n"), takes=takes)
    assert stand.log(REPORT) == [("agent", sha("old\n"), sha("new\n"))]


@pytest.mark.parametrize(
    ("command", "takes"),
    [
        (f"cat {FOLDER}/junit.xml", 1.0),
        (f"pytest --junitxml={FOLDER}/other.xml", 1.0),
        (f"pytest {FOLDER}/junit.xml", ALONE_SECONDS + 60),
    ],
)
def test_what_a_line_reads_or_does_not_name_is_not(stand: Stand, command: str, takes: float) -> None:
    stand.put(REPORT, "old\n")
    stand.line(command, lambda: stand.put(REPORT, "the person's\n"), takes=takes)
    assert stand.log(REPORT) == []


@pytest.mark.parametrize("command", ["cat a.txt", "git status", "sed -i s/a/b/ src/login.py"])
def test_a_line_that_can_not_write_there_leaves_no_look(stand: Stand, tmp_path: Path, command: str) -> None:
    stand.line(command, lambda: stand.put(DOC, "somebody else's\n"))
    assert stand.log(DOC) == []
    assert not (tmp_path / "state/stamps").exists()


def test_where_drift_is_switched_off_nothing_is_looked_at(stand: Stand, tmp_path: Path) -> None:
    """FD-54."""
    stand.tree.git.write(".haiku/settings.yml", "drift_detection: false\n")
    stand.line("./gen.sh", lambda: stand.put(DOC, "new\n"))
    assert stand.log(DOC) == []
    assert not (tmp_path / "state/stamps").exists()


def test_what_was_written_whole_is_stamped_as_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Real hook processes around a Write; somebody else changes the file before the second one looks."""
    stand = Stand(tmp_path)
    monkeypatch.setenv("LEEBOARD_STATE_DIR", stand.tree.process.state_dir)
    stand.tree.wrote(stand.top / DOC)
    assert stand.log(DOC) == [("agent", ABSENT, sha("made\n"))]
    given: dict[str, object] = {"file_path": str(stand.top / DOC), "content": "mine\n"}
    stand.tree.call("Write", given)
    stand.put(DOC, "theirs\n")
    call: dict[str, Any] = {"tool_name": "Write", "tool_input": given, "tool_use_id": f"toolu_{stand.tree.calls}"}
    stand.tree.hook("PostToolUse", **call, tool_response={})
    assert stand.log(DOC)[1:] == [("agent", sha("made\n"), sha("mine\n"))]


def test_calls_side_by_side_follow_one_another(stand: Stand) -> None:
    """Both look before either writes; the second one wrote over the first one's work."""
    stand.put(DOC, "a b\n")
    calls = {"t1": ("s/a/x/", "x b\n"), "t2": ("s/b/y/", "x y\n")}
    for call, (command, _) in calls.items():
        given = shell(call, f"sed -i {command} {INNER}/{DOC}", cwd=str(stand.tree.top))
        events = parse(given, now=1.0).events
        stand.stamps.remember(next(event for event in events if isinstance(event, ToolProposed)))
    for call, (command, text) in calls.items():
        stand.put(DOC, text)
        line = f"sed -i {command} {INNER}/{DOC}"
        given = shell(call, line, name="PostToolUse", cwd=str(stand.tree.top), tool_response={"stdout": ""})
        events = parse(given, now=2.0).events
        stand.stamps.stamp(next(event for event in events if isinstance(event, ToolFinished)), BUSY)
    assert stand.log(DOC) == [("agent", sha("a b\n"), sha("x b\n")), ("agent", sha("x b\n"), sha("x y\n"))]


FOLDER = f"stages/{STAGE}/knowledge/notes"


def test_a_folder_stands_for_the_files_in_it(stand: Stand) -> None:
    """Also while other calls are open: the line named it."""
    stand.put(f"{FOLDER}/a.md", "a\n")
    moved = f"stages/{STAGE}/knowledge/kept"
    there, then = stand.top / FOLDER, stand.top / moved
    stand.line(f"mv {INNER}/{FOLDER} {INNER}/{moved}", lambda: there.rename(then), session=BUSY)
    assert stand.log(f"{FOLDER}/a.md") == [("agent", sha("a\n"), ABSENT)]
    assert stand.log(f"{moved}/a.md") == [("agent", ABSENT, sha("a\n"))]
    stand.line(f"rm -rf {INNER}/{moved}", lambda: shutil.rmtree(then), session=BUSY)
    assert stand.log(f"{moved}/a.md")[1:] == [("agent", sha("a\n"), ABSENT)]
    assert stand.log(DOC) == []


class Edited:
    """An Edit by real hook processes, and what else happens to the file meanwhile."""

    def __init__(self, stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("LEEBOARD_STATE_DIR", stand.tree.process.state_dir)
        self.stand = stand

    def play(self, *texts: str, name: str = "PostToolUse") -> None:
        """From `old one`, over these texts."""
        tree = self.stand.tree
        self.stand.put(DOC, "old one\n")
        given: dict[str, object] = {"file_path": str(self.stand.top / DOC), "old_string": "old", "new_string": "new"}
        tree.call("Edit", given)
        for text in texts:
            self.stand.put(DOC, text)
        tree.hook(name, tool_name="Edit", tool_input=given, tool_use_id=f"toolu_{tree.calls}", tool_response={})


def test_an_edit_that_failed_claims_nothing(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    """What failed because a person saved the file leaves the person's change to be asked about."""
    Edited(stand, monkeypatch).play("theirs\n", name="PostToolUseFailure")
    assert stand.log(DOC) == []


def test_an_edit_is_stamped_with_what_it_leads_to(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is saved between the two hooks belongs to somebody else."""
    edited = Edited(stand, monkeypatch)
    edited.play("new one\n")
    edited.play("new one\n", "new one, said somebody\n")
    assert stand.log(DOC) == [("agent", sha("old one\n"), sha("new one\n"))]


def test_a_tool_of_a_file_server_is_stamped_like_a_write(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move takes one file away and makes another."""
    monkeypatch.setenv("LEEBOARD_STATE_DIR", stand.tree.process.state_dir)
    tree, moved = stand.tree, f"stages/{STAGE}/knowledge/moved.md"

    def served(tool: str, given: dict[str, object], does: Callable[[], Any]) -> None:
        tree.call(f"mcp__filesystem__{tool}", given)
        does()
        name, call_id = f"mcp__filesystem__{tool}", f"toolu_{tree.calls}"
        call: dict[str, Any] = {"tool_name": name, "tool_input": given, "tool_use_id": call_id}
        tree.hook("PostToolUse", **call, tool_response=[{"type": "text", "text": "ok"}])

    served("write_file", {"path": str(stand.top / DOC), "content": "new\n"}, lambda: stand.put(DOC, "new\n"))
    there, then = stand.top / DOC, stand.top / moved
    served("move_file", {"source": str(there), "destination": str(then)}, lambda: there.rename(then))
    assert stand.log(DOC) == [("agent", ABSENT, sha("new\n")), ("agent", sha("new\n"), ABSENT)]
    assert stand.log(moved) == [("agent", ABSENT, sha("new\n"))]
