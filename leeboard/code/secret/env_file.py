"""Environment files: where secrets belong as long as git does not take them."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.secret.find import find_secrets
from leeboard.code.secret.hit import Secret
from leeboard.code.secret.style import is_env_file, is_sample
from leeboard.model.lookup import Files
from leeboard.model.pattern import lazy

_STEP = lazy(r"&&|\|\||[;\n|]")
_WORD = lazy(r"""(?:[^\s"']|"[^"]{0,400}"|'[^']{0,400}'){1,400}""")
_GIT = lazy(
    r"(?:\A|\s)git(?:\s+-[cC]\s+\S+|\s+--?[\w\-]+(?:=\S+)?){0,4}\s+(?P<verb>add|commit|"
    r"stage)\b(?P<rest>[^\r\n]{0,4000})"
)
_ALL = frozenset({".", "-A", "--all", "*", ":/", "./"})
_FORCED = frozenset({"-f", "--force"})


def is_real(secret: Secret) -> bool:
    """Worth hiding: neither a placeholder nor merely random."""
    return not secret.note and secret.confidence > 0.5


def needs_ignoring(path: str, files: Files) -> bool:
    """Whether git would take it. A sample is meant to be taken; where nobody knows, nothing is said."""
    return is_env_file(path) and not is_sample(path) and files.ignored(path) is False


def committed_env_files(command: str, files: Files) -> Iterator[str]:
    """The environment files with secrets that this line hands to git: named, forced, or swept up with all the rest."""
    if ".env" not in command and "git" not in command:
        return
    for step in _STEP.split(command[:20_000]):
        match = _GIT.search(step)
        if match is None:
            continue
        words = [word.strip("\"'") for word in _WORD.findall(match["rest"])]
        forced = bool(_FORCED.intersection(words)) and match["verb"] != "commit"
        for path in _taken(words, files, sweeps=match["verb"] != "commit"):
            if (
                is_env_file(path)
                and not is_sample(path)
                and (forced or files.ignored(path) is not True)
                and _holds(path, files)
            ):
                yield path


def _taken(words: list[str], files: Files, *, sweeps: bool) -> Iterator[str]:
    yield from (word.removeprefix("./") for word in words if not word.startswith("-"))
    if sweeps and _ALL.intersection(words) and files.text(".env") is not None and files.ignored(".env") is False:
        yield ".env"


def _holds(path: str, files: Files) -> bool:
    """Where it can not be read it is taken to hold what such files are for."""
    text = files.text(path)
    return text is None or any(is_real(secret) for secret in find_secrets(text, path))
