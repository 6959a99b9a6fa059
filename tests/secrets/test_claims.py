from __future__ import annotations

import json
from base64 import urlsafe_b64encode

import pytest

from leeboard.secrets.claims import lasts_days, rules_all, why_open
from leeboard.secrets.redaction import find_secrets

STATES = "a signed statement, which lets nobody in"
SIGNATURE = "Qk3vXr9TzL0mWc7YpJ2sHdN5gFa8BuEoRi1KtMxVwZ4"


def token(alg: str, claims: object) -> str:
    parts = ({"typ": "JWT", "alg": alg}, claims)
    return ".".join((*(urlsafe_b64encode(json.dumps(it).encode()).decode().rstrip("=") for it in parts), SIGNATURE))


ACCOUNT = {
    "iat": 1616186361,
    "iss": "OD4M6IAAKQSM4DQS",
    "name": "sys",
    "sub": "AD4M34OPRUPWDY",
    "a": {"type": "account"},
}


@pytest.mark.parametrize(
    ("alg", "claims", "states"),
    [
        ("ed25519-nkey", ACCOUNT, True),
        ("ES256", ACCOUNT, True),
        ("HS256", ACCOUNT, False),
        ("RS256", ACCOUNT | {"exp": 1916186361}, False),
        ("RS256", ACCOUNT | {"scope": "repo"}, False),
        ("RS256", ACCOUNT | {"a": {"roles": ["admin"]}}, False),
        ("RS256", {"sub": "system:serviceaccount:x", "kubernetes.io/serviceaccount/namespace": "x"}, False),
        ("RS256", ACCOUNT | {"admin": True}, False),
        ("RS256", ACCOUNT | {"groups": ["ops"]}, False),
        ("RS256", ACCOUNT | {"iss": "https://login.acme.io"}, False),
        ("RS256", [], False),
    ],
)
def test_a_statement_about_somebody_lets_nobody_in(alg: str, claims: object, *, states: bool) -> None:
    assert (why_open(token(alg, claims)) == STATES) is states


def test_words_that_were_signed_claim_nothing() -> None:
    head = urlsafe_b64encode(b'{"alg":"RS256","kid":"of.somebody"}').decode().rstrip("=")
    said = urlsafe_b64encode("It\u2019s a dangerous business, going out your door".encode()).decode().rstrip("=")
    assert why_open(f"{head}.{said}.{SIGNATURE}") == "a signed text, which claims nothing"
    drawn = urlsafe_b64encode(bytes(range(128, 190))).decode().rstrip("=")
    assert why_open(f"{head}.{drawn}.{SIGNATURE}") == ""


@pytest.mark.parametrize("text", ["", "a", "eyJ.eyJ.x", "....", "e30.e30.x", "\u0130.\u0130.x"])
def test_what_can_not_be_read_states_nothing(text: str) -> None:
    assert not why_open(text)


def test_a_statement_in_a_setting_is_only_logged() -> None:
    (secret,) = find_secrets(f'operator = "{token("EdDSA", ACCOUNT)}"', "server.conf")
    assert secret.note == STATES


@pytest.mark.parametrize(
    ("claims", "open_"),
    [
        ({"source": "dev", "testData": "X_EMULATED_IDENTITY"}, "test data, as it says itself"),
        ({"sub": "fake-user"}, "test data, as it says itself"),
        ({"sub": "fakenham", "name": "Latest Data"}, ""),
    ],
)
def test_a_token_may_say_that_it_is_made_up(claims: object, open_: str) -> None:
    assert why_open(token("HS256", claims)) == open_


@pytest.mark.parametrize(
    ("claims", "days"),
    [
        ({"iat": 1_700_000_000, "exp": 1_700_864_000}, 10),
        ({"nbf": 1_700_000_000, "exp": 1_700_086_400}, 1),
        ({"exp": 1_700_086_400}, float("inf")),
        ({"iat": 1_700_000_000}, float("inf")),
        ({"iat": 1_700_000_000, "exp": 1}, float("inf")),
        ({"iat": "soon", "exp": 1_700_086_400}, float("inf")),
        ([], float("inf")),
    ],
)
def test_a_token_says_how_long_it_lasts(claims: object, days: float) -> None:
    assert lasts_days(token("HS256", claims)) == days


@pytest.mark.parametrize(
    ("claims", "rules"),
    [
        ({"role": "service_role"}, True),
        ({"scope": "read admin"}, True),
        ({"admin": True}, True),
        ({"sub": "system:serviceaccount:default:deploy"}, True),
        ({"roles": ["editor"]}, False),
        ({"sub": "badminton"}, False),
        ([], False),
    ],
)
def test_a_token_says_whether_it_rules_all(claims: object, *, rules: bool) -> None:
    assert rules_all(token("HS256", claims)) is rules
