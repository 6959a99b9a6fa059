from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from leeboard.errors import ConfigError
from leeboard.model.plan import Intent
from leeboard.plan.disk.folder import PlanFolder
from leeboard.plan.disk.perform import create_intent
from leeboard.plan.disk.read import look_at
from tests.git_repository import GitRepository


def intent(title: str = "Count words", slug: str = "") -> Intent:
    return Intent(slug=slug, title=title, studio="small", body="Do it.\n", created_at="2026-01-01T00:00:00Z")


def test_it_is_there_whole(repository: GitRepository) -> None:
    folder = PlanFolder(repository.root)
    assert create_intent(folder, intent(" Count  the Wörds! ")) == "count-the-words"
    text = folder.text("intents/count-the-words/intent.md") or ""
    assert "studio: small" in text
    assert text.endswith("Do it.\n")
    assert folder.names("tmp") == ()
    assert repository.run("branch", "--show-current") == "main"


@pytest.mark.parametrize(
    ("title", "slug", "said"),
    [
        ("", "", "A title is one line"),
        ("two\nlines", "", "A title is one line"),
        ("x" * 81, "", "A title is one line"),
        ("日本", "", "can not be the name"),
        ("fine", "../up", "can not be the name"),
        ("fine", "a/b", "can not be the name"),
        ("fine", ".hidden", "can not be the name"),
        ("taken", "", "There is an intent taken already: choose another slug"),
        ("branched", "", "git switch"),
    ],
)
def test_what_can_not_be_one(repository: GitRepository, title: str, slug: str, said: str) -> None:
    folder = PlanFolder(repository.root)
    create_intent(folder, intent("taken"))
    repository.run("branch", "haiku/branched/main")
    with pytest.raises(ConfigError, match=said):
        create_intent(folder, intent(title, slug))
    assert folder.names("intents") == ("taken",)


def test_it_is_sealed_from_its_first_moment(repository: GitRepository) -> None:
    """SH-56: also where another intent of this name lay before."""
    folder, path = PlanFolder(repository.root), repository.path / ".haiku/intents/count-words"
    for _ in range(2):
        create_intent(folder, intent())
        assert look_at(folder, "count-words").plan.sealed
        text = (path / "intent.md").read_text()
        (path / "intent.md").write_text(text.replace("status: active", "status: active\nintent_reviewed: true"))
        assert look_at(folder, "count-words").plan.tampered == ("intent.md",)
        shutil.rmtree(path)


def test_what_a_kill_left_is_used(tmp_path: Path) -> None:
    folder = PlanFolder(str(tmp_path))
    folder.write("tmp/count-words.new/intent.md", b"half")
    create_intent(folder, intent())
    assert b"Count words" in (folder.read("intents/count-words/intent.md") or b"")
    assert folder.names("tmp") == ()


def test_it_knows_where_its_work_goes_back_to(repository: GitRepository) -> None:
    """The branch of who made it; made on another intent's branch it is that one's, or where work comes together."""
    folder = PlanFolder(repository.root)
    repository.run("switch", "-q", "-c", "work")
    create_intent(folder, intent("One"))
    repository.run("switch", "-q", "-c", "haiku/one/main")
    create_intent(folder, intent("Two"))
    repository.run("switch", "-q", "-c", "haiku/gone/main")
    create_intent(folder, intent("Three"))
    bases = {slug: look_at(folder, slug).plan.intent.base for slug in ("one", "two", "three")}
    assert bases == {"one": "work", "two": "work", "three": "main"}


def test_one_that_lies_here_is_not_looked_for_on_its_branch(repository: GitRepository) -> None:
    folder = PlanFolder(repository.root)
    create_intent(folder, intent())
    repository.run("branch", "haiku/count-words/main")
    with pytest.raises(ConfigError, match="There is an intent count-words already: choose another slug"):
        create_intent(folder, intent())
    (repository.path / ".haiku/intents/count-words/intent.md").unlink()
    with pytest.raises(ConfigError, match="git switch haiku/count-words/main"):
        create_intent(folder, intent())
