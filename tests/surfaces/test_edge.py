from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leeboard.app import hook_call
from leeboard.app.hook_call import Asker
from leeboard.app.misses import misses, misses_at
from leeboard.io import places
from leeboard.io.file import file_lock
from leeboard.model.outcome import Outcome
from leeboard.model.session import Session
from leeboard.model.verdict import Action, Verdict
from leeboard.store.sqlite import SqliteStore, open_store
from leeboard.surfaces import edge
from tests.hook_process import edit, hook_payload, prompt, shell
from tests.leak import live_key
from tools.scripted import transcript

OFF_COURSE = "/home/dev/app/src/styles/theme.css"
ON_COURSE = "/home/dev/app/src/auth/token.ts"
GOAL = "fix the auth bug in src/auth/token.ts, only touch src/auth"
OPEN_GOAL = "fix auth bug"
"""Without a limit: what is outside of it is told after it ran, and not refused."""


@pytest.fixture(autouse=True)
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))
    return tmp_path


def told(payload: bytes, env: Mapping[str, str] | None = None) -> str:
    answer = edge.answer(payload, env or {})
    specific = msgspec.json.decode(answer)["hookSpecificOutput"] if answer else {}
    return str(specific.get("additionalContext", "")) + str(specific.get("permissionDecisionReason", ""))


@contextmanager
def store() -> Iterator[SqliteStore]:
    with closing(open_store(places.database())) as opened:
        yield opened


def session() -> Session:
    with store() as opened:
        found = opened.session("s")
    assert found is not None
    return found


def begin_on_course() -> None:
    assert told(prompt(OPEN_GOAL, cwd="/home/dev/app")) == ""
    for name in ("PreToolUse", "PostToolUse"):
        assert told(edit("t0", ON_COURSE, name=name, cwd="/home/dev/app")) == ""


def test_a_stray_edit_is_named_after_it_ran() -> None:
    begin_on_course()
    assert told(edit("t1", OFF_COURSE, cwd="/home/dev/app")) == ""
    words = told(edit("t1", OFF_COURSE, name="PostToolUse", cwd="/home/dev/app"))
    assert "src/styles/theme.css" in words


def test_where_denials_are_wanted_it_is_denied_and_stays_so() -> None:
    enforce = {"LEEBOARD_PROFILE": "enforce"}
    edge.answer(prompt(GOAL, cwd="/home/dev/app"), enforce)
    first = edge.answer(edit("t1", OFF_COURSE, cwd="/home/dev/app"), enforce)
    assert b'"permissionDecision":"deny"' in first
    assert edge.answer(edit("t1", OFF_COURSE, cwd="/home/dev/app"), enforce) == first


def test_every_answer_leaves_a_receipt() -> None:
    edge.answer(prompt(GOAL), {})
    edge.answer(edit("t1", OFF_COURSE), {})
    with store() as opened:
        receipts = opened.receipts(9)
    assert [(receipt.event, receipt.session) for receipt in receipts] == [
        ("PreToolUse", "s"),
        ("UserPromptSubmit", "s"),
    ]
    assert all(receipt.ms > 0 and receipt.note == "" for receipt in receipts)


def test_the_answer_is_sent_before_the_receipt_is_kept() -> None:
    receipts_then: list[int] = []

    def send(_answer: bytes) -> None:
        with store() as opened:
            receipts_then.append(len(opened.receipts(9)))

    edge.respond(prompt(GOAL), {}, send)
    assert receipts_then == [0]


def test_who_keeps_others_waiting_leaves_a_held_store_to_the_patient() -> None:
    """The resident answers nothing then: its client has the time to judge with the store, and by all rules."""
    sent: list[bytes] = []
    edge.answer(prompt(GOAL), {})
    with file_lock(f"{places.database()}.lock"):
        assert not edge.respond(edit("t1", OFF_COURSE), {}, sent.append, Asker(patient=False, end=0.0))
    assert (sent, misses(places.state_dir())) == ([], [])
    assert edge.respond(edit("t1", OFF_COURSE), {}, sent.append, Asker(patient=False, end=0.0))
    assert sent


