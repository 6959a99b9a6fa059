from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from leeboard.app.guard.posted import fall_back, posted_troubles
from leeboard.app.install.hook_files import install, our_command, place, plan_install, standing
from leeboard.app.misses import misses
from leeboard.app.posting.hooks import HttpHooks, hooks_of, keep_hooks, new_hooks
from leeboard.io.places import state_dir


@pytest.fixture
def hooks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HttpHooks:
    """Posted hooks that stand in the settings of a project."""
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    root = tmp_path / "repo"
    (root / ".claude").mkdir(parents=True)
    (root / ".claude" / "settings.local.json").write_text('{"model": "opus"}\n', encoding="utf-8")
    at = place("local", str(root))
    made = new_hooks(str(root), at.path, "2.1.325")
    keep_hooks(made)
    install(plan_install(at, our_command(), posted_to=made.posted_to))
    assert made.token in Path(at.path).read_text(encoding="utf-8")
    return made


def test_where_somebody_else_listens_the_settings_name_commands_again(hooks: HttpHooks) -> None:
    with socket.create_server(("127.0.0.1", hooks.port)):
        assert fall_back(hooks)
    text = Path(hooks.settings).read_text(encoding="utf-8")
    assert "127.0.0.1" not in text
    assert hooks.token not in text
    assert json.loads(text)["model"] == "opus"
    at = place("local", hooks.root)
    events, commands = standing(at)
    assert set(events) == set(at.format.HOOK_EVENTS)
    assert commands == (our_command(),)
    assert misses(state_dir()) == [], "no hook went unanswered"
    (said,) = posted_troubles(hooks.root, [])
    assert f"port {hooks.port}" in said
    assert "run as commands again" in said


def test_where_nobody_does_they_stay_as_they_are(hooks: HttpHooks) -> None:
    before = Path(hooks.settings).read_bytes()
    assert not fall_back(hooks)
    assert Path(hooks.settings).read_bytes() == before
    assert hooks_of(hooks.root) == hooks


@pytest.mark.parametrize("text", ["{", "{}"])
def test_settings_that_do_not_post_are_left_alone(hooks: HttpHooks, text: str) -> None:
    Path(hooks.settings).write_text(text, encoding="utf-8")
    with socket.create_server(("127.0.0.1", hooks.port)):
        assert fall_back(hooks)
    assert Path(hooks.settings).read_text(encoding="utf-8") == text
    found = hooks_of(hooks.root)
    assert found is not None
    assert found.given_up
