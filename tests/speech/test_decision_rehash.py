"""How much of a plan says again what was said before."""

from __future__ import annotations

from leeboard.model.ledger import Entry
from leeboard.speech.decision import repeated_share
from leeboard.text.words import content_words

OLD = "The exporter reads every invoice row from the ledger database in batches."
TWIN = "In batches the exporter reads from the ledger database every invoice row."
OTHER = "Operators receive a digest mail listing skipped invoices and their causes."


def said(*sentences: str) -> list[Entry]:
    return [Entry(kind="plan", key=" ".join(content_words(text)), turn=1, text=text) for text in sentences]


def test_the_order_of_words_does_not_matter() -> None:
    share, sources = repeated_share(said(TWIN), said(OLD))
    assert share == 1.0
    assert [source.text for source in sources] == [OLD]


def test_the_share_is_counted_in_characters() -> None:
    share, _ = repeated_share(said(TWIN, OTHER), said(OLD))
    assert share == len(TWIN) / (len(TWIN) + len(OTHER))


def test_short_sentences_repeat_nothing() -> None:
    assert repeated_share(said("Run the tests."), said("Run the tests.")) == (0.0, ())


def test_nothing_said() -> None:
    assert repeated_share([], said(OLD)) == (0.0, ())
    assert repeated_share(said(OTHER), said(OLD)) == (0.0, ())
