"""The facts an action is weighed by: each has a name, a value between bounds, and words for what it says.

A fact that nobody can know (whether a file that is only now written was read before) has no value and weighs nothing.
Counts are shares and rarities, and what a session is like is taken out of them by comparing with its own usual value.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from leeboard.analysis.ties.sketch import mark
from leeboard.analysis.ties.work import NOTHING, Names, WorkSoFar
from leeboard.model.ledger import Met, Rows
from leeboard.text.names import folders, path_words, singular, stem

Facts = Mapping[str, float]
"""Value by name; a fact that nobody can know is not in it."""


class Meaning(msgspec.Struct, frozen=True):
    """What more of a fact means: less drift (-1) or more of it (1), and the words for either side."""

    sign: int
    against: str
    """Where it speaks for drift."""
    speaks_for: str


DELETED = "it is deleted"
UNREAD = "it had not been read before"
READ_JUST_NOW = "it was read only just before this change"

MEANINGS: dict[str, Meaning] = {
    "beside": Meaning(-1, "none of the work lies in its folder", "the work lies in its folder"),
    "beside_usual": Meaning(
        -1, "less of the work lies in its folder than usual", "as much of the work lies in its folder as usual"
    ),
    "near": Meaning(-1, "it lies far from the work", "it lies near the work"),
    "near_usual": Meaning(-1, "it lies farther from the work than usual", "it lies as near to the work as usual"),
    "read_beside": Meaning(-1, "nothing beside it was read", "files beside it were read"),
    "named": Meaning(-1, "the user did not name it", "the user named it"),
    "folder_named": Meaning(-1, "the user did not name its folder", "the user named its folder"),
    "called": Meaning(-1, "the user spoke of nothing that is called so", "the user spoke of what it is called"),
    "called_usual": Meaning(
        -1,
        "its name says less of the user's words than usual",
        "its name says as much of the user's words as usual",
    ),
    "called_now": Meaning(-1, "the newest request does not speak of it", "the newest request speaks of it"),
    "folder_called": Meaning(-1, "the user spoke of none of its folders", "the user spoke of its folders"),
    "called_alike": Meaning(-1, "no file of the work is called alike", "files of the work are called alike"),
    "called_around": Meaning(-1, "no folder of the work is called so", "folders of the work are called so"),
    "folder_alike": Meaning(
        -1, "no file of the work is called like its folder", "files of the work are called like its folder"
    ),
    "found": Meaning(-1, "no search or run named it", "a search or a run named it"),
    "found_usual": Meaning(
        -1, "searches and runs named it less than usual", "searches and runs named it no less than usual"
    ),
    "failed": Meaning(-1, "no failing run named it", "a failing run named it"),
    "read_early": Meaning(-1, UNREAD, "it was read earlier in the work"),
    "planned": Meaning(-1, "no plan speaks of it", "a plan or document that was read speaks of it"),
    "mentioned": Meaning(-1, "the work does not mention it", "the work mentions it"),
    "mentions": Meaning(-1, "it mentions no file of the work", "it mentions files of the work"),
    "known_names": Meaning(-1, "hardly any of its names occur elsewhere in the session", "its names are known here"),
    "known_names_usual": Meaning(
        -1, "fewer of its names are known than usual", "as many of its names are known as usual"
    ),
    "written_names": Meaning(-1, "it shares hardly any name with the work", "it shares names with the work"),
    "written_names_usual": Meaning(
        -1, "it shares fewer names with the work than usual", "it shares as many names with the work as usual"
    ),
    "new_names": Meaning(-1, "what it adds, the work does not speak of", "what it adds, the work speaks of"),
    "same_news": Meaning(-1, "it adds nothing that the work adds", "it adds what the work adds"),
    "same_news_usual": Meaning(
        -1, "it adds fewer of the work's new names than usual", "it adds as many of the work's new names as usual"
    ),
    "user_words": Meaning(-1, "hardly any of the user's words are in it", "the user's words are in it"),
    "user_words_usual": Meaning(
        -1, "fewer of the user's words are in it than usual", "as many of the user's words are in it as usual"
    ),
    "user_words_now": Meaning(-1, "no word of the newest request is in it", "words of the newest request are in it"),
    "other_kind": Meaning(1, "it is another kind of work than the goal", "it is the goal's kind of work"),
}
"""In the order in which they are told where they weigh the same."""

_SAME = {"unread": "read", "read_early": "read", "known_names": "names", "written_names": "names"}
_SAME |= {"new_names": "news", "same_news": "news", "user_words_now": "user_words", "called_now": "called"}


def topic_of(name: str) -> str:
    """What a fact is about: two facts about the same thing are told as one reason."""
    bare = name.removesuffix(_USUALLY)
    return _SAME.get(bare, bare)


_USUALLY = "_usual"
USUAL = {
    "beside": 0.4,
    "near": 0.85,
    "called": 0.4,
    "found": 0.4,
    "known_names": 0.5,
    "written_names": 0.35,
    "same_news": 0.3,
    "user_words": 0.15,
}
"""Facts that are compared with the session's own, and what is taken for usual until it is known."""
_PRIOR, _MEMORY = 3, 12
_SHRINK, _MIDDLE = 3.0, 0.35
"""A handful of names is no share: so many rare ones are added, of which so many are taken to be known."""
_FEW_NAMES, _FEW_NEW = 3, 2
_TELLING = 3
"""Letters of a name that tells something."""


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """One path an action changes, with what is known of the change."""

    path: str
    names: Names = NOTHING
    """Marks of the names in the edit, the project's own left out."""
    added: Names = NOTHING
    parts: tuple[str, ...] = ()
    """Words of those names."""
    asked: frozenset[str] = frozenset()
    """Words of the newest request."""
    creates: bool = False
    given: tuple[tuple[str, float], ...] = ()
    """Facts told by the name of the path and by the orders."""
    reading_leads: bool = True
    """False for what many an agent reads in passing: build and CI configuration."""


