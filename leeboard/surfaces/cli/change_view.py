"""Whose settings a command changes, and what it did to a file, or would do."""

from __future__ import annotations

import difflib
from functools import wraps
from typing import TYPE_CHECKING, Any, cast

import click

from leeboard.app.install.hook_files import SETTINGS_SIGNS, FileEdit, short_path
from leeboard.clients import FIRST, SCOPES, first_sign
from leeboard.secrets.redaction import redact
from leeboard.surfaces.cli.screen import Command, words

if TYPE_CHECKING:
    from leeboard.surfaces.cli.terminal import Console

_STYLES = {"+": "green", "-": "red", "@": "cyan"}


def difference(change: FileEdit) -> tuple[str, ...]:
    """A unified diff; empty when nothing changes."""
    before, after = (_lines(content) for content in (change.before, change.after))
    old = "/dev/null" if change.before is None else short_path(change.path)
    new = "/dev/null" if change.after is None else short_path(change.path)
    found = difflib.unified_diff(before, after, old, new, n=1)
    return tuple(redact(line.rstrip("\n")) for line in found)


def counts(change: FileEdit) -> tuple[int, int]:
    """Lines that come and lines that go."""
    body = difference(change)[2:]
    return sum(line.startswith("+") for line in body), sum(line.startswith("-") for line in body)


def print_difference(change: FileEdit, console: Console) -> None:
    for line in difference(change):
        console.print(words((line, _STYLES.get(line[:1], ""))))


def print_summary(change: FileEdit, console: Console) -> None:
    """One line: the file, and how many lines come and go."""
    more, fewer = counts(change)
    fate = "made" if change.before is None else "removed" if change.after is None else "changed"
    console.print(
        words("  ", (fate, "bold"), f" {short_path(change.path)} ", (f"+{more}", "green"), (f" -{fewer}", "red"))
    )


def change_object(change: FileEdit) -> dict[str, object]:
    return {"file": change.path, "changed": change.changes, "diff": "\n".join(difference(change))}


def _lines(content: bytes | None) -> list[str]:
    return (content or b"").decode("utf-8", "replace").splitlines(keepends=True)


def scope_options(command: Command) -> Command:
    """--local, --project and --user, as the parameter `scope`; two of them at once are refused."""

    @wraps(command)
    def with_scope(*given: Any, local: bool, project: bool, user: bool, **options: Any) -> Any:
        chosen = [scope for scope, asked in zip(SCOPES, (local, project, user), strict=True) if asked]
        if len(chosen) > 1:
            raise click.UsageError("choose one of --local, --project and --user", click.get_current_context())
        return command(*given, scope=chosen[0] if chosen else None, **options)

    user, project, local = (first_sign(FIRST, sign) for sign in SETTINGS_SIGNS)
    for name, text in (
        ("user", f"Every project of yours: {first_sign(FIRST, 'home')}/{user}."),
        ("project", f"Everybody who works here: {project}, which is under version control."),
        ("local", f"You, in this project: {local}."),
    ):
        click.option(f"--{name}", is_flag=True, help=text)(with_scope)
    return cast("Command", with_scope)
