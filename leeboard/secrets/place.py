"""Secrets known by where they stand: in an address, in a header, behind an option of a command."""

from __future__ import annotations

import re
from base64 import b64decode
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import chain

from leeboard.model.text import lazy
from leeboard.secrets.hit import SecretHit, Share
from leeboard.secrets.provider import held, spelled
from leeboard.secrets.weight import (
    A_PLAIN_WORD,
    PLACEHOLDER,
    Weight,
    class_count,
    is_example,
    is_hex,
    is_mock,
    is_other_thing,
    is_placeholder,
    is_random,
    is_strong,
    unleet,
    weigh,
)

_USER_INFO = lazy(
    r"""://(?P<user>[^\s:/@"'<>`\\]{0,80}):(?P<value>[^\s/@"'<>`\\]{1,200}|[^\s@"'<>`\\]{3,80})@(?=[\w\[$<{%])"""
)
_USER_ONLY = lazy(r"""://(?P<value>[A-Za-z0-9_\-]{20,200})(?::x-oauth-basic)?@(?=[\w\[])""")
_SCHEME = lazy(
    r"""(?i)(?P<name>bearer|basic|digest|negotiate|ntlm)[ \t]{1,4}(?:realm="[^"]{0,40}",?[ ]?)?["']?"""
    r"""(?P<value>[A-Za-z0-9._~+/\-]{8,4000}={0,2})(?![A-Za-z0-9_$({]|\.\w|["']\w)"""
)
_HEADER = lazy(
    r"""(?i)(?P<name>authorization)(?:\\?["']?\]?[ \t]{0,2}(?:[:=]|=>)|\\?["']\]?[ \t]{0,2},"""
    r"""|[ \t]{0,2},(?=[ \t]{0,2}\\?["']))[ \t]{0,2}\\?["']?"""
    r"""(?:(?:token|apikey|api-key|key|oauth|jwt|splunk|ssws|genie-?key|bot|sso-key|zoho-oauthtoken)[ \t:=]{1,4})?"""
    r"""(?P<value>[A-Za-z0-9._~+/=\-:]{8,4000})"""
)
_USER_OPTION = lazy(
    r"""(?P<name>-{1,2}(?:u|user|proxy-user))[ =]{0,2}["']?"""
    r"""[^\s:"'$/+%\-][^\s:"'$/]{0,80}:(?P<value>[^\s"'@/:][^\s"']{1,200})"""
)
_PASS_OPTION = lazy(
    r"""[ ]-(?:p[ ]?|a[ ]|w[ ]|P[ ]|pw[ ]|k[ ]|(?:src|dest)?(?:store|key)pass[ ])["']?(?P<value>[^\s"'$|"""
    r""";\-][^\s"'$|;]{3,120})"""
)
_LONG_OPTION = lazy(r" -[a-z][a-z\-]+=")
"""`-path=x` is an option of that name, no `-p` with a value."""
_COMMAND = lazy(
    r"""(?x)\b(?:sshpass|mysql|mysqldump|mysqladmin|mariadb|
    (?:docker|podman|az|oc|helm[ ]registry)[ ]login|htpasswd|smbclient|
    mongo|mongosh|mongodump|mongoimport|redis-cli|ldapsearch|ldapadd|ldapmodify|sqlcmd|bcp|osql|isql|keytool|rabbitmqctl|
    7z|zip|unzip|cqlsh|influx|mosquitto_pub|mosquitto_sub|xfreerdp|rdesktop|winrs|psexec|plink|pscp|jarsigner|snmpget|snmpwalk)\b"""
)
_STEP_END = lazy(r"[\r\n|;]")
_COMMAND_REACH = 200
_PASS_COLON = lazy(r"""pass:(?!\d{1,7}:)(?P<value>[^\s"'$:`][^\s"'$]{2,120})""")
_SECURE_STRING = lazy(
    r"""(?i)SecureString[ \t]{1,3}(?:-String[ \t]{1,3}|-AsPlainText[ \t]{1,3}|"""
    r"""-Force[ \t]{1,3}){0,3}["'](?P<value>[^"'\r\n$]{3,200})["']"""
)
_IDENTIFIED = lazy(
    r"""(?i)identified[ \t]{1,3}(?:with[ \t]{1,3}[\w']{1,40}[ \t]{1,3})?by[ \t]{1,3}"""
    r"""(?:password[ \t]{1,3})?["'](?P<value>[^"'\r\n]{3,200})["']"""
)
_LOGIN = lazy(
    r"""(?ix)(?!authors?(?![a-z]))
    [a-z_]{0,24}[ ]{0,1}[(=\[]{1,3}[ ]{0,2}(?:(?:new[ ])?[\w.]{0,30}[\[(]{1,2})?(?:[\w.$]{1,40},[ ]{0,2})?
    ["'][^"'\r\n]{0,120}["'][ ]{0,2},[ ]{0,2}
    (?:["'][^"'\r\n]{0,80}["'][ ]{0,2},[ ]{0,2}(?=["']))?["'](?P<value>[^"'\s]{4,120})["'][ ]{0,2}[)\],]"""
)
_DATA_SOURCE = lazy(r"""@(?:tcp|unix|udp)\(""")
_BEFORE_AT = lazy(r"""(?P<user>[\w.\-]{1,60}):(?P<value>[^\s"'`@/]{3,100})\Z""")
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
_BEGINNINGS = {("://",), ("pass:",)}
"""Hints with which the expression begins: the engine jumps from one to the next by itself."""
HINTS = tuple(dict.fromkeys(hint for _kind, hints, _pattern in _ROWS for hint in hints))
_NAMED = {hint: hint.strip(" -:/") for hint in HINTS if len(hint.strip(" -:/")) > 1}
"""Hints with the word in them: where the text lacks it, nobody looks for them."""
_NAMES = tuple(dict.fromkeys(_NAMED.values()))
_CHALLENGE = lazy(r"(?i)(?:www|proxy)-authenticate\W{1,6}\Z")
_CHALLENGE_ROOM = 30
_IN_A_NAME = lazy(r"[\w/.][\-/]\Z")
"""`go-digest`, `oauth/bearer`: the last part of a name, not the name of a scheme."""
_NAME_ROOM = 2
_ORDINARY_WORDS = frozenset({"negotiate", "digest", "basic"})
_WORD_BEFORE = lazy(r"[a-z] \Z")
"""`going to negotiate SDES-SRTP`: a sentence, in which it is no name of a scheme."""
_PLAIN_SCHEME = lazy(r"(?i)(?:auth|authentication|token|scheme|realm|credentials?|header|type|user|password|access)")
_WORD = lazy(r"[A-Za-z0-9]")
_NAME_ALONE = _WEAK_BASIC = 0.8
_PROJECT = lazy(r"(?:[a-z0-9\-]{1,60}\.){1,5}[a-z]{2,10}/\d{1,20}(?![\w/])")
"""A host, and the number of a project there: as programs that report errors are told where to."""
_SAYS_PASSWORD = lazy(r"(?i)[a-z]{0,6}[_\-]?(?:passw(?:or)?d|pass|pwd)\d{0,3}")


