"""Proof of life: hooks that were answered for real, held against settings and against what the client wrote down."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from leeboard.app.archive import opened_archive
from leeboard.app.guard import canary
from leeboard.app.guard.alive import Life, life_of, loud_words
from leeboard.app.guard.coverage import Coverage, PartHeard, keep
from leeboard.app.install.hook_files import hook_command, install, our_command, place, plan_install
from leeboard.app.pause import Pause, begin_pause, end_pause
from leeboard.app.posting.hooks import keep_hooks, new_hooks
from leeboard.clients.claude_code.hook_settings import HOOK_EVENTS
from leeboard.io import clock
from leeboard.model.lookup import Receipt
from leeboard.model.traffic import CarriedRequest
from leeboard.trust.released import release
from tests.hooked_agent import HookedAgent, run

HOUR = 3_600.0


class Client:
    """Writes transcripts as Claude Code does: a call and its result, whether or not a hook was asked."""

    def __init__(self, home: Path, repo: Path) -> None:
        named = "".join(char if char.isalnum() else "-" for char in str(repo))
        self.folder = home / ".claude" / "projects" / named
        self.folder.mkdir(parents=True)
        self.repo = repo

    def wrote(self, *calls: str, session: str = "s", ended: float | None = None, error: bool = False) -> None:
        at = clock.iso(clock.now() - 60 if ended is None else ended)
        base = {"sessionId": session, "cwd": str(self.repo), "timestamp": at, "isSidechain": False}
        with (self.folder / f"{session}.jsonl").open("a", encoding="utf-8") as file:
            for call in calls:
                use = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "echo a"}}
                result = {"type": "tool_result", "tool_use_id": call, "content": "a", "is_error": error}
                said = {"id": f"m-{call}", "role": "assistant", "content": [use]}
                file.write(json.dumps({**base, "type": "assistant", "uuid": f"u-{call}", "message": said}) + "\n")
                told = {"role": "user", "content": [result]}
                file.write(json.dumps({**base, "type": "user", "uuid": f"r-{call}", "message": told}) + "\n")

    def recorded_fault(self, session: str = "s") -> None:
        self._attached(
            {"type": "hook_cancelled", "hookEvent": "PreToolUse", "command": our_command(), "timedOut": True}, session
        )

    def met_nobody_at(self, port: int, session: str = "s") -> None:
        met = f"connect ECONNREFUSED 127.0.0.1:{port}"
        self._attached({"type": "hook_non_blocking_error", "hookEvent": "PostToolUse", "stderr": met}, session)

    def _attached(self, told: dict[str, object], session: str) -> None:
        line = {"type": "attachment", "attachment": told, "timestamp": clock.iso(clock.now()), "sessionId": session}
        with (self.folder / f"{session}.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "LEEBOARD_OFF"):
        monkeypatch.delenv(name, raising=False)
    found = tmp_path / "repo"
    found.mkdir()
    assert run(found, "git init -q -b main .").returncode == 0
    return found


@pytest.fixture
def client(repo: Path) -> Client:
    """With our hooks in its settings since an hour."""
    install(plan_install(place("local", str(repo)), our_command()))
    for record in (repo.parent / "state").rglob("*.json"):
        os.utime(record, (clock.now() - HOUR, clock.now() - HOUR))
    return Client(repo.parent, repo)


def life(repo: Path) -> Life:
    with opened_archive() as store:
        return life_of(str(repo), os.environ, store)


def heard(repo: Path, *calls: str, session: str = "s", agent: str = "", ago: float = 120.0) -> None:
    with opened_archive() as store:
        for call in calls:
            store.receipt(
                Receipt(
                    ts=clock.now() - ago,
                    event="PreToolUse",
                    outcome="allow",
                    session=session,
                    project=str(repo),
                    client="claude_code",
                    agent=agent,
                    call=call,
                )
            )


def test_each_event_is_configured_enabled_and_observed(repo: Path, client: Client) -> None:
    agent, helper = HookedAgent(repo), HookedAgent(repo, agent="a1")
    agent.hook("SessionStart", source="startup")
    agent.prompt("add payments")
    agent.bash("echo hello")
    helper.bash("echo hello")
    found = {hook.event: hook for hook in life(repo).hooks}
    assert client.repo == repo
    assert tuple(found) == HOOK_EVENTS
    assert all(hook.configured and hook.enabled for hook in found.values())
    before, stop = found["PreToolUse"], found["Stop"]
    assert 0 <= clock.now() - before.heard < 60
    assert (before.heard_in_agents > 0, before.heard_in_worktrees, before.count) == (True, 0.0, 2)
    assert (stop.heard, stop.count) == (0.0, 0)
    assert 0 <= clock.now() - life(repo).canary < 60
    assert life(repo).silences == loud_words(str(repo), os.environ) == ()


def test_an_agent_in_a_linked_work_tree_is_observed_as_one(repo: Path, client: Client) -> None:
    assert client.repo == repo
    HookedAgent(repo).prompt("add payments")
    assert run(repo, "git commit -q --allow-empty -m a && git worktree add -q ../tree").returncode == 0
    helper = HookedAgent(repo, agent="a1")
    cwd = str(repo.parent / "tree")
    helper.hook("PreToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="t1", cwd=cwd)
    (found,) = [hook for hook in life(repo).hooks if hook.event == "PreToolUse"]
    assert found.heard_in_agents == found.heard_in_worktrees > 0


def test_calls_that_ran_and_no_hook_was_asked_about_are_silence(repo: Path, client: Client) -> None:
    heard(repo, "t1", "t2", ago=600)
    client.wrote("t1", "t2")
    assert life(repo).silences == ()
    client.wrote("t3")
    assert life(repo).silences == (), "one receipt may be lost"
    client.wrote("t4")
    (words,) = loud_words(str(repo), os.environ)
    assert words.startswith(
        "the last 2 calls of session s ran and no hook was asked, by the transcript of Claude Code;"
    )
    heard(repo, "t4")
    assert life(repo).silences == ()
    assert [one.unheard for one in life(repo).witnessed] == [1]


def test_a_session_of_which_nothing_was_ever_heard_counts_from_the_time_the_hooks_were_put_in(
    repo: Path, client: Client
) -> None:
    client.wrote("t1", "t2", session="before", ended=clock.now() - 2 * HOUR)
    heard(repo, "x", session="another")
    assert life(repo).silences == ()
    client.wrote("t3", "t4", session="after")
    assert "the last 2 calls of session after" in " ".join(life(repo).silences)


def test_what_is_no_sign_of_silence(repo: Path, client: Client) -> None:
    """What failed may have met no hook, what is a moment old may still get its receipt, others' work is not ours."""
    heard(repo, "t1", ago=600)
    client.wrote("t2", "t3", error=True)
    client.wrote("t4", "t5", ended=clock.now())
    other = repo.parent / "repo-2"
    other.mkdir()
    Client(repo.parent, other).wrote("t6", "t7", session="theirs")
    assert life(repo).silences == ()


