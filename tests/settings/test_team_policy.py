from __future__ import annotations

import pytest

from leeboard.errors import ConfigError
from leeboard.settings.over import tightened
from leeboard.settings.settings import Settings
from leeboard.settings.team_policy import SIGNATURE, parse, render, split, tightens
from leeboard.settings.toml import parse_tolerantly

TEXT = 'profile = "enforce"\n[interrupts]\nbudget = 9\ngrace_turns = 0\n[truth]\ntrack = ["a.md"]\n'


def test_a_document_says_what_was_put_into_it() -> None:
    policy = parse(render("shop", 3, "2026-01-01T00:00:00Z", "2027-01-31", TEXT))
    assert (policy.project, policy.serial, policy.text.strip()) == ("shop", 3, TEXT.strip())
    assert policy.expires == 1_801_439_999.0  # the last second of that day, by UTC
    assert policy.is_for("shop")
    assert not policy.is_for("bank")
    assert parse(render("*", 1, "now", "", TEXT)).is_for("bank")
    assert set(tightens(Settings(), policy)) == {
        "profile",
        "interrupts.budget",
        "interrupts.grace_turns",
        "truth.track",
    }
    assert policy.ignored(Settings()) == ()


def test_where_records_and_figures_go_is_no_business_of_a_policy() -> None:
    text = '[otel]\nendpoint = "http://x"\n[team]\nurl = "postgresql://db/x"\n'
    policy = parse(render("*", 1, "2026-01-01T00:00:00Z", "", text))
    assert policy.ignored(Settings()) == ("team", "otel")


def test_what_is_looser_than_the_settings_is_ignored_and_named() -> None:
    base = parse_tolerantly('profile = "enforce"\n', "x")[0]
    policy = parse(render("*", 1, "now", "", 'profile = "observe"\n[rules.circling]\nenabled = false\n'))
    assert tightens(base, policy) == ()
    assert tightened(base, policy.settings) == base
    assert policy.ignored(base) == ('profile = "observe"', "rules.circling.enabled = false")


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ("anything", "this is no policy"),
        ("leeboard-policy 1\nproject: a\nserial: 0\nissued: x\nexpires: never\n\n", "whole number"),
        ("leeboard-policy 1\nproject: a\nserial: 1\nissued: x\nexpires: soon\n\n", "no date"),
        ("leeboard-policy 1\nproject: a\nserial: 1\nissued: x\nexpires: never\n\nprofil = 1\n", "profil"),
        ("leeboard-policy 1\nproject: a\nserial: 1\nissued: x\nexpires: never\n\n" + "#" * 70_000, "more than"),
    ],
)
def test_what_is_no_policy_is_told(document: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        parse(document)


def test_without_a_signature_there_is_nothing_to_check() -> None:
    assert split(f"text\n{SIGNATURE}\nx") == ("text\n", f"{SIGNATURE}\nx")
    with pytest.raises(ConfigError, match="no signature"):
        split("text")
