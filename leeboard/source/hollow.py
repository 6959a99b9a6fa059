"""Assertions that hold whatever the code does: a value held against itself, a condition with a way out, a check that is
never made. Read from the words of one assertion, in any language; brackets and quotes are kept together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from leeboard.model.text import lazy

_OPEN, _CLOSE = "([{", ")]}"
_QUOTES = "\"'`"
_COMPARED = lazy(r"\s(?:===?|!==?|is|<=|>=)\s")
_BARE = lazy(r"^(?:if|assert|await|return|elif|self\.|not)\s+")
_EQUAL = lazy(
    r"^(?!.*(?i:not))(?:.*(?i:equals?|same|identical|deepequal|assert_eq|assertis|eql)\w*!?|(?:t|is|assert)\.is)$"
)
_RUNNER = lazy(r"t|tb|b|\w+\.T\(\)")
_OPEN_CALL = lazy(r"^(assert_(?:equal|same))\s+(?!\()")
_PAIR = 2
_MATCHED = lazy(
    r"^\.(?:to(?:\.(?:be|deep|eql?))*\.?(?:equals?|eql?|be)|to(?:Be|Equal|StrictEqual)|(?:is|Be)?Equal(?:To)?|Be|isSameAs)\((?P<value>.*)\)$"
    r"|^\.to (?:eql?|be|equal)\s*\(?(?P<ruby>.*?)\)?$|^\.Should\(\)\.(?:Be|Equal|BeEquivalentTo)\((?P<should>.*)\)$"
)
_UNUSED = lazy(r"^(?:\.(?:not|resolves|rejects|to|be|have))*(?:\.to[A-Z]\w*)?;?$")
_WAY_OUT = lazy(
    r"(?:\bTrue\s+or|\btrue\s*\|\||\bor\s+(?:True|true|1)|\|\|\s*(?:true|1|!0)|\|\s*true)(?!\w)(?!\s*(?:==|!=|\.))"
)
_NEVER_LESS = lazy(r"(?:\blen\([^()]*\)|\.(?:length|size|count|Count|len)(?:\(\))?\)?)\s*>=\s*0\b")
_NEVER_LESS_CALLED = lazy(r"\.(?:length|size|count)\b[^.]*\)\.toBeGreaterThanOrEqual\(0\)")
_CONSTANT = lazy(r"^(?:True|true|1|not False|!false|!0|\"[^\"]+\"|'[^']+'|[\[{(].*,.*[\])}]|lambda\b.*)$", re.DOTALL)
_TRUTH = lazy(r"(?i:assert(?:_?true|\.ok|\.true|\.istrue|s\.true)?|is_?true|true|ok|truthy)!?$")
_LONGEST = 400


def is_hollow(assertion: str) -> bool:
    """Whether it says nothing, by its words alone."""
    text = assertion[:_LONGEST].strip()
    if _WAY_OUT.search(_without_quotes(text)) or _NEVER_LESS.search(text) or _NEVER_LESS_CALLED.search(text):
        return True
    return _is_held_against_itself(text) or _is_never_made(text) or _is_constant(text)


def _without_quotes(text: str) -> str:
    return "".join(char for char, _depth, quoted in _walk(text) if not quoted)


def _walk(text: str) -> Iterator[tuple[str, int, bool]]:
    """Each character with its depth in brackets, and whether it lies in quotes."""
    depth, quote, escaped = 0, "", False
    for char in text:
        if quote:
            yield char, depth, True
            quote = "" if char == quote and not escaped else quote
            escaped = char == "\\" and not escaped
            continue
        if char in _CLOSE:
            depth -= 1
        yield char, depth, char in _QUOTES
        if char in _OPEN:
            depth += 1
        elif char in _QUOTES:
            quote, escaped = char, False


def _parts(text: str, ends: str = ",") -> list[str]:
    """What stands between commas that lie in no bracket."""
    found = [""]
    for char, depth, quoted in _walk(text):
        if char in ends and depth == 0 and not quoted:
            found.append("")
        else:
            found[-1] += char
    return [part.strip() for part in found]


def _called(text: str) -> tuple[str, list[str], str]:
    """The name of the first call, what it is given, and what follows it."""
    start = text.find("(")
    if start < 0:
        return text, [], ""
    inner = ""
    for index, (char, depth, _quoted) in enumerate(_walk(text[start:])):
        if char == ")" and depth == 0:
            return text[:start].strip(), _parts(inner), text[start + index + 1 :].strip()
        if index:
            inner += char
    return text[:start].strip(), [], ""


def _is_held_against_itself(text: str) -> bool:
    if _has_equal_sides(text):
        return True
    name, given, rest = _called(_with_brackets(_bare(text)))
    values = given[1:] if len(given) > _PAIR and _RUNNER.fullmatch(given[0]) else given
    if len(values) > 1 and values[0] and values[0] == values[1] and _EQUAL.search(name):
        return True
    if len(values) > 1 and (wanted := re.match(r"Is\.(?:EqualTo|SameAs)\((.*)\)$", values[1])):
        return wanted[1] == values[0]
    if rest and any(given) and (match := _MATCHED.match(rest.rstrip(";"))):
        said = next((value for value in match.groupdict().values() if value is not None), "")
        return len(given) == 1 and said.strip() == given[0]
    subject, joined, wanted_text = text.partition(".Should().")
    return bool(joined) and re.fullmatch(rf"(?:Be|Equal)\({re.escape(subject)}\);?", wanted_text) is not None


def _with_brackets(text: str) -> str:
    """`assert_equal a, b` as a call with brackets."""
    match = _OPEN_CALL.match(text)
    return f"{match[1]}({text[match.end() :]})" if match else text


def _bare(text: str) -> str:
    while match := _BARE.match(text):
        text = text[match.end() :] if not match[0].startswith("self.") else text[5:]
    return text


def _has_equal_sides(text: str) -> bool:
    """`a.b == a.b`, wherever it stands in the assertion. `x != x` is how one asks for a NaN."""
    for match in _COMPARED.finditer(text):
        if match[0].strip() in {"!=", "!=="} and not text.startswith("if "):
            continue
        left, right = _left_of(text[: match.start()]), _right_of(text[match.end() :])
        if left and left == right:
            return True
    return False


def _left_of(text: str) -> str:
    """The last operand of a text."""
    depth = 0
    for index in range(len(text) - 1, -1, -1):
        char = text[index]
        depth += char in _CLOSE
        depth -= char in _OPEN
        if depth < 0 or (depth == 0 and char in ",;"):
            text = text[index + 1 :]
            break
    return _bare(re.split(r"\s(?:and|or|&&|\|\|)\s|;\s", text)[-1].strip())


def _right_of(text: str) -> str:
    found = ""
    for char, depth, quoted in _walk(text):
        if depth < 0 or (depth == 0 and not quoted and char in ",;{:"):
            break
        found += char
    return re.split(r"\s(?:and|or|&&|\|\|)\s", found)[0].strip()


def _is_never_made(text: str) -> bool:
    """`expect(x)` with nothing behind it, or with a matcher that is not called."""
    bare = _bare(text)
    if not bare.startswith("expect("):
        return False
    _name, given, rest = _called(bare)
    return bool(given) and _UNUSED.match(rest) is not None


def _is_constant(text: str) -> bool:
    """`assert (x, "message")` is a pair, and a pair is true."""
    if text.startswith("assert ") and not text.startswith("assert not "):
        return _CONSTANT.match(_unwrapped(_parts(text[7:])[0])) is not None
    name, given, rest = _called(_bare(text))
    return bool(given) and not rest.strip(";") and bool(_TRUTH.search(name)) and given[0] in {"True", "true", "1", "!0"}


def _unwrapped(text: str) -> str:
    """Without brackets around all of it that hold one value."""
    while text.startswith("(") and text.endswith(")"):
        _name, given, rest = _called(text)
        if rest or len(given) != 1:
            break
        text = given[0]
    return text
