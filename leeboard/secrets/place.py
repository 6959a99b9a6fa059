"""Secrets known by where they stand: in an address, behind an authorization scheme, behind an option of a command."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import chain

from leeboard.model.text import lazy
from leeboard.secrets.hit import SecretHit, Share, is_sample, is_sample_file, is_scratch, style_of
from leeboard.secrets.placeholder import class_count, is_mock, is_placeholder, is_random, is_strong
from leeboard.secrets.provider import held
from leeboard.secrets.weight import PLACEHOLDER, Weight, weigh
from leeboard.text.language import is_test_path

_USER_INFO = lazy(
    r"""://(?P<user>[^\s:/@"'<>`\\]{0,80}):(?P<value>[^\s/@"'<>`\\]{1,200}|[^\s@"'<>`\\]{3,80})@(?=[\w\[$<{%])"""
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
    r"""(?P<name>-{1,2}(?:u|user|proxy-user))[ =]{0,2}["']?"""
    r"""[^\s:"'$/\-][^\s:"'$/]{0,80}:(?P<value>[^\s"'@/:][^\s"']{1,200})"""
)
_PASS_OPTION = lazy(
    r"""[ ]-(?:p[ ]?|a[ ]|w[ ]|P[ ]|pw[ ]|k[ ]|(?:src|dest)?(?:store|key)pass[ ])["']?(?P<value>[^\s"'$|"""
    r""";\-][^\s"'$|;]{3,120})"""
)
_COMMAND = lazy(
    r"""(?x)\b(?:sshpass|mysql|mysqldump|mysqladmin|mariadb|
    (?:docker|podman|az|oc|helm[ ]registry)[ ]login|htpasswd|smbclient|
    mongo|mongosh|mongodump|mongoimport|redis-cli|ldapsearch|ldapadd|ldapmodify|sqlcmd|bcp|osql|isql|keytool|rabbitmqctl|
    7z|zip|unzip|cqlsh|influx|mosquitto_pub|mosquitto_sub|xfreerdp|rdesktop|winrs|psexec|plink|pscp|jarsigner|snmpget|snmpwalk)\b"""
)
_STEP_END = lazy(r"[\r\n|;]")
_COMMAND_REACH = 200
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
_WORDS = frozenset(hint for _kind, hints, _pattern in _ROWS for hint in hints if hint.isidentifier())
_PLAIN_SCHEME = lazy(r"(?i)(?:auth|authentication|token|scheme|realm|credentials?|header|type|user|password|access)")
_WORD = lazy(r"[A-Za-z0-9]")


def by_place(text: str, lowered: str) -> Iterator[SecretHit]:
    """Every secret that shows by its place."""
    if len(text) != len(lowered):
        return
    share, commands = Share(text), _Commands(text)
    words = frozenset(held(_WORDS, text, lowered))
    rows = (
        (kind, _matches(tuple(hint for hint in hints if hint in words or hint not in _WORDS), pattern, text, lowered))
        for kind, hints, pattern in _ROWS
    )
    for kind, matches in chain(rows, [("url-password", _data_sources(text))]):
        yield from _hits(kind, matches, share, commands)


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

    def reach(self, at: int) -> bool:
        """Whether one stands before this place, with nothing that ends it in between."""
        index = bisect_right(self._ends, at) - 1
        end = self._ends[index] if index >= 0 else -1
        return end >= 0 and at - end <= _COMMAND_REACH and not _STEP_END.search(self._text, end, at)


def _fits(kind: str, match: re.Match[str], commands: _Commands) -> bool:
    """What has to stand in front of it: no letter, or a command that has such an option."""
    text, start = match.string, match.start()
    if kind == "password-option" and not match.group().startswith("pass:"):
        return commands.reach(start)
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
    value, user = match["value"], match["user"]
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


# Where in its file a secret stands, and what that takes from it: test, example, docstring, scratch file, comment.