def test_a_project_that_kept_others_waiting_is_left_to_its_own_hooks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A git that hangs holds up the others once, and not at every call."""
    slow, other = (str(tmp_path / name) for name in ("slow", "other"))
    for_many, sent = Asker(patient=False), list[bytes]()
    monkeypatch.setattr(hook_call, "SLOW_SECONDS", 0.0)
    assert edge.respond(edit("t1", "a.py", cwd=slow), {}, sent.append, for_many)
    monkeypatch.setattr(hook_call, "SLOW_SECONDS", 60.0)
    assert not edge.respond(edit("t2", "a.py", cwd=slow), {}, sent.append, for_many)
    assert edge.respond(edit("t3", "a.py", cwd=other), {}, sent.append, for_many)
    assert edge.respond(edit("t2", "a.py", cwd=slow), {}, sent.append), "its own hook takes the time it needs"
    assert len(sent) == 3


def test_who_has_no_time_left_waits_for_nobody_and_is_refused_what_must_not_pass() -> None:
    sent: list[bytes] = []
    edge.answer(prompt(GOAL), {})
    given = {"file_path": "/repo/src/auth/key.py", "content": f'KEY = "{live_key(1)}"\n'}
    with file_lock(f"{places.database()}.lock"):
        write = hook_payload("PreToolUse", tool_name="Write", tool_input=given, tool_use_id="t1")
        assert edge.respond(write, {}, sent.append, Asker(end=0.0))
    assert b'"permissionDecision":"deny"' in sent[0]
    edge.answer(prompt("go on", prompt_id="p2"), {})
    with store() as opened:
        assert opened.answered("s", "call:t1")


def test_broken_settings_leave_a_note_and_the_rest_works(world: Path) -> None:
    (world / "config").mkdir()
    (world / "config" / "leeboard.toml").write_text("profile = [", encoding="utf-8")
    begin_on_course()
    edge.answer(edit("t1", OFF_COURSE, cwd="/home/dev/app"), {})
    assert "theme.css" in told(edit("t1", OFF_COURSE, name="PostToolUse", cwd="/home/dev/app"))
    with store() as opened:
        assert "not valid TOML" in opened.receipts(1)[0].note


def test_switched_off_nothing_is_recorded() -> None:
    assert edge.answer(prompt(GOAL), {"LEEBOARD_OFF": "1"}) == b""
    with store() as opened:
        assert opened.session("s") is None
        assert opened.receipts(9) == ()


def test_an_event_that_tells_nothing_costs_no_store() -> None:
    assert edge.answer(hook_payload("Notification", message="hello"), {}) == b""
    assert not Path(places.state_dir()).exists()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=80).map(lambda text: hook_payload("PreToolUse", tool_name=text)))
def test_no_payload_gets_through_the_boundary(payload: bytes) -> None:
    assert edge.answer(payload, {}) == b""


def test_garbage_is_a_miss_that_can_be_read() -> None:
    edge.answer(b"garbage", {})
    assert "WireError" in misses(places.state_dir())[-1]


@pytest.mark.parametrize("payload", [b"{", b"{}", b'{"session_id": "s", "cwd": 3}', b"[]"])
def test_garbage_is_a_miss_of_the_place_its_process_runs_in(
    payload: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    edge.answer(payload, {})
    assert len(misses_at(places.state_dir(), str(tmp_path))) == len(misses(places.state_dir()))
    assert misses_at(places.state_dir(), "/elsewhere") == []


def test_a_miss_is_of_the_folder_that_its_payload_names(tmp_path: Path) -> None:
    edge.answer(json.dumps({"cwd": str(tmp_path)}).encode(), {})
    assert len(misses_at(places.state_dir(), str(tmp_path))) == 1
    assert misses_at(places.state_dir(), os.getcwd()) == []  # noqa: PTH109 - as the hook does it


def test_a_store_that_fails_is_a_miss_and_silence(world: Path) -> None:
    (world / "state").mkdir()
    (world / "state" / "leeboard.db").write_bytes(b"no database" * 100)
    assert list(msgspec.json.decode(edge.answer(prompt(GOAL), {}))) == ["systemMessage"]
    assert edge.answer(prompt(GOAL), {}) == b""
    assert all("UserPromptSubmit StateError" in miss for miss in misses(places.state_dir()))


def test_a_setup_without_tool_hooks_hears_of_the_last_turn_at_the_next_prompt(world: Path) -> None:
    """The seed's timeline: T2 is on course, T3 and T4 are not and no hook fires, T5 tells of both."""
    path = world / "session.jsonl"
    seen = {"transcript_path": str(path), "cwd": "/home/dev/app"}
    script = "@ fix auth bug\n"
    edge.answer(hook_payload("SessionStart", source="startup", **seen), {})
    edge.answer(prompt("fix auth bug", prompt_id="p1", **seen), {})
    for file in ("src/auth/token.ts", "src/styles/theme.css", "src/components/Button.tsx"):
        script += f"write {file}\n  const value = 1\n"
    path.write_bytes(transcript(script, session="s", repo="app"))
    words = told(prompt("looks good", prompt_id="p2", **seen))
    assert "src/styles/theme.css" in words
    assert "src/components/Button.tsx" in words
    with store() as opened:
        assert [step.action_type for step in opened.steps("s")] == ["write"] * 3
    assert told(prompt("go on", prompt_id="p3", **seen)) == "", "said once"


