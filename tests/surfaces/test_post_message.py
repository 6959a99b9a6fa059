"""Who may post is told by the head alone, and before anything of the body is read."""

from __future__ import annotations

import pytest

from leeboard.app.posting.hooks import HttpHooks, proof_of
from leeboard.surfaces.post_message import LONGEST_BODY, answer_of, event_in, judged, proof_asked
from leeboard.wire.http1 import Head, parse_head

HOOKS = HttpHooks(root="/repo", settings="/repo/settings.json", port=20_001, token="t" * 64)
FIELDS = {
    "Host": "127.0.0.1:20001",
    "Authorization": f"Bearer {HOOKS.token}",
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": "2",
}


def head_of(line: str = "POST /leeboard/hook", **changed: str) -> Head:
    fields = {**FIELDS, **{name.replace("_", "-"): value for name, value in changed.items()}}
    lines = (f"{line} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items() if value))
    return parse_head(("\r\n".join(lines) + "\r\n\r\n").encode())


def test_what_a_client_sends_is_taken() -> None:
    assert judged(head_of(), HOOKS) == (0, 2)


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (head_of("POST /other"), 404),
        (head_of("GET /leeboard/hook"), 405),
        (head_of(Host="localhost:20001"), 403),
        (head_of(Origin="http://127.0.0.1:20001"), 403),
        (head_of(Sec_Fetch_Site="same-origin"), 403),
        (head_of(Authorization=""), 401),
        (head_of(Authorization="Bearer x"), 401),
        (head_of(Content_Type="text/plain"), 415),
        (head_of(Content_Length=""), 411),
        (head_of(Content_Length=str(LONGEST_BODY + 1)), 413),
    ],
)
def test_everybody_else_is_turned_away_with_the_first_reason(head: Head, status: int) -> None:
    assert judged(head, HOOKS)[0] == status


def test_whoever_asks_who_listens_is_given_a_proof_and_no_token() -> None:
    nonce = bytes(range(16))
    asked = head_of(f"GET /leeboard/alive?nonce={nonce.hex()}", Authorization="")
    assert proof_asked(asked, HOOKS) == proof_of(HOOKS.token, nonce)
    assert HOOKS.token.encode() not in proof_asked(asked, HOOKS)


@pytest.mark.parametrize("target", ["GET /leeboard/alive", f"GET /leeboard/alive?nonce={'x' * 32}", "GET /"])
def test_no_other_question_is_answered(target: str) -> None:
    assert proof_asked(head_of(target), HOOKS) == b""


def test_a_body_tells_its_event_however_deep_the_rest_is() -> None:
    assert event_in(b'{"hook_event_name": "PostToolUse"}') == "PostToolUse"
    deep = b"[" * 100_000 + b"]" * 100_000
    assert event_in(b'{"hook_event_name": "PostToolUse", "tool_response": ' + deep + b"}") == "PostToolUse"


def test_an_answer_says_whether_the_connection_goes_on() -> None:
    assert answer_of(200, b"{}", last=False).startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"Content-Length: 2\r\nConnection: keep-alive\r\n\r\n{}" in answer_of(200, b"{}", last=False)
    assert b"Connection: close\r\n" in answer_of(403, b"", last=True)
