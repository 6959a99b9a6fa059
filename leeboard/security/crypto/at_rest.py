"""Why a weakness is only logged where it lies already: what was read of its kind was seldom worth a look.

A line that is being written is told by what it spells. Of code that has run for years, whole groups were hardly ever
right: a number in a function about tokens that becomes none, a hash of what is no secret. The rows of
`leeboard/data/crypto/at_rest.toml` name them, by words of names and by where these stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from msgspec.structs import replace

from leeboard.model.text import lazy
from leeboard.security.crypto import words
from leeboard.security.crypto.branch import around
from leeboard.security.crypto.context import made_by
from leeboard.security.crypto.source import CallSite, CryptoSource
from leeboard.security.crypto.uses import direct_uses, statement_text, target_of, uses_of
from leeboard.security.crypto.weakness import Weakness, WeaknessHit
from leeboard.text.words import split_name

_NAME = lazy(r"[A-Za-z_][A-Za-z0-9_]{1,60}")
_LEFT = lazy(
    r"[\w.$>\[\]\"'@-]{1,80}\s*(?:[.+|^]?=(?!=)|(?<!:):(?!:))|\bset\w{0,20}\(?\s*[:\"']\w{1,60}|"
    r"(?i:cookies?(?:\.\w{1,12})?\(\s*[\"'][\w-]{1,60})"
)
"""What stands left of an assignment or names a field, and what is set by its name, a cookie above all."""
_GENERATOR = lazy(r"(?:\w+_)?(?:rng|rand|random|prng|generator)")
"""What is drawn from it, where each draw is not told by itself."""
_RETURNED = lazy(r"\s*(?:return\b|=>|yield\b)")
_FEEDS = lazy(r"(?i)(?:\.|->|_)(?:update|write|digest|final|finish|sum|compute_?hash|append|add)\w{0,16}\(")
_MARK = lazy(
    r"(?:#|//|/\*).{0,80}\b(?:nosec\b|noqa:\s*S\d|ruff:\s*ignore\[|nolint:\s*\w*sec|NOSONAR|lgtm\b|nosemgrep|codeql\[|"
    r"NOLINT\(cert|(?:rubocop:disable|phpcs:ignore|eslint-disable[\w-]*)\s+\S*[Ss]ecur)"
)
_COMMENT = lazy(r"\s*(?:#|//|/\*)")
MARKED = "let stand before, by a mark for another tool"
ADMITTED = "known to be weak, as a comment on the function says"
SCHEMES = "one of the ways to keep a password that the file knows"
_MANY_SCHEMES = 4
_WARNS = lazy(
    r"(?i)\bnot (?:a |very |really |at all |cryptographically |considered )?(?:secure|safe)\b(?!.{0,40}\?)|"
    r"\b(?:only|just) (?:be )?(?:used |meant |intended )?(?:for|in) (?:tests?|testing|demo\w*|development)\b|"
    r"\bfor test(?:ing)?(?: purposes)? only\b|\bnot for (?:production|security|cryptograph)"
)
"""Whoever wrote it says so, in words that no identifier spells."""
_ASSIGNS = lazy(r"assignment|var\w*_declar")
_OWNER = lazy(r"[\w)\]]\Z")
_TEST_FOLDER = lazy(r"(?:^|/)(?!(?:latest|contest|attest|protest|greatest|fastest)/)[a-z][a-z0-9]{1,20}test/")
"""As Go calls what a package gives its users for their tests: `httptest`."""
_RFC = lazy(r"(?i)(?<![a-z])(?:rfc[_-]?\d{3,5}|(?:bip|eip|slip|sep)[_-]?\d{2,5})(?!\d)")
_CURVE = lazy(r"(?i)(?:\bp-?|[a-z_]p|secp|prime)(\d{3})(?!\d)")
_TABLE = 3
_ASKS_LIBRARY = lazy(r"(?:^|[._])(?:is_)?(?:cipher_)?supported\(")
_FIRST_BYTES = lazy(r"\[0?:\s*[1-8]\]")
_ASKS, _NUMBERS = lazy(r"\b(?:if|elif|case|when)\b"), lazy(r"\d{3}")
_NUMBER = lazy(r"\d{1,7}\b(?= iter)")
_HEAD = 4
_ABOVE, _BELOW = 7, 4
_LINE_ROOM, _MOST_OF_A_FILE = 300, 200_000


def why_quiet(hit: WeaknessHit, source: CryptoSource) -> str:
    """Empty where it is worth a look."""
    above, own = ["", *source.lines][max(0, hit.site.line - 1) : hit.site.line + 1]
    if _MARK.search(own) or (_COMMENT.match(above) and _MARK.search(above)):
        return MARKED
    if _says_weak(hit, source):
        return ADMITTED
    said: dict[str, frozenset[str]] = {}

    def names(place: str, wanted: frozenset[str]) -> bool:
        if place not in said:
            said[place] = _words(_PLACES[place](hit, source))
        return not said[place].isdisjoint(wanted)

    for row in words.at_rest().rows:
        holds = _is_of(row, hit, source) and all(names(*item) for item in row.where.items())
        if holds and not any(names(*item) for item in row.unless.items()):
            return row.reason
    return ""


def _says_weak(hit: WeaknessHit, source: CryptoSource) -> bool:
    """Whether the words at the head of its function, or just above, call it weak or made for tests."""
    first, _last = source.function_lines(hit.site)
    if not first:
        return False
    head = source.lines[max(0, first - _ABOVE) : min(hit.site.line - 1, first + _ABOVE)]
    return any(_WARNS.search(line[:_LINE_ROOM]) for line in head)


def each_of_many(found: Iterable[Weakness]) -> Iterator[Weakness]:
    """A file with a function for each of many ways to keep a password has them for what others have kept."""
    each = list(found)
    ways = [it for it in each if it.queues and it.kind in _OF_PASSWORDS]
    is_table = len({(it.symbol, it.scope) for it in ways if it.scope}) >= _MANY_SCHEMES
    for weakness in each:
        yield replace(weakness, at_rest=weakness.at_rest or SCHEMES) if is_table and weakness in ways else weakness


_OF_PASSWORDS = frozenset({"weak hash", "fast password hash", "unsalted password hash"})


def _is_of(row: words.RestRow, hit: WeaknessHit, source: CryptoSource) -> bool:
    if (row.kinds and hit.kind not in row.kinds) or (row.languages and source.language not in row.languages):
        return False
    return not row.what or re.search(row.what, hit.what) is not None


def _result(hit: WeaknessHit, source: CryptoSource) -> str:
    """What it goes into, what is made of that, and the function where that returns it or nothing is named."""
    statement = statement_text(hit.site, source)
    uses = uses_of(hit.site, source)
    left = [found[0] for line in uses.lines for found in _LEFT.finditer(line)]
    names = [target_of(hit.site, source), *uses.names, _left(hit, source), *left]
    definition = source.definition_of(hit.site)
    is_returned = any(map(_RETURNED.match, (statement.lstrip("\n"), *uses.lines)))
    is_returned = is_returned or (definition is not None and definition.start == definition.end)
    is_drawn_from = source.language == "rust" and _GENERATOR.fullmatch(names[0]) is not None
    if definition is not None and definition.kind != "class" and (is_returned or is_drawn_from or not any(names)):
        names += [definition.name, made_by(definition)]
    return " ".join(names)


def _left(hit: WeaknessHit, source: CryptoSource) -> str:
    """What stands left of it on its line, nearest."""
    start = hit.site.start
    before = source.text[source.text.rfind("\n", max(0, start - _LINE_ROOM), start) + 1 : start][-_LINE_ROOM:]
    return next(iter([found[0] for found in _LEFT.finditer(before)][-1:]), "")


def _fed(hit: WeaknessHit, source: CryptoSource) -> str:
    arguments = [argument.text() for argument in hit.site.args] if isinstance(hit.site, CallSite) else []
    fed = [line for line in direct_uses(hit.site, source) if _FEEDS.search(line)]
    return " ".join((*arguments, statement_text(hit.site, source), *fed))


def _declared(hit: WeaknessHit, source: CryptoSource) -> str:
    """A constant that a class has for others; its value may stand on a line of its own."""
    before = source.lines[max(0, hit.site.line - 2) : hit.site.line - 1]
    statement = "".join(line for line in before if line.rstrip().endswith("=")) + statement_text(hit.site, source)
    return statement if "static final" in statement or "static readonly" in statement else ""


def _rounds(hit: WeaknessHit, source: CryptoSource) -> str:
    definition = source.definition_of(hit.site)
    number = _NUMBER.search(hit.what)
    if definition is None or number is None:
        return ""
    head = "\n".join(source.lines[definition.start - 1 : min(definition.start + _HEAD, hit.site.line - 1)])
    given = re.search(rf"[=:]\s*{number[0]}\b", head.partition("{")[0] if source.language != "python" else head)
    return "default" if given is not None else ""


def _assigned(hit: WeaknessHit, _source: CryptoSource) -> str:
    """What the whole statement goes into, also where the weakness is an option of a call in it."""
    owner = next((one for one in around(hit.site) if _ASSIGNS.search(one.kind())), None)
    left = (owner.field("left") or owner.field("name")) if owner is not None else None
    return left.text()[:_LINE_ROOM] if left is not None else ""


def _place(hit: WeaknessHit, source: CryptoSource) -> str:
    """`kept[md5(name)] = it`: what is found under it was put there under it; the middle of a list of curves; and
    what is made and not used.
    """
    near = "\n".join(source.lines[max(0, hit.site.line - _HEAD) : hit.site.line + _HEAD - 1])
    if hit.what.startswith("curve") and (len(set(_CURVE.findall(near))) >= _TABLE or _is_asked_above(hit, source)):
        return "curves"
    if hit.kind == "timing leak" and _FIRST_BYTES.search(source.lines[hit.site.line - 1][:_LINE_ROOM]):
        return "magic"
    if _ASKS_LIBRARY.search(statement_text(hit.site, source)):
        return "unused"
    owner = hit.site.node.parent()
    if source.language == "python" and owner is not None and owner.kind() == "expression_statement":
        return "unused" if isinstance(hit.site, CallSite) and hit.site.last == "new" else ""
    start, end = hit.site.start, min(hit.site.end, hit.site.start + _LINE_ROOM)
    before, behind = source.text[max(0, start - _LINE_ROOM) : start], source.text[end : end + _LINE_ROOM]
    opened = before.rpartition("\n")[2].rpartition("[")
    is_inside = _OWNER.search(opened[0]) is not None and "]" not in opened[2] and "," not in opened[2]
    return "index" if opened[1] and is_inside and "]" in behind.partition("\n")[0] else ""


def _is_asked_above(hit: WeaknessHit, source: CryptoSource) -> bool:
    """`else if (oid == SECP160R1)`, and on the next line what another library calls it."""
    above = source.lines[max(0, hit.site.line - 2)][:_LINE_ROOM] if hit.site.line > 1 else ""
    return _ASKS.search(above) is not None and any(number in above for number in _NUMBERS.findall(hit.what))


def _function(hit: WeaknessHit, source: CryptoSource) -> str:
    definition = source.definition_of(hit.site)
    return f"{definition.name} {definition.owner}" if definition is not None else source.path.rpartition("/")[2]


_PLACES: dict[str, Callable[[WeaknessHit, CryptoSource], str]] = {
    "target": lambda hit, source: target_of(hit.site, source),
    "declared": _declared,
    "result": _result,
    "fed": _fed,
    "statement": lambda hit, source: statement_text(hit.site, source),
    "function": _function,
    "inside": lambda hit, source: "file" if source.definition_of(hit.site) is None else "function",
    "rounds": _rounds,
    "body": lambda hit, source: source.function_text(hit.site),
    "standard": lambda hit, source: "rfc" if _RFC.search(f"{source.path} {_function(hit, source)}") else "",
    "near": lambda hit, source: "\n".join(source.lines[max(0, hit.site.line - _ABOVE) : hit.site.line + _BELOW]),
    "path": lambda _hit, source: f"testing {source.path}" if _TEST_FOLDER.search(source.path) else source.path,
    "assigned": _assigned,
    "place": _place,
    "standing": lambda hit, source: f"{statement_text(hit.site, source)} {_function(hit, source)} {source.path}",
    "file": lambda _hit, source: source.text[:_MOST_OF_A_FILE],
}


def _words(text: str) -> frozenset[str]:
    found: set[str] = set()
    for name in _NAME.findall(text):
        parts = split_name(name)
        found.update(parts)
        found.update(first + second for first, second in pairwise(parts))
    return frozenset(found)
