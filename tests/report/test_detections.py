"""The report's counts are the ledger's, its headings the seed's."""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.outcome import Judged
from leeboard.model.session import Session
from leeboard.model.touch import Health
from leeboard.report.detections import FilesNow, detections_of, health_paragraph, lines_of, markdown_of

BASE = Judged(
    id="s1",
    agent="",
    turn=4,
    subclass="A1",
    urgency="4.0",
    disposition="FIRE",
    state="fired",
    rule="duplicate_build",
    subject="a.py:f",
    path="a.py",
    line=3,
    confidence=0.9,
    message="Use auth/jwt.py:verify instead of a.py:3.",
    reason="f is a copy of verify.",
    spoken_turn=5,
)
SECRET = replace(
    BASE,
    id="s2",
    subclass="B1",
    urgency="B1-ESCALATE",
    rule="credential",
    turn=7,
    spoken_turn=-1,
    message="Move KEY to .env.",
)
QUEUED = [
    replace(BASE, id="s3", subclass="A3", urgency="2.4", disposition="QUEUE", state="waiting", message="Extend b.py."),
    replace(
        BASE, id="s4", subclass="A2", urgency="3.5", disposition="QUEUE", state="waiting", message="Use db.session."
    ),
]
LOGGED = [
    replace(
        BASE,
        id=f"s{n}",
        subclass="C1",
        urgency="0.5",
        disposition="LOG",
        state="logged",
        rule="refetched_context",
        reason=f"{n} was read again.",
    )
    for n in (5, 6)
]
EVERY = (BASE, SECRET, *QUEUED, *LOGGED)
SESSION = Session(id="s", turns=9, health=Health(lines=40, functions=2, decisions=5, tests=3, files=1))


def test_the_report_is_the_seeds() -> None:
    """SW-151 to SW-156: headings, labels, lines, in order, with counts equal to the ledger."""
    assert markdown_of(detections_of(SESSION, EVERY, 3)) == (
        "## SCAFFOLD-WATCH SESSION REPORT\n\n"
        "**Session turns observed:** 9\n"
        "**Interrupts fired:** 2/3\n"
        "**Interrupts queued (not sent):** 2\n"
        "**Signals logged (below threshold):** 2\n\n"
        "**Interrupts fired this session:**\n"
        "  [Turn 5] CLASS-A | URGENCY: 4.0 — Use auth/jwt.py:verify instead of a.py:3. (s1 LB-A101)\n"
        "  [Turn 7] CLASS-B | URGENCY: B1-ESCALATE — Move KEY to .env. (s2 LB-B101)\n\n"
        "**Queued signals (not fired):**\n"
        "  URGENCY 3.5 — Use db.session. (s4 LB-A101)\n"
        "  URGENCY 2.4 — Extend b.py. (s3 LB-A101)\n\n"
        "**Pattern observations:**\n"
        "  - [Turn 7] refused before it was written: f is a copy of verify.\n"
        "  - C1 refetched_context LB-C101: 2 times, first 5 was read again.\n\n"
        "**Recommendations for next session:**\n"
        "  - Refactoring candidate: Use auth/jwt.py:verify instead of a.py:3.\n"
        "  - Architectural improvement: Use db.session.\n"
        "  - Refactoring candidate: Extend b.py.\n\n"
        "**Codebase health delta:**\n"
        "  Mixed: +40 lines, +2 functions, +5 decision points, +3 tests, 1 new files. Improvements: 3 tests added. "
        "Regressions: 1 duplicate of existing code, 1 contradiction of an established pattern, "
        "1 parallel implementation.\n"
    )


def test_refusals_beyond_the_limit_are_no_contradiction() -> None:
    refused = tuple(replace(SECRET, id=f"s{number}") for number in range(6))
    assert "Said at once: 3, of at most 3" in lines_of(detections_of(SESSION, refused[:3], 3))
    told = "Said at once: 6, beyond the limit of 3, which holds nothing back that is certain"
    assert told in lines_of(detections_of(SESSION, refused, 3))


