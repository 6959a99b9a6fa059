"""How builds and commit hooks run us: the steps in their files that name us, with all their options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from leeboard.model.text import lazy

_RECIPE = lazy(
    r"(?:^|/)(?:\.github|\.gitea|\.forgejo|\.circleci|\.gitlab|\.azure|\.buildkite|\.husky)/"
    r"|(?:^|/)(?:\.gitlab-ci|\.travis|\.drone|\.woodpecker|\.pre-commit-config|azure-pipelines|bitbucket-pipelines"
    r"|cloudbuild|appveyor|lefthook)\.ya?ml$|(?:^|/)Jenkinsfile$"
)
_OURS = "leeboard"


def is_recipe(path: str) -> bool:
    return _RECIPE.search(path) is not None


def runs_in(path: str, text: str) -> Counter[str]:
    """Each step of a recipe that names us, as its words: where it is only indented otherwise, or commented, it is the
    same. None in a file that is no recipe.
    """
    if _OURS not in text or not is_recipe(path):
        return Counter()
    return Counter(step for step in _steps(text.split("\n")) if _OURS in step)


def _steps(lines: list[str]) -> Iterator[str]:
    """A line that names us, or the entry of a list it belongs to: the options of an action stand on lines below it."""
    done = 0
    for at, line in enumerate(lines):
        if at < done or _OURS not in _words(line):
            continue
        first = _start(lines, at)
        indent = _indent(lines[first])
        last = at + 1
        is_entry = lines[first].lstrip().startswith("- ")
        while is_entry and last < len(lines) and (not lines[last].strip() or _indent(lines[last]) > indent):
            last += 1
        done = last
        yield " ".join(filter(None, map(_words, lines[first:last])))


def _start(lines: list[str], at: int) -> int:
    """Where the entry of a list begins that a line belongs to; the line itself where it is none."""
    indent = _indent(lines[at])
    for above in range(at, -1, -1):
        if lines[above].strip() and (_indent(lines[above]) < indent or above == at):
            if lines[above].lstrip().startswith("- "):
                return above
            indent = _indent(lines[above])
    return at


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _words(line: str) -> str:
    """Without a comment."""
    words = line.split()
    comment = next((at for at, word in enumerate(words) if word.startswith("#")), len(words))
    return " ".join(words[:comment])
