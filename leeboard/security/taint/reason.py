"""The table of what speaks against a refusal, by names that the rest of the engine gives as its reasons."""

from __future__ import annotations

import msgspec

from leeboard.data import load


class FlowDoubt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a flow is worth a look and no refusal, or a note and no look."""

    at_most: float
    """How sure it is then."""
    why: str


class Doubts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The table, by what its comments say."""

    whole_request: frozenset[str]
    sent_by_browser: tuple[str, ...]
    forwarded_host: str
    referrer: str
    page_address: str
    asked_of_page: str
    named_field: str
    checks_in_front: str
    knows_who: str
    before_clause: str
    whole_form: str
    library_merge: str
    operator_stores: str
    other_stores: str
    own_model: str
    takes_apart: str
    is_test: str
    tells_nothing: tuple[str, ...]
    finds_file: str
    tells_little: tuple[str, ...]
    asks: str
    refuses: str
    counts: str
    measures: str
    reasons: dict[str, FlowDoubt]


DOUBTS = load("security/doubt", Doubts)


def reason(name: str) -> FlowDoubt:
    return DOUBTS.reasons[name]
