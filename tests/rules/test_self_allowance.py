"""The agent loosening its own guard: the edges."""

from __future__ import annotations

import pytest

from leeboard.model.verdict import Action
from leeboard.testing.scenario import play


@pytest.mark.parametrize(
    "command",
    [
        "leeboard allow scope_drift --reason x",
        "leeboard scope widen src/ --reason x",
        "leeboard scope reset",
        "leeboard uninstall",
        "leeboard init --profile observe",
        "/usr/local/bin/leeboard allow x",
        "sudo leeboard allow x",
        "cd /repo; leeboard  scope   widen src/",
        "python -m leeboard allow x",
        "(leeboard allow x)",
        "true && leeboard --no-color allow x",
        "leeboard purge --older-than 1s",
        "leeboard doctor -q --fix",
    ],
)
def test_it_is_denied_under_advise(command: str) -> None:
    verdict = play(("@ fix a.py", f"$ {command}")).proposed()[-1]
    assert (verdict.action, verdict.rules) == (Action.DENY, ("self_allowance",))
    assert "ask the user" in verdict.message or "only the user may" in verdict.message


@pytest.mark.parametrize(
    "command",
    [
        "leeboard status",
        "leeboard scope",
        "leeboard why v123",
        "grep -rn leeboard docs",
        "git commit -m 'allow leeboard to run'",
        "leeboarder allow x",
        "leeboard doctor && make fix --fix",
        "cat ~/.claude/settings.json ~/.local/state/leeboard/misses.log",
    ],
)
def test_looking_is_fine(command: str) -> None:
    verdict = play(("@ fix a.py", f"$ {command}")).proposed()[-1]
    assert "self_allowance" not in verdict.rules
    assert verdict.action is not Action.DENY


@pytest.mark.parametrize(
    "action",
    [
        "edit leeboard.toml | a => b",
        "edit /home/me/.config/leeboard/leeboard.toml | a => b",
        "edit .claude/settings.json | a => b",
        "write /repo/.claude/settings.local.json | {}",
        "edit /home/me/.claude/settings.json | a => b",
        "write ~/.claude/settings.json | {}",
        "$ rm -f leeboard.toml",
        "$ rm -rf .claude",
        "$ echo '{}' > .claude/settings.local.json",
        "$ mv .claude/settings.local.json /tmp/away",
        "$ sed -i s/enforce/observe/ leeboard.toml",
        "$ rm -rf ~/.local/state/leeboard/",
        "$ rm -rf ~/.local/state",
        "$ rm -rf ~/.config/leeboard",
        "$ rm -rf ~/.claude",
        "$ rm /home/me/.local/state/leeboard/leeboard.db",
    ],
)
def test_what_the_guard_stands_on_is_refused(action: str) -> None:
    verdict = play(("@ fix a.py", action)).proposed()[-1]
    assert (verdict.action, verdict.rules) == (Action.DENY, ("self_allowance",))
    assert "only the user may change the guard" in verdict.message


@pytest.mark.parametrize(
    ("words", "action"),
    [
        ("put the profile enforce into leeboard.toml", "edit leeboard.toml | a => b"),
        ("add a hook to .claude/settings.json", "edit .claude/settings.json | a => b"),
        ("add a hook to .claude/settings.local.json", "$ sed -i s/a/b/ .claude/settings.local.json"),
        ("settings.local.json should let npm run", "edit .claude/settings.local.json | a => b"),
        ("set the profile in leeboard.toml to enforce, not observe", "edit leeboard.toml | a => b"),
        ("edit ~/.claude/settings.json so that npm may run", "edit ~/.claude/settings.json | a => b"),
    ],
)
def test_what_the_user_named_may_be_changed(words: str, action: str) -> None:
    verdict = play((f"@ {words}", action)).proposed()[-1]
    assert "self_allowance" not in verdict.rules


@pytest.mark.parametrize(
    ("words", "action"),
    [
        ("fix the bug that leeboard found", "edit leeboard.toml | a => b"),
        ("explain how claude hooks work", "edit .claude/settings.json | a => b"),
        ("tidy the claude config and its permissions", "$ rm .claude/settings.local.json"),
        ("put the profile enforce into leeboard.toml", "edit .claude/settings.json | a => b"),
        ("add a hook to .claude/settings.json", "edit .claude/settings.local.json | a => b"),
        ("add a hook to .claude/settings.json", "edit ~/.claude/settings.json | a => b"),
        ("tidy up .claude/", "edit .claude/settings.json | a => b"),
        ("sort all *.toml", "edit leeboard.toml | a => b"),
        ("fix a.py, don't touch leeboard.toml", "edit leeboard.toml | a => b"),
        ("change everything except leeboard.toml", "edit leeboard.toml | a => b"),
        ("leeboard.toml must stay as it is, fix a.py", "edit leeboard.toml | a => b"),
        ("edit leeboard.toml", "$ leeboard allow scope_drift --reason x"),
    ],
)
def test_only_the_file_that_the_user_named(words: str, action: str) -> None:
    assert "self_allowance" in play((f"@ {words}", action)).proposed()[-1].rules


def test_a_later_word_takes_it_back() -> None:
    played = play(("@ edit leeboard.toml", "@ stop, don't touch leeboard.toml", "edit leeboard.toml | a => b"))
    assert "self_allowance" in played.proposed()[-1].rules


@pytest.mark.parametrize(
    "action",
    [
        "edit .claude/commands/review.md | a => b",
        "edit docs/leeboard.toml.md | a => b",
        "edit templates/.claude/settings.json | a => b",
        "$ rm -rf .claude/tmp",
        "$ rm src/.local/x",
        "$ rm -rf .local",
    ],
)
def test_its_neighbours_are_no_part_of_the_guard(action: str) -> None:
    assert "self_allowance" not in play(("@ fix a.py", action)).proposed()[-1].rules


def test_writing_about_it_is_fine() -> None:
    verdict = play(("@ write docs/guide.md", "write docs/guide.md | run leeboard allow x")).proposed()[-1]
    assert "self_allowance" not in verdict.rules


@pytest.mark.parametrize(
    "line",
    [
        '$ git commit -m "Document leeboard init"',
        "$ grep -rn 'run leeboard purge' docs",
        "$ echo see leeboard uninstall >> README.md",
        "$ pytest -q # then leeboard init",
    ],
)
def test_speaking_of_it_is_not_doing_it(line: str) -> None:
    assert not [verdict for verdict in play(("@ fix a.py", line)).proposed() if "self_allowance" in verdict.rules]


def test_it_is_found_at_the_end_of_a_long_line() -> None:
    line = f"$ true {'a' * 400} ; leeboard allow scope_drift --path src/ --reason x"
    assert "self_allowance" in play(("@ fix a.py", line)).proposed()[-1].rules


def test_a_hook_of_the_users_own_is_not_ours() -> None:
    played = play(("@ fix the useAuth hook in src/useAuth.ts", "$ rm .claude/settings.local.json"))
    assert "self_allowance" in played.proposed()[-1].rules
