"""A credential is written into code, a config file or a shell line.

## What it catches
A private key, a token in a provider's format, a password in an address, or a literal under a name that promises a
secret (`api_key = "..."`, `setPassword("...")`, `--token ...`), on lines that this change writes or in the shell line
itself. Above a confidence of 0.85 it is refused before the file is written. A `.env` that git does not ignore is
queued, and refused at `git add` or `git commit`.

## Why it matters
A key that was committed is public for good: it has to be revoked, replaced and searched for in every copy. Agents
hardcode "for now", and almost never come back to it.

## Example
`client = Client(api_key="sk_live_...")` in `src/pay.py`, or `curl -H "Authorization: Bearer ..."`.

## What happens, by where it is
*Refused* is FIRE, *queued* is told at the next pause, *logged* is in the report, with the reason. A secret is known
*by name* if it has neither a provider's format nor that of a key, so that only its name calls it a secret. The page of
a manual is both a document and shown to readers; the second row counts.

| where it is | provider's format | private key, signed token | by name |
|---|---|---|---|
| being written (1) | refused | refused | refused if it looks generated, else queued |
| committed before (2) | refused (3) | queued | queued (9) |
| a test, an example, a document | refused | key queued, token logged | queued if it looks generated, else logged |
| a unit test, a case, a fixture (4) | refused | logged | logged |
| shown to readers (5) | refused | logged | logged |
| printed (6) | refused | queued | queued |
| a packed script | queued | queued | logged |
| a vendored file | queued | queued | as elsewhere |
| said to be open (7) | queued | queued | queued |
| committed with a mark (8) | logged | logged | logged |

1. An agent's edit or shell line, `scan --staged`, `scan --diff`, and every line of a scanned tree that is not
committed yet. 2. In a `scan` of a tree; all of a file that is outside of git or ignored by it. In code by others
hardly one in twenty of these opened anything: keys that a program ships to all its users, defaults, values to try
things out. In a test, an example or a document only a provider's format is queued, also where just a part of a
folder's name says so (`testapp/`, `make_fixtures/`). Whatever expires by itself is logged: a signed token that says it
ends within a month, Amazon's keys for a session, GitHub's for an installation. 3. Queued where the provider lets
programs ship such a key; where only the name in front assigns it to a provider; in a folder of programs that read what
others publish (`extractors/`); and in a test, an example, a document or a comment, where most keys were revoked long
ago. There, the id of an Amazon key without the key itself is logged. A signed token that says it belongs to an
administrator or a service is refused like a provider's format. 4. `x_test.go`, `test_x.py`; a folder of its own
further below the tests; `fixtures/`, `localhost.key`. 5. A page of a manual (`docs/`, `man/`, `apidoc/`), a docstring,
Perl's POD, a comment of many lines that is not disabled code, what `@example`, `e.g.` or `Usage:` introduces in a
comment or a text, a page's `<pre>`, a fenced block in a settings file, an example in the description of an interface,
the address of a picture. A private key in a plain comment is none of these. 6. A help text, and a here-document or a
text of several lines that goes to the screen. 7. A comment on the line or just above it: `safe to be embedded`, and
for a private key `self-signed`. 8. A comment for another tool on its line: `pragma: allowlist secret`,
`gitleaks:allow`, `nosec`. On a line that is being written it lets nothing pass until a person has reviewed it: `scan
--reviewed`, `check --reviewed`. 9. Logged where little speaks for it (0.7 and less), in a comment if it is short, and
where it looks like a password's digest, a cookie's value, a picture, a UUID whose name does not mention a key, a salt,
or one side's part of a handshake. A login in an address or a header is queued.

A `scan` tells once, with the other places: one value in several places, the private keys of one file or folder, and a
folder in which eight files or more bring a key each.

## Known limits
- **Logged everywhere:** placeholders, what its name calls encrypted or invalid, an encrypted private key, a token that
  grants nothing, a literal that only its entropy speaks for, a password made of words for something that a build
  server starts; in a test, an example or a document also a value that was there before.
- **Not told at all:** reads of the environment or of a secret manager, digests, ids, public keys, and a `.env` that
  git ignores. A run of more than 32,768 key characters without a break is data and is not looked at.
- The text never shows a secret: four characters and its length at most.
- A person who names both the secret and the file in one order lets that one pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from msgspec.structs import replace

from leeboard.model.event import ToolFinished, ToolProposed
from leeboard.model.lookup import BaseFiles, Files, Registry
from leeboard.model.text import as_sentence, lazy
from leeboard.model.touch import Diff, Diffs
from leeboard.model.verdict import Evidence, Finding, Signal
from leeboard.model.world import World
from leeboard.rule import Rule, Sample
from leeboard.secrets.hit import KEYS_OF_ONES_OWN, is_document
from leeboard.secrets.redaction import redact
from leeboard.text.language import is_env_file, is_sample, is_test_path

if TYPE_CHECKING:
    from leeboard.secrets.hit import Secret

RULE = Rule(
    code="LB-B101",
    channel="signal",
    subclass="B1",
    needs_no_history=True,
    summary="a credential is written into code, a config file or a shell line",
)

# In pieces, so that no scanner takes this file for one that holds a key.
_KEY = f"sk{'_'}live{'_'}aB3dE6gH{9}jK2mN5p{'Q'}8sT1vW4"
FIRES = (
    Sample(name="a key in code", lines=("@ add payments", f'write src/pay.py | api_key = "{_KEY}"')),
    Sample(name="a weak password", lines=("@ add a login", 'write src/db.py | password = "hunter2"')),
    Sample(name="in a shell line", lines=("@ call it", f"$ curl -H 'Authorization: Bearer {_KEY}' https://x.dev")),
)
SILENT = (
    Sample(name="read from outside", lines=("@ add payments", 'write src/pay.py | key = os.environ["API_KEY"]')),
    Sample(name="a placeholder", lines=("@ add payments", 'write src/pay.py | api_key = "your_api_key_here"')),
    Sample(name="a mock in a test", lines=("@ test it", 'write tests/test_pay.py | token = "test-token"')),
)

MOST = 20
DENIED_ABOVE = 0.85
MARKED = "allowed by a comment"
LOGGED_UP_TO = 0.5
_FLAGGED = 0.05
_FLAG_TURNS = 3
_SHORTEST = 6
_PROVIDERS = 0.93
_THIS_MACHINE = lazy(r"(?<![\w.])(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?![\w.]*\.[a-z])")
_SHOWN, _SHOWN_FROM = 4, 12
_TO_A_STORE = lazy(
    r"(?:vault\s+(?:kv\s+put|write)|secretsmanager\s|ssm\s+put-parameter|gh\s+secret\s+set|"
    r"kubectl\s+create\s+secret|config:set|"
    r"(?:fly(?:ctl)?|wrangler|supabase|gcloud)\s+secrets?\s|az\s+keyvault\s+secret|op\s+(?:item|create)|"
    r"doppler\s+secrets|"
    r"pass\s+insert|security\s+add-generic-password|vercel\s+env\s+add|netlify\s+env:set|chamber\s+write|sops\s)"
)


def detect(
    event: ToolProposed | ToolFinished, world: World, diffs: Diffs, registry: Registry, files: Files, base: BaseFiles
) -> Iterator[Finding]:
    """One finding for each secret on a written line, the surest first; before the call only those that are denied."""
    if isinstance(event, ToolFinished) and event.outcome != "done":
        return
    bonus = _FLAGGED if diffs and _announced(world, registry) else 0.0
    found = [*_exposed_env_files(event, files)]
    for diff in diffs:
        plain = not is_env_file(diff.path) or is_sample(diff.path)
        found += _new_in(diff, _written(diff, diffs), base, world, bonus) if plain else _unignored(diff, files)
    least = DENIED_ABOVE if isinstance(event, ToolProposed) else 0.0
    told = [finding for finding in sorted(found, key=_rank) if finding.confidence > least]
    yield from told if world.tells_all else told[:MOST]


def _rank(finding: Finding) -> tuple[bool, float, str, int]:
    return bool(finding.signal and finding.signal.log_only), -finding.confidence, finding.path, finding.line


def _announced(world: World, registry: Registry) -> bool:
    """The agent said it would hardcode something; never more than a push for what is there."""
    recent = world.agent.turn - _FLAG_TURNS
    return any(flag.key == "RF-B1" and flag.turn >= recent for flag in registry.newest("flag", 20))


def _written(diff: Diff, diffs: Diffs) -> list[Secret]:
    """The secrets on written lines."""
    if (not diff.path and _TO_A_STORE.search(diff.after)) or len(diff.after) < _SHORTEST:
        return []
    found = []
    for secret in _secrets_in(diff.after, diff.path, () if _is_rewritten(diff) else diff.added):
        last = secret.line + secret.value.count("\n")
        elsewhere = not diff.path and any(other.path and secret.value in other.after for other in diffs)
        if diff.wrote(secret.line, last) and not elsewhere:
            found.append(secret)
    return found


def _new_in(diff: Diff, secrets: list[Secret], base: BaseFiles, world: World, bonus: float) -> Iterator[Finding]:
    """Those whose value the file did not hold before; one that was only moved or renamed lies where it lay. One that
    was only shown there, as in an example, and is code by now, does not.
    """
    if not secrets:
        return
    had = diff.before
    if had is None and not diff.fragment and diff.path:
        had = base.text(diff.path)
    first: dict[str, int] = {}
    shown = is_test_path(diff.path) or is_sample(diff.path) or is_document(diff.path)
    for secret in secrets:
        if not _stood(secret, had or "", diff.path):
            own = secret.kind in KEYS_OF_ONES_OWN
            told = first.setdefault(secret.kind if own else secret.value, secret.line)
            is_again = told != secret.line and not secret.note
            what = f"{'one more key like that' if own else 'the same value as'} in line {told}" if is_again else ""
            one = replace(secret, note=what) if shown and what else secret
            finding = _finding(_sent_home(one, diff), diff.path, world, bonus)
            yield _at_rest_once(finding, what) if own and what else finding


def _stood(secret: Secret, had: str, path: str) -> bool:
    if secret.value not in had:
        return False
    then = [one for one in _secrets_in(had, path, ()) if one.value == secret.value] if not secret.note else []
    return not then or any(not one.note for one in then)


def _at_rest_once(finding: Finding, what: str) -> Finding:
    """A file of keys is one thing to look at where it lies."""
    if finding.signal is None or finding.signal.log_only:
        return finding
    return replace(finding, signal=replace(finding.signal, at_rest=what, rests_at="LOG"))


@lru_cache(maxsize=4)
def _secrets_in(text: str, path: str, added: tuple[tuple[int, int], ...]) -> tuple[Secret, ...]:
    """Remembered from the proposal to the result, and where a call is judged again because a sibling moved on."""
    from leeboard.secrets.redaction import find_secrets  # noqa: PLC0415 - a hook pays for it only where there is text

    lines = chain.from_iterable(range(first, last + 1) for first, last in added) if added else None
    return find_secrets(text, path, lines)


def _is_rewritten(diff: Diff) -> bool:
    """So much is new that all of it is read."""
    return diff.is_new or 2 * diff.added_count > diff.after.count("\n")


def _sent_home(secret: Secret, diff: Diff) -> Secret:
    """A login tried out against a server on this machine; a provider's key is one wherever it goes."""
    tried = not diff.path and not secret.note and secret.confidence < _PROVIDERS and _THIS_MACHINE.search(diff.after)
    return replace(secret, note="sent to this machine") if tried else secret


