"""The heads that the proxy sends on: the same fields, in the same order and spelling, but for those of a connection."""

from __future__ import annotations

from leeboard.wire.http1 import Field, Framing, Head

_BETWEEN_TWO = frozenset(
    {b"connection", b"keep-alive", b"proxy-connection", b"proxy-authorization", b"upgrade", b"http2-settings"}
)
"""Fields about one connection, which is not the next one."""


def request_head(head: Head, method: bytes, path: bytes, host: bytes) -> Head:
    """The request for upstream, which is told its own name."""
    fields: list[Field] = []
    for name, value in passed_on(head):
        lower = name.lower()
        if lower == b"expect":
            continue  # answered by us: the body comes whatever upstream would say
        if lower == b"te" and value.lower() != b"trailers":
            continue
        fields.append((name, host if lower == b"host" else value))
    return Head(b"%b %b HTTP/1.1" % (method, path), tuple(fields))


def with_length(head: Head, length: int) -> Head:
    """The same head for a body of that many bytes in one piece."""
    told = b"%d" % length
    framed = {b"content-length", b"transfer-encoding", b"trailer"}
    places = [at for at, (name, _) in enumerate(head.fields) if name.lower() in framed]
    fields = [field for at, field in enumerate(head.fields) if at not in places[1:]]
    if not places:
        return Head(head.first, (*fields, (b"Content-Length", told)))
    name = head.fields[places[0]][0]
    fields[places[0]] = (name if name.lower() == b"content-length" else b"Content-Length", told)
    return Head(head.first, tuple(fields))


def with_coding(head: Head, readable: frozenset[bytes]) -> Head:
    """The same request, asking for no compression but those that we can read."""
    fields: list[Field] = []
    for name, value in head.fields:
        if name.lower() != b"accept-encoding":
            fields.append((name, value))
            continue
        kept = [part.strip() for part in value.split(b",") if part.split(b";")[0].strip().lower() in readable]
        fields.append((name, value if len(kept) == value.count(b",") + 1 else b", ".join(kept) or b"identity"))
    return Head(head.first, tuple(fields))


def answer_head(head: Head, framing: Framing, *, ends_connection: bool) -> Head:
    """The answer for the client, whose body will come in that framing."""
    fields = list(passed_on(head))
    told = {name.lower() for name, _ in fields}
    if framing.kind == "chunked" and b"transfer-encoding" not in told:
        fields = [(name, value) for name, value in fields if name.lower() != b"content-length"]
        fields.append((b"Transfer-Encoding", b"chunked"))
    elif framing.kind == "close":
        fields = [(name, value) for name, value in fields if name.lower() not in {b"transfer-encoding", b"trailer"}]
    if ends_connection:
        fields.append((b"Connection", b"close"))
    version, _, rest = head.first.partition(b" ")
    first = b"HTTP/1.1 " + rest if version == b"HTTP/1.0" else head.first
    return Head(first, tuple(fields))


def passed_on(head: Head) -> list[Field]:
    """The fields that are about the message and not about one connection."""
    dropped = _BETWEEN_TWO | (head.tokens(b"connection") - {b"te", b"content-length", b"host"})
    return [(name, value) for name, value in head.fields if name.lower() not in dropped]


def head_bytes(head: Head) -> bytes:
    lines = [head.first, *(b"%b: %b" % field for field in head.fields)]
    return b"\r\n".join(lines) + b"\r\n\r\n"


def wants_close(head: Head, minor: int) -> bool:
    """Whether whoever sent this head ends the connection after the message."""
    told = head.tokens(b"connection")
    return b"close" in told or (minor == 0 and b"keep-alive" not in told)
