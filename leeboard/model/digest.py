"""Short stable digests of texts: for identity, never for secrecy."""

from __future__ import annotations

from _blake2 import blake2b

# hashlib would load OpenSSL, which costs a hook process more than everything it uses a digest for.


def digest(text: str | bytes, size: int = 8) -> str:
    """Hexadecimal, two characters for each of `size` bytes. Lone surrogates are as good as any character."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return blake2b(data, digest_size=size).hexdigest()
