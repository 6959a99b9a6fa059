"""Private keys in armour: `-----BEGIN ... PRIVATE KEY-----`, whole, cut off, on one line with escaped line breaks."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.model.text import lazy
from leeboard.secrets.hit import SecretHit, Share
from leeboard.secrets.monotonous import is_monotonous
from leeboard.text.word_gate import joined_runs

_BEGIN = lazy(r"-----BEGIN[ _](?P<label>[A-Z0-9 _]{0,40})PRIVATE[ _]KEY(?:[ _]BLOCK)?-----")
_MOST = 20_000
_END = lazy(r"-----END[ _][A-Z0-9 _]{0,40}PRIVATE[ _]KEY(?:[ _]BLOCK)?-----")
_BODY = lazy(r"[A-Za-z0-9+/]{16,120}")
_JOINT = lazy(
    r"""(?:\\[nrt]|["'+\\,.;\s]|Proc-Type[^\r\n\\]{0,60}|DEK-Info[^\r\n\\]{0,80}|Version:[^\r\n\\]{0,60}|"""
    r"""Comment:[^\r\n\\]{0,60}|<br ?/?>|&#10;|[>#*/|-]){0,80}"""
)
_ELIDED = lazy(r"(?i)\.{3}|x{6}|\*{4}|your|redacted|snip|<[a-z ]{3,40}>|\$\{|\{\{|example key|placeholder")
_CUT_OFF = lazy(r"\s{0,40}\.{3}")
"""A page that shows the first line of a key, and three dots for the rest."""
_BARE_KEY = lazy(
    r"(?<![A-Za-z0-9+/])(?:MII[BCEJ][A-Za-z]|MIGHAgEA|MHcCAQEE|MC4CAQAw|MIGEAgEA|MIGkAgEB|"
    r"LS0tLS1CRUdJTi[A-Za-z0-9+/]{4,40}UFJJVkFURSBLRV|b3BlbnNzaC1rZXktdjEA)[A-Za-z0-9+/]{40,8000}={0,2}"
)
_PRIVATE_DER = lazy(r"MII[A-Za-z0-9+/]{2,5}IBA[AD]|MI[GIH][A-Za-z0-9+/]{1,3}AgEA|MHcC|MC4C|MIG[EkHT]A|LS0t|b3Bl")
_LOCKED = lazy(r"\A-----BEGIN[ _]ENCRYPTED|Proc-Type: ?4, ?ENCRYPTED|DEK-Info: ?[A-Z0-9]")
_OPENSSH = lazy(r"b3BlbnNzaC1rZXktdjEA(?P<cipher>[A-Za-z0-9+/]{11,24})")
_NO_CIPHER = "AAAABG5vbm"
"""The name of its cipher is `none`."""
_HEAD = 400
_LONG_DER = lazy(r"(?<![A-Za-z0-9+/])MII[A-Za-z0-9+/]{12}")
_LEAST_DER = 240
"""What begins so says that more than 255 bytes follow, and those take a third more characters."""
_PUTTY_LOCKED = lazy(r"Encryption: (?!none)[a-z0-9]")
_PUTTY = lazy(r"PuTTY-User-Key-File-[23]: ssh-|PuTTY-User-Key-File-[23]: ecdsa-")
_PUTTY_HEAD = 2_000
_PUTTY_BODY = lazy(r"Private-Lines: \d{1,3}(?:\r?\n|\\n)(?P<value>[A-Za-z0-9+/=\r\n]{40,4000})")


_BARE_STARTS = ("MII", "MIG", "MHcCAQEE", "MC4CAQAw", "LS0tLS1CRUdJTi", "b3BlbnNzaC1rZXktdjEA")


def by_block(text: str) -> Iterator[SecretHit]:
    """The armour with what it holds; a heading alone, as parsers and tests of strings have it, is none."""
    if "PRIVATE" in text:
        yield from _armoured(text)
    if "PuTTY-User" in text and _PUTTY.search(text):
        for match in _PUTTY_BODY.finditer(text):
            locked = _PUTTY_LOCKED.search(text, max(0, match.start() - _PUTTY_HEAD), match.start())
            note = "encrypted with a passphrase" if locked else ""
            yield _hit("PuTTY private key", match["value"].rstrip(), match.start("value"), 0.98, note)
    runs = joined_runs(text)
    if any(start in runs for start in _BARE_STARTS):
        yield from _bare(text)


def _bare(text: str) -> Iterator[SecretHit]:
    share, done = Share(text), 0
    for match in _BARE_KEY.finditer(text):
        if match.start() < done or not _PRIVATE_DER.match(match.group()) or _CUT_OFF.match(text, match.end()):
            continue
        if share.is_spent(match.start()):
            yield (unread := share.rest(match.start()))
            done = unread.end
        else:
            yield _hit("encoded private key", match.group(), match.start(), 0.92, _locked(match.group()))


def _hit(name: str, value: str, start: int, confidence: float, note: str = "") -> SecretHit:
    return SecretHit(kind="private-key", name=name, value=value, start=start, confidence=confidence, note=note)


def _useless(block: str) -> str:
    """Why a reader can do nothing with it; empty where he can."""
    body = _LONG_DER.search(block[:_HEAD])
    return "cut short" if body is not None and len(block) - body.start() < _LEAST_DER else _locked(block)


def _locked(value: str) -> str:
    openssh = _OPENSSH.search(value)
    locked = _LOCKED.search(value[:_HEAD]) or (openssh is not None and not openssh["cipher"].startswith(_NO_CIPHER))
    return "encrypted with a passphrase" if locked else ""


def _armoured(text: str) -> Iterator[SecretHit]:
    begins = list(_BEGIN.finditer(text))
    share = Share(text)
    limits = [*(begin.start() for begin in begins[1:]), len(text)]
    for begin, limit in zip(begins, limits, strict=False):
        if share.is_spent(begin.start()):
            yield share.rest(begin.start())
            return
        joint = _JOINT.match(text, begin.end())
        body = _BODY.match(text, joint.end() if joint else begin.end())
        if body is None or is_monotonous(body.group()):
            continue
        end = _END.search(text, begin.end(), min(limit, begin.end() + _MOST))
        value = text[begin.start() : end.end() if end else _last_line(text, body.end())]
        if not _ELIDED.search(value):
            yield _hit(f"{begin['label']}private key".strip(), value, begin.start(), 0.98, _useless(value))


def _last_line(text: str, at: int) -> int:
    """Where a block without its end stops."""
    while (joint := _JOINT.match(text, at)) and (body := _BODY.match(text, joint.end())):
        at = body.end()
    return at