def _finding(secret: Secret, path: str, world: World, bonus: float) -> Finding:
    from leeboard.secrets.at_rest import rest_of  # noqa: PLC0415 - only where one was found
    from leeboard.secrets.detection import keyed_digest  # noqa: PLC0415 - as above

    place = f"{path}:{secret.line}" if path else "the shell line"
    confidence = round(min(0.99, secret.confidence + (0.0 if secret.note else bonus)), 2)
    log_only = secret.note or _doubt(secret, confidence)
    marked = MARKED if secret.marked and not log_only else ""
    at_rest, rests_at = rest_of(secret, path, refused=confidence > DENIED_ABOVE) if not log_only else ("", "QUEUE")
    name = redact(secret.name)[:60]
    what = f"`{name}` ({_kind(secret)})" if name else f"({_kind(secret)})"
    return Finding(
        rule="credential",
        subject=f"{path or 'command'}:{keyed_digest(secret.value, world.secret_key)}",
        evidence=(
            Evidence(f"{what if name else f'A secret {what}'} is in clear text in {place}"),
            Evidence(f"B1: {secret.kind}, {_shown(secret)}, confidence {secret.confidence:g}"),
            *([Evidence(f"RF-B1: announced as hardcoded, +{bonus:g}")] if bonus and not secret.note else []),
            *([Evidence(f"at most logged: {log_only}")] if log_only else []),
            *([Evidence("the mark on its line is for another tool: it lets nothing be written")] if marked else []),
        ),
        confidence=confidence,
        path=path,
        line=secret.line if path else 0,
        message=f"{_message(what, place)} Only logged: {log_only}." if log_only else _message(what, place),
        signal=Signal(
            subclass="B1",
            rework_cost=2,
            self_correct_prob=0.9,
            log_only=log_only,
            at_rest=at_rest,
            rests_at=rests_at,
            marked=marked,
        ),
        remedy=f"move it out of {place} to .env and revoke it if it was ever pushed",
    )


