"""Compressed answers, read and rewritten: what is unchanged leaves as the very bytes that came.

Servers that compress a stream flush after each event, so that the compressed bytes can be cut there: up to such a cut
they are passed on as they came, and whatever has to be said otherwise is appended as blocks of our own.
"""

from __future__ import annotations

import struct
import zlib

from leeboard.errors import WireError

READABLE = frozenset({b"gzip", b"x-gzip", b"identity"})
"""Codings that are understood; a request whose answer is to be read asks for no other."""
_FLUSHED = b"\x00\x00\xff\xff"
"""How a block ends after which the next one begins at a whole byte."""
_LONGEST_WAIT = 256 * 1024
"""Bytes of text that wait for a flush of upstream's before they are compressed anew."""
_LARGEST = 64 * 1024 * 1024
"""Bytes that one answer may unfold to while it waits."""


class PlainCoding:
    """No compression: what goes in comes out."""

    def decode(self, data: bytes) -> bytes:
        return data

    def encode(self, text: bytes, *, final: bool = False) -> bytes:  # noqa: ARG002 - as the other coding
        return text


class GzipCoding:
    """One gzip stream that is read, and the one that is written in its place.

    Given a text that came to us decoded, `encode` finds the compressed bytes it came in. They are used as long as all
    that was written was what was read.
    """

    def __init__(self) -> None:
        self._reader = zlib.decompressobj(wbits=31)
        self._came: list[tuple[bytes, bytes]] = []
        """Compressed pieces that end at a flush, and what each of them says; not written yet."""
        self._raw, self._text = b"", b""
        """The piece that has not ended yet."""
        self._written = b""
        """What is to be written and does not fill a whole piece yet."""
        self._own: zlib._Compress | None = None
        self._crc, self._size = 0, 0
        self._began = False

    def decode(self, data: bytes) -> bytes:
        """What the compressed bytes say. `WireError` where they are damaged, or unfold beyond all measure."""
        try:
            text = self._reader.decompress(data, _LARGEST)
        except zlib.error as error:
            raise WireError("the compressed answer is damaged") from error
        if self._reader.unconsumed_tail or self._reader.unused_data:
            raise WireError("the compressed answer unfolds beyond all measure, or goes on after its end")
        if self._own is None:
            self._raw += data
            self._text += text
            if self._reader.eof or self._raw.endswith(_FLUSHED):
                self._came.append((self._raw, self._text))
                self._raw, self._text = b"", b""
        return text

    def encode(self, text: bytes, *, final: bool = False) -> bytes:
        """The bytes to write now for `text`; with `final` the stream is brought to its end."""
        if self._own is not None:
            return self._compressed(text, final=final)
        self._written += text
        out = self._as_it_came(final=final)
        if final and (self._written or self._came or self._raw or not self._reader.eof):
            return out + self._switched(final=True)
        if self._written and (len(self._written) > _LONGEST_WAIT or not self._could_still_match()):
            return out + self._switched(final=False)
        return out

    def _as_it_came(self, *, final: bool) -> bytes:
        """Whole pieces that say what is to be written; the last one only where nothing can follow it."""
        out = []
        last = 1 if self._reader.eof and not final else 0
        while len(self._came) > last and self._written.startswith(self._came[0][1]):
            raw, text = self._came.pop(0)
            self._written = self._written[len(text) :]
            self._count(text)
            self._began = True
            out.append(raw)
        return b"".join(out)

    def _could_still_match(self) -> bool:
        """Whether what is to be written is the beginning of what came."""
        came = b"".join(text for _, text in self._came) + self._text
        return came.startswith(self._written)

    def _switched(self, *, final: bool) -> bytes:
        """From here on the blocks are our own; what was written before stays as it is."""
        head = b"" if self._began else b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
        self._own = zlib.compressobj(6, zlib.DEFLATED, -15)
        text, self._written = self._written, b""
        self._came, self._raw, self._text = [], b"", b""
        return head + self._compressed(text, final=final)

    def _compressed(self, text: bytes, *, final: bool) -> bytes:
        assert self._own is not None  # noqa: S101 - only called once it is there
        if not text and not final:
            return b""
        self._count(text)
        out = self._own.compress(text) + self._own.flush(zlib.Z_FINISH if final else zlib.Z_SYNC_FLUSH)
        return out + struct.pack("<II", self._crc, self._size & 0xFFFFFFFF) if final else out

    def _count(self, text: bytes) -> None:
        self._crc = zlib.crc32(text, self._crc)
        self._size += len(text)


Coding = PlainCoding | GzipCoding


def find_coding(values: list[bytes]) -> Coding | None:
    """The coding that an answer names; None where it is none that we can read."""
    named = [part.strip().lower() for value in values for part in value.split(b",") if part.strip()]
    if named in ([], [b"identity"]):
        return PlainCoding()
    return GzipCoding() if named in ([b"gzip"], [b"x-gzip"]) else None
