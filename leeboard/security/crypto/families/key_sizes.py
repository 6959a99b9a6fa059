"""Keys that are too short, and password hashing that is too fast: RSA, DSA, EC, AES, PBKDF2, bcrypt, scrypt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from leeboard.model.text import lazy
from leeboard.security.crypto import words
from leeboard.security.crypto.constant import values_of
from leeboard.security.crypto.source import CallSite, ConstantValues, CryptoSource, Site
from leeboard.security.crypto.weakness import WeaknessHit

if TYPE_CHECKING:
    from ast_grep_py import SgNode

RSA_LEAST, EC_LEAST, AES_LEAST = 2048, 224, 128
PBKDF2_LEAST, BCRYPT_LEAST, SCRYPT_LEAST = 100_000, 10, 1 << 14
_KEY_LEAST = 256
"""A smaller number is no size in bits of an asymmetric key."""
_RSA_CONTEXT = lazy(r"(?i)rsa|dsa|keypair|modulus|diffie|\bdh\b|elgamal|openssl_pkey")
_SMALL_CURVE = lazy(
    r"(?i)\b(?:(?:ec|curves?)\.)?(?:secp(?:112|128|160|192)\w{0,3}|sect(?:113|131|163|193)\w{0,3}|brainpoolp(?:160|192)\w{0,2}|"
    r"prime192v\d|p-?192|nistp192|NID_(?:secp(?:112|128|160|192)|sect(?:113|131|163)|X9_62_prime192)\w{0,4})\b"
)
_CURVE_HINTS = ("secp1", "sect1", "p192", "p-192", "prime192", "brainpoolp1")
_TOKEN_LEAST = 8
_TABLE = 3
_DESCRIBES = lazy(r"define|register|declare")
"""Who names so many curves says which there are."""
_SAYS_RSA = lazy(r"(?i)(?<![a-z])(?:rsa|dsa)")
_NO_RSA = lazy(r"(?i)\b(?:x|ed|curve)_?448|\bxdh\b|x25519")


def hits(source: CryptoSource) -> Iterator[WeaknessHit]:
    for call in (*source.named(*words.key_sizes().sized), *_with_sizes(source)):
        yield from _asymmetric(call, source)
    if source.has(("pbkdf2", "rfc2898", "pbekeyspec")):
        for call in source.named(*words.key_sizes().iterated):
            yield from _iterations(call, source)
    if source.has(("bcrypt",)):
        for call in source.named(*words.key_sizes().cost, "password_hash", "create"):
            yield from _bcrypt(call, source)
    if source.has(("scrypt",)):
        for _, call in source.matching(_SCRYPT):
            yield from _scrypt(call, source)
    for call in source.named("init", "generatekey", "generatekeysync", "new", "newcipher", "aes"):
        yield from _symmetric(call, source)
    for call in source.named(*words.key_sizes().short_token):
        yield from _short_token(call, source)
    yield from _curves(source)


def _curves(source: CryptoSource) -> Iterator[WeaknessHit]:
    if source.has(_CURVE_HINTS):
        found = [_curve(site, source) for site in source.spelling(_SMALL_CURVE, _CURVE_HINTS)]
        found += _spelled_curves(source)
        is_table = len({hit.what.lower() for hit in found}) >= _TABLE
        yield from (replace(hit, weighing="note") if is_table else hit for hit in found)


_SCRYPT = lazy(r"(?i)scrypt")


def _with_sizes(source: CryptoSource) -> Iterator[CallSite]:
    """Calls that take a size as an option, whatever they are called."""
    if source.has(words.key_sizes().size_keys[:4]) or source.has(("private_key_bits", "nodersa")):
        yield from (call for _, call in source.matching(_MAKES_KEYS) if call.last not in words.key_sizes().sized)


_MAKES_KEYS = lazy(r"(?i)rsa|dsa|keypair|key_pair|pkey|generatekey|diffie")


def _argument(call: CallSite, place: int, keys: tuple[str, ...], source: CryptoSource) -> ConstantValues | None:
    named: SgNode | None = next((call.named[key] for key in keys if key in call.named), None)
    node = named if named is not None else (call.args[place] if len(call.args) > place else None)
    return values_of(node, source) if node is not None else None


def _asymmetric(call: CallSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    size_keys, told = words.key_sizes().size_keys, words.key_sizes().sized.get(call.last)
    place = told.place if told is not None else -1
    by_option = any(key in call.named for key in size_keys) and _RSA_CONTEXT.search(call.name + _heads(call))
    named = told is not None and told.fits(call.name)
    if not (named or by_option) or (call.last == "initialize" and not source.has(("keypairgenerator",))):
        return
    values = _argument(call, place if place >= 0 else 99, size_keys, source)
    if values is not None and not values.numbers and call.last == "new":
        values = _argument(call, place + 1, (), source)
    smallest = min(values.numbers, default=None) if values else None
    if smallest is None or smallest >= RSA_LEAST or smallest < 16:
        return
    if smallest < _KEY_LEAST * 2 and _is_elliptic(call, source):
        if smallest < EC_LEAST:
            yield WeaknessHit(kind="short key", what=f"{smallest}-bit EC", site=call, fix="use P-256 or Curve25519")
    elif smallest >= _KEY_LEAST and (
        _SAYS_RSA.search(call.name) or not _NO_RSA.search(f"{source.path} {source.function_text(call)}")
    ):
        yield WeaknessHit(
            kind="short key", what=f"{smallest}-bit RSA/DSA", site=call, fix="use at least 2048 bits, better 3072"
        )


def _heads(call: CallSite) -> str:
    return " ".join(arg.text()[:20] for arg in call.args[:2])


def _is_elliptic(call: CallSite, source: CryptoSource) -> bool:
    text = source.function_text(call)
    return bool(re.search(r"\"EC(?:DSA|DH)?\"|\bec\b", text)) and not re.search(r"\"RSA\"|\"DSA\"", text)


def _curve(site: Site, source: CryptoSource) -> WeaknessHit:
    name = source.text[site.start : site.end].rpartition(".")[2]
    return WeaknessHit(kind="short key", what=f"curve {name}", site=site, fix="use P-256 or Curve25519")


def _spelled_curves(source: CryptoSource) -> Iterator[WeaknessHit]:
    """Curves that are named in a string argument."""
    for call in source.all_calls:
        if _DESCRIBES.match(call.last):
            continue
        if call.args and ("ec" in call.name.lower() or "curve" in source.lower):
            nodes = (*call.args[:2], *(node for key, node in call.named.items() if "curve" in key))
            for text in dict.fromkeys(text for node in nodes for text in values_of(node, source).texts):
                if _SMALL_CURVE.fullmatch(text):
                    yield WeaknessHit(kind="short key", what=f"curve {text}", site=call, fix="use P-256 or Curve25519")


_SIZE_FIRST = ("crypto.protocol.kdf", "cryptodome.protocol.kdf")
"""There the size of the key stands in front of the rounds."""


def _iterations(call: CallSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    place = words.key_sizes().iterated.get(call.last, -1)
    if place < 0 or (call.last == "key" and "pbkdf2" not in call.name.lower()):
        return
    if call.last == "pbkdf2_hmac" and "openssl" in call.name.lower():
        place = 2
    if call.last == "pbkdf2" and source.language == "python" and source.has(_SIZE_FIRST):
        place = 3
    values = _argument(call, place, ("iterations", "rounds", "count", "iter", "c", "iterationcount"), source)
    fewest = min(values.numbers, default=None) if values else None
    if fewest is not None and 0 < fewest < PBKDF2_LEAST:
        what = f"PBKDF2 with {fewest} iterations"
        yield WeaknessHit(
            kind="fast password hash", what=what, site=call, fix="use 600000 iterations with SHA-256, or argon2"
        )


def _bcrypt(call: CallSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    place = words.key_sizes().cost.get(call.last, -1)
    is_php = call.last == "password_hash"
    is_ruby = call.last == "create" and "password" in call.name.lower()
    if (place < 0 and not is_php and not is_ruby) or "bcrypt" not in source.lower:
        return
    if call.last in {"hash", "hashsync"} and "bcrypt" not in call.name.lower():
        return
    values = _argument(call, place if place >= 0 else 99, words.key_sizes().cost_keys, source)
    lowest = min(values.numbers, default=None) if values else None
    is_least = place >= 0 and any("MinCost" in arg.text()[:40] or "MIN_COST" in arg.text()[:40] for arg in call.args)
    if is_least or (lowest is not None and 0 < lowest < BCRYPT_LEAST):
        what = f"bcrypt with cost {lowest if lowest is not None else 4}"
        yield WeaknessHit(kind="fast password hash", what=what, site=call, fix="use a cost of 12 or more")


def _scrypt(call: CallSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    if "scrypt" not in call.name.lower():
        return
    values = _argument(call, 2 if call.last == "key" else 99, ("n", "cost"), source)
    lowest = min(values.numbers, default=None) if values else None
    if lowest is not None and 1 < lowest < SCRYPT_LEAST:
        yield WeaknessHit(
            kind="fast password hash", what=f"scrypt with N={lowest}", site=call, fix="use N of 2**15 or more"
        )


def _symmetric(call: CallSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    """AES below 128 bits: asked for by a size, or a literal key that is too short."""
    bits = None
    if call.last == "init" and source.has(("keygenerator",)) and "cipher" not in call.name.lower():
        bits = _argument(call, 0, (), source)  # a cipher is told first whether it encrypts, by a number too
    elif call.last in {"generatekey", "generatekeysync"} and "length" in call.named:
        bits = values_of(call.named["length"], source)
    elif call.last in {"new", "newcipher", "aes"} and re.search(
        r"(?:\A|\.)AES\.new\Z|\baes\.NewCipher\Z|algorithms\.AES\Z", call.name
    ):
        keys = values_of(call.args[0], source) if call.args else ConstantValues()
        lengths = [8 * len(text) for text in keys.texts if "\0" not in text or len(text) > 1]
        bits = ConstantValues(tuple(lengths), complete=keys.complete)
    least = min(bits.numbers, default=None) if bits else None
    if least is not None and 0 < least < AES_LEAST:
        yield WeaknessHit(kind="short key", what=f"{least}-bit AES", site=call, fix="use a 256-bit key")


def _short_token(call: CallSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    place = words.key_sizes().short_token.get(call.last, -1)
    values = _argument(call, place, ("nbytes", "size"), source) if place >= 0 else None
    shortest = min(values.numbers, default=None) if values else None
    if shortest is not None and 0 < shortest < _TOKEN_LEAST:
        what = f"{8 * shortest} random bits"
        yield WeaknessHit(
            kind="short token", what=what, site=call, weighing="auth", sure=0.7, fix="use 16 bytes or more"
        )
