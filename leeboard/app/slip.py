"""Something that must not change and did, and the words for the person about it."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["guard", "limit", "trust"]
How = Literal["changed", "deleted", "made"]

_ROOM = 1_500
_MOST = 6
_WAS = {"changed": "was changed", "deleted": "was deleted or moved away", "made": "was made"}


class Slip(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    kind: Kind
    how: How
    limit: str = ""
    """The user's own words, where it breaks them."""
    lines: tuple[str, ...] = ()
    """What ran meanwhile, redacted."""
    behind: tuple[str, ...] = ()
    """What was sent to the background before, where nothing else ran."""
    agent: str = ""
    call: str = ""
    """The one to blame; empty where it may have been somebody else."""

    @property
    def concerns_agent(self) -> bool:
        return self.kind != "trust" and bool(self.lines or self.behind)

    @property
    def meanwhile(self) -> str:
        """When it happened, by what ran then."""
        if self.lines:
            return f"while {_quoted(self.lines)} ran"
        return f"after {_quoted(self.behind)} had left something running" if self.behind else ""

    @property
    def words(self) -> str:
        spoken = f" ({self.limit})" if self.limit else ""
        return f"{self.path}{spoken} {_WAS[self.how]} {self.meanwhile or 'while no line of the agent ran'}"


def person_words(slips: tuple[Slip, ...], looser: tuple[str, ...], *, cause: str, ended: bool, back: str) -> str:
    """What the person reads beside the agent's work; empty where there is nothing to tell."""
    told = [f"{slip.words}." for slip in slips[:_MOST]]
    if len(slips) > _MOST:
        told.append(f"So were {len(slips) - _MOST} more.")
    if looser:
        told.append(
            f"By {cause}, {'; '.join(looser)}. It does not count in this session, which goes on as it began; to accept "
            "it, run `leeboard init` in a terminal of your own, or begin a new session."
        )
    if ended:
        told.append(
            "No settings of the client name Leeboard's hooks any more: this session keeps them only as long as the "
            "client does, and a new one is not guarded. `leeboard init` puts them back."
        )
    if back:
        told.append(back)
    return f"Leeboard: {' '.join(told)}"[:_ROOM] if told else ""


def _quoted(lines: tuple[str, ...]) -> str:
    return " and ".join(f"`{line}`" for line in lines[-2:])
