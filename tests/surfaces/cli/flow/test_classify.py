"""A person, or an agent with nothing but the command line, says what a change of somebody else means."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.flow_desk import SLUG, FlowDesk

TOP = f".haiku/intents/{SLUG}"
ASSESS = "manual_change_assessment"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    made = FlowDesk(tmp_path, monkeypatch)
    made.through_shape()
    made.ok("next")
    return made


def put(desk: FlowDesk, name: str, text: str = "theirs\n") -> str:
    desk.repository.write(f"{TOP}/knowledge/{name}", text)
    return f"knowledge/{name}"


def assessed(desk: FlowDesk) -> list[dict[str, str]]:
    """What was decided last, path by path."""
    page = max((desk.root / TOP / "stages/build/drift-assessments").glob("DA-*.json"))
    found: list[dict[str, str]] = json.loads(page.read_bytes())["classifications"]
    return found


def test_a_person_who_wrote_a_file_goes_on_by_themselves(desk: FlowDesk) -> None:
    """Nothing but the command line: it shows what changed, and the command that it shows goes on."""
    put(desk, "CALLERS.md", "who calls\nit\n")
    shown = desk.ok("next")
    assert shown.startswith(ASSESS)
    for words in (
        "knowledge/CALLERS.md",
        "new-file-detected",
        "+who calls",
        "leeboard flow classify --all --as ignore",
    ):
        assert words in shown
    assert desk.ok("classify") == desk.ok("classify"), "without an outcome it only shows"
    assert "+who calls" in desk.ok("classify")
    assert "AS-01" in desk.ok("classify", "--all", "--as", "ignore", "--why", "I wrote it")
    assert desk.told("next")["action"] != ASSESS
    assert "nothing is to be classified" in desk.ok("classify")


def test_an_agent_may_do_it_too(desk: FlowDesk) -> None:
    put(desk, "a.md")
    desk.ok("next")
    desk.as_agent()
    assert desk.told("classify", "--all", "--as", "inline-fix", "--why", "taken in")["assessment_id"] == "AS-01"


@pytest.mark.parametrize("spelled", ["knowledge/a.md", f"{TOP}/knowledge/a.md", "DRF-01"])
def test_each_path_its_own_outcome(desk: FlowDesk, spelled: str) -> None:
    """A path as it is shown, as it lies, or the id of its finding."""
    for name in ("a.md", "b.md", "c.md"):
        put(desk, name)
    desk.ok("next")
    given = ("--path", f"{spelled}=trigger-revisit", "--stage", "shape", "--why", "looked")
    assert "knowledge/c.md" in desk.denied("classify", "knowledge/b.md", "--as", "ignore", *given)
    desk.ok("classify", "--all", "--as", "ignore", *given)
    assert {each["path"]: each["outcome"] for each in assessed(desk)} == {
        "knowledge/a.md": "trigger-revisit",
        "knowledge/b.md": "ignore",
        "knowledge/c.md": "ignore",
    }
    assert desk.told("next")["action"] == "revisited"


def test_what_is_surfaced_hangs_on_a_finding(desk: FlowDesk) -> None:
    put(desk, "a.md")
    put(desk, "b.md")
    desk.ok("next")
    words = ("classify", "--all", "--as", "surface-as-feedback", "--why", "it matters")
    told = desk.told(*words, "--title", "They changed", "--body", "Both of them.")
    assert told["feedback_created"] == ["FB-01"], "one finding for all of them"
    put(desk, "a.md", "again\n")
    assert desk.told("next")["action"] == ASSESS
    desk.ok(*words, "--feedback", "FB-01")
    assert assessed(desk)[0]["linked_feedback_id"] == "FB-01"


def test_only_what_was_shown_is_classified(desk: FlowDesk) -> None:
    path = put(desk, "a.md")
    words = ("classify", "--all", "--as", "ignore", "--why", "looked")
    first = desk.flow(*words)
    assert (first.code, path in first.out, "nothing was classified" in first.err) == (1, True, True), (
        "it is shown first"
    )
    put(desk, "a.md", "slipped in\n")
    assert path in desk.denied(*words)
    assert desk.flow(*words, "--json").objects[0]["error"] == "finding_changed"
    assert "+slipped in" in desk.ok("classify")
    desk.ok(*words)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--all", "--as", "ignore"), "--why"),
        (("--all", "--why", "x"), "--as"),
        (("a.md", "--why", "x"), "--as"),
        (("--as", "ignore", "--why", "x"), "--all"),
        (("--path", "a.md", "--why", "x"), "PATH=OUTCOME"),
        (("--path", "a.md=forget", "--why", "x"), "forget"),
        (("--all", "--as", "trigger-revisit", "--why", "x"), "--stage"),
        (("--all", "--as", "surface-as-feedback", "--why", "x"), "--feedback"),
        (("--all", "--as", "surface-as-feedback", "--why", "x", "--title", "t", "--feedback", "FB-01"), "one of both"),
        (("--all", "--as", "ignore", "--why", "x", "--stage", "shape"), "--stage goes with"),
        (("--all", "--as", "ignore", "--why", "x", "--title", "t"), "--title goes with"),
        (("--all", "--as", "ignore", "--why", "x", "--feedback", "FB-01"), "--feedback goes with"),
        (("--all", "--as", "surface-as-feedback", "--why", "x", "--feedback", "FB-01", "--body", "b"), "--body goes"),
        (("bogus.md", "--all", "--as", "ignore", "--why", "x"), "Nothing is asked about bogus.md"),
        (("bogus.md", "--as", "ignore", "--why", "x"), "Nothing is asked about bogus.md"),
        (("--all", "--as", "ignore", "--path", "bogus.md=inline-fix", "--why", "x"), "knowledge/a.md"),
        (("--all", "--as", "trigger-revisit", "--why", "x", "--stage", "nope"), "no stage nope"),
        (("--all", "--as", "surface-as-feedback", "--why", "x", "--feedback", "FB-99"), "no finding FB-99"),
    ],
)
def test_wrong_use(desk: FlowDesk, words: tuple[str, ...], said: str) -> None:
    put(desk, "a.md")
    desk.ok("next")
    assert said in desk.denied("classify", *words, code=2)


def test_what_can_not_be_is_said_in_the_words_of_the_command_line(desk: FlowDesk) -> None:
    put(desk, "a.md")
    desk.ok("next")
    words = ("classify", "--all", "--why", "x", "--as")
    said = desk.denied(*words, "trigger-revisit", "--stage", "ship")
    assert "for knowledge/a.md. Name one of shape, build with --stage." in " ".join(said.split())
    filed = desk.ok(*words, "surface-as-feedback", "--title", "They changed it")
    assert "Filed for it: FB-01." in filed
    desk.ok("feedback", "close", "FB-01")
    put(desk, "a.md", "again\n")
    desk.ok("next")
    said = " ".join(desk.denied(*words, "surface-as-feedback", "--feedback", "FB-01").split())
    assert "FB-01 is closed" in said
    assert "Name an open finding with --feedback, or file one with --title and --body: one of both." in said


def test_a_program_is_told_that_there_is_nothing_to_classify(desk: FlowDesk) -> None:
    assert desk.told("classify") == {"intent": SLUG, "findings": []}


def test_the_old_text_of_a_file_that_is_gone_is_shown(desk: FlowDesk) -> None:
    path = put(desk, "a.md", "old words\n" * 50)
    desk.ok("next")
    desk.ok("classify", "--all", "--as", "ignore", "--why", "mine")
    desk.ok("next")
    (desk.root / TOP / path).unlink()
    shown = desk.ok("next")
    assert "file-removed" in shown
    assert 0 < shown.count("-old words") < 50
    assert "more lines" in shown
    told = desk.told("next")
    assert told["findings"][0]["diff_unified"] is None
    assert f"{path} is gone" in told["instructions"]


@pytest.mark.parametrize(("by_agent", "whose"), [(False, "user (user-chat)"), (True, "agent (agent)")])
def test_what_is_filed_belongs_to_who_filed_it(desk: FlowDesk, whose: str, *, by_agent: bool) -> None:
    put(desk, "a.md")
    desk.ok("next")
    if by_agent:
        desk.as_agent()
    desk.ok("classify", "--all", "--as", "surface-as-feedback", "--title", "new picture", "--why", "pic")
    assert f"from    {whose}" in desk.ok("feedback", "show", "FB-01")
    assert desk.told("feedback", "show", "FB-01")["of_a_person"] is not by_agent