_ALLOWED = lazy(
    r"(?i)pragma:\s?allowlist\s(?:nextline\s)?secret|gitleaks:allow|\bnosec\b|trufflehog:ignore|ggignore|"
    r"noboost|pragma: whitelist secret"
)
_ALLOW_WORDS = ("allowlist", "gitleaks", "nosec", "trufflehog", "ggignore", "noboost", "whitelist")
_COMMENT = lazy(r"[ \t]{0,400}(?:#|//|/?\*|<!--|--[ \t]|;[ \t]|\"\"\"|>>>)")
_TRIPLE = lazy(r"\"\"\"|'''")
_DOCSTRING_LEAD = lazy(r"(?:\A|\n)[ \t]{0,200}[rRuU]?\Z")
_ROOM = 420
_PROVIDERS = 0.95
"""From this on a key is one wherever it stands."""


class Whereabouts:
    """One file. Nothing is looked at before a secret asks for it."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text

    @cached_property
    def starts(self) -> list[int]:
        """Of its lines."""
        starts = [0]
        at = self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def line_at(self, offset: int) -> int:
        """Counted from one."""
        return bisect_right(self.starts, offset)

    @cached_property
    def _allowing(self) -> list[int]:
        """Where comments stand that allow a secret on their line."""
        lowered = self.text.lower()
        if not any(word in lowered for word in _ALLOW_WORDS):
            return []
        return [mark.start() for mark in _ALLOWED.finditer(self.text)]

    @cached_property
    def _docstrings(self) -> list[tuple[int, int]]:
        """Of Python: strings in three quotes that are a statement of their own, by place."""
        return _docstrings(self.text) if self.path.endswith((".py", ".pyi")) else []

    def _in_docstring(self, at: int) -> bool:
        index = bisect_right(self._docstrings, (at, len(self.text))) - 1
        return index >= 0 and at < self._docstrings[index][1]

    def weighed(self, hit: SecretHit, first: int, end: int) -> tuple[float, str]:
        """What file and line (`first` to `end`) take from it, and why it is at most logged."""
        if hit.note:
            return hit.confidence, hit.note
        if bisect_left(self._allowing, first) < bisect_left(self._allowing, end):
            return hit.confidence, "allowed by a comment"
        if hit.confidence >= _PROVIDERS:
            return hit.confidence, ""
        reason = self._shown_off(hit)
        if reason:
            return hit.confidence, reason
        confidence = hit.confidence - (0.1 if is_test_path(self.path) else 0.0)
        if is_sample(self.path) or style_of(self.path) == "prose" or _COMMENT.match(self.text, first, end):
            confidence -= 0.12
        return round(confidence, 2), ""

    def _shown_off(self, hit: SecretHit) -> str:
        """Why nobody has to hide it; a private key has to be hidden everywhere."""
        if is_test_path(self.path) and not is_random(hit.value):
            return "test fixture"
        if hit.kind == "private-key":
            return ""
        if is_scratch(self.path) and not is_strong(hit.value):
            return "scratch file"
        if is_sample_file(self.path):
            return "example file"
        return "example in a docstring" if self._in_docstring(hit.start) else ""


def _docstrings(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    opened = _TRIPLE.search(text)
    while opened is not None:
        end = text.find(opened.group(), opened.end())
        if end < 0:
            break
        if _is_statement(text, opened.start()):
            spans.append((opened.start(), end + 3))
        opened = _TRIPLE.search(text, end + 3)
    return spans


def _is_statement(text: str, at: int) -> bool:
    """Alone on its line, behind a colon, a comment or nothing: no value of anything."""
    if _DOCSTRING_LEAD.search(text, max(0, at - _ROOM), at) is None:
        return False
    before = text[max(0, at - _ROOM) : at].rstrip(" \t\r\nrRuU")
    line = before[before.rfind("\n") + 1 :].lstrip()
    return not before or before.endswith(":") or line.startswith("#")
