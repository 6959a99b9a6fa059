"""Keys that are too short, and password hashing that is too fast: RSA, DSA, EC, AES, PBKDF2, bcrypt, scrypt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.code.crypto.constant import values_of
from leeboard.code.crypto.site import Call, Site
from leeboard.code.crypto.source import Source
from leeboard.code.crypto.values import Values
from leeboard.code.crypto.weakness import Hit
from leeboard.model.pattern import lazy

if TYPE_CHECKING:
    from ast_grep_py import SgNode

RSA_LEAST, EC_LEAST, AES_LEAST = 2048, 224, 128
PBKDF2_LEAST, BCRYPT_LEAST, SCRYPT_LEAST = 100_000, 10, 1 << 14
_KEY_LEAST = 256
"""A smaller number is no size in bits of an asymmetric key."""
_SIZED = {
    # Last name: owner it must have, place of the size.
    "generate": (lazy(r"(?i)\b(?:rsa|dsa|elgamal)\b"), 0),
    "generate_private_key": (lazy(r"(?i)\b(?:rsa|dsa|dh)\b"), 1),
    "generate_parameters": (lazy(r"(?i)\b(?:dsa|dh)\b"), 1),
    "generatekey": (lazy(r"(?i)\brsa\.generatekey"), 1),
    "generatemultiprimekey": (lazy(r"(?i)\brsa\."), 2),
    "rsa_generate_key_ex": (None, 1),
    "rsa_generate_key": (None, 0),
    "evp_pkey_ctx_set_rsa_keygen_bits": (None, 1),
    "evp_rsa_gen": (None, 0),
    "dsa_generate_parameters_ex": (None, 1),
    "dh_generate_parameters_ex": (None, 1),
    "mbedtls_rsa_gen_key": (None, 3),
    "gen_key": (lazy(r"(?i)rsa"), 0),
    "initialize": (None, 0),
    "rsacryptoserviceprovider": (None, 0),
    "dsacryptoserviceprovider": (None, 0),
    "newkeys": (lazy(r"(?i)\brsa"), 0),
    "new": (lazy(r"(?i)\b(?:rsa(?:privatekey)?|dsa)\.new\Z|pkey\.(?:rsa|dsa)\.new\Z"), 0),
    "generaterandomwithkeysize": (lazy(r"(?i)\b(?:rsa|dsa|invertiblersafunction)"), 1),
    "create": (lazy(r"(?i)\b(?:rsa|dsa)\.create\Z"), 0),
    "nodersa": (None, 0),
    "generatekeypair": (lazy(r"(?i)rsa"), 0),
    "creatediffiehellman": (None, 0),
    "getdiffiehellman": (None, 0),
}
_SIZE_KEYS = (
    "key_size",
    "keysize",
    "bits",
    "moduluslength",
    "modulus_length",
    "b",
    "nbits",
    "numbits",
    "keylength",
    "private_key_bits",
)
_RSA_CONTEXT = lazy(r"(?i)rsa|dsa|keypair|modulus|diffie|\bdh\b|elgamal|openssl_pkey")
_SMALL_CURVE = lazy(
    r"(?i)\b(?:(?:ec|curves?)\.)?(?:secp(?:112|128|160|192)\w{0,3}|sect(?:113|131|163|193)\w{0,3}|brainpoolp(?:160|192)\w{0,2}|"
    r"prime192v\d|p-?192|nistp192|NID_(?:secp(?:112|128|160|192)|sect(?:113|131|163)|X9_62_prime192)\w{0,4})\b"
)
_ITERATED = {
    "pbkdf2_hmac": 3,
    "pbkdf2": 2,
    "pbkdf2sync": 2,
    "pbkdf2hmac": 3,
    "key": 2,
    "pbekeyspec": 2,
    "rfc2898derivebytes": 2,
    "pkcs5_pbkdf2_hmac": 4,
    "pkcs5_pbkdf2_hmac_sha1": 4,
    "hash_pbkdf2": 3,
    "pbkdf2_hmac_sha1": 2,
    "pbkdf2_sha256": 1,
    "pbkdf2_hmac_array": 2,
    "derivebits": 9,
    "openssl_pbkdf2": 3,
}
_COST = {
    "gensalt": 0,
    "gensaltsync": 0,
    "hash": 1,
    "hashsync": 1,
    "generatefrompassword": 1,
    "bcryptpasswordencoder": 0,
    "hashpassword": 1,
    "generatesalt": 0,
    "hashtostring": 0,
}
_COST_KEYS = ("rounds", "cost", "log_rounds", "work_factor", "workfactor", "saltrounds", "strength")
_SHORT_TOKEN = {
    "token_hex": 0,
    "token_bytes": 0,
    "token_urlsafe": 0,
    "urandom": 0,
    "randombytes": 0,
    "random_bytes": 0,
    "openssl_random_pseudo_bytes": 0,
}
_TOKEN_LEAST = 8


def hits(source: Source) -> Iterator[Hit]:
    for call in (*source.named(*_SIZED), *_with_sizes(source)):
        yield from _asymmetric(call, source)
    if source.has(("pbkdf2", "rfc2898", "pbekeyspec")):
        for call in source.named(*_ITERATED):
            yield from _iterations(call, source)
    if source.has(("bcrypt",)):
        for call in source.named(*_COST, "password_hash", "create"):
            yield from _bcrypt(call, source)
    if source.has(("scrypt",)):
        for _, call in source.matching(_SCRYPT):
            yield from _scrypt(call, source)
    for call in source.named("init", "generatekey", "generatekeysync", "new", "newcipher", "aes"):
        yield from _symmetric(call, source)
    for call in source.named(*_SHORT_TOKEN):
        yield from _short_token(call, source)
    yield from _curves(source)


def _curves(source: Source) -> Iterator[Hit]:
    if source.has(("secp1", "sect1", "p192", "p-192", "prime192", "brainpoolp1")):
        yield from (_curve(site, source) for site in source.spelling(_SMALL_CURVE, ("1",)))
        yield from _spelled_curves(source)


_SCRYPT = lazy(r"(?i)scrypt")


def _with_sizes(source: Source) -> Iterator[Call]:
    """Calls that take a size as an option, whatever they are called."""
    if source.has(_SIZE_KEYS[:4]) or source.has(("private_key_bits", "nodersa")):
        yield from (call for _, call in source.matching(_MAKES_KEYS) if call.last not in _SIZED)


_MAKES_KEYS = lazy(r"(?i)rsa|dsa|keypair|key_pair|pkey|generatekey|diffie")


def _argument(call: Call, place: int, keys: tuple[str, ...], source: Source) -> Values | None:
    named: SgNode | None = next((call.named[key] for key in keys if key in call.named), None)
    node = named if named is not None else (call.args[place] if len(call.args) > place else None)
    return values_of(node, source) if node is not None else None


def _asymmetric(call: Call, source: Source) -> Iterator[Hit]:
    owner, place = _SIZED.get(call.last, (None, -1))
    by_option = any(key in call.named for key in _SIZE_KEYS) and _RSA_CONTEXT.search(call.name + _heads(call))
    named = place >= 0 and (owner is None or owner.search(call.name))
    if not (named or by_option) or (call.last == "initialize" and not source.has(("keypairgenerator",))):
        return
    values = _argument(call, place if place >= 0 else 99, _SIZE_KEYS, source)
    if values is not None and not values.numbers and call.last == "new":
        values = _argument(call, place + 1, (), source)
    smallest = min(values.numbers, default=None) if values else None
    if smallest is None or smallest >= RSA_LEAST or smallest < 16:
        return
    if smallest < _KEY_LEAST * 2 and _is_elliptic(call, source):
        if smallest < EC_LEAST:
            yield Hit(kind="short key", what=f"{smallest}-bit EC", site=call, fix="use P-256 or Curve25519")
    elif smallest >= _KEY_LEAST:
        yield Hit(
            kind="short key", what=f"{smallest}-bit RSA/DSA", site=call, fix="use at least 2048 bits, better 3072"
        )


def _heads(call: Call) -> str:
    return " ".join(arg.text()[:20] for arg in call.args[:2])


def _is_elliptic(call: Call, source: Source) -> bool:
    text = source.function_text(call)
    return bool(re.search(r"\"EC(?:DSA|DH)?\"|\bec\b", text)) and not re.search(r"\"RSA\"|\"DSA\"", text)


def _curve(site: Site, source: Source) -> Hit:
    name = source.text[site.start : site.end].rpartition(".")[2]
    return Hit(kind="short key", what=f"curve {name}", site=site, fix="use P-256 or Curve25519")


def _spelled_curves(source: Source) -> Iterator[Hit]:
    """Curves that are named in a string argument."""
    for call in source.all_calls:
        if call.args and ("ec" in call.name.lower() or "curve" in source.lower):
            nodes = (*call.args[:2], *(node for key, node in call.named.items() if "curve" in key))
            for text in dict.fromkeys(text for node in nodes for text in values_of(node, source).texts):
                if _SMALL_CURVE.fullmatch(text):
                    yield Hit(kind="short key", what=f"curve {text}", site=call, fix="use P-256 or Curve25519")


def _iterations(call: Call, source: Source) -> Iterator[Hit]:
    place = _ITERATED.get(call.last, -1)
    if place < 0 or (call.last == "key" and "pbkdf2" not in call.name.lower()):
        return
    if call.last == "pbkdf2_hmac" and "openssl" in call.name.lower():
        place = 2
    values = _argument(call, place, ("iterations", "rounds", "count", "iter", "c", "iterationcount"), source)
    fewest = min(values.numbers, default=None) if values else None
    if fewest is not None and 0 < fewest < PBKDF2_LEAST:
        what = f"PBKDF2 with {fewest} iterations"
        yield Hit(kind="fast password hash", what=what, site=call, fix="use 600000 iterations with SHA-256, or argon2")


def _bcrypt(call: Call, source: Source) -> Iterator[Hit]:
    place = _COST.get(call.last, -1)
    is_php = call.last == "password_hash"
    is_ruby = call.last == "create" and "password" in call.name.lower()
    if (place < 0 and not is_php and not is_ruby) or "bcrypt" not in source.lower:
        return
    if call.last in {"hash", "hashsync"} and "bcrypt" not in call.name.lower():
        return
    values = _argument(call, place if place >= 0 else 99, _COST_KEYS, source)
    lowest = min(values.numbers, default=None) if values else None
    is_least = place >= 0 and any("MinCost" in arg.text()[:40] or "MIN_COST" in arg.text()[:40] for arg in call.args)
    if is_least or (lowest is not None and 0 < lowest < BCRYPT_LEAST):
        what = f"bcrypt with cost {lowest if lowest is not None else 4}"
        yield Hit(kind="fast password hash", what=what, site=call, fix="use a cost of 12 or more")


def _scrypt(call: Call, source: Source) -> Iterator[Hit]:
    if "scrypt" not in call.name.lower():
        return
    values = _argument(call, 2 if call.last == "key" else 99, ("n", "cost"), source)
    lowest = min(values.numbers, default=None) if values else None
    if lowest is not None and 1 < lowest < SCRYPT_LEAST:
        yield Hit(kind="fast password hash", what=f"scrypt with N={lowest}", site=call, fix="use N of 2**15 or more")


def _symmetric(call: Call, source: Source) -> Iterator[Hit]:
    """AES below 128 bits: asked for by a size, or a literal key that is too short."""
    bits = None
    if call.last == "init" and source.has(("keygenerator",)):
        bits = _argument(call, 0, (), source)
    elif call.last in {"generatekey", "generatekeysync"} and "length" in call.named:
        bits = values_of(call.named["length"], source)
    elif call.last in {"new", "newcipher", "aes"} and re.search(
        r"(?:\A|\.)AES\.new\Z|\baes\.NewCipher\Z|algorithms\.AES\Z", call.name
    ):
        keys = values_of(call.args[0], source) if call.args else Values()
        lengths = [8 * len(text) for text in keys.texts if "\0" not in text or len(text) > 1]
        bits = Values(tuple(lengths), complete=keys.complete)
    least = min(bits.numbers, default=None) if bits else None
    if least is not None and 0 < least < AES_LEAST:
        yield Hit(kind="short key", what=f"{least}-bit AES", site=call, fix="use a 256-bit key")


def _short_token(call: Call, source: Source) -> Iterator[Hit]:
    place = _SHORT_TOKEN.get(call.last, -1)
    values = _argument(call, place, ("nbytes", "size"), source) if place >= 0 else None
    shortest = min(values.numbers, default=None) if values else None
    if shortest is not None and 0 < shortest < _TOKEN_LEAST:
        what = f"{8 * shortest} random bits"
        yield Hit(kind="short token", what=what, site=call, weighing="auth", sure=0.7, fix="use 16 bytes or more")
