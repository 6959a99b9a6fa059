from __future__ import annotations

from pathlib import Path

import pytest

from leeboard.truth.digests import cache
from leeboard.truth.digests.cache import Remembered, cache_place, read_cache, read_signed, write_cache, write_signed
from leeboard.truth.digests.tree import FolderDigests

FOLDERS = {
    b"": FolderDigests(b"", b"i", b"a", b"s", b"in", b"1" * 32, b"t", b"m"),
    b"in": FolderDigests(b"in", b"", b"", b"", trouble=13),
}
FOUND = Remembered((1, 2, "boot"), ("*~",), {"top": FOLDERS, "gone": {}})


def test_what_was_written_is_read(state: Path) -> None:
    place = cache_place("x")
    write_cache(place, FOUND)
    found = read_cache(place)
    assert found is not None
    assert (found.stamp, found.ignore, found.tree) == (FOUND.stamp, FOUND.ignore, FOUND.tree)
    assert (state / "digests").stat().st_mode & 0o777 == 0o700
    assert Path(place).stat().st_mode & 0o777 == 0o600
    assert [each.name for each in Path(place).parent.iterdir()] == [Path(place).name]


def test_nothing_is_read_that_was_not_written_so() -> None:
    place, other = Path(cache_place("x")), Path(cache_place("y"))
    assert read_cache(str(place)) is None
    write_cache(str(place), FOUND)
    data = place.read_bytes()
    other.write_bytes(data)
    assert read_cache(str(other)) is None
    for number in range(0, len(data), 7):
        place.write_bytes(data[:number] + bytes([data[number] ^ 1]) + data[number + 1 :])
        assert read_cache(str(place)) is None
        place.write_bytes(data[:number])
        assert read_cache(str(place)) is None


def test_another_key_reads_nothing(state: Path) -> None:
    place = cache_place("x")
    write_signed(place, b"body")
    assert bytes(read_signed(place) or b"") == b"body"
    (state / "secret.key").write_bytes(b"k" * 32)
    assert read_signed(place) is None


def test_what_is_too_large_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    place = cache_place("x")
    write_signed(place, b"small")
    monkeypatch.setattr(cache, "MOST_BYTES", 200)
    write_signed(place, b"x" * 200)
    assert not Path(place).exists()


def test_the_oldest_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_CACHES", 3)
    places = [cache_place(str(number)) for number in range(6)]
    for place in places:
        write_signed(place, b"x")
    assert [Path(place).exists() for place in places] == [False, False, False, True, True, True]


def test_a_disk_that_refuses_is_no_matter(state: Path) -> None:
    (state / "digests").write_text("in the way")
    write_cache(cache_place("x"), FOUND)
    assert read_cache(cache_place("x")) is None
