"""`leeboard flow new`: from a title, from a file, from stdin, from a text; in which studio."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.flow_desk import SLUG, FlowDesk

ISSUE = "# Count words in stdin too\n\nPeople pipe into it.\n\n## Done when\n- `echo a b | words` prints 2\n"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlowDesk:
    return FlowDesk(tmp_path, monkeypatch)


def test_an_intent_is_begun(desk: FlowDesk) -> None:
    assert "no intent here" in desk.ok("status")
    made = desk.told("new", "Make the thing", "--description", "It is wanted.", "--studio", "little", "--slug", SLUG)
    assert made == {
        "intent": SLUG,
        "path": str(desk.root / ".haiku/intents/thing/intent.md"),
        "title": "Make the thing",
        "goal": "",
        "criteria": [],
        "studio": "small",
        "warnings": [],
    }
    assert desk.plan_now.intent.studio == "small"
    assert "It is wanted." in Path(made["path"]).read_text()
    assert "There is an intent thing already: choose another one with --slug" in desk.denied(
        "new", "Make the thing", "--slug", SLUG, code=2
    )
    assert desk.ok("repair") == "nothing is wrong\n"
    assert "there is no studio 'x'" in desk.denied("new", "More", "--studio", "x", code=2)
    assert "nothing says what is wanted" in desk.denied("new", "", code=2)
    assert "made more" in desk.ok("new", "More")


def test_a_written_wish_becomes_an_intent(desk: FlowDesk) -> None:
    (desk.root / "issue.md").write_text(ISSUE, encoding="utf-8")
    made = desk.told("new", "--from", "issue.md")
    assert made["intent"] == "count-words-in-stdin-too"
    assert made["title"] == "Count words in stdin too"
    assert made["goal"] == "People pipe into it."
    assert made["criteria"] == ["`echo a b | words` prints 2"]
    kept = Path(made["path"]).read_text(encoding="utf-8")
    assert "People pipe into it." in kept
    assert "- [ ] `echo a b | words` prints 2" in kept


def test_what_was_taken_over_is_shown_and_words_are_explained(desk: FlowDesk) -> None:
    (desk.root / "issue.md").write_text(ISSUE, encoding="utf-8")
    said = " ".join(desk.ok("new", "--from", "issue.md", "--slug", "counting").split())
    assert "made counting" in said
    assert "must hold [ ] `echo a b | words` prints 2" in said
    assert "studio everyday (change): you decide over the plan and over the result of 1 stage" in said
    assert "intent: one piece of work" in said
    bare = " ".join(desk.ok("new", "--from", "Fix the crash on empty files").split())
    assert "nothing is named: the plan will have to say when it is done" in bare


def test_a_wish_is_piped_in_as_the_programs_of_hosting_sites_print_it(
    desk: FlowDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = b"title:\tCount it\nstate:\tOPEN\nauthor:\tkim\n--\nPlease.\n\n- [ ] it counts\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(printed)))
    made = desk.told("new", "--from", "-")
    assert (made["title"], made["goal"], made["criteria"]) == ("Count it", "Please.", ["it counts"])


def test_a_title_and_a_slug_go_before_what_was_written(desk: FlowDesk) -> None:
    (desk.root / "issue.md").write_text(ISSUE, encoding="utf-8")
    made = desk.told("new", "Count it all", "--from", "issue.md")
    assert (made["title"], made["intent"]) == ("Count it all", "count-it-all")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--from", "gone.md"), "'gone.md' is no file here"),
        (("--from", "https://example.invalid/issues/3"), "nothing is fetched"),
        (("--from", "  \n "), "has no words in it"),
        (("--from", "x y", "--description", "z"), "both say what is wanted"),
        ((), "nothing says what is wanted"),
    ],
)
def test_nothing_to_begin_with_is_said(desk: FlowDesk, words: tuple[str, ...], why: str) -> None:
    assert why in " ".join(desk.denied("new", *words, code=2).split())


def test_bytes_that_are_no_text_and_what_is_too_large_are_refused(desk: FlowDesk) -> None:
    (desk.root / "odd.bin").write_bytes(b"a\0b")
    (desk.root / "large.md").write_bytes(b"word " * 100_000)
    assert "is no text" in desk.denied("new", "--from", "odd.bin", code=2)
    assert "larger than 256 KB" in desk.denied("new", "--from", "large.md", code=2)


def test_a_secret_in_a_wish_is_not_kept(desk: FlowDesk) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    (desk.root / "issue.md").write_text(f"# Fix the login\n\nIt fails with {secret}.\n", encoding="utf-8")
    made = desk.told("new", "--from", "issue.md")
    kept = Path(made["path"]).read_text(encoding="utf-8")
    assert secret not in kept
    assert "It fails with" in kept


def test_the_studio_is_the_named_one_or_the_projects_or_that_of_every_day(desk: FlowDesk) -> None:
    assert desk.told("new", "One")["studio"] == "everyday"
    desk.repository.write(".haiku/settings.yml", "studio: small\n")
    desk.repository.run("add", "-f", ".haiku/settings.yml")
    desk.repository.run("commit", "-qm", "settings")
    assert desk.told("new", "Two")["studio"] == "small"
    assert desk.told("new", "Three", "--studio", "library")["studio"] == "library"
