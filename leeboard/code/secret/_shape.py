"""The short spelling of formats, to patterns: `ghp_<a36>` is `ghp_` and 36 letters or digits."""

from __future__ import annotations

from leeboard.model.pattern import lazy

_ALPHABETS = {
    "h": "0-9a-f",
    "x": "0-9A-Fa-f",
    "l": "0-9a-z",
    "u": "0-9A-Z",
    "a": "0-9A-Za-z",
    "w": r"0-9A-Za-z_\-",
    "b": "0-9A-Za-z+/",
    "d": "0-9",
}
_UUID = "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"
_PART = lazy(r"<(?:(?P<uuid>uuid)|(?P<alphabet>[hxluawbd])(?P<least>\d{1,4})(?:-(?P<most>\d{1,4}))?)>")
_CHOICE = lazy(r"\([^)]*\)\??|\[[^\]]*\]|\{[^}]*\}")
_LITERAL = lazy(r"(?:[A-Za-z0-9_/:~+$|=\- ](?![{?*])|\\[.+$|])+")


def source_of(shape: str) -> str:
    """The regular expression a shape stands for."""
    parts: list[str] = []
    at = 0
    for part in _PART.finditer(shape):
        parts.append(shape[at : part.start()])
        at = part.end()
        if part["uuid"]:
            parts.append(_UUID)
        else:
            bounds = f"{part['least']},{part['most']}" if part["most"] else part["least"]
            parts.append(f"[{_ALPHABETS[part['alphabet']]}]{{{bounds}}}")
    return "".join([*parts, shape[at:]])


def prefix_of(shape: str) -> str:
    """The plain characters a shape begins with."""
    end = min((at for sign in "<([{?*" if (at := shape.find(sign)) >= 0), default=len(shape))
    if shape[end : end + 1] in {"{", "?", "*"}:
        end -= 1
    return shape[:end].replace("\\", "")


def literal_of(shape: str) -> str:
    """The longest run of plain characters anywhere in it that no choice can leave out."""
    plain = _CHOICE.sub("<>", _PART.sub("<>", shape))
    return max((run.replace("\\", "") for run in _LITERAL.findall(plain)), key=len, default="")
