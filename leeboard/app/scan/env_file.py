"""Environment files in a scan. An agent that writes one does right; a person who has one looked at wants to know."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from msgspec.structs import replace

from leeboard.app.scan.target import Target
from leeboard.app.scan.work import FileScan
from leeboard.io.git import ask
from leeboard.model.lookup import Files
from leeboard.model.verdict import Evidence, Finding, PlacedFinding, Signal
from leeboard.secrets.redaction import redact
from leeboard.text.language import is_env_file, is_sample

IGNORED = "git ignores this file: secrets may stand here"
_CONFIDENCE = 0.8
"""What the rule gives an environment file that git would take."""


def env_findings(path: str, text: str, files: Files, key: bytes) -> Iterator[Finding]:
    """Each secret of an environment file that git does not take, or that no git knows; the rule tells of the others."""
    if not is_env_file(path) or is_sample(path):
        return
    ignored = files.ignored(path)
    if ignored is False:
        return
    from leeboard.secrets.detection import is_real, keyed_digest  # noqa: PLC0415 - for such files only
    from leeboard.secrets.redaction import find_secrets  # noqa: PLC0415 - for such files only

    for secret in find_secrets(text, path):
        if secret.marked or not is_real(secret):
            continue
        what = f"`{redact(secret.name)[:60]}`" if secret.name else "a secret"
        yield Finding(
            rule="credential",
            subject=f"{path}:{keyed_digest(secret.value, key)}",
            evidence=(Evidence(f"{what} stands in clear text in {path}:{secret.line}"),),
            confidence=_CONFIDENCE,
            path=path,
            line=secret.line,
            message=f"Credential {what} ({secret.kind.replace('-', ' ')}) in {path}:{secret.line}: "
            "keep this file out of version control.",
            signal=Signal(subclass="B1", rework_cost=2, self_correct_prob=0.9, log_only=IGNORED if ignored else ""),
            remedy="keep it out of version control",
        )


_NOT_IGNORED = "not ignored"
"""What the rule says of an environment file that git takes."""


def with_index(target: Target, scan: FileScan) -> FileScan:
    """A file that git has already stays in it whatever `.gitignore` says: it has to be taken out of the index first."""
    if not is_env_file(target.name) or not any(one.what == _NOT_IGNORED for one in scan.found):
        return scan
    if not _answers_yes(target, "--literal-pathspecs", "ls-files", "--error-unmatch"):
        return scan
    is_named = _answers_yes(target, "check-ignore", "--quiet", "--no-index")
    return replace(scan, found=tuple(_advised(one, is_named=is_named) for one in scan.found))


def _advised(one: PlacedFinding, *, is_named: bool) -> PlacedFinding:
    if one.what != _NOT_IGNORED:
        return one
    has = "has it, though .gitignore names it" if is_named else "has it"
    more = "" if is_named else ", and add it to .gitignore,"
    step = f"Take it out of the index (`git rm --cached {shlex.quote(one.path)}`){more} before committing."
    return replace(one, message=f"Credential exposure: {one.path} holds secrets and git {has}. {step}")


def _answers_yes(target: Target, *question: str) -> bool:
    done = ask.ended(target.root, (*question, "--", target.name), ask.FILE_SECONDS)
    return done is not None and done.code == 0
