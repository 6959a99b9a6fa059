"""What kind of file a line stands in, and with it what a value without quotes can be there."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from leeboard.data import load
from leeboard.model.pattern import lazy

Style = Literal["code", "shell", "config", "prose", "style", "lock", "shell line", "any"]
"""`any`: whatever one of the others would take for a secret is one. `style`: sheets, maps, minified and drawn things,
where only formats and key blocks count. `lock`: digests by trade."""


class _FileStyles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    suffixes: dict[Style, frozenset[str]]
    lock_names: frozenset[str]
    shell_names: frozenset[str]


@cache
def _file_styles() -> _FileStyles:
    return load("secrets/file_styles", _FileStyles)


_MINIFIED = lazy(r"(?i)[.\-]min\.(?:js|css|mjs)\Z|\.(?:bundle|chunk)\.js\Z")
_TRANSLATED = lazy(
    r"(?i)(?:\A|/)(?:i18n|l10n|locales?|translations?|lang|langs|languages|lc_messages|nls)(?:/|\Z)|"
    r"messages[_\-][a-z]{2}"
)
_SAMPLE = lazy(
    r"(?i)(?:\A|/)(?:examples?|samples?|demos?|docs?|documentation|tutorials?|fixtures?|testdata|mocks?|"
    r"templates?)/"
)
_SAMPLE_FILE = lazy(
    r"(?i)[.\-_](?:examples?|samples?|template|dist|tmpl|tpl)(?:\.|\Z)|\A(?:examples?|samples?)(?:[\-_]?\d{1,3})?\."
)
_SCRATCH = lazy(r"(?i)(?:/private)?(?:/var)?/tmp/|[a-z]:/(?:users/[^/]{1,60}/appdata/local/|windows/)?temp/|/dev/shm/")
_ENV_FILE = lazy(r"(?:\A|/)\.env(?:\.[\w\-.]{1,40})?\Z|(?:\A|/)[\w\-]{1,40}\.env\Z")


def style_of(path: str) -> Style:
    """By its name alone; a shell line has none."""
    if not path:
        return "shell line"
    name = path.replace("\\", "/").rsplit("/", 1)[-1].lower()
    if name in _file_styles().lock_names:
        return "lock"
    if _MINIFIED.search(name):
        return "style"
    if name in _file_styles().shell_names or name.startswith(("dockerfile.", "makefile.")):
        return "shell"
    suffix = name.rsplit(".", 1)[-1]
    for style, suffixes in _file_styles().suffixes.items():
        if suffix in suffixes:
            return style
    return "config" if name.startswith(".") or "." not in name else "prose"


def is_translation(path: str) -> bool:
    """Texts for people, in their languages."""
    return bool(_TRANSLATED.search(path))


def is_sample(path: str) -> bool:
    """Shown, not run: examples, documents, fixtures, templates."""
    return bool(_SAMPLE.search(path)) or is_sample_file(path)


def is_sample_file(path: str) -> bool:
    """The file's own name says so: `.env.example`, `service.examples.json`."""
    return bool(_SAMPLE_FILE.search(path.rpartition("/")[2]))


def is_scratch(path: str) -> bool:
    """In a folder of the system for what is thrown away: nobody commits from there."""
    return bool(_SCRATCH.match(path.replace("\\", "/")))


def is_env_file(path: str) -> bool:
    """`.env` and its siblings, `.env.example` among them."""
    return ".env" in path and bool(_ENV_FILE.search(path.replace("\\", "/")))
