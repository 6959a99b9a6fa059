"""What a secret is worth where it was committed before: nobody is about to write it, so a refusal would stop nothing.

In the code of others hardly one in twenty of those that only their name calls a secret opened anything: keys that a
program carries to all its users, defaults that are asked to be changed, values for trying out. They are worth a look
where the program itself has them. Groups of which none in a hundred was right are only logged: what lies in a test, an
example or a document, and the rows of `leeboard/data/secrets/at_rest.toml`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.secrets.claims import lasts_days, read_claims, rules_all
from leeboard.secrets.fixture import SAYS_TEST, is_key_file
from leeboard.secrets.hit import KEYS_OF_ONES_OWN, Secret, is_document
from leeboard.secrets.provider import has_format, shapes
from leeboard.secrets.weight import is_random, is_strong
from leeboard.text.language import is_sample, is_test_path
from leeboard.text.words import split_name

Rest = Literal["QUEUE", "LOG"]

_LOGINS = frozenset({"url-password", "url-token", "authorization", "user-option"})
"""Kinds that stand where a server asks for them: in an address, in a header, behind `curl -u`."""
_PASSING = frozenset({"azure-sas", "gitlab-session", "jwe"})
_SIGNED = frozenset({"jwt", "jwt-base64", "kubernetes-token"})
_OVER = frozenset({"aws-session-key", "aws-session-token", "google-oauth-token"})
"""Kinds that end within hours of being handed out: what was committed opens nothing any more."""
_MADE_IN_A_MOMENT = "anybody makes one in a moment, and most that code holds were made for a test"
_MADE_FOR_A_TEST = "probably made up for a test or an example"
_CARRIED = "programs carry such a key to all their users"
_ENDS = "a session ends by itself"
_WHOLE = 32
"""What a payment provider hands out is never shorter; a test makes up some signs behind the beginning."""
_WEEKS, _FOR_HOURS = 31, ("ghs_", "ghu_")
_NAMES_A_KEY = "names a key that is not shown with it"
_BESIDE = lazy(
    r"(?i)(?:^|/)(?:[a-z0-9]+[-_.]tests?|tests?(?:[-_.][a-z0-9]+|app|curl|data|suites?|files|cases|bed|server)?|regress|mocks?|demos?|playground|"
    r"(?:[a-z0-9]+[-_.])?fixtures?|[a-z0-9]+[-_.]testing|harness|cookbook|tutorials?|bench(?:mark)?s?|perf)(?:/|[-_.])|"
    r"(?:^|/)(?!(?:latest|contest|attest|protest|fastest|greatest)\.)[a-z0-9]+tests?\.[a-z]{1,4}$"
)
"""Folders and files of what is no product, also those whose name only begins or ends so."""


_OF_OTHERS = lazy(r"(?i)(?:^|/)(?:extract|scrap|crawl|download)(?:ers?|ors?|pers?)/|(?:^|/)spiders?/")
"""Folders of programs that read what others publish."""


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    reason: str
    aside: bool = False
    comment: bool = False
    up_to: float = 1.0
    last: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    value: str = ""


class _Rows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rows: tuple[_Row, ...] = ()


@cache
def _rows() -> tuple[_Row, ...]:
    return load("secrets/at_rest", _Rows).rows


def rest_of(secret: Secret, path: str, *, refused: bool) -> tuple[str, Rest]:
    """Why it is less there, and what it is at most; no reason where it speaks for itself."""
    is_aside = _is_aside(path)
    if secret.kind in KEYS_OF_ONES_OWN:
        logged = _MADE_FOR_A_TEST if is_aside or SAYS_TEST.search(path) else ""
    elif secret.kind in _OVER or (secret.kind in _PASSING and is_aside) or _is_short_lived(secret):
        logged = _ENDS
    elif secret.kind in _PASSING:
        logged = ""
    elif secret.kind == "aws-access-key":
        logged = _NAMES_A_KEY if is_aside or secret.in_comment else ""
    elif secret.kind in shapes().carried:
        logged = _CARRIED if is_aside else ""
    elif has_format(secret.value):
        is_short = secret.kind == "stripe-key" and len(secret.value) < _WHOLE and is_aside
        logged = "shorter than any that was handed out" if is_short else ""
    elif _is_a_record(secret.value):
        logged = "a record that can be read, and nothing in it is secret"
    else:
        logged = next((row.reason for row in _rows() if _is_of(row, secret, is_aside=is_aside)), "")
    return (logged, "LOG") if logged else (why_no_refusal(secret, path) if refused else "", "QUEUE")


def _is_a_record(value: str) -> bool:
    """Base64 of something like `{"session_id": "default"}`."""
    held = read_claims(value) if value.startswith("eyJ") else {}
    return bool(held) and not any(is_random(str(one)) for one in held.values())


def _is_short_lived(secret: Secret) -> bool:
    """A token that says itself that it ends within weeks, or is handed out for hours: nobody publishes so soon."""
    return secret.value.startswith(_FOR_HOURS) or (secret.kind == "jwt" and lasts_days(secret.value) <= _WEEKS)


def _is_of(row: _Row, secret: Secret, *, is_aside: bool) -> bool:
    if (row.aside and not is_aside) or secret.confidence > row.up_to:
        return False
    if row.comment and (not secret.in_comment or is_strong(secret.value)):
        return False
    words = split_name(secret.name)
    if (row.last and not row.last.intersection(words[-1:])) or row.without.intersection(words):
        return False
    return not row.value or re.fullmatch(row.value, secret.value) is not None


def why_no_refusal(secret: Secret, path: str) -> str:
    """Empty where it speaks for itself: a provider's format in the code of a program."""
    if secret.kind in KEYS_OF_ONES_OWN:
        alone = is_key_file(path)
        return "most keys that lie in a file of their own were made for a test" if alone else _MADE_IN_A_MOMENT
    if secret.kind in shapes().carried:
        return _CARRIED
    if _OF_OTHERS.search(path):
        return "a service of others shows it to whoever opens its page"
    return _OF_A_KIND.get(secret.kind) or _why_less(secret, path)


def _why_less(secret: Secret, path: str) -> str:
    if secret.kind in _SIGNED and not rules_all(secret.value):
        return "a signed token, of which nothing says that it opens all doors"
    if not has_format(secret.value):
        return "only its name calls it a secret"
    is_shown = secret.in_comment or _is_aside(path)
    return "shown in a test, an example or a comment, where most keys were revoked long ago" if is_shown else ""


_OF_A_KIND = {
    **dict.fromkeys(_LOGINS, "most logins that programs carry are shared by all their users"),
    **dict.fromkeys(_PASSING, _ENDS),
}


def _is_aside(path: str) -> bool:
    return is_test_path(path) or is_sample(path) or is_document(path) or _BESIDE.search(path) is not None
