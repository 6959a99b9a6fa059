"""Connections nobody checks: unverified certificates, host keys accepted unseen, protocols broken or in clear text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from leeboard.model.text import lazy
from leeboard.security.crypto import words
from leeboard.security.crypto.constant import values_of
from leeboard.security.crypto.source import CallSite, CryptoSource, SettingSite, Site
from leeboard.security.crypto.weakness import WeaknessHit

_CHECK_OFF = "verify the certificate"


def hits(source: CryptoSource) -> Iterator[WeaknessHit]:
    known = words.transport()
    names = _setting_names()
    for name, settings in source.settings.items() if source.has(names) else ():
        if name.lower() in names:
            for setting in settings:
                if "default_parameter" not in setting.node.kind():
                    yield from _of_setting(setting, source)
    for call in source.named(*sorted(known.true_options), *_OTHER_CALLS):
        yield from _of_call(call, source)
    yield from _of_spelling(source)
    if source.language in {"java", "kotlin", "csharp", "javascript", "typescript", "tsx"}:
        for pattern in map(words.pattern, (known.empty_check, known.callback)):
            accepting = source.spelling(pattern, known.check_hints, broken=True)
            yield from (_off(site, "a check that accepts everything") for site in accepting)


@cache
def _setting_names() -> tuple[str, ...]:
    known = words.transport()
    return tuple(sorted(known.false_options | known.true_options | known.versions | _OTHER_NAMES))


def _of_spelling(source: CryptoSource) -> Iterator[WeaknessHit]:
    known = words.transport()
    for site in source.spelling(words.pattern(known.off_word), known.off_hints):
        if not _is_only_named(site, source):
            yield _off(site, _spelled(site, source))
    for site in source.spelling(words.pattern(known.old_word), known.old_hints):
        if not _is_only_named(site, source):
            yield WeaknessHit(kind="old TLS", what=_spelled(site, source), site=site, fix="demand TLS 1.2 or newer")


_OTHER_NAMES = frozenset({"cert_reqs", "ssl", "node_tls_reject_unauthorized", "_create_default_https_context"})
_OTHER_CALLS = (
    "curl_easy_setopt",
    "curl_setopt",
    "setopt",
    "getinstance",
    "wrap_socket",
    "sslcontext",
    "telnet",
    "ftp",
    "smtp",
    "imap4",
    "pop3",
)


_ENTRY = lazy(
    r"""^[ \t]*["'](?P<key>[^"'\n]{1,60})["'][ \t]*(?::|=>|,)[ \t]*[\w.:]{1,80}[ \t]*[,})]{0,2}[ \t]*(?://.*|\#.*)?$"""
)
_CHOOSES = lazy(r"(?i)min|max|version|protocol|verify|mode|method")
_ASKED = lazy(r"(?:[=!]=|\bcase|#[ \t]*define|\bis(?:[ \t]+not)?)[ \t(]*[\w.:]{0,40}$")
_DEFINED = lazy(r"[ \t]*(?:=(?![=>])|[=!]=|:[ \t]*$)", re.MULTILINE)


def _is_only_named(site: Site, source: CryptoSource) -> bool:
    """It is defined, compared or listed under its own name there; nothing is set to it."""
    first = source.text.rfind("\n", 0, site.start) + 1
    end = source.text.find("\n", site.end)
    line = source.text[first : end if end >= 0 else len(source.text)]
    entry = _ENTRY.match(line)
    if entry is not None and not _CHOOSES.search(entry["key"]):
        return True
    return bool(_ASKED.search(source.text[first : site.start]) or _DEFINED.match(source.text, site.end))


def _spelled(site: Site, source: CryptoSource) -> str:
    return source.text[site.start : site.end].strip("( ")[:60]


def _off(site: Site, what: str, sure: float = 0.9) -> WeaknessHit:
    return WeaknessHit(kind="unverified connection", what=what, site=site, sure=sure, fix=_CHECK_OFF)


