from __future__ import annotations

import pytest

from leeboard.analysis.proof.claim import ClaimProof, read_proofs
from leeboard.store.memory import MemoryStore
from leeboard.testing.scenario import play
from leeboard.testing.scenario_lines import SESSION

EDIT = "edit a.py | x = 1 => x = 2"
PASSED = "$ pytest -q -> 3 passed in 0.1s"
FAILED = "$! pytest -q -> 1 failed, 2 passed in 0.1s"


def proof_of(*lines: str, kind: str = "tests") -> ClaimProof:
    store = MemoryStore()
    play(("repo pyproject.toml | [tool.pytest.ini_options]\n", "@ fix a.py", *lines), store=store)
    (found,) = read_proofs(store.entries(SESSION, "claim", (kind,)))
    return found


@pytest.mark.parametrize(
    ("lines", "state"),
    [
        ((EDIT, PASSED, "stop All tests pass."), "shown"),
        ((EDIT, FAILED, "stop All tests pass."), "contradicted"),
        ((PASSED, EDIT, "stop All tests pass."), "outdated"),
        ((EDIT, "stop All tests pass."), "missing"),
        ((EDIT, "$ ./go.sh", "stop All tests pass."), "unknown"),
        ((EDIT, "tool Task | run the tests", "stop All tests pass."), "unknown"),
        ((EDIT, PASSED, "edit README.md | a => b", "stop All tests pass."), "shown"),
        ((EDIT, FAILED, "stop The new tests pass. Two old ones fail."), "unknown"),
        (("read a.py", "stop The tests pass."), "unknown"),
        ((EDIT, "$ pytest -q | tail -1 -> x", "stop All tests pass."), "unknown"),
        ((EDIT, PASSED, "stop All 12 tests pass."), "contradicted"),
        ((EDIT, PASSED, "stop Tests: 12/12 passing."), "contradicted"),
        ((EDIT, PASSED, "stop All 3 tests pass."), "shown"),
        ((EDIT, PASSED, "stop The 2 new tests pass."), "shown"),
        ((EDIT, PASSED, "stop All tests pass in 12 test files."), "shown"),
        ((EDIT, PASSED, "$ npx jest -> Tests:       9 passed, 9 total", "stop All 12 tests pass."), "shown"),
        (
            (
                EDIT,
                "$ cargo test -> test result: ok. 5 passed; 0 failed\ntest result: ok. 7 passed; 0 failed",
                "stop All 12 tests pass.",
            ),
            "shown",
        ),
        ((EDIT, "$ go test ./... -> ok  \ta\t0.1s", "stop All 12 tests pass."), "shown"),
    ],
)
def test_a_claim_about_tests(lines: tuple[str, ...], state: str) -> None:
    assert proof_of(*lines).state == state


@pytest.mark.parametrize(
    ("kind", "lines", "state"),
    [
        ("commit", (EDIT, "$ git commit -am x -> [main 1234567] x", "stop I committed the change."), "shown"),
        ("commit", (EDIT, "stop I committed the change."), "missing"),
        ("commit", (EDIT, "$! git commit -am x -> hook failed", "stop I committed the change."), "contradicted"),
        ("lint", (EDIT, "$! ruff check -> Found 2 errors.", "stop Lint is clean."), "contradicted"),
        ("lint", (EDIT, "$ ruff check -> All checks passed!", "stop Lint is clean."), "shown"),
        ("build", (EDIT, "$ make build -> ok", "stop The build succeeds."), "shown"),
        ("verified", (EDIT, "stop I verified that it works."), "missing"),
        ("verified", (EDIT, "$ python a.py -> 2", "stop I verified that it works."), "unknown"),
        ("fixed", (FAILED, EDIT, "stop The bug is fixed."), "outdated"),
        ("fixed", (FAILED, EDIT, PASSED, "stop The bug is fixed."), "shown"),
        ("fixed", (EDIT, "stop The bug is fixed."), "unknown"),
    ],
)
def test_claims_of_other_kinds(kind: str, lines: tuple[str, ...], state: str) -> None:
    assert proof_of(*lines, kind=kind).state == state


def test_the_row_has_the_run_it_rests_on() -> None:
    proof = proof_of(EDIT, FAILED, "stop All tests pass.")
    assert (proof.command, proof.exit, proof.ended, proof.claim) == ("pytest -q", 1, "1 failed", "All tests pass.")
    assert proof.output


def test_counts_that_are_not_those_of_the_run_are_told() -> None:
    assert proof_of(EDIT, PASSED, "stop All 12 tests pass.").ended == "3 passed, not 12"


def test_where_nothing_ran_the_project_tells_what_would_show_it() -> None:
    assert proof_of(EDIT, "stop All tests pass.").command == "pytest"
    assert proof_of(EDIT, "stop All tests pass.").changed == "a.py"


def test_one_sentence_that_rests_on_one_run_is_one_row() -> None:
    store = MemoryStore()
    play(("@ fix a.py", FAILED, EDIT, PASSED, "stop Fixed the total, all tests pass."), store=store)
    assert [entry.key for entry in store.newest(SESSION, "claim", 9)] == ["tests"]
