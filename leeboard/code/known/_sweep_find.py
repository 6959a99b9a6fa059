"""Which files `find ... -delete` removes, as patterns."""

from __future__ import annotations

_PLAIN = frozenset({"-delete", "-depth", "-d", "-print", "-print0", "-xdev", "-mount", "-true", "(", ")", "-a", "-o"})
_VALUED = frozenset({"-maxdepth", "-mindepth"})
_NAMES = frozenset({"-name", "-iname"})
_FILES = frozenset({"f", "f,l", "l,f"})


def deleted_by_find(args: tuple[str, ...]) -> list[str]:
    """None where it tells files apart by more than their names: nobody can say which they are."""
    count = next((at for at, word in enumerate(args) if word.startswith(("-", "(", "!"))), len(args))
    places, tests = args[:count] or (".",), args[count:]
    names = _names(tests) if "-delete" in tests and not any("\0" in word for word in args) else None
    if names is None:
        return []
    return [f"{place.rstrip('/') or '/'}/**/{name}" for place in places for name in names or ["*"]]


def _names(tests: tuple[str, ...]) -> list[str] | None:
    found: list[str] = []
    words = iter(tests)
    for word in words:
        if word in _PLAIN:
            continue
        value = next(words, "")
        if word in _NAMES:
            found.append(value)
        elif word not in _VALUED and not (word == "-type" and value in _FILES):
            return None
    return found