def by_place(text: str, lowered: str) -> Iterator[SecretHit]:
    """Every secret that shows by its place."""
    if len(text) != len(lowered):
        return
    share, commands = Share(text), _Commands(text)
    met = _hints_met(text, lowered)
    rows = (
        (kind, _matches(tuple(hint for hint in hints if hint in met), pattern, text, lowered))
        for kind, hints, pattern in _ROWS
    )
    for kind, matches in chain(rows, [("url-password", _data_sources(text))]):
        yield from _hits(kind, matches, share, commands)


def _hints_met(text: str, lowered: str) -> frozenset[str]:
    """Those that may stand in the text: options of one letter are looked for among what has the signs of one."""
    words, options = frozenset(held(_NAMES, text, lowered)), spelled(text, lowered)
    return frozenset(
        hint
        for hint in HINTS
        if (_NAMED[hint] in words if hint in _NAMED else hint in options or not hint.startswith(" -"))
    )


def _hits(kind: str, matches: Iterator[re.Match[str]], share: Share, commands: _Commands) -> Iterator[SecretHit]:
    done = 0
    for match in matches:
        if match.start() < done or not _fits(kind, match, commands):
            continue
        if share.is_spent(match.start(), len(match["value"])):
            yield (unread := share.rest(match.start()))
            done = unread.end
        elif (weight := _weight(kind, match)) is not None:
            name = (match.groupdict().get("name") or "")[:40]
            value, start = match["value"], match.start("value")
            yield SecretHit(kind=kind, name=name, value=value, start=start, confidence=weight[0], note=weight[1])


