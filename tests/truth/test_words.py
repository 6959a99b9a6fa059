from __future__ import annotations

import pytest

from leeboard.model.known import NO_TEXT, ChangedFile, FileState, Known
from leeboard.model.truth import ABSENT
from leeboard.truth.cause import Author
from leeboard.truth.state import state_of
from leeboard.truth.words import LINE_ROOM, MOST_LINES, ROOM, shown_change, summary, told_in_one_line
from tests.leak import live_key

KEY = b"k" * 32


def changed(before: str, after: str) -> ChangedFile:
    state = state_of(before, KEY)
    known = Known(
        session="s", agent="", path="a.py", root="/r", digest=state.digest, lines=state.lines, count=state.count
    )
    return ChangedFile(known=known, now=state_of(after, KEY), stamp=(1,))


@pytest.mark.parametrize(
    ("before", "after", "words", "shown"),
    [
        ("a\nb\n", "a\nc\nd\n", "2 lines new, 1 gone", ("- 1 line gone behind line 1", "+ 2: c", "+ 3: d")),
        ("a\nb\nc\n", "a\n", "2 lines gone", ("- 2 lines gone behind line 1",)),
        ("a\nb\n", "b\n", "1 line gone", ("- 1 line gone at the top",)),
        ("", "x\n", "1 line new", ("+ 1: x",)),
    ],
)
def test_what_changed(before: str, after: str, words: str, shown: tuple[str, ...]) -> None:
    assert summary(changed(before, after)) == words
    assert shown_change(changed(before, after), after) == shown


def test_a_file_that_is_gone_or_there_again() -> None:
    gone = ChangedFile(known=changed("a\n", "").known, now=FileState(digest=ABSENT), stamp=())
    assert summary(gone) == "it is gone"
    known = Known(session="s", agent="", path="a.py", root="/r", digest=ABSENT)
    back = ChangedFile(known=known, now=state_of("a\nb\n", KEY), stamp=(1,))
    assert summary(back) == "it is there again, 2 lines"
    assert shown_change(back, "a\nb\n") == ()


@pytest.mark.parametrize(
    ("kind", "words", "again"),
    [
        ("link", "it is now a link", "it is another one now, and still a link"),
        ("large", "it is now too large to compare", "it is another one now, and too large to compare"),
        ("other", "it is no longer a text", "it is another one now, and no text"),
    ],
)
def test_a_file_that_has_no_text_any_more(kind: str, words: str, again: str) -> None:
    now = FileState(digest=f"{NO_TEXT}{kind}:1:2", count=1)
    found = ChangedFile(known=changed("a\n", "").known, now=now, stamp=(1,))
    assert summary(found) == words
    assert shown_change(found, "") == ()
    known = Known(session="s", agent="", path="a.py", root="/r", digest=f"{NO_TEXT}{kind}:3:4", count=1)
    assert summary(ChangedFile(known=known, now=now, stamp=(1,))) == again
    text = state_of("a\nb\n", KEY)
    assert summary(ChangedFile(known=known, now=text, stamp=(1,))) == "it is a text again, 2 lines"


def test_only_so_much_is_shown() -> None:
    after = "".join(f"line {number} {'x' * 500}\n" for number in range(200))
    shown = shown_change(changed("", after), after)
    assert shown[-1].startswith("... and ")
    assert len(shown) <= MOST_LINES + 1
    assert sum(map(len, shown)) <= ROOM + 40
    assert all(len(line) <= LINE_ROOM + 10 for line in shown)
    assert shown_change(changed("", after * 10), after * 10) == (), "a file of this size is not shown"


def test_no_secret_is_shown() -> None:
    after = f'a = 1\nkey = "{live_key(1)}"\n'
    assert live_key(1) not in "".join(shown_change(changed("a = 1\n", after), after))
    block = (
        "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEpAIBAAKCAQEA7bq98\n" * 5 + "-----END RSA PRIVATE KEY-----\nb = 2\n"
    )
    shown = "".join(shown_change(changed("a = 1\n", block), block))
    assert "MIIE" not in shown
    assert "a secret is near" in shown


def test_of_a_long_file_only_the_sizes_are_known() -> None:
    found = changed("a\n", "x\n" * 6_000)
    assert summary(found) == "1 line then, 6000 now"
    assert shown_change(found, "x\n" * 6_000) == ()


def test_one_line() -> None:
    line = told_in_one_line(changed("a\n", "b\n"), Author(kind="unknown", words="nobody knows"))
    assert line == "a.py: 1 line new, 1 gone; by whom: nobody knows"
