"""Kinds of file that have a name of their own: the tests, the schema, the docs, the legacy folder."""

from __future__ import annotations

import re

from leeboard.code._constraint_verb import IMPERATIVES
from leeboard.model.pattern import lazy

Things = tuple[tuple[str, ...], tuple[str, ...]]
"""Globs and areas."""

TEST_GLOBS = (
    "**/tests/**", "**/test/**", "**/__tests__/**", "**/spec/**", "**/specs/**", "**/e2e/**", "**/test_*",
    "**/*_test.*", "**/*.test.*", "**/*.spec.*",
)  # fmt: skip
"""Where tests mostly are: whoever asks for tests takes back a ban on these, too."""

_SCHEMA = (
    "**/schema.*", "**/schema/**", "**/schemas/**", "**/*.sql", "**/*.prisma", "**/migrations/**", "**/*_schema.*",
    "**/*.schema.*",
)  # fmt: skip
_WORDS: tuple[tuple[str, Things], ...] = (
    (
        (
            r"(?:unit\s+|integration\s+|e2e\s+|end-to-end\s+|failing\s+)?(?:tests?|specs?|test\s+cases?)|"
            r"testes|pruebas|тест(?:ы|ов)|测试|テスト"
        ),
        ((), ("tests",)),
    ),
    (
        r"(?:database\s+|db\s+|sql\s+|prisma\s+|data\s+)?schemas?|schéma|esquema|datenbankschema|схем[уа]",
        (_SCHEMA, ()),
    ),
    (
        r"(?:database\s+|db\s+)?migrations?|migrationen|migraciones|миграции",
        (("**/migrations/**", "**/migrate/**", "**/alembic/**"), ()),
    ),
    (
        r"databases?|db|datenbank|base\s+de\s+(?:données|datos)|banco\s+de\s+dados|баз[уа]\s+данных|数据库|データベース",
        ((*_SCHEMA, "**/migrate/**", "**/alembic/**"), ()),
    ),
    (
        r"lock\s?-?files?|package-lock",
        (("**/*.lock", "**/package-lock.json", "**/pnpm-lock.yaml", "**/go.sum"), ()),
    ),
    (
        r"css|style\s?sheets?|(?:css\s+)?styles|styling|scss",
        (("**/*.css", "**/*.scss", "**/*.sass", "**/*.less"), ()),
    ),
    (r"docs|documentation", (("**/*.md", "**/docs/**", "**/*.rst"), ())),
    (r"readmes?", (("**/README*", "**/README.md"), ())),
)
_ADJECTIVES = r"(?:(?:the|any|our|my|your|existing|current|all|of|other|those|these|die|les|los|las|os|le|el|i)\s+)*+"
_TAIL = (
    r"(?:\s+(?:files?|code|suite|folder|directory|dir|definitions?|please|at\s+all|themselves|itself|either|too|again|"
    r"thanks))*\W*"
)
_KINDS = tuple((lazy(rf"{_ADJECTIVES}(?:{words}){_TAIL}", re.IGNORECASE), things) for words, things in _WORDS)
_DETERMINERS = (
    "the a an any our my your those these this that all of some its their one more another every each both new other "
    "existing current das die den el la los las le les as os few couple whole entire additional "
    "necessary required two three several"
).split()
_NOT_FIRST = "|".join(sorted({*IMPERATIVES, "i", "you", "we", "it", "they", "if", "how", "why", "what"}))
_DETERMINER = rf"(?:{'|'.join(_DETERMINERS)})\b"
_FREE = rf"(?:(?!{_DETERMINER}|(?!failing|missing|existing|remaining|breaking|outstanding)\w+ing\b)[\w\-]+\s+){{0,3}}?"
_BEFORE = rf"(?:(?:{_DETERMINER}\s+){{1,4}}{_FREE}|(?!(?:{_NOT_FIRST})\b){_FREE}|)"
_ASKED_KINDS = (
    (lazy(rf"{_BEFORE}(?:test\s+)?coverage{_TAIL}", re.IGNORECASE), _WORDS[0][1]),
    *((lazy(rf"{_BEFORE}(?:{words}){_TAIL}", re.IGNORECASE), things) for words, things in _WORDS),
)
_FOLDER = lazy(
    rf"{_ADJECTIVES}[`'\"]?([\w\-.]{{2,40}})[`'\"]?\s+(?:folder|directory|dir)\W*(?:please\W*)?", re.IGNORECASE
)
_NO_FOLDER_NAMES = frozenset(
    "this that same current root whole entire home working other any each project new parent output build".split()
)


def kind_of(bare: str) -> Things:
    """Globs and areas of a kind of file and nothing more."""
    return _first(_KINDS, bare)


def asked_kind(bare: str) -> Things:
    """The same for what is asked for, where one of a kind is enough: `a users migration`, `the failing login tests`."""
    return _first(_ASKED_KINDS, bare)


def _first(kinds: tuple[tuple[re.Pattern[str], Things], ...], bare: str) -> Things:
    for pattern, things in kinds:
        if pattern.fullmatch(bare):
            return things
    folder = _FOLDER.fullmatch(bare)
    return ((f"**/{folder[1]}/**",), ()) if folder and folder[1].lower() not in _NO_FOLDER_NAMES else ((), ())
