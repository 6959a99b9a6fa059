"""Rules of the project's own that refuse: the edges."""

from __future__ import annotations

from leeboard.model.policy import Policy
from leeboard.model.verdict import Action
from leeboard.testing.scenario import play

RULE = "own {id: no-publish, message: releases are made by hand, note: ask for a release, then: refuse, when: {command: npm publish}}"


def test_it_is_refused_under_advise_and_says_what_to_do() -> None:
    verdict = play((RULE, "@ fix src/a.ts", "$ npm publish --access public")).proposed()[-1]
    assert verdict.action is Action.DENY
    assert "releases are made by hand" in verdict.message
    assert "Instead: ask for a release." in verdict.message


def test_a_rehearsal_and_a_mention_pass() -> None:
    for line in ("$ npm publish --dry-run", "$ echo npm publish", "$ npm pack"):
        assert play((RULE, "@ fix src/a.ts", line)).proposed()[-1].action is Action.ALLOW


def test_observe_refuses_nothing() -> None:
    played = play((RULE, "@ fix src/a.ts", "$ npm publish"), Policy(profile="observe"))
    assert played.proposed()[-1].action is not Action.DENY
    assert not played.spoken()
