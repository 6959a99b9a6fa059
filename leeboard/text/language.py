"""What a file is by its name and first lines: its language, whether somebody wrote it, its folder's role, its area."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Literal

import msgspec

from leeboard.data import load
from leeboard.model.text import lazy
from leeboard.text.names import split_words


class _Languages(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    extensions: dict[str, tuple[str, ...]]
    names: dict[str, tuple[str, ...]]
    interpreters: dict[str, tuple[str, ...]]


class _Told(msgspec.Struct, frozen=True):
    """The language of a file by its extension, its name or the interpreter it asks for."""

    extensions: dict[str, str]
    names: dict[str, str]
    interpreters: dict[str, str]


@cache
def _told_by() -> _Told:
    table = load("source/languages", _Languages)
    return _Told(_turned(table.extensions), _turned(table.names), _turned(table.interpreters))


def _turned(signs: dict[str, tuple[str, ...]]) -> dict[str, str]:
    return {sign: language for language, of_language in signs.items() for sign in of_language}


_SHEBANG = lazy(
    r"\#![ \t]{0,4}(?:[^\s]{1,80}/)?(?:env[ \t]{1,4}(?:-\S{1,20}[ \t]{1,4})?)?([a-z][a-z\-]{1,20}?)[0-9.]{0,8}(?=\s|$)"
)
_IS_CPP = lazy(
    r"^[ \t]*(?:class[ \t]+\w|namespace\b|template[ \t]*<|using[ \t]+\w|public:|private:)|\bstd::", re.MULTILINE
)
_HEAD = 2_000

_TEST_PATH = lazy(
    r"(?:^|/)(?:__fixtures__|regress|fuzz|test_?suites?|test_?utils?|testkit|testlib|mocks|Tests?|UnitTests?|IntegrationTests?|testFixtures|androidTest|jvmTest|commonTest)/"
    r"|\.(?:Unit|Integration)?Tests?/|(?:^|/)Test[A-Z]\w{0,80}\.(?:java|kt|cs|php)$"
    r"|(?:^|/)test-[\w-]{1,80}\.(?:c|cc|cpp|h)$|(?:^|/)src/(?:it|integrationTest|functionalTest|testFixtures)/"
    r"|(?:^|/)test_?(?:help\w{0,12}|utils?|support|setup)\.\w{1,4}$"
    r"|[a-z0-9](?:TestCase|IT)\.(?:java|kt|php)$|\.(?:cy|stories|e2e|tst|test-d)\.[cm]?[jt]sx?$"
)

_MADE_NAMES = lazy(
    r"[.\-]min\.(?:js|css|mjs|html)$|[.\-]bundle\.(?:js|css)$|_pb2(?:_grpc)?\.pyi?$|\.pb\.(?:go|cc|h)$|_grpc\.pb\.go$"
    r"|\.(?:g|freezed)\.dart$|[._]generated\.\w{1,8}$|\.designer\.cs$|\.g\.cs$|_string\.go$|zz_generated\.\w"
    r"|\.(?:map|lock|snap|sum|lockb|d\.ts\.map)$|^(?:package-lock|npm-shrinkwrap|composer\.lock|packages\.lock)\.json$"
    r"|^(?:pnpm-lock|pubspec\.lock)\.ya?ml$",
    re.IGNORECASE,
)
_MADE_BY = lazy(
    r"^[ \t]{0,20}(?://|\#|/?\*{1,2}|<!--|--|;|%|\"\"\")?[ \t!]{0,8}[^\n]{0,120}?(?:\bcode generated\b|@generated\b"
    r"|\bauto-?generated (?:file|by|code|from)\b|\bautomatically generated\b"
    r"|\bthis file (?:is|was) (?:auto-?)?generated\b"
    r"|\bgenerated (?:file|code)\W{1,3}do not (?:edit|modify))",
    re.IGNORECASE | re.MULTILINE,
)
_LONG_LINES = 400
"""Characters a line has on average where a machine wrote it."""
_ENOUGH = 4_000


def language_of(path: str, text: str = "") -> str:
    """The name of the language, as the parser knows it; empty where it is none of those known."""
    name = posixpath.basename(path.replace("\\", "/")).lower()
    extension = name.rpartition(".")[2] if "." in name[1:] else ""
    if extension == "h":
        return "cpp" if _IS_CPP.search(text[: 4 * _HEAD]) else "c"
    if extension == "ipynb":
        # A notebook is written whole as JSON, or cell by cell.
        return "json" if text[:_HEAD].lstrip().startswith("{") else "python"
    found = _told_by().extensions.get(extension) or _told_by().names.get(name)
    if found == "php" and extension == "inc" and "<?" not in text[:_HEAD]:
        return ""
    return found or ("" if extension else _by_shebang(text))


def _by_shebang(text: str) -> str:
    found = _SHEBANG.match(text) if text.startswith("#!") else None
    return _told_by().interpreters.get(found[1].rstrip("-"), "") if found else ""


@lru_cache(maxsize=4_096)
def is_test_path(path: str) -> bool:
    """Whether a file holds tests, or what only tests use: told by its name and its folders."""
    plain = path.replace("\\", "/")
    return is_test(plain) or bool(_TEST_PATH.search(plain))


def is_generated(path: str, text: str = "") -> bool:
    """Whether a tool made it or brought it along: generated, vendored, minified, a lock file."""
    plain = path.replace("\\", "/")
    if lies_in(plain, "made") or _MADE_NAMES.search(posixpath.basename(plain)):
        return True
    head = text[:_HEAD]
    # A look for the word costs a hundredth of the pattern, and hardly any file has it.
    return ("enerated" in head and bool(_MADE_BY.search(head))) or is_minified(plain, text)


def was_generated(path: str, text: str, before: str | None) -> bool:
    """As `is_generated`, of a change: a head that the change itself writes is its author's claim and exempts nothing.
    None where nobody knows what was before. Nor does one long line among those that people wrote.
    """
    if not is_generated(path, text):
        return False
    if before is None or is_generated(path):
        return True
    return (is_minified(path, text) and not before) or is_generated(path, before)


def is_minified(path: str, text: str) -> bool:
    if len(text) < _ENOUGH or language_of(path) not in {"javascript", "typescript", "html", ""}:
        return False
    return len(text) > _LONG_LINES * (text.count("\n") + 1) and path.endswith(
        (".js", ".mjs", ".cjs", ".css", ".ts", ".html")
    )


# What a folder of a certain name is, wherever it lies: brought along, made by a tool, left by running things.


Role = Literal[
    "foreign",
    "made",
    "artifact",
    "reference",
    "trace",
    "outside-plan",
    "without-limits",
    "untracked",
    "unindexed",
    "unscanned",
]
"""One for each reader that passes folders over for a reason of its own; the table says which."""


class _Folders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    folders: dict[str, frozenset[Role]]


@cache
def _table() -> _Folders:
    return load("folders/roles", _Folders)


@cache
def folders_with(role: Role) -> frozenset[str]:
    """The folders of a role."""
    return frozenset(name for name, roles in _table().folders.items() if role in roles)


def lies_in(path: str, role: Role, *, any_case: bool = False) -> bool:
    """Whether a folder of this role is on the way to the file."""
    return bool(_on_the_way(role, any_case=any_case).search(path))


@cache
def _on_the_way(role: Role, *, any_case: bool) -> re.Pattern[str]:
    folders = "|".join(map(re.escape, sorted(folders_with(role))))
    return lazy(rf"(?:^|/)(?:{folders})/", re.IGNORECASE if any_case else 0)


# Area tags: what kind of work a word or a path stands for.


class _Areas(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    build_files: frozenset[str]
    """Names of what builds, checks and ships a project."""
    build_folders: tuple[str, ...]
    vague: frozenset[str]
    """Words with another common meaning: they add an area to others, and make none by themselves."""
    manifests: frozenset[str]
    not_code: tuple[str, ...]
    words: dict[str, tuple[str, ...]]
    extensions: dict[str, tuple[str, ...]]


@cache
def _areas() -> _Areas:
    return load("speech/areas", _Areas)


@cache
def _by_word() -> dict[str, str]:
    return {word: area for area, words in _areas().words.items() for word in words}


@cache
def _by_extension() -> dict[str, str]:
    return {extension: area for area, extensions in _areas().extensions.items() for extension in extensions}


_UI_SUFFIXES = (".tsx", ".jsx", ".vue", ".svelte", ".astro", ".xaml", ".storyboard", ".html")
_TEST_NAME = lazy(
    r"(?:^|/)(?:__tests__|__mocks__|__snapshots__|e2e|testing|testdata|fixtures|cypress)/|(?:^|"
    r"[/_.\-])tests?(?:[_.\-/]|$)"
    r"|[a-z0-9]Tests?\.|(?:^|/)conftest\.py$"
)
_SPEC_NAME = lazy(r"(?:^|/)specs?/|[_.\-]specs?\.|(?:^|/)spec_|[a-z0-9]Spec\.")
SUPPORT = frozenset({"deps", "docs", "tests", "build", "i18n", "assets"})
"""Areas that any change may bring along: by themselves they are never a tangent."""
_KIND = {"style": "looks", "ui": "looks", "backend": "service", "data": "service"}
"""Areas that go together: what is styled is shown, what is served is stored."""


def areas_of_words(words: Iterable[str]) -> tuple[str, ...]:
    """Tags of the human's words, in the order they come."""
    by_word, vague = _by_word(), _areas().vague
    known = [word for word in words if word in by_word]
    return () if all(word in vague for word in known) else tuple(dict.fromkeys(by_word[word] for word in known))


