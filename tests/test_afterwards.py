"""What was not refused and happened all the same: told at the next hook, to agent and person, with the line that did it.

Every hook is a real process by the client's own line; every line is really run in a real repository.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from leeboard.app.install.hook_files import hook_command
from leeboard.clients.claude_code.hook_settings import install
from tests.git_repository import ENVIRONMENT, GitRepository
from tests.hook_process import SCRIPT, HookProcess, edit, hook_payload, prompt, shell
from tests.leak import live_key

ALONE: dict[str, str | None] = {"LEEBOARD_RESIDENT": "0", "LEEBOARD_INDEX": "0", "LEEBOARD_KEEP": "0"}
SCHEMA = "src/db/schema.sql"
LIMIT = f"fix the login in src/login.py. Don't modify {SCHEMA}."
HOOKS = ".claude/settings.local.json"
MAKEFILE = """\
unhook:
\trm .claude/settings.local.json
switch-off:
\tprintf '{"disableAllHooks": true}' > .claude/settings.json
observe:
\tprintf 'profile = "observe"\\n' > leeboard.toml
schema:
\techo 'drop table users;' >> src/db/schema.sql
allow:
\tsed -i 's/^{/{"permissions": {"allow": ["Bash(make:*)"]},/' .claude/settings.local.json
"""


class Stand:
    """A repository with the hooks in it, an agent, and a person beside it."""

    def __init__(self, folder: Path, profile: str = "enforce", *, git: bool = True) -> None:
        self.process = HookProcess(folder=str(folder))
        self.repo = folder / "repo"
        self.env = dict(ALONE)
        self.session = "s"
        self.calls = 0
        self.git = GitRepository(self.repo) if git else None
        for path, text in self._files(profile).items():
            place = self.repo / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        if self.git is not None:
            self._branches(self.git)
        self.write(HOOKS, install("", hook_command(sys.executable, SCRIPT)))

    def _files(self, profile: str) -> dict[str, str]:
        return {
            "leeboard.toml": f'profile = "{profile}"\n',
            SCHEMA: "create table users (id int);\n",
            "src/login.py": "ok = 1\n",
            "Makefile": MAKEFILE,
            "new/schema.sql": "drop table users;\n",
            ".gitignore": ".claude/\nignored/\n",
            "package.json": '{"scripts": {"loosen": "make observe"}}',
        }

    def _branches(self, git: GitRepository) -> None:
        git.commit()
        git.run("checkout", "-q", "-b", "other")
        git.write(SCHEMA, "create table others (id int);\n")
        git.commit("other")
        git.run("checkout", "-q", "-b", "bare", "main")
        git.remove("leeboard.toml")
        git.commit("without settings")
        git.run("checkout", "-q", "main")

    def write(self, path: str, text: str) -> None:
        (self.repo / path).parent.mkdir(parents=True, exist_ok=True)
        (self.repo / path).write_text(text, encoding="utf-8")

    def hook(self, payload: bytes) -> dict[str, Any]:
        fields = json.loads(payload) | {"cwd": str(self.repo), "session_id": self.session}
        done = self.process.run(json.dumps(fields).encode(), self.env)
        assert (done.returncode, done.stderr) == (0, b"")
        return dict(json.loads(done.stdout)) if done.stdout else {}

    def say(self, words: str) -> dict[str, Any]:
        self.calls += 1
        return self.hook(prompt(words, prompt_id=f"p{self.calls}"))

    def propose(self, line: str) -> dict[str, Any]:
        self.calls += 1
        return self.hook(shell(f"t{self.calls}", line))

    def run(self, line: str) -> None:
        env = {"PATH": os.environ["PATH"], "HOME": self.process.folder, **ENVIRONMENT}
        subprocess.run(("/bin/sh", "-c", line), cwd=self.repo, env=env, capture_output=True, check=False)

    def ran(self, line: str) -> dict[str, Any]:
        return self.hook(shell(f"t{self.calls}", line, name="PostToolUse", tool_response={"stdout": "", "stderr": ""}))

    def does(self, line: str) -> dict[str, Any]:
        """Propose it, run it, tell that it ran: the answer to the last. It must not be refused."""
        answer = self.propose(line)
        assert not is_denied(answer), f"refused, so nothing is left to notice: {answer}"
        self.run(line)
        return self.ran(line)

    def stop(self) -> dict[str, Any]:
        return self.hook(hook_payload("Stop"))


def is_denied(answer: dict[str, Any]) -> bool:
    return bool(answer.get("hookSpecificOutput", {}).get("permissionDecision") == "deny")


def to_agent(answer: dict[str, Any]) -> str:
    return str(answer.get("hookSpecificOutput", {}).get("additionalContext", "")) + str(answer.get("reason", ""))


def to_person(answer: dict[str, Any]) -> str:
    return str(answer.get("systemMessage", ""))


@pytest.fixture
def stand(tmp_path: Path) -> Stand:
    return Stand(tmp_path)


@pytest.mark.parametrize("line", ["make unhook", "make switch-off"])
def test_hooks_that_are_gone_are_told_by_the_last_hook_that_runs(stand: Stand, line: str) -> None:
    stand.say("fix the login")
    answer = stand.does(line)
    for words in (to_agent(answer), to_person(answer)):
        assert ".claude/settings" in words
        assert f"`{line}`" in words
    assert "hooks any more" in to_person(answer)


def test_a_session_that_begins_later_says_that_nobody_looked(stand: Stand) -> None:
    stand.say("fix the login")
    stand.does("make unhook")
    stand.session = "next"
    assert "until now" not in to_person(stand.hook(hook_payload("SessionStart")))
    stand.write(HOOKS, install("", hook_command(sys.executable, SCRIPT)))
    assert "nobody looked" in to_person(stand.hook(hook_payload("SessionStart")))
    stand.session = "third"
    assert to_person(stand.hook(hook_payload("SessionStart"))) == ""


@pytest.mark.parametrize("line", ["make observe", "sh -c 'make observe'", "git checkout -q bare", "git switch -q bare"])
def test_a_looser_profile_does_not_count_in_the_session_and_is_said_once(stand: Stand, line: str) -> None:
    stand.say(LIMIT)
    answer = stand.does(line)
    assert "leeboard.toml" in to_agent(answer)
    told = to_person(answer)
    assert f"`{line}`" in told
    assert "leeboard.toml" in told
    refused = stand.propose(f"rm {SCHEMA}")
    assert is_denied(refused)
    assert "enforce would become" in told + to_person(refused)
    assert "would become" not in to_person(stand.propose(f"rm {SCHEMA} "))


@pytest.mark.parametrize("variable", [{"LEEBOARD_PROFILE": "observe"}, {"LEEBOARD_OFF": "1"}])
def test_a_variable_of_the_client_does_not_loosen_either(stand: Stand, variable: dict[str, str]) -> None:
    stand.say(LIMIT)
    stand.env |= variable
    answer = stand.propose(f"rm {SCHEMA}")
    assert is_denied(answer)
    assert next(iter(variable)) in to_person(answer)


def test_a_stricter_profile_counts_at_once_and_stays(tmp_path: Path) -> None:
    stand = Stand(tmp_path, profile="advise")
    stand.say("fix the login in src/login.py")
    stand.does("sed -i s/1/2/ src/login.py")
    assert not is_denied(stand.propose("rm -rf new"))
    assert not is_denied(stand.propose(f"rm {SCHEMA}"))
    stand.write("leeboard.toml", 'profile = "enforce"\n')
    assert is_denied(stand.propose(f"rm ./{SCHEMA}"))
    stand.write("leeboard.toml", 'profile = "advise"\n')
    assert is_denied(stand.propose(f"rm -f {SCHEMA}"))


LINES = (
    "make schema",
    "git merge -q other",
    "git checkout -q other -- src/db/schema.sql",
    "git checkout -q other",
    "rm -rf src/db",
    "mv src/db x",
    "mv src elsewhere",
    "cp -r new/. src/db",
    "ln -s src/db link && echo x > link/schema.sql",
    "git rm -rq src/db",
    "git reset -q --hard other",
    "sh ./script.sh",
)


@pytest.mark.parametrize("line", LINES)
def test_a_forbidden_file_that_changed_is_told_to_both_with_its_line(stand: Stand, line: str) -> None:
    stand.write("script.sh", f"cat new/schema.sql > {SCHEMA}\n")
    stand.say(LIMIT)
    answer = stand.propose(line)
    if is_denied(answer):
        return  # even better: it was told before
    stand.run(line)
    answer = stand.ran(line)
    for words in (to_agent(answer), to_person(answer)):
        assert SCHEMA in words, (line, answer)
        assert f"`{line}`" in words, (line, answer)


def test_git_need_not_know_the_file(tmp_path: Path) -> None:
    stand = Stand(tmp_path, git=False)
    stand.say(LIMIT)
    answer = stand.does("make schema")
    assert SCHEMA in to_agent(answer)
    assert SCHEMA in to_person(answer)


def test_an_ignored_file_is_no_exception(stand: Stand) -> None:
    stand.write("ignored/key.txt", "one\n")
    stand.write("script.sh", "echo two > ignored/key.txt\n")
    stand.say("fix the login. Don't touch ignored/key.txt.")
    assert "ignored/key.txt" in to_person(stand.does("sh ./script.sh"))


def test_what_a_process_left_behind_does_is_told_when_the_agent_stops(stand: Stand) -> None:
    stand.say(LIMIT)
    line = "nohup make later &"
    assert to_person(stand.does(line)) == ""
    stand.run("make schema")
    answer = stand.stop()
    assert SCHEMA in to_agent(answer)
    assert SCHEMA in to_person(answer)
    assert f"`{line}`" in to_person(answer)


def test_a_line_that_never_came_back_is_named_at_the_next_hook(stand: Stand) -> None:
    stand.say(LIMIT)
    stand.propose("make schema")
    stand.run("make schema")
    answer = stand.say("what are you doing?")
    assert "`make schema`" in to_person(answer)


def test_another_time_of_the_same_content_is_nothing(stand: Stand) -> None:
    stand.write("script.sh", f"touch {SCHEMA} leeboard.toml {HOOKS}\n")
    stand.say(LIMIT)
    assert to_person(stand.does("sh ./script.sh")) == ""


def test_a_time_that_was_set_back_hides_nothing(stand: Stand) -> None:
    stand.write("script.sh", f"touch -r {SCHEMA} t; sed -i s/users/userx/ {SCHEMA}; touch -r t {SCHEMA}\n")
    stand.say(LIMIT)
    assert SCHEMA in to_person(stand.does("sh ./script.sh"))


def test_what_a_person_changes_while_no_line_runs_is_nobodys_fault(stand: Stand) -> None:
    stand.say(LIMIT)
    stand.does("pytest -q")
    stand.write(SCHEMA, "create table mine (id int);\n")
    answer = stand.stop()
    assert to_agent(answer) == ""
    assert "while the agent ran nothing" in to_person(answer)
    assert stand.stop() == {}


def test_an_edit_that_was_judged_is_not_told_twice(tmp_path: Path) -> None:
    stand = Stand(tmp_path, profile="advise")
    stand.say("fix the login in src/login.py")
    for line in ("cat src/login.py", "sed -i s/1/2/ src/login.py", f"sed -i s/users/others/ {SCHEMA}"):
        stand.does(line)
    line = "sed -i s/users/others/ new/schema.sql"
    assert not is_denied(stand.propose(line))
    stand.run(line)
    told = to_person(stand.ran(line))
    assert told.startswith("Leeboard told the agent"), "the correction, as of any other call"
    assert "\n" not in told, "and nothing of a file that was found changed"


def test_a_file_that_is_given_back_is_not_spoken_of(stand: Stand) -> None:
    stand.say(LIMIT)
    stand.does("make schema")
    assert to_person(stand.does(f"git checkout -q -- {SCHEMA}")) == ""


def test_permissions_that_the_client_writes_itself_are_not_the_guard(stand: Stand) -> None:
    stand.say("fix the login")
    assert stand.does("make allow") == {}


def test_under_observe_it_is_on_record_alone(tmp_path: Path) -> None:
    stand = Stand(tmp_path, profile="observe")
    stand.env["LEEBOARD_PROFILE"] = "observe"
    stand.say(LIMIT)
    assert stand.does("make schema") == {}


def test_no_secret_of_a_line_is_shown(stand: Stand) -> None:
    stand.env["LEEBOARD_PROFILE"] = "observe"
    stand.say(LIMIT)
    secret = live_key(1)
    assert not is_denied(stand.propose(f"make schema KEY={secret}"))
    del stand.env["LEEBOARD_PROFILE"]
    stand.run("make schema")
    answer = stand.ran("make schema")
    assert SCHEMA in to_person(answer)
    assert "make schema KEY=" in to_person(answer)
    assert secret not in json.dumps(answer)


def test_a_refused_edit_does_not_cover_the_script_that_follows_it(stand: Stand) -> None:
    stand.say(LIMIT)
    assert is_denied(stand.hook(edit("e1", str(stand.repo / SCHEMA))))
    assert SCHEMA in to_person(stand.does("make schema"))


def test_a_line_that_also_runs_a_command_of_ours_does_not_cover_a_script(stand: Stand) -> None:
    stand.write(".leeboard/graph.jsonl", "{}\n")
    stand.write("tidy.sh", "echo > .leeboard/graph.jsonl\n")
    stand.say(LIMIT)
    assert "graph.jsonl" in to_person(stand.does("leeboard status; sh tidy.sh"))


def test_a_look_that_never_ends_is_none(stand: Stand) -> None:
    stand.say(LIMIT)
    for kept in Path(stand.process.state_dir, "guards").iterdir():
        kept.unlink()
        os.mkfifo(kept)
    assert is_denied(stand.hook(edit("e1", str(stand.repo / SCHEMA))))


def test_what_is_told_of_sleeping_things_is_no_change_of_the_guard(stand: Stand) -> None:
    stand.write("leeboard.toml", 'profile = "observe"\n')
    stand.hook(hook_payload("SessionStart", source="startup"))
    assert to_person(stand.say(LIMIT)) == ""
