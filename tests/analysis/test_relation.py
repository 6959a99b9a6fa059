"""How much leads from what the human asked to a path: ways of having met it, not the weights they have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from leeboard.analysis.relation import BELONGS, SEEDS, STRAY, Occasion, Relation, in_scope, relate, terms_of, word_term
from leeboard.model.contract import Contract
from leeboard.model.ledger import Met
from leeboard.speech.listed import items_of, written
from leeboard.text.names import keywords

PLAIN = Occasion(contract=Contract(objective="fix auth", areas=("auth",)), named=())
PATH = "src/billing/invoice.ts"


def points(rows: dict[str, int], occasion: Occasion = PLAIN, path: str = PATH) -> float:
    return relate(path, occasion, rows).points


def test_nothing_led_there() -> None:
    relation = relate(PATH, PLAIN, {})
    assert not relation.belongs
    assert relation.strays(())
    assert relation.distance == "far"


def test_named_by_the_user_and_worked_on_before_is_beyond_doubt() -> None:
    assert relate(PATH, replace(PLAIN, named=("src/billing/",)), {}).points == 10
    assert relate(PATH, PLAIN, {PATH: Met.EDITED}).points == 10


def test_outside_the_tree_is_left_alone() -> None:
    for path in ("/etc/hosts", "~/.bashrc", "../other/a.py", "C:/x.py"):
        assert relate(path, PLAIN, {}).belongs


@pytest.mark.parametrize("flag", [Met.NAMED, Met.FOUND, Met.SAID, Met.LISTED, Met.READ, Met.EXPLORED])
def test_each_way_of_having_met_it_is_worth_something(flag: int) -> None:
    assert points({PATH: flag}) > points({})


@pytest.mark.parametrize("flag", [Met.NAMED, Met.FOUND])
def test_what_was_named_or_found_belongs(flag: int) -> None:
    assert points({PATH: flag | Met.READ}) >= BELONGS


def test_the_path_itself_is_worth_no_less_than_its_namesake() -> None:
    for flag in (Met.NAMED, Met.FOUND, Met.SAID, Met.LISTED):
        assert points({PATH: flag}) >= points({"name:invoice.ts": flag}) > points({})


def test_an_edit_in_place_of_a_file_nobody_read_weighs_against_it() -> None:
    unread = replace(PLAIN, unread=True)
    assert points({}, unread) < points({}) < points({PATH: Met.READ}, unread)


def test_words_of_the_user_in_the_path_count() -> None:
    assert points({word_term("invoice"): Met.WORD}) > points({word_term("invoice"): Met.SAID}) > points({})


def test_its_own_test_belongs() -> None:
    assert relate("tests/auth/token.test.ts", PLAIN, {"name:token": Met.EDITED}).belongs


def test_the_test_of_a_file_that_only_just_belongs_belongs_too() -> None:
    """By its name or by the file it speaks of."""
    occasion = replace(PLAIN, worked=("conf8",))
    assert relate("tests/test_conf8.py", occasion, {}).belongs
    assert relate("tests/test_reading.py", replace(occasion, words=("conf8", "reading")), {}).belongs
    assert not relate("tests/test_reading.py", occasion, {}).belongs


def test_what_the_order_lists_is_a_place_of_the_work() -> None:
    order = "Add a Dockerfile, a health endpoint, and a CI workflow"
    listing = replace(PLAIN, listed=items_of(order, keywords(order)))
    assert relate(".github/workflows/ci.yml", listing, {}).seeds
    assert relate("app/views.py", replace(listing, written=written(["def health():"])), {}).seeds
    assert points({}, listing) == points({})


def test_what_the_order_is_about_is_wired_in_where_a_project_comes_together() -> None:
    listing = replace(PLAIN, listed=items_of("add sentry and docs", ("sentry", "docs")), words=("sentry_sdk",))
    assert relate("app/__init__.py", listing, {}).belongs
    assert not relate("app/__init__.py", replace(listing, creates=True), {}).belongs
    assert not relate("app/__init__.py", replace(listing, words=("invoice_total",)), {}).belongs


def test_a_wide_request_and_a_forgotten_past_are_lenient() -> None:
    assert points({}, replace(PLAIN, contract=Contract(wide=True))) > points({}, replace(PLAIN, contract=Contract()))
    assert points({}, replace(PLAIN, forgotten=True)) > points({})
    assert points({}, replace(PLAIN, opening=True)) > points({})


def test_distance_is_told_by_where_work_was_done() -> None:
    assert relate(PATH, PLAIN, {"src/billing/": Met.EDITED}).distance == "folder"
    assert relate(PATH, PLAIN, {"src/": Met.EDITED}).distance == "module"
    assert relate(PATH, PLAIN, {"src/": Met.LISTED}).distance == "far"


def test_another_kind_of_work_is_told_by_its_area() -> None:
    assert relate("src/styles/theme.css", PLAIN, {}).unrelated_area == "style"
    assert relate("src/auth/token.ts", PLAIN, {}).unrelated_area == ""
    assert relate("docs/guide.md", PLAIN, {}).unrelated_area == ""
    assert relate("src/styles/theme.css", replace(PLAIN, contract=Contract()), {}).unrelated_area == ""


def test_one_weak_tie_is_forgiven_once() -> None:
    doubtful = Relation(path="a.py", points=(STRAY + BELONGS) / 2)
    assert not doubtful.strays(())
    assert not doubtful.strays(("a.py",))
    assert doubtful.strays(("b.py",))
    assert not Relation(path="a.py", points=BELONGS).strays(("b.py",))
    assert not Relation(path="a.py", points=BELONGS).seeds or BELONGS >= SEEDS


@pytest.mark.parametrize(
    ("word", "term"),
    [("Tokens", "#token"), ("entries", "#entry"), ("class", "#class"), ("gas", "#gas"), ("auth", "#auth")],
)
def test_one_spelling_for_a_word(word: str, term: str) -> None:
    assert word_term(word) == term


def test_scope_is_anchored_or_a_suffix_of_folders() -> None:
    """AD-29."""
    assert in_scope("src/auth/token.ts", ("src/auth/",))
    assert in_scope("packages/web/src/auth/token.ts", ("src/auth/",))
    assert not in_scope("src/author.ts", ("src/auth/",))
    assert not in_scope("src/auth/token.ts", ())


def test_the_terms_are_those_that_are_weighed() -> None:
    terms = terms_of(PATH, ("verifyTotal",))
    assert {PATH, "name:invoice.ts", "name:invoice", "src/billing/", "src/", "#invoice", "#verifytotal"} <= set(terms)


flags = st.dictionaries(st.sampled_from(terms_of(PATH, ("verify", "token"))), st.integers(0, 4095), max_size=8)
POSITIVE = (Met.NAMED, Met.FOUND, Met.SAID, Met.LISTED, Met.WORD)


@given(flags, st.sampled_from(terms_of(PATH, ("verify",))), st.sampled_from(POSITIVE))
def test_knowing_more_of_a_path_never_makes_it_stranger(rows: dict[str, int], term: str, flag: int) -> None:
    richer = {**rows, term: rows.get(term, 0) | flag}
    occasion = replace(PLAIN, words=("verify", "token"))
    assert points(richer, occasion) >= points(rows, occasion)


@given(st.text(max_size=60), flags)
def test_any_path_is_weighed(path: str, rows: dict[str, int]) -> None:
    relation = relate(path, PLAIN, rows)
    assert relation.path == path
    assert relation.belongs == (relation.points >= BELONGS)
