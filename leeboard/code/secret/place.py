"""Secrets known by where they stand: in an address, behind an authorization scheme, behind an option of a command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from leeboard.code.secret.hit import Hit
from leeboard.code.secret.placeholder import is_mock, is_placeholder
from leeboard.code.secret.randomness import class_count, is_random
from leeboard.code.secret.weight import PLACEHOLDER, Weight, weigh
from leeboard.model.pattern import lazy

_USER_INFO = lazy(
    r"""://(?P<name>[^\s:/@"'<>`\\]{0,80}):(?P<value>[^\s/@"'<>`\\]{1,200}|[^\s@"'<>`\\]{3,80})@(?=[\w\[$<{%])"""
)
_USER_ONLY = lazy(r"""://(?P<value>[A-Za-z0-9_\-]{20,200})(?::x-oauth-basic)?@(?=[\w\[])""")
_SCHEME = lazy(
    r"""(?i)(?P<name>bearer|basic|digest|negotiate|ntlm)[ \t]{1,4}(?:realm="[^"]{0,40}",?[ ]?)?["']?"""
    r"""(?P<value>[A-Za-z0-9._~+/\-]{8,4000}={0,2})(?![A-Za-z0-9_$({]|\.\w)"""
)
_HEADER = lazy(
    r"""(?i)(?P<name>authorization)\\?["']?\]?[ \t]{0,2}(?:[:=,]|=>)[ \t]{0,2}\\?["']?"""
    r"""(?:(?:token|apikey|api-key|key|oauth|jwt|splunk|ssws|genie-?key|bot|sso-key|zoho-oauthtoken)[ \t:=]{1,4})?"""
    r"""(?P<value>[A-Za-z0-9._~+/=\-:]{8,4000})"""
)
_USER_OPTION = lazy(
    r"""-{1,2}(?:u|user|"""
    r"""proxy-user)[ =]{0,2}["']?(?P<name>[^\s:"'$/\-][^\s:"'$/]{0,80}):(?P<value>[^\s"'@/][^\s"']{1,200})"""
)
_PASS_OPTION = lazy(
    r"""[ ]-(?:p[ ]?|a[ ]|w[ ]|P[ ]|pw[ ]|k[ ]|(?:src|dest)?(?:store|key)pass[ ])["']?(?P<value>[^\s"'$|"""
    r""";\-][^\s"'$|;]{3,120})"""
)
_COMMAND = lazy(
    r"""(?x)\b(?:sshpass|mysql|mysqldump|mysqladmin|mariadb|
    (?:docker|podman|az|oc|helm[ ]registry)[ ]login|htpasswd|smbclient|
    mongo|mongosh|mongodump|mongoimport|redis-cli|ldapsearch|ldapadd|ldapmodify|sqlcmd|bcp|osql|isql|keytool|rabbitmqctl|
    7z|zip|unzip|cqlsh|influx|mosquitto_pub|mosquitto_sub|xfreerdp|rdesktop|winrs|psexec|plink|pscp|jarsigner|snmpget|snmpwalk)\b[^\r\n|;]{0,200}\Z"""
)
_PASS_COLON = lazy(r"""pass:(?P<value>[^\s"'$]{3,120})""")
_SECURE_STRING = lazy(
    r"""(?i)SecureString[ \t]{1,3}(?:-String[ \t]{1,3}|-AsPlainText[ \t]{1,3}|"""
    r"""-Force[ \t]{1,3}){0,3}["'](?P<value>[^"'\r\n$]{3,200})["']"""
)
_IDENTIFIED = lazy(
    r"""(?i)identified[ \t]{1,3}(?:with[ \t]{1,3}[\w']{1,40}[ \t]{1,3})?by[ \t]{1,3}"""
    r"""(?:password[ \t]{1,3})?["'](?P<value>[^"'\r\n]{3,200})["']"""
)
_LOGIN = lazy(
    r"""(?ix)[a-z_]{0,24}[ ]{0,1}[(=\[]{1,3}[ ]{0,2}(?:(?:new[ ])?[\w.]{0,30}[\[(]{1,2})?(?:[\w.$]{1,40},[ ]{0,2})?
    ["'][^"'\r\n]{0,120}["'][ ]{0,2},[ ]{0,2}
    (?:["'][^"'\r\n]{0,80}["'][ ]{0,2},[ ]{0,2}(?=["']))?["'](?P<value>[^"'\s]{4,120})["'][ ]{0,2}[)\],]"""
)
_DATA_SOURCE = lazy(r"""@(?:tcp|unix|udp)\(""")
_BEFORE_AT = lazy(r"""(?P<name>[\w.\-]{1,60}):(?P<value>[^\s"'`@/]{3,100})\Z""")
Row = tuple[str, tuple[str, ...], re.Pattern[str]]
_ROWS: tuple[Row, ...] = (
    ("url-password", ("://",), _USER_INFO),
    ("url-token", ("://",), _USER_ONLY),
    ("authorization", ("bearer", "basic", "digest", "ntlm", "negotiate"), _SCHEME),
    ("authorization", ("authorization",), _HEADER),
    ("user-option", (" -u", "--user", "--proxy-user"), _USER_OPTION),
    (
        "password-option",
        (
            " -p",
            " -a ",
            " -w ",
            " -k ",
            " -storepass ",
            " -keypass ",
            " -srcstorepass ",
            " -deststorepass ",
            " -destkeypass ",
        ),
        _PASS_OPTION,
    ),
    ("password-option", ("pass:",), _PASS_COLON),
    ("secure-string", ("securestring",), _SECURE_STRING),
    ("sql-password", ("identified",), _IDENTIFIED),
    (
        "login-call",
        ("login", "log_in", "auth", "connect", "signin", "sign_in", "credential", "createuser", "create_user"),
        _LOGIN,
    ),
)
"""A kind, the hints at which it is looked for in the text in lower case, and what stands there."""
_PLAIN_SCHEME = lazy(r"(?i)(?:auth|authentication|token|scheme|realm|credentials?|header|type|user|password|access)")
_WORD = lazy(r"[A-Za-z0-9]")


