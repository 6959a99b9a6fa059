"""The ledger of a session: what the agent said of its own work as it ended, and the run that shows it or does not."""

from __future__ import annotations

from leeboard.analysis.proof.claim import ClaimProof
from leeboard.io.clock import iso

CLAIM_HEADS = ("claim", "shown", "command", "exit code", "output", "ran")
_SHOWN = {"shown": "yes", "unknown": "nobody can tell"}
_DIGEST = 12


def claim_cells(claims: tuple[ClaimProof, ...]) -> list[tuple[str, ...]]:
    """A row for each claim, under `CLAIM_HEADS`."""
    return [
        (
            proof.claim,
            _SHOWN.get(proof.state, f"no: {proof.state}"),
            proof.command,
            "" if proof.exit is None else str(proof.exit),
            proof.output[:_DIGEST],
            iso(proof.ran) if proof.ran else "",
        )
        for proof in claims
    ]


def claim_object(proof: ClaimProof) -> dict[str, object]:
    """The same for programs."""
    return {
        "kind": proof.kind,
        "claim": proof.claim,
        "state": proof.state,
        "command": proof.command,
        "exit_code": proof.exit,
        "ended": proof.ended,
        "output_digest": proof.output,
        "ran": iso(proof.ran) if proof.ran else "",
    }
