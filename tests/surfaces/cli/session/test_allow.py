from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.leak import live_key
from tests.surfaces.cli.leaking import fired_id, leak, write_key

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
    (made,) = desk.ok("allow", "LB-S001:a/b.css", "--reason", "fine", "--json").objects
    assert made["fingerprint"] == "scope_drift:a/b.css"
    (made,) = desk.ok("allow", "lb-s004", "--reason", "fine", "--json").objects
    assert made["rule"] == "circling"
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


def test_a_secret_is_let_pass_by_its_id_alone(desk: Desk) -> None:
    """SW-161."""
    assert "deny" in leak(desk)
    (made,) = desk.ok("allow", fired_id(desk), "--reason", "sandbox", "--json").objects
    assert made["fingerprint"].startswith("credential:src/pay.py:")
    assert live_key(1) not in made["fingerprint"]
    assert write_key(desk, 1) == ""
    assert "deny" in write_key(desk, 2)
    desk.ok("allow", "--revoke", made["id"])
    assert "deny" in write_key(desk, 1)


def test_no_rule_and_no_path_lets_secrets_pass(desk: Desk) -> None:
    leak(desk)
    ran = desk.run("allow", "credential", "--path", "src/**", "--reason", "x")
    assert "`leeboard scan --verbose`" in " ".join(ran.err.split())
    assert ran.code == 2
    assert "by its id" in ran.err
    assert "deny" in write_key(desk, 1)


def test_a_signal_nobody_knows_is_not_allowed(desk: Desk) -> None:
    ran = desk.run("allow", "sffffffffff", "--reason", "x")
    assert ran.code == 2
    assert "`leeboard report`" in ran.err


def test_an_agent_can_not_let_a_secret_pass(desk: Desk) -> None:
    leak(desk)
    ran = desk.run("allow", fired_id(desk), "--reason", "x", env={"CLAUDECODE": "1"})
    assert ran.code == 2
    assert "only a person" in ran.err
    assert "deny" in write_key(desk, 1)


def _edit_of_schema(desk: Desk, session: str, call: str) -> str:
    edit = {"file_path": str(desk.repo / "db/schema.sql"), "old_string": "a", "new_string": "b"}
    return desk.hook("PreToolUse", session, tool_name="Edit", tool_input=edit, tool_use_id=call)


def _refused(desk: Desk, session: str, call: str) -> str:
    """The id of the verdict that refuses to change what the user has ruled out."""
    desk.hook("UserPromptSubmit", session, prompt="Fix the session lifetime in src/auth/token.py. Don't touch db/.")
    assert '"deny"' in _edit_of_schema(desk, session, call)
    (report,) = desk.ok("report", session, "--json").objects
    return str(report["drifts"][-1]["id"])


def test_a_broken_limit_is_let_stand_by_its_id_in_its_session_alone(desk: Desk) -> None:
    desk.ok("init", "-q")
    said = desk.ok("allow", _refused(desk, "session-1", "toolu_1"), "--reason", "ok this once").out
    assert "in session session- alone" in said
    assert "for good" not in said
    assert '"deny"' not in _edit_of_schema(desk, "session-1", "toolu_2")
    assert "lifted   broken_constraint:db/schema.sql" in desk.ok("scope").out
    assert "in session session- alone" in desk.ok("allow", "--list").out
    _refused(desk, "session-2", "toolu_3")
    assert "lifted" not in desk.ok("scope").out, "what holds in another session is none of this one's"


@pytest.mark.parametrize(
    ("prompt", "holds_again"),
    [("And again: don't touch db/.", True), ("Don't touch docs/. Go on.", False), ("Never push. Go on.", False)],
)
def test_a_limit_that_is_stated_again_ends_what_was_let_stand(desk: Desk, prompt: str, *, holds_again: bool) -> None:
    desk.ok("init", "-q")
    desk.ok("allow", _refused(desk, "session-1", "toolu_1"), "--reason", "ok this once")
    desk.hook("UserPromptSubmit", "session-1", prompt=prompt)
    assert ('"deny"' in _edit_of_schema(desk, "session-1", "toolu_2")) == holds_again
    assert ("lifted" not in desk.ok("scope").out) == holds_again


