from __future__ import annotations

from leeboard.security.crypto.weakness import Weakness, each_once


def _weakness(line: int, what: str, *, queues: bool = True) -> Weakness:
    return Weakness(kind="weak hash", what=what, line=line, end=line, confidence=0.9, context="auth", queues=queues)


def test_the_first_is_said_with_the_lines_of_the_others() -> None:
    found = [_weakness(1, "MD5"), _weakness(2, "SHA1"), _weakness(3, "MD5"), _weakness(4, "MD5")]
    said = each_once(found, lambda first, other: first.what == other.what)
    assert [(one.line, one.also, one.same_as, one.queues) for one in said] == [
        (1, (3, 4), 0, True),
        (2, (), 0, True),
        (3, (), 1, False),
        (4, (), 1, False),
    ]
    assert said[2].log_only == "the same as in line 1"


def test_what_is_logged_anyway_stands_for_no_other() -> None:
    found = [_weakness(1, "MD5", queues=False), _weakness(2, "MD5"), _weakness(3, "MD5", queues=False)]
    assert each_once(found, lambda first, other: first.what == other.what) == tuple(found)
