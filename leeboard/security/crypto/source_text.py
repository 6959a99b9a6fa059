"""Weak cryptography in one file: the signatures that may apply, and the weight each hit has where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from importlib import import_module
from itertools import islice

from leeboard.model.text import has_longer_line, lazy
from leeboard.security.crypto.at_rest import each_of_many, why_quiet
from leeboard.security.crypto.context import (
    SiteSurroundings,
    becomes_a_secret,
    draws_many_bits,
    fills_a_key,
    gives_a_reason,
    made_by,
    names_a_key,
    opens_something,
    proves_something,
    surroundings,
)
from leeboard.security.crypto.gate import families_of
from leeboard.security.crypto.pardon import pardon_of
from leeboard.security.crypto.source import CryptoSource
from leeboard.security.crypto.uses import target_of
from leeboard.security.crypto.weakness import Weakness, WeaknessHit, each_once
from leeboard.security.crypto.words import grammar
from leeboard.source.syntax import SyntaxTree, parse
from leeboard.text.language import is_test_path

_NEUTRAL = 0.6
_GUARDING = lazy(r"(?i)passw(?:or)?d|session|cookie|token(?!iz|s\b)|crypt|openssl|secret|login|nonce|otp|api_?key")
_HELPS_TESTS = lazy(r"""(?m)^[ \t]*(?:import[ \t]+)?"testing"[ \t]*$|^(?:import|from)[ \t]+pytest\b""")
"""What is imported nowhere but in tests and in what they share."""
_IS_TEST = lazy(r"(?i)_test\Z|self_?test|known_?answer|(?:\A|_)kat(?:_|\Z)")
_RUST_TESTS = lazy(r"#\[cfg\(test\)\]\s*(?:#\[[^\]\n]*\]\s*)*(?:pub(?:\([a-z]+\))?\s+)?mod\s+\w+\s*\{")
"""They stand at the end of the code they are for."""
_HAS_CASES = lazy(r"(?i)\b\w{0,20}test_?(?:case|vector)s?\b")
"""What is drawn for cases of a test, in a program that makes them."""
_CHECKS_ITSELF = lazy(r"(?i)self_?test|known_?answer|integrity|\bfips\b|(?:\A|_)check_one\Z")
"""A program that looks whether it is whole: whoever could measure the time has the sum already."""
_IS_SENT = lazy(r"(?i)\breq(?:uest)?(?:\.|->|\[)|\bheaders?\b[\[(.]|\$_(?:SERVER|GET|POST)\b")
_HEAD = 4_000
_LONGEST_LINE = 10_000
_MOST = 200
"""Hits of one family in one file: a file with more is data, or about nothing else."""


def find_weak_crypto(tree: SyntaxTree, path: str) -> tuple[Weakness, ...]:
    """Every weakness of a file, in the order of its lines."""
    if path.endswith(".pyi") or tree.language not in grammar().calls:
        return ()  # declarations, and data: what stands in a list of names is not used there
    families = families_of(tree.text)
    if not families:
        return ()
    readable = _without_long_lines(tree)
    if readable is None:
        return ()
    source = CryptoSource(readable, path)
    found: dict[tuple[str, int], Weakness] = {}
    for family in families:
        for hit in islice(_hits(family)(source), _MOST):
            weakness = _weighed(hit, source)
            if weakness is not None:
                key = (weakness.kind, weakness.line)
                held = found.get(key)
                if held is None or (held.queues, held.confidence) < (weakness.queues, weakness.confidence):
                    found[key] = weakness
    in_order = each_of_many(sorted(found.values(), key=lambda it: (it.line, it.kind, it.what)))
    return each_once(in_order, lambda first, other: _is_same(first, other, source))


def _is_same(first: Weakness, other: Weakness, source: CryptoSource) -> bool:
    """What a function does several times, what a file spells alike again, what one connection or cipher is told in
    several lines, and both ways of one cipher. Options of one connection or cookie stand together; a cipher of C's
    libraries is made, keyed and run in turn.
    """
    if first.line == other.line:
        return {first.kind, other.kind} == _DRAWN_AND_HASHED
    if first.kind == other.kind and (_is_spelled_alike(first, other, source) or _is_the_way_back(first, other)):
        return True
    return first.symbol == other.symbol and _is_same_of_function(first, other, source)


def _is_same_of_function(first: Weakness, other: Weakness, source: CryptoSource) -> bool:
    kinds = {first.kind, other.kind}
    if source.language in {"c", "cpp"} and first.symbol and kinds <= _OF_A_CIPHER:
        return True
    if kinds == _SEEDED_AND_DRAWN or (first.kind == other.kind and first.what == other.what):
        of_macros = source.language in {"c", "cpp"} and not first.scope and other.line - first.line <= _OF_MACROS
        return first.scope == other.scope and (first.scope != 0 or of_macros)
    is_option = first.kind == other.kind and first.kind in _OF_OPTIONS and first.what != other.what
    return is_option and other.line - first.line <= _TOGETHER and not _are_of_two(first, other, source)


def _are_of_two(first: Weakness, other: Weakness, source: CryptoSource) -> bool:
    """Whether one stands in a whole declaration, of which the other does not speak: those are two things."""
    lines = [source.lines[it.line - 1][:300] for it in (first, other)]
    for line, beside in (lines, reversed(lines)):
        declared = _DECLARED.match(line)
        is_whole = all(line.count(opened) == line.count(closed) for opened, closed in ("()", "{}", "[]"))
        if declared is not None and is_whole and not re.search(rf"\b{declared[1]}\b", beside):
            return True
    return False


_DECLARED = lazy(r"\s*(?:(?:export|private|public|static|final|readonly)\s+)*(?:var|let|const|val|auto)\s+(\w+)")


def _is_spelled_alike(first: Weakness, other: Weakness, source: CryptoSource) -> bool:
    """A line that was copied is one thing to change."""
    lines = [" ".join(source.lines[it.line - 1].split()) for it in (first, other)]
    return first.what == other.what and lines[0] == lines[1]


def _is_the_way_back(first: Weakness, other: Weakness) -> bool:
    """`encrypt` and `decrypt`, `sign` and `verify`: what one writes the other has to read."""
    ways = {_one_way(it.symbol) for it in (first, other)}
    return first.symbol != other.symbol and len(ways) == 1 and "" not in ways


def _one_way(symbol: str) -> str:
    name = symbol.lower()
    for back, forth in (("decrypt", "encrypt"), ("decipher", "encipher"), ("decode", "encode"), ("verify", "sign")):
        name = name.replace(back, forth)
    return name if any(way in name for way in ("encrypt", "encipher", "encode", "sign")) else ""


_OF_A_CIPHER = frozenset({"weak cipher", "ECB mode"})
_DRAWN_AND_HASHED = frozenset({"predictable random", "weak hash"})
"""A guessable number that is hashed: what is wrong is the number."""
_SEEDED_AND_DRAWN = frozenset({"predictable seed", "predictable random"})
_OF_OPTIONS = frozenset({"unverified connection", "insecure cookie", "unverified token"})
_TOGETHER = 3
_OF_MACROS = 12
"""How far apart the macros stand that say for one library what another one does in a function."""


def _hits(family: str) -> Callable[[CryptoSource], Iterable[WeaknessHit]]:
    """A family of signatures is a module of `families`: what the text gives no reason to look for is not loaded."""
    hits: Callable[[CryptoSource], Iterable[WeaknessHit]] = import_module(
        f"leeboard.security.crypto.families.{family}"
    ).hits
    return hits


def _without_long_lines(tree: SyntaxTree) -> SyntaxTree | None:
    """Where a node lies costs the length of its line: a line that nobody wrote would cost its square."""
    if not has_longer_line(tree.text, _LONGEST_LINE):
        return tree
    lines = tree.text.split("\n")
    return parse("\n".join(line if len(line) <= _LONGEST_LINE else "" for line in lines), tree.language)


def _weighed(hit: WeaknessHit, source: CryptoSource) -> Weakness | None:
    in_test = is_test_path(source.path) or _HELPS_TESTS.search(source.text[:_HEAD]) is not None
    definition = source.definition_of(hit.site)
    in_test = in_test or _is_of_a_test(hit, source)
    if in_test and hit.weighing in {"note", "random", "auth"}:
        return None
    around = surroundings(hit.site, source, follow=hit.weighing == "random")
    queues, confidence, log_only = _weight(hit, around, source)
    if confidence <= 0:
        return None
    if in_test:
        queues, log_only = False, log_only or "test file"
    elif queues and ((around.comment and around.context != "auth") or gives_a_reason(hit, source, around.context)):
        queues, log_only = False, "chosen knowingly, with a comment"
    elif queues:
        log_only = pardon_of(hit, source)
    is_said = queues and not log_only
    return Weakness(
        kind=hit.kind,
        what=hit.what,
        line=hit.site.line,
        end=hit.site.line + source.text.count("\n", hit.site.start, min(hit.site.end, hit.site.start + 2_000)),
        confidence=confidence,
        context=around.context,
        queues=is_said,
        log_only=log_only,
        at_rest=why_quiet(hit, source) if is_said else "",
        symbol=definition.name if definition is not None else "",
        owner=definition.owner if definition is not None else "",
        scope=definition.start if definition is not None else 0,
        fix=hit.fix,
        trace=_trace(hit, around),
    )


def _is_of_a_test(hit: WeaknessHit, source: CryptoSource) -> bool:
    definition = source.definition_of(hit.site)
    name = definition.name if definition is not None else ""
    called = f"{name} {source.path.rpartition('/')[2].partition('.')[0]}"
    if (
        hit.kind == "timing leak"
        and _CHECKS_ITSELF.search(called)
        and not _IS_SENT.search(source.function_text(hit.site))
    ):
        return True
    if _IS_TEST.search(name) or (source.language == "rust" and _RUST_TESTS.search(source.text, 0, hit.site.start)):
        return True
    return hit.weighing == "random" and _HAS_CASES.search(source.function_text(hit.site)) is not None


def _trace(hit: WeaknessHit, around: SiteSurroundings) -> tuple[str, ...]:
    signature = f"signature: {hit.kind} ({hit.what})"
    context = f"context: {around.context} (auth {around.auth}, checksum {around.checksum})"
    return (signature, context, f"comment: {around.comment}") if around.comment else (signature, context)


def _weight(hit: WeaknessHit, around: SiteSurroundings, source: CryptoSource) -> tuple[bool, float, str]:
    """Whether it queues, how sure it is, and why it is logged at most; zero confidence is nothing at all."""
    auth = around.context == "auth" or (hit.kind == "weak hash" and around.nearest >= max(_NEAR, around.checksum))
    if hit.kind == "weak hash" and not (around.nearest >= _NEAR and proves_something(hit.site, source, around.near)):
        auth = False  # the file may speak of secrets, but not where it hashes
    if hit.excuse and hit.weighing == "hash":
        return False, min(hit.sure, _NEUTRAL), hit.excuse
    if hit.weighing == "random":
        return _random_weight(hit, around, source)
    if hit.weighing == "auth" and not (auth and around.auth >= _NEAR):
        return False, 0.0, ""
    if hit.kind == "short token" and not around.nearest:
        return False, 0.0, ""  # a few random bytes for the name of a file, in code that also speaks of sessions
    if hit.weighing == "note" or (hit.weighing == "hash" and not auth):
        is_sum = hit.weighing == "hash" and around.context == "checksum"
        return False, min(hit.sure, _NEUTRAL), "checksum" if is_sum else ""
    return True, hit.sure, ""


_NEAR = 4
"""A guarded word in the statement itself, or several around it."""


def _random_weight(hit: WeaknessHit, around: SiteSurroundings, source: CryptoSource) -> tuple[bool, float, str]:
    """Only for what is guarded; a draw that nobody can place is logged where the code around it guards something."""
    if around.plays and not opens_something(target_of(hit.site, source)):
        return False, 0.0, ""
    guarded = around.context != "checksum" and bool(_GUARDING.search(source.text))
    if around.nearest >= _NEAR and (around.context == "auth" or becomes_a_secret(hit.site, source)):
        return not hit.excuse, min(hit.sure, _NEUTRAL) if hit.excuse else hit.sure, hit.excuse
    if fills_a_key(hit.site, source) or (names_a_key(hit.site, source) and draws_many_bits(hit.site)):
        return True, 0.8, ""
    definition = source.definition_of(hit.site)
    if not hit.excuse and definition is not None and made_by(definition):
        return True, 0.8, ""
    if guarded and not hit.excuse and names_a_key(hit.site, source):
        return around.auth >= _NEAR and (around.nearest > 0 or not _is_mere_id(hit, source)), 0.7, ""
    is_small = len(source.lines) < _SMALL_FILE and not hit.what.startswith(("np.", "numpy."))
    return (False, 0.5, "") if guarded and (is_small or around.auth >= _NEAR) else (False, 0.0, "")


def _is_mere_id(hit: WeaknessHit, source: CryptoSource) -> bool:
    """`id = "label-" + random()`: the name and its lines speak of nothing that is guarded."""
    return target_of(hit.site, source).lower() in {"id", "uid", "uuid"}


_SMALL_FILE = 200