def _doubt(secret: Secret, confidence: float) -> str:
    """Why so little speaks for it that it is only logged."""
    if confidence > LOGGED_UP_TO:
        return ""
    return "only its entropy suggests a secret" if secret.kind == "entropy" else "too little suggests a secret"


def _message(what: str, place: str) -> str:
    if place == "the shell line":
        return (
            f"Credential {what} in the shell line stays in history and logs: put it in .env and refer to the variable."
        )
    return (
        f"Credential {what} in {place}: move it to .env or a secret manager, and read it from there, before committing."
    )


def _kind(secret: Secret) -> str:
    return "high-entropy literal" if secret.kind == "entropy" else secret.kind.replace("-", " ")


def _shown(secret: Secret) -> str:
    """Four characters and the length, of a short one only the length."""
    size = f"{len(secret.value)} characters"
    if len(secret.value) < _SHOWN_FROM or secret.kind == "private-key":
        return size
    return f"{secret.value[:_SHOWN]}... ({size})"


def _unignored(diff: Diff, files: Files) -> Iterator[Finding]:
    """A `.env` with something in it that git would take."""
    from leeboard.secrets.detection import is_real  # noqa: PLC0415 - for such files only
    from leeboard.secrets.exposure import needs_ignoring  # noqa: PLC0415 - for such files only
    from leeboard.secrets.redaction import find_secrets  # noqa: PLC0415 - for such files only

    had = diff.before or ""
    new = (one for one in find_secrets(diff.after, diff.path) if diff.wrote(one.line) and one.value not in had)
    real = [secret for secret in new if is_real(secret)]
    if real and needs_ignoring(diff.path, files):
        reason = f"{diff.path} holds secrets and git does not ignore it"
        found = _env_finding(diff.path, 0.8, reason, "add it to .gitignore")
        marked = MARKED if all(secret.marked for secret in real) else ""
        yield replace(found, signal=replace(found.signal, marked=marked)) if found.signal else found


def _exposed_env_files(event: ToolProposed | ToolFinished, files: Files) -> Iterator[Finding]:
    if "git" not in event.call.command:
        return
    from leeboard.secrets.exposure import committed_env_files  # noqa: PLC0415 - for lines of git only

    for path in committed_env_files(event.call.command, files):
        yield _env_finding(
            path, 0.9, f"{path} is being committed with what it holds", "take it out, add it to .gitignore"
        )


def _env_finding(path: str, confidence: float, reason: str, remedy: str) -> Finding:
    return Finding(
        rule="credential",
        subject=f"{path}:not ignored",
        evidence=(Evidence(reason), Evidence(f"B1: environment file, confidence {confidence:g}")),
        confidence=confidence,
        path=path,
        message=f"Credential exposure: {reason}. {as_sentence(remedy)} before committing.",
        signal=Signal(subclass="B1", rework_cost=2, self_correct_prob=0.9),
        remedy=remedy,
    )