def test_what_the_proxy_judged_was_not_silent(repo: Path, client: Client) -> None:
    heard(repo, "t1", ago=600)
    client.wrote("t2", "t3")
    assert len(life(repo).silences) == 1
    with opened_archive() as store:
        store.traffic.keep_carried(CarriedRequest(ts=clock.now(), session="s", project=str(repo), calls=2))
    assert life(repo).silences == ()


def test_a_failure_that_the_client_recorded_is_said(repo: Path, client: Client) -> None:
    heard(repo, "t1")
    client.recorded_fault()
    (words,) = life(repo).silences
    assert words.startswith("Claude Code recorded that our hook for PreToolUse did not answer, ")


def test_posts_that_met_nobody_are_said_until_the_hooks_run_as_commands_again(repo: Path, client: Client) -> None:
    """Then one notice says what was done and why: there is nothing left to repair."""
    heard(repo, "t1")
    client.wrote("t1")
    posted = new_hooks(str(repo), f"{repo}/.claude/settings.local.json", "2.1.325")
    keep_hooks(posted)
    client.met_nobody_at(posted.port)
    (words,) = life(repo).silences
    assert "1 report failed, the last for PostToolUse" in words
    assert "0 calls" not in words
    keep_hooks(replace(posted, given_up=f"port {posted.port} of this machine is held by another program"))
    (words,) = life(repo).silences
    assert "run as commands again" in words


def test_a_hook_whose_program_is_gone_is_said_at_once(repo: Path, client: Client) -> None:
    gone = str(client.repo.parent / "venv" / "leeboard" / "surfaces" / "hook.py")
    heard(repo, "t1")
    install(plan_install(place("local", str(repo)), hook_command("/usr/bin/env", gone)))
    (words,) = loud_words(str(repo), os.environ)
    assert f"names {gone}, which does not exist: no hook of Claude Code is answered" in words


