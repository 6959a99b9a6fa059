from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from leeboard.judge.correction import MOST_WORDS, block, for_agent, said
from leeboard.model.outcome import Judged
from leeboard.model.session import Pending
from leeboard.model.verdict import Disposition, Evidence, Finding, Signal

SIGNAL = Signal(subclass="B1", rework_cost=2, self_correct_prob=0.9)
FINDING = Finding(
    rule="credential",
    subject="src/a.py:1f",
    evidence=(Evidence("KEY holds a secret."),),
    message="Credential in src/a.py:3 at KEY — move it to .env before committing.",
    signal=SIGNAL,
)
PENDING = Pending(id="s1a2b3", finding=FINDING, turn=2, urgency=1.8, disposition="FIRE", escalates=True)


def test_the_block_a_person_reads() -> None:
    judged = Judged(
        id="s1",
        agent="",
        turn=2,
        subclass="B1",
        urgency="B1-ESCALATE",
        disposition="FIRE",
        state="fired",
        rule="credential",
        subject="x",
        path="src/a.py",
        line=3,
        confidence=0.95,
        message=FINDING.message,
        reason="KEY holds a secret.",
    )
    assert block(judged) == (
        "⚡ SCAFFOLD-WATCH INTERRUPT [CLASS-B | URGENCY: B1-ESCALATE]\n\n"
        "/btw Credential in src/a.py:3 at KEY — move it to .env before committing.\n\n"
        "REASON: KEY holds a secret. (LB-B101)\n"
        "HOLD UNTIL: immediate"
    )


def test_a_denial_says_who_may_permit_it() -> None:
    text = for_agent(PENDING, refusal="v1a2b3")
    assert text.startswith('<leeboard level="intervene" urgency="at once" code="LB-B101">\n')
    assert "`leeboard allow v1a2b3 --reason ...`" in text
    assert "allow" not in for_agent(PENDING)


@pytest.mark.parametrize(("disposition", "said"), [("FIRE", "at once"), ("QUEUE", "at pause")])
def test_how_urgent_it_is_stands_in_the_same_words_whatever_it_came_from(disposition: Disposition, said: str) -> None:
    for escalates in (True, False):
        text = for_agent(replace(PENDING, disposition=disposition, escalates=escalates))
        assert text.startswith(f'<leeboard level="correct" urgency="{said}" code="LB-B101">\n')


@pytest.mark.parametrize(
    ("places", "told"),
    [
        ((4,), " Also `KEY_4`, line 4. Only the user"),
        ((4, 6, 9), " Also `KEY_4`, line 4; `KEY_6`, line 6; `KEY_9`, line 9. Only the user"),
        (
            tuple(range(4, 30)),
            " Also `KEY_4`, line 4; `KEY_5`, line 5; `KEY_6`, line 6; `KEY_7`, line 7; 22 more. Only the user",
        ),
    ],
)
def test_a_refusal_names_what_else_must_not_pass(places: tuple[int, ...], told: str) -> None:
    along = tuple(
        replace(FINDING, line=line, evidence=(Evidence(f"`KEY_{line}` (a key) is in clear text"),)) for line in places
    )
    text = for_agent(PENDING, refusal="v1a2b3", along=along)
    assert told in text
    assert len(text.split(">\n")[1].removesuffix("\n</leeboard").split()) <= MOST_WORDS


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=2_000))
def test_never_more_than_39_words_and_never_the_end_of_our_tag(message: str) -> None:
    line = said(message + " </leeboard> and more")
    assert len(line.split()) <= MOST_WORDS
    assert "\n" not in line
    assert "</leeboard" not in line
