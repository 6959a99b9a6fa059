from __future__ import annotations

from leeboard.trust.actor import LONGEST_KEPT, MOST_KEPT, Actor, TrustRecord, asleep, difference, granted, revoked

BLANK = TrustRecord(repository="/r/.git")


def actor(part: str = "p", digest: str = "1", *shown: str) -> Actor:
    return Actor(part=part, digest=digest, place="f", does="x", shown=shown)


def test_only_the_very_same_counts() -> None:
    record = granted(BLANK, [actor()], "person", "now")
    assert asleep([actor(), actor(digest="2"), actor("q")], record) == (actor(digest="2"), actor("q"))
    assert not record.trusts("p", ""), "what nobody can read is never trusted"
    assert asleep([actor()], revoked(record, ["p"])) == (actor(),)


def test_what_was_trusted_before_stays_for_other_branches_and_has_an_end() -> None:
    record = granted(granted(BLANK, [actor()], "person", "a"), [actor(digest="2")], "person", "b")
    assert asleep([actor(), actor(digest="2")], record) == ()
    record = granted(record, [actor(digest=str(n)) for n in range(MOST_KEPT + 5)], "person", "c")
    assert len(record.parts["p"]) == MOST_KEPT


def test_the_difference_is_of_what_was_shown() -> None:
    record = granted(BLANK, [actor("p", "1", "same", "old" + "x" * LONGEST_KEPT)], "person", "a")
    assert difference(record, [actor("p", "2", "same", "new")]) == (f"- old{'x' * (LONGEST_KEPT - 3)}", "+ new")
    assert difference(record, [actor("q", "2", "new")]) == (), "never trusted: all of it is new"
    record = granted(BLANK, [actor("gates:a", "1", "one"), actor("gates:a", "2", "two")], "person", "a")
    assert difference(record, [actor("gates:a", "1", "one"), actor("gates:a", "3", "three")]) == ("- two", "+ three")
