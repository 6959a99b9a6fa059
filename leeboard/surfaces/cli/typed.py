"""What is typed behind a command: looked at for secrets before the command sees it, whatever the command is.

Every parameter that takes text is watched without its command knowing. Where nothing else is said here, it has to stay
as it is, and is refused if a secret stands in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from leeboard.app.teller import holds_secret
from leeboard.errors import ConfigError
from leeboard.secrets.redaction import redact

PROSE = frozenset(
    {
        *("allow reason", "scope widen reason", "contract start goal", "contract start non_goals"),
        *("flow new title", "flow new description", "flow say text", "flow revisit reason", "flow report text"),
        *("flow review changes", "flow unit because", "flow unit reject", "flow baseline-reset reason"),
        *("flow classify why", "flow classify title", "flow classify body"),
        *("flow feedback add title", "flow feedback add body", "flow feedback reply text"),
        *("flow feedback fix because", "flow feedback fix again", "flow feedback reject reason"),
    }
)
"""Command and parameter of what people say in their own words: kept without the secret."""
ONLY_READ = frozenset(
    {"scan paths", "replay files", "replay settings", "backtest paths", "backtest settings", "backtest labels"}
)
"""Files to be looked at: their names are written nowhere, and shown without the secret."""
FINDINGS = frozenset({"allow what"})
"""`rule:subject`: what follows the name of a rule is no value of that name."""
_ELSEWHERE = {
    "contract start acceptance": "let the command read it from the environment",
    "contract start touch": "rename the file, or name its folder",
    "contract set-touch globs": "rename the file, or name its folder",
    "scope widen paths": "rename the file, or name its folder",
    "allow glob": "rename the file, or name its folder",
}
_NO_TEXT = (click.types.BoolParamType, click.types.IntParamType, click.types.FloatParamType, click.Choice)


class Watched:
    """The callback of a parameter, with a look at what it was given first."""

    def __init__(self, name: str, then: Callable[[click.Context, click.Parameter, Any], Any] | None) -> None:
        self._name = name
        self._then = then

    def __call__(self, ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
        value = self._looked_at(value, parameter)
        return self._then(ctx, parameter, value) if self._then else value

    def _looked_at(self, value: Any, parameter: click.Parameter) -> Any:
        if isinstance(value, tuple):
            return tuple(self._looked_at(each, parameter) for each in value)
        if not isinstance(value, str) or self._name in ONLY_READ:
            return value
        if self._name in PROSE:
            return _bare(value, _called(parameter))
        if holds_secret(value.partition(":")[2] or value if self._name in FINDINGS else value):
            step = _ELSEWHERE.get(self._name, "give it without")
            raise ConfigError(f"{_called(parameter)} holds a secret, and would be written down as it is: {step}")
        return value


def watched(command: click.Command, *path: str) -> click.Command:
    """The command, with every parameter of it and of the commands below it watched; the second time nothing changes."""
    for parameter in command.params:
        if takes_text(parameter) and not isinstance(parameter.callback, Watched):
            parameter.callback = Watched(" ".join((*path, parameter.name or "")), parameter.callback)
    for name, each in command.commands.items() if isinstance(command, click.Group) else ():
        watched(each, *path, name)
    return command


def takes_text(parameter: click.Parameter) -> bool:
    """Whether anything at all can be written there."""
    return not isinstance(parameter.type, _NO_TEXT) and not getattr(parameter, "is_flag", False)


def _bare(text: str, called: str) -> str:
    bare = redact(text)
    if bare != text:
        click.echo(f"leeboard: {called} held what looks like a secret: [redacted] is kept in its place", err=True)
    return bare


def _called(parameter: click.Parameter) -> str:
    """As a person writes it."""
    longest = max(parameter.opts, key=len, default="")
    return longest if isinstance(parameter, click.Option) else (parameter.metavar or longest.upper()).strip("[].")
