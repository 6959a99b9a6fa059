"""`go.mod` and `go.sum`."""

from __future__ import annotations

from collections.abc import Iterator

from leeboard.code.manifest.package import Package, unquoted


def read_go_mod(text: str) -> Iterator[Package]:
    """What is required, and what another module is replaced by; `// indirect` is what others need."""
    block = ""
    for raw in text.split("\n"):
        line, _, comment = raw.strip().partition("//")
        words = line.split()
        if not words:
            continue
        if words[0] == ")":
            block = ""
        elif words[-1] == "(" and len(words) == 2:
            block = words[0]
        else:
            verb, rest = (block, words) if block else (words[0], words[1:])
            yield from _named(verb, rest, transitive=comment.strip().startswith("indirect"))


def _named(verb: str, words: list[str], *, transitive: bool) -> Iterator[Package]:
    if verb == "replace" and "=>" in words:
        words = words[words.index("=>") + 1 :]
        if len(words) < 2:
            return  # a folder of this machine
    if verb in {"require", "replace"} and len(words) >= 2:
        yield Package("go", unquoted(words[0]), words[1], transitive)


def read_go_sum(text: str) -> Iterator[Package]:
    """Modules whose content is used: a line for its `go.mod` alone is only looked at."""
    for line in text.split("\n"):
        words = line.split()
        if len(words) == 3 and not words[1].endswith("/go.mod"):
            yield Package("go", words[0], words[1])
