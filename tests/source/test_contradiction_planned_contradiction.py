from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.model.symbol import Habit, Symbol
from leeboard.source.contradiction import planned

HABITS = (
    Habit(role="wrapper of sqlite3", usual="app/db.py", others=("sqlite3",), support=9, users=9, where="app/db.py"),
)
SYMBOLS = (
    Symbol(name="PaymentService", kind="class", path="app/payments.py", line=3),
    Symbol(name="cache.py", kind="file", path="app/cache.py"),
    Symbol(name="invoice.ts", kind="file", path="src/services/invoice.ts"),
    Symbol(name="TestPaymentService", kind="class", path="tests/test_payments.py"),
)


def named(_words: Iterable[str]) -> tuple[Symbol, ...]:
    return SYMBOLS


@pytest.mark.parametrize(
    ("text", "usual"),
    [
        ("I'll use sqlite3 directly here.", "app/db.py"),
        ("Let me call `sqlite3` directly.", "app/db.py"),
        ("I'll create a new payment service for refunds.", "app/payments.py"),
        ("I'm going to add a separate payment service.", "app/payments.py"),
        ("I'll introduce a new cache layer.", "app/cache.py"),
        ("I will build a new invoice service.", "src/services/invoice.ts"),
    ],
)
def test_against_what_is_there(text: str, usual: str) -> None:
    (found,) = planned(text, HABITS, named)
    assert found.usual == usual
    assert found.confidence <= 0.6


@pytest.mark.parametrize(
    "text",
    [
        "I won't use sqlite3 directly.",
        "The old code used sqlite3 directly.",
        "I'll use sqlite3 through the session.",
        "I'll use json directly.",
        "I'll create a new shipping service.",
        "I'll create a new service.",
        "I'll extend the payment service.",
        "> I'll create a new payment service",
        "Instead of adding a new payment service I'll extend it.",
    ],
)
def test_nothing_against_it(text: str) -> None:
    assert not list(planned(text, HABITS, named))


@given(st.text(max_size=300))
def test_no_text_raises(text: str) -> None:
    list(planned(text, HABITS, named))
