"""`leeboard flow`: an intent is begun, looked at, spoken about, revisited and put away."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from leeboard.app.plan.engine import Engine
from leeboard.surfaces.cli.flow.flow import command
from tests.flow_desk import SLUG, FlowDesk
from tests.git_repository import GitRepository


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    return FlowDesk(tmp_path, monkeypatch)


def test_studios_are_listed_and_one_is_chosen(desk: FlowDesk) -> None:
    listed = [json.loads(line) for line in desk.ok("studio", "--json").splitlines()]
    assert {"small", "software", "library"} <= {each["studio"] for each in listed}
    assert "shape, build, ship" in desk.ok("studio")
    Engine(str(desk.root)).create("Make the thing", "It is wanted.", SLUG)
    assert "select_studio" in desk.ok("next")
    assert "There is no studio x" in desk.denied("studio", "x", code=2)
    branch = desk.repository.run("branch", "--show-current")
    assert "small is the studio of thing; `leeboard flow next` goes on" in desk.ok("studio", "small")
    assert desk.told("studio", "little") == {"intent": SLUG, "studio": "small"}
    assert desk.plan_now.intent.studio == "small"
    assert desk.repository.run("branch", "--show-current") == branch, "it is chosen, and nothing begins"
    assert "start_stage" in desk.ok("next")
    assert "can not change" in desk.denied("studio", "software")


def test_what_a_person_chose_no_agent_changes(desk: FlowDesk) -> None:
    """Below an agent's client the same command is an agent's."""
    desk.ok("new", "Make the thing", "--slug", SLUG, "--studio", "small")
    desk.as_agent()
    assert "A person chose the studio small" in desk.denied("studio", "software")
    desk.as_person()
    assert "software is the studio of thing" in desk.ok("studio", "software")
    desk.as_agent()
    assert "A person chose the studio software" in desk.denied("studio", "small")
    assert desk.plan_now.intent.studio == "software"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("status", "--all", "--intent", SLUG), "give one of them"),
        (("studio", "--intent", SLUG), "--intent goes with a NAME"),
        (("revisit", "nope", "--reason", "x"), "no stage nope"),
        (("repair", "--restore"), "--restore goes with --apply"),
        (("repair", "--yes"), "--yes goes with --apply"),
        (("review", "--shown", "abc"), "--shown goes with --approve"),
        (("review", "--request-changes", "x", "--shown", "abc"), "--shown goes with --approve"),
        (("review", "--approve", "--full"), "--full is for looking"),
        (("baseline-reset", "--reason", "x"), "--reason goes with --accept"),
        (("baseline-reset", "--accept", "0" * 12), "--reason"),
    ],
)
def test_an_option_that_nothing_comes_of_is_wrong_use(desk: FlowDesk, words: tuple[str, ...], said: str) -> None:
    desk.begin()
    assert said in desk.denied(*words, code=2)


def test_the_status_of_one_or_all(desk: FlowDesk) -> None:
    desk.begin()
    assert desk.told("status")["next"] is None
    desk.ok("next")
    told = desk.told("status")
    assert (told["stage"], told["phase"], told["next"]["action"]) == ("shape", "elaborate", "elaborate")
    assert "[>] shape  ELABORATE > execute > review > gate" in desk.ok("status")
    desk.ok("new", "Another", "--slug", "other")
    desk.ok("archive", "other")
    assert [json.loads(line)["intent"] for line in desk.ok("status", "--all", "--json").splitlines()] == ["other", SLUG]
    assert "archived" in desk.ok("status", "--all")
    assert "no intent 'x'" in desk.denied("status", "--intent", "x", code=2)


def test_a_look_changes_nothing(desk: FlowDesk) -> None:
    desk.at_plan_gate()
    before = {path: path.read_bytes() for path in desk.root.rglob(".haiku/intents/**/*") if path.is_file()}
    for words in (("status",), ("units",), ("review",), ("unit", "unit-01-left"), ("feedback", "list"), ("repair",)):
        desk.ok(*words)
    assert before == {path: path.read_bytes() for path in desk.root.rglob(".haiku/intents/**/*") if path.is_file()}


def test_what_a_person_says_counts_and_is_kept(desk: FlowDesk) -> None:
    """SH-22, SH-44: a turn for each time, and none for an agent."""
    desk.begin()
    desk.until("elaborate")
    assert [desk.told("say", f"Answer {number}.")["turns"] for number in (1, 2)] == [1, 2]
    assert "heard; 3 in this visit of shape" in desk.ok("say", "The\nlast one.")
    kept = (desk.root / ".haiku/intents/thing/knowledge/ANSWERS.md").read_text().splitlines()
    assert [line.split(" ", 3)[2:] for line in kept] == [
        ["shape:", "Answer 1."],
        ["shape:", "Answer 2."],
        ["shape:", "The last one."],
    ]
    assert desk("knowledge_read", name="ANSWERS.md")["content"].count("\n") == 3
    assert "nothing said" in desk.denied("say", "  ", code=2)
    desk.as_agent()
    assert "only a person" in desk.denied("say", "I am the user.", code=2)
    assert desk.plan_now.user_turns == 3


def test_a_person_goes_back_to_a_stage(desk: FlowDesk) -> None:
    """The clue of it belongs to the agent."""
    desk.at_plan_gate()
    assert "was not reached yet" in desk.denied("revisit", "ship", "--reason", "x")
    assert desk.flow("revisit", "nowhere", "--reason", "x", "--json").objects[0]["error"] == "stage_unknown"
    assert "--reason" in desk.flow("revisit", "shape").err
    desk.ok("revisit", "shape", "--reason", "Flat.")
    assert desk.told("revisit", "shape", "--reason", "It is too flat.") == {"intent": SLUG, "revisit": "shape"}
    assert desk("run_next")["action"] == "revisited"
    (asked,) = desk.plan_now.stages[0].feedback
    assert (asked.origin, asked.title) == ("user-revisit", "It is too flat.")


def test_an_intent_is_put_away_and_taken_out(desk: FlowDesk) -> None:
    desk.begin()
    assert desk.told("archive", SLUG) == {"intent": SLUG, "archived": True, "changed": True}
    assert "is put away: there is nothing to do" in desk.ok("archive", SLUG), "the second time changes nothing"
    assert desk.flow("next", "--intent", SLUG).code == 1
    assert "is worked on again" in desk.ok("archive", SLUG, "--undo")
    assert "is not put away: there is nothing to do" in desk.ok("archive", SLUG, "--undo")
    assert "start_stage" in desk.ok("next")
    desk.ok("archive", SLUG)
    assert desk.repository.run("status", "--porcelain") == "", "another branch can be checked out"
    assert desk.repository.run("log", "-1", "--format=%s").strip() == f"haiku({SLUG}): archive"
    desk.repository.run("switch", "-q", "main")


def test_every_command_has_an_example_and_speaks_json() -> None:
    pending = [("flow", command)]
    seen = []
    while pending:
        path, found = pending.pop()
        inner = getattr(found, "commands", None)
        assert (found.epilog or "").startswith(f"Example:  leeboard {path}"), path
        assert found.help, path
        if inner:
            pending += [(f"{path} {name}", each) for name, each in inner.items()]
        else:
            seen.append(path)
            assert any("--json" in option.opts for option in found.params), path
    wanted = "new next status units unit review revisit repair say archive".split()
    assert {f"flow {name}" for name in wanted} <= {*seen}
    assert {f"flow feedback {name}" for name in ("add", "list", "close", "reject", "reply")} <= {*seen}


def test_a_slip_in_a_studio_is_shown_wherever_somebody_looks(desk: FlowDesk) -> None:
    """A misspelt key does nothing: that is said when the work begins, at each step, and to the agent."""
    slip = "STAGE.md: nobody reads 'unit_typs'; is 'unit_types' meant?"
    desk.repository.write(".haiku/studios/typo/STUDIO.md", "---\nname: Typo\nstages: [build]\n---\n")
    desk.repository.write(
        ".haiku/studios/typo/stages/build/STAGE.md",
        "---\nname: build\nhats: [builder]\nelaboration: autonomous\nunit_typs: [code]\n---\nBuild.\n",
    )
    desk.repository.write(".haiku/studios/typo/stages/build/hats/builder.md", "Build.\n")
    desk.repository.run("add", "--all")
    desk.repository.run("commit", "-q", "-m", "studio")

    def shown(*words: str) -> bool:
        return slip in " ".join(desk.ok(*words).split())

    assert shown("new", "A thing", "--slug", "typo", "--studio", "typo")
    assert shown("next")
    assert shown("status")
    assert shown("repair")
    assert shown("studio")
    told = desk("run_next", intent="typo")
    assert told["warnings"] == [f"stage build: {slip}"]
    assert f"Note: stage build: {slip}" in told.words
    assert f"stage build: {slip}" in desk("repair", intent="typo")["found"]


@pytest.mark.parametrize(
    ("stages", "stage", "why"),
    [
        ("[]", "", "the studio empty names no stages"),
        ("[build]", "", "stage build of the studio empty names no hats (STAGE.md is not there)"),
        ("[build]", "---\nname: build\nhat: [builder]\n---\n", "is 'hats' meant?"),
    ],
)
def test_a_studio_no_work_can_go_through_is_refused_at_once(desk: FlowDesk, stages: str, stage: str, why: str) -> None:
    desk.repository.write(".haiku/studios/empty/STUDIO.md", f"---\nname: empty\nstages: {stages}\n---\n")
    if stage:
        desk.repository.write(".haiku/studios/empty/stages/build/STAGE.md", stage)
    assert why in " ".join(desk.denied("new", "A thing", "--studio", "empty", code=2).split())
    assert desk.refused("intent_create", title="A thing", description="x", studio="empty") == "studio_unusable"
    assert "no intent here" in desk.ok("status")


def test_the_same_sentence_said_twice_is_one_turn(desk: FlowDesk) -> None:
    desk.begin()
    desk.until("elaborate")
    assert [desk.told("say", text)["turns"] for text in ("By mail.", "by mail. ", "By mail.", "No.")] == [1, 1, 1, 2]


def test_people_are_told_of_their_own_commands(desk: FlowDesk) -> None:
    """No text that a person reads names a tool of the agent."""
    assert "`leeboard flow new TITLE`" in desk.denied("next", code=2)
    desk.begin()
    desk.until("elaborate")
    (unit,) = desk.plan("shape.txt")
    assert "intent_approved" in desk.ok("next")
    told = desk.ok("next")
    assert f"`leeboard flow unit {unit} --start`" in " ".join(told.split())
    assert f"leeboard flow unit {unit} --start" in " ".join(desk.denied("unit", unit, "--advance").split())
    for words in (["status"], ["next"], ["unit", unit, "--start"], ["next"], ["unit", unit], ["units"], ["review"]):
        ran = desk.flow(*words)
        assert "haiku_" not in ran.out + ran.err, words


def test_a_criterion_ticked_in_the_work_tree_is_explained(desk: FlowDesk) -> None:
    desk.begin()
    desk.until("elaborate")
    (unit,) = desk.plan("shape.txt")
    desk.until("start_unit")
    tree = Path(desk("unit_start", unit=unit)["worktree"])
    (tree / "shape.txt").write_text("x\n")
    GitRepository(tree).commit("write")
    said = " ".join(desk.denied("unit", unit, "--advance").split())
    assert "copy in the unit's work tree does not count" in said
    assert f"leeboard flow unit {unit} --advance --met" in said


def test_all_that_is_wrong_with_a_plan_is_told_at_once(desk: FlowDesk) -> None:
    desk.begin()
    desk.until("elaborate")
    text = "---\ntitle: A\ndepends_on: [unit-09-gone]\ninputs: [gone.txt]\noutputs: [a]\n---\n- [ ] a\n"
    desk.repository.write(f".haiku/intents/{SLUG}/stages/shape/units/unit-01-a.md", text)
    clue = desk("run_next")
    assert clue["action"] == "unresolved_dependencies"
    assert [each["problem"] for each in clue["also"]] == ["unit_inputs_missing"]
    assert "Also: Inputs that are not there" in clue.words
    assert "also       unit_inputs_missing: Inputs" in desk.ok("next")


def test_the_studio_of_the_docs_works_as_it_stands_there(desk: FlowDesk) -> None:
    page = (Path(__file__).parents[4] / "docs" / "workflow.md").read_text(encoding="utf-8")
    files = dict(re.findall(r"^`(\.haiku/studios/\S+)`:\n\n```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL))
    assert len(files) == 4
    for path, text in files.items():
        desk.repository.write(path, text)
    (unit,) = re.findall(r"^```yaml\n(---\ntitle:.*?)^```", page, re.MULTILINE | re.DOTALL)
    desk.repository.write("list.py", "entries = []\n")
    desk.repository.run("add", "--all")
    desk.repository.run("commit", "-q", "-m", "a studio of our own")
    assert desk.told("new", "Add a search page", "--studio", "shop")["warnings"] == []
    assert desk.told("next")["hats"] == ["builder", "reviewer"]
    assert desk.told("next")["action"] == "elaborate"
    desk.repository.write(".haiku/intents/add-a-search-page/stages/build/units/unit-01-search.md", unit)
    assert desk.told("next")["action"] == "gate_review"
    desk.ok("review", "--approve")
    assert [desk.told("next")["action"] for _ in range(2)] == ["intent_approved", "start_unit"]
    edited = files[".haiku/studios/shop/stages/build/STAGE.md"].replace("review: ask ", "reviews: ask ")
    desk.repository.write(".haiku/studios/shop/stages/build/STAGE.md", edited)
    assert "is 'review' meant?" in desk.ok("status")


def test_a_new_intent_is_begun_by_its_name_where_another_one_is_checked_out(desk: FlowDesk) -> None:
    assert "; `leeboard flow next` begins it" in desk.ok("new", "First", "--studio", "small")
    desk.ok("next")
    assert "`leeboard flow next --intent second` begins it" in desk.ok("new", "Second", "--studio", "small")


def test_how_one_of_several_intents_is_named(desk: FlowDesk) -> None:
    desk.ok("new", "First", "--studio", "small")
    desk.ok("new", "Second", "--studio", "small")
    assert "first, second; name one with --intent SLUG." in desk.denied("next", code=2)
    assert "name one with `leeboard flow archive SLUG`." in desk.denied("archive", code=2)


def test_without_a_branch_it_is_said_what_to_do(desk: FlowDesk) -> None:
    desk.repository.run("checkout", "-q", "--detach")
    made = " ".join(desk.ok("new", "A thing", "--studio", "small", "--slug", SLUG).split())
    assert "HEAD is detached): `git switch BRANCH`, or `git switch -c NAME` goes to one" in made
    assert "next     nothing, until git is on a branch again" in desk.ok("status")
    assert "is on no branch" in desk.denied("next", code=4)
    desk.repository.run("switch", "-q", "-c", "work")
    desk.ok("next")
    desk.repository.run("checkout", "-q", "--detach")
    assert desk.told("status")["blocks"] == [
        f"git is on no branch (HEAD is detached): `git switch haiku/{SLUG}/main` goes to one"
    ]


def test_without_git_it_is_said_what_is_not_there(
    desk: FlowDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "bare"
    place.mkdir()
    monkeypatch.chdir(place)
    assert "none here: the work is done in place" in " ".join(desk.ok("new", "A thing").split())
    assert "git     none here: the work is done in place" in desk.ok("status")


def test_slips_in_the_settings_are_told_everywhere(desk: FlowDesk) -> None:
    desk.begin()
    desk.repository.write(".haiku/settings.yml", "drift_detect: false\n")
    slip = ".haiku/settings.yml:1: nobody reads 'drift_detect'; is 'drift_detection' meant?"
    assert desk.told("status")["warnings"] == [slip]
    assert slip in desk.ok("status")
    assert desk("run_next")["warnings"] == [slip]
    assert slip in desk.ok("next")
    assert slip in desk.told("new", "Another thing")["warnings"]


def test_how_turns_are_counted_is_said(desk: FlowDesk) -> None:
    stage = desk.root / ".haiku/studios/small/stages/shape/STAGE.md"
    stage.write_text(stage.read_text().replace("elaboration: autonomous", "elaboration: collaborative"))
    desk.begin()
    said = "else they answer with `leeboard flow say TEXT` (0 of 3 so far)"
    assert said in desk.until("elaborate")["message"]
    assert said in " ".join(desk.ok("next").split())
    desk.plan("shape.txt")
    desk.ok("say", "One.")
    clue = desk("run_next")
    assert clue["action"] == "elaboration_insufficient"
    assert "`leeboard flow say TEXT` (1 of 3 so far)" in clue["message"]
