from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Desk


def test_a_rule_on_a_path_is_silent_from_then_on(desk: Desk) -> None:
    desk.ok("init", "-q")
    for rule in ("scope_drift", "tangent"):
        desk.ok("allow", rule, "--path", "src/styles/**", "--reason", "theme rides along", "--until", "2h")
    desk.hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts")
    desk.edit("src/auth/token.ts", "toolu_1")
    assert desk.edit("src/styles/theme.css", "toolu_2") == ""
    assert "src/billing/pay.ts" in desk.edit("src/billing/pay.ts", "toolu_3")


def test_an_id_allows_exactly_its_findings(drifted_copy: Desk) -> None:
    (report,) = drifted_copy.ok("report", "--json").objects
    made = drifted_copy.ok("allow", report["drifts"][0]["id"], "--reason", "fine", "--json").objects
    assert {one["fingerprint"] for one in made} == {
        "scope_drift:src/styles/theme.css",
        "tangent:src/styles/theme.css",
    }


def test_a_finding_by_its_own_name(desk: Desk) -> None:
    (made,) = desk.ok("allow", "scope_drift:a/b.css", "--reason", "fine", "--json").objects
    assert made["fingerprint"] == "scope_drift:a/b.css"
    assert desk.run("allow", "scope_drif:a", "--reason", "fine").code == 2


def test_what_is_allowed_is_listed_and_taken_back(desk: Desk) -> None:
    (made,) = desk.ok("allow", "circling", "--reason", "known flake", "--json").objects
    assert "known flake" in desk.ok("allow", "--list").out
    desk.ok("allow", "--revoke", made["id"])
    assert desk.ok("allow", "--list", "--json").objects == []
    ran = desk.run("allow", "--revoke", made["id"])
    assert ran.code == 2
    assert "`leeboard allow --list`" in ran.err


def test_it_holds_in_its_project_alone(desk: Desk) -> None:
    desk.ok("allow", "circling", "--reason", "x")
    assert desk.ok("allow", "--list", "--json", cwd=desk.home).objects == []


def test_wrong_words_name_the_right_ones(desk: Desk) -> None:
    assert "--reason" in desk.run("allow", "circling").err
    assert "did you mean circling?" in desk.run("allow", "circlin", "--reason", "x").err
    assert "a rule or an id" in desk.run("allow").err
    assert "2h" in desk.run("allow", "circling", "--reason", "x", "--until", "soon").err
