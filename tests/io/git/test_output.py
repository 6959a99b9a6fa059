from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leeboard.errors import WireError
from leeboard.io.git.output import (
    Patched,
    Side,
    parse_attributes,
    parse_diff,
    parse_line_counts,
    parse_listing,
    parse_raw,
)
from leeboard.model.touch import Hunk
from tests.git_repository import GitRepository

ZERO, ONE, TWO = "0" * 40, "1" * 40, "2" * 40
OPTIONS = ("-c", "core.quotePath=false", "diff", "--raw", "-p", "-U0", "-z", "-M", "--no-abbrev", "--full-index")


def raw(status: str, *paths: str, modes: str = "100644 100644", ids: str = f"{ONE} {TWO}") -> bytes:
    return "\0".join((f":{modes} {ids} {status}", *paths, "")).encode("utf-8", "surrogateescape")


def section(path: str, *lines: str, old: str = ONE, new: str = TWO) -> bytes:
    head = (f"diff --git a/{path} b/{path}", f"index {old}..{new} 100644", f"--- a/{path}", f"+++ b/{path}")
    return "".join(f"{line}\n" for line in (*head, *lines)).encode()


def one_of(output: bytes) -> Patched:
    (found,) = parse_diff(output)
    return found


def test_nothing_changed() -> None:
    assert parse_diff(b"") == ()
    assert parse_raw(b"") == ()


def test_a_modified_file() -> None:
    patched = one_of(raw("M", "a.py") + b"\0" + section("a.py", "@@ -2 +2,2 @@ def f():", "-b", "+B", "+C"))
    assert patched.change.path == "a.py"
    assert patched.change.status == "M"
    assert patched.new == Side("100644", TWO)
    assert patched.section is not None
    assert patched.section.hunks == (Hunk(2, ("B", "C"), ("b",)),)
    assert (patched.section.added, patched.section.deleted) == (2, 1)


def test_a_renamed_file_keeps_both_names_and_its_digest() -> None:
    patch = b"diff --git a/old b/new\nsimilarity index 100%\nrename from old\nrename to new\n"
    patched = one_of(raw("R100", "old", "new", ids=f"{ONE} {ZERO}") + b"\0" + patch)
    assert (patched.change.old_path, patched.change.path, patched.change.status) == ("old", "new", "R")
    assert patched.new == Side("100644", ONE)


def test_a_deleted_file_has_no_new_side() -> None:
    patch = section("a", "@@ -1 +0,0 @@", "-x", new=ZERO)
    patched = one_of(raw("D", "a", modes="100644 000000", ids=f"{ONE} {ZERO}") + b"\0" + patch)
    assert patched.new == Side()
    assert patched.section is not None
    assert patched.section.hunks == (Hunk(1, (), ("x",)),)


def test_a_file_that_became_a_link_has_two_sections() -> None:
    gone = "diff --git a/t b/t\ndeleted file mode 100644\n" + f"index {ONE}..{ZERO}\n" + "@@ -1 +0,0 @@\n-x\n"
    come = "diff --git a/t b/t\nnew file mode 120000\n" + f"index {ZERO}..{TWO}\n" + "@@ -0,0 +1 @@\n+to\n"
    last = "\\ No newline at end of file\n"
    patched = one_of(raw("T", "t", modes="100644 120000", ids=f"{ONE} {ZERO}") + b"\0" + (gone + come + last).encode())
    assert patched.new == Side("120000", TWO)
    assert patched.section is not None
    assert patched.section.hunks == (Hunk(1, (), ("x",)), Hunk(1, ("to",)))


@pytest.mark.parametrize(("after", "dirty"), [(TWO, False), (f"{TWO}-dirty", True)])
def test_a_submodule_has_a_commit_and_no_lines(after: str, *, dirty: bool) -> None:
    lines = ("@@ -1 +1 @@", f"-Subproject commit {ONE}", f"+Subproject commit {after}")
    patched = one_of(raw("M", "s", modes="160000 160000", ids=f"{ONE} {ZERO}") + b"\0" + section("s", *lines))
    assert patched.change.submodule
    assert patched.new == Side("160000", after)
    assert patched.dirty == dirty
    assert patched.section is not None
    assert patched.section.hunks == ()


