"""What a plan may already find built."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from leeboard.model.ledger import Entry, Kind
from leeboard.source.duplicate import namesakes
from leeboard.source.index.symbols import MemorySymbols
from leeboard.speech.build_intent import build_intents

FILES = {
    "auth/tokens.py": "def verify_jwt(token):\n    return token\n",
    "net/rate.py": "class RateLimiter:\n    pass\n",
    "text/slug.py": "def slugify(title):\n    return title\n",
    "tests/test_mail.py": "def send_invoice_mail():\n    pass\n",
    **{f"views/v{number}.py": f"def render_page{number}():\n    pass\n" for number in range(9)},
}


class Rows:
    def __init__(self, *entries: Entry) -> None:
        self.entries = entries

    def find(self, kind: Kind, keys: Iterable[str]) -> tuple[Entry, ...]:
        wanted = set(keys)
        return tuple(entry for entry in self.entries if entry.kind == kind and entry.key in wanted)

    def newest(self, kind: Kind, limit: int) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.kind == kind)[:limit]


def names(text: str, *entries: Entry, said: str = "") -> list[str]:
    found = [
        one for intent in build_intents(text) for one in namesakes(intent, Rows(*entries), MemorySymbols(FILES), said)
    ]
    return [one.symbol.name for one in found]


FOUND = (
    ("I'll build a JWT handler.", "verify_jwt"),
    ("I'll implement JWT verification.", "verify_jwt"),
    ("I'll create a rate limiter.", "RateLimiter"),
    ("Let me write slugify.", "slugify"),
)
NOT_FOUND = (
    "I'll build an invoice mailer.",
    "I'll create a renderer.",
    "I'll build a JWT handler that uses verify_jwt.",
)


@pytest.mark.parametrize(("text", "name"), FOUND)
def test_found(text: str, name: str) -> None:
    assert name in names(text)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(text: str) -> None:
    assert names(text) == []


def test_not_what_the_user_named() -> None:
    assert names("Let me write slugify.", said="implement slugify") == []


def test_not_what_is_being_changed() -> None:
    assert names("Let me write slugify.", Entry(kind="change", key="text/slug.py", path="text/slug.py", turn=2)) == []


def test_what_the_session_built() -> None:
    row = Entry(kind="built", key="parse_invoice", path="shop/invoice.py", line=1, turn=2)
    assert names("I'll write an invoice parser.", row) == ["parse_invoice"]


def test_no_index() -> None:
    assert [namesakes(intent, Rows(), None, "") for intent in build_intents("Let me write slugify.")] == [()]