def _matches(hints: tuple[str, ...], pattern: re.Pattern[str], text: str, lowered: str) -> Iterator[re.Match[str]]:
    if hints in _BEGINNINGS and hints[0] in text:
        yield from pattern.finditer(text)
        return
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
    done = 0
    for end in _DATA_SOURCE.finditer(text) if "@tcp(" in text or "@unix(" in text else ():
        match = _BEFORE_AT.search(text, max(done, end.start() - 160), end.start())
        done = end.end()
        if match is not None:
            yield match


class _Commands:
    """Where a text names commands that take a password."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _ends(self) -> list[int]:
        return [match.end() for match in _COMMAND.finditer(self._text)]

    def asks(self, match: re.Match[str]) -> bool:
        """`mysql -p name` asks for the password: what follows is the name of a database."""
        index = bisect_right(self._ends, match.start()) - 1
        named = self._text[max(0, self._ends[index] - 12) : self._ends[index]] if index >= 0 else ""
        return match.group().startswith(" -p ") and ("mysql" in named or named.endswith("mariadb"))

    def reach(self, at: int) -> bool:
        """Whether one stands before this place, with nothing that ends it in between."""
        index = bisect_right(self._ends, at) - 1
        end = self._ends[index] if index >= 0 else -1
        return end >= 0 and at - end <= _COMMAND_REACH and not _STEP_END.search(self._text, end, at)


def _fits(kind: str, match: re.Match[str], commands: _Commands) -> bool:
    """What has to stand in front of it: no letter, or a command that has such an option."""
    text, start = match.string, match.start()
    if kind == "password-option" and not match.group().startswith("pass:"):
        return commands.reach(start) and not _LONG_OPTION.match(match.group()) and not commands.asks(match)
    if kind in {"url-password", "url-token", "login-call"} or start == 0:
        return True
    if kind == "authorization" and _CHALLENGE.search(text, max(0, start - _CHALLENGE_ROOM), start):
        return False  # what a server says before anybody has shown anything
    if kind == "authorization" and match["name"].lower() != "authorization":
        is_named = _IN_A_NAME.search(text, max(0, start - _NAME_ROOM), start) is not None
        is_said = match["name"] in _ORDINARY_WORDS and _WORD_BEFORE.search(text, max(0, start - _NAME_ROOM), start)
        return not _WORD.match(text[start - 1]) and not is_named and not is_said
    return not _WORD.match(text[start - 1])


def _weight(kind: str, match: re.Match[str]) -> Weight | None:
    value = match["value"]
    if kind == "url-password":
        return _user_info(match)
    if kind in {"authorization", "url-token"}:
        if match.string.endswith(_NODES, 0, match.start()):
            return None
        weight = _scheme_value(match)
        if kind == "url-token" and _PROJECT.match(match.string, match.end()):
            return _NAME_ALONE, "an address for reports, which is given to everybody"
        # A name alone in front of a host may be one that everybody is given, as error trackers do.
        return (_NAME_ALONE, "") if kind == "url-token" and weight == (0.92, "") and is_hex(value) else weight
    if kind == "login-call":
        weight = weigh("", value, "password")
        return weight if weight is not None and weight[0] >= 0.8 and not _is_wordy(value) else None
    weight = weigh("", value, "password", quoted=kind in {"sql-password", "secure-string"})
    return (0.5, "a plain word") if weight == A_PLAIN_WORD else weight


_NODES = ("enode", "enr")
"""Schemes in whose addresses the public key of a machine stands."""


def _user_info(match: re.Match[str]) -> Weight | None:
    """`scheme://user:password@host`: anything but a template is a password."""
    value, user = match["value"], match["user"]
    is_port = "/" in value and value.partition("/")[0].isdigit()
    if value.startswith(("$", "{", "<", "%", "*", "//")) or is_port or (value.isdigit() and "." in user):
        return None
    host = _HOST.match(match.string, match.end())
    if _stands_for_a_login(user, value) or (host is not None and _NOBODYS.search(host[1]) and not is_strong(value)):
        return PLACEHOLDER
    reports = is_hex(user) and is_hex(value) and _PROJECT.match(match.string, match.end()) is not None
    if reports or is_mock(unleet(value)):
        return _AT_HOME, ""
    if is_random(value) or class_count(value) >= 2:
        return (_AT_HOME if host is not None and _THIS_MACHINE.match(host[1]) else 0.90), ""
    return 0.55, ""


def _stands_for_a_login(user: str, value: str) -> bool:
    if is_placeholder(value) or value == user or is_mock(value) or _SAYS_PASSWORD.fullmatch(value):
        return True
    return _IN_CAPITALS.fullmatch(value) is not None and _IN_CAPITALS.fullmatch(user) is not None


_IN_CAPITALS = lazy(r"[A-Z][A-Z_]{2,30}")
"""`USER:PASSWORD`, in whatever language: both say what goes there."""
_HOST = lazy(r"@?(\[[\da-fA-F:.]{2,40}\]|[\w.\-]{1,120})")
_NOBODYS = lazy(r"(?i)(?:^|\.)(?:example\.(?:com|org|net)|example|test|invalid)\.?$")
"""Names that were set aside for documents and tests: no such host is anybody's."""
_THIS_MACHINE = lazy(r"(?i)(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|\[::1\]|host\.docker\.internal)$")
_AT_HOME = 0.8
"""What opens a server on one's own machine, or lets one send reports, is worth a look, and no refusal."""


