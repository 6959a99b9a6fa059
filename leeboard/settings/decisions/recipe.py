"""How builds and commit hooks run us: the steps in their files that name us, with all their options, and with what
decides around them whether they run, on what, and whether they may fail.

A step is told as a text. Where one of those before a change is not among those after it, it was changed or taken out.
"""

from __future__ import annotations

from collections import Counter

from leeboard.model.text import lazy

_RECIPE = lazy(
    r"(?:^|/)(?:\.github|\.gitea|\.forgejo|\.circleci|\.gitlab|\.azure|\.buildkite|\.husky|\.?git-?hooks|\.hooks)/"
    r"(?!.*\.(?:md|rst|txt|adoc)$)"
    r"|(?:^|/)(?:\.gitlab-ci|\.travis|\.drone|\.woodpecker|\.pre-commit-config|azure-pipelines|bitbucket-pipelines"
    r"|cloudbuild|appveyor|\.?lefthook)\.ya?ml$|(?:^|/)(?:Jenkinsfile|(?:GNUm|M|m)akefile|[\w-]{1,80}\.mk|package\.json)$"
)
_ANY_NAME = lazy(r"(?:^|/)workflows/[^/]{1,250}\.ya?ml$")
_BY_OTHERS = lazy(r"(?:[Mm]akefile|\.mk|package\.json)$")
"""Files of a project's own, which may speak of anything: only a call of ours counts in them."""
_CALL = lazy(r"\bleeboard(?:\.pyz)?[\"']?\s{1,9}(?:-\S{1,40}\s{1,9}){0,9}(?:scan|check)\b")
_OURS = "leeboard"


def is_recipe(path: str) -> bool:
    return _RECIPE.search(path) is not None


def stays_recipe(path: str, now: str) -> bool:
    """Whether a recipe runs under its new name as it did under the old one: in a folder of which all such files run."""
    return now.rpartition("/")[0] == path.rpartition("/")[0] and bool(_ANY_NAME.search(path) and _ANY_NAME.search(now))


def runs_in(path: str, text: str) -> Counter[str]:
    """Each step of a recipe that names us, as its words and a digest of what decides about it: where it is only
    indented otherwise, or commented, it is the same. None in a file that is no recipe.
    """
    if _OURS not in text or not is_recipe(path):
        return Counter()
    from leeboard.settings.decisions import recipe_outline, recipe_script  # noqa: PLC0415 - few files name us

    if path.endswith("package.json"):
        return Counter(recipe_script.of_package(text, names_us))
    if _BY_OTHERS.search(path):
        return Counter(recipe_script.of_makefile(text, names_us))
    if path.endswith((".yml", ".yaml")):
        return Counter(recipe_outline.steps_in(text))
    return Counter(recipe_script.of_script(text, path))


def names_us(line: str) -> bool:
    """Whether it runs us, and does not only speak of us."""
    return _CALL.search(line) is not None
