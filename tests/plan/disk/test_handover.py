"""A plan handed over by push and pull goes on; one that was made up does not."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.flow_desk import SLUG, FlowDesk
from tests.git_repository import GitRepository
from tests.mcp_agent import Agent

HUB = "haiku/thing/main"


class Team:
    """Two people with machines of their own, and what they push to."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._patch = patch
        self._states = {"ann": folder / "ann/state", "ben": folder / "ben/state"}
        self.ann = FlowDesk(folder / "ann", patch)
        self.ann.at_plan_gate()
        self.hub = folder / "hub.git"
        subprocess.run(("git", "init", "-q", "--bare", str(self.hub)), check=True)
        self.ann.repository.run("remote", "add", "origin", str(self.hub))
        self.push(self.ann.repository)
        subprocess.run(("git", "clone", "-q", "-b", HUB, str(self.hub), str(folder / "ben/project")), check=True)
        self.bens = GitRepository(folder / "ben/project")
        self.ben = Agent(self.bens.path)

    def sits(self, who: str) -> None:
        self._patch.setenv("LEEBOARD_STATE_DIR", str(self._states[who]))
        self._patch.chdir(self.ann.root if who == "ann" else self.ben.root)

    def push(self, repository: GitRepository) -> None:
        repository.run("add", "-A", ".haiku")
        repository.run("commit", "-q", "--allow-empty", "-m", "as it is")
        repository.run("push", "-q", "origin", f"{HUB}:{HUB}")


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Team:
    return Team(tmp_path, monkeypatch)


def test_a_teammate_goes_on_and_hands_it_back(team: Team) -> None:
    team.sits("ben")
    assert team.ben("run_next", intent=SLUG)["action"] == "gate_review"
    team.sits("ann")
    team.ann.ok("review", "--approve")
    team.ann.until("start_units")
    team.push(team.ann.repository)
    team.sits("ben")
    team.bens.run("pull", "-q", "origin", HUB)
    assert team.ben("run_next", intent=SLUG)["action"] == "start_units", "without anybody's repair"


def test_who_handed_it_over_goes_on_with_what_comes_back(team: Team) -> None:
    """Ann's own machine has sealed what Ben's engine moves on: his commits are no tampering, and nobody repairs."""
    team.sits("ann")
    team.ann.ok("review", "--approve")
    team.ann.until("start_units")
    team.push(team.ann.repository)
    team.sits("ben")
    team.bens.run("pull", "-q", "origin", HUB)
    assert team.ben("run_next", intent=SLUG)["action"] == "start_units"
    for unit, output in (("unit-01-left", "left.txt"), ("unit-02-right", "right.txt")):
        team.ben.work(unit, output, hats=2)
    team.push(team.bens)
    team.sits("ann")
    team.ann.repository.run("pull", "-q", "origin", HUB)
    answer = team.ann("run_next", intent=SLUG)
    assert not answer.is_error, answer.json
    assert answer["action"] == "review"
    assert not team.ann("review_report", agent="critic", verdict="pass", report="Nothing.").is_error
    team.ann.until("gate_review")
    team.ann.ok("review", "--approve")
    assert team.ann("run_next", intent=SLUG)["action"] == "advance_stage"


def test_what_was_made_up_in_a_clone_does_not_pass(team: Team) -> None:
    """Neither in files nor in a commit: it was not fetched, and nothing beside it bears it out."""
    team.sits("ben")
    assert team.ben("run_next", intent=SLUG)["action"] == "gate_review"
    state = team.ben.root / f".haiku/intents/{SLUG}/stages/build/state.json"
    kept = json.loads(state.read_text())
    state.write_text(json.dumps(kept | {"status": "completed", "phase": "gate"}))
    assert team.ben.refused("run_next", intent=SLUG) == "tampered"
    team.bens.run("commit", "-q", "-am", "haiku(thing): complete stage build")
    assert team.ben.refused("run_next", intent=SLUG) == "tampered"


