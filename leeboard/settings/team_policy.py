"""A policy that a team publishes: settings in a document with a head, signed at its end.

The head says for which project it is, which of its serial numbers this is, and until when it may be taken. The settings
are those of a leeboard.toml. What stands above the signature is what is signed.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, date, datetime, time

import msgspec

from leeboard.errors import ConfigError
from leeboard.model.text import in_short, lazy
from leeboard.settings.over import sleeping, tightened
from leeboard.settings.settings import LARGEST, Settings
from leeboard.settings.toml import parse_tolerantly

TITLE = "leeboard-policy 1"
ALL = "*"
"""Stands for every project of the team."""
SIGNATURE = "-----BEGIN SSH SIGNATURE-----"
LONGEST = LARGEST + 8_192
"""Bytes of a document, with its head and its signature."""
_SERIAL = lazy(r"^[1-9][0-9]{0,17}$")
_HEAD = ("project", "serial", "issued", "expires")


class TeamPolicy(msgspec.Struct, frozen=True, kw_only=True):
    project: str
    serial: int
    issued: str
    expires: float
    """Epoch seconds; zero: never."""
    settings: Settings
    text: str
    """The settings as they are written."""

    def is_for(self, project: str) -> bool:
        return self.project in {ALL, project}

    def ignored(self, base: Settings) -> tuple[str, ...]:
        """What of it does not count over these settings, since it would loosen them, or run something."""
        heard = tightened(base, self.settings)
        told = (said for said, _does in sleeping(heard, self.settings) if not said.startswith(_HEARD))
        deaf = (key for key in ("judge", "team", "otel") if getattr(self.settings, key) is not None)
        return (*told, *deaf)


_HEARD = ("goal.constraints", "truth.track")
"""What speaks to agents counts where the team says it: whoever trusts its key trusts its words."""


def render(project: str, serial: int, issued: str, expires: str, text: str) -> str:
    """The document to be signed. ConfigError for what no client would take."""
    lines = [TITLE, f"project: {project}", f"serial: {serial}", f"issued: {issued}"]
    document = "\n".join((*lines, f"expires: {expires or 'never'}", "", text.strip(), ""))
    parse(document)
    return document


def split(document: str) -> tuple[str, str]:
    """What was signed, and the signature; ConfigError where there is none."""
    signed, mark, rest = document.partition(SIGNATURE)
    if not mark:
        raise ConfigError("the policy has no signature: `leeboard team policy sign` makes one")
    return signed, mark + rest


def parse(signed: str) -> TeamPolicy:
    """ConfigError, saying what is wrong with it."""
    head, _, text = signed.partition("\n\n")
    title, *lines = head.split("\n")
    told = {name: value.strip() for name, colon, value in (line.partition(":") for line in lines) if colon}
    if title != TITLE or tuple(told) != _HEAD:
        raise ConfigError(
            f"this is no policy: it begins with {TITLE!r}, then come {', '.join(_HEAD)} and an empty line"
        )
    if not _SERIAL.match(told["serial"]):
        raise ConfigError(f"the policy's serial must be a whole number from 1 on, not {in_short(told['serial'])}")
    if len(text.encode()) > LARGEST:
        raise ConfigError(f"the policy's settings have more than {LARGEST:,} bytes")
    settings, problems = parse_tolerantly(text, "policy")
    if problems:
        raise ConfigError(problems[0])
    return TeamPolicy(
        project=told["project"],
        serial=int(told["serial"]),
        issued=told["issued"],
        expires=_end(told["expires"]),
        settings=settings,
        text=text,
    )


def _end(text: str) -> float:
    """A day without a time ends with its last second, by UTC."""
    if text == "never":
        return 0.0
    with suppress(ValueError, OverflowError):
        return datetime.combine(date.fromisoformat(text), time(23, 59, 59), UTC).timestamp()
    try:
        end = datetime.fromisoformat(text)
        return (end if end.tzinfo else end.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, OSError) as error:
        raise ConfigError(f"the policy expires at {in_short(text)}, which is no date") from error


def tightens(base: Settings, policy: TeamPolicy) -> tuple[str, ...]:
    """The keys of it that count over these settings."""
    return tuple(key for key in policy.settings.said if _counts(base, policy.settings, key))


def _counts(base: Settings, over: Settings, key: str) -> bool:
    files = over.policy.protected if key == "protect.files" else ()
    policy = msgspec.structs.replace(over.policy, protected=files)
    alone = msgspec.structs.replace(over, said=(key,), policy=policy)
    return tightened(base, alone) != base
