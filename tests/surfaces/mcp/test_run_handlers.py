from __future__ import annotations

import contextlib
import threading
from pathlib import Path

import pytest

from leeboard.app.person.answer import say
from leeboard.app.plan.engine import Engine
from leeboard.model.unit import Decision
from leeboard.plan.disk.studios import load_studio
from leeboard.plan.machine.moves import decide
from leeboard.surfaces.mcp.calls import McpCall
from leeboard.surfaces.mcp.protocol import Channel, McpRequest
from leeboard.surfaces.mcp.server import Toolbox
from tests.git_repository import GitRepository
from tests.mcp_agent import Agent, Answer


def rule(root: Path, decision: Decision = "approved", words: str = "") -> None:
    """As a person does on the command line."""
    Engine(str(root)).move("thing", lambda plan, now: decide(plan, decision, "kim", now, words))


def test_an_intent_is_made_and_goes_through_a_stage(agent: Agent) -> None:
    """SH-01, SH-02, SH-50: asking, doing and asking again is all there is to it."""
    agent.through_shape()
    assert agent("stage_get")["stage"] == "build"
    assert agent("stage_get", stage="shape")["status"] == "completed"


def test_what_was_said_before_is_kept(agent: Agent) -> None:
    made = agent(
        "intent_create", title="Make it", description="Why.", context="We talked.", studio="little", mode="discrete"
    )
    assert made["action"] == "intent_created"
    assert made["slug"] == "make-it"
    assert Path(made["path"]).read_text(encoding="utf-8").endswith("Why.\n")
    assert agent("knowledge_read", name="CONVERSATION-CONTEXT.md")["content"] == "We talked.\n"
    assert (agent("intent_get")["studio"], agent("intent_get")["mode"]) == ("small", "discrete")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"title": "a\nb"}, "invalid_title"),
        ({"title": "  "}, "invalid_title"),
        ({"title": "x" * 81}, "invalid_arguments"),
        ({"slug": "thing"}, "intent_exists"),
        ({"slug": "../thing"}, "invalid_arguments"),
        ({"studio": "none"}, "studio_not_found"),
    ],
)
def test_what_is_no_intent(agent: Agent, arguments: dict[str, str], code: str) -> None:
    agent.begin()
    assert agent.refused("intent_create", **({"title": "Make it", "description": "Why."} | arguments)) == code


def test_which_intent_is_meant(agent: Agent) -> None:
    assert agent.refused("run_next") == "not_possible"
    agent.begin("one")
    agent.begin("two")
    assert agent.refused("run_next") == "not_possible"
    assert agent.refused("run_next", intent="three") == "not_possible"
    assert agent("run_next", intent="one")["action"] == "start_stage"
    assert agent("run_next")["intent"] == "one"


def test_work_that_names_no_studio_goes_through_that_of_every_day(agent: Agent) -> None:
    """Light by default: nobody is asked which; the project's settings, or the agent before the first step, may say."""
    made = agent("intent_create", title="Make it", description="Why.", slug="thing")
    assert made["studio"] == "everyday"
    assert agent("run_next", intent="thing")["action"] == "start_stage"
    (agent.root / ".haiku/settings.yml").write_text("studio: small\n", encoding="utf-8")
    assert agent("intent_create", title="Other", description="Why.", slug="other")["studio"] == "small"


def test_choices_before_the_first_stage(agent: Agent) -> None:
    Engine(str(agent.root)).create("Make it", "Why.", "thing")
    assert agent("run_next")["action"] == "select_studio"
    assert agent.refused("select_studio", intent="thing", studio="none") == "studio_unknown"
    assert not agent("select_studio", intent="thing", studio="small").is_error
    other = Agent(agent.root)
    other("intent_create", title="Other", description="Why.", slug="other", studio="small")
    assert agent.refused("select_stage", intent="other", stages=["nonsense"]) == "stage_unknown"
    assert not agent("select_mode", intent="other", mode="discrete").is_error


