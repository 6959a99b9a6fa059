from __future__ import annotations

from pathlib import Path

import pytest

from tests.flow_desk import SLUG, FlowDesk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    made = FlowDesk(tmp_path, monkeypatch)
    made.through_shape()
    return made


def doc(desk: FlowDesk) -> Path:
    return desk.root / f".haiku/intents/{SLUG}/knowledge/doc.md"


def lose(desk: FlowDesk) -> None:
    """Somebody takes the baseline away and changes a file under it."""
    doc(desk).parent.mkdir(exist_ok=True)
    doc(desk).write_text("theirs\n")
    (doc(desk).parents[1] / "baseline.json").unlink()


def test_where_nothing_is_lost_there_is_nothing_to_reset(desk: FlowDesk) -> None:
    assert desk.ok("baseline-reset") == "every baseline is as it should be\n"
    assert desk.told("baseline-reset") == {"intent": SLUG, "lost": 0}
    assert desk.denied("baseline-reset", "--accept", "0" * 12, "--reason", "x", code=2)


def test_a_person_takes_what_they_were_shown(desk: FlowDesk) -> None:
    lose(desk)
    stuck = desk("run_next")
    assert (stuck["code"], f"leeboard flow baseline-reset {SLUG}" in stuck["message"]) == ("baseline_corrupt", True)
    shown = desk.ok("baseline-reset", SLUG)
    assert "the intent's knowledge: missing" in shown
    assert "1 file; " in shown
    assert "1 differs" in shown
    assert "new-file-detected  knowledge/doc.md\n      @@ -0,0 +1 @@\n      +theirs\n" in shown
    assert "not asked about again" in shown
    (told,) = desk.flow("baseline-reset", "--json").objects
    assert [each["path"] for each in told["differs"]] == ["knowledge/doc.md"]
    assert told["diff_hash"][:12] in shown
    assert "--reason" in desk.denied("baseline-reset", "--accept", told["diff_hash"], code=2)
    desk.ok("baseline-reset", "--accept", told["diff_hash"][:12], "--reason", "the disk was restored")
    assert desk("run_next")["action"] != "error"
    assert desk.ok("baseline-reset") == "every baseline is as it should be\n"


def test_what_changed_after_it_was_shown_is_not_taken(desk: FlowDesk) -> None:
    lose(desk)
    desk("run_next")
    (told,) = desk.flow("baseline-reset", "--json").objects
    doc(desk).write_text("slipped in\n")
    assert "look again" in desk.denied("baseline-reset", "--accept", told["diff_hash"], "--reason", "x", code=2)
    doc(desk).write_text("theirs\n")
    desk.ok("baseline-reset", "--accept", told["diff_hash"], "--reason", "x")
    doc(desk).write_text("slipped in\n")
    assert desk("run_next")["code"] == "baseline_corrupt", "the word is good for what was shown, and for nothing else"


def test_an_agent_can_not(desk: FlowDesk) -> None:
    lose(desk)
    desk("run_next")
    (told,) = desk.flow("baseline-reset", "--json").objects
    desk.as_agent()
    desk.denied("baseline-reset", "--accept", told["diff_hash"], "--reason", "x", code=2)
    assert desk("run_next")["code"] == "baseline_corrupt"


def reset(desk: FlowDesk) -> str:
    """Show, accept, and go on; against what it was compared."""
    (told,) = desk.flow("baseline-reset", "--json").objects
    desk.ok("baseline-reset", "--accept", told["diff_hash"], "--reason", "x")
    assert desk("run_next")["action"] != "error"
    return str(told["compared_with"])


def test_each_loss_is_compared_with_what_git_has_and_the_last_says_what_unlocks_it(desk: FlowDesk) -> None:
    doc(desk).parent.mkdir(exist_ok=True)
    doc(desk).write_text("known\n")
    desk("run_next")
    desk.ok("classify", "--all", "--as", "ignore", "--why", "mine")
    desk("run_next")
    seen = []
    for _ in range(3):
        lose(desk)
        assert desk("run_next")["code"] == "baseline_corrupt"
        seen.append(reset(desk))
    assert seen == ["the last baseline that git has"] * 3
    lose(desk)
    desk("run_next")
    assert "more ticks" in desk("run_next")["message"]
    (told,) = desk.flow("baseline-reset", "--json").objects
    left = told["ticks_to_wait"]
    assert 0 < left < 10
    assert f"{left} more" in desk.ok("baseline-reset")
    said = desk.denied("baseline-reset", "--accept", told["diff_hash"], "--reason", "x", code=4)
    assert f"{left} more" in said
    for _ in range(left):
        assert desk("run_next")["code"] == "baseline_corrupt"
    assert reset(desk) == "the last baseline that git has"
