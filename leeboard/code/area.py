"""Area tags: what kind of work a word or a path stands for."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from functools import lru_cache

from leeboard.code.names import split_words
from leeboard.model.pattern import lazy

_WORDS: dict[str, str] = {
    "auth": "auth login logout signin signup oauth jwt password credential credentials sso saml mfa authentication "
    "authorization authenticate authorize permission permissions rbac csrf",
    "data": "database schema migration migrations sql postgres postgresql mysql sqlite orm prisma alembic seed seeds "
    "mongo mongodb redis query queries entity entities",
    "style": "css scss sass less styling stylesheet theme themes font fonts colour colours color colors tailwind "
    "layout responsive dark",
    "ui": "button buttons modal dialog form forms navbar sidebar dropdown tooltip widget widgets screen screens "
    "component components frontend ui ux icon icons menu dashboard",
    "backend": "api endpoint endpoints server backend route routes controller controllers middleware handler "
    "handlers "
    "graphql grpc rest webhook webhooks worker workers queue",
    "docs": "docs documentation readme changelog guide tutorial",
    "tests": "test tests testing spec specs pytest jest coverage fixture fixtures e2e",
    "build": "ci cd pipeline workflow workflows webpack vite rollup makefile cmake bundler lint eslint prettier "
    "release",
    "infra": "docker dockerfile kubernetes k8s helm terraform ansible nginx deploy deployment aws gcp azure "
    "cluster infra",
    "deps": "dependency dependencies lockfile upgrade bump package packages",
    "i18n": "i18n translation translations locale locales localization internationalization",
}
_VAGUE = frozenset(
    "less query queries handler handlers dark rest form forms seed seeds queue release package packages layout "
    "api deploy deployment pipeline workflow workflows server worker workers cluster".split()
)
"""Words with another common meaning: they add an area to others, and make none by themselves."""
_BY_WORD = {word: area for area, words in _WORDS.items() for word in words.split()}

_EXTENSIONS = {
    **dict.fromkeys(("css", "scss", "sass", "less", "styl"), "style"),
    **dict.fromkeys(("md", "mdx", "rst", "adoc"), "docs"),
    **dict.fromkeys(("sql", "prisma"), "data"),
    **dict.fromkeys(("tf", "tfvars"), "infra"),
    **dict.fromkeys(("png", "jpg", "jpeg", "svg", "gif", "ico", "woff", "woff2", "mp4"), "assets"),
    **dict.fromkeys(("po", "pot", "arb"), "i18n"),
}
_MANIFESTS = frozenset(
    """
    package.json package-lock.json yarn.lock pnpm-lock.yaml bun.lockb bun.lock pyproject.toml poetry.lock uv.lock
    requirements.txt setup.py setup.cfg pipfile pipfile.lock cargo.toml cargo.lock go.mod go.sum gemfile gemfile.lock
    composer.json
    composer.lock pom.xml build.gradle build.gradle.kts settings.gradle pubspec.yaml pubspec.lock mix.exs mix.lock
    package.swift podfile podfile.lock deno.json deno.lock requirements-dev.txt environment.yml
    """.split()
)
_UI_SUFFIXES = (".tsx", ".jsx", ".vue", ".svelte", ".astro", ".xaml", ".storyboard", ".html")
_TEST_NAME = lazy(
    r"(?:^|/)(?:__tests__|__mocks__|__snapshots__|e2e|testing|testdata|fixtures|cypress)/|(?:^|"
    r"[/_.\-])tests?(?:[_.\-/]|$)"
    r"|[a-z0-9]Tests?\.|(?:^|/)conftest\.py$"
)
_SPEC_NAME = lazy(r"(?:^|/)specs?/|[_.\-]specs?\.|(?:^|/)spec_|[a-z0-9]Spec\.")
_NOT_CODE = (
    ".md",
    ".mdx",
    ".rst",
    ".txt",
    ".yaml",
    ".yml",
    ".json",
    ".toml",
    ".spec",
    ".adoc",
    ".html",
    ".pdf",
    ".xml",
)

SUPPORT = frozenset({"deps", "docs", "tests", "build", "i18n", "assets"})
"""Areas that any change may bring along: by themselves they are never a tangent."""
_KIND = {"style": "looks", "ui": "looks", "backend": "service", "data": "service"}
"""Areas that go together: what is styled is shown, what is served is stored."""


def areas_of_words(words: Iterable[str]) -> tuple[str, ...]:
    """Tags of the human's words, in the order they come."""
    known = [word for word in words if word in _BY_WORD]
    return () if all(word in _VAGUE for word in known) else tuple(dict.fromkeys(_BY_WORD[word] for word in known))


@lru_cache(maxsize=4_096)
def areas_of_path(path: str) -> tuple[str, ...]:
    """Tags of a path: by name, extension and the words of its folders."""
    name = posixpath.basename(path).lower()
    found: dict[str, None] = {}
    if name in _MANIFESTS:
        found["deps"] = None
    if is_test(path):
        found["tests"] = None
    extension = name.rpartition(".")[2]
    if extension in _EXTENSIONS:
        found[_EXTENSIONS[extension]] = None
    if name.endswith(_UI_SUFFIXES):
        found["ui"] = None
    if path.startswith(".github/") or name in {"makefile", "dockerfile", ".gitlab-ci.yml", "jenkinsfile"}:
        found["build"] = None
    for word in split_words(path.rpartition(".")[0] or path):
        if word in _BY_WORD:
            found[_BY_WORD[word]] = None
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
    return bool(_SPEC_NAME.search(path)) and not path.endswith(_NOT_CODE)


def is_manifest(path: str) -> bool:
    """A file that names packages or pins them: any change may bring it along."""
    return posixpath.basename(path).lower() in _MANIFESTS
