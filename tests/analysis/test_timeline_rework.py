"""What is built again, and the reasons for which it may be."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from leeboard.analysis.timeline import (
    Rebuilt,
    announced_again,
    rebuilt_function,
    repeated_change,
    still_in,
    why_again,
)
from leeboard.app.replay import RecordedFiles
from leeboard.model.ledger import Entry, Kind
from leeboard.model.touch import Diff
from leeboard.source.fingerprint import pack, pack_text
from leeboard.source.new_code import NewFunction, new_functions

SLUG = """def slugify(title, limit=60):
    plain = normalize('NFKD', title).encode('ascii', 'ignore').decode()
    words = re.findall(r'[a-z0-9]+', plain.lower())
    slug = '-'.join(words)
    if len(slug) > limit:
        slug = slug[:limit].rsplit('-', 1)[0]
    return slug or 'untitled'
"""


class Rows:
    def __init__(self, *entries: Entry) -> None:
        self.entries = entries

    def find(self, kind: Kind, keys: Iterable[str]) -> tuple[Entry, ...]:
        wanted = set(keys)
        return tuple(entry for entry in self.entries if entry.kind == kind and entry.key in wanted)

    def newest(self, kind: Kind, limit: int) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.entries if entry.kind == kind)[:limit]


def whole(text: str, path: str) -> Diff:
    return Diff(path=path, before="", after=text, added=((1, text.count("\n")),))


def function(text: str, path: str) -> NewFunction:
    return new_functions(whole(text, path))[0]


def files(**texts: str) -> RecordedFiles:
    return RecordedFiles(lambda path, _cwd: path, {f"{name}.py": text for name, text in texts.items()})


BUILT = Entry(
    kind="built",
    key="slugify",
    path="slug.py",
    line=1,
    turn=3,
    call="c1",
    data=pack(function(SLUG, "slug.py").fingerprint),
)
CHANGE = Entry(kind="change", key="slug.py", path="slug.py", turn=3, call="c1", data=pack_text(SLUG, "python"))


def test_function_again_elsewhere() -> None:
    new = function(SLUG, "blog.py")
    again = rebuilt_function(new, Rows(BUILT), files(slug=SLUG, blog=SLUG), whole(SLUG, "blog.py"), "c2")
    assert again is not None
    assert again.similarity > 0.9
    assert again.times == 1


def test_not_what_was_moved() -> None:
    """Taken out, gone with its file, or handing on to its new place."""
    new, diff = function(SLUG, "blog.py"), whole(SLUG, "blog.py")
    passing_on = "from blog import slugify as made\n\n\ndef slugify(title, limit=60):\n    return made(title, limit)\n"
    for left in (files(slug="X = 1\n", blog=SLUG), files(blog=SLUG), files(slug=passing_on, blog=SLUG)):
        assert rebuilt_function(new, Rows(BUILT), left, diff, "c2") is None


def test_a_place_nobody_has_the_text_of_is_not_seen() -> None:
    unknown = RecordedFiles(lambda path, _cwd: path)
    again = rebuilt_function(function(SLUG, "blog.py"), Rows(BUILT), unknown, whole(SLUG, "blog.py"), "c2")
    assert again is not None
    assert not again.is_seen


def test_not_the_same_call() -> None:
    new = function(SLUG, "blog.py")
    assert rebuilt_function(new, Rows(BUILT), files(slug=SLUG, blog=SLUG), whole(SLUG, "blog.py"), "c1") is None


OVERLAPS = (
    (SLUG, "slug.py", True),
    (SLUG.replace("slug", "name").replace("words", "parts"), "slug.py", False),
    ("x = 1\n" * 9, "slug.py", False),
)


@pytest.mark.parametrize(("text", "path", "same"), OVERLAPS)
def test_change_again(text: str, path: str, same: bool) -> None:  # noqa: FBT001 - a column of the table
    assert (repeated_change(whole(text, path), Rows(CHANGE), "c2") is not None) is same


def test_few_lines_elsewhere_are_no_rework() -> None:
    assert repeated_change(whole(SLUG, "blog.py"), Rows(CHANGE), "c2") is None
    longer = SLUG * 2
    row = Entry(kind="change", key="slug.py", path="slug.py", turn=3, call="c1", data=pack_text(longer, "python"))
    assert repeated_change(whole(longer, "blog.py"), Rows(row), "c2") is not None


AGAIN = Rebuilt(name="slugify", earlier=BUILT, similarity=0.9, times=1)
REASONS = (
    (Entry(kind="error", key="x", turn=4), "something failed since"),
    (Entry(kind="research", key="asked", turn=5), "the user spoke since"),
    (Entry(kind="plan", key="x", turn=5, text="I need to revise slugify for the blog."), "an announced revision"),
    (Entry(kind="plan", key="x", turn=5, text="I need to revise the header."), ""),
    (Entry(kind="plan", key="x", turn=3, text="I need to fix slugify."), ""),
    (Entry(kind="plan", key="x", turn=5, text="Next the helpers get extracted into a package."), "an announced move"),
    (Entry(kind="plan", key="x", turn=5, text="Let me pull the text functions out."), "an announced move"),
    (Entry(kind="plan", key="x", turn=5, text="The old module will re-export it."), "an announced move"),
    (Entry(kind="plan", key="x", turn=5, agent="other", text="Let me extract the helpers."), ""),
    (Entry(kind="plan", key="x", turn=3, text="Let me extract the helpers."), ""),
    (Entry(kind="error", key="x", turn=2), ""),
)


@pytest.mark.parametrize(("entry", "reason"), REASONS)
def test_reasons(entry: Entry, reason: str) -> None:
    assert why_again(AGAIN, ("slugify",), Rows(entry), "", 6) == reason


def test_announced_again() -> None:
    assert [row.key for _said, row in announced_again("I'll rewrite `slugify` now.", Rows(BUILT), "")] == ["slugify"]
    assert announced_again("I'll rewrite the parser.", Rows(BUILT), "") == ()
    assert announced_again("slugify was replaced by them.", Rows(BUILT), "") == ()


RENAMED = SLUG.replace("def slugify", "def make_slug")
TEXTS: tuple[tuple[list[str], bool], ...] = (
    ([SLUG, SLUG], True),
    ([SLUG, RENAMED], True),
    ([RENAMED, SLUG], True),
    ([RENAMED, RENAMED], False),
    ([SLUG, "X = 1\n"], False),
    ([SLUG, "def slugify(title, limit=60):\n    return text.slugify(title, limit)\n"], False),
    ([SLUG, "from text import slugify\n\nslug = slugify('a')\n"], False),
    ([SLUG], True),
    ([RENAMED], False),
    ([], False),
)


@pytest.mark.parametrize(("texts", "stands"), TEXTS)
def test_still_in_both_texts(texts: list[str], stands: bool) -> None:  # noqa: FBT001 - a column
    assert still_in("slugify", texts, "python") is stands
