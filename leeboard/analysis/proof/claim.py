"""What an agent claims as it ends, held against what ran since it last changed something.

Whatever ran out of sight since then (a sub-agent, a script nobody knows, a tool of a server) may have shown it: then
nobody can tell, and nothing is held against the claim.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

import msgspec
from msgspec.structs import replace

from leeboard.analysis.proof.run import UNKNOWN, CheckRun, runs
from leeboard.analysis.proof.weak import WeakTest
from leeboard.data import load
from leeboard.model.event import Stopped
from leeboard.model.ledger import Entry
from leeboard.model.lookup import Files, Registry
from leeboard.model.text import lazy
from leeboard.secrets.redaction import redact
from leeboard.shell.checks import EVERY, command_that_shows
from leeboard.speech.red_flags import spoken
from leeboard.text.language import language_of
from leeboard.text.words import sentences

ProofState = Literal["shown", "unknown", "contradicted", "weakened", "outdated", "missing"]
UNPROVEN = frozenset({"contradicted", "weakened", "outdated", "missing"})
_CHANGES, _LOOKS = 60, 12
_NO_CODE = frozenset({"", "markdown", "html", "json", "yaml"})


class ClaimProof(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A claim and what stands for or against it: one row of the ledger."""

    kind: str
    claim: str
    state: ProofState
    command: str = ""
    """The run it rests on; where there is none, the one that would show it."""
    exit: int | None = None
    ended: str = ""
    """How the run went, in words."""
    output: str = ""
    """The digest of what it printed."""
    ran: float = 0.0
    """When."""
    changed: str = ""
    """What was changed last; for a run on weakened tests, where the newest of them lies."""
    weak: str = ""
    """How that test was weakened, in one clause."""