LOOSE = {
    "STUDIO.md": "---\nname: Loose\nslug: loose\nstages: [go]\n---\n",
    "stages/go/STAGE.md": "---\nname: go\nhats: [worker]\nreview: auto\nelaboration: autonomous\n---\nGo.\n",
    "stages/go/hats/worker.md": "Do it.\n",
}


def add_loose_studio(root: Path) -> None:
    """One in which nobody is ever asked."""
    for path, text in LOOSE.items():
        file = root / ".haiku/studios/loose" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def make_as_person(root: Path) -> None:
    """`leeboard flow new --studio small`."""
    engine = Engine(str(root))
    studio = load_studio(str(root), "small")
    assert studio is not None
    engine.keep_choice(engine.create("Make it", "Why.", "thing", studio.slug), studio)


def test_no_agent_chooses_another_studio_than_the_person(agent: Agent) -> None:
    """A studio without a gate would complete the work with nobody asked."""
    add_loose_studio(agent.root)
    make_as_person(agent.root)
    assert agent.refused("select_studio", intent="thing", studio="loose") == "persons_studio"
    assert agent("intent_get", intent="thing")["studio"] == "small"


def test_no_agent_chooses_a_studio_that_asks_nobody(agent: Agent) -> None:
    add_loose_studio(agent.root)
    agent("intent_create", title="Make it", description="Why.", slug="thing")
    assert agent.refused("select_studio", intent="thing", studio="loose") == "persons_studio"
    assert not agent("select_studio", intent="thing", studio="small").is_error


def test_nor_begins_with_one(agent: Agent) -> None:
    """Nor makes one of the studio it began with, before the first step."""
    add_loose_studio(agent.root)
    wish = {"title": "Make it", "description": "Why.", "slug": "thing"}
    assert agent.refused("intent_create", **wish, studio="loose") == "persons_studio"
    assert not agent("intent_create", **wish, studio="small").is_error
    for stage in ("build", "ship"):
        spec = agent.root / f".haiku/studios/small/stages/{stage}/STAGE.md"
        spec.write_text(spec.read_text(encoding="utf-8").replace("review: ask", "review: auto"), encoding="utf-8")
    assert agent.refused("run_next", intent="thing") == "tampered"


def test_the_studio_of_a_person_is_not_changed_by_hand(agent: Agent) -> None:
    """Neither by another name in `intent.md`, nor by another gate in its definition, before a stage begins."""
    add_loose_studio(agent.root)
    make_as_person(agent.root)
    page = agent.root / ".haiku/intents/thing/intent.md"
    before = page.read_text(encoding="utf-8")
    page.write_text(before.replace("studio: small", "studio: loose", 1), encoding="utf-8")
    assert agent.refused("run_next", intent="thing") == "tampered"
    page.write_text(before, encoding="utf-8")
    spec = agent.root / ".haiku/studios/small/stages/build/STAGE.md"
    spec.write_text(spec.read_text(encoding="utf-8").replace("review: ask", "review: auto"), encoding="utf-8")
    assert agent.refused("run_next", intent="thing") == "tampered"


