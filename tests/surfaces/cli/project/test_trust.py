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
    assert "nothing is asleep here" in desk.ok("trust").out


def test_who_does_not_answer_trusts_nothing(desk: Desk) -> None:
    (desk.repo / "leeboard.toml").write_text('profile = "observe"\n')
    ran = desk.run("trust", stdin=b"y\n")
    assert ran.code == 2
    assert "nobody is here to answer" in ran.err
    assert desk.run("trust", "show").code == 1


def test_what_loosens_says_that_it_holds_at_once(desk: Desk) -> None:
    (desk.repo / "leeboard.toml").write_text('[goal]\nconstraints = ["no new packages"]\n')
    assert "at once" not in desk.run("trust").out
    (desk.repo / "leeboard.toml").write_text('profile = "observe"\n')
    assert "running sessions pick up the looser settings at once" in desk.run("trust").out


def test_settings_that_changed_sleep_as_a_whole(desk: Desk) -> None:
    (desk.repo / "leeboard.toml").write_text('profile = "observe"\n')
    desk.ok("trust", "--yes")
    (desk.repo / "leeboard.toml").write_text('profile = "observe"\n[goal]\nconstraints = ["no new packages"]\n')
    ran = desk.run("trust", "show")
    assert ran.code == 1
    assert "all of leeboard.toml sleeps since it changed" in ran.out


def test_of_broken_settings_nobody_says_that_nothing_sleeps(desk: Desk) -> None:
    (desk.repo / "leeboard.toml").write_text('profile = "observe\n[rules\n')
    for words in (("trust", "show"), ("trust",)):
        ran = desk.run(*words)
        assert "nothing" not in ran.out
        assert "leeboard.toml" in ran.err + ran.out


def test_the_help_is_plain(desk: Desk) -> None:
    out = desk.ok("--help").out
    assert "Trust what this repository brings: show it, and ask." in out
    assert "Take trust back." in out
