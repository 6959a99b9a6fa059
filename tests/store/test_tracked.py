from __future__ import annotations

from msgspec.structs import replace

from leeboard.model.truth import Baseline, TrackedFile
from leeboard.store.sqlite import SqliteStore
from tests.store_suite import NOON, a_session, keep

FILE = TrackedFile(
    path="docs/a.md", sha256="1" * 64, size=3, is_binary=False, lines=b"\0" * 8, count=1, head="c", acknowledged_at=NOON
)


def test_nothing_is_acknowledged_at_first(store: SqliteStore) -> None:
    assert store.baseline("/p") is None


def test_what_was_acknowledged_comes_back(store: SqliteStore) -> None:
    other = replace(FILE, path="docs/b.md", is_binary=True)
    store.acknowledge("/p", ("docs/**",), [FILE, other])
    assert store.baseline("/p") == Baseline(patterns=("docs/**",), files={"docs/a.md": FILE, "docs/b.md": other})
    assert store.baseline("/q") is None


def test_only_what_is_named_moves(store: SqliteStore) -> None:
    other = replace(FILE, path="docs/b.md")
    store.acknowledge("/p", ("docs/**",), [FILE, other])
    moved = replace(FILE, sha256="2" * 64, acknowledged_via="accepted")
    store.acknowledge("/p", ("docs/**", "spec/"), [moved], ["docs/b.md"])
    assert store.baseline("/p") == Baseline(patterns=("docs/**", "spec/"), files={"docs/a.md": moved})


def test_what_somebody_else_changed_is_known_until_it_is_acknowledged(store: SqliteStore) -> None:
    store.keep_changed_outside("/p", ["docs/a.md", "docs/b.md", "docs/c.md"])
    store.keep_changed_outside("/p", ["docs/a.md"])
    store.acknowledge("/p", ("docs/**",), [FILE], ["docs/b.md"])
    assert (store.changed_outside("/p"), store.changed_outside("/q")) == (frozenset({"docs/c.md"}), frozenset())


def test_what_a_session_heard_goes_with_it(store: SqliteStore) -> None:
    keep(store, a_session())
    store.keep_told_of_tracked("s1", {"docs/a.md": "1", "docs/b.md": "2"})
    store.keep_told_of_tracked("s1", {"docs/a.md": "3"})
    assert store.told_of_tracked("s1") == {"docs/a.md": "3", "docs/b.md": "2"}
    assert store.told_of_tracked("s2") == {}
    store.acknowledge("/p", ("docs/**",), [FILE])
    store.purge(NOON + 1)
    assert store.told_of_tracked("s1") == {}
    assert store.baseline("/p") is not None, "what people accepted is the project's"
