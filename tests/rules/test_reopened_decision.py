"""A question that was decided is opened again, though nothing new is known."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from leeboard.model.event import ContextCompacted, MessageSaid, ThoughtShown
from leeboard.model.outcome import Judged
from leeboard.rule import read_rule
from leeboard.rules import reopened_decision
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play, tell
from leeboard.testing.scenario_lines import ROOT, SESSION

RULES = (read_rule(reopened_decision),)
START = ("@ build the service", "read a.py", "read b.py", "read c.py")
DECIDED = "~ I'll use REST instead of GraphQL for the public interface."
AGAIN = "~ Let me reconsider REST vs GraphQL."
STEP = "read d.py"


def judged(*lines: str) -> list[Judged]:
    store = MemoryStore()
    play((*START, *lines), store=store, rules=RULES)
    return list(store.signals(SESSION))


def weights(*lines: str) -> list[tuple[str, str]]:
    return [(signal.disposition, signal.urgency) for signal in judged(*lines)]


def test_the_first_time_is_logged() -> None:
    """P1, SW-96, SW-102."""
    assert weights(DECIDED, STEP, AGAIN) == [("LOG", "0.5")]


def test_the_second_time_is_queued() -> None:
    """P2, SW-103: 2 x 0.8 = 1.6, raised to 2.0."""
    assert weights(DECIDED, STEP, AGAIN, STEP, AGAIN) == [("LOG", "0.5"), ("QUEUE", "2.0")]


def test_the_third_time_fires() -> None:
    """P3, SW-102."""
    found = judged(DECIDED, STEP, AGAIN, STEP, AGAIN, STEP, AGAIN)
    assert [(signal.disposition, signal.urgency) for signal in found] == [
        ("LOG", "0.5"),
        ("QUEUE", "2.0"),
        ("FIRE", "3.0"),
    ]
    assert all(len(signal.message.split()) < 40 for signal in found)


def test_a_thought_is_queued_at_most() -> None:
    store = MemoryStore()
    play((*START, DECIDED, STEP, AGAIN, STEP, AGAIN, STEP), store=store, rules=RULES)
    tell(ThoughtShown(session=SESSION, key="thought:x", cwd=ROOT, text=AGAIN[2:]), store, rules=RULES)
    assert [signal.disposition for signal in store.signals(SESSION)] == ["LOG", "QUEUE", "QUEUE"]


@pytest.mark.parametrize(
    "again",
    [
        "~ Let me reconsider REST vs GraphQL.",
        "~ Actually, let me rethink REST vs GraphQL.",
        "~ I'm not sure about REST.",
        "~ Should we use REST or GraphQL here?",
        "~ On second thought, GraphQL would be better than REST.",
        "~ I need to re-evaluate REST against GraphQL.",
        "~ I'm not sure if we should use GraphQL or REST.",
        "~ Hmm, maybe GraphQL is better than REST.",
        "~ Wait, should it be GraphQL rather than REST?",
        "~ We should revisit the choice of REST over GraphQL.",
    ],
)
def test_the_words_that_open_it(again: str) -> None:
    """SW-97."""
    assert weights(DECIDED, STEP, again) == [("LOG", "0.5")]


@pytest.mark.parametrize(
    ("decided", "again"),
    [
        ("~ I'll go with Redis for the session cache.", "~ I'm not sure about Redis."),
        ("~ I decided to use SQLite rather than Postgres.", "~ Let me reconsider SQLite vs Postgres."),
        ("~ We're going with TypeScript over JavaScript.", "~ Should we use TypeScript or JavaScript?"),
    ],
)
def test_other_questions(decided: str, again: str) -> None:
    assert weights(decided, STEP, again) == [("LOG", "0.5")]


@pytest.mark.parametrize(
    "lines",
    [
        (DECIDED, "$! pytest -> 1 failed", AGAIN),
        (DECIDED, "@ clients need nested queries", AGAIN),
        (DECIDED, "read docs/graphql-limits.md", AGAIN),
        (DECIDED, "grep graphql -> schema.graphql", AGAIN),
        (DECIDED, STEP, "~ Since the client can't send PUT, let me reconsider REST vs GraphQL."),
        (DECIDED, STEP, "~ The docs say nested. Let me reconsider REST vs GraphQL."),
        (DECIDED, STEP, "~ Let me reconsider the storage engine."),
        (DECIDED, STEP, "~ Let me reconsider."),
        (AGAIN, STEP, AGAIN, STEP, AGAIN),
        (DECIDED, STEP, DECIDED),
        (DECIDED, STEP, "~ I'll write the REST handlers now."),
        (DECIDED, STEP, "~ Let me revisit the REST handlers."),
        (DECIDED, STEP, "~ I'm not sure whether the REST handler is called."),
        (DECIDED, STEP, "~ Actually, let me read the REST handler."),
        (DECIDED, STEP, '~ The comment says "let me reconsider REST vs GraphQL".'),
    ],
)
def test_no_reopening(lines: tuple[str, ...]) -> None:
    """N1, N2, SW-101, and what only looks like one."""
    assert weights(*lines) == []


def test_two_questions_have_two_counters() -> None:
    """N4, SW-99."""
    other = "~ I'll go with Redis instead of Memcached."
    found = judged(DECIDED, other, STEP, AGAIN, STEP, "~ Let me reconsider Redis vs Memcached.")
    assert [(signal.disposition, signal.urgency) for signal in found] == [("LOG", "0.5")] * 2


def test_thinking_aloud_is_never_more_than_logged() -> None:
    """SW-98."""
    text = "~ I'll use REST instead of GraphQL. Hmm, let me reconsider REST vs GraphQL."
    (found,) = judged(STEP, text)
    assert (found.disposition, found.note) == ("LOG", "thinking aloud within one turn")


def test_choosing_the_other_option_opens_it_too() -> None:
    flips = ("~ I'll use GraphQL instead of REST.", "~ I'll use REST instead of GraphQL.")
    assert weights(flips[0], STEP, flips[1], STEP, flips[0]) == [("LOG", "0.5"), ("QUEUE", "2.0")]


SENTENCES = (
    "The exporter reads every invoice row from the ledger database in batches.",
    "Each batch is converted into the accounting format by the formatter module.",
    "Finished batches are uploaded to the archive bucket with a checksum manifest.",
    "A nightly scheduler triggers the exporter after the ledger has been closed.",
)
NEW = (
    "Uploads that time out are retried against the secondary region endpoint.",
    "Currency rounding follows whatever the customer configured for statements.",
    "Operators receive a digest mail listing skipped invoices and their causes.",
)


def test_a_plan_that_repeats_an_old_one_is_logged() -> None:
    """SW-100: four tenths of the characters."""
    plan, again = " ".join(SENTENCES), " ".join((*SENTENCES[:3], NEW[0]))
    (found,) = judged(f"~ {plan}", STEP, STEP, STEP, f"~ {again}")
    assert (found.disposition, found.urgency) == ("LOG", "0.5")
    assert "was said before" in found.reason


@pytest.mark.parametrize(
    "again",
    [
        " ".join((SENTENCES[0], *NEW)),
        "\n".join(f"- {sentence}" for sentence in SENTENCES),
        "That completes the export. " + " ".join(SENTENCES),
        SENTENCES[0],
    ],
)
def test_no_repetition(again: str) -> None:
    """N3: a recap in a list, a summary at the end, less than four tenths."""
    assert weights(f"~ {' '.join(SENTENCES)}", STEP, STEP, STEP, f"~ {again}") == []


def test_after_a_compaction_everything_is_said_again() -> None:
    store = MemoryStore()
    play((*START, DECIDED, STEP), store=store, rules=RULES)
    tell(ContextCompacted(session=SESSION, cwd=ROOT), store, rules=RULES)
    tell(MessageSaid(session=SESSION, key="say:x", cwd=ROOT, text=AGAIN[2:]), store, rules=RULES)
    assert store.signals(SESSION) == ()


def test_another_agent_decides_for_itself() -> None:
    store = MemoryStore()
    play((*START, DECIDED, STEP), store=store, rules=RULES)
    said = MessageSaid(session=SESSION, key="say:x", cwd=ROOT, text=AGAIN[2:])
    tell(replace(said, agent="sub"), store, rules=RULES)
    assert store.signals(SESSION) == ()


def test_a_word_of_the_user_ends_it_while_it_waits() -> None:
    states = [
        s.state for s in judged(DECIDED, STEP, AGAIN, STEP, AGAIN, "@ think about GraphQL again", STEP, STEP, STEP)
    ]
    assert "delivered" not in states
