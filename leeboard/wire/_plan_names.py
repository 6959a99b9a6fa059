"""Names in a plan: which may become a folder and part of a branch, and what a unit's number is."""

from __future__ import annotations

from typing import Literal

from leeboard.model.pattern import lazy

LONGEST_SLUG = 50
_ID = lazy(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
_UNIT = lazy(r"unit-([0-9]{2,9})-[a-z0-9]+(?:-[a-z0-9]+)*")
_FEEDBACK = lazy(r"(?:FB-)?([0-9]{1,9})(?:-.*)?", 16)  # re.DOTALL
_OTHER = lazy(r"[^a-z0-9]+")


def safe_id(text: str, kind: Literal["slug", "stage", "unit"] = "slug") -> bool:
    """Whether a name may be a folder and part of a branch. `main` is the branch of the intent itself."""
    if not _ID.fullmatch(text) or ".." in text or text.endswith((".", ".lock")):
        return False
    return kind == "slug" or text != "main"


def slug_of(title: str) -> str:
    """Empty where a title holds no letter or digit of the alphabet."""
    import unicodedata  # noqa: PLC0415 - only where an intent is made

    folded = unicodedata.normalize("NFKD", title[:500]).encode("ascii", "ignore").decode().lower()
    return _OTHER.sub("-", folded).strip("-")[:LONGEST_SLUG].strip("-")


def unit_number(unit_id: str) -> int | None:
    """The number in a unit's name; None where the name is not `unit-NN-some-words`."""
    found = _UNIT.fullmatch(unit_id)
    return int(found[1]) if found else None


def feedback_id(file: str) -> str:
    """`FB-NN` of a file `NN-slug.md`; empty where its name begins with no number."""
    found = _FEEDBACK.fullmatch(file.rpartition("/")[2].removesuffix(".md"))
    return f"FB-{int(found[1]):02}" if found else ""
