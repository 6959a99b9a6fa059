"""Takes secrets out of a text before anything keeps it."""

from __future__ import annotations

import re

_SECRET = re.compile(
    r"""
    -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----[\s\S]{0,8000}?(?:-----END\ [A-Z ]*PRIVATE\ KEY-----|\Z)
    | \b(?:sk|pk|rk)[-_](?:live|test|ant|proj|or)?[-_]?[A-Za-z0-9_\-]{16,}
    | \b(?:ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs]|npm|pypi|hf|dop_v1|shpat|SG)[-_.][A-Za-z0-9_\-.]{16,}
    | \b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b
    | \bAIza[A-Za-z0-9_\-]{30,}
    | \beyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}
    | (?P<scheme>[a-z][a-z0-9+.\-]{1,20}://[^\s:/@]{1,80}:)[^\s/@]{3,200}(?=@)
    | (?P<bearer>\b[Bb]earer\s+)[A-Za-z0-9._~+/\-]{12,}=*
    | (?P<name>(?i:\b[\w.\-]{0,40}(?:passw(?:or)?d|passwd|secret|api[_\-]?key|access[_\-]?key|auth[_\-]?token|private[_\-]?key|client[_\-]?secret)
        [\w.\-]{0,20})["']?\s{0,4}(?::=|=>|[:=])\s{0,4})(?:"[^"\n]{4,200}"|'[^'\n]{4,200}'|[^\s"',;)}\]]{6,200})
    """,
    re.VERBOSE,
)
_HINT = re.compile(
    r"(?i)key|sk[-_]|pk[-_]|gh[pousr]_|xox|npm_|hf_|eyJ|AIza|AKIA|ASIA|AROA|AIDA|bearer|passw|secret|token|://|SG\.|glpat|pypi|dop_|shpat|github_pat|rk[-_]"
)

REDACTED = "[redacted]"


def redact(text: str) -> str:
    """The text with every secret replaced. What stands around it stays, so that a person still understands it."""
    if not _HINT.search(text):
        return text
    return _SECRET.sub(_replacement, text)


def _replacement(match: re.Match[str]) -> str:
    kept = match.group("scheme") or match.group("bearer") or match.group("name") or ""
    return kept + REDACTED