def by_place(text: str, lowered: str) -> Iterator[Hit]:
    """Every secret that shows by its place."""
    if len(text) != len(lowered):
        return
    rows = ((kind, _matches(hints, pattern, text, lowered)) for kind, hints, pattern in _ROWS)
    for kind, matches in chain(rows, [("url-password", _data_sources(text))]):
        for match in matches:
            weight = _weight(kind, match) if _fits(kind, match) else None
            if weight is not None:
                name = (match.groupdict().get("name") or "")[:40]
                value, start = match["value"], match.start("value")
                yield Hit(kind=kind, name=name, value=value, start=start, confidence=weight[0], note=weight[1])


def _matches(hints: tuple[str, ...], pattern: re.Pattern[str], text: str, lowered: str) -> Iterator[re.Match[str]]:
    for hint in hints:
        at = lowered.find(hint)
        while at >= 0:
            lead = len(hint) - len(hint.lstrip(" ")) if hint == " -u" else 0
            match = pattern.match(text, at + lead)
            if match is not None:
                yield match
            at = lowered.find(hint, match.end() if match else at + len(hint))


def _data_sources(text: str) -> Iterator[re.Match[str]]:
    """`user:password@tcp(host:3306)/base`, an address without a scheme."""
    for end in _DATA_SOURCE.finditer(text) if "@tcp(" in text or "@unix(" in text else ():
        match = _BEFORE_AT.search(text, max(0, end.start() - 160), end.start())
        if match is not None:
            yield match


def _fits(kind: str, match: re.Match[str]) -> bool:
    """What has to stand in front of it: no letter, or a command that has such an option."""
    text, start = match.string, match.start()
    if kind == "password-option" and not match.group().startswith("pass:"):
        first = max(text.rfind("\n", 0, start) + 1, start - 240)
        return _COMMAND.search(text, first, start) is not None
    return kind in {"url-password", "url-token", "login-call"} or start == 0 or not _WORD.match(text[start - 1])


def _weight(kind: str, match: re.Match[str]) -> Weight | None:
    value = match["value"]
    if kind == "url-password":
        return _user_info(match)
    if kind in {"authorization", "url-token"}:
        return _scheme_value(match)
    if kind == "login-call":
        weight = weigh("", value, "password")
        return weight if weight is not None and weight[0] >= 0.8 and not _is_wordy(value) else None
    weight = weigh("", value, "password", quoted=kind in {"sql-password", "secure-string"})
    return (0.5, "a plain word") if weight == (0.45, "a plain word") else weight


def _user_info(match: re.Match[str]) -> Weight | None:
    """`scheme://user:password@host`: anything but a template is a password."""
    value, user = match["value"], match["name"]
    is_port = "/" in value and value.partition("/")[0].isdigit()
    if value.startswith(("$", "{", "<", "%", "*", "//")) or is_port or (value.isdigit() and "." in user):
        return None
    if is_placeholder(value) or value == user or is_mock(value):
        return PLACEHOLDER
    if is_random(value) or class_count(value) >= 2:
        return 0.90, ""
    return 0.55, ""


def _scheme_value(match: re.Match[str]) -> Weight | None:
    """Behind `Bearer` or `Basic` also stand words; a credential there has digits or both cases."""
    value = match["value"]
    if len(value) < 12 and not (is_random(value) and class_count(value) >= 2):
        return None
    if _PLAIN_SCHEME.match(value) and not is_random(value):
        return None
    if is_placeholder(value):
        return PLACEHOLDER
    if not is_random(value) or class_count(value) < 2:
        return None
    return 0.92, ""


def _is_wordy(value: str) -> bool:
    return not is_random(value) and not any(map(str.isdigit, value))
