"""What ties a path to the work: which facts there are and what settles it, not the weights they have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from leeboard.analysis.occasion import Occasion, terms_of, word_term
from leeboard.analysis.relation import SETTLED, Relation, in_scope, moved_on, relate, settled
from leeboard.analysis.ties.weight import goal_table
from leeboard.analysis.ties.wording import CallWording, Wording
from leeboard.analysis.ties.work import WorkSoFar
from leeboard.model.contract import Contract
from leeboard.model.ledger import Entry, Met
from leeboard.model.session import Session
from leeboard.speech.listed import items_of, written
from leeboard.text.names import keywords

PLAIN = Occasion(contract=Contract(objective="fix auth", areas=("auth",)), named=())
PATH = "src/billing/invoice.ts"
WORK = WorkSoFar([Entry(kind="sketch", key="wrote", path="src/auth/token.ts", turn=1)])


def weight(rows: dict[str, int], occasion: Occasion = PLAIN, path: str = PATH) -> float:
    return relate(path, occasion, rows, WORK).weight


def test_nothing_led_there() -> None:
    relation = replace(relate(PATH, PLAIN, {}, WORK), evidence=weight({}))
    assert not relation.belongs
    assert relation.strays
    assert relation.against
    assert relation.distance == "module"


def test_named_by_the_user_and_worked_on_before_is_beyond_doubt() -> None:
    named = settled(PATH, replace(PLAIN, named=("src/billing/",)), {})
    known = settled(PATH, PLAIN, {PATH: Met.EDITED})
    assert [one.weight for one in (named, known) if one] == [SETTLED, SETTLED]
    assert settled(PATH, PLAIN, {}) is None


def test_outside_the_tree_is_left_alone() -> None:
    for path in ("/etc/hosts", "~/.bashrc", "../other/a.py", "C:/x.py"):
        left_alone = settled(path, PLAIN, {})
        assert left_alone is not None
        assert left_alone.belongs


def test_what_a_search_pinned_down_belongs() -> None:
    assert weight({PATH: Met.FOUND | Met.PINNED}) < weight({PATH: Met.FOUND}) < weight({})
    assert relate(PATH, PLAIN, {PATH: Met.FOUND | Met.PINNED}, WORK).belongs


def test_an_edit_in_place_of_a_file_nobody_read_weighs_against_it() -> None:
    unread = replace(PLAIN, in_place=frozenset({PATH}))
    found = {PATH: Met.LISTED}
    assert weight(found, unread) > weight(found)
    assert weight({PATH: Met.LISTED | Met.READ}, unread) == weight(found)


def test_having_been_read_is_no_pass() -> None:
    assert not relate(".github/workflows/ci.yml", PLAIN, {".github/workflows/ci.yml": Met.READ}, WORK).belongs


def test_its_own_test_belongs_and_a_namesake_elsewhere_does_not() -> None:
    assert relate("tests/auth/token.test.ts", PLAIN, {}, WORK).belongs
    assert not relate("src/billing/token.ts", PLAIN, {}, WORK).belongs


def test_what_the_order_lists_is_a_place_of_the_work() -> None:
    order = "Add a Dockerfile, a health endpoint, and a CI workflow"
    listing = replace(PLAIN, listed=items_of(order, keywords(order)))
    assert relate(".github/workflows/ci.yml", listing, {}, WORK).seeds
    assert relate("app/views.py", replace(listing, written=written(["def health():"])), {}, WORK).seeds
    assert weight({}, listing) == weight({})


def test_a_deletion_weighs_no_less_than_an_edit() -> None:
    assert weight({}, replace(PLAIN, deletes=(PATH,), shell=True)) >= weight({})
    assert weight({PATH: Met.LISTED}, replace(PLAIN, deletes=(PATH,))) > weight({PATH: Met.LISTED})


def test_a_wide_request_and_a_forgotten_past_are_lenient() -> None:
    for lenient in ({"contract": Contract(wide=True)}, {"forgotten": True}, {"opening": True}, {"whole": True}):
        assert weight({}, replace(PLAIN, **lenient)) < weight({})


def test_another_kind_of_work_is_told_by_its_area() -> None:
    assert relate("src/styles/theme.css", PLAIN, {}, WORK).unrelated_area == "style"
    assert relate("src/auth/token.ts", PLAIN, {}, WORK).unrelated_area == ""
    assert relate("docs/guide.md", PLAIN, {}, WORK).unrelated_area == ""
    assert relate("src/styles/theme.css", replace(PLAIN, contract=Contract()), {}, WORK).unrelated_area == ""


def test_one_doubt_is_kept_and_what_belongs_lets_it_fade() -> None:
    doubtful = Relation(path="a.py", weight=goal_table().speak / 2)
    once = moved_on(Session(id="s"), {"a.py": doubtful}, {"a.py"})
    assert [doubt.path for doubt in once.doubts] == ["a.py"]
    after = moved_on(once, {"b.py": Relation(path="b.py", weight=-1.0)}, ())
    assert after.doubts[0].weight < once.doubts[0].weight
    assert moved_on(once, {"a.py": doubtful}, ()).doubts == once.doubts, "what a person let in is no doubt"


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
    terms = terms_of(PATH, ("verify", "total"))
    assert {PATH, "name:invoice.ts", "name:invoice", "src/billing/", "src/", "#invoice", "#verify"} <= set(terms)


flags = st.dictionaries(st.sampled_from(terms_of(PATH, ("verify", "token"))), st.integers(0, 16383), max_size=8)
POSITIVE = (Met.NAMED, Met.FOUND, Met.PINNED, Met.WORD, Met.PLANNED, Met.FAILED)


@given(flags, st.sampled_from(terms_of(PATH, ("verify",))), st.sampled_from(POSITIVE))
def test_knowing_more_of_a_path_never_makes_it_stranger(rows: dict[str, int], term: str, flag: int) -> None:
    richer = {**rows, term: rows.get(term, 0) | flag}
    told = Wording(names=("verify", "token"), parts=("verify", "token"))
    occasion = replace(PLAIN, wording=CallWording(told))
    assert weight(richer, occasion) <= weight(rows, occasion)


@given(st.text(max_size=60), flags)
def test_any_path_is_weighed(path: str, rows: dict[str, int]) -> None:
    relation = relate(path, PLAIN, rows, WORK)
    assert relation.path == path
    assert not (relation.belongs and relation.strays)
