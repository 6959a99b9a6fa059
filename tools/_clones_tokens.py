"""Variants of a function in a language with braces, by its tokens: other names, small edits, another flow."""

from __future__ import annotations

import re
from itertools import pairwise

from tools._clones_dice import Dice

_TOKEN = re.compile(
    r"//[^\n]*|/\*[\s\S]*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`[^`]*`|\d[\w.]*|\$?[A-Za-z_]\w*|"
    r"===|!==|[=!<>]=|=>|->|::|:=|\?\.|&&|\|\||\+\+|--|\s+|[^\s\w]"
)
_NAME = re.compile(r"\$?[a-z_]\w*\Z")
_WORDS = frozenset(
    """
    if else for while do in of not and or is return yield await async break continue throw throws try catch finally
    as func function fn fun delete new typeof instanceof switch case default match when select go defer chan range
    true false null nil undefined self this super let const var val mut loop where impl begin end module foreach
    echo print static final public private protected using lock out ref sizeof goto void struct enum interface int
    long float double boolean bool char byte short string number any auto size_t unsigned signed console require
    exports process extends implements package override type std err def rescue unless elsif puts class import
    """.split()
)
_TYPES = frozenset(
    "int long float double boolean bool char byte short auto size_t unsigned string let const var val mut".split()
)
_MEMBER = (".", "->", "::", "?.")
_TURNED = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "==", "===": "!==", "!==": "==="}
_LOGS = {
    "javascript": "console.log('step done');", "typescript": "console.log('step done');", "tsx": "console.log('done');",
    "java": 'logger.debug("step done");', "csharp": 'logger.Debug("step done");', "php": "$logger->debug('step done');",
    "c": 'printf("step");', "cpp": 'printf("step");', "rust": 'log.info("step");', "kotlin": 'log.debug("step")',
    "go": 'log.Printf("step")',
}  # fmt: skip
_MORE = {"go": "\nnotify(outcome, 3)\n", "kotlin": "\nnotify(outcome, 3)\n", "php": "\nnotify($outcome, 3);\n"}
_DECLARED = re.compile(r"\s*(?:const|let|var|final|auto|int|String)\s+(\w+)\s*=\s*([^;{]*);\Z")


def variant(text: str, level: str, language: str, seed: str) -> str:
    dice = Dice(f"{seed}{level}")
    if level == "renamed":
        return _renamed(_laid_out(text), dice)
    if level == "edited":
        return _edited(text, language, dice, 3)
    if level in {"disguised", "patched"}:
        disguised = _other_values(_renamed(_laid_out(text), dice), dice)
        return _patched(disguised, language, dice) if level == "patched" else disguised
    if level == "rewritten":
        return _rewritten(_edited(text, language, dice, 1))
    return _laid_out(text)


def _laid_out(text: str) -> str:
    return re.sub(r"\n[ \t]+", "\n  ", text)


def _renamed(text: str, dice: Dice) -> str:
    found = _TOKEN.findall(text)
    used = set(found)
    names = {name: dice.fresh(used) for name in sorted(_own_names(found))}
    names = {old: f"${new}" if old[0] == "$" else new for old, new in names.items()}
    out, before = [], ""
    for token in found:
        out.append(names.get(token, token) if before not in _MEMBER else token)
        before = token if token.strip() else before
    return "".join(out)


def _own_names(found: list[str]) -> set[str]:
    """Variables and parameters, by where they stand; names of fields and keys are not among them."""
    words = [token for token in found if token.strip()]
    own: set[str] = set()
    for before, name, after in zip(words, words[1:], words[2:], strict=False):
        if not _NAME.match(name) or name in _WORDS or before in _MEMBER or after in {"(", ":"}:
            continue
        typed = before in _TYPES or (before[0].isupper() and before.isidentifier())
        listed = before in {"(", ","} and after in {",", ")", "=>"}
        if after in {"=", ":="} or listed or (typed and after in {";", ",", ")"}):
            own.add(name)
    pairs = list(pairwise(words))
    return own - {name for name, after in pairs if after == ":"} - {name for before, name in pairs if before in _MEMBER}


def _edited(text: str, language: str, dice: Dice, count: int) -> str:
    for _ in range(count):
        found = _TOKEN.findall(text)
        match dice.below(4):
            case 0:
                _insert_log(found, language, dice)
            case 1:
                _change_constant(found, dice)
            case 2:
                _turn(found, dice)
            case _:
                found = _rename_one(found, dice)
        text = "".join(found)
    return text


def _insert_log(found: list[str], language: str, dice: Dice) -> None:
    ends = [at for at, (one, after) in enumerate(pairwise(found)) if one == ";" and "\n" in after]
    places = ends or [at for at, one in enumerate(found) if one == "{"][:1]
    if places and language in _LOGS:
        found[dice.choice(places)] += f"\n{_LOGS[language]}\n"


def _change_constant(found: list[str], dice: Dice) -> None:
    places = [at for at, token in enumerate(found) if token[0].isdigit() or (token[0] in "\"'" and len(token) > 3)]
    if places:
        at = dice.choice(places)
        token = found[at]
        found[at] = str(dice.below(90) + 5) if token[0].isdigit() else f"{token[0]}changed {token[1:]}"


def _other_values(text: str, dice: Dice) -> str:
    """Every text and every number another one."""
    found = _TOKEN.findall(text)
    for at, token in enumerate(found):
        if token[0].isdigit():
            found[at] = str(dice.below(90) + 5)
        elif token[0] in "\"'" and len(token) > 2:
            found[at] = f"{token[0]}{dice.fresh(set())}{token[0]}"
    return "".join(found)


def _patched(text: str, language: str, dice: Dice) -> str:
    """A statement of one line less, and another one more."""
    lines = text.split("\n")
    whole = [at for at, line in enumerate(lines) if line.endswith(";") and line.count("(") == line.count(")")]
    if len(whole) > 1:
        del lines[dice.choice(whole)]
    found = _TOKEN.findall("\n".join(lines))
    ends = [at for at, (one, after) in enumerate(pairwise(found)) if one in ";{" and "\n" in after]
    if ends:
        found[dice.choice(ends)] += _MORE.get(language, "\nnotify(outcome, 3);\n")
    return "".join(found)


def _turn(found: list[str], dice: Dice) -> None:
    places = [at for at, token in enumerate(found) if token in _TURNED]
    if places:
        at = dice.choice(places)
        found[at] = _TURNED[found[at]]


def _rename_one(found: list[str], dice: Dice) -> list[str]:
    own = sorted(_own_names(found))
    chosen = dice.choice(own) if own else ""
    return [f"{token}_renamed" if chosen and token == chosen else token for token in found]


def _rewritten(text: str) -> str:
    """No `else` behind a return, no `++`, other places for independent declarations."""
    text = re.sub(r"\b(\w+)\+\+", r"\1 += 1", text)
    text = re.sub(r"(return[^;\n]*;\s*\})\s*else\s*\{([^{}]*)\}", r"\1 \2", text)
    text = re.sub(r"if \(!(\w+)\) \{([^{}]*)\}\s*else\s*\{([^{}]*)\}", r"if (\1) {\3} else {\2}", text)
    lines = text.split("\n")
    for at in range(len(lines) - 1):
        one, other = _DECLARED.match(lines[at]), _DECLARED.match(lines[at + 1])
        if one and other and one[1] not in other[2]:
            lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return "\n".join(lines)
