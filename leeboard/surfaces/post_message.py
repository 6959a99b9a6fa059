"""One posted hook as it stands on the wire: which heads are turned away, what a body tells of, how it is answered.

Nothing but one address, method and kind of content is known here, and nobody without the token is read any further than
their head.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator

import msgspec

from leeboard.app.posting.hooks import ALIVE, HOST, HttpHooks, proof_of
from leeboard.clients.hook_input import shallow
from leeboard.wire.http1 import Head, parse_request, request_framing

LONGEST_BODY = 64 << 20
PATH = b"/leeboard/hook"
_REASONS = {
    200: "OK",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    411: "Length Required",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    500: "Internal Server Error",
    503: "Service Unavailable",
}


class _Told(msgspec.Struct):
    hook_event_name: str = ""


_READ = msgspec.json.Decoder(_Told)


def event_in(payload: bytes) -> str:
    """What a post tells of. What is nested too deeply is left out of it, as for a command."""
    try:
        return _READ.decode(payload).hook_event_name
    except RecursionError:
        return _READ.decode(shallow(payload)).hook_event_name


def answer_of(status: int, body: bytes, *, last: bool) -> bytes:
    """`last`: the connection is closed after it."""
    head = f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: application/json\r\n"
    head += f"Content-Length: {len(body)}\r\nConnection: {'close' if last else 'keep-alive'}\r\n\r\n"
    return head.encode() + body


def judged(head: Head, hooks: HttpHooks) -> tuple[int, int]:
    """The status by which a head is turned away, zero for none, and how long its body is."""
    request, framing = parse_request(head), request_framing(head)
    said = head.values(b"authorization")
    kinds = [value.partition(b";")[0].strip().lower() for value in head.values(b"content-type")]
    checks = (
        (404, request.target == PATH),
        (405, request.method == b"POST"),
        (403, _is_addressed(head, hooks) and not any(_of_page(head))),
        (401, len(said) == 1 and hmac.compare_digest(said[0], f"Bearer {hooks.token}".encode())),
        (415, kinds == [b"application/json"]),
        (411, framing.kind == "length"),
        (413, framing.length <= LONGEST_BODY),
    )
    return next((status for status, holds in checks if not holds), 0), framing.length


def _is_addressed(head: Head, hooks: HttpHooks) -> bool:
    """By its number: a page that leads a name of its own here says that name."""
    return head.values(b"host") == [f"{HOST}:{hooks.port}".encode()]


def _of_page(head: Head) -> Iterator[bool]:
    """What browsers say of a page that sends something, and no client does."""
    for name, _ in head.fields:
        yield name.lower() == b"origin" or name.lower().startswith(b"sec-fetch-")


def proof_asked(head: Head, hooks: HttpHooks) -> bytes:
    """For who asks whether it is we who listen; empty for any other request."""
    request = parse_request(head)
    path, _, asked = request.target.partition(b"?nonce=")
    if request.method != b"GET" or path != ALIVE.encode() or len(asked) != 32 or not _is_addressed(head, hooks):
        return b""
    try:
        return proof_of(hooks.token, bytes.fromhex(asked.decode("ascii", "replace")))
    except ValueError:
        return b""
