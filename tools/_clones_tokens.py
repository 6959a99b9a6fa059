"""Variants of a function in a language with braces, by its tokens: another layout, other names and values, an edit."""

from __future__ import annotations

import re
from itertools import pairwise

from tools._clones_dice import Dice

TOKEN = re.compile(
    r"//[^\n]*|/\*[\s\S]*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`]*`|\d[\w.]*|[$@#]?[A-Za-z_]\w*|"
    r"===|!==|\.\.\.|[=!<>]=|=>|->|::|:=|\?\.|\?\?|&&|\|\||\+\+|--|[-+*/%|&^]=|\s+|[^\s\w]"
)
_NAME = re.compile(r"\$?[a-z_]\w*\Z")
WORDS = frozenset(
    """
    if else for while do in of not and or is return yield await async break continue throw throws try catch finally
    as func function fn fun delete new typeof instanceof switch case default match when select go defer chan range
    true false null nil undefined self this super let const var val mut loop where impl begin end module foreach
    echo print static final public private protected using lock out ref sizeof goto void struct enum interface int
    long float double boolean bool char byte short string number any auto size_t unsigned signed console require
    exports process extends implements package override type std def rescue unless elsif puts class import map error
    """.split()
)
_TYPES = frozenset(
    "int long float double boolean bool char byte short auto size_t unsigned string let const var val mut".split()
)
_MEMBER = (".", "->", "::", "?.")
_HEADS = frozenset("if else for while do switch case default try catch finally func function return".split())
_LINE_ENDS_STATEMENT = frozenset({"go", "javascript", "typescript", "tsx", "kotlin"})
_GOES_ON = tuple(",([{.+-*/=&|?:<>")
_MORE = {
    "go": ("{new} := {old}", "notify({old}, 3)", "if {old} == nil {{\n\treturn\n}}", 'fmt.Println("at", {old})'),
    "java": (
        "Object {new} = {old};",
        "notify({old}, 3);",
        "if ({old} == null) {{ count(4); }}",
        'log.debug("at {old}");',
    ),
    "": ("const {new} = {old};", "notify({old}, 3);", "if (!{old}) {{ {new}(); }}", "console.log('at', {old});"),
}


def variant(text: str, level: str, language: str, seed: str) -> str | None:
    """The text on one of the levels of `tools.clones`; None where nothing is known of that level or of the language."""
    if level == "re-implemented" or language in {"ruby", "python"}:
        return None
    dice = Dice(f"{seed}{level}")
    found = [token for token in TOKEN.findall(text) if token[:2] not in {"//", "/*"}]
    if level != "reformatted":
        found = _other_values(_renamed(found, dice), dice)
    if level == "edited":
        return _patched(found, language, dice)
    return _laid_out(found, dice)


def _laid_out(found: list[str], dice: Dice) -> str:
    """Other indentation, other blanks, and other line breaks where one may stand: behind a comma or a bracket."""
    out: list[str] = []
    for token, after in zip(found, [*found[1:], ""], strict=True):
        if not token.strip():
            out.append("\n   " if "\n" in token else " ")
            continue
        out.append(token)
        if token in {",", "("} and after.strip() and after not in {")", "..."} and dice.chance(30):
            out.append("\n         ")
        elif token in {"=", "+", "&&", "||", "==", "==="} and after.strip():
            out.append(" ")
    return "".join(out)


def _renamed(found: list[str], dice: Dice) -> list[str]:
    used = set(found)
    names = {name: dice.fresh(used) for name in sorted(_own_names(found))}
    names = {old: f"${new}" if old[0] == "$" else new for old, new in names.items()}
    out, before = [], ""
    for token in found:
        out.append(names.get(token, token) if before not in _MEMBER else token)
        before = token if token.strip() else before
    return out


def _own_names(found: list[str]) -> set[str]:
    """Variables and parameters, by where they stand; names of fields and keys are not among them."""
    words = [token for token in found if token.strip()]
    own: set[str] = set()
    for before, name, after in zip(words, words[1:], words[2:], strict=False):
        if not _NAME.match(name) or name in WORDS or before in _MEMBER or after in {"(", ":"}:
            continue
        typed = before in _TYPES or (before[0].isupper() and before.isidentifier())
        listed = before in {"(", ","} and after in {",", ")", "=>"}
        if after in {"=", ":=", "of", "in"} or listed or (typed and after in {";", ",", ")"}):
            own.add(name)
    own |= {first for first, comma, second, after in _fours(words) if comma == "," and after == ":=" and _is_own(first)}
    pairs = list(pairwise(words))
    return own - {name for name, after in pairs if after == ":"} - {name for before, name in pairs if before in _MEMBER}


def _fours(words: list[str]) -> list[tuple[str, ...]]:
    return list(zip(words, words[1:], words[2:], words[3:], strict=False))


def _is_own(name: str) -> bool:
    return bool(_NAME.match(name)) and name not in WORDS


def _other_values(found: list[str], dice: Dice) -> list[str]:
    """Every text and every number another one."""
    out = []
    for token in found:
        if token[0].isdigit():
            out.append(str(dice.below(90) + 5))
        elif token[0] in "\"'`" and len(token) > 2 and "${" not in token:
            out.append(f"{token[0]}{dice.fresh(set()) if token[0] != chr(39) or len(token) > 3 else 'q'}{token[0]}")
        else:
            out.append(token)
    return out


def _patched(found: list[str], language: str, dice: Dice) -> str:
    """A statement of one line less, and another one more."""
    lines = "".join(found).split("\n")
    places = [at for at in range(1, len(lines) - 1) if _is_statement(lines, at, language)]
    if len(places) > 1:
        dropped = dice.choice(places)
        del lines[dropped]
        places = [at - (at > dropped) for at in places if at != dropped]
    kinds = _MORE.get(language) or _MORE[""]
    old = dice.choice(sorted(_own_names(found)) or ["outcome"])
    more = dice.choice(kinds).format(new=dice.fresh(set()), old=old)
    lines.insert(dice.choice(places) if places else 1, more)
    return "\n".join(lines)


def _is_statement(lines: list[str], at: int, language: str) -> bool:
    """Whether a line is one whole statement that opens no block, behind one that ends there as well."""
    line, before = lines[at].strip(), next((one.strip() for one in reversed(lines[:at]) if one.strip()), "")
    if not line or TOKEN.findall(line)[0] in _HEADS - {"return"} or line[0] in "})].?:&|+-*/":
        return False
    balanced = all(line.count(one) == line.count(other) for one, other in ("()", "{}", "[]"))
    if language in _LINE_ENDS_STATEMENT and not line.endswith(";"):
        after = next((one.strip() for one in lines[at + 1 :] if one.strip()), "")
        goes_on = line.endswith(_GOES_ON) or after[:1] in set(".?:&|+-*/")
        return balanced and not goes_on and (before.endswith(("{", "}", ";")) or not before.endswith(_GOES_ON))
    return balanced and line.endswith(";") and before.endswith(("{", "}", ";", ":"))