@lru_cache(maxsize=4_096)
def areas_of_path(path: str) -> tuple[str, ...]:
    """Tags of a path: by name, extension and the words of its folders."""
    name = posixpath.basename(path).lower()
    found: dict[str, None] = {}
    if name in _areas().manifests:
        found["deps"] = None
    if is_test(path):
        found["tests"] = None
    extension = name.rpartition(".")[2]
    if extension in _by_extension():
        found[_by_extension()[extension]] = None
    if name.endswith(_UI_SUFFIXES):
        found["ui"] = None
    if name in _areas().build_files or path.startswith(_areas().build_folders):
        found["build"] = None
    for word in split_words(path.rpartition(".")[0] or path):
        if word in _by_word():
            found[_by_word()[word]] = None
    return tuple(found)


def unrelated_area(path: str, areas: Iterable[str]) -> str:
    """The path's area when both sides are known and are different kinds of work; support work never is."""
    wanted = {_KIND.get(area, area) for area in areas if area not in SUPPORT}
    own = [area for area in areas_of_path(path) if area not in SUPPORT]
    if not wanted or not own or wanted & {_KIND.get(area, area) for area in own}:
        return ""
    return own[0]


@lru_cache(maxsize=4_096)
def is_test(path: str) -> bool:
    """Told by its name. `spec` also means a specification, which is no code."""
    if _TEST_NAME.search(path):
        return True
    return bool(_SPEC_NAME.search(path)) and not path.endswith(_areas().not_code)


