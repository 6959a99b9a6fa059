from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from leeboard.app.handle import SILENT, handle
from leeboard.app.settings import counting, resolve, setting_for
from leeboard.model.contract import Allowance
from leeboard.model.event import PromptGiven, ToolCall, ToolProposed
from leeboard.model.outcome import Outcome
from leeboard.model.policy import Pin, Policy
from leeboard.model.session import Session
from leeboard.model.verdict import Action, Verdict
from leeboard.settings.settings import Settings
from leeboard.store.memory import MemoryStore
from leeboard.trust.released import release
from tests.trusting import in_trust

ENFORCE, OBSERVE = Policy(profile="enforce"), Policy(profile="observe")


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    in_trust(monkeypatch)
    monkeypatch.setenv("LEEBOARD_CONFIG_DIR", str(tmp_path / "config"))
    path = tmp_path / "repo"
    git(tmp_path, "init", "-q", str(path))
    return path


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(("git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments), cwd=folder, check=True)


def store_with(session: Session) -> MemoryStore:
    store = MemoryStore()
    verdict = Verdict(id="v1", session=session.id, agent="", turn=0, action=Action.ALLOW, event="x")
    with store.transaction(session.id) as transaction:
        transaction.commit(Outcome(session=session, verdict=verdict))
    return store


def test_without_settings_the_defaults_hold(repo: Path) -> None:
    (repo / "src").mkdir()
    found = resolve(str(repo / "src"), "s", MemoryStore(), {})
    assert found.setting.workspace.root == str(repo)
    assert found.setting.policy.profile == "advise"
    assert {rule.id for rule in found.setting.rules} >= {"scope_drift", "circling"}
    assert (found.enabled, found.notes) == (True, ())


def test_the_file_changes_while_a_resident_lives(repo: Path) -> None:
    file = repo / "leeboard.toml"
    file.write_text('profile = "enforce"\n[rules.circling]\nenabled = false\n', encoding="utf-8")
    setting = setting_for(str(repo), "s", MemoryStore(), {})
    assert setting.policy.profile == "enforce"
    assert "circling" not in {rule.id for rule in setting.rules}
    file.write_text('profile = "observe"\n', encoding="utf-8")
    assert setting_for(str(repo), "s", MemoryStore(), {}).policy.profile == "observe"
    file.unlink()
    assert setting_for(str(repo), "s", MemoryStore(), {}).policy.profile == "advise"


def test_the_environment_stands_over_the_file(repo: Path) -> None:
    (repo / "leeboard.toml").write_text('profile = "observe"\n', encoding="utf-8")
    assert setting_for(str(repo), "s", MemoryStore(), {"LEEBOARD_PROFILE": "enforce"}).policy.profile == "enforce"
    assert not resolve(str(repo), "s", MemoryStore(), {"LEEBOARD_OFF": "1"}).enabled


@pytest.mark.parametrize(
    ("text", "env"),
    [
        ("profile = [broken", {}),
        ('profile = "loud"', {}),
        ("\x00\x01", {}),
        ("", {"LEEBOARD_PROFILE": "loud"}),
        ("", {"LEEBOARD_OFF": "maybe"}),
    ],
)
def test_what_is_broken_is_noted_and_the_defaults_hold(repo: Path, text: str, env: dict[str, str]) -> None:
    (repo / "leeboard.toml").write_text(text, encoding="utf-8")
    found = resolve(str(repo), "s", MemoryStore(), env)
    assert found.setting.policy.profile == "advise"
    assert found.enabled
    assert len(found.notes) == 1


def test_one_slip_leaves_the_profile_as_it_is(repo: Path) -> None:
    (repo / "leeboard.toml").write_text('profile = "enforce"\nidle_minuts = 5\n', encoding="utf-8")
    for _ in range(2):
        found = resolve(str(repo), "s", MemoryStore(), {"LEEBOARD_PROFILE": "loud"})
        assert found.setting.policy.profile == "enforce"
        assert len(found.notes) == 2, "also when the file is remembered"


def test_a_settings_file_that_can_not_be_read_is_noted(repo: Path) -> None:
    (repo / "leeboard.toml").mkdir()
    assert "leeboard.toml" in resolve(str(repo), "s", MemoryStore(), {}).notes[0]


def test_a_settings_file_that_is_far_too_large_is_noted(repo: Path) -> None:
    (repo / "leeboard.toml").write_text('profile = "enforce"\n' + "a.\n" * 700_000, encoding="utf-8")
    found = resolve(str(repo), "s", MemoryStore(), {})
    assert found.setting.policy.profile == "advise"
    assert found.notes == (f"{repo}/leeboard.toml: not read: it has 2,100,020 bytes, and settings have at most 65,536",)


@pytest.mark.parametrize(("line", "notes"), [("[tool.leeboard]", 1), ('dependencies = ["leeboard"]', 0)])
def test_a_large_project_file_counts_where_it_has_our_table(repo: Path, line: str, notes: int) -> None:
    (repo / "pyproject.toml").write_text(f"{line}\n{'#' * 70_000}\n", encoding="utf-8")
    assert len(resolve(str(repo), "s", MemoryStore(), {}).notes) == notes


def test_the_tree_stays_the_sessions_own(repo: Path, tmp_path: Path) -> None:
    """A folder the agent enters on its way is not another project."""
    store = store_with(Session(id="s", root=str(repo)))
    git(repo, "init", "-q", "vendored")
    for place in (tmp_path, repo / "vendored", Path("/")):
        assert setting_for(str(place), "s", store, {}).workspace.root == str(repo)
    assert setting_for(str(repo / "vendored"), "new", store, {}).workspace.root == str(repo / "vendored")


def test_a_linked_work_tree_is_where_its_agent_works(repo: Path) -> None:
    git(repo, "commit", "-q", "--allow-empty", "-m", "first")
    git(repo, "worktree", "add", "-q", "trees/one")
    store = store_with(Session(id="s", root=str(repo)))
    assert setting_for(str(repo / "trees" / "one"), "s", store, {}).workspace.root == str(repo / "trees" / "one")
    assert setting_for(str(repo), "s", store, {}).workspace.root == str(repo)


def test_allowances_of_the_project_hold(repo: Path) -> None:
    store = MemoryStore()
    allowance = Allowance(id="a1", rule="scope_drift", reason="asked for", by="person")
    store.allow(allowance, str(repo))
    assert setting_for(str(repo), "s", store, {}).allowances == (allowance,)


def test_what_the_settings_promise_holds_from_the_start(repo: Path) -> None:
    text = '[goal]\nscope = ["docs/"]\nconstraints = ["don\'t modify the schema", "keep the tone friendly"]\n'
    (repo / "leeboard.toml").write_text(text, encoding="utf-8")
    store = MemoryStore()
    setting = setting_for(str(repo), "s", store, {})
    assert [limit.text for limit in setting.given.constraints] == ["DO NOT modify the schema", "keep the tone friendly"]
    handle((PromptGiven(session="s", key="prompt:1", cwd=str(repo), text="fix the auth bug"),), SILENT, store, setting)
    call = ToolCall(id="t1", tool="Edit", action="edit", paths=("db/schema.sql",))
    proposed = ToolProposed(session="s", key="call:t1", cwd=str(repo), call=call)
    verdict = handle((proposed,), SILENT, store, setting)
    assert verdict is not None
    assert verdict.score <= 2
    assert "broken_constraint" in verdict.rules
    held = store.session("s")
    assert held is not None
    assert held.given_scope == ("docs/",)


@pytest.fixture
def pinned_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    return Session(id="s", root="/repo", pin=Pin(policy=ENFORCE, at=1.0))


def test_it_keeps_what_it_began_under_until_a_person_releases_it(pinned_session: Session) -> None:
    loose = Settings(policy=OBSERVE, enabled=False)
    kept = counting(loose, pinned_session, "/repo")
    assert (kept.policy.profile, kept.enabled, kept.pin, len(kept.looser)) == ("enforce", True, pinned_session.pin, 2)
    release("/repo")
    let_go = counting(loose, pinned_session, "/repo")
    assert (let_go.policy, let_go.enabled, let_go.looser) == (OBSERVE, False, ())


def test_settings_of_another_tree_bind_its_own_agent_alone(pinned_session: Session) -> None:
    mild = replace(pinned_session, pin=Pin(policy=Policy(), at=1.0))
    elsewhere = counting(Settings(policy=ENFORCE), mild, "/repo-w")
    assert (elsewhere.policy.profile, elsewhere.pin) == ("enforce", mild.pin)
    here = counting(Settings(policy=ENFORCE), mild, "/repo")
    assert here.pin is not None
    assert here.pin.policy.profile == "enforce"


def test_one_of_an_older_version_is_pinned_from_now_on() -> None:
    pin = counting(Settings(policy=ENFORCE), Session(id="s", root="/repo"), "/repo").pin
    assert pin is not None
    assert pin.policy == ENFORCE
