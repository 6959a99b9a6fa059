"""Addresses say where they lead, and only who has the token has any."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from leeboard.errors import ConfigError, EffectError
from leeboard.surfaces.proxy.address import (
    Origin,
    RequestTarget,
    base_url,
    find_challenge,
    find_target,
    find_upstream,
    is_from_here,
    kept_token,
    proof,
)

TOKEN = "abcdefghijklmnopqrstuvwx"


@pytest.mark.parametrize(
    ("upstream", "path", "origin", "asked"),
    [
        (
            "https://api.anthropic.com",
            b"/v1/messages?beta=true",
            Origin("https", "api.anthropic.com", 443),
            b"/v1/messages?beta=true",
        ),
        ("https://api.openai.com/v1/", b"/responses", Origin("https", "api.openai.com", 443), b"/v1/responses"),
        ("http://127.0.0.1:8080/a/b", b"", Origin("http", "127.0.0.1", 8080), b"/a/b"),
        ("http://[::1]:9/", b"/x", Origin("http", "[::1]", 9), b"/x"),
        ("https://gate.example", b"?x=1", Origin("https", "gate.example", 443), b"/?x=1"),
    ],
)
def test_an_address_leads_where_it_says(upstream: str, path: bytes, origin: Origin, asked: bytes) -> None:
    url = base_url(8377, TOKEN, upstream)
    assert url.startswith("http://127.0.0.1:8377/")
    assert find_target(url.removeprefix("http://127.0.0.1:8377").encode() + path, TOKEN) == RequestTarget(origin, asked)


@pytest.mark.parametrize(
    "upstream", ["", "api.example.com", "ftp://x", "https://", "https://a b", "https://u:p@host", "file:///etc"]
)
def test_what_is_no_address_of_an_api_is_refused(upstream: str) -> None:
    with pytest.raises(ConfigError, match="no address of an API"):
        base_url(1, TOKEN, upstream)


@pytest.mark.parametrize(
    "path",
    [
        *(b"", b"/", b"*", b"http://127.0.0.1/x"),
        *(b"/wrong/https/host/x", b"/" + TOKEN.encode() + b"x/https/host/"),
        *(b"/" + TOKEN.encode() + rest for rest in (b"", b"/https", b"/gopher/host/x", b"/https//x", b"/https/u@h/x")),
        *(b"/" + TOKEN.encode() + rest for rest in (b"/http/host:0/x", b"/http/host:70000/x", b"/http/\xff/x")),
    ],
)
def test_a_path_without_token_or_place_leads_nowhere(path: bytes) -> None:
    assert find_target(path, TOKEN) is None


def test_the_proxy_itself_can_be_asked() -> None:
    assert find_target(f"/{TOKEN}/leeboard/health".encode(), TOKEN) == RequestTarget(None, b"/health")


def test_an_origin_is_named_as_clients_name_it() -> None:
    assert Origin("https", "h", 443).field == b"h"
    assert Origin("https", "h", 8443).field == b"h:8443"
    assert Origin("http", "h", 80).name == "http://h"


def test_only_this_machine_is_from_here() -> None:
    assert is_from_here([b"localhost:1"], [b"http://127.0.0.1:3000"])
    assert not is_from_here([], [])
    assert not is_from_here([b"localhost", b"localhost"], [])
    assert not is_from_here([b"localhost.example"], [])
    assert not is_from_here([b"localhost"], [b"http://localhost.example"])


def test_the_token_is_made_once_and_for_nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path / "state"))
    token = kept_token()
    assert len(token) >= 20
    assert kept_token() == token
    assert stat.S_IMODE((tmp_path / "state" / "proxy.token").stat().st_mode) == 0o600


def test_a_token_that_was_damaged_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEEBOARD_STATE_DIR", str(tmp_path))
    (tmp_path / "proxy.token").write_text("a/b")
    with pytest.raises(EffectError, match="remove the file"):
        kept_token()


def test_a_proof_is_of_one_token_one_port_and_one_question() -> None:
    known = {proof("t", 1, "a"), proof("u", 1, "a"), proof("t", 2, "a"), proof("t", 1, "b")}
    assert len(known) == 4
    assert find_challenge(b"/leeboard/proof/" + b"0" * 32) == "0" * 32
    for path in (b"/leeboard/proof/", b"/leeboard/proof/" + b"0" * 65, b"/leeboard/proof/" + b"x" * 32, b"/x"):
        assert not find_challenge(path)


def test_the_upstream_behind_an_address_is_found_again() -> None:
    token = "a-token-of-twenty-letters"
    address = base_url(8377, token, "https://gate.example:444/v1")
    assert find_upstream(address, token) == "https://gate.example:444/v1"
    for other in (
        "https://gate.example",
        address.replace(token, "another"),
        address.replace("127.0.0.1", "gate.example"),
    ):
        assert find_upstream(other, token) == other