def word_flags(words: tuple[str, ...], rows: Rows, flag: int) -> float:
    """The share of the words that were met so."""
    return sum(1 for word in words if rows.get(f"#{word}", 0) & flag) / len(words) if words else 0.0


def facts_of(subject: Subject, work: WorkSoFar, rows: Rows, usual: tuple[float, ...]) -> dict[str, float]:
    """Every fact that is known of the subject."""
    facts = {
        **_place_facts(subject, work),
        **_word_facts(subject, work, rows),
        **_way_facts(subject, work, rows),
        **_name_facts(subject, work),
        **dict(subject.given),
    }
    known = usual_of(usual)
    facts |= {name + _USUALLY: facts[name] - known[name][0] for name in USUAL if name in facts}
    return facts


def _place_facts(subject: Subject, work: WorkSoFar) -> dict[str, float]:
    path = subject.path
    facts = {"read_beside": work.share_read_beside(path)}
    if work.others(path):
        facts |= {"beside": work.share_beside(path), "near": work.nearness(path)}
    return facts


@lru_cache(maxsize=4_096)
def _called(path: str) -> tuple[str, ...]:
    """The words of a name or a folder, each once."""
    return tuple(dict.fromkeys(map(singular, path_words(path))))


@lru_cache(maxsize=4_096)
def _name_of(path: str) -> str:
    return path.rpartition("/")[2]


def _word_facts(subject: Subject, work: WorkSoFar, rows: Rows) -> dict[str, float]:
    path, name = subject.path, subject.path.rpartition("/")[2]
    own = _called(name) or (singular(stem(path)),)
    around = tuple(word for word in _called(path) if word not in own)
    others = frozenset[str]().union(*map(_called, map(_name_of, work.others(path))))
    places = frozenset[str]().union(*map(_called, work.other_folders(path)))
    folder = path.rpartition("/")[0].rpartition("/")[2].lower()
    facts = {
        "called": word_flags(own, rows, Met.WORD),
        "called_now": sum(word in subject.asked for word in own) / len(own),
        "folder_called": word_flags(around, rows, Met.WORD),
        "folder_named": float(bool(folder) and bool(rows.get(f"#{singular(folder)}", 0) & Met.WORD)),
        "called_alike": sum(word in others for word in own) / len(own),
        "called_around": sum(word in places for word in own) / len(own),
        "folder_alike": float(bool(folder) and singular(folder) in others),
        "planned": word_flags(own, rows, Met.PLANNED),
        "named": _named(path, name, rows),
    }
    if len(subject.parts) >= _FEW_NEW:
        facts["user_words"] = word_flags(subject.parts, rows, Met.WORD)
        facts["user_words_now"] = sum(word in subject.asked for word in subject.parts) / len(subject.parts)
    return facts


def _named(path: str, name: str, rows: Rows) -> float:
    if rows.get(path, 0) & Met.NAMED:
        return 1.0
    if rows.get(f"name:{name}", 0) & Met.NAMED:
        return 0.8
    bare = stem(path)
    return 0.5 if len(bare) > _TELLING + 1 and rows.get(f"#{singular(bare)}", 0) & Met.WORD else 0.0