def test_a_patch_that_was_cut_keeps_what_is_whole() -> None:
    records = raw("M", "a") + raw("M", "b") + raw("M", "c")
    patch = section("a", "@@ -1 +1 @@", "-x", "+y") + section("b", "@@ -1 +1,3 @@", "-x", "+y", "+z", "+w")
    for end in range(len(section("a", "@@ -1 +1 @@", "-x", "+y")), len(patch) + 1):
        found = parse_diff(records + b"\0" + patch[:end], whole=False)
        assert [one.change.path for one in found] == ["a", "b", "c"]
        first, *rest = (one.section for one in found)
        assert first is None or first.hunks == (Hunk(1, ("y",), ("x",)),)
        assert rest == [None, None]


@pytest.mark.parametrize("end", range(1, 200, 7))
def test_records_that_were_cut_are_left_out(end: int) -> None:
    records = raw("M", "a" * 30) + raw("R100", "b" * 30, "c" * 30)
    found = parse_diff(records[:end], whole=False)
    assert [one.change.path for one in found] == ["a" * 30, "c" * 30][: len(found)]


@pytest.mark.parametrize(
    "output",
    [
        b":100644 100644",
        raw("M", "a") + b"nonsense",
        raw("M", "a") + b"\0" + section("b", "@@ -1 +1 @@", "-x", "+y"),
        raw("M", "a") + b"\0" + section("a", "@@ -1 +1,5 @@", "-x", "+y"),
        raw("M", "a") + b"\0" + section("a", "@@ -1,2 +1 @@", "-x", "+y"),
        raw("M", "a") + b"\0" + section("a", "@@ broken @@", "-x", "+y"),
        raw("M", "a") + b"\0" + section("a", "@@ -1 +1 @@", "-x", "+y") * 2,
    ],
)
def test_what_git_would_not_write_is_an_error(output: bytes) -> None:
    with pytest.raises(WireError, match="git's"):
        parse_diff(output)


@given(st.binary(max_size=300))
def test_garbage_is_an_error_or_nothing(garbage: bytes) -> None:
    for whole in (True, False):
        try:
            parse_diff(b":" + garbage, whole=whole)
            parse_diff(raw("M", "a") + b"\0" + garbage, whole=whole)
        except WireError:
            assert whole or not garbage.startswith(b"diff --git")
    parse_listing(garbage)
    parse_line_counts(garbage)
    tuple(parse_attributes(garbage))


def test_raw_records_alone() -> None:
    (first, second) = parse_raw(raw("M", "-a b") + raw("A", "n\n\udcff", modes="000000 100755", ids=f"{ZERO} {TWO}"))
    assert (first.path, first.old, first.new) == ("-a b", Side("100644", ONE), Side("100644", TWO))
    assert (second.path, second.old, second.new) == ("n\n\udcff", Side(), Side("100755", TWO))


def test_the_listing_names_all_but_ordinary_files() -> None:
    records = (b"H a", b"? new\nfile", b"? nested/", b"M both", b"M both", b"h kept", b"S away", b"H x/.gitattributes")
    listing = parse_listing(b"".join(record + b"\0" for record in records))
    assert listing.untracked == ("new\nfile", "nested/")
    assert listing.unmerged == {"both"}
    assert listing.unwatched == ("kept",)
    assert listing.skipped == ("away",)
    assert listing.attributes == ("x/.gitattributes",)


def test_line_counts_go_by_the_new_name() -> None:
    output = b"1\t2\ta\tb\0" + b"3\t0\t\0old\0new\0" + b"-\t-\tbin\0"
    assert parse_line_counts(output) == {"a\tb": (1, 2), "new": (3, 0), "bin": (0, 0)}


