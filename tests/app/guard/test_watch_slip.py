from __future__ import annotations

from leeboard.app.guard.watch import Slip, person_words


def words(*slips: Slip, looser: tuple[str, ...] = ()) -> str:
    return person_words(slips, looser, cause="leeboard.toml", ended=False, back="")


def test_it_names_the_line_the_file_and_the_users_words() -> None:
    slip = Slip(path="a.sql", kind="limit", how="deleted", limit="DO NOT modify a.sql", lines=("make x",))
    assert slip.concerns_agent
    assert words(slip) == "Leeboard: a.sql (DO NOT modify a.sql) was deleted or moved away while `make x` ran."


def test_what_no_line_did_is_for_the_person_alone() -> None:
    slip = Slip(path="leeboard.toml", kind="guard", how="changed")
    assert not slip.concerns_agent
    assert "was changed outside of this session; `leeboard status` shows what counts here" in words(slip)


def test_many_are_counted_and_nothing_is_silence() -> None:
    many = [Slip(path=f"{number}.sql", kind="limit", how="made") for number in range(9)]
    assert "3 more" in words(*many)
    assert words() == ""


def test_what_would_be_looser_comes_with_the_way_to_accept_it() -> None:
    told = words(looser=("the profile enforce would become observe",))
    assert "By leeboard.toml, the profile enforce would become observe" in told
    assert "`leeboard" in told
