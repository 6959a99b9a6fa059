"""A line that nobody wrote has its share of looks; an ordinary one has all it needs."""

from __future__ import annotations

from leeboard.secrets.hit import LONG, UNREAD, Share
from leeboard.secrets.redaction import find_secrets, redact

PAIR = 'password{0} = "xK9{0:04d}!vQz2"; '


def test_every_place_of_an_ordinary_line_counts() -> None:
    text = "a" * LONG
    share = Share(text)
    assert not any(share.is_spent(at) for at in range(len(text)))


def test_a_long_line_has_a_share() -> None:
    text = "a" * 3 * LONG
    share = Share(text)
    looked = [at for at in range(len(text)) if not share.is_spent(at)]
    assert looked == list(range(len(looked)))
    assert 60 < len(looked) < 200


def test_each_line_has_its_own_share() -> None:
    text = "a" * 2 * LONG + "\nb\n"
    share = Share(text)
    assert share.is_spent(5) is False
    while not share.is_spent(6):
        pass
    assert not share.is_spent(2 * LONG + 1)


def test_the_rest_goes_to_the_end_of_the_line() -> None:
    text = "x\n" + "a" * 2 * LONG + "\nb"
    share = Share(text)
    while not share.is_spent(10):
        pass
    rest = share.rest(10)
    assert (rest.kind, rest.start, rest.value.strip("a")) == (UNREAD, 10, "\n")


def test_what_nobody_looked_at_is_not_kept() -> None:
    line = "".join(PAIR.format(number) for number in range(2_000))
    kept = redact(f"before\n{line}\nafter")
    assert "!vQz2" not in kept
    assert kept.startswith("before\n")
    assert kept.endswith("after")


def test_nothing_unread_is_reported() -> None:
    line = "".join(PAIR.format(number) for number in range(2_000))
    found = find_secrets(f"{line}\n{PAIR.format(9)}", "a.py")
    assert {secret.kind for secret in found} == {"password"}
    assert found[-1].line == 2
