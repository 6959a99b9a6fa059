"""A credential among the lines that a work tree gained.

## What it catches
A private key, a token in a provider's format, a password in an address or a literal under a name that promises a
secret, on a line that was added since the work began, committed or not; and a `.env` with secrets that git was given.
Only what is sure enough to be refused when it is written.

## Why it matters
What is written by a script or outside of a session is seen by nobody. Once pushed, a key has to be revoked.

## Example
The commit before last added `API_KEY = "sk_live_..."` to `src/pay.py`.

## Known limits
As for `credential`: placeholders, values of tests and literals that only look random are left out. So is a secret that
stood in the file, or on a line taken away elsewhere, before. Generated and binary files are not read, nor is what git
ignores, and what a person ordered by word stays theirs. The text never shows a secret.

What people let stand for `leeboard scan` stands here as well: by a comment on its line or right above
(`leeboard: allow LB-B101 WHY`), by the baseline, by the id of the finding under either rule. What the change itself
brings of this counts with `--reviewed`, and so does a mark for another tool (`nosec`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from leeboard.model.event import TreeChecked
from leeboard.model.lookup import BaseFiles, Files
from leeboard.model.text import lazy
from leeboard.model.touch import FileChange
from leeboard.model.verdict import FAILED, Evidence, Finding
from leeboard.model.world import World
from leeboard.rule import Countersteer, Rule, Sample
from leeboard.secrets.redaction import redact
from leeboard.text.language import is_env_file, is_sample

if TYPE_CHECKING:
    from leeboard.secrets.hit import Secret

RULE = Rule(
    code="LB-S018",
    same_as="credential",
    summary="a credential in lines that were added to the work tree",
    detail="places",
    order=11,
    countersteer=Countersteer(
        action="take the credential out and revoke it",
        rationale="a key that was committed is public for good. One that is none: a comment on its line, "
        "`leeboard: allow LB-B101 WHY`, and `--reviewed` once a person has read it",
        priority="high",
    ),
)

# In pieces, so that no scanner takes this file for one that holds a key.
_KEY = f"sk{'_'}live{'_'}aB3dE6gH{9}jK2mN5p{'Q'}8sT1vW4"
_PASSWORD = f"hunter{2}Xk9!"
FIRES = (
    Sample(
        name="an example became code",
        lines=(
            'contract objective = "add a login"',
            f'write src/db.py | """\npassword = "{_PASSWORD}"\n"""\n',
            'edit src/db.py | """ =>',
            "check",
        ),
    ),
)
SILENT = (
    Sample(
        name="read from outside",
        lines=('contract objective = "pay"', 'write src/pay.py | key = os.environ["API_KEY"]', "check"),
    ),
    Sample(
        name="a placeholder",
        lines=('contract objective = "pay"', 'write src/pay.py | api_key = "your_api_key_here"', "check"),
    ),
    Sample(
        name="it was there before",
        lines=(
            'contract objective = "pay"',
            f'repo src/pay.py | api_key = "{_KEY}"',
            f'write src/pay.py | API_KEY = "{_KEY}"',
            "check",
        ),
    ),
)

MOST = 20
DENIED_ABOVE = 0.85
"""As where a file is about to be written: what is less sure is not said of a whole tree."""
_SHORTEST = 6
_CLUE = lazy(
    r"pass|pwd|secret|token|api|key|auth|cred|bearer|login|private|-----begin|://[^\s/@]{1,99}@"
    r"|[a-z0-9+/_=-]{20}|[\"'`](?=[^\"'`\s]{0,60}\d)[^\"'`\s]{8}",
    re.IGNORECASE,
)


def detect(event: TreeChecked, world: World, files: Files, base: BaseFiles) -> Iterator[Finding]:
    """One finding for each secret, the surest first."""
    gone = "\n".join(line for change in event.change.files for hunk in change.hunks for line in hunk.removed)
    found: list[tuple[float, Finding]] = []
    for change in event.change.files:
        text = files.text(change.path) if _is_read(change) and _may_hold(change) else None
        if text is None or len(text) < _SHORTEST:
            continue
        if is_env_file(change.path) and not is_sample(change.path):
            found += _given_to_git(change, text)
            continue
        sure = list(_sure(text, change))
        before = base.text(change.old_path or change.path) or "" if sure and change.kind != "added" else ""
        for secret in sure:
            if secret.value not in before and secret.value not in gone:
                found.append((-secret.confidence, _finding(secret, change.path, world)))
    found.sort(key=lambda one: (one[0], one[1].path, one[1].line))
    yield from (finding for _, finding in found[:MOST] if f"credential:{finding.subject}" not in world.session.lifted)


def _may_hold(change: FileChange) -> bool:
    """Whether the new lines have what a sure secret needs: a telling name, a run of key signs, an odd quoted text."""
    if is_env_file(change.path) or change.kind == "renamed":
        return True
    # No clue goes over the end of a line.
    return _CLUE.search("\n".join([line for hunk in change.hunks for line in hunk.added])) is not None


def _is_read(change: FileChange) -> bool:
    return bool(change.spans) and not (change.binary or change.submodule or change.generated)


def _sure(text: str, change: FileChange) -> Iterator[Secret]:
    from leeboard.secrets.redaction import find_secrets  # noqa: PLC0415 - only where there is a changed text

    lines = chain.from_iterable(range(first, last + 1) for first, last in change.spans)
    for secret in find_secrets(text, change.path, None if change.kind == "added" else lines):
        if secret.confidence > DENIED_ABOVE and not secret.note:
            yield secret


def _given_to_git(change: FileChange, text: str) -> Iterator[tuple[float, Finding]]:
    """Secrets belong into such a file, as long as git does not take it."""
    from leeboard.secrets.detection import is_real  # noqa: PLC0415 - for such files only
    from leeboard.secrets.redaction import find_secrets  # noqa: PLC0415 - for such files only

    if not {"staged", "committed"}.intersection(change.states):
        return
    if any(is_real(secret) for secret in find_secrets(text, change.path)):
        reason = f"{change.path} was added to git with the secrets in it"
        finding = Finding(
            rule="secret_found",
            subject=f"{change.path}:not ignored",
            evidence=(Evidence(reason, FAILED),),
            path=change.path,
            message=f"{reason}.",
            remedy=f"take {change.path} out of git, add it to .gitignore and revoke what it holds",
        )
        yield -1.0, finding


def _finding(secret: Secret, path: str, world: World) -> Finding:
    from leeboard.secrets.detection import keyed_digest  # noqa: PLC0415 - only where one was found

    name, place = redact(secret.name)[:60], f"{path}:{secret.line}"
    kind = secret.kind.replace("-", " ")
    text = f"{f'`{name}`' if name else 'A secret'} ({kind}) is in clear text in {place}"
    return Finding(
        rule="secret_found",
        subject=f"{path}:{keyed_digest(secret.value, world.secret_key)}",
        evidence=(Evidence(text, FAILED), Evidence(f"{secret.kind}, confidence {secret.confidence:g}")),
        confidence=secret.confidence,
        path=path,
        line=secret.line,
        message=f"{text}: move it to .env or a secret manager.",
        remedy=f"move it out of {place} to .env and revoke it if it was ever pushed",
    )
