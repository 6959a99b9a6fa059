"""Open PR: a real push into a real bare repository, and the program of the host as its pages say it behaves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from leeboard.app.person.gate import GateWord, record_decision
from leeboard.app.person.pull_request import open_review
from leeboard.app.plan.engine import Engine
from leeboard.plan.disk.read import look
from tests.flow_desk import SLUG, FlowDesk
from tests.git_repository import GitRepository
from tests.host_stand_in import HostStandIn

HUB = f"haiku/{SLUG}/main"
STAGE = "---\nname: build\nhats: [builder]\nreview: [external, ask]\nelaboration: autonomous\n---\nBuild it.\n"


class Reviewed:
    """An intent at the gate of its stage, in a clone of a bare repository."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, program: str = "", refuses: str = "") -> None:
        self.desk = FlowDesk(folder, patch)
        self.repository = self.desk.repository
        self.repository.write(".haiku/studios/one/STUDIO.md", "---\nname: One\nslug: one\nstages: [build]\n---\n")
        self.repository.write(".haiku/studios/one/stages/build/STAGE.md", STAGE)
        self.repository.write(".haiku/studios/one/stages/build/hats/builder.md", "Build it.\n")
        self.repository.commit("a studio")
        self.bare = folder / "remote.git"
        self.repository.run("clone", "-q", "--bare", ".", str(self.bare))
        self.repository.run("remote", "add", "origin", str(self.bare))
        self.repository.run("fetch", "-q", "origin")
        self.repository.run("remote", "set-head", "origin", "main")
        self.host = HostStandIn(folder / "bin", program, refuses) if program else None
        path = [str(folder / "bin")] if program else []
        patch.setenv("PATH", os.pathsep.join([*path, *_without_hosts()]))
        self.desk("intent_create", title="Make the thing", description="It is wanted.", slug=SLUG, studio="one")
        self.desk.until("start_stage")
        (unit,) = self.desk.plan("made.txt")
        self.desk("run_next")
        assert record_decision(self.engine, SLUG, GateWord(decision="approved", by="kim")) is None
        self.desk.until("start_unit")
        self.desk.work(unit, "made.txt", hats=1)
        assert self.desk("run_next")["action"] == "gate_review"

    @property
    def engine(self) -> Engine:
        return Engine(str(self.desk.root))

    @property
    def url(self) -> str:
        active = look(str(self.desk.root), SLUG).active
        return active.state.external_review_url if active else ""

    def send(self) -> None:
        assert record_decision(self.engine, SLUG, GateWord(decision="external_review", by="kim")) is None

    def merge_there(self, how: str) -> None:
        """As somebody does on the host: in a clone of their own."""
        theirs = GitRepository(self.bare.parent / "theirs")
        theirs.run("remote", "add", "origin", str(self.bare))
        theirs.run("fetch", "-q", "origin")
        theirs.run("switch", "-q", "-C", "main", "origin/main")
        theirs.run("merge", "-q", *(["--squash"] if how == "--squash" else ["--no-ff", "--no-edit"]), f"origin/{HUB}")
        if how == "--squash":
            theirs.run("commit", "-q", "-m", "Make the thing (#7)")
        theirs.run("push", "-q", "origin", "main")


def _without_hosts() -> list[str]:
    folders = os.environ["PATH"].split(os.pathsep)
    return [each for each in folders if not any(Path(each, name).exists() for name in ("gh", "glab"))]


@pytest.mark.parametrize("program", ["gh", "glab"])
def test_the_branch_is_pushed_and_the_request_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    work = Reviewed(tmp_path, monkeypatch, program)
    work.send()
    opened = open_review(work.engine, SLUG)
    assert work.host is not None
    assert (opened.pushed, opened.url, opened.left, opened.problem) == ("origin", work.host.url, (), "")
    there = GitRepository(work.bare.parent / "seen")
    assert there.run("ls-remote", str(work.bare), f"refs/heads/{HUB}").startswith(work.repository.run("rev-parse", HUB))
    assert work.url == work.host.url
    (call,) = work.host.calls
    assert call["words"][call["words"].index("--title") + 1] == "Make the thing"
    assert HUB in call["words"]
    assert "main" in call["words"]
    about = call["read"] if program == "gh" else " ".join(call["words"])
    assert "It is wanted." in about
    assert "[x] made.txt is there" in about
    assert call["marked"] == "1", "nothing below it may decide"
    told = work.desk("run_next")
    assert told["action"] == "external_review_requested"
    assert "there is nothing to open" in told["message"]


def test_one_that_is_open_already_is_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = Reviewed(tmp_path, monkeypatch, "gh")
    work.send()
    assert open_review(work.engine, SLUG).url == open_review(work.engine, SLUG).url != ""


def test_without_a_program_the_commands_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = Reviewed(tmp_path, monkeypatch)
    work.send()
    opened = open_review(work.engine, SLUG)
    assert opened.pushed == "origin"
    assert opened.left[0].startswith(f"gh pr create --head {HUB} --base main --title 'Make the thing' --fill")
    assert "gh and glab are not on PATH" in opened.text
    by_hand = open_review(work.engine, SLUG, by_hand=True)
    assert by_hand.left[0] == f"git push origin {HUB}"
    assert not by_hand.pushed


def test_a_program_that_says_no_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = Reviewed(tmp_path, monkeypatch, "gh", refuses="To get started with GitHub CLI, please run: gh auth login")
    work.send()
    opened = open_review(work.engine, SLUG)
    assert opened.problem == "gh: To get started with GitHub CLI, please run: gh auth login"
    assert opened.left
    assert work.url == ""


def test_without_a_remote_and_with_one_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = Reviewed(tmp_path, monkeypatch, "gh")
    work.send()
    work.repository.run("remote", "set-url", "origin", str(tmp_path / "gone.git"))
    gone = open_review(work.engine, SLUG)
    assert not gone.pushed
    assert gone.problem
    assert gone.left[0] == f"git push origin {HUB}"
    work.repository.run("remote", "remove", "origin")
    assert "no remote" in open_review(work.engine, SLUG).text


@pytest.mark.parametrize("how", ["--no-ff", "--squash"])
def test_the_merge_releases_the_gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    """SH-39: nobody here fetches by hand."""
    work = Reviewed(tmp_path, monkeypatch, "gh")
    work.send()
    open_review(work.engine, SLUG)
    assert work.desk("run_next")["action"] == "external_review_requested"
    assert work.desk("run_next")["action"] == "awaiting_external_review"
    work.merge_there(how)
    assert work.desk("run_next")["action"] == "intent_complete"


def test_a_branch_of_this_clone_releases_nothing_where_there_is_a_remote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = Reviewed(tmp_path, monkeypatch, "gh")
    work.send()
    open_review(work.engine, SLUG)
    work.desk("run_next")
    work.repository.run("update-ref", "refs/heads/main", HUB)
    work.repository.run("update-ref", "refs/remotes/origin/main", HUB)
    assert work.desk("run_next")["action"] == "awaiting_external_review"


def test_what_the_repository_would_run_for_a_push_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = Reviewed(tmp_path, monkeypatch, "gh")
    ran = tmp_path / "ran"
    hook = Path(work.repository.root, ".git/hooks/pre-push")
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
    hook.chmod(0o755)
    work.repository.run("config", "remote.origin.receivepack", f"sh -c 'touch {ran}; git-receive-pack \"$@\"' -")
    work.repository.run("config", "core.sshCommand", f"touch {ran}")
    work.repository.run("config", "credential.helper", f"!touch {ran}")
    work.send()
    assert open_review(work.engine, SLUG).pushed == "origin"
    assert not ran.exists()
