"""One rule for an agent's session and for the work tree, through real hook processes and the real command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from leeboard.store.sqlite import open_store
from tests.git_repository import GitRepository
from tests.surfaces.cli.conftest import Desk


class Worksite:
    """A repository with a contract, an agent in it, and a person with the commands."""

    def __init__(self, folder: Path, **contract: object) -> None:
        self.desk = Desk(folder)
        self.git = GitRepository(self.desk.repo)
        self.git.write("src/a.py", "a = 1\n")
        self.git.write("docs/a.md", "a\n")
        lines = "\n".join(f"{key} = {json.dumps(value)}" for key, value in contract.items())
        self.git.write("leeboard.toml", f"[contract]\n{lines}\n")
        self.git.run("add", "-A")
        self.git.commit()
        self.desk.ok("init", "-q")
        self.desk.trust()
        self.git.write(".git/info/exclude", ".claude/\n")
        self.desk.hook("UserPromptSubmit", prompt="Make it faster", prompt_id="p1")
        self.calls = 0

    def write(self, path: str, content: str) -> str:
        """One Write of the agent; what it hears of it."""
        self.calls += 1
        given = {"file_path": str(self.desk.repo / path), "content": content}
        call: dict[str, Any] = {"tool_name": "Write", "tool_input": given, "tool_use_id": f"t{self.calls}"}
        heard = self.desk.hook("PreToolUse", **call)
        self.git.write(path, content)
        return heard + self.desk.hook("PostToolUse", **call, tool_response={})

    def shell(self, line: str, *writes: str) -> str:
        """A shell line whose doing nobody can foretell."""
        self.calls += 1
        call: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": line}, "tool_use_id": f"t{self.calls}"}
        heard = self.desk.hook("PreToolUse", **call)
        for path in writes:
            self.git.write(path, f"made by {line}\n")
        return heard + self.desk.hook("PostToolUse", **call, tool_response={"stdout": ""})

    def stop(self) -> str:
        return self.desk.hook("Stop", stop_hook_active=False, last_assistant_message="ok")

    def check(self) -> dict[str, Any]:
        (report,) = self.desk.run("check", "--json").objects
        return report

    def in_session(self, rule: str) -> set[str]:
        """Fingerprints of what the rule found while the agent worked."""
        store = open_store(str(self.desk.state / "leeboard.db"))
        try:
            found = [f for verdict in store.verdicts("session-1") for f in store.findings(verdict.id)]
            return {finding.fingerprint for finding in found if finding.rule == rule and finding.delta}
        finally:
            store.close()

    def in_tree(self, kind: str) -> set[str]:
        found = [one for one in self.check()["findings"] if one["kind"] == kind]
        return {place["fingerprint"] for one in found for place in one["places"] if place["severity"] != "info"}


@pytest.fixture
def site(tmp_path: Path) -> Worksite:
    return Worksite(tmp_path, touch=["src/**"], max_files=2)


def test_the_same_breach_is_the_same_finding(site: Worksite) -> None:
    site.write("src/a.py", "a = 2\n")
    heard = site.write("docs/a.md", "b\n")
    assert "docs/a.md" in heard
    assert "src/**" in heard
    assert site.in_session("file_scope") == site.in_tree("scope_drift") == {"file_scope:docs/a.md"}


def test_a_script_that_wrote_outside_is_caught(site: Worksite) -> None:
    site.write("src/a.py", "a = 2\n")
    site.shell("./generate.sh", "lib/made.py")
    assert site.in_session("file_scope") == site.in_tree("scope_drift") == {"file_scope:lib/made.py"}


def test_a_budget_that_ran_out_is_said_when_the_agent_stops_and_only_once(site: Worksite) -> None:
    for name in "bcd":
        site.write(f"src/{name}.py", "x = 1\n")
    said = json.loads(site.stop())
    assert said["decision"] == "block"
    assert "3 files changed, 2 planned" in said["reason"]
    assert site.stop() == ""
    assert site.in_session("churn_files") == site.in_tree("churn_files") == {"churn_files:files"}


def test_a_commit_hides_nothing(site: Worksite) -> None:
    site.write("src/a.py", "a = 2\n")
    site.git.write("docs/a.md", "b\n")
    site.git.run("add", "-A")
    site.git.commit()
    assert site.in_tree("scope_drift") == set(), "settings hold from the present commit on where no task was started"
    base = site.git.run("rev-parse", "HEAD~1")
    (report,) = site.desk.run("check", "--json", "--base", base).objects
    assert report["telemetry"]["out_of_scope_files"] == 1


def test_inside_the_contract_nobody_hears_a_word(site: Worksite) -> None:
    assert site.write("src/a.py", "a = 2\n") == ""
    assert site.write("src/b.py", "b = 2\n") == ""
    assert site.stop() == ""
    assert site.check()["score"] == "green"


def test_what_the_person_asked_for_is_named_and_no_drift(site: Worksite) -> None:
    site.desk.hook("UserPromptSubmit", prompt="and update docs/a.md too", prompt_id="p2")
    assert site.write("docs/a.md", "b\n") == ""
    report = site.check()
    assert report["score"] == "green"
    (scope,) = report["findings"]
    assert (scope["severity"], scope["details"]["told"]) == ("info", ["docs/a.md"])
    assert "user-directed" in scope["summary"]


def test_a_word_of_the_person_at_the_terminal_counts_too(site: Worksite) -> None:
    site.git.write("docs/a.md", "b\n")
    assert site.check()["score"] == "yellow"
    site.desk.ok("scope", "widen", "docs/", "--reason", "they ride along")
    report = site.check()
    assert report["score"] == "green"
    assert "user-directed" in report["findings"][0]["summary"]


def test_what_a_session_was_asked_is_found_without_it(tmp_path: Path) -> None:
    """An inferred contract: stored for the work tree, with its version and the commit it began at."""
    site = Worksite(tmp_path)
    site.git.write("leeboard.toml", "")
    site.git.run("commit", "-qam", "no contract")
    site.desk.hook("UserPromptSubmit", session="session-2", prompt="Fix src/a.py. Don't touch docs/.", prompt_id="p9")
    (shown,) = site.desk.ok("contract", "show", "--json").objects
    assert shown["source"] == "inferred"
    assert "src/a.py" in shown["contract"]["scope"]
    site.git.write("docs/a.md", "b\n")
    site.git.run("commit", "-qam", "hidden?")
    report = site.check()
    assert report["score"] != "green"
    assert any("docs/a.md" in json.dumps(one) for one in report["findings"])


def test_what_a_session_strayed_to_is_named_by_the_check(tmp_path: Path) -> None:
    site = Worksite(tmp_path)
    site.git.write("leeboard.toml", "")
    site.git.run("commit", "-qam", "no contract")
    site.desk.hook("UserPromptSubmit", prompt="Fix the auth bug in src/auth/token.ts", prompt_id="p2")
    site.write("src/auth/token.ts", "let a = 1\n")
    site.write("lib/okapi/zebra.css", "a {}\n")
    assert site.in_session("scope_drift") == site.in_tree("scope_drift") == {"scope_drift:lib/okapi/zebra.css"}


def test_hooks_that_init_wrote_are_no_drift_until_somebody_changes_them(tmp_path: Path) -> None:
    site = Worksite(tmp_path, touch=["src/**"], max_loc=5)
    site.desk.ok("init", "-q", "--client", "codex")
    site.write("src/a.py", "a = 2\n")
    assert site.stop() == ""
    assert (site.check()["score"], site.check()["findings"]) == ("green", [])
    hooks = site.desk.repo / ".codex" / "hooks.json"
    hooks.write_text(hooks.read_text() + "\n")
    site.write("src/a.py", "a = 3\n")
    assert ".codex/hooks.json" in site.stop()
    assert {"scope_drift", "churn_loc"} <= {found["kind"] for found in site.check()["findings"]}


def test_hooks_that_are_committed_as_init_wrote_them_are_no_drift(tmp_path: Path) -> None:
    site = Worksite(tmp_path, touch=["src/**"])
    site.desk.ok("init", "-q", "--client", "codex")
    site.git.run("add", "-A")
    site.git.commit()
    (report,) = site.desk.ok("check", "--json", "--base", "HEAD~1").objects
    assert report["score"] == "green"


def test_what_stood_in_a_settings_file_before_the_hooks_is_judged_where_no_commit_has_it(tmp_path: Path) -> None:
    site = Worksite(tmp_path, touch=["src/**"])
    site.git.write(".gemini/settings.json", '{"theme": "dark"}\n')
    site.desk.ok("init", "-q", "--client", "gemini_cli")
    assert site.check()["score"] != "green"
    site.desk.ok("uninstall", "-q", "--client", "gemini_cli")
    site.git.run("add", "-A")
    site.git.commit()
    site.desk.ok("init", "-q", "--client", "gemini_cli")
    assert site.check()["score"] == "green"
