"""Literals that nothing but their entropy speaks for: worth a line in the log, never more."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.secret._long_line import Share
from leeboard.code.secret.hit import Hit
from leeboard.code.secret.weight import looks_generated
from leeboard.model.pattern import lazy

CONFIDENCE = 0.50

_LITERAL = lazy(r"""["'`](?P<value>[A-Za-z0-9+/=_\-.!@#%^*~]{17,200})["'`]""")
_DIGESTED = lazy(
    r"(?i)sha\d|md5|digest|integrity|checksum|hash|fingerprint|etag|commit|revision|public|cert|ssh-|"
    r"alphabet|charset|chars|base64|encod|mapping|import|require\(|color|regex|data:|font|icon|version|"
    r"signature|expected|assert|test|url|href|src=|uuid|guid|_id\b|Id\b"
)


def by_entropy(text: str) -> Iterator[Hit]:
    """Literals above the limits, on lines that do not speak of digests and the like."""
    done, share = 0, Share(text)
    for match in _LITERAL.finditer(text):
        value = match["value"]
        if match.start() < done:
            continue
        if share.is_spent(match.start()):
            yield (unread := share.rest(match.start()))
            done = unread.end
            continue
        if not looks_generated(value):
            continue
        line_start = max(text.rfind("\n", 0, match.start()) + 1, match.start() - 200)
        if not _DIGESTED.search(text, line_start, match.start()):
            yield Hit(kind="entropy", value=value, start=match.start("value"), confidence=CONFIDENCE)