def test_a_call_at_a_gate_answers_when_the_person_has_decided(builder: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    """SH-46: the call is pending, nobody is kept from working, and it returns after the decision."""
    builder.until("elaborate")
    builder.plan("a.txt")
    assert builder("run_next")["decision"] == "pending"
    monkeypatch.setenv("LEEBOARD_GATE_SECONDS", "60")
    answers: list[Answer] = []

    def ask() -> None:
        call = McpCall(Channel(-1, -1), McpRequest(1, "tools/call", {}))
        answers.append(Answer(Toolbox(str(builder.root)).run("haiku_run_next", {}, call)))

    asking = threading.Thread(target=ask)
    asking.start()
    assert builder("dashboard")["intents"][0]["phase"] == "elaborate"
    assert not answers
    rule(builder.root)
    asking.join(60)
    assert answers[0]["action"] in {"advance_phase", "start_unit"}


def test_no_tool_gets_past_a_gate(builder: Agent) -> None:
    """SH-38, SH-49."""
    builder.until("elaborate")
    (unit,) = builder.plan("a.txt")
    for _ in range(6):
        assert builder("run_next")["action"] == "gate_review"
    assert builder("await_gate")["repeats"] > 3
    assert builder.refused("unit_start", unit=unit) == "wrong_phase"
    assert builder.refused("review_report", agent="critic", verdict="pass", report="fine") == "wrong_phase"
    assert builder.refused("run_next", external_review_url="nonsense") == "url_invalid"
    rule(builder.root, "changes_requested", "Make it smaller.")
    assert builder("run_next")["action"] == "revise_unit_specs"


def test_decisions_are_recorded(builder: Agent) -> None:
    builder.until("elaborate")
    said = {"decision": "Which colour?", "options": ["red", "blue"], "choice": "red", "rationale": "It stands out."}
    assert not builder("decision_record", **said).is_error
    assert builder.refused("decision_record", **(said | {"choice": "green"})) == "choice_not_in_options"
    assert builder.refused("decision_record", **(said | {"source": "nobody"})) == "invalid_arguments"
    assert not builder("decision_record", no_decisions=True, rationale="All is given.").is_error
    log = builder("stage_get")["extra"]["decision_log"]
    assert [entry.get("choice", "") for entry in log] == ["red", ""]
    assert builder("run_next").json.get("turns", 0) == 0


def test_an_intent_is_put_away_and_taken_out(builder: Agent) -> None:
    assert builder("intent_archive", intent="thing")["action"] == "intent_archived"
    assert builder("intent_archive", intent="thing")["action"] == "noop"
    assert builder("intent_list")["intents"] == []
    assert len(builder("intent_list", include_archived=True)["intents"]) == 1
    assert builder("run_next", intent="thing").is_error
    assert builder("intent_unarchive", intent="thing")["action"] == "intent_unarchived"
    assert builder("run_next", intent="thing")["action"] == "elaborate"


def test_going_back(builder: Agent) -> None:
    """SH-12: never forward."""
    assert builder.refused("revisit", stage="ship") == "revisit_forward"
    assert builder.refused("revisit", stage="nonsense") == "stage_unknown"
    assert builder("revisit", stage="shape", reason="The shape is wrong.")["target_stage"] == "shape"
    assert builder("stage_get")["stage"] == "shape"
    assert builder.refused("unit_list", stage="build") == "stage_not_reached"


def test_beginning_anew_needs_the_slug_twice(builder: Agent) -> None:
    assert builder.refused("intent_reset", intent="thing", confirm="other") == "confirmation_missing"
    done = builder("intent_reset", intent="thing", confirm="thing")
    assert done["action"] == "intent_reset"
    assert builder("run_next")["stage"] == "shape"


def test_a_stage_goes_through_its_review_a_fix_and_its_gate(builder: Agent) -> None:
    """SH-19, SH-35, SH-48: reports come before the gate, what was found is fixed, and changes bounce."""
    builder.until("elaborate")
    (unit,) = builder.plan("a.txt")
    builder.until("gate_review")
    rule(builder.root)
    builder.until("start_unit")
    builder.work(unit, "a.txt", hats=2)
    assert builder.until("review")["agents"][0]["name"] == "critic"
    found = builder("feedback", title="Empty", body="a.txt says little.", origin="adversarial-review", author="critic")
    report = {"agent": "critic", "verdict": "findings", "report": "One finding.", "findings": [found["feedback_id"]]}
    assert builder.refused("review_report", **(report | {"agent": "nobody"})) == "reviewer_unknown"
    assert builder.refused("review_report", **(report | {"findings": ["FB-77"]})) == "feedback_not_found"
    assert builder("review_report", **report)["action"] == "review_fix"
    (builder.root / "a.txt").write_text("much more\n", encoding="utf-8")
    GitRepository(builder.root).commit("say more")
    again = builder("feedback_advance_hat", feedback_id=found["feedback_id"])
    assert (again["action"], again["agents"][0]["name"]) == ("review", "critic"), "nobody has looked at the fix"
    report = {"agent": "critic", "verdict": "pass", "report": "Now it does."}
    assert not builder("review_report", **report).is_error
    gate = builder.until("gate_review")
    assert (gate["gate_context"], gate["decision"]) == ("stage_gate", "pending")
    rule(builder.root, "changes_requested", "Say even more.")
    assert builder("run_next")["action"] == "feedback_triage"
    assert builder("feedback_list", status="pending")["feedback"][0]["of_a_person"] is True


def at_review(agent: Agent) -> None:
    agent.until("elaborate")
    (unit,) = agent.plan("a.txt")
    agent.until("gate_review")
    rule(agent.root)
    agent.until("start_unit")
    agent.work(unit, "a.txt", hats=2)
    agent.until("review")


PASSED = {"agent": "critic", "verdict": "pass", "report": "Nothing."}


def test_a_report_counts_for_the_tree_it_saw(builder: Agent) -> None:
    """SH-35: what is committed after it, nobody has reviewed; at the gate and before it."""
    at_review(builder)
    assert not builder("review_report", **PASSED).is_error
    builder.until("gate_review")
    git = GitRepository(builder.root)
    git.write("a.txt", "something else\n")
    git.commit("after the review")
    assert builder("run_next")["action"] == "review"
    git.write("a.txt", "something else again\n")
    git.commit("while they look")
    assert builder.refused("review_report", **PASSED) == "tree_changed", "it is not about what they were shown"
    assert builder("run_next")["action"] == "review"
    assert not builder("review_report", **PASSED).is_error
    builder.until("gate_review")


def test_what_people_say_leaves_a_report_as_it_is(builder: Agent) -> None:
    at_review(builder)
    assert not builder("review_report", **PASSED).is_error
    say(Engine(str(builder.root)), "thing", "Please be quick about it.")
    assert builder("run_next")["action"] == "gate_review"


def test_what_is_under_way_is_named_with_its_end(builder: Agent) -> None:
    git = GitRepository(builder.root)
    git.run("branch", "other")
    git.write("app.py", "mine = 1\n")
    git.commit("mine")
    git.run("switch", "-q", "other")
    git.write("app.py", "other = 1\n")
    git.commit("other")
    git.run("switch", "-q", "haiku/thing/main")
    with contextlib.suppress(AssertionError):
        git.run("rebase", "-q", "other")
    answer = builder("run_next")
    assert (answer.is_error, answer["code"]) == (True, "git_busy")
    assert "git rebase --abort" in answer["message"]
    git.run("rebase", "--abort")
    assert builder("run_next")["action"] == "elaborate"


@pytest.mark.parametrize("name", [".DS_Store", "notes.txt"])
@pytest.mark.parametrize("at", ["stages", "stages/build", "stages/build/units", "feedback"])
def test_a_stray_file_stops_nobody(builder: Agent, at: str, name: str) -> None:
    folder = builder.root / ".haiku/intents/thing" / at
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(b"\0\1 not ours")
    at_review(builder)
    assert not builder("review_report", **PASSED).is_error
    assert builder("run_next")["action"] == "gate_review"
    kept = GitRepository(builder.root).run("ls-files", "--", ".haiku").split()
    assert not any(path.endswith(".DS_Store") for path in kept)


def test_at_a_gate_a_person_is_called_once_and_the_agent_is_told_to_end_its_turn(
    agent: Agent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rung = tmp_path / "rung"
    monkeypatch.setenv("LEEBOARD_RING_COMMAND", f"sh -c 'echo $LEEBOARD_RING_INTENT >> {rung}'")
    agent.through_shape()
    agent.until("elaborate")
    agent.plan("left.txt")
    first = agent.until("gate_review")
    assert "Call haiku_run_next again" in first.words
    assert rung.read_text() == "thing\n"
    agent("run_next")
    patient = agent("run_next")
    assert patient["decision"] == "pending"
    assert "end your turn" in patient.words
    assert rung.read_text() == "thing\n"