def test_a_refusal_is_let_stand_as_a_whole_and_nothing_of_it_for_good(desk: Desk) -> None:
    """Beside the broken limit it names the place, which nothing led to: that may stand here too, and nowhere else."""
    desk.ok("init", "-q")
    desk.hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts. Don't touch src/styles/.")
    edit = {"file_path": str(desk.repo / "src/auth/token.ts"), "old_string": "a", "new_string": "b"}
    desk.hook("PreToolUse", tool_name="Edit", tool_input=edit, tool_use_id="toolu_1")
    desk.hook("PostToolUse", tool_name="Edit", tool_input=edit, tool_use_id="toolu_1", tool_response={})
    strays = edit | {"file_path": str(desk.repo / "src/styles/theme.css")}
    answer = desk.hook("PreToolUse", tool_name="Edit", tool_input=strays, tool_use_id="toolu_2")
    (report,) = desk.ok("report", "--json").objects
    refusal = report["drifts"][-1]["id"]
    assert answer.count(f"`leeboard allow {refusal} --reason ...`") == 2, "the agent and the person read the same id"
    made = desk.ok("allow", refusal, "--reason", "ok this once", "--json").objects
    assert {one["fingerprint"].partition(":")[0] for one in made} == {"broken_constraint", "scope_drift", "tangent"}
    assert {one["session"] for one in made} == {"session-1"}


def test_a_secret_has_one_id_for_agent_and_person(desk: Desk) -> None:
    """What lets the secret stand lets nothing else stand that was thought of the same call."""
    answer = leak(desk)
    (refusal,) = set(re.findall(r"leeboard allow (\w+)", answer))
    told = desk.ok("why", refusal).out
    assert "refused for what is in it" in told
    assert "nothing is said" not in told
    (made,) = desk.ok("allow", refusal, "--reason", "sandbox", "--json").objects
    assert made["fingerprint"].startswith("credential:src/pay.py:")
    assert made["session"] == ""
    assert write_key(desk, 1) == ""


def test_a_refusal_for_several_secrets_names_them_all(desk: Desk) -> None:
    desk.ok("init", "-q")
    text = f'STRIPE_KEY = "{live_key(1)}"\n\nSANDBOX_KEY = "{live_key(2)}"\nREFUND_KEY = "{live_key(3)}"\n'
    edit = {"file_path": str(desk.repo / "src/pay.py"), "content": text}
    answer = desk.hook("PreToolUse", tool_name="Write", tool_input=edit, tool_use_id="toolu_1")
    (also,) = re.findall(r"Also (.*?)\. Only the user", answer)
    places = {"`STRIPE_KEY`, line 1", "`SANDBOX_KEY`, line 3", "`REFUND_KEY`, line 4"}
    assert len(places - set(also.split("; "))) == 1, "the one that the sentence begins with"
    (refusal,) = set(re.findall(r"leeboard allow (\w+)", answer))
    out = desk.ok("allow", refusal, "--reason", "sandbox").out
    for name, line in (("STRIPE_KEY", 1), ("SANDBOX_KEY", 3), ("REFUND_KEY", 4)):
        assert f"  `{name}` (stripe key) is in clear text in src/pay.py:{line}\n" in out
    assert desk.hook("PreToolUse", tool_name="Write", tool_input=edit, tool_use_id="toolu_2") == ""


def test_a_broken_limit_let_stand_for_a_path_is_shown_with_the_scope(desk: Desk) -> None:
    desk.ok("init", "-q")
    desk.ok("allow", "broken_constraint", "--path", "db/**", "--reason", "we own it", "--until", "2h")
    desk.hook("UserPromptSubmit", prompt="Fix the session lifetime in src/auth/token.py. Don't touch db/.")
    assert '"deny"' not in _edit_of_schema(desk, "session-1", "toolu_1")
    (scope,) = desk.ok("scope", "--json").objects
    assert [(one["rule"], one["path"], one["session"]) for one in scope["lifted"]] == [
        ("broken_constraint", "db/**", "")
    ]


def test_a_broken_limit_let_stand_for_everybody_holds_in_every_session(desk: Desk) -> None:
    desk.ok("init", "-q")
    refused = _refused(desk, "session-1", "toolu_1")
    assert "for good" in desk.ok("allow", refused, "--project", "--reason", "decided").out
    assert '"deny"' not in _edit_of_schema(desk, "session-1", "toolu_2")


def test_the_guard_of_the_guard_is_not_let_pass_as_a_whole(desk: Desk) -> None:
    ran = desk.run("allow", "self_allowance", "--reason", "x")
    assert ran.code == 2
    assert "--path leeboard.toml" in ran.err
    assert "`leeboard pause --for" in ran.err
    assert desk.ok("allow", "--list", "--json").objects == []