@pytest.mark.parametrize(
    ("place_of", "switch", "words"),
    [
        ("repo/.claude", '"disableAllHooks": true', "disableAllHooks"),
        (".claude", '"env": {"LEEBOARD_OFF": "1"}', "LEEBOARD_OFF"),
    ],
)
def test_hooks_that_settings_switch_off_are_said_and_not_enabled(
    repo: Path, client: Client, place_of: str, switch: str, words: str
) -> None:
    assert client.repo == repo
    heard(repo, "t1")
    (repo.parent / place_of / "settings.json").write_text(f"{{{switch}}}")
    found = life(repo)
    assert words in found.silences[0]
    assert not any(hook.enabled for hook in found.hooks)
    assert all(hook.configured for hook in found.hooks)


def test_hooks_that_nobody_took_out_are_missed_and_those_a_person_did_are_not(repo: Path, client: Client) -> None:
    assert client.repo == repo
    heard(repo, "t1")
    (repo / ".claude" / "settings.local.json").unlink()
    assert "stand in no settings any more, though no person took them out" in life(repo).silences[0]
    release(str(repo), "hooks")
    assert life(repo).silences == ()


def test_a_hook_that_a_person_tries_by_hand_is_no_hook_that_is_gone(repo: Path) -> None:
    HookedAgent(repo, session="tried").prompt("what does it say?")
    assert life(repo).silences == ()
    assert any(hook.heard for hook in life(repo).hooks)
    Client(repo.parent, repo).wrote("t1", session="another", ended=clock.now() - 400)
    assert life(repo).silences == (), "no session of the client that is known was ever heard"


def test_hooks_that_others_put_there_are_missed_where_the_client_knows_the_session(repo: Path) -> None:
    """No record of ours: they came with the repository."""
    HookedAgent(repo, session="real").prompt("add a page")
    Client(repo.parent, repo).wrote("t1", session="real")
    assert "stand in no settings any more" in life(repo).silences[0]


def test_a_self_test_that_fails_is_told_to_the_person_and_everywhere(
    repo: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.repo == repo
    monkeypatch.setattr(canary, "discover", tuple)
    answer = json.loads(HookedAgent(repo).answer("SessionStart", source="startup"))
    assert "the self-test failed" in answer["systemMessage"]
    assert "self-test at the start of the newest session" in loud_words(str(repo), os.environ)[0]
    monkeypatch.undo()


def test_nothing_is_said_where_nothing_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    assert loud_words(str(tmp_path), os.environ) == ()
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "leeboard.db").write_bytes(b"no database" * 500)
    assert loud_words(str(tmp_path), os.environ) == ()


def test_a_pause_is_said_with_its_reason_until_it_ends(repo: Path, client: Client) -> None:
    assert client.repo == repo
    begin_pause(Pause(root=str(repo), reason="a bulk rename", since=time.time(), by="kim"))
    assert loud_words(str(repo), os.environ)[0].startswith("paused until `leeboard resume` by kim: a bulk rename.")
    assert not any(hook.enabled for hook in life(repo).hooks)
    assert end_pause(str(repo))
    assert loud_words(str(repo), os.environ) == ()


@pytest.mark.parametrize(("where", "missed"), [(".claude", False), ("repo/.claude", True)])
def test_the_plugin_stands_for_hooks_where_the_user_enabled_it(
    repo: Path, client: Client, where: str, *, missed: bool
) -> None:
    assert client.repo == repo
    heard(repo, "t1")
    (repo / ".claude" / "settings.local.json").unlink()
    (repo.parent / where / "settings.json").write_text(
        '{"enabledPlugins": {"leeboard@leeboard": true, "other@x": true}}'
    )
    found = life(repo)
    assert bool(found.silences) == missed, "a clone that names it so brings nothing of ours"
    assert all(hook.enabled for hook in found.hooks) == (not missed)
    (repo.parent / where / "settings.json").write_text('{"enabledPlugins": {"leeboard@leeboard": false}}')
    assert life(repo).silences


def test_what_the_tried_version_tells_no_hook_of_is_said(repo: Path) -> None:
    install(plan_install(place("local", str(repo)), our_command()))
    HookedAgent(repo).prompt("fix it")
    heard = PartHeard(part="main", ran=True, before=True)
    keep(Coverage(client="claude_code", version="2.0.1", time=1.0, parts=(heard, PartHeard(part="agent", ran=True))))
    (words,) = (line for line in life(repo).silences if "2.0.1" in line)
    assert words.startswith("Claude Code 2.0.1 tells its hooks nothing of sub-agents")
