from __future__ import annotations

import pytest

from leeboard.secrets.hit import Promise
from leeboard.secrets.weight import PLACEHOLDER, is_other_thing, looks_generated, weigh

MIXED = "aB3dE6gH9jK2mN5pQ8sT1vW4"
HEX = "3f2b13f3a7773d13046e614f196a5b7a"


@pytest.mark.parametrize(
    ("value", "promise", "confidence"),
    [
        ("hunter2", "password", 0.8),
        ("admin123", "password", 0.8),
        ("P@ssw0rd", "password", 0.8),
        ("kT9!vq2#", "password", 0.92),
        ("vkq7", "password", 0.6),
        ("dragonfly", "password", 0.45),
        (MIXED, "secret", 0.92),
        (HEX, "secret", 0.92),
        ("kq7Zx2Lp", "secret", 0.8),
        (MIXED, "key", 0.8),
    ],
)
def test_how_much_a_value_weighs(value: str, promise: Promise, confidence: float) -> None:
    weight = weigh("name", value, promise)
    assert weight is not None
    assert weight[0] == confidence


@pytest.mark.parametrize(
    ("value", "is_said"), [("Passwort1", False), ("user/password", False), ("Winter2024!", True), ("acme-Root#7", True)]
)
def test_what_a_node_is_called_and_what_opens_one(value: str, *, is_said: bool) -> None:
    assert (weigh("node_password", value, "password") is not None) is is_said


@pytest.mark.parametrize("promise", ["password", "secret", "key"])
@pytest.mark.parametrize(
    "value",
    "ab https://x.dev/a /etc/app/key ./x.pem a@b.dev user.password.label getToken() config['a'] #ff00aa 2020-01-01 utf-8 "
    "$2b$12$abcdefghijklmnopqrstuv ENC[abc] arn:aws:kms:x Optional[List[FieldNames9]] sha256-abc true v1.2.3 jwks_uri RSAES_OAEP_SHA_256 Größe "
    "^[a-z]+$ required|min:8 \\x00\\x01 two\twords application/json".split(" "),
)
def test_what_is_something_else(value: str, promise: Promise) -> None:
    assert weigh("some_token", value, promise) is None


def test_placeholders_of_keys_are_nothing_worth_a_line() -> None:
    assert weigh("api_key", "your_api_key_here", "secret") == PLACEHOLDER
    assert weigh("key", "your_api_key_here", "key") is None


def test_a_value_that_repeats_its_name() -> None:
    assert weigh("admin_password", "admin-password", "password") is None


def test_entropy_alone() -> None:
    """SW-56: above 4.0 bits and longer than 16, after the exclusions."""
    assert looks_generated(MIXED)
    assert not looks_generated(MIXED[:16])
    for other in (
        HEX,
        "The quick brown fox jumps",
        "https://x.dev/aB3dE6gH9jK2mN5p",
        "ABCDEFGHIJKLMNOPabcdefghijk0123",
    ):
        assert not looks_generated(other)
    assert is_other_thing("https://x.dev")


@pytest.mark.parametrize(
    "value",
    ["upstream_v2:5000", "#field_passphrase2", r"root\\CIMv2", "HH:MM:SS.mmm", "bot:$2y$05$sBsSqk0OpSD1uTZkHXc4Fe"],
)
def test_places_and_names_under_a_password_are_none(value: str) -> None:
    assert is_other_thing(value)
    assert weigh("proxy_pass", value, "password") is None


@pytest.mark.parametrize(
    "value",
    ["db.corp.io:5432", "localhost:5432", "10.0.0.1:5432", "#field_passphrase2", r"root\\CIMv2", "HH:MM:SS.mmm"],
)
def test_what_is_surely_a_place_is_no_password(value: str) -> None:
    assert weigh("db_password", value, "password") is None


@pytest.mark.parametrize(
    "value",
    ["#Winter2024", "#summer_2024", "winter:2024", "Hunter:20245", r"ACME\\Winter2024", r"ACME\Winter2024", "#Welcome"],
)
def test_what_people_think_up_is_a_password(value: str) -> None:
    weight = weigh("db_password", value, "password")
    assert weight is not None
    assert weight[0] >= 0.8
    assert not weight[1]


@pytest.mark.parametrize(("value", "note"), [("apache-proxy@", "as anonymous users send it"), ("Winter2024@", "")])
def test_what_anonymous_users_send_opens_nothing(value: str, note: str) -> None:
    weight = weigh("password", value, "password")
    assert weight is not None
    assert weight[1] == note


def test_what_a_printer_strikes_twice_is_no_value() -> None:
    assert weigh("AUTH", "".join(f"{sign}\b{sign}" for sign in "method17x"), "key") is None
