"""The agent ends with a claim that nothing it ran shows.

## What it catches
"All tests pass", "lint is clean", "it builds", "fixed", "verified", "committed" in the last message, held against what
ran since code was last changed: the exit code, the counts any runner printed, whether anything ran at all. A claim that
a failing run contradicts, that rests on a run from before the last change, or on none, keeps the agent going once, with
the line that would show it. German, French, Spanish, Portuguese, Italian, Dutch, Russian, Chinese, Japanese and Korean
are read too. A run shows nothing where all tests were skipped or none was found, where the line only lists or prints
what it would do, where its output was cut off by `head`, where it went on in the background and nobody looked, or where
it is green on tests that this session weakened and did not put right. Of several such claims the weightiest is named
first: what a run contradicts, then a commit that was not made, then what never ran. An agent that was kept going and
repeats what a run contradicts is not held again; the user is told when they next speak.

## Why it matters
People merge on such a sentence. Where it is not true they find out much later, and stop believing the next one.

## Example
`pytest` ends with `2 failed`; the agent edits a file and ends with "Fixed, all tests pass now."

## Known limits
A sentence that hopes ("should pass"), plans, asks or says that nothing could be run claims nothing. Whatever ran out of
sight since the change, a sub-agent, a script nobody knows, a tool of a server, may have shown it: then nothing is said.
So is a message that itself tells of failures, or of the test it skipped. A run of some tests counts as a run of the
tests. Counts are read in English; only more tests than passed in all runs since the change are held against it. "Fixed"
is held against a run that failed before, and nothing else. The ledger of all claims stands in `leeboard report`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.model.event import Stopped
from leeboard.model.lookup import Files, Registry
from leeboard.model.text import digest
from leeboard.model.verdict import HIGH, Evidence, Finding, Signal
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.shell.checks import brief_line

if TYPE_CHECKING:
    from leeboard.analysis.proof.claim import ClaimProof

RULE = Rule(
    code="LB-V301",
    channel="signal",
    subclass="V3",
    only_where="claim",
    summary="the agent ends with a claim that nothing it ran shows",
)

_REPO = "repo pyproject.toml | [project]\n"
FIRES = (
    Sample(name="nothing ran", lines=(_REPO, "@ fix a.py", "edit a.py | x = 1 => x = 2", "stop All tests pass.")),
    Sample(
        name="the run failed",
        lines=(
            "@ fix a.py",
            "edit a.py | x = 1 => x = 2",
            "$! pytest -> 1 failed, 2 passed in 0.1s",
            "stop All tests pass.",
        ),
    ),
    Sample(
        name="the run came before the change",
        lines=(
            "@ fix a.py",
            "$ pytest -> 3 passed in 0.1s",
            "edit a.py | x = 1 => x = 2",
            "stop Done. The tests pass.",
        ),
    ),
    Sample(
        name="fixed, and not tried again",
        lines=("@ fix a.py", "$! pytest -> 1 failed in 0.1s", "edit a.py | x = 1 => x = 2", "stop The bug is fixed."),
    ),
)
SILENT = (
    Sample(
        name="it ran and passed",
        lines=("@ fix a.py", "edit a.py | x = 1 => x = 2", "$ pytest -> 3 passed in 0.1s", "stop All tests pass."),
    ),
    Sample(name="a hope", lines=("@ fix a.py", "edit a.py | x = 1 => x = 2", "stop The tests should pass now.")),
    Sample(
        name="an honest word",
        lines=("@ fix a.py", "edit a.py | x = 1 => x = 2", "stop Fixed. I could not run the tests."),
    ),
    Sample(
        name="a script nobody knows ran",
        lines=("@ fix a.py", "edit a.py | x = 1 => x = 2", "$ ./go.sh -> fine", "stop All tests pass."),
    ),
)

_NEWEST, _ROOM = 16, 39
_WHAT = {
    "tests": "test",
    "checks": "check",
    "lint": "linter",
    "types": "type check",
    "build": "build",
    "verified": "command",
}
_PROJECTS = {
    "tests": "the project's tests",
    "checks": "the project's checks",
    "lint": "the project's linter",
    "types": "the project's type check",
    "build": "the project's build",
}
_NAMED = {"tests": "the tests", "checks": "the checks", "fixed": "the fix", "verified": "that it was verified"}
_STATES = ("contradicted", "weakened", "kept", "outdated", "missing")
"""The weightiest first; `kept`: a commit or a push that was not made."""


def detect(event: Stopped, world: World, registry: Registry) -> Iterator[Finding]:
    """One finding for a message: its weightiest claim that is not shown, with the others in a few words.

    An agent that was kept going once is not kept going again; what a run contradicts is told when the user speaks.
    """
    from leeboard.analysis.proof.claim import UNPROVEN, read_proofs  # noqa: PLC0415 - only where something is claimed

    here = tuple(entry for entry in registry.newest("claim", _NEWEST) if entry.turn == world.agent.turn)
    unproven = [proof for proof in read_proofs(here)[::-1] if proof.state in UNPROVEN]
    if event.already_blocked:
        unproven = [proof for proof in unproven if _stays(proof)]
    if unproven:
        first, *others = sorted(unproven, key=_weight)
        yield _finding(first, others, world, again=event.already_blocked)


def _weight(proof: ClaimProof) -> int:
    not_kept = proof.kind in {"commit", "push"} and not _stays(proof)
    return _STATES.index("kept" if not_kept else proof.state)


def _stays(proof: ClaimProof) -> bool:
    """What was seen to be otherwise is worth telling later as well."""
    return proof.state in {"contradicted", "weakened"}


def _finding(proof: ClaimProof, others: list[ClaimProof], world: World, *, again: bool) -> Finding:
    against, session = _against(proof), digest(world.session.id, 4)
    at = f"{proof.kind}:{session}:{world.session.exchange}:{world.agent.turn}"
    waiting = (one.finding for one in world.agent.pending if one.finding.rule == "weakened_test")
    return Finding(
        rule="unproven_claim",
        subject=f"weakened:{session}:{digest(proof.weak, 4)}" if proof.weak else at,
        evidence=(
            Evidence(f"“{proof.claim}”: {against}"),
            Evidence(f"exit code {proof.exit}, output {proof.output}" if proof.output else "no run to show it"),
            *(Evidence(f"“{other.claim}”: {_against(other)}") for other in others),
        ),
        confidence=0.95 if _stays(proof) else 0.85,
        message=_message(proof, against, others),
        remedy=f"run `{proof.command}`" if proof.command else "run what would show it",
        signal=Signal(
            subclass="V3",
            rework_cost=4 if _stays(proof) else 3,
            self_correct_prob=HIGH,
            fires=True,
            patience=-1,
            for_user=again,
            passing=not _stays(proof),
            tells=tuple(one.fingerprint for one in waiting if proof.weak and proof.weak in one.evidence[0].text),
        ),
    )


def _message(proof: ClaimProof, against: str, others: list[ClaimProof]) -> str:
    """With all there is to say, or as much of it as there is room for."""
    run = (
        f"Run `{brief_line(proof.command, 80)}`"
        if proof.command
        else f"Run {_PROJECTS.get(proof.kind, 'what would prove it')}"
    )
    again = "Run it again"
    if proof.weak:
        run, again = f"Restore it, or tell the user why it is wrong; r{run[1:]}", "Restore it, run again"
    left = ", ".join(dict.fromkeys(_NAMED.get(one.kind, f"the {one.kind}") for one in others))
    also = f" Also unproven: {left}." if left else ""
    head = f"“{proof.claim[:60]}” is unproven: {against}."
    ways = (
        f"{head} {run} and report the result, or say it was not run.{also}",
        f"{head} {run} and report the result.{also}",
        f"{head} {again} and report the result.{also}",
    )
    return next((way for way in ways if len(way.split()) <= _ROOM), ways[-1])


def _against(proof: ClaimProof) -> str:
    shown = brief_line(proof.command, 60)
    if proof.state == "contradicted":
        return f"the last run of `{shown}` {'ended with ' if proof.ended[:1].isdigit() else ''}{proof.ended}"
    if proof.state == "weakened":
        return f"`{shown}` is green on a weakened test: {proof.weak}"
    if proof.state == "outdated":
        return f"{proof.changed} was changed after `{shown}` ran last"
    what = {"commit": "commit was made", "push": "push was made"}.get(proof.kind)
    return f"no {what or f'{_WHAT.get(proof.kind, proof.kind)} ran'} since {proof.changed} was changed"


def holds(finding: Finding, world: World, registry: Registry, files: Files) -> bool:
    """Until what was claimed is shown: by a run that came afterwards, or by the test that was put right."""
    kind, _, rest = finding.subject.partition(":")
    if kind == "weakened":
        from leeboard.analysis.proof.weak import weak_tests  # noqa: PLC0415 - only where a test was weakened

        return any(finding.subject.endswith(digest(test.told, 4)) for test in weak_tests(world, registry, files))
    from leeboard.analysis.proof.claim import shown_since  # noqa: PLC0415 - only where something waits

    return not shown_since(kind, int(rest.rpartition(":")[2]), registry)
