"""The way to the secrets of a text: found for those who warn of them, taken out before anything keeps the text.

A look at hints comes first, and most texts end there. To redact, all that `find_secrets` takes for a secret goes. What
is kept must not hold half of one either, so redaction looks further than a finding may: by shape (a vendor's prefix, a
key block, a JWT), by where it stands (behind a user name in an address, behind `Bearer`), and by the name in front
(`password=`). The last one meets a lot of code, so a value that is a call, a reference, a type or a placeholder stays.
Every repeat is bounded: time is linear.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from leeboard.model.text import lazy
from leeboard.text.names import clues, held_of

if TYPE_CHECKING:
    from leeboard.secrets.hit import Secret

REDACTED = "[redacted]"

_SHORTEST = 6
_GROWS = "\u0130"
"""The one letter that is two in lower case: a hint can not be told around it."""
_MORE = 4_096
"""No word of a text is longer that could be a secret."""

_FEW_LINES = 400
"""Characters behind the last that is kept: what begins there ends within them, or with their line."""

_KEY_BLOCK = lazy(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:[^-]++|-(?!----))*-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?:[A-Za-z0-9+/=\s]|\\[nr])*)"
)
_BY_SHAPE = lazy(
    r"""(?<![A-Za-z0-9])(?:
      (?:sk|pk|rk)[-_](?:live|test|prod|ant|proj|or|svcacct|admin)?[-_]?[A-Za-z0-9_\-]{16,200}
    | (?:gh[pousr]_|hf_|npm_|gsk_|r8_|whsec_|figd_|ntn_|lin_api_|dop_v1_|doo_v1_|dckr_pat_|shp(?:at|ss|ca|pa)_)
      [A-Za-z0-9_\-]{16,200}
    | (?:github_pat_|glpat-|glrt-|gldt-|xox[abeoprs]-|xapp-|pypi-Ag|GOCSPX-|PMAK-|NRAK-|hvs\.|hvb\.|dp\.pt\.|ATATT|
      tskey-)
      [A-Za-z0-9_\-.=]{12,300}
    | SG\.[A-Za-z0-9_\-]{10,40}\.[A-Za-z0-9_\-]{10,80}
    | (?:AKIA|ASIA|AROA|AIDA|ABIA)[A-Z0-9]{16}(?![A-Za-z0-9])
    | AIza[A-Za-z0-9_\-]{30,60} | ya29\.[A-Za-z0-9_\-]{20,300} | AGE-SECRET-KEY-1[A-Z0-9]{40,80}
    | eyJ[A-Za-z0-9_\-]{8,1000}+\.[A-Za-z0-9_\-]{8,4000}(?:\.[A-Za-z0-9_\-]{8,2000})?
    | (?:dapi|key-)[0-9a-f]{32}(?![A-Za-z0-9]) | sq0[a-z]{3}-[A-Za-z0-9_\-]{20,60} | EAAA[A-Za-z0-9_\-]{40,300}
    | [0-9]{8,10}:AA[A-Za-z0-9_\-]{33}(?![A-Za-z0-9_\-])
    )""",
    re.VERBOSE,
)
_BY_PLACE: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = (
    (("://",), lazy(r"""(://[^\s:/@"'<>]{0,80}:)(?!\[redacted\])[^\s/@"'<>]{1,200}(?=@)""")),
    (
        ("slack.com/", "discord"),
        lazy(r"(hooks\.slack\.com/services/|discord(?:app)?\.com/api/webhooks/)[A-Za-z0-9/_\-]{10,200}"),
    ),
    (
        ("bearer", "basic"),
        lazy(r"(?i)(\b(?:bearer|basic)[ \t]{1,4})(?=[a-z._~+/\-]{0,200}[0-9=])[a-z0-9._~+/\-]{12,4000}={0,2}"),
    ),
    (
        ("authorization",),
        lazy(
            r"""(?i)(authorization["']?[ \t]{0,2}[:=][ \t]{0,2}["']?"""
            r"""(?:(?:bearer|basic|token|digest|apikey)[ \t]{1,4})?)"""
            r"""(?!\[redacted\]|[$<{]|(?:bearer|basic|token)\b)[a-z0-9._~+/=\-]{8,4000}"""
        ),
    ),
    (
        ("cookie:",),
        lazy(r"""(?i)(cookie:[ \t]{0,2})(?!\[redacted\])(?=[^\s=]{1,80}=)[^\r\n"']{4,4000}"""),
    ),
    (
        ("-u", "--user"),
        lazy(r"""(-(?:(?<=\s-)u|-user)[ =]{1,2}[^\s:"'$]{1,80}:)(?!\[redacted\]|[$<{/])[^\s"'@]{3,200}"""),
    ),
    (
        ("-pass", "-secret", "-token", "-key"),
        lazy(
            r"""(--?[\w\-]{0,40}(?i:passw(?:or)?d|passphrase|secret|token|key)[ ]{1,2})(?![$<{\-\[])"""
            r"""[^\s"'0-9]{0,200}[0-9][^\s"']{0,200}"""
        ),
    ),
)
"""A hint in lower case that must occur, and what it then takes to be a secret; the first group stays."""
_BY_NAME = lazy(
    r"""(?P<name>(?i:passw(?:or)?d|passwd|passphrase|pwd|secret|api[_\-]?key|access[_\-]?key|account[_\-]?key|private[_\-]?key|
        encryption[_\-]?key|signing[_\-]?key|token|credentials?)(?P<rest>[A-Za-z0-9_\-]{0,30})\\?["'\]]?)
        (?P<sign>[ \t]{0,4}(?::=|=>|[:=])[ \t]{0,4})
        (?:(?P<quote>\\?["'`])(?P<quoted>[^"'`\r\n\\]{1,400})|(?P<bare>[^\s"'`,;()\[\]{}<>&|]{4,400})(?P<after>[(\[{.,)]?))""",
    re.VERBOSE,
)
_NAME_HINTS = (
    "passw passphrase pwd secret token credential api_key api-key apikey access_key access-key accesskey account_key "
    "account-key accountkey private_key private-key privatekey encryption_key encryption-key encryptionkey signing_key "
    "signing-key signingkey"
).split()
_HINTS = (
    *"pass pw psw secret token cred auth salt nonce key bearer jwt session cookie seed mnemonic webhook sas".split(),
    *"api hmac psk basic digest ntlm negotiate :// -u -user @tcp( @unix( private putty contribsys".split(),
    *(" -p", " -a ", " -w ", " -k "),
)
"""In lower case: one of them stands in every text with a secret that does not show by its own signs."""
_HINTS_OF_LITERALS = "securestring identified login log_in connect signin sign_in createuser create_user".split()
"""Words that only count in front of a literal: a text without a quote has none."""
_PLAIN_PATH = lazy(
    r"[a-z]{0,15}(?:[A-Z][a-z]{2,15}){0,4}[0-9]{0,4}(?:[/._\-][a-z]{0,15}(?:[A-Z][a-z]{2,15}){0,4}[0-9]{0,4})*\Z"
)
"""Words and small numbers, and the signs between them: nothing that is drawn by chance looks like this for long."""
_LONGEST_PATH = 400
_RUN = lazy(r"[A-Za-z0-9+/=_\-.!@#%^*~:]{14,}")
_DRAWN = lazy(r"[0-9A-Z]")
_DRAWN_PART = lazy(r"(?=[A-Za-z0-9]{0,80}[0-9])(?=[A-Za-z0-9]{0,80}[A-Za-z])[A-Za-z0-9]{10,}")
_SURELY = 0.9
"""Words in a row, `Sha256HasherV2`, are less sure than this."""
_SHAPE_HINTS = (
    "sk- sk_ pk- pk_ rk- rk_ ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- glrt- gldt- hf_ npm_ gsk_ r8_ whsec_ "
    "figd_ ntn_ "
    "lin_api_ dop_v1_ doo_v1_ dckr_pat_ shpat_ shpss_ shpca_ shppa_ xox xapp- pypi-Ag GOCSPX- PMAK- NRAK- hvs. "
    "hvb. dp.pt. "
    "ATATT tskey- SG. AKIA ASIA AROA AIDA ABIA AIza ya29. AGE-SECRET eyJ dapi key- sq0 EAAA :AA"
).split()
_SHAPE_CLUES = clues(_SHAPE_HINTS)
_SHORT = 2_000
"""A text of this size is looked through sooner than its words are told apart."""
_PLACEHOLDER = lazy(
    r"\[redacted\]|[$<{%]|(?:process\.|os\.|env\.|secrets?\.|var\.|vars\.|self\.|this\.|config\.|settings\.|"
    r"import\.)|\*{3,}|x{3,}$|\.{3}|your[_\-]|"
    r"(?:my|the|a|an|some)[_\- ]?(?:password|secret|token|key)$|(?:example|placeholder|changeme|change-me|"
    r"redacted|none|null|nil|undefined|"
    r"true|false|string|str|text|bytes?|bytea|varchar|number|int(?:eger)?|any|unknown|object|bool(?:ean)?|"
    r"required|optional|void|never|"
    r"password|secret|token|email|hidden|char|date|uuid|type|value|default|empty|missing|invalid|expired)$",
    re.IGNORECASE,
)
_NAMED_AFTER = lazy(
    r"(?<![\w/.\-])[A-Za-z0-9+/_\-=]{16,200}(?![\w/.\-])(?=(?:\s{1,4}(?:in|into|to|inside)\s{1,4}\S{1,120})?"
    r"\s{1,4}as\s{1,4}(?:(?:the|my|our|its|your|a)\s{1,4})?[\w\-]{0,30}(?i:passw|secret|token|key|credential))"
)
"""`put 3f9a... into config.py as the api_key`"""
_LETTERS = lazy(r"[A-Za-z_.]+\Z")
_COUNTED = lazy(r"[\d.]+[kKmM]?\Z")


