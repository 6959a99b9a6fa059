"""Compressed answers: unchanged ones leave as the same bytes, changed ones can still be unfolded."""

from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.errors import WireError
from leeboard.surfaces.proxy.coding import GzipCoding, PlainCoding, find_coding

EVENTS = [b"event: a\ndata: %d\n\n" % number for number in range(12)]


def flushed(events: list[bytes]) -> list[bytes]:
    """What a server sends that flushes after each event."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    pieces = [packer.compress(event) + packer.flush(zlib.Z_SYNC_FLUSH) for event in events]
    return [*pieces, packer.flush()]


@given(st.lists(st.integers(0, 600), max_size=6))
def test_what_is_unchanged_leaves_as_it_came(cuts: list[int]) -> None:
    raw = b"".join(flushed(EVENTS))
    coding, out, at = GzipCoding(), b"", 0
    for cut in [*sorted(cut for cut in cuts if cut < len(raw)), len(raw)]:
        out += coding.encode(coding.decode(raw[at:cut]))
        at = cut
    assert out + coding.encode(b"", final=True) == raw


def test_each_event_leaves_at_once() -> None:
    coding = GzipCoding()
    for piece in flushed(EVENTS)[:-1]:
        assert coding.encode(coding.decode(piece)) == piece


def test_what_waited_leaves_as_it_came() -> None:
    coding, pieces = GzipCoding(), flushed(EVENTS)
    out = coding.encode(coding.decode(pieces[0]))
    waiting = b"".join(coding.decode(piece) for piece in pieces[1:])
    assert out + coding.encode(waiting) + coding.encode(b"", final=True) == b"".join(pieces)


@pytest.mark.parametrize("kept", range(len(EVENTS)))
def test_a_changed_event_is_written_after_those_that_left_as_they_came(kept: int) -> None:
    coding, pieces = GzipCoding(), flushed(EVENTS)
    out, said = b"", b""
    for number, piece in enumerate(pieces):
        text = coding.decode(piece)
        text = b"event: another\n\n" if number == kept else text
        said += text
        out += coding.encode(text)
    out += coding.encode(b"", final=True)
    assert gzip.decompress(out) == said
    assert out.startswith(b"".join(pieces[:kept]))


def test_a_change_in_the_middle_of_a_piece_is_found() -> None:
    raw = gzip.compress(b"".join(EVENTS))
    coding = GzipCoding()
    coding.decode(raw)
    out = coding.encode(EVENTS[0]) + coding.encode(b": a comment\n\n") + coding.encode(EVENTS[2])
    assert gzip.decompress(out + coding.encode(b"", final=True)) == EVENTS[0] + b": a comment\n\n" + EVENTS[2]


def test_nothing_at_all_is_still_a_stream() -> None:
    coding = GzipCoding()
    coding.decode(gzip.compress(b"withheld"))
    assert gzip.decompress(coding.encode(b"", final=True)) == b""


def test_a_text_without_flushes_does_not_wait_for_ever() -> None:
    packer, coding = zlib.compressobj(0, zlib.DEFLATED, 31), GzipCoding()
    text = bytes(range(256)) * 4000
    out = coding.encode(coding.decode(packer.compress(text)))
    assert len(zlib.decompressobj(31).decompress(out)) > 500_000


@pytest.mark.parametrize(
    "raw", [b"no gzip at all", gzip.compress(b"x", mtime=0)[:-3] + b"abc", gzip.compress(b"x", mtime=0) + b"rest"]
)
def test_damaged_bytes_are_an_error(raw: bytes) -> None:
    with pytest.raises(WireError):
        GzipCoding().decode(raw)


def test_a_bomb_is_not_unfolded() -> None:
    with pytest.raises(WireError):
        GzipCoding().decode(gzip.compress(bytes(80 << 20)))


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([], PlainCoding),
        ([b"identity"], PlainCoding),
        ([b"GZIP"], GzipCoding),
        ([b"br"], None),
        ([b"gzip", b"br"], None),
    ],
)
def test_codings_are_found_by_their_names(values: list[bytes], kind: type | None) -> None:
    found = find_coding(values)
    assert type(found) is kind if kind else found is None
