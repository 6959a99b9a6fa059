from __future__ import annotations

from tests.surfaces.cli.conftest import Desk


def test_nothing_to_trust(desk: Desk) -> None:
    assert "needs your trust" in desk.ok("trust").out
    assert "needs your trust" in desk.ok("trust", "show").out
    assert not (desk.state / "trust").exists()


def test_for_programs_it_never_asks(desk: Desk) -> None:
    (desk.repo / "leeboard.toml").write_text('profile = "observe"\n')
    ran = desk.run("trust", "--json")
    (found,) = ran.objects
    assert (ran.code, found["trusted"], found["actors"][0]["part"]) == (1, False, "settings:leeboard.toml")
    assert desk.ok("trust", "--yes", "--json").objects[0]["trusted"]
    assert desk.ok("trust", "show", "--json").objects[0]["trusted"]
    assert "nothing sleeps here" in desk.ok("trust").out


def test_who_does_not_answer_trusts_nothing(desk: Desk) -> None:
    (desk.repo / "leeboard.toml").write_text('profile = "observe"\n')
    ran = desk.run("trust", stdin=b"y\n")
    assert ran.code == 2
    assert "nobody is there to answer" in ran.err
    assert desk.run("trust", "show").code == 1
