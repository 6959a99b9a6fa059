"""A team's policy: signed with ssh's own keys, published in a real database, taken by the real commands."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from leeboard.settings.team_policy import render
from tests.surfaces.cli.project.test_team_back import member
from tests.surfaces.cli.session.test_replay import RECORDING

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk
    from tests.team_server import TeamServer

STRICT = """
profile = "enforce"
idle_minutes = 1

[interrupts]
budget = 2

[rules.circling]
enabled = true

[rules.scope_drift]
enabled = false

[protect]
files = ["infra/**"]

[goal]
constraints = ["never push to main"]
scope = ["everything/"]
"""


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("keys")
    made = {name: folder / name for name in ("team", "other")}
    for path in made.values():
        subprocess.run(("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(path)), check=True)
    return made


def trusting(desk: Desk, key: Path) -> None:
    settings = desk.home / ".config" / "leeboard" / "leeboard.toml"
    public = key.with_suffix(".pub").read_text().strip()
    text = settings.read_text().replace("[team]\n", f'[team]\npolicy_keys = ["{public}"]\n')
    settings.write_text(f"[rules.circling]\nenabled = false\n{text}")


def signed(desk: Desk, key: Path, serial: int, text: str = STRICT, *options: str) -> Path:
    (desk.home / "policy.toml").write_text(text)
    made = desk.home / f"policy-{serial}.signed"
    words = ("--serial", str(serial), "--key", str(key), *options)
    made.write_text(desk.ok("team", "policy", "sign", str(desk.home / "policy.toml"), *words).out)
    return made


def expired(key: Path, serial: int) -> str:
    """A document that our own command would not sign."""
    text = render("*", serial, "2020-01-01", "2020-01-31", STRICT)
    sign = ("ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", "leeboard-policy")
    return text + subprocess.run(sign, input=text, capture_output=True, check=True, text=True).stdout


def test_a_published_policy_tightens_and_never_loosens(
    team_server: TeamServer, tmp_path: Path, keys: dict[str, Path]
) -> None:
    kim = member(team_server, tmp_path / "kim", "kim", "publish")
    lee = member(team_server, tmp_path / "lee", "lee")
    for desk in (kim, lee):
        trusting(desk, keys["team"])
    document = signed(kim, keys["team"], 1)
    assert "serial 1 for every project" in kim.ok("team", "policy", "check", str(document)).out
    assert "published policy 1 for shop" in kim.ok("team", "policy", "publish", str(document)).out
    again = kim.run("team", "policy", "publish", str(document))
    assert again.code == 2
    assert "sign it with a higher one" in again.err
    assert lee.run("team", "policy", "publish", str(document)).code == 2

    assert lee.run("team", "policy", "show").code == 2
    lee.ok("team", "ship")
    (shown,) = lee.ok("team", "policy", "show", "--json").objects
    assert set(shown["tightens"]) == {"profile", "rules.circling", "protect.files", "goal.constraints"}
    ignored = {one.split(":")[0].split(" =")[0] for one in shown["ignored"]}
    assert ignored == {"idle_minutes", "interrupts.budget", "rules.scope_drift.enabled", "goal.scope"}
    team_server.kill()  # it holds without the team
    try:
        told = {one["key"]: one for one in lee.ok("config", "show", "--json").objects}
        assert (told["profile"]["value"], told["profile"]["layer"]) == ("enforce", "team")
        assert told["profile"]["origin"] == ["team policy 1 for *"]
        assert told["rules.circling.enabled"]["value"] is True
        assert told["protect.files"]["value"] == ["infra/**"]
        assert told["goal.constraints"]["layer"] == "team"
        assert told["goal.scope"]["value"] == []
        assert told["interrupts.budget"]["layer"] == "default"
        shown_too = lee.ok("config", "show", "--origin")
        assert 'profile = "enforce"  # team policy 1 for *' in shown_too.out
        assert "ignored, since a policy only tightens: rules.scope_drift.enabled = false" in shown_too.err
        rules = {one["id"]: one for one in lee.ok("rules", "--json").objects}
        assert (rules["circling"]["origin"], rules["circling"]["off"]) == ("team policy 1", False)
        assert rules["scope_drift"] | {"origin": "", "off": False} == rules["scope_drift"]
        assert "team policy" in lee.run("status").out
        observing = lee.run("status", "--json", env={"LEEBOARD_PROFILE": "observe"})
        assert observing.objects[0]["profile"] == "enforce"
    finally:
        team_server.start()
    lee.ok("init", "-q")
    lee.hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts")
    edit = {"file_path": str(lee.repo / "infra/main.tf"), "old_string": "a", "new_string": "b"}
    answered = lee.hook("PreToolUse", tool_name="Edit", tool_input=edit, tool_use_id="toolu_1")
    assert "deny" in answered


def test_what_is_not_the_teams_is_refused_and_what_was_taken_holds(
    team_server: TeamServer, tmp_path: Path, keys: dict[str, Path]
) -> None:
    kim = member(team_server, tmp_path / "kim", "kim", "publish")
    trusting(kim, keys["team"])
    kim.ok("team", "policy", "publish", str(signed(kim, keys["team"], 5, 'profile = "enforce"\n')))
    kim.ok("team", "ship")

    def refused(serial: int, document: str) -> str:
        """What a member says of a document that somebody put into the database, past our own commands."""
        team_server.execute("DELETE FROM leeboard.policies")
        quoted = document.replace("'", "''")
        team_server.execute(f"INSERT INTO leeboard.policies VALUES ('shop', {serial}, '{quoted}', now(), 'eve')")
        kim.ok("team", "ship")
        (status,) = kim.ok("team", "status", "--json").objects
        assert kim.ok("team", "policy", "show", "--json").objects[0]["serial"] == 5
        assert kim.run("status", "--json").objects[0]["profile"] == "enforce"
        return str(status["policy_note"])

    older = signed(kim, keys["team"], 4, 'profile = "advise"\n').read_text()
    assert "serial 4, older than the serial 5" in refused(4, older)
    other = signed(kim, keys["team"], 5, 'profile = "advise"\n').read_text()
    assert "another text of the same serial 5" in refused(5, other)
    foreign = signed(kim, keys["other"], 6).read_text()
    assert "by none of the team's keys" in refused(6, foreign)
    changed = signed(kim, keys["team"], 7).read_text().replace("enforce", "observe")
    assert "not of this text" in refused(7, changed)
    assert "has no signature" in refused(8, "profile = 'observe'")
    elsewhere = signed(kim, keys["team"], 9, STRICT, "--project", "bank").read_text()
    assert "for the project bank" in refused(9, elsewhere)
    late = expired(keys["team"], 10)
    assert "expired at 2020-01-31T23:59:59" in refused(10, late)
    (kim.home / "late").write_text(late)
    assert "sign it anew" in kim.run("team", "policy", "publish", str(kim.home / "late")).err
    checked = kim.run("team", "policy", "check", str(kim.home / "late"))
    assert (checked.code, "not taken" in checked.out, "holds on" in checked.out) == (1, True, False)


def test_a_limit_of_the_team_is_told_as_the_teams(
    team_server: TeamServer, tmp_path: Path, keys: dict[str, Path]
) -> None:
    kim = member(team_server, tmp_path / "kim", "kim", "publish")
    trusting(kim, keys["team"])
    limit = '[goal]\nconstraints = ["do not modify docs/"]\n'
    kim.ok("team", "policy", "publish", str(signed(kim, keys["team"], 4, limit)))
    kim.ok("team", "ship")
    kim.ok("init", "-q")
    kim.hook("SessionStart", source="startup")
    kim.hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts")
    edit = {"file_path": str(kim.repo / "docs/index.md"), "old_string": "a", "new_string": "b"}
    answered = kim.hook("PreToolUse", tool_name="Edit", tool_input=edit, tool_use_id="toolu_1")
    assert "docs/index.md is what the team rules out: DO NOT modify docs/ (team policy 4)" in answered
    assert "team policy 4" in kim.ok("why").out
    assert "team policy 4" in kim.ok("scope").out
    assert "DO NOT modify docs/ (team policy 4)" in kim.hook("SessionStart", source="compact")
    replayed = kim.ok("replay", str(RECORDING)).out
    assert "team policy 4" in " ".join(replayed.split())


def test_what_was_taken_outlasts_a_slip_in_the_settings(
    team_server: TeamServer, tmp_path: Path, keys: dict[str, Path]
) -> None:
    kim = member(team_server, tmp_path / "kim", "kim", "publish")
    trusting(kim, keys["team"])
    kim.ok("team", "policy", "publish", str(signed(kim, keys["team"], 3, 'profile = "enforce"\n')))
    kim.ok("team", "ship")
    settings = kim.home / ".config" / "leeboard" / "leeboard.toml"
    valid = settings.read_text()
    for broken in (
        valid.replace("postgresql://", "mysql://"),
        valid.replace("ssh-ed25519", "ssh-rsa"),
        valid.replace('shop = "/', 'shop = "'),
        valid.replace("[team]", "[taem]"),
        valid.replace("[team]", "[team"),
        "no settings at all",
    ):
        settings.write_text(broken)
        (shown,) = kim.run("status", "--json").objects
        assert shown["profile"] == "enforce", broken
        (told,) = [one for one in kim.run("doctor", "--json").objects if one.get("about") == "leeboard.toml"]
        assert "the team's policy 3, taken before, holds on" in told["detail"]
        asked = kim.run("team", "status")
        assert "policy 3 for shop, taken before, holds on" in " ".join(f"{asked.out} {asked.err}".split()), broken
    settings.write_text('profile = "observe"\n')  # who leaves the team is free
    assert kim.run("status", "--json").objects[0]["profile"] == "observe"


def test_wrong_words_name_what_is_wrong(team_server: TeamServer, tmp_path: Path, keys: dict[str, Path]) -> None:
    kim = member(team_server, tmp_path / "kim", "kim", "publish")
    (kim.home / "policy.toml").write_text("profil = 1\n")
    sign = ("team", "policy", "sign", str(kim.home / "policy.toml"), "--serial", "1", "--key")
    assert "profil" in kim.run(*sign, str(keys["team"])).err
    (kim.home / "policy.toml").write_text('profile = "enforce"\n')
    assert "could not sign" in kim.run(*sign, str(kim.home / "missing")).err
    assert kim.run(*sign, str(keys["team"]), env={"CLAUDECODE": "1"}).code != 0
    assert "a day to come" in kim.run(*sign, str(keys["team"]), "--expires", "2020-01-31").err
    assert "no date" in kim.run(*sign, str(keys["team"]), "--expires", "soon").err
    document = signed(kim, keys["team"], 1)
    ran = kim.run("team", "policy", "check", str(document))
    assert ran.code == 2
    assert "policy_keys" in ran.err
