from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.surfaces.cli._health import health_of
from leeboard.surfaces.cli._hook_checks import canary, check_hooks
from leeboard.surfaces.cli._hook_place import install, our_command, place, plan_install


@pytest.fixture
def root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LEEBOARD_RUNTIME_DIR", str(tmp_path / "run"))
    return tmp_path / "repo"


@pytest.mark.usefixtures("root")
def test_our_own_line_answers_and_leaves_the_real_state_alone(tmp_path: Path) -> None:
    assert canary(our_command()) == ""
    assert not (tmp_path / "state").exists()


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize("line", ["true", "exit 3", "/nowhere/python /nowhere/leeboard/surfaces/hook.py || :"])
def test_a_line_that_does_nothing_is_found_out(line: str) -> None:
    assert canary(line)


def test_without_hooks_it_fails(root: Path) -> None:
    (found,) = check_hooks(health_of(str(root)))
    assert found.state == "failed"


def test_an_interpreter_that_is_gone_is_named_and_repaired(root: Path) -> None:
    at = place("local", str(root))
    install(plan_install(at, our_command()))
    settings = Path(at.path)
    settings.write_text(settings.read_text().replace(our_command().split()[0], "/gone/bin/python"))
    broken = [check for check in check_hooks(health_of(str(root))) if check.state == "failed"]
    assert "/gone/bin/python, which is not there" in broken[0].detail
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
