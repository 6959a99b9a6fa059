from __future__ import annotations

from leeboard.analysis.proof.claim import ClaimProof
from leeboard.app.views.claims import CLAIM_HEADS, claim_cells, claim_object

SHOWN = ClaimProof(
    kind="tests",
    claim="All tests pass.",
    state="shown",
    command="pytest -q",
    exit=0,
    ended="passed",
    output="0123456789abcdef",
    ran=1_700_000_000.0,
)
MISSING = ClaimProof(kind="commit", claim="Committed.", state="missing", command="git commit")


def test_a_row_has_claim_command_exit_code_digest_and_time() -> None:
    shown, missing = claim_cells((SHOWN, MISSING))
    assert len(shown) == len(missing) == len(CLAIM_HEADS)
    assert shown[:5] == ("All tests pass.", "yes", "pytest -q", "0", "0123456789ab")
    assert shown[5].startswith("2023-11-14T")
    assert missing == ("Committed.", "no: missing", "git commit", "", "", "")


def test_programs_get_the_same() -> None:
    found = claim_object(SHOWN)
    assert (found["exit_code"], found["output_digest"], found["state"]) == (0, "0123456789abcdef", "shown")
    assert claim_object(MISSING)["ran"] == ""
