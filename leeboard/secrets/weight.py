"""How sure we are of a value: what else it could be, whether it only stands for one, and whether chance made it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from math import log2

import msgspec

from leeboard.data import load
from leeboard.model.text import digest, lazy
from leeboard.secrets.handed_around import is_chain_address, is_handed_around, is_listed
from leeboard.secrets.hit import ALPHABET_TAILS, LEANING_TAILS, Promise, SecretHit, Share, words_of
from leeboard.secrets.monotonous import counts_bytes, is_monotonous

Weight = tuple[float, str]
"""Confidence, and why it is at most logged."""
PLACEHOLDER: Weight = (0.3, "placeholder")
A_PLAIN_WORD: Weight = (0.45, "a plain word")
SURE, LIKELY, POSSIBLE = 0.92, 0.80, 0.60


class _OtherThings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    beginnings: tuple[str, ...]
    """How something else begins: names of resources, hashes, what a vault holds, media types, patterns."""
    file_endings: tuple[str, ...]
    words: frozenset[str]


@cache
def _other_things() -> _OtherThings:
    return load("secrets/other_things", _OtherThings)


_OTHER_THING = lazy(
    r"(?:[A-Z\d]{1,10}-){0,5}(?:AES|CAMELLIA|ARIA|CHACHA20|3?DES|RC4)\d{0,3}(?:-[A-Z\d]{1,9}){1,4}\Z|"
    r"(?:ED25519|RSA\d{4}|ECDSA|AES)-[A-Z\d]{2,8}\Z|"
    r"[A-Za-z][A-Za-z0-9+.\-]{1,20}://|//[\w\-]|[\w.\-+]{1,60}@[\w\-]{1,60}\.[\w.\-]{1,60}\Z|#[0-9A-Fa-f]{3,8}\Z|"
    r"\.[a-z][\w\-]*\Z|"
    r"[0-9]+(?:px|em|rem|ms|s|mb|gb|kb|d|h|m)\Z|v?\d+\.[\dx]+|\d{4}-\d\d-\d\d|\d+x\d+\Z|0x[0-9a-fA-F]{1,8}(?:\.\.|[uUlL]{0,3}\Z)|"
    r"[\w.]{1,60}::[\w.:]{1,60}\Z|@[a-z][\w.\-]{0,60}/[\w.\-]{1,60}\Z|[a-z]{2}[-_][A-Z]{2}\Z|"
    r"\[[a-zA-Z0-9]-[a-zA-Z0-9]|[)\]][+*?]|(?:[a-z0-9\-]{1,40}\.){1,4}(?:com|org|net|io|dev|in)/[\w./\-]{1,120}\Z|"
    r"[AUONCX][A-Z2-7]{55}\Z|jdbc:[a-z]|(?:com|org|net|io|dev|edu|javax?)\.[a-z]\w{0,40}(?:\.[A-Za-z]\w{0,60}){1,8}\Z|"
    r"eyJ(?:hbGci|0eXAi|raWQi)[\w\-]{0,200}\.{0,2}\Z|"
    r"(?i:cp\d{3,5}|windows-?\d{3,4}|iso-?8859-?\d{1,2}|koi8-[ru]|shift_?jis|gb\d{4,5}|euc-(?:jp|kr))\Z|"
    r"(?:RFC|rfc)[ _\-]?\d{3,5}\Z|(?:aes|hmac|sha|rsa|ecdsa|pbkdf2|ed25519|ed448|x25519)[\w\-/]{1,30}\Z|"
    r"(?:[a-z_]{2,20}(?::[\w,]{1,20})?\|){1,8}[a-z_]{2,20}(?::[\w,]{1,20})?\Z"
)
_PATH = lazy(
    r"(?i)/(?:tmp|var|etc|usr|opt|home)/\S{1,200}\Z|(?:[.~]{0,2}/|[a-z]:\\|\\\\)[\w.:\-/\\@]{0,200}\Z|(?:[\w.\-@]{1,60}/){1,9}[\w\-@]{0,60}\.[a-z]{1,5}\Z"
)
_RELATIVE = lazy(r"\.{1,2}/[\w.\-]{1,80}/")
_SETTINGS = lazy(r"[\w\-]{1,40},[\w\-]{1,40}=")
"""In a row: `jwt,sign-method=RS256`."""
_HOST_AND_PORT = lazy(r"(?P<host>[A-Za-z][A-Za-z0-9_.\-]{0,80}):\d{2,5}/?\Z")
_SELECTOR = lazy(r"#(?P<name>[A-Za-z_][\w\-]{2,80})\Z")
_BACKSLASHED = lazy(r"(?P<name>[A-Za-z][\w.\-]{0,40}(?:\\{1,2}[\w.\-]{1,40}){1,6})\Z")
"""A name space, a key of a registry, a user of a domain."""
_SURELY_A_PLACE = lazy(
    r"(?:localhost|[A-Za-z][A-Za-z0-9_\-]{0,60}(?:\.[A-Za-z0-9_\-]{1,60}){1,6}):\d{2,5}/?\Z|"
    r"#[a-z]{1,40}\d?(?:[_\-][a-z]{1,40}\d?){1,8}\Z|"
    r"(?i:root|hk[a-z_]{2,20}|software|system|app)(?:\\{1,2}[A-Za-z_]{1,40}\d?){1,6}\Z"
)
"""People put such signs into passwords too (`#Winter2024`, `winter:2024`): there only these are something else."""
_PASSES_ON = lazy(r"(?:proxy|fastcgi|uwsgi|scgi|grpc|memcached)_pass\Z")
"""As a web server writes down where requests go."""
_DATE_FORMAT = lazy(r"(?:[HhMmSsYyDdAaZz]{1,5}[:./\- ]){2,6}[HhMmSsYyDdAaZz]{1,5}\Z")
_DOTTED = lazy(r"[A-Za-z_$][\w$\-]*(?:(?:\.|->|::|/|:)[A-Za-z_$][\w$\-]*){1,8}(?:\(\))?\Z")
_CALL = lazy(r"[\w.$]{1,80}\([^()]{0,200}\)?;?\Z|[\w.$]{1,60}\[[^\]]{0,80}\]\Z")
_CODE = lazy(r"[=!]=|&&|\|\||=>|[;{}]\s*\Z|\A[({\[,;<>=|+]|\)\s*\Z|</|/>|&[a-z]{2,6};|\Afunction\b")
_LOOKED_AT = 600
"""Characters of a value that tell what it is."""
_TOLD_APART = frozenset("token tokens key keys secret id name cookie session".split())
_NAMING = frozenset("elem element field attr attribute column col param prop property tag label node xpath".split())
"""`ElemPassword = "Passwort1"`: what something is called in a file, a form or a table."""
_MAY_NAME = lazy(r"[A-Za-z_][A-Za-z_.:/\-]*\d{0,2}")
_SURELY_CHANCE = -5.0
_DIGEST_SIZES = frozenset({40, 56, 64, 96, 128})
"""In hex: what stands under a password's name may be what was made of one."""
_ESCAPED = lazy(r"\\[ux][0-9a-fA-F]{2}|\\[0-7]{3}|\\0\Z")
_BRACKET = lazy(r"[(){}\[\]]")
_POINTER = lazy(r"[*&][A-Za-z_][\w:.\-]*\Z")
_TYPE = lazy(r"[a-z_]+(?:\.[a-z_]+){0,4}\.[A-Z][A-Za-z]*;?\Z")
_PRINTED_FINGERPRINT = lazy(r"[0-9A-F]{40}\Z")
_SPACE = lazy(r"\s")
_FOREIGN = lazy(r"[^\x20-\x7e]")
"""Nobody types such a sign into a password; printers strike one twice by a step back between."""
_JOINED = lazy(r"[A-Za-z][A-Za-z0-9]*(?:[_\-][A-Za-z0-9]+)+\Z")
_SIGNS = lazy(r"[_\-]")
_CONSTANT = lazy(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\Z")


_SEVERAL = lazy(r"(?i)words\b")
_SAYS_HIDDEN = lazy(r"(?i)secret|private|passw")


def weigh(name: str, value: str, promise: Promise, *, quoted: bool = True) -> Weight | None:
    """None: no secret at all."""
    by_people = promise in {"password", "secret"} and not _PASSES_ON.search(name)
    kept = _is_kept(name, value, promise)
    if not _is_one_word(value) or (not kept and is_other_thing(value, by_people=by_people)):
        return None
    if _names_something(name, value, quoted=quoted):
        return None
    if is_placeholder(value):
        return PLACEHOLDER if promise != "key" or counts_bytes(value) else None
    if _is_joined_words(value):
        return None
    if promise == "password":
        weight = _password(value)
        return weight if quoted or weight is None or not weight[1] else None
    return _secret(value) if promise == "secret" else _key(value)


def _is_kept(name: str, value: str, promise: Promise) -> bool:
    """What would be open elsewhere, under the name of what is not: words as a password, the form of an address."""
    if is_listed(value):
        return promise == "password" and not _SEVERAL.search(name)
    return is_chain_address(value) and _SAYS_HIDDEN.search(name) is not None


def _is_one_word(value: str) -> bool:
    """Plain characters without a space or an escaped byte."""
    if not 3 <= len(value) <= 4000 or _SPACE.search(value):
        return False
    return not _FOREIGN.search(value) and not _ESCAPED.search(value)


def is_other_thing(value: str, *, by_people: bool = False) -> bool:
    """It has the look of something else: an address, a path, a file, a colour, a hash, a pattern.

    What people may have thought up has to look surely so.
    """
    if is_handed_around(value):
        return True
    lowered = value.lower()
    if lowered in _other_things().words or lowered.startswith(_other_things().beginnings) or _OTHER_THING.match(value):
        return True
    if _RELATIVE.match(value) or _SETTINGS.match(value) or _DATE_FORMAT.match(value):
        return True
    if _is_a_place(value) and (not by_people or _SURELY_A_PLACE.match(value)):
        return True
    if ":$" in value and lowered.partition(":")[2].startswith(_other_things().beginnings):
        return True  # a line of a password file: the hash behind the name
    return (lowered.endswith(_other_things().file_endings) or bool(_PATH.match(value))) and not is_strong(value)


def _is_a_place(value: str) -> bool:
    """Where a server listens; what a page calls its field; a name with what it belongs to."""
    named = _HOST_AND_PORT.match(value) or _SELECTOR.match(value) or _BACKSLASHED.match(value)
    return named is not None and not is_strong(named[1])


def _names_something(name: str, value: str, *, quoted: bool) -> bool:
    """The value is a reference, a call, a piece of code, or repeats the name."""
    if _CALL.match(value) or (_CODE.search(value) and not (quoted and is_random(value) and class_count(value) >= 3)):
        return True
    if not quoted and (_BRACKET.search(value) or _POINTER.match(value) or _TYPE.match(value)):
        return True
    if _DOTTED.match(value) and not is_random(value):
        return True
    words, own = set(words_of(value[:_LOOKED_AT])), words_of(name)
    if own and own[0] in _NAMING and _MAY_NAME.fullmatch(value) and not is_random(value):
        return True
    if not words or any(map(str.isdigit, value)):
        return False
    return words <= set(own) or (len(words) == 1 and _is_spelled_by(own, next(iter(words))))


def _is_spelled_by(own: tuple[str, ...], word: str) -> bool:
    """`_csrftoken` under `CSRF_SESSION_KEY`: a word of the name, then one that says what it is."""
    return any(word.startswith(part) and word[len(part) :] in _TOLD_APART for part in own)


def _is_joined_words(value: str) -> bool:
    """`jwks_uri`, `RSAES_OAEP_SHA_256`: joined by signs, and no piece that chance alone explains."""
    if not _JOINED.match(value) or not (value.isupper() or value.islower() or "_" in value):
        return False
    pieces = [piece for piece in _SIGNS.split(value) if len(piece) > 4]
    if any(any(map(str.isdigit, piece)) and not piece.isdigit() for piece in pieces) and not _CONSTANT.match(value):
        return False
    return (not any(len(piece) >= 9 and is_random(piece) for piece in pieces) and sum(map(evidence, pieces)) > -6) or (
        bool(_CONSTANT.match(value)) and not any(len(piece) >= 12 and is_random(piece) for piece in pieces)
    )


_DRESSED_UP = lazy(r"(?i)[a-z]{0,8}passwords?[a-z]{0,3}")
"""The word itself, with another in front of it: `SuperP4ssw0rd!`."""


_OF_NOBODY = lazy(r"[A-Za-z\-]{1,30}@|guest|anonymous")
"""What everybody may send for a password: the beginning of a mail address, as anonymous users do."""


def _password(value: str) -> Weight | None:
    classes, size = class_count(value), len(value)
    if _OF_NOBODY.fullmatch(value):
        return 0.45, "as anonymous users send it"
    if value.isdigit():
        return (POSSIBLE, "") if size >= 6 and not value.startswith(("19", "20")) else None
    if is_mock(unleet(value)) or _DRESSED_UP.fullmatch(unleet(value)) or (is_hex(value) and size in _DIGEST_SIZES):
        return LIKELY, ""
    if is_random(value):
        return (SURE if size >= 8 and (classes >= 2 or size >= 10) else LIKELY), ""
    return _weak_password(value)


def _weak_password(value: str) -> Weight | None:
    """Words with something added; a word alone is as often a label."""
    size = len(value)
    has_digit = any(map(str.isdigit, value))
    has_sign = any(not char.isalnum() and char not in "_-. " for char in value)
    if size >= 5 and (has_digit or has_sign):
        return (SURE if size >= 8 and has_digit and has_sign else LIKELY), ""
    if size >= 4 and evidence(value) < _SURELY_CHANCE:
        return POSSIBLE, ""
    return A_PLAIN_WORD if size >= 5 else None


def _secret(value: str) -> Weight | None:
    size = len(value)
    if size < 6 or value.isdigit():
        return None
    if is_strong(value) or is_uuid(value) or (is_random(value) and size >= 16 and not is_hex(value)):
        return SURE, ""
    if is_random(value):
        # Letters of one case alone are as often an abbreviation: `INCRBY`.
        return (LIKELY, "") if size >= 8 else (POSSIBLE, "") if class_count(value) > 1 else None
    if is_hex(value) and size >= 8 and class_count(value) > 1:
        return POSSIBLE, ""
    has_sign = any(not char.isalnum() and char not in "_-. /:" for char in value)
    return (
        (POSSIBLE, "") if size >= 8 and class_count(value) >= 3 and has_sign and any(map(str.isdigit, value)) else None
    )


def _key(value: str) -> Weight | None:
    size = len(value)
    if size < 8 or value.isdigit() or not is_random(value) or is_uuid(value):
        return None
    if _PRINTED_FINGERPRINT.match(value):
        return 0.5, "as long as a fingerprint"
    if is_strong(value):
        return LIKELY, ""
    return (POSSIBLE, "") if size >= 16 or class_count(value) >= 3 else (0.5, "short")


@lru_cache(maxsize=2048)
def looks_generated(value: str) -> bool:
    """A literal that entropy alone makes worth a line in the log: the seed's limits, after what it can not be. Of a
    file with many secrets each part is asked about in turn.
    """
    return (
        len(value) > 16
        and not _SPACE.search(value)
        and entropy(value) > 4.0
        and is_random(value)
        and class_count(value) >= 3
        and not (is_other_thing(value) or _FOREIGN.search(value) or _CODE.search(value) or is_placeholder(value))
        and not (is_monotonous(value) or is_uuid(value) or evidence(value) > -6)
    )


# Literals that nothing but their entropy speaks for: worth a line in the log, never more.


CONFIDENCE = 0.50

_LITERAL = lazy(r"""["'`](?P<value>[A-Za-z0-9+/=_\-.!@#%^*~]{17,200})["'`]""")
_DIGESTED = lazy(
    r"(?i)sha\d|md5|digest|integrity|checksum|hash|fingerprint|etag|commit|revision|public|cert|ssh-|"
    r"alphabet|charset|chars|base64|encod|mapping|import|require\(|color|regex|data:|font|icon|version|"
    r"signature|expected|assert|test|url|href|src=|uuid|guid|_id\b|Id\b"
)


def by_entropy(text: str) -> Iterator[SecretHit]:
    """Literals above the limits, on lines that do not speak of digests and the like."""
    done, share = 0, Share(text)
    for match in _LITERAL.finditer(text):
        value = match["value"]
        if match.start() < done:
            continue
        if share.is_spent(match.start()):
            yield (unread := share.rest(match.start()))
            done = unread.end
            continue
        if not looks_generated(value):
            continue
        line_start = max(text.rfind("\n", 0, match.start()) + 1, match.start() - 200)
        if not _DIGESTED.search(text, line_start, match.start()):
            yield SecretHit(kind="entropy", value=value, start=match.start("value"), confidence=CONFIDENCE)


# Values that stand for one: examples, templates, references, stars; and whether chance made a value, or words.


_TEMPLATE = lazy(
    r"\$\{|\{\{|\$\(|#\{|<%|%>|\{%|%\(\w{1,60}\)|\{[\w.\[\]'\":!,>^<+\-]{0,60}\}|"
    r"\A%_\w|\A%(?:[sdvq]|0\d{1,2}[dlux]{0,2}[duxX])|%[\d.]{0,6}[sdiuvqrx@](?![A-Za-z0-9])|\$[A-Za-z_][\w.:]{0,60}\Z|\A\$[A-Za-z_][\w.:\-]{0,60}\Z|\A\$[A-Za-z_]\w{0,40}(?:[/|]|\[\w)|"
    r"(?i:\A-{0,8}=?_?boundary)[-_.=\d]|"
    r"\A<[A-Za-z]|<[^<>]{1,80}>|"
    r"\[[A-Za-z][\w \-]{0,60}\]\Z|%[A-Za-z_]\w{0,40}%|@[A-Za-z_]\w{0,40}@|__[A-Z][A-Z_]{2,40}__|"
    r"\A__[a-z][a-z_]{2,40}__\Z|\(\[\^|\[\^[^\]]{1,20}\][+*]|"
    r"\A[\"']\.[\"'$\\]|\A\)[,;.?:]|\A[\"'\\]{0,2}[.,]\s{0,2}\(?(?:[A-Za-z_]\w*\((?:\$|\d*\)[?.])|\$[A-Za-z_])|"
    r"\*{3,}|\.{3}|\u2026|\u2022|-{5,}|_{4,}|(?i:x{4,}|x{3,}\Z)|\[redacted\]|\\[()]|"
    r"\[[^\[\]]{0,80}(?:a-z|A-Z|0-9)[^\[\]]{0,80}\]"
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


class _Placeholders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    mock_words: frozenset[str]
    says_example: tuple[str, ...]
    known_examples: frozenset[str]
    """Digests of the keys that vendors print in their documentation."""


@cache
def _placeholders() -> _Placeholders:
    return load("secrets/placeholders", _Placeholders)


_LEET = str.maketrans("013457@$!", "oleastasi")


def is_placeholder(value: str) -> bool:
    """Whether it only shows where a secret would go."""
    if not value or digest(value.partition("%")[0]) in _placeholders().known_examples:
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
    if "example" in lowered or lowered in _placeholders().mock_words:
        return True
    return (("password" in lowered or "passwd" in lowered) and not is_random(value)) or is_mock(value)


def is_example(value: str) -> bool:
    """Whether a value in a provider's format says itself, or is known, to be an example."""
    lowered = value.lower()
    return digest(value) in _placeholders().known_examples or any(
        word in lowered for word in _placeholders().says_example
    )


def is_mock(value: str) -> bool:
    """Whether all its words are those of examples and stubs, with some digits at most: `test-token`, `secret123`."""
    words = words_of(value)
    return (
        all(
            word in _placeholders().mock_words or (len(word) < 2 and len(value) < 9 and class_count(value) < 3)
            for word in words
        )
        if words
        else _counts(value)
    )


def _counts(value: str) -> bool:
    """Without letters: a short number, a version, a date, an address."""
    return len(value) < 6 or value.count(".") >= 2 or "/" in value or ":" in value or is_monotonous(value)


def unleet(value: str) -> str:
    """`P@ssw0rd` as a person reads it."""
    return value.translate(_LEET)


# How a value looks: drawn by chance, a person's password, or words.
#
# Letters are weighed by how usual their runs of three are in words; classes of characters that alternate faster than a
# name's do speak for chance. Entropy alone can not tell: short keys have little of it, prose has a lot.


class _Trigrams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How usual each run of three letters is, two bits a run, three runs a character."""

    digits: str
    evidence: tuple[float, ...]
    table: str


@cache
def _trigrams() -> _Trigrams:
    return load("secrets/trigrams", _Trigrams)


@cache
def _worth() -> dict[str, int]:
    return {digit: index for index, digit in enumerate(_trigrams().digits)}


_PIECES = lazy(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_ALTERNATION = lazy(r"[A-Za-z][0-9]|[0-9][A-Za-z]")
_HEX = lazy(r"(?:[0-9a-f]+|[0-9A-F]+)\Z")
_UUID = lazy(r"(?i)\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?\Z")
_CHANCE = -1.0
"""Evidence below this speaks for chance."""
_RANDOMNESS_LOOKED_AT = 400


def entropy(value: str) -> float:
    """Shannon's, in bits for each character."""
    size = len(value)
    return -sum(count / size * log2(count / size) for count in Counter(value).values()) if size else 0.0


def is_hex(value: str) -> bool:
    return bool(_HEX.match(value))


def is_uuid(value: str) -> bool:
    return bool(_UUID.match(value))


def word_evidence(letters: str) -> float:
    """Bits that speak for a word (above zero) or for chance, of plain letters in any case."""
    codes = [ord(letter) - 97 for letter in letters.lower()]
    table, bits, worth = _trigrams().table, _trigrams().evidence, _worth()
    total = 0.0
    for first, second, third in zip(codes, codes[1:], codes[2:], strict=False):
        place, part = divmod((first * 26 + second) * 26 + third, 3)
        total += bits[worth[table[place]] >> (2 * part) & 3]
    return total


def evidence(value: str) -> float:
    """Bits for words (above zero) or for chance (below): of a value's letters, and how its classes alternate."""
    value = value[:_RANDOMNESS_LOOKED_AT]
    pieces = _PIECES.findall(value)
    letters = [piece for piece in pieces if piece[0].isalpha()]
    short = sum(len(piece) < 3 for piece in letters)
    turns = sum(one.isdigit() != other.isdigit() for one, other in pairwise(pieces)) // 2
    alternations = len(_ALTERNATION.findall(value)) + turns
    words = sum(map(word_evidence, letters), 0.0)
    return float(words - 1.2 * max(0, short - 1) - 1.5 * max(0, alternations - 1))


def is_random(value: str) -> bool:
    """Whether chance is the better explanation of at least six characters."""
    if len(value) < 6:
        return False
    if is_hex(value):
        return len(value) >= 16 and entropy(value) > 2.7 and not value.isdigit()
    return evidence(value) < _CHANCE


def is_as_named(name: str, value: str) -> bool:
    """Whether a value is what the last word of its name says: an id, signs of which none comes twice, a word."""
    tail = words_of(name)[-1:]
    if ALPHABET_TAILS.intersection(tail):
        return len(set(value)) == len(value) or not is_random(value)
    return bool(LEANING_TAILS.intersection(tail)) and (is_uuid(value) or not is_random(value))


def is_strong(value: str) -> bool:
    """Random, long enough for its alphabet to be a generated key."""
    if is_hex(value):
        return len(value) >= 32 and entropy(value) > 3.0
    return len(value) >= 20 and entropy(value) > 3.7 and is_random(value)


def class_count(value: str) -> int:
    """How many of lower case, upper case, digits and signs it mixes."""
    signs = any(not char.isalnum() and not char.isspace() for char in value)
    return sum((any(map(str.islower, value)), any(map(str.isupper, value)), any(map(str.isdigit, value)), signs))