def test_attributes_come_in_threes() -> None:
    output = b"a\0linguist-generated\0set\0a\0linguist-vendored\0unspecified\0"
    assert list(parse_attributes(output)) == [
        ("a", "linguist-generated", "set"),
        ("a", "linguist-vendored", "unspecified"),
    ]


def lines_of(data: bytes) -> list[str]:
    """Lines as people count them, independent of how the parser does it."""
    if not data:
        return []
    return [line.removesuffix("\r") for line in data.decode("utf-8", "replace").removesuffix("\n").split("\n")]


def rebuilt(before: list[str], hunks: tuple[Hunk, ...]) -> list[str]:
    """The new lines out of the old ones and the hunks alone; each removed line must be where it is said to be."""
    now: list[str] = []
    at = 0
    for hunk in hunks:
        kept = hunk.start - 1 - len(now)
        now += before[at : at + kept]
        at += kept
        assert before[at : at + len(hunk.removed)] == list(hunk.removed)
        at += len(hunk.removed)
        now += hunk.added
    return now + before[at:]


NAMES = st.sampled_from(
    [
        *(
            b"a",
            b"-dash",
            b"with space",
            b'quo"te',
            b"back\\slash",
            b"tab\tin",
            b"new\nline",
            b"caf\xc3\xa9",
            b"\xff\xfe",
        ),
        *(b"bell\x07", b"d/e/f", b"d/diff --git a", b"del\x7f", b"b/x b", b"\r", b"d/@@ -1 +1 @@"),
    ]
)
LINES = st.sampled_from(
    [
        *(b"", b"x", b"diff --git a/a b/a", b"--- a/a", b"+++ b/a", b"@@ -1 +1 @@", b"\\ No newline at end of file"),
        *(b"-", b"+", b"\\", b"index 1..2", b"Binary files a and b differ", b"caf\xc3\xa9", b"\xff", b"y\r"),
        b"\x0b\x0c\x1c\xc2\x85",
    ]
)
CONTENTS = st.builds(
    lambda lines, last: b"\n".join(lines) + (b"\n" if lines and last else b""),
    st.lists(LINES, max_size=6),
    st.booleans(),
)
TREES = st.dictionaries(NAMES, CONTENTS, max_size=6)


def put(root: Path, tree: dict[bytes, bytes]) -> None:
    """The whole work tree anew."""
    subprocess.run(["find", ".", "-mindepth", "1", "-not", "-path", "./.git*", "-delete"], cwd=root, check=True)
    for name, content in tree.items():
        place = root / name.decode("utf-8", "surrogateescape")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> GitRepository:
    return GitRepository(tmp_path_factory.mktemp("parser") / "repo")


@given(before=TREES, after=TREES)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_hunks_make_the_new_tree_out_of_the_old(
    scratch: GitRepository, before: dict[bytes, bytes], after: dict[bytes, bytes]
) -> None:
    """By git itself, from names and lines that look like anything a patch is made of."""
    put(scratch.path, before)
    scratch.run("add", "--all")
    tree = scratch.run("write-tree")
    put(scratch.path, after)
    scratch.run("add", "--all")
    output = scratch.run(*OPTIONS, "--cached", tree, "--").encode("utf-8", "surrogateescape")
    now = {name.decode("utf-8", "surrogateescape"): content for name, content in before.items()}
    # The fixture takes the last newline away.
    for patched in parse_diff(output + b"\n" if output else b""):
        change, found = patched.change, patched.section
        assert found is not None
        assert not found.binary
        content = now.pop(change.old_path or change.path, b"")
        lines = rebuilt(lines_of(content), found.hunks)
        if change.status != "D":
            wanted = after[change.path.encode("utf-8", "surrogateescape")]
            assert lines == lines_of(wanted)
            now[change.path] = wanted
        else:
            assert lines == []
    assert now == {name.decode("utf-8", "surrogateescape"): content for name, content in after.items()}