def test_a_session_met_in_the_middle_is_known_from_its_transcript(world: Path) -> None:
    path = world / "session.jsonl"
    path.write_bytes(transcript(f"@ {OPEN_GOAL}\nwrite src/auth/token.ts\n  one\n", session="s", repo="app"))
    seen = {"transcript_path": str(path), "cwd": "/home/dev/app"}
    edge.answer(edit("t1", OFF_COURSE, **seen), {})
    assert session().contract.objective.startswith("fix auth bug")
    assert "theme.css" in told(edit("t1", OFF_COURSE, name="PostToolUse", **seen))


def test_reading_a_transcript_twice_counts_nothing_twice(world: Path) -> None:
    path = world / "session.jsonl"
    path.write_bytes(transcript(f"@ {GOAL}\n~ A plan.\nwrite src/auth/token.ts\n  one\n", session="s", repo="app"))
    seen = {"transcript_path": str(path), "cwd": "/home/dev/app"}
    edge.answer(prompt("go on", prompt_id="p2", **seen), {})
    events = session().events
    copy = path.with_suffix(".copy")
    copy.write_bytes(path.read_bytes())
    copy.replace(path)
    edge.answer(prompt("go on", prompt_id="p3", **seen), {})
    assert session().events == events + 1


def test_what_an_opaque_line_did_is_judged_when_it_ends(world: Path) -> None:
    repo = world / "repo"
    subprocess.run(("git", "init", "-q", str(repo)), check=True)
    (repo / "src" / "styles").mkdir(parents=True)
    edge.answer(prompt(GOAL, cwd=str(repo)), {})
    assert told(shell("t1", "make everything", cwd=str(repo))) == ""
    (repo / "src" / "styles" / "theme.css").write_text("red", encoding="utf-8")
    words = told(shell("t1", "make everything", name="PostToolUse", cwd=str(repo), tool_response={"stdout": "ok"}))
    assert "src/styles/theme.css" in words


def test_what_another_session_and_a_person_did_meanwhile_is_not_blamed_on_a_script(world: Path) -> None:
    repo = world / "repo"
    subprocess.run(("git", "init", "-q", str(repo)), check=True)
    edge.answer(prompt("fix the auth bug in src/auth/token.ts", cwd=str(repo)), {})
    edge.answer(shell("t1", "./build.sh", cwd=str(repo)), {})
    other = {"cwd": str(repo), "session_id": "b"}
    edge.answer(prompt("restyle theme.css", **other), {})
    for name in ("PreToolUse", "PostToolUse"):
        edge.answer(edit("t9", str(repo / "theme.css"), name=name, **other), {})
    for changed in ("theme.css", "schema.sql"):
        (repo / changed).write_text("x", encoding="utf-8")
    assert told(shell("t1", "./build.sh", name="PostToolUse", cwd=str(repo), tool_response={"stdout": "ok"})) == ""
    assert session().drifted == 0