def is_manifest(path: str) -> bool:
    """A file that names packages or pins them: any change may bring it along."""
    return posixpath.basename(path).lower() in _areas().manifests


# Files that are shown rather than run, and files of the environment, where secrets belong.


_SAMPLE = lazy(
    r"(?i)(?:\A|/)(?:_?examples?|samples?|demos?|docs?|documentation|tutorials?|fixtures?|testdata|mocks?|"
    r"templates?)/"
)
_MEASUREMENT = lazy(
    r"(?i)(?:\A|/)(?:(?:micro)?_?bench(?:es|marks?|marking)?|jmh)/|[a-z0-9_\-](?-i:B|[_\-]b)ench(?:marks?)?\.(?:java|kt|cs|go|rs|py|rb|php|[cm]?[jt]s)\Z"
)
_TRIAL = lazy(
    r"(?i)(?:\A|/)(?:x?t|e2e|qa|integration|acceptance|smoke|contrib|playgrounds?|sandbox(?:es)?|prototypes?|scratch|"
    r"experiments?|poc|docs?_?src|test_?apps?|test_?plugins?|(?:unit|integration|system|functional|regression)[-_]?tests?)/"
)
_SAMPLE_FILE = lazy(
    r"(?i)[.\-_](?:examples?|samples?|template|dist|tmpl|tpl)(?:\.|\Z)|\A(?:examples?|samples?)(?:[\-_]?\d{1,3})?\.|"
    r"\.stor(?:y|ies)[.\-]"
)
_ENV_FILE = lazy(r"(?:\A|/)\.env(?:\.[\w\-.]{1,40})?\Z|(?:\A|/)[\w\-]{1,40}\.env\Z")


def is_sample(path: str) -> bool:
    """Shown, not run: examples, documents, fixtures, templates."""
    return bool(_SAMPLE.search(path)) or is_sample_file(path)


def is_sample_file(path: str) -> bool:
    """The file's own name says so: `.env.example`, `service.examples.json`."""
    return bool(_SAMPLE_FILE.search(path.rpartition("/")[2]))


def is_measurement(path: str) -> bool:
    """What only measures the rest: benchmarks and what they are fed with."""
    return bool(_MEASUREMENT.search(path))


def is_trial(path: str) -> bool:
    """What lies beside the product: programs that try it out, contributions, experiments."""
    return bool(_TRIAL.search(path.replace("\\", "/")))


def is_env_file(path: str) -> bool:
    """`.env` and its siblings, `.env.example` among them."""
    return ".env" in path and bool(_ENV_FILE.search(path.replace("\\", "/")))


# Is what stands in a file said to whoever reads it?

_DEPENDENCY = lazy(r"(?:^|/)(?:node_modules|site-packages|vendor|third_party|\.cargo|gems|Downloads|tmp)/")
_PROSE = frozenset({"", "markdown", "html"})


def is_dependency(path: str) -> bool:
    """Nobody of the project wrote what lies there."""
    return bool(_DEPENDENCY.search(path))


def is_data(path: str) -> bool:
    """Tests and code of the project speak of orders as data."""
    return (language_of(path) not in _PROSE or is_test_path(path)) and not is_dependency(path)