def _of_setting(setting: SettingSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    name = setting.last
    if name in words.transport().false_options or name in words.transport().true_options:
        wanted = name in words.transport().true_options
        values = values_of(setting.value, source)
        if (values.is_only(wanted) or (not wanted and values.is_only(0))) and _is_about_tls(setting, source):
            yield _off(setting, f"{setting.name} {'on' if wanted else 'off'}")
    elif name in {"cert_reqs", "ssl"}:
        yield from _named_off(setting, source)
    elif name == "node_tls_reject_unauthorized":
        if values_of(setting.value, source).known in {("0",), (0,)}:
            yield _off(setting, "NODE_TLS_REJECT_UNAUTHORIZED=0")
    elif name in words.transport().versions:
        for text in values_of(setting.value, source).texts:
            if words.pattern(words.transport().old_text).match(text):
                yield WeaknessHit(kind="old TLS", what=text, site=setting, fix="demand TLS 1.2 or newer")
    elif name == "_create_default_https_context" and "unverified" in setting.value.text()[:80]:
        yield _off(setting, "certificates off for the whole process")


def _named_off(setting: SettingSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    """`cert_reqs="CERT_NONE"`, and `ssl=False` of an asynchronous client."""
    values = values_of(setting.value, source)
    if values.texts in {("CERT_NONE",), ("NONE",)}:
        yield _off(setting, "cert_reqs off")
    elif setting.last == "ssl" and values.is_only(wanted=False) and "keyword" in setting.node.kind():
        before = source.text[max(0, setting.start - 160) : setting.start]
        if re.search(r"(?i)connector|aiohttp|session\.(?:get|post|put|request)|client", before):
            yield _off(setting, "ssl off")


def _is_about_tls(setting: SettingSite, source: CryptoSource) -> bool:
    """`verify=False` means other things too: a call of an HTTP or TLS library around it tells."""
    if setting.last != "verify":
        return True
    if "assignment" in setting.node.kind() and "." not in setting.target:
        return False  # a name by itself: what it is handed to is told, where that is seen
    libraries = words.pattern(words.transport().libraries)
    if "." in setting.target or source.language not in {"python", "php", "ruby"}:
        return bool(
            words.pattern(words.transport().libraries).search(
                source.text[max(0, setting.start - 120) : setting.start + 60]
            )
        )
    called = next((one.field("function") for one in setting.node.ancestors()[:3] if one.kind() == "call"), None)
    if called is not None and not libraries.search(called.text()[:200].replace("_", " ")):
        return False
    before = source.text[max(0, setting.start - 400) : setting.start]
    if re.search(r"\bjwt\b|\bjws\b|jose", before[-200:], re.IGNORECASE):
        return False
    return bool(libraries.search(before)) or source.has(("import requests", "import httpx", "guzzle", "urllib"))


def _of_call(call: CallSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    last = call.last
    if last in words.transport().true_options and call.args and values_of(call.args[0], source).is_only(wanted=True):
        yield _off(call, f"{last}(true)")
    elif last in {"curl_easy_setopt", "curl_setopt", "setopt"} and len(call.args) > 1:
        yield from _curl(call, source)
    elif last == "getinstance" and "SSLContext" in call.name:
        for text in values_of(call.args[0], source).texts if call.args else ():
            if words.pattern(words.transport().old_text).match(text):
                yield WeaknessHit(kind="old TLS", what=text, site=call, fix="demand TLS 1.2 or newer")
    elif last in {"wrap_socket", "sslcontext"} and source.language == "python":
        yield from _bare_context(call, source)
    elif last in _CLEAR and re.fullmatch(
        r"(?:telnetlib\.)?Telnet|(?:ftplib\.)?FTP|(?:smtplib\.)?SMTP|imaplib\.IMAP4|poplib\.POP3", call.name
    ):
        yield from _clear_text(call, source)


def _curl(call: CallSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    option = next((arg.text() for arg in call.args[:2] if "VERIFY" in arg.text()[:60]), "")
    values = values_of(call.args[-1], source)
    name = option.rpartition(".")[2]
    known = name.removeprefix("CURLOPT_") in {"SSL_VERIFYPEER", "SSL_VERIFYHOST"}
    if known and (values.is_only(0) or values.is_only(wanted=False)):
        yield _off(call, f"{name} off")


def _bare_context(call: CallSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    """Contexts made by hand check nothing until told to."""
    text = source.function_text(call)
    told = "cert_reqs" in call.named or re.search(
        r"verify_mode|PROTOCOL_TLS_(?:CLIENT|SERVER)|CERT_REQUIRED|load_cert_chain|server_side", text
    )
    if (
        call.name in {"ssl.wrap_socket", "ssl.SSLContext", "SSLContext"}
        and (source.text[call.end : call.end + 1] != "." or source.text.startswith(".wrap_", call.end))  # only asked
        and not told
        and not words.pattern(words.transport().old_word).search(text)
    ):
        yield _off(call, f"{call.name} without verification", 0.7)


_WITH_PASSWORD = 3
"""Host, user and password."""
_CLEAR = frozenset({"telnet", "ftp", "smtp", "imap4", "pop3"})
_STARTED_LATER = lazy(r"(?i)starttls|\bstls\b|_ssl\b|_tls\b|\btls\b|use_?ssl|prot_p|\bssl\b")
_LOGS_IN = lazy(r"\.(?:login|pass_|auth)\(\s*[^\s)]")
_IS_ASKED = lazy(r"(?is)read_until\(.{0,60}(?:login|user|passw).{0,400}\.write\(")
"""A terminal asks who it is, and is told."""
_NO_STRANGER = lazy(r"(?i)[\"'](?:localhost|127\.0\.0\.1|::1|anonymous)[\"']")
"""On the same machine nobody listens, and everybody knows the name of a guest."""


def _clear_text(call: CallSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    name = call.name.rpartition(".")[2]
    text = source.function_text(call)
    if name != "Telnet" and _STARTED_LATER.search(text):
        return
    if name in {"SMTP", "IMAP4", "POP3"} and not _LOGS_IN.search(text):
        return
    if name == "FTP" and not source.has(("ftplib",)):
        return
    if name == "Telnet":
        logs_in = _IS_ASKED.search(text) is not None
    else:
        logs_in = len(call.args) >= _WITH_PASSWORD or _LOGS_IN.search(text) is not None
    guarded = logs_in and not _NO_STRANGER.search(text)
    yield WeaknessHit(
        kind="clear text",
        what=f"{name} without TLS",
        site=call,
        weighing="always" if guarded else "note",
        sure=0.7,
        fix="use a protocol with TLS",
    )