@lru_cache(maxsize=256)
def redact(text: str) -> str:
    """The text with every secret replaced. What stands around it stays, so that a person still understands it."""
    if len(text) < _SHORTEST or _is_plain_path(text) or not may_hold(text):
        return text
    from leeboard.secrets.detection import secret_spans  # noqa: PLC0415 - a hook pays for it only where there is text

    text = _without(secret_spans(text), text)
    if "-----BEGIN" in text:
        text = _KEY_BLOCK.sub(REDACTED, text)
    if _may_have_shape(text):
        text = _BY_SHAPE.sub(_shaped, text)
    lowered = text.lower()
    if " as " in lowered:
        text = _NAMED_AFTER.sub(_after, text)
        lowered = text.lower()
    for hints, pattern in _BY_PLACE:
        if _has_one(hints, lowered):
            text = pattern.sub(rf"\1{REDACTED}", text)
            lowered = text.lower()
    return _without_named(text, lowered)


def find_secrets(text: str, path: str = "", lines: Iterable[int] | None = None) -> tuple[Secret, ...]:
    """Every secret that touches one of these lines (all where None), by place; placeholders too, with that note.

    What stands on other lines is not weighed, but for what is needed to read these.
    """
    if _GROWS not in text and not may_hold(text):
        return ()
    from leeboard.secrets.detection import weighed_secrets  # noqa: PLC0415 - as above

    return weighed_secrets(text, path, lines)


