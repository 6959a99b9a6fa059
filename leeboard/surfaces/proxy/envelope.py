"""What the proxy answers in its own name: errors in the shape that the SDKs of both APIs read, and never a policy.

A status in the five hundreds makes clients try again, so it is kept for what may pass by itself.
"""

from __future__ import annotations

import msgspec

REASONS = {
    400: ("Bad Request", "invalid_request_error"),
    403: ("Forbidden", "permission_error"),
    404: ("Not Found", "not_found_error"),
    408: ("Request Timeout", "timeout_error"),
    426: ("Upgrade Required", "invalid_request_error"),
    431: ("Request Header Fields Too Large", "invalid_request_error"),
    502: ("Bad Gateway", "api_error"),
    503: ("Service Unavailable", "overloaded_error"),
    504: ("Gateway Timeout", "timeout_error"),
}
"""Status to its name and to the type of the error."""


def error_body(status: int, message: str) -> bytes:
    """One object for both: Anthropic's SDK looks for `type`, OpenAI's for `error.code` and `error.param`."""
    error = {"type": REASONS[status][1], "message": f"leeboard: {message}", "param": None, "code": None}
    return msgspec.json.encode({"type": "error", "error": error})


def error_answer(status: int, message: str) -> bytes:
    """A whole answer, after which the connection ends."""
    return _answer(f"{status} {REASONS[status][0]}", error_body(status, message))


def own_answer(told: object) -> bytes:
    """A whole answer about the proxy itself, after which the connection ends as well."""
    return _answer("200 OK", msgspec.json.encode(told))


def error_event(message: str) -> bytes:
    """The frame that ends a stream whose head has gone out already."""
    return b"event: error\ndata: " + error_body(502, message) + b"\n\n"


def _answer(status: str, body: bytes) -> bytes:
    fields = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
    return f"HTTP/1.1 {status}\r\n{fields}\r\n".encode("ascii") + body
