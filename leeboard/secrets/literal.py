"""Values read where they stand: literals and bare words, private keys in armour, Secrets of Kubernetes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from leeboard.model.text import lazy
from leeboard.secrets.hit import SecretHit, Share
from leeboard.secrets.placeholder import is_monotonous
from leeboard.secrets.weight import weigh


class LiteralText(msgspec.Struct, frozen=True):
    value: str
    start: int
    quoted: bool
    end: int
    """Behind the closing quote."""


_QUOTED = lazy(
    r"""(?:[bBrRuULlfF@$]{0,2}(?=["'])|\#"?(?="))
    (?: \\"(?P<escaped>[^"\\\r\n]{0,2000})\\" | \\'(?P<escaped_single>[^'\\\r\n]{0,2000})\\'
      | \"""[ ]?(?P<triple>[^"\r\n]{1,2000})\"""
      | "(?P<double>(?:[^"\\\r\n]|\\.){0,2000})" | '(?P<single>(?:[^'\\\r\n]|\\.){0,2000})' )
    | `(?P<tick>[^`\r\n]{0,2000})` | &quot;(?P<entity>[^&\r\n]{0,500})&quot; | \\"(?P<loose>[^"\\\r\n]{0,2000})\\" """,
    re.VERBOSE,
)
_WRAP = lazy(
    r"""(?ix)(?:new[ ]{1,2})?(?:[a-z_][\w.:]{0,40}[.:])?
    (?:b64decode|decode|encode|bytes|bytearray|string|str|secretstr|secret|securestring|buffer|from|fromstring|frombase64string|frombase64|tobytes|
    getbytes|atob|btoa|unhexlify|fromhex|some|of|ofnullable|to_string|ptr|pointer|newsecret|encodeuricomponent|base64|hex|bytestring|text|_|
    sha256|sha1|md5|hash|password|passwordcredential|stringvalue|literal|plain|unquote|from_str|value|just|sensitive|just_value|quote|trim)
    (?:<[\w.]{1,20}>)?[ \t]{0,1}\([ \t]{0,2} | \[\]byte\( | [({\[][ \t]{0,2}(?=["'])"""
)
_DEFAULT = lazy(
    r"""(?ix)[\w.:$]{0,40}(?:env|environ|environ\.get|fetch|config|get|getproperty|option|setting|"
    r"param)\w{0,20}[ ]{0,1}[(\[][ \t]{0,2}["'][\w.\-:]{1,60}["'][ \t]{0,3}
      (?:,[ \t]{0,3}(?:default(?:_value|value)?[ ]{0,2}[=:][ ]{0,2})?|[)\]][ \t]{0,3}(?:\|\||\?\?|or|\?:|:)[ \t]{0,3})
    | (?:process|import\.meta)\.env[\w.$]{0,60}(?:\[["'][\w.\-]{1,60}["']\])?[ \t]{0,3}(?:\|\||\?\?)[ \t]{0,3}
    | [\w.$]{1,60}[ \t]{1,3}(?:\|\||\?\?|or|\?:)[ \t]{1,3}
    | \$\{[A-Za-z_][\w.\-]{0,60}:-?(?=[^}]) | @?["']?\$\{[\w.\-]{1,60}:(?=[^}{$])"""
)
_KEY_OF_TABLE = lazy(r"[ \t]{0,4}(?::(?![:=])|=>)")
_LINE_BREAK = lazy(r"(?:\\[nrt]){1,3}\Z")
_BARE = lazy(r"""[^\s"'`,;&<>(){}\[\]|\\]{3,2000}""")
_BARE_LINE = lazy(r"""[^\s"'`][^\s"'`<>]{2,2000}""")
_IN_STRING = lazy(r"""[^\s"'`;&<>\\,){}]{3,500}""")


def quoted_at(text: str, at: int) -> LiteralText | None:
    """The string literal that begins here, prefixes included."""
    match = _QUOTED.match(text, at)
    if match is None or match.lastgroup is None:
        return None
    value = _LINE_BREAK.sub("", match[match.lastgroup])
    return LiteralText(value, match.start(match.lastgroup), quoted=True, end=match.end())


def wrapped_at(text: str, at: int) -> LiteralText | None:
    """A string literal behind at most two conversions (`b64decode("...")`) or behind what it is the default of.

    In front of a colon or an arrow it is a key of the table that opens here, and no value.
    """
    found = quoted_at(text, at)
    if found is not None:
        return found
    lead = _DEFAULT.match(text, at)
    if lead is not None:
        return quoted_at(text, lead.end()) or (bare_at(text, lead.end()) if "${" in lead.group() else None)
    for _layer in range(2):
        lead = _WRAP.match(text, at)
        if lead is None:
            return None
        at = lead.end()
        found = quoted_at(text, at)
        if found is not None:
            return None if lead.group()[0] in "{[(" and _KEY_OF_TABLE.match(text, found.end) else found
    return None


def bare_at(text: str, at: int, *, in_string: bool = False, to_line_end: bool = False) -> LiteralText | None:
    """The word that begins here, without what closes it."""
    match = (_IN_STRING if in_string else _BARE_LINE if to_line_end else _BARE).match(text, at)
    if match is None:
        return None
    value = match.group().rstrip(",;" if to_line_end else ",;:.")
    return LiteralText(value, at, quoted=False, end=at + len(value))


# Private keys in armour: `-----BEGIN ... PRIVATE KEY-----`, whole, cut off, on one line with escaped line breaks.


_BEGIN = lazy(r"-----BEGIN[ _](?P<label>[A-Z0-9 _]{0,40})PRIVATE[ _]KEY(?:[ _]BLOCK)?-----")
_MOST = 20_000
_END = lazy(r"-----END[ _][A-Z0-9 _]{0,40}PRIVATE[ _]KEY(?:[ _]BLOCK)?-----")
_BODY = lazy(r"[A-Za-z0-9+/]{16,120}")
_JOINT = lazy(
    r"""(?:\\[nrt]|["'+\\,.;\s]|Proc-Type[^\r\n\\]{0,60}|DEK-Info[^\r\n\\]{0,80}|Version:[^\r\n\\]{0,60}|"""
    r"""Comment:[^\r\n\\]{0,60}|<br ?/?>|&#10;|[>#*/|-]){0,80}"""
)
_ELIDED = lazy(r"(?i)\.{3}|x{6}|\*{4}|your|redacted|snip|<[a-z ]{3,40}>|\$\{|\{\{|example key|placeholder")
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


def by_block(text: str) -> Iterator[SecretHit]:
    """The armour with what it holds; a heading alone, as parsers and tests of strings have it, is none."""
    if "PRIVATE" in text:
        yield from _armoured(text)
    if "PuTTY-User" in text and _PUTTY.search(text):
        for match in _PUTTY_BODY.finditer(text):
            locked = _PUTTY_LOCKED.search(text, max(0, match.start() - _PUTTY_HEAD), match.start())
            note = "encrypted with a passphrase" if locked else ""
            yield _hit("PuTTY private key", match["value"].rstrip(), match.start("value"), 0.98, note)
    if any(start in text for start in ("MII", "MIG", "MHcCAQEE", "MC4CAQAw", "LS0tLS1CRUdJTi", "b3BlbnNzaC1rZXktdjEA")):
        yield from _bare(text)


def _bare(text: str) -> Iterator[SecretHit]:
    share, done = Share(text), 0
    for match in _BARE_KEY.finditer(text):
        if match.start() < done or not _PRIVATE_DER.match(match.group()):
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


# The values of a Kubernetes Secret: under `data` in Base64, under `stringData` plain, whatever their names.


_KIND = lazy(r"(?m)^[ \t]{0,8}kind:[ \t]{1,4}[\"']?Secret[\"']?[ \t]{0,4}\r?$")
_BLOCK = lazy(r"(?m)^(?P<indent>[ \t]{0,8})(?:data|stringData):[ \t]{0,4}\r?$")
_ENTRY = lazy(
    r"""(?m)(?P<indent>[ \t]{1,12})(?P<name>[\w.\-]{1,80}):[ \t]{1,4}["']?"""
    r"""(?P<value>[^\s"'#]{4,4000})["']?[ \t]{0,4}\r?$"""
)
_MANIFEST = 40_000
_PUBLIC = (
    "cert",
    "crt",
    "ca.",
    "user",
    "name",
    "host",
    "url",
    "port",
    "email",
    "namespace",
    "config",
    "type",
    "region",
)


def by_manifest(text: str) -> Iterator[SecretHit]:
    """Entries of the data blocks of each manifest that says it is a Secret."""
    if "Secret" not in text or "ata:" not in text:
        return
    done = 0
    for kind in _KIND.finditer(text):
        if kind.start() < done:
            continue
        first = max(done, text.rfind("\n---", 0, kind.start()) + 1, kind.start() - _MANIFEST)
        end = text.find("\n---", kind.end(), kind.end() + _MANIFEST)
        done = end if end >= 0 else min(len(text), kind.end() + _MANIFEST)
        for block in _BLOCK.finditer(text, first, done):
            yield from _entries(text, block)


def _entries(text: str, block: re.Match[str]) -> Iterator[SecretHit]:
    """The lines of a block, as far as they are plain entries that stand further in."""
    entry = _ENTRY.match(text, block.end() + 1)
    while entry is not None and len(entry["indent"]) > len(block["indent"]):
        public = any(word in entry["name"].lower() for word in _PUBLIC)
        weight = None if public else weigh(entry["name"], entry["value"], "secret")
        if weight is not None:
            yield SecretHit(
                kind="kubernetes-secret",
                name=entry["name"],
                value=entry["value"],
                start=entry.start("value"),
                confidence=weight[0],
                note=weight[1],
            )
        entry = _ENTRY.match(text, entry.end() + 1)