@lru_cache(maxsize=1024)
def redact_shaped(text: str) -> str:
    """Only what shows by its own signs goes: of names and ids, where what stands before a value says nothing of it."""
    if len(text) < _SHORTEST or _is_plain_path(text) or not any(map(_may_be_drawn, _RUN.findall(text))):
        return text
    from leeboard.secrets.detection import shaped_spans  # noqa: PLC0415 - as above

    text = _without(shaped_spans(text), text)
    if "-----BEGIN" in text:
        text = _KEY_BLOCK.sub(REDACTED, text)
    return _BY_SHAPE.sub(_shaped, text) if _may_have_shape(text) else text


def redact_name(name: str) -> str:
    """Of a function or a variable: as `redact`, and without a value that was drawn and stands behind the word for it,
    `password_Zk3J...`. What is made of words and small numbers stays: findings are known again by their names.
    """
    bare = redact(name)
    for part in _DRAWN_PART.finditer(bare):
        head, value = bare[: part.start()].rstrip("_-"), part[0]
        if head and not _is_plain_path(value) and _is_value_of(head, value):
            return f"{bare[: part.start()]}{REDACTED}{redact_name(bare[part.end() :])}"
    return bare


def _is_value_of(name: str, value: str) -> bool:
    assigned = f'{name} = "{value}"'
    return any(one.confidence >= _SURELY for one in find_secrets(assigned, "name.py"))


def has_shape(text: str) -> bool:
    """Whether a key of one of the great makers stands there: a look at many names that costs next to nothing."""
    return _may_have_shape(text) and _BY_SHAPE.sub(_shaped, text) != text


def _is_plain_path(text: str) -> bool:
    """Most paths are, and many have a word of `_HINTS` in them, which would have a hook load all that knows secrets."""
    return len(text) <= _LONGEST_PATH and _PLAIN_PATH.match(text) is not None and not _has_one(_SHAPE_HINTS, text)


def may_hold(text: str) -> bool:
    """Whether there is anything to look at: no secret is without a hint or a long run of its signs.

    Most texts are short and hold none; for them this is all that is done, be it to redact or to find.
    """
    lowered = text.lower()
    if _has_one(_HINTS, lowered):
        return True
    if ("'" in text or '"' in text) and _has_one(_HINTS_OF_LITERALS, lowered):
        return True
    runs = _RUN.findall(text)
    return bool(runs) and (_may_have_shape(text) or any(map(_may_be_drawn, runs)))


def _may_be_drawn(run: str) -> bool:
    """Whether a run of signs could be made by chance: a path in a sentence is as plain as one by itself."""
    return _DRAWN.search(run) is not None and not _is_plain_path(run)


def _may_have_shape(text: str) -> bool:
    """Whether a maker's sign stands there. Of a long text its distinct words say which signs are worth a look."""
    return _has_one(_SHAPE_HINTS if len(text) <= _SHORT else held_of(text, _SHAPE_CLUES), text)


