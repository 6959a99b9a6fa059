from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

from leeboard.app.install.hook_files import hook_command, install, our_command, place, plan_install
from leeboard.app.views.guard import health_of
from leeboard.clients import client_names
from leeboard.io import places
from leeboard.model.traffic import CarriedRequest
from leeboard.store.sqlite import open_store
from leeboard.surfaces.cli.project.checks import hooks as hook_checks
from leeboard.surfaces.cli.project.checks.hooks import canary, check_hooks


@pytest.fixture
def root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", str(tmp_path / "run"))
    return tmp_path / "repo"


@pytest.mark.usefixtures("root")
def test_our_own_line_answers_and_leaves_the_real_state_alone(tmp_path: Path) -> None:
    assert canary() == ""
    assert not (tmp_path / "state").exists()


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize("client", client_names())
def test_a_canary_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, client: str) -> None:
    monkeypatch.setenv("LEEBOARD_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "own").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "own"))
    assert canary(client) == ""
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []
    assert list((tmp_path / "own").iterdir()) == []


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize("line", ["true", "exit 3", "/nowhere/python /nowhere/leeboard/surfaces/hook.py || :"])
def test_an_installation_that_does_nothing_is_found_out(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook_checks, "our_command", lambda _client: line)
    assert canary()


def test_a_line_that_we_would_not_write_is_shown_and_never_run(root: Path, tmp_path: Path) -> None:
    at = place("project", str(root))
    evil = f"touch {tmp_path}/ran\x1b[2J; {our_command()}"
    install(plan_install(at, evil))
    (found,) = [check for check in check_hooks(health_of(str(root))) if check.about == "hook command"]
    assert not list(tmp_path.glob("ran*"))
    assert found.state == "failed"
    assert "a line that Leeboard does not write, which was not run: 'touch " in found.detail
    assert "\x1b" not in found.detail
    assert found.repair is not None
    found.repair()
    assert evil not in Path(at.path).read_text()


def test_the_line_of_another_installation_is_named_and_not_run(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other/leeboard/surfaces/hook.py"
    other.parent.mkdir(parents=True)
    other.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    install(plan_install(place("project", str(root)), hook_command(sys.executable, str(other))))
    (found,) = [check for check in check_hooks(health_of(str(root))) if check.about == "hook command"]
    assert (found.state, "the line of another installation" in found.detail) == ("note", True)
    assert not (tmp_path / "ran").exists()


def test_without_hooks_it_fails(root: Path) -> None:
    (found,) = check_hooks(health_of(str(root)))
    assert found.state == "failed"


def test_without_hooks_and_behind_the_proxy_it_says_what_is_judged(root: Path) -> None:
    store = open_store(places.database())
    store.traffic.keep_carried(CarriedRequest(ts=1.0, session="s", project=str(root)))
    store.close()
    (found,) = check_hooks(health_of(str(root)))
    assert found.state == "note"
    assert "only what `leeboard run` starts is judged" in found.detail


def test_an_interpreter_that_is_gone_is_named_and_repaired(root: Path) -> None:
    at = place("local", str(root))
    install(plan_install(at, our_command()))
    settings = Path(at.path)
    settings.write_text(settings.read_text().replace(our_command().split()[0], "/gone/bin/python"))
    broken = [check for check in check_hooks(health_of(str(root))) if check.state == "failed"]
    assert "/gone/bin/python, which does not exist" in broken[0].detail
    assert broken[0].repair is not None
    broken[0].repair()
    assert {check.state for check in check_hooks(health_of(str(root)))} == {"ok"}


def test_an_event_that_is_missing_is_named(root: Path) -> None:
    at = place("local", str(root))
    install(plan_install(at, our_command()))
    settings = Path(at.path)
    settings.write_text(settings.read_text().replace('"PreToolUse"', '"PreToolUsed"'))
    states = {check.detail: check.state for check in check_hooks(health_of(str(root)))}
    assert states[next(detail for detail in states if "lacks PreToolUse" in detail)] == "failed"
