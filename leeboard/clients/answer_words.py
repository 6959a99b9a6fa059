"""Words for an answer, in the room that a client gives them."""

from __future__ import annotations

from typing import Literal

import msgspec

from leeboard.model.verdict import Action, Moment, Verdict

Saying = Literal["nothing", "refuse", "keep_going", "add"]
"""What words are for: with them a call is refused, an agent kept from stopping, or told something."""

_LONGEST_WORD = 100


def spoken(verdict: Verdict, moment: Moment) -> tuple[Saying, str]:
    """What is said to the agent at a moment, and what for. A briefing by itself is not worth keeping an agent going."""
    action = verdict.action if verdict.action in moment.actions else Action.ALLOW
    if action is Action.DENY:
        return "refuse", cut(verdict.message or "Leeboard holds this call back.", moment.room)
    if Action.INJECT not in moment.actions:
        return "nothing", ""
    said = verdict.message if action is Action.INJECT else ""
    words = cut(join(said, verdict.briefing), moment.room)
    if moment.kind == "stop":
        return ("keep_going", words) if said and words else ("nothing", "")
    return ("add", words) if words else ("nothing", "")


def join(message: str, briefing: str) -> str:
    return "\n\n".join(part for part in (message, briefing) if part)


def width(text: str) -> int:
    """The client counts UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut(text: str, room: int) -> str:
    """At most `room` UTF-16 units, cut between words where the script has them; halves of a surrogate pair are
    dropped.
    """
    if not text:
        return ""
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * room:
        return units.decode("utf-16-le", "ignore")
    if room < 1:
        return ""
    head = units[: 2 * (room - 1)].decode("utf-16-le", "ignore")
    after = units[2 * (room - 1) :][:2].decode("utf-16-le", "ignore")
    boundary = len(head) if after.isspace() else max(head.rfind(" "), head.rfind("\n"))
    between_words = boundary > 0 and len(head) - boundary <= _LONGEST_WORD
    return (head[:boundary] if between_words else head).rstrip() + "…"


def telling_person(answer: bytes, words: str, key: str = "systemMessage") -> bytes:
    """The answer with words that the client shows to its user, and not to the agent, behind those it has.

    `key` is what the client calls them.
    """
    if not words:
        return answer
    fields = msgspec.json.decode(answer, type=dict[str, object]) if answer else {}
    told = "\n".join(filter(None, (str(fields.get(key, "")), words)))
    return msgspec.json.encode({**fields, key: told})
