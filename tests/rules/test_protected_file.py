"""Protected files: what counts as a change of them, and who may lift it."""

from __future__ import annotations

from leeboard.testing.scenario import Played, play


def refused(*lines: str) -> bool:
    played: Played = play(lines)
    return any("protected_file" in said.rules and said.action.name == "DENY" for said in played.proposed())


def test_it_is_refused_under_advise_whatever_the_user_says() -> None:
    assert refused("protect LICENSE", "@ please rewrite LICENSE, I allow it", "edit LICENSE | a => b")


def test_moving_and_restoring_are_changes() -> None:
    assert refused("protect a.sql", "@ fix it", "$ mv a.sql b.sql")
    assert refused("protect a.sql", "@ fix it", "$ cp x.sql a.sql")
    assert refused("protect a.sql", "@ fix it", "$ git checkout main -- a.sql")


def test_a_folder_above_goes_with_what_is_protected_in_it() -> None:
    assert refused("protect db/migrations/**", "@ fix it", "$ rm -rf db")
    assert not refused("protect db/migrations/**", "@ fix it", "$ rm -rf database")
    assert not refused("protect db/migrations/**", "@ fix it", "$ ls db")


def test_a_file_that_is_left_out_is_free() -> None:
    assert not refused("protect *.md !README.md", "@ fix it", "edit README.md | a => b")
    assert refused("protect *.md !README.md", "@ fix it", "edit CHANGES.md | a => b")