def test_a_clean_session_says_that_it_was_watched() -> None:
    """SW-167."""
    text = markdown_of(detections_of(Session(id="s", turns=12), (), 3))
    assert "**Session turns observed:** 12" in text
    assert "**Interrupts fired:** 0/3" in text
    assert text.count("none") == 4
    assert "Unchanged: the session wrote no code." in text


def test_code_that_changed_no_count_was_written_all_the_same() -> None:
    """One line for another, or a file that could not be read."""
    text = health_paragraph(Health(), (), FilesNow(wrote_code=True))
    assert text.startswith("Unchanged: +0 lines, +0 functions")
    assert "wrote no code" not in text


def test_what_the_agent_corrected_counts_as_an_improvement() -> None:
    """SW-157."""
    mended = replace(BASE, state="self-corrected", note="self-corrected")
    assert health_paragraph(Health(lines=3), (mended,)).startswith("Improved: +3 lines")
    found = detections_of(SESSION, (mended,), 3)
    assert found.observations == ("self-corrected: f is a copy of verify.",)
    assert found.recommendations == ()


def test_code_without_tests_is_a_regression_and_fewer_branches_are_none() -> None:
    assert health_paragraph(Health(lines=9, decisions=4), ()) == (
        "Degraded: +9 lines, +0 functions, +4 decision points, +0 tests, 0 new files. Improvements: none measured. "
        "Regressions: 4 decision points without a test."
    )
    assert health_paragraph(Health(lines=-9, decisions=-4), ()).startswith("Improved")
    assert health_paragraph(Health(lines=2), ()).startswith("Unchanged")


def test_a_claim_is_nothing_in_the_code() -> None:
    claim = replace(BASE, rule="unproven_claim", subclass="V3")
    assert health_paragraph(Health(), (claim,)) == "Unchanged: the session wrote no code."
    assert "Regressions: none measured" in health_paragraph(Health(lines=2), (claim,))


def test_what_was_denied_is_not_in_the_code() -> None:
    assert "secret" not in health_paragraph(Health(lines=1), (SECRET,))
    assert "1 secret in the code" in health_paragraph(Health(lines=1), (replace(SECRET, spoken_turn=8),))


def test_an_exhausted_budget_is_noted() -> None:
    """SW-147."""
    note = "Budget exhausted — 2 signals queued"
    found = detections_of(SESSION, (replace(QUEUED[0], note=note),), 3)
    assert note in found.observations


DELIVERED = replace(BASE, id="s8", subclass="B3", state="delivered", disposition="QUEUE", message="Use scrypt.")
"""Said at a pause."""


def test_what_was_fixed_since_it_was_said_is_no_debt() -> None:
    every = (BASE, DELIVERED, *QUEUED)
    now = FilesNow(fixed=frozenset({"s1", "s4", "s8"}))
    found = detections_of(SESSION, every, 3, now)
    text = markdown_of(found)
    assert (
        "  [Turn 5] CLASS-A | URGENCY: 4.0 — Use auth/jwt.py:verify instead of a.py:3. [fixed since] (s1 LB-A101)\n"
        in text
    )
    assert (
        "  URGENCY 3.5 — Use db.session. [fixed since] (s4 LB-A101)\n  URGENCY 2.4 — Extend b.py. (s3 LB-A101)\n"
        in text
    )
    assert "  - [Turn 5] said at a pause: Use scrypt. [fixed since]\n" in text
    assert found.recommendations == ("Refactoring candidate: Extend b.py.",)
    assert "3 findings fixed since" in found.health
    assert found.health.endswith("Regressions: 1 parallel implementation.")
    assert (len(found.fired), len(found.queued)) == (1, 2)


def test_files_that_could_not_be_analysed_stand_at_the_end() -> None:
    now = FilesNow(not_analysed=(("b.py", "does not parse"), ("c.swift", "unsupported")))
    text = markdown_of(detections_of(SESSION, (), 3, now))
    assert text.endswith("\n\n**Written but not analysed:**\n  - b.py: does not parse\n  - c.swift: unsupported\n")
    assert "not analysed" not in markdown_of(detections_of(SESSION, (), 3))