def _scheme_value(match: re.Match[str]) -> Weight | None:
    """Behind `Bearer` or `Basic` also stand words; a credential there has digits or both cases."""
    value = match["value"]
    if (match.groupdict().get("name") or "").lower() == "basic":
        return _basic(value)
    if (
        _NAMES_ITS_PARTS.match(match.string, match.end())
        or is_other_thing(value)
        or (len(value) < 12 and not (is_random(value) and class_count(value) >= 2))
    ):
        return None
    if _PLAIN_SCHEME.match(value) and not is_random(value):
        return None
    if is_placeholder(value) or _tells_words(value):
        return PLACEHOLDER
    if not is_random(value) or class_count(value) < 2:
        return None
    return 0.92, ""


_NAMES_ITS_PARTS = lazy(r"[ \t]{1,3}[A-Za-z]{2,30}=[#$%{]")
"""`AWS3-HTTPS AWSAccessKeyId=#{id},...`: a scheme, and what is filled in behind it."""


def _tells_words(value: str) -> bool:
    """Base64 of a sentence, as who shows a header writes: no key has blanks between words."""
    try:
        decoded = b64decode(value + "=" * (-len(value) % 4), validate=True).decode("ascii")
    except ValueError:
        return False
    return decoded.isprintable() and " " in decoded.strip() and not is_random(decoded.replace(" ", ""))


def _basic(value: str) -> Weight | None:
    """`user:password` in Base64; whatever else stands behind the word is prose."""
    try:
        decoded = b64decode(value + "=" * (-len(value) % 4), validate=True).decode("utf-8")
    except ValueError:
        return (0.92, "") if is_strong(value) and class_count(value) > 2 else None
    user, colon, password = decoded.partition(":")
    if not colon or not password or not decoded.isprintable():
        return None
    if is_example(value) or is_placeholder(password) or is_mock(password) or password.lower() in user.lower():
        return PLACEHOLDER
    if " " in password:
        return 0.5, "a plain word"  # or several
    return (0.92 if is_random(password) else _WEAK_BASIC), ""


def _is_wordy(value: str) -> bool:
    return not is_random(value) and not any(map(str.isdigit, value))