def _way_facts(subject: Subject, work: WorkSoFar, rows: Rows) -> dict[str, float]:
    """How it was met on the way; a file that is only now written could not be."""
    path = subject.path
    met, name = rows.get(path, 0), rows.get(f"name:{path.rpartition('/')[2]}", 0)
    if is_new(subject, rows):
        return {}
    facts = {"found": _found(met, name), "failed": float(bool((met | name) & Met.FAILED))}
    if subject.reading_leads:
        facts["read_early"] = float(work.was_read_early(path))
    return facts


def is_new(subject: Subject, rows: Rows) -> bool:
    """Whether it is only now written, or was by this very session, as far as anybody has seen."""
    met, name = rows.get(subject.path, 0), rows.get(f"name:{subject.path.rpartition('/')[2]}", 0)
    seen = met & (Met.READ | Met.FOUND | Met.LISTED) or name & (Met.FOUND | Met.LISTED)
    return subject.creates and not seen


def is_spoken_of(facts: Facts) -> bool:
    """Whether the user used its name or a word of it."""
    return any(facts.get(name) for name in ("named", "folder_named", "called"))


def is_tie(name: str, facts: Facts) -> bool:
    """Whether a fact can tie a path to the work: to have as little of something as the work usually has does not."""
    return not name.endswith(_USUALLY) or bool(facts[name.removesuffix(_USUALLY)])


def _found(met: int, name: int) -> float:
    """The fewer files a result names, the more it says that it names this one."""
    for flags, flag, worth in (
        (met, Met.PINNED, 1.0),
        (name, Met.PINNED, 0.8),
        (met, Met.FOUND, 0.6),
        (name, Met.FOUND, 0.4),
        (met | name, Met.LISTED, 0.2),
    ):
        if flags & flag:
            return worth
    return 0.0


def _name_facts(subject: Subject, work: WorkSoFar) -> dict[str, float]:
    path, bare = subject.path, stem(subject.path)
    before = work.doubted.get(path) or (work.wrote.get(path, NOTHING), work.added.get(path, NOTHING))
    names, added = subject.names | before[0], subject.added | before[1]
    # What is deleted or moved is about what it held.
    names = names or work.read.get(path) or work.read_in_doubt.get(path, NOTHING)
    others = work.others(path)
    if not others:
        return {}
    facts = {
        "mentioned": float(len(bare) > _TELLING and work.mentions(bare, path)),
        "mentions": min(3, len(names & set(map(_stem_mark, others)))) / 3,
    }
    if len(names) < _FEW_NAMES and len(added) < _FEW_NEW:
        return facts
    shared = work.shared(names, path)
    if len(names) >= _FEW_NAMES:
        extra = _SHRINK * shared.rarest
        whole = shared.worth(names) + extra
        for name, among in (("known_names", shared.known), ("written_names", shared.written)):
            facts[name] = (shared.worth(among) + _MIDDLE * extra) / whole
    if len(added) >= _FEW_NEW:
        news = shared.worth(added & names) or 1.0
        for name, there in (("new_names", shared.written), ("same_news", work.added_elsewhere(names, path))):
            facts[name] = shared.worth(added & there) / news
    return facts


@lru_cache(maxsize=4_096)
def _stem_mark(path: str) -> str:
    """Empty for a name that is too short to tell anything."""
    bare = stem(path)
    return mark(bare) if len(bare) > _TELLING else ""


@lru_cache(maxsize=1_024)
def terms_of_path(path: str) -> tuple[str, ...]:
    """The ledger terms that decide about a path by itself."""
    name, folder = path.rsplit("/", 1)[-1], path.rpartition("/")[0].rpartition("/")[2].lower()
    words = dict.fromkeys(map(singular, (*path_words(path), *path_words(name), stem(path), folder)))
    return (
        path,
        f"name:{name}",
        f"name:{stem(path)}",
        *folders(path),
        *(f"#{word}" for word in words if word),
    )


# What a session is like: means of a few facts over the files it came to, so far.


def usual_of(kept: tuple[float, ...]) -> dict[str, tuple[float, float]]:
    """Mean and count by fact, from what the session keeps."""
    if len(kept) != 2 * len(USUAL):
        return {name: (mean, float(_PRIOR)) for name, mean in USUAL.items()}
    return {name: (kept[2 * at], kept[2 * at + 1]) for at, name in enumerate(USUAL)}


def usual_after(kept: tuple[float, ...], facts: Facts) -> tuple[float, ...]:
    """What the session keeps after it has come to one more file."""
    known = usual_of(kept)
    for name, (mean, count) in known.items():
        if name in facts:
            count = min(count + 1, float(_PRIOR + _MEMORY))  # noqa: PLW2901 - the count with this one in it
            known[name] = (round(mean + (facts[name] - mean) / count, 4), count)
    return tuple(value for pair in known.values() for value in pair)
