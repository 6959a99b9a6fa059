"""Weak cryptography in shell scripts: openssl, curl, ssh and their options, line by line."""

from __future__ import annotations

from typing import NamedTuple

from leeboard.model.text import lazy
from leeboard.security.crypto.weakness import Weakness
from leeboard.text.language import is_test_path

HINTS = ("openssl", "curl", "wget", "ssh", "sslverify", "htpasswd", "$random", "node_tls", "pythonhttpsverify")
_LINE_ROOM = 2_000
_COMMENT = lazy(r"(?:\A|\s)#.*\Z")
_GUARDED = lazy(r"(?i)passw|pwd|secret|token|salt|login|auth|key")
_LOCAL = lazy(r"(?i)https?://(?:localhost|127\.0\.0\.1|\[::1\])")
_KNOWING = lazy(r"(?i)legacy|self-?signed|required|compat|insecure|on purpose|local")
_COMMENT_REACH = 120


class _Signature(NamedTuple):
    kind: str
    what: str
    pattern: str
    always: bool
    fix: str


_CERTIFICATE_OFF = (
    r"\bcurl\b[^|;&]{0,300}\s(?:-[a-zA-Z]{0,8}k[a-zA-Z]{0,8}|--insecure)(?=\s|$)"
    r"|\bwget\b[^|;&]{0,300}--no-check-certificate\b|\bhttp\.sslverify[= ]\s{0,4}false\b"
    r"|GIT_SSL_NO_VERIFY=(?:1|true)\b|NODE_TLS_REJECT_UNAUTHORIZED=[\"']?0\b|PYTHONHTTPSVERIFY=[\"']?0\b"
)
_SMALL_KEY = (
    r"\bopenssl\s+(?:genrsa|gendsa|dsaparam|dhparam)\b[^|;&]{0,120}\s(?:512|768|1024|1536)\b"
    r"|\brsa:(?:512|768|1024|1536)\b|\brsa_keygen_bits:(?:512|768|1024|1536)\b"
    r"|\bssh-keygen\b[^|;&]{0,120}(?:-t\s*dsa\b|-b\s*(?:512|768|1024|1536)\b)"
)
_OLD_CIPHER = (
    r"\bopenssl\s+(?:enc\b[^|;&]{0,120}\s-|)(?:des(?:3|-ede3?)?|rc4|rc2|bf|cast|idea|seed)"
    r"(?:-(?:cbc|ecb|cfb|ofb|40))?\b"
)
_OLD_HASH = r"\bopenssl\s+(?:md[245]|sha1)\b|\bopenssl\s+dgst\b[^|;&]{0,80}\s-(?:md[245]|sha1)\b"
_OLD_LOGIN = r"\bopenssl\s+passwd\s+-(?:1|apr1|crypt)\b|\bhtpasswd\s+-\w{0,4}[mds]\b"
_OLD_TLS = r"\s--?(?:sslv[23]|tlsv1\.[01]|ssl3|tls1|tls1_1)\b(?!\.\d|_[23])"
_NO_HOST_KEY = r"(?i)\bStrictHostKeyChecking[= ]\s{0,2}[\"']?no\b"
_TABLE = (
    _Signature("weak hash", "MD5 or SHA-1", _OLD_HASH, always=False, fix="use -sha256"),
    _Signature("weak hash", "MD5 password hash", _OLD_LOGIN, always=True, fix="use openssl passwd -6"),
    _Signature("weak cipher", "DES, RC4 or Blowfish", _OLD_CIPHER, always=True, fix="use -aes-256-cbc with -pbkdf2"),
    _Signature("ECB mode", "ECB", r"\bopenssl\b[^|;&]{0,160}-aes-?\d{3}-ecb\b", always=True, fix="use -aes-256-cbc"),
    _Signature("short key", "below 2048 bits", _SMALL_KEY, always=True, fix="use at least 3072 bits, or ed25519"),
    _Signature(
        "unverified connection",
        "certificate check off",
        _CERTIFICATE_OFF,
        always=True,
        fix="trust the right certificate",
    ),
    _Signature(
        "unverified connection", "host key check off", _NO_HOST_KEY, always=True, fix="add the key to known_hosts"
    ),
    _Signature("old TLS", "SSL 3 or TLS 1.0/1.1", _OLD_TLS, always=True, fix="demand TLS 1.2 or newer"),
    _Signature("predictable random", "$RANDOM", r"\$\{?RANDOM\b", always=False, fix="use openssl rand"),
)
_COMPILED = tuple((signature, lazy(signature.pattern)) for signature in _TABLE)


def find_weak_shell(text: str, path: str) -> tuple[Weakness, ...]:
    """Every weakness of a script, in the order of its lines."""
    lower = text.encode("utf-8", "replace").lower()  # bytes: letters beyond ASCII take ten times as long
    if not any(hint.encode() in lower for hint in HINTS):
        return ()
    found = []
    for number, raw in enumerate(text.replace("\\\n", " \0").split("\n"), 1):
        line = _COMMENT.sub("", raw[:_LINE_ROOM])
        for signature, pattern in _COMPILED:
            if pattern.search(line) and (weakness := _weighed(signature, raw, number, path)) is not None:
                found.append(weakness)
    return tuple(_renumbered(found, text))


def _renumbered(found: list[Weakness], text: str) -> list[Weakness]:
    """Lines that were joined at a backslash count as many as they are."""
    if "\\\n" not in text or not found:
        return found
    firsts, at = [], 1
    for raw in text.replace("\\\n", " \0").split("\n"):
        firsts.append(at)
        at += 1 + raw.count("\0")
    return [_moved(weakness, firsts[weakness.line - 1]) for weakness in found]


def _moved(weakness: Weakness, line: int) -> Weakness:
    from msgspec.structs import replace  # noqa: PLC0415 - few scripts come here

    return replace(weakness, line=line, end=line)


def _is_known(line: str) -> bool:
    """Whether a comment gives a reason."""
    return any("#" in line[max(0, word.start() - _COMMENT_REACH) : word.start()] for word in _KNOWING.finditer(line))


def _weighed(signature: _Signature, line: str, number: int, path: str) -> Weakness | None:
    guarded = bool(_GUARDED.search(line[:_LINE_ROOM]))
    if signature.kind == "predictable random" and not guarded:
        return None
    if signature.kind == "unverified connection" and _LOCAL.search(line[:_LINE_ROOM]):
        return None
    log_only = "test file" if is_test_path(path) else ""
    if not log_only and not guarded and _is_known(line[:_LINE_ROOM]):
        log_only = "chosen knowingly, with a comment"
    queues = (signature.always or guarded) and not log_only
    return Weakness(
        kind=signature.kind,
        what=signature.what,
        line=number,
        end=number,
        confidence=0.9 if signature.always or guarded else 0.6,
        context="auth" if guarded else "neutral",
        queues=queues,
        log_only=log_only,
        fix=signature.fix,
        trace=(f"signature: {signature.kind} ({signature.what}) in a shell line",),
    )
