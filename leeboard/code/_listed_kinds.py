"""Kinds of things an order may list without naming a file: the nouns people use, and the paths such things live in."""

from __future__ import annotations

import re

import msgspec

from leeboard.code.area import areas_of_path, is_manifest, is_test
from leeboard.model.pattern import lazy


class Kind(msgspec.Struct, frozen=True):
    """Nouns in the singular, and a pattern of lower-case paths."""

    nouns: str
    places: re.Pattern[str]
    sole: bool = False


_KINDS: dict[str, Kind] = {
    "ci": Kind(
        "ci cd workflow pipeline github-action",
        lazy(
            r"^\.(?:github/(?:workflows|actions)|circleci|buildkite|woodpecker)/|gitlab-ci|jenkinsfile|azure-pipelines|"
            r"bitbucket-pipelines|(?:^|/)\.(?:travis|drone)\.ya?ml$"
        ),
        sole=True,
    ),
    "container": Kind(
        "docker dockerfile compose container containerfile",
        lazy(r"(?:^|/)(?:[\w.\-]*dockerfile[\w.\-]*|containerfile|\.dockerignore|(?:docker-)?compose[\w.\-]*\.ya?ml)$"),
        sole=True,
    ),
    "license": Kind(
        "license licence", lazy(r"(?:^|/)(?:licen[cs]e|copying|notice)[\w\-]*(?:\.(?:md|txt|rst))?$"), sole=True
    ),
    "changelog": Kind(
        "changelog release-note",
        lazy(r"(?:^|/)(?:changelog|changes|history|news|release[_\-]?notes)[\w\-]*(?:\.(?:md|txt|rst|adoc))?$"),
        sole=True,
    ),
    "readme": Kind("readme", lazy(r"(?:^|/)readme[\w.\-]*$"), sole=True),
    "ignore": Kind("gitignore dockerignore ignore", lazy(r"(?:^|/)\.\w{2,20}ignore$"), sole=True),
    "community": Kind(
        "contributing conduct issue-template request-template codeowner contributing-guide",
        lazy(r"contributing|code_of_conduct|issue_template|pull_request_template|codeowners|(?:^|/)security\.md$"),
        sole=True,
    ),
    "build": Kind(
        "makefile justfile taskfile build-script make-target",
        lazy(r"(?:^|/)(?:makefile|justfile|taskfile|cmakelists|build\.|rakefile|magefile)"),
        sole=True,
    ),
    "lint": Kind(
        "linter lint linting eslint prettier ruff mypy formatter precommit pre-commit editorconfig rubocop "
        "type-checker type-checking stylelint biome",
        lazy(
            r"eslint|prettier|(?:^|/)\.?(?:ruff|mypy|flake8|pylintrc|editorconfig|golangci|rubocop|stylelint|biome)\b|"
            r"\.pre-commit|tsconfig|(?:^|/)(?:pyproject\.toml|setup\.cfg|lefthook\.yml)$|^\.husky/"
        ),
        sole=True,
    ),
    "spec": Kind(
        "openapi swagger api-spec openapi-spec swagger-spec api-schema",
        lazy(r"openapi|swagger|api[_\-.]?(?:spec|schema)"),
        sole=True,
    ),
    "unit": Kind("systemd systemd-unit", lazy(r"\.(?:service|timer|socket)$"), sole=True),
    "env": Kind("env dotenv environment environment-variable", lazy(r"(?:^|/)\.env"), sole=True),
    "config": Kind(
        "config configuration setting variable output",
        lazy(
            r"(?<![a-z])conf(?![a-z])|config|settings?\b|options?\.|\.(?:toml|ini|cfg|ya?ml|properties|json|tf|tfvars)$"
        ),
    ),
    "endpoint": Kind(
        "endpoint route router api url view controller handler webhook resource healthcheck probe",
        lazy(
            r"views?\b|rout|controller|handler|endpoint|\bapi\b|urls?\b|(?<![a-z])server|webhook|resource\.|"
            r"(?:^|/)(?:app|main)\.(?:py|[jt]sx?|mjs|go|rb|rs|php|java|kt)$"
        ),
    ),
    "data": Kind(
        "model schema table entity database db repository query store dao migration seed column",
        lazy(
            r"model|schema|entit|\bdb\b|database|repositor|quer(?:y|ies)|\bdao\b|store|migrat|versions/|seed|\.sql$|\.prisma$"
        ),
    ),
    "ui": Kind(
        "component button page form screen dialog modal template view menu header footer layout widget banner card",
        lazy(
            r"\.(?:tsx|jsx|vue|svelte|html|astro|erb|hbs|ejs|jinja2?|j2|xaml)$|components?/|pages?/|templates?/|screens?/"
        ),
    ),
    "style": Kind("stylesheet style styling css theme", lazy(r"\.(?:css|scss|sass|less|styl)$|styles?\b|theme")),
    "script": Kind("script", lazy(r"(?:^|/)(?:scripts?|bin|tools)/|\.(?:sh|bash|zsh|ps1|bat|js|mjs)$")),
    "mail": Kind("email mail mailer notification", lazy(r"mail|notif")),
    "client": Kind("client sdk", lazy(r"client|sdk")),
    "job": Kind("worker job queue cron scheduler", lazy(r"worker|jobs?\b|tasks?\b|queue|cron|schedul")),
    "command": Kind(
        "cli entry-point entrypoint command-line command flag",
        lazy(r"__main__|\bcli\b|(?:^|/)(?:main(?:\.(?:py|go|rs|[jt]s|c|cpp))?$|cmd/|bin/)|command|args"),
    ),
    "helper": Kind("helper util utility hook", lazy(r"helper|util|(?:^|/)(?:lib|shared|common|hooks?)/")),
    "types": Kind("type interface typing", lazy(r"types?\b|interfaces?\b|\.d\.ts$")),
    "story": Kind("story storybook", lazy(r"stor(?:y|ies)\b|storybook")),
    "example": Kind("example demo sample", lazy(r"examples?\b|demos?\b|samples?\b")),
    "log": Kind(
        "logging logger log metric monitoring telemetry tracing",
        lazy(r"(?<![a-z])log(?:s|ger|ging)?(?![a-z])|metric|monitor|telemetry|tracing"),
    ),
    "deploy": Kind(
        "kubernetes helm chart manifest deployment deploy terraform",
        lazy(r"k8s|kube|helm|charts?/|manifests?/|deploy|\.tf$"),
    ),
}
_TOLD_ELSEWHERE = {
    "tests": "test testing spec fixture e2e coverage factory",
    "docs": "doc documentation guide tutorial runbook",
    "i18n": "translation locale string",
    "deps": "dependency requirement package lockfile",
}
"""Kinds whose paths `area` knows."""


def _by_noun() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, nouns in (*((name, kind.nouns) for name, kind in _KINDS.items()), *_TOLD_ELSEWHERE.items()):
        for noun in nouns.split():
            found[noun] = (*found.get(noun, ()), name)
    return found


_BY_NOUN = _by_noun()


def kinds_of_noun(noun: str) -> tuple[str, ...]:
    """By a noun in the singular, or two joined by a hyphen."""
    return _BY_NOUN.get(noun, ())


def is_sole(kind: str) -> bool:
    """A project has one or few such files, so that asking for the kind is asking for the file."""
    return kind == "deps" or (kind in _KINDS and _KINDS[kind].sole)


def lives_in(kind: str, path: str) -> bool:
    """Whether things of the kind live in such a path."""
    if kind == "tests":
        return is_test(path)
    if kind == "deps":
        return is_manifest(path)
    return bool(_KINDS[kind].places.search(path.lower())) if kind in _KINDS else kind in areas_of_path(path)


def is_called(kind: str, path: str) -> bool:
    """Whether the file's own name says so, not its folder or its extension."""
    bare = path.lower().rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return kind in _KINDS and bool(_KINDS[kind].places.search(bare))
