"""Values that stand for one: examples, templates, references, stars."""

from __future__ import annotations

from itertools import pairwise

from leeboard.code.secret.name import words_of
from leeboard.code.secret.randomness import class_count, is_random
from leeboard.model.digest import digest
from leeboard.model.pattern import lazy

_TEMPLATE = lazy(
    r"\$\{|\{\{|\$\(|#\{|<%|%>|\{%|%\(\w{1,60}\)|\{[\w.\[\]'\":!,>^<+\-]{0,60}\}|"
    r"%[\d.]{0,4}[sdvqr@](?![A-Za-z0-9])|\$[A-Za-z_][\w.:]{0,60}\Z|"
    r"<[^<>]{1,80}>|\[[A-Za-z][\w \-]{0,60}\]\Z|%[A-Za-z_]\w{0,40}%|@[A-Za-z_]\w{0,40}@|__[A-Z][A-Z_]{2,40}__|"
    r"\*{3,}|\.{3}|\u2026|\u2022|-{5,}|_{4,}|(?i:x{4,}|x{3,}\Z)|\[redacted\]|\\[()]"
)
_STANDS_FOR = lazy(
    r"(?i)your?[_\-. ]?|\byour|example|sample|dummy|placeholder|change[_\-]?(?:me|it|this)|changeme|"
    r"replace|insert[_\-]|redacted|"
    r"\bfake|fake[_\-]|\bmock|todo|fixme|tbd\b|lorem|foo[_\-]?bar|<.{0,60}>|my[_\-]?(?:api|secret|pass|"
    r"token|key|access)|"
    r"(?:some|any|put|enter|add|use)[_\-. ]?(?:your|my|a|the|here|secret|pass|token|key|value|random|long|strong)|"
    r"[_\-. ]here\b|not[_\-]?(?:a|set|real|used|needed|secret)|to[_\-]?be[_\-]?|secret[_\-]?(?:key|value|"
    r"token|string|name|id)\b|"
    r"super[_\-]?secret|top[_\-]?secret|(?:api|access|auth|private|client|secret)[_\-]?(?:key|token|secret|id)\Z|"
    r"(?:abc|123|foo|bar|test|secret|pass(?:word)?|token|key)[_\-]?(?:abc|123|foo|bar|test|secret|"
    r"pass(?:word)?|token|key)\Z"
)
_MOCK_WORDS = frozenset(
    """
    test tests testing tester dummy fake mock sample example examples demo foo bar baz qux my your the a an some any
    this that is it password passwd pass pwd pw passphrase passcode secret secrets secure token tokens key keys api
    apikey access auth authtoken credential credentials user username login value val string str text here
    placeholder change me changeme replace insert enter todo tbd xxx abc abcd abcde abcdef def ghi xyz none null nil
    undefined empty default temp tmp new old valid invalid wrong bad good correct incorrect right not no yes true
    false unused unset missing required optional hidden private public client server app application service name id
    code hash salt bearer basic jwt something anything whatever random stub fixture hello world one two three first
    second another other real super very long short strong weak simple plain clear raw encrypted decrypted expected
    actual result data input output field param from to of in for and or with base sha md hex session cookie nonce
    seed bytes char int number type redacted mysecret mypassword mytoken mykey testpass testpassword testtoken
    anonymous anoncvs pserver
    testkey testuser somepassword secretkey accesstoken apitoken quick brown fox alice bob john doe jane smith
    """.split()
)
_SAYS_EXAMPLE = (
    "example",
    "xxxx",
    "placeholder",
    "your_",
    "your-",
    "yourtoken",
    "yourkey",
    "dummy",
    "_fake",
    "fake_",
    "redacted",
    "changeme",
)
_KNOWN_EXAMPLES = frozenset(
    """
    051def1588f9ab3d 188887d297766300 1c84746fcb793603 20e88191d76dc156 2e12236193731ba6 76449d3eb6d5ca57
    826e0fd9a88ef5e1 a05b8aa8899378c2 a9487d7cf874f6df ac2bca0dd4b8a809 b122867768cf1807 b1dba8e85ee052b5
    bc2b96d967bbb746 bd2d7c80e2a7e748 f3c505fbeb56b08c f3cc1935c5262580
    efc2dfd67121c8fc 44968acef4e8ee6d
    """.split()
)
"""Digests of the keys that vendors print in their documentation."""
_ROWS = ("abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "9876543210")
_NEIGHBOURS = frozenset(one + other for row in _ROWS for one, other in pairwise(row))
_LOOKED_AT = 600
"""Characters of a value that tell what it is."""
_LEET = str.maketrans("013457@$!", "oleastasi")


def is_placeholder(value: str) -> bool:
    """Whether it only shows where a secret would go."""
    if not value or digest(value) in _KNOWN_EXAMPLES:
        return True
    value = value[:_LOOKED_AT]
    if _TEMPLATE.search(value):
        return True
    if is_monotonous(value):
        return True
    if _STANDS_FOR.search(value) and not (
        len(value) >= 24 and is_random(value) and "_" not in value and "-" not in value
    ):
        return True
    lowered = value.lower()
    if "example" in lowered or lowered in _MOCK_WORDS:
        return True
    return ("password" in lowered and not is_random(value)) or is_mock(value)


def is_example(value: str) -> bool:
    """Whether a value in a provider's format says itself, or is known, to be an example."""
    lowered = value.lower()
    return digest(value) in _KNOWN_EXAMPLES or any(word in lowered for word in _SAYS_EXAMPLE)


def is_mock(value: str) -> bool:
    """Whether all its words are those of examples and stubs, with some digits at most: `test-token`, `secret123`."""
    words = words_of(value)
    return (
        all(word in _MOCK_WORDS or (len(word) < 2 and len(value) < 9 and class_count(value) < 3) for word in words)
        if words
        else _counts(value)
    )


def is_monotonous(value: str) -> bool:
    """Few different characters, one that is repeated, or a run along the alphabet, the digits or the keyboard."""
    value = value[:_LOOKED_AT]
    lowered = value.lower()
    if len(set(lowered)) <= max(2, min(6, len(value) // 9)):
        return True
    long_run = min(max(5, len(value) // 5 + 1), len(value) // 2 + 1)
    return any(char * long_run in lowered for char in set(lowered)) or _walks(lowered) or _repeats(lowered)


def _walks(lowered: str) -> bool:
    """`0123456789abcdef`, `abcdefgh12345678`, `qwertyuiop`: most neighbours are neighbours on a row."""
    plain = "".join(filter(str.isalnum, lowered))
    steps = sum(map(_NEIGHBOURS.__contains__, map(str.__add__, plain, plain[1:])))
    return len(plain) >= 5 and steps >= 0.7 * (len(plain) - 1)


def _repeats(lowered: str) -> bool:
    """A short piece over and over: `deadbeefdeadbeef`, `abcabcabc`, `testtest`."""
    return any(
        len(lowered) >= 2 * size and (lowered[:size] * (len(lowered) // size + 1))[: len(lowered)] == lowered
        for size in range(1, min(13, len(lowered) // 2 + 1))
    )


def _counts(value: str) -> bool:
    """Without letters: a short number, a version, a date, an address."""
    return len(value) < 6 or value.count(".") >= 2 or "/" in value or ":" in value or is_monotonous(value)


def unleet(value: str) -> str:
    """`P@ssw0rd` as a person reads it."""
    return value.translate(_LEET)