def _has_one(hints: Iterable[str], text: str) -> bool:
    """As `any` over them, at half the cost."""
    for hint in hints:  # noqa: SIM110 - a generator would cost as much again as the look itself
        if hint in text:
            return True
    return False


def redact_start(text: str, limit: int) -> str:
    """The beginning of a text. More is read than is kept, up to the end of a word: half a secret shows no longer."""
    if len(text) <= limit:
        return redact(text)
    window = text[: limit + _MORE]
    end = window.find("\n", limit + _FEW_LINES)
    if end < 0 and len(window) < len(text):
        end = max(window.rfind(" "), window.rfind("\n"), window.rfind("\t"), limit - 1)
    return redact(window[: end + 1] if end >= 0 else window)[:limit]


def redact_end(text: str, limit: int) -> str:
    """The end of a text, from the first whole line on; a key whose beginning was cut off goes with it."""
    if len(text) <= limit:
        return redact(text)
    window = text[-limit - _MORE :]
    if len(window) < len(text):
        window = window.partition("\n")[2]
    end, begin = window.find("-----END"), window.find("-----BEGIN")
    if end >= 0 and not 0 <= begin < end:
        window = window[end:].partition("\n")[2]
    return redact(window)[-limit:]


def _after(match: re.Match[str]) -> str:
    return REDACTED if any(map(str.isdigit, match.group())) else match.group()


def _without_named(text: str, lowered: str) -> str:
    """Tried only where a name stands: as `sub` would do it, without a look at every character."""
    if len(lowered) != len(text):
        return _BY_NAME.sub(_named, text) if any(hint in lowered for hint in _NAME_HINTS) else text
    parts: list[str] = []
    done = 0
    for at in sorted(_occurrences(lowered)):
        match = _BY_NAME.match(text, at) if at >= done else None
        if match is not None:
            parts += (text[done:at], _named(match))
            done = match.end()
    return "".join([*parts, text[done:]]) if parts else text


def _occurrences(lowered: str) -> Iterator[int]:
    for hint in _NAME_HINTS:
        at = lowered.find(hint)
        while at >= 0:
            yield at
            at = lowered.find(hint, at + 1)


def _without(spans: list[tuple[int, int]], text: str) -> str:
    if not spans:
        return text
    ends = [0, *(end for _start, end in spans)]
    starts = [*(start for start, _end in spans), len(text)]
    return REDACTED.join(text[end:start] for end, start in zip(ends, starts, strict=True))


def _shaped(match: re.Match[str]) -> str:
    """A vendor's prefix also begins names of constraints, settings and style classes: those carry no digit."""
    token = match.group()
    prefixed = token.startswith(("sk", "pk", "rk", "npm_", "hf_", "r8_", "gsk_"))
    return token if prefixed and not any(map(str.isdigit, token)) else REDACTED


def _named(match: re.Match[str]) -> str:
    if match["quoted"] is not None:
        kept = _PLACEHOLDER.match(match["quoted"]) or _is_prose(match)
        return match.group() if kept else f"{match['name']}{match['sign']}{match['quote']}{REDACTED}"
    looks: Callable[[re.Match[str]], bool] = _spaced_value if match["sign"] != "=" else _tight_value
    secret = not _PLACEHOLDER.match(match["bare"]) and not _is_count(match) and looks(match)
    return f"{match['name']}{match['sign']}{REDACTED}{match['after']}" if secret else match.group()


def _is_prose(match: re.Match[str]) -> bool:
    """`"token": "Enter your token here"` is a label."""
    return match["quoted"].count(" ") >= 2 or len(match["quoted"]) < 3


def _is_count(match: re.Match[str]) -> bool:
    """`max_tokens=4096`, `token_count: 12`."""
    return bool(_COUNTED.match(match["bare"])) and (match["rest"] != "" or match["name"].lower().startswith("token"))


def _spaced_value(match: re.Match[str]) -> bool:
    """After `: ` or ` = ` names of types, variables and calls are common: a secret shows by a digit or a sign."""
    if match["after"] in {"(", "[", "{", "."}:
        return False
    bare = match["bare"]
    if _LETTERS.match(bare):
        yaml = ":" in match["sign"] and bare.islower() and "_" not in bare and "." not in bare
        return yaml and match["after"] == "" and len(bare) >= 6
    return True


def _tight_value(match: re.Match[str]) -> bool:
    """`PASSWORD=value` and `?token=value`; `login(password=password)` passes a variable on."""
    if match["after"] in {"(", "[", "{", "."}:
        return False
    if not _LETTERS.match(match["bare"]):
        return True
    before = match.string[match.start() - 1 : match.start()]
    shell = match["name"].isupper() or before in {"-", "?", "&"}
    return shell and match["after"] == "" and len(match["bare"]) >= 6
