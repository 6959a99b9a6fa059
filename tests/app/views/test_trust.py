from __future__ import annotations

from msgspec.structs import replace

from leeboard.app.views.trust import actor_view, asleep_text
from leeboard.trust.actor import Actor, TrustRecord, granted

ACTOR = Actor(part="p", digest="1", place="a\x1b.toml", does="x", shown=("old",))


def test_what_sleeps_is_counted_by_what_would_act() -> None:
    assert asleep_text((replace(ACTOR, acts=False),)) == ""
    assert asleep_text((ACTOR,)) == "1 thing not trusted, asleep: a\\x1b.toml (`leeboard trust`)"


def test_a_program_is_told_the_difference() -> None:
    record = granted(TrustRecord(repository="/r"), [ACTOR], "person", "now")
    new = replace(ACTOR, digest="2", shown=("new",))
    assert actor_view(new, record, [new]).changed == ("- old", "+ new")
    assert actor_view(ACTOR, record, [ACTOR]).trusted
