"""Thousands of secrets of many makers, put together when they are needed, and how each of them would be written."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from tests.leak import random_text

PIECE = 12
"""Characters of a secret that nobody may find anywhere."""

_UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_HEX = "0123456789abcdef"
_MIXED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_FORMATS = (
    ("stripe_key", "sk_live_{a24}"),
    ("stripe_key", "rk_live_{a24}"),
    ("github_token", "ghp_{a36}"),
    ("github_token", "gho_{a36}"),
    ("github_token", "github_pat_{a22}_{a59}"),
    ("gitlab_token", "glpat-{a20}"),
    ("aws_key_id", "AKIA{u16}"),
    ("slack_token", "xoxb-{d11}-{d11}-{a24}"),
    ("google_key", "AIza{a35}"),
    ("mail_key", "SG.{a22}.{a43}"),
    ("npm_token", "npm_{a36}"),
    ("model_key", "hf_{a34}"),
    ("model_key", "sk-ant-api03-{a93}AA"),
    ("model_key", "sk-proj-{a48}"),
    ("do_token", "dop_v1_{h64}"),
    ("shop_token", "shpat_{h32}"),
    ("oauth_secret", "GOCSPX-{a28}"),
    ("linear_key", "lin_api_{a40}"),
    ("bot_token", "{d9}:AA{a33}"),
    ("vault_token", "hvs.{a24}"),
    ("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOi{a40}.{a43}"),
    ("databricks", "dapi{h32}"),
    ("pypi_token", "pypi-AgEIcHlwaS5vcmc{a70}"),
    ("docker_token", "dckr_pat_{a27}"),
    ("google_token", "ya29.{a60}"),
)
_PLACES = (
    "https://deploy:{a24}@db.internal/app",
    "postgres://admin:{a20}@db.internal:5432/app",
    "Authorization: Bearer {a40}",
    "curl -H 'Authorization: token {h40}' https://api.internal/user",
    "https://hooks.slack.com/services/T{u9}/B{u9}/{a24}",
)
_NAMES = (
    *("password", "api_key", "secret", "token", "client_secret", "db_password", "access_key", "auth_token"),
    *("STRIPE_SECRET", "DB_PASSWORD", "API_KEY", "SESSION_SECRET", "private_key", "encryption_key", "smtp_password"),
)
_WORD = re.compile(rb"[a-z0-9]{12,}")
_ALPHABETS = {"a": _MIXED, "u": _UPPER, "h": _HEX, "d": "0123456789"}


class Planted(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    value: str
    """As it stands in a text; around a password in an address, the address."""
    pieces: tuple[str, ...]
    """What is random in it, and nobody's business."""
    alone: bool = False
    """Its maker's format shows wherever it stands; others are known by what they are called."""

    @property
    def assigned(self) -> str:
        """As code writes it."""
        return f'{self.name} = "{self.value}"'


def planted(count: int) -> list[Planted]:
    """Each another; the same every time."""
    return [_planted(number) for number in range(count)]


def _planted(number: int) -> Planted:
    kinds = len(_FORMATS) + len(_PLACES) + len(_NAMES)
    kind = number % kinds
    if kind < len(_FORMATS):
        name, shape = _FORMATS[kind]
    elif kind < len(_FORMATS) + len(_PLACES):
        name, shape = "address", _PLACES[kind - len(_FORMATS)]
    else:
        name, shape = _NAMES[kind - len(_FORMATS) - len(_PLACES)], ("{a32}", "{h40}", "{a20}")[number // kinds % 3]
    value, pieces = _filled(shape, number)
    return Planted(name=name, value=value, pieces=pieces, alone=kind < len(_FORMATS))


def _filled(shape: str, number: int) -> tuple[str, tuple[str, ...]]:
    parts = shape.split("{")
    value, pieces = parts[0], []
    for at, part in enumerate(parts[1:]):
        hole, _, rest = part.partition("}")
        random = _random(hole, number * 8 + at)
        pieces.append(random)
        value += random + rest
    return value, tuple(pieces)


def _random(hole: str, number: int) -> str:
    """With a digit where its maker's format has letters, as nearly all have."""
    text = random_text(int(hole[1:]), number, _ALPHABETS[hole[0]])
    return text if hole[0] == "d" or any(map(str.isdigit, text)) else f"7{text[1:]}"


def private_key(number: int) -> Planted:
    lines = tuple(random_text(64, number * 8 + at) for at in range(6))
    head, foot = (f"-----{word} RSA PRIVATE KEY-----" for word in ("BEGIN", "END"))
    return Planted(name="signing_key", value="\n".join((head, *lines, foot)), pieces=lines)


def grams(secrets: list[Planted]) -> frozenset[bytes]:
    """Every run of characters of which a single one would be too much, in lower case."""
    return frozenset(gram for one in secrets for piece in one.pieces for gram in _runs(piece.lower().encode()))


def found_in(data: bytes, wanted: frozenset[bytes]) -> set[bytes]:
    """Which of them stand there, in any case of letters: what is looked up by its words is kept in lower case."""
    return {run for word in _WORD.findall(data.lower()) for run in _runs(word) if run in wanted}


def _runs(text: bytes) -> Iterator[bytes]:
    return (text[start : start + PIECE] for start in range(len(text) - PIECE + 1))
