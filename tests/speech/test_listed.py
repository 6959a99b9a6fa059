"""What an order lists beside the files it names, and which edits answer it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.speech.listed import (
    CALLED_SO,
    DEFINES_IT,
    LIKE_LISTED,
    LISTED,
    EditContent,
    answer,
    items_of,
    spoken_of,
    written,
)
from leeboard.text.names import keywords


def texts(order: str) -> list[str]:
    return [item.text for item in items_of(order, keywords(order))]


@pytest.mark.parametrize(
    ("order", "items"),
    [
        ("Set up .env, a settings module, and tests", ["settings module", "tests"]),
        ("Add a Dockerfile for the service, a health endpoint, and a CI workflow", ["health endpoint", "ci workflow"]),
        ("Please add docs and a changelog entry", ["docs", "changelog entry"]),
        ("Can you write a seed script with tests?", ["seed script", "tests"]),
        ("We need a login page: template, the view", ["login page", "template", "view"]),
        ("Document the flag in the README", ["flag", "readme"]),
        ("Ergänze einen Health-Endpoint und Tests", ["health endpoint", "tests"]),
        ("fix the typo in README.md", ["typo"]),
        ("see app/settings.py", []),
        ("the settings page is broken and the tests fail", []),
        ("train weekly, retries 2", []),
        ("we need customers to see their invoices", []),
        ("", []),
    ],
)
def test_what_is_listed(order: str, items: list[str]) -> None:
    assert texts(order) == items


@pytest.mark.parametrize(
    "order",
    ["Fix src/a.py but don't touch the tests", "Fix src/a.py, no docs", "Fix src/a.py without a migration"],
)
def test_what_is_ruled_out_is_not_listed(order: str) -> None:
    assert not [item for item in items_of(order, keywords("fix")) if item.kinds]


def test_a_clause_about_a_thing_lists_nothing() -> None:
    found = items_of(order := "Fix the crash in src/a.ts when the settings page opens", keywords(order))
    assert [item.kinds for item in found] == [()]


def worth(order: str, path: str, content: str = "", *, whole: bool = True) -> float:
    return answer(path, written([content], whole=whole), items_of(order, keywords(order)))[0]


ORDER = "Add a Dockerfile for the stripe service, a health endpoint, a settings module, tests and a CI workflow"


@pytest.mark.parametrize(
    ("path", "content", "whole", "expected"),
    [
        (".github/workflows/ci.yml", "on: push", True, LISTED),
        (".github/workflows/ci.yml", "on: push", False, LISTED),
        ("app/views.py", "def health():\n    pass", False, LISTED),
        ("app/views.py", "def refund():\n    pass", False, 0),
        ("app/api/health.py", "", True, LISTED),
        ("app/pulse.py", "def health(): pass", True, DEFINES_IT),
        ("lib/health.rb", "", True, CALLED_SO),
        ("app/conf8.py", "STRIPE_KEY = 1", True, LISTED),
        ("app/settings.py", "x = 1", True, LISTED),
        ("app/settings.py", "x = 1", False, CALLED_SO),
        ("tests/test_zebra.py", "x = 1", True, LIKE_LISTED),
        ("tests/test_zebra.py", "x = 1", False, 0),
        ("src/cart/total.py", "x = 1", True, 0),
    ],
)
def test_what_answers_it(path: str, content: str, *, whole: bool, expected: float) -> None:
    assert worth(ORDER, path, content, whole=whole) == expected


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ("def health_check():", "health"),
        ("export class RateLimiter {}", "limit"),
        ("func (s *Server) Health() {}", "health"),
        ("app.get('/health', ok)", "health"),
        ("parser.add_argument('--health')", "health"),
        ("CREATE TABLE ratings (id int)", "rat"),
        ("HEALTH = 1", "health"),
        ("  health: true", "health"),
        (".clock { width: 1em }", "clock"),
        ("test('health is told', run)", "health"),
    ],
)
def test_what_an_edit_defines(content: str, word: str) -> None:
    assert word in written([content]).defined


def test_a_place_counts_for_what_the_order_is_about() -> None:
    order = "Add a receiver for stripe in hooks/stripe.py, store events in the database"
    assert worth(order, "app/models.py", "class StripeEvent: pass", whole=False) == LISTED
    assert worth(order, "app/models.py", "class Address: pass") == 0


def test_a_name_may_speak_of_what_the_order_is_about() -> None:
    items = items_of(order := "Add sentry: update requirements.txt and add docs", keywords(order))
    assert spoken_of(("sentry_sdk",), items) == "sentry"
    assert spoken_of(("invoice_total",), items) == ""


def test_nothing_is_answered_where_nothing_is_listed() -> None:
    assert answer("src/a.py", EditContent(), ()) == (0.0, "")


@given(st.text(max_size=200), st.text(max_size=60), st.text(max_size=200))
def test_any_text_is_read(order: str, path: str, content: str) -> None:
    items = items_of(order, keywords(order))
    worth, _text = answer(path, written([content]), items)
    assert 0 <= worth <= LISTED


def test_a_hostile_text_is_read_in_no_time() -> None:
    for piece in ("def ", "add a ", "('/", "func (", ", and ", "a" * 50):
        written([piece * 20_000])
        items_of((piece * 20_000)[:20_000], ())