def test_old_sessions_are_given_up_when_a_new_one_starts() -> None:
    verdict = Verdict(id="v1", session="s", agent="", turn=0, action=Action.ALLOW, event="PromptGiven")
    with store() as opened, opened.transaction("s") as transaction:
        transaction.commit(Outcome(session=Session(id="s", updated=1_000.0), verdict=verdict))
    edge.answer(hook_payload("SessionStart", session_id="new", source="startup"), {})
    assert session().status == "abandoned"


def test_a_part_that_fails_does_not_take_the_answer_with_it(world: Path) -> None:
    """A folder where looks at the tree should be kept can not be made: the call is judged all the same."""
    repo = world / "repo"
    subprocess.run(("git", "init", "-q", str(repo)), check=True)
    (world / "state").mkdir()
    (world / "state" / "trees").write_text("in the way", encoding="utf-8")
    edge.answer(prompt(GOAL, cwd=str(repo)), {})
    edge.answer(shell("t1", "make everything", cwd=str(repo)), {})
    assert session().agent("").open_calls[0].id == "t1"
    with store() as opened:
        assert opened.receipts(1)[0].note.startswith("work tree: ")


def test_everything_can_be_loaded_ahead() -> None:
    edge.load_everything()


def test_the_environment_of_the_caller_is_left_alone() -> None:
    kept = dict(os.environ)
    edge.answer(prompt(GOAL), {"LEEBOARD_PROFILE": "enforce"})
    assert dict(os.environ) == kept


def write_key(call: str, path: str = "/home/dev/app/src/pay.py", **fields: object) -> bytes:
    given = {"file_path": path, "content": f'STRIPE_API_KEY = "{live_key(1)}"\n'}
    return hook_payload(
        "PreToolUse", tool_name="Write", tool_input=given, tool_use_id=call, cwd="/home/dev/app", **fields
    )


@pytest.mark.parametrize(("profile", "denied"), [("observe", False), ("advise", True), ("enforce", True)])
def test_a_secret_is_denied_unless_we_only_observe(profile: str, *, denied: bool) -> None:
    """SW-137."""
    env = {"LEEBOARD_PROFILE": profile}
    edge.answer(prompt("add payments in src/pay.py", cwd="/home/dev/app"), env)
    answer = edge.answer(write_key("t1"), env)
    assert (b'"permissionDecision":"deny"' in answer) == denied
    assert live_key(1)[8:20].encode() not in answer
    with store() as opened:
        (signal,) = opened.signals("s")
    assert (signal.rule, signal.disposition) == ("credential", "FIRE")


def test_a_denied_call_is_answered_the_same_by_every_hook_that_asks() -> None:
    first = edge.answer(write_key("t1"), {})
    assert edge.answer(write_key("t1"), {}) == first
    assert session().interrupt_budget == 2, "one interrupt, however often it is asked for"


def test_a_rule_that_is_switched_off_denies_nothing(world: Path) -> None:
    (world / "config").mkdir()
    (world / "config" / "leeboard.toml").write_text("[rules.credential]\nenabled = false\n", encoding="utf-8")
    assert edge.answer(write_key("t1"), {}) == b""


def test_without_a_place_for_the_key_a_secret_is_denied_all_the_same(world: Path) -> None:
    """Nothing can be remembered of it then: a digest that anybody could try values on is not kept."""
    (world / "state" / "secret.key").mkdir(parents=True)
    assert b'"permissionDecision":"deny"' in edge.answer(write_key("t1"), {})


def test_the_key_of_the_digests_is_nobody_else_s() -> None:
    edge.answer(write_key("t1"), {})
    assert (Path(places.state_dir()) / "secret.key").stat().st_mode & 0o077 == 0


def test_what_fails_while_others_wait_is_kept_and_ends_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path))
    assert edge.contained(lambda: None)
    assert not edge.contained(lambda: 1 // 0, "/repo")
    (line,) = misses(str(tmp_path))
    assert "ZeroDivisionError" in line