class _Past(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent has changed and checked so far, which its claims are held against."""

    registry: Registry
    agent: str
    files: Files
    weak: tuple[WeakTest, ...] = ()

    @property
    def change(self) -> Entry | None:
        """The agent's last change to code: what was checked before it proves nothing about it."""
        return next((one for one in self._changes if language_of(one.path) not in _NO_CODE), None)

    @property
    def change_of_anything(self) -> Entry | None:
        """The last one, to words and settings as well."""
        return next(iter(self._changes), None)

    @property
    def _changes(self) -> tuple[Entry, ...]:
        return tuple(one for one in self.registry.newest("change", _CHANGES) if one.agent == self.agent)

    def runs(self, *kinds: str) -> tuple[CheckRun, ...]:
        return runs(self.registry, *kinds)

    def unseen_since(self, turn: int) -> bool:
        """Whether something ran that may have shown anything."""
        known = {entry.call for kind in (*EVERY, "commit", "push") for entry in self.registry.find("run", (kind,))}
        ran = self.registry.find("research", ("ran",))
        return any(one.turn >= turn for one in self.registry.find("run", (UNKNOWN,))) or any(
            one.data == "opaque" and one.turn >= turn and one.call not in known for one in ran
        )

    def may_have_shown(self, run: CheckRun) -> bool:
        """Whether what a run did not show came to light later; a client tells its agent of lines in the background."""
        if run.void != "unseen":
            return self.unseen_since(run.turn)
        told = self.registry.find("research", ("asked",))
        return self.unseen_since(run.turn) or self.looked_since(run.turn) or any(one.turn > run.turn for one in told)

    def looked_since(self, turn: int) -> bool:
        """Whether anything ran or was read at all."""
        kinds = ("read", "fetched", "research", "run")
        found = (entry for kind in kinds for entry in self.registry.newest(kind, _LOOKS))  # type: ignore[arg-type]  # four of its kinds
        return any(entry.turn > turn and entry.key not in {"asked", "forgot"} for entry in found)

    def would_show(self, kind: str) -> str:
        """The exact line: the one that ran before, or what the project's files say."""
        earlier = next(iter(self.runs(kind)), None)
        if earlier is not None:
            return earlier.command
        return {"commit": "git commit", "push": "git push"}.get(kind) or command_that_shows(kind, self.files.text)


def claim_entries(
    event: Stopped, turn: int, registry: Registry, files: Files, weak: tuple[WeakTest, ...] = ()
) -> tuple[Entry, ...]:
    """A row for each claim of the last message. `weak`: the tests this session weakened and did not put right."""
    past = _Past(registry=registry, agent=event.agent, files=files, weak=weak)
    proofs = _each_once([_proof(claim, past, event.text) for claim in claims_of(event.text)])
    return tuple(
        Entry(
            kind="claim",
            key=proof.kind,
            turn=turn,
            agent=event.agent,
            text=proof.claim,
            data=msgspec.json.encode(proof).decode(),
        )
        for proof in proofs
    )


def _each_once(proofs: list[ClaimProof]) -> list[ClaimProof]:
    """Without the fix that one sentence claims together with the run it rests on."""
    kept = {(one.claim, one.state, one.command) for one in proofs if one.kind != "fixed"}
    return [one for one in proofs if one.kind != "fixed" or (one.claim, one.state, one.command) not in kept]


def shown_since(kind: str, turn: int, registry: Registry) -> bool:
    """Whether a run after this turn showed what was claimed in it."""
    kinds = {"checks": EVERY, "verified": EVERY, "fixed": EVERY}.get(kind, (kind,))
    newest = next((run for run in runs(registry, *kinds) if not run.void), None)
    return newest is not None and newest.turn > turn and newest.ok is True


def read_proofs(entries: tuple[Entry, ...]) -> tuple[ClaimProof, ...]:
    return tuple(msgspec.json.decode(entry.data, type=ClaimProof) for entry in entries if entry.data)


def _proof(claim: Claim, past: _Past, message: str) -> ClaimProof:
    match claim.kind:
        case "commit" | "push":
            return _kept(claim, past)
        case "verified":
            return _verified(claim, past)
        case "fixed":
            return _on_weak_tests(_fixed(claim, past, message), past, message)
        case "tests" | "checks":
            return _on_weak_tests(_checked(claim, past, message), past, message)
        case _:
            return _checked(claim, past, message)


def _on_weak_tests(proof: ClaimProof, past: _Past, message: str) -> ClaimProof:
    """A run that is green because tests were weakened shows nothing, and an agent that says so hides nothing."""
    if proof.state != "shown" or not past.weak:
        return proof
    if tells_of_weakening(message):
        return replace(proof, state="unknown")
    return replace(proof, state="weakened", changed=past.weak[0].path, weak=past.weak[0].told)


def _of(
    claim: Claim, state: ProofState, run: CheckRun | None = None, *, command: str = "", changed: str = ""
) -> ClaimProof:
    return ClaimProof(
        kind=claim.kind,
        claim=redact(claim.text),
        state=state,
        command=run.command if run else command,
        exit=run.exit if run else None,
        ended=run.ended() if run else "",
        output=run.output if run else "",
        ran=run.time if run else 0.0,
        changed=changed,
    )


def _checked(claim: Claim, past: _Past, message: str) -> ClaimProof:
    """Tests, lint, types, build: the newest run, where it came after the last change."""
    kinds = EVERY if claim.kind == "checks" else (claim.kind,)
    change, every = past.change, past.runs(*kinds)
    since = change.turn if change else 0
    telling = next((run for run in every if not run.void and run.turn >= since), None)
    run = telling or next(iter(every), None)
    if run is not None and run.turn >= since:
        if run.void:
            return _of(claim, "unknown" if past.may_have_shown(run) else "contradicted", run)
        if run.ok and (counted := _too_few(claim, every, since)):
            return replace(_of(claim, "contradicted", run), ended=f"{counted} passed, not {claim.count}")
        if run.ok is not False or tells_of_failure(message):
            return _of(claim, "shown" if run.ok else "unknown", run)
        return _of(claim, "contradicted", run)
    if change is None or past.unseen_since(since):
        return _of(claim, "unknown", run)
    state: ProofState = "outdated" if run is not None else "missing"
    return _of(claim, state, run, command=past.would_show(kinds[0]), changed=change.path)


def _too_few(claim: Claim, every: tuple[CheckRun, ...], since: int) -> int:
    """How many passed in all runs since the change together, where the claim has more; zero where nobody counted."""
    runs_since = [run for run in every if run.turn >= since]
    counted = sum(run.counted for run in runs_since)
    all_counted = all(run.counted for run in runs_since if not run.void)
    return counted if claim.kind == "tests" and all_counted and counted < claim.count else 0


def _fixed(claim: Claim, past: _Past, message: str) -> ClaimProof:
    """Only where a run showed that something was broken: it has to be the one that shows it is not."""
    newest = [run for run in past.runs("tests", "build", "types", "lint") if not run.void]
    run, change = next(iter(newest), None), past.change
    if run is None or run.ok is not False or change is None or tells_of_failure(message):
        return _of(claim, "unknown" if run is None or not run.ok else "shown", run)
    if run.turn >= change.turn:
        return _of(claim, "contradicted", run)
    return _of(claim, "unknown" if past.unseen_since(change.turn) else "outdated", run, changed=change.path)


def _verified(claim: Claim, past: _Past) -> ClaimProof:
    change = past.change
    if change is None or past.looked_since(change.turn) or past.unseen_since(change.turn):
        return _of(claim, "unknown", next(iter(past.runs(*EVERY)), None))
    return _of(claim, "missing", command=past.would_show("tests"), changed=change.path)


def _kept(claim: Claim, past: _Past) -> ClaimProof:
    """Committed or pushed: a line that did it, however long ago."""
    found = past.runs(claim.kind)
    good = next((run for run in found if run.ok is not False and run.void != "nothing"), None)
    change = past.change_of_anything
    if good is not None or change is None or past.unseen_since(0):
        return _of(claim, "shown" if good and good.ok else "unknown", good)
    run = next(iter(found), None)
    return _of(
        claim, "contradicted" if run else "missing", run, command=past.would_show(claim.kind), changed=change.path
    )


# What an agent claims of its own work when it ends: that tests pass, that something is fixed, committed, verified.
#
# A sentence that hopes, plans, asks or doubts claims nothing, and neither does code or a quotation.

_READ = 6_000
_LONGEST = 240
_SHOWN = 100
_NONE_FAILED = lazy(r"\b(?:0|zero|no) (?:test )?fail\w*")
_ABROAD = lazy(r"\b(?:tests?|testes|test|pruebas|prove|build|suite|error|bug|fehler|alles|tudo|todo|tutto)\b")
"""A claim in another language that needs no letters of its own has one of these."""
_NAMED_CODE = lazy(r"`([\w ./:@-]{1,40})`")
"""A name in code, which is a word of the sentence: `pytest` passes."""


class _Patterns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: str
    patterns: tuple[str, ...]


class _Hedges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sentence: str
    message: str
    failing: str
    weakening: str


class _Counts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    passing: str


class _Claims(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    claims: tuple[_Patterns, ...]
    counts: _Counts
    hedges: _Hedges


class Claim(msgspec.Struct, frozen=True):
    kind: str
    text: str
    """The sentence, cut."""
    count: int = 0
    """How many tests it says pass; zero where it does not say."""


class _Tongue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    claims: tuple[tuple[str, str], ...]
    hedged: str
    honest: str


class _Abroad(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tongues: tuple[_Tongue, ...]


class _Reading(msgspec.Struct, frozen=True):
    """How one language claims, and what takes a claim back."""

    claims: tuple[tuple[str, re.Pattern[str]], ...]
    hedged: re.Pattern[str]
    honest: re.Pattern[str]


@lru_cache(maxsize=1)
def _english() -> _Reading:
    table = load("speech/claims", _Claims)
    claims = ((one.kind, re.compile("|".join(f"(?:{pattern})" for pattern in one.patterns))) for one in table.claims)
    return _Reading(tuple(claims), re.compile(table.hedges.sentence), re.compile(table.hedges.message))


@lru_cache(maxsize=1)
def _abroad() -> tuple[_Reading, ...]:
    return tuple(
        _Reading(
            tuple((kind, re.compile(pattern)) for kind, pattern in one.claims),
            re.compile(one.hedged),
            re.compile(one.honest),
        )
        for one in load("speech/claims_abroad", _Abroad).tongues
    )


def claims_of(text: str) -> tuple[Claim, ...]:
    """The first of each kind; none where the message itself says that nobody could look."""
    words = spoken(_NAMED_CODE.sub(r"\1", text[-_READ:]))
    lowered = words.lower().replace("’", "'")
    if _english().honest.search(lowered):
        return ()
    found = _found_by(_english(), words, lowered)
    for reading in () if found or (lowered.isascii() and not _ABROAD.search(lowered)) else _abroad():
        found = found or _found_by(reading, words, lowered)
    return tuple(found.values())


def _found_by(reading: _Reading, words: str, lowered: str) -> dict[str, Claim]:
    found: dict[str, Claim] = {}
    if not any(pattern.search(lowered) for _kind, pattern in reading.claims) or reading.honest.search(lowered):
        return found
    for _at, sentence in sentences(words):
        bare = " ".join(sentence.lower().replace("’", "'").replace("*", "").replace("_", " ").split()).lstrip("-•✅✓☑ ")
        if len(bare) > _LONGEST or reading.hedged.search(bare):
            continue
        for kind, pattern in reading.claims:
            if kind not in found and pattern.search(bare):
                found[kind] = Claim(kind, " ".join(sentence.split())[:_SHOWN], _count_in(bare))
    return found


@lru_cache(maxsize=1)
def _counts() -> re.Pattern[str]:
    return re.compile(load("speech/claims", _Claims).counts.passing)


def _count_in(sentence: str) -> int:
    """How many tests pass by this sentence."""
    found = _counts().search(sentence)
    return int(next(filter(None, found.groups())).replace(",", "")) if found else 0


@lru_cache(maxsize=1)
def _failing() -> re.Pattern[str]:
    return re.compile(load("speech/claims", _Claims).hedges.failing)


def tells_of_failure(text: str) -> bool:
    """Whether the message says anywhere that something fails: then it hides nothing."""
    return bool(_failing().search(_NONE_FAILED.sub("", text.lower())))


@lru_cache(maxsize=1)
def _weakening() -> re.Pattern[str]:
    return re.compile(load("speech/claims", _Claims).hedges.weakening)


def tells_of_weakening(text: str) -> bool:
    """Whether a sentence of the message says that a test asks less than before, or does not run."""
    return any(_weakening().search(sentence.lower()) for _at, sentence in sentences(text[-_READ:]))