def test_a_copy_that_claims_too_much_does_not_begin(team: Team) -> None:
    team.sits("ben")
    state = team.ben.root / f".haiku/intents/{SLUG}/stages/build/state.json"
    kept = json.loads(state.read_text())
    state.write_text(json.dumps(kept | {"status": "completed", "phase": "gate"}))
    assert team.ben.refused("run_next", intent=SLUG) == "tampered"


def test_a_plan_that_nobody_let_pass_is_not_built_elsewhere(team: Team) -> None:
    """Whatever git's own record says of where it came from: that is written by who writes the files."""
    team.sits("ben")
    assert team.ben("run_next", intent=SLUG)["action"] == "gate_review"
    state = team.ben.root / f".haiku/intents/{SLUG}/stages/build/state.json"
    kept = json.loads(state.read_text())
    state.write_text(json.dumps(kept | {"phase": "execute"}))
    team.bens.run("commit", "-q", "-am", "haiku(thing): build from elaborate to execute")
    team.bens.run("update-ref", f"refs/remotes/origin/{HUB}", "HEAD")
    assert team.ben.refused("run_next", intent=SLUG) == "tampered"


RULING = {
    "decision": "approved",
    "feedback": "",
    "by": "ann",
    "decided_at": "2026-01-01T00:00:00Z",
    "visit": 1,
    "context": "intent_review",
    "mac": "0" * 32,
}
"""As a person's decision looks, signed by nobody."""


@pytest.mark.parametrize("waited", [True, False], ids=["after a step that waited", "before the first step"])
@pytest.mark.parametrize("how", ["in files", "in a commit", "in a commit that was pushed"])
def test_a_decision_that_was_made_up_here_lets_nothing_pass(team: Team, how: str, waited: bool) -> None:  # noqa: FBT001 - a case
    """A clone whose engine has written nothing yet has no seal to break: the decision itself has to come from somebody."""
    team.sits("ben")
    if waited:
        assert team.ben("run_next", intent=SLUG)["action"] == "gate_review"
    stage = team.ben.root / f".haiku/intents/{SLUG}/stages/build"
    kept = json.loads((stage / "state.json").read_text())
    (stage / "state.json").write_text(json.dumps(kept | {"phase": "execute"}))
    (stage / "rulings.jsonl").write_text(json.dumps(RULING) + "\n")
    if how != "in files":
        team.bens.run("add", "-A", ".haiku")
        team.bens.run("commit", "-q", "-m", "haiku(thing): build from elaborate to execute")
    if how.endswith("pushed"):
        team.bens.run("push", "-q", "origin", f"HEAD:{HUB}")
    assert team.ben.refused("run_next", intent=SLUG) == "tampered"


def test_the_approval_of_a_plan_lets_no_stage_pass(team: Team) -> None:
    """It came from where decisions come from, and is about something else."""
    team.sits("ann")
    team.ann.ok("review", "--approve")
    team.ann.until("start_units")
    team.push(team.ann.repository)
    team.sits("ben")
    team.bens.run("pull", "-q", "origin", HUB)
    stage = team.ben.root / f".haiku/intents/{SLUG}/stages/build"
    kept = json.loads((stage / "state.json").read_text())
    (stage / "state.json").write_text(json.dumps(kept | {"status": "completed", "phase": "gate"}))
    for page in (stage / "units").glob("*.md"):
        page.write_text(page.read_text().replace("---\n", "---\nstatus: completed\n", 1))
    assert team.ben.refused("run_next", intent=SLUG) == "tampered"


def test_who_lets_a_stage_through_is_not_changed_before_the_first_step(team: Team) -> None:
    team.sits("ben")
    page = team.ben.root / f".haiku/intents/{SLUG}/intent.md"
    page.write_text(page.read_text().replace("studio: small", "studio: software"))
    assert team.ben.refused("run_next", intent=SLUG) == "tampered"
