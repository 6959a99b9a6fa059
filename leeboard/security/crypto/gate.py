"""Which families of signatures may hit a text at all: a cheap look, so that ordinary files cost next to nothing.

A clue is a word in lower case, or one with what must stand around it. `~` before a word: no letter may stand there.
"""

from __future__ import annotations

import re
from functools import lru_cache

from leeboard.model.text import lazy
from leeboard.text.names import vocabulary

Clue = str | tuple[str, re.Pattern[str]]
_MOST_PLACES, _BEFORE, _BEHIND = 200, 60, 100

_NAMED_CIPHER = lazy(
    r"ecb|\bdes[3x]?[._\-/\"'(]|desede|descrypto|desengine|tripledes|triple_des|\b3des|tdes|rc4|\brc2|arc[24]|arcfour|"
    r"blowfish|\bbf[_\-]|idea|\bcast|\bseed|aes\.new|aes_(?:en|de)crypt|\"aes\"|createcipher|createdecipher|nopadding|"
    r"rabbit|\bxor\.|evp_des|skipjack"
)
_KEY_MADE = lazy(r"generat|initialize|[.:]new|newkeys|provider|create|new node|keygen|gen_|bits|size")
_DRAWN = lazy(
    r"\brandom\.\w|\bmath\.random|from random import|import random\b|\brandom\(|random_engine|randomstring|"
    r"securerandom|random::|/rand\b"
)
_GUARDED = lazy(
    r"passw|pwd|session|cookie|token|crypt|secret|login|nonce|otp|auth|salt|\bpin\b|\bkey|_key|api_?key|cred|captcha|invite|voucher|"
    r"coupon|licen[sc]e|csrf|cipher|secure"
)
_SWITCHED_OFF = lazy(
    r"verif\w{0,12}[\"']?\]?\s{0,3}(?:=>|=|:|,)\s{0,3}(?:false|0|none|[a-z_.]{0,40}none)|verify_(?:none|mode)|verifypeer|"
    r"verifyhost|verify_peer|unverified|verifier|boolean verify"
)
_SSL = lazy(
    r"sslv[23]|ssl[23]|sslcontext|wrap_socket|strictssl|strict_ssl|ssl_version|sslprotocols|ssl_error|verify|\"ssl\"|ssl::|"
    r"ssl30|_ssl_|ssl\s?=\s?false"
)
_TOKEN_READ = lazy(r"decode|encode|verify|sign|none|unverified|alg")
_MATERIAL = lazy(
    r"\.new\(|createhmac|hash_hmac|encryptinit|createcipheriv|openssl_encrypt|newc[bft]|newofb|newcipher|\bcrypt\(|\.iv\b|"
    r"\.key\b|cryptojs|algorithms\.aes|modes\.|scrypt|bcrypt|encryptor|iv=|nonce=|salt=|set_encrypt|set_key"
)
_WORD = lazy(r"\w+")
_MISLEADING = lazy(r"versa|dsafe|machine|macro|macos")
"""Parts of ordinary words that end or begin like the name of a cipher or a check."""
_NAMED_IDEA = lazy(r"(?<![a-z])idea\.\w")
_COMPARED = lazy(r"[!=]=|memcmp|strn?cmp|bytes\.equal|\.equals\(")

BROKEN_HASHES = ("md5", "md4", "md2", "sha1", "sha-1", "sha_1", "ripemd", "crc32", "adler32")
_FAST_HASHES = ("sha2", "sha3", "sha5", "sha-2", "sha-5", "sha_2", "sha_5", "blake2")
_GATES: dict[str, tuple[Clue, ...]] = {
    "digests": (*BROKEN_HASHES, *_FAST_HASHES),
    "ciphers": (
        *((word, _NAMED_CIPHER) for word in ("crypt", "cipher", "aes", "keygenerator", "secretkeyfactory")),
        ("idea", _NAMED_IDEA),
        *(
            "ecb",
            "rc4",
            "~des.",
            "~des_",
            "tripledes",
            "blowfish",
            "arc4",
            "arc2",
            "~cast.",
            "calg_",
            "evp_des",
        ),
        *("aes.new", "aes_encrypt", "mcrypt", "gcry_cipher"),
    ),
    "key_sizes": (
        *((word, _KEY_MADE) for word in ("rsa", "dsa", "keypair", "aes")),
        *(
            "key_size",
            "private_key_bits",
            "algorithms.aes",
            "pbkdf2",
            "bcrypt",
            "scrypt",
            "gensalt",
            "rfc2898",
            "pbekeyspec",
        ),
        *("keygenerator", "~secp1", "~sect1", "p192", "p-192", "prime192", "brainpoolp1", "diffie", "moduluslength"),
        *("token_hex", "token_bytes", "token_urlsafe", "randombytes", "random_bytes", "urandom"),
    ),
    "randomness": (
        ("random", _DRAWN),
        *(
            "~rand(",
            "~rand.",
            "mt_rand",
            "drand",
            "lrand",
            "~srand",
            "uniqid",
            "lcg_value",
            "shuffle",
            "mt19937",
            ".sample",
        ),
        *("fastrand", "minstd", "math/rand", "rng::", "uuid1", "uuid.v1", "uuidv1"),
    ),
    "transport": (
        ("verif", _SWITCHED_OFF),
        ("ssl", _SSL),
        *(
            "tlsv1",
            "versiontls1",
            "cert_none",
            "check_hostname",
            "hostname_verifier",
            "insecure",
            "telnetlib",
            "ftplib",
        ),
        *("smtplib", "rejectunauthorized", "reject_unauthorized", "addpolicy(", "warningpolicy(", "invalid_certs"),
        *("validationcallback", "checkserver", "validate_cert", "validatecert", "trustall", "trustself", "trustserver"),
        *("tls1_", "_with_rc4", "_with_3des", "protocoltype.", "minversion", "acceptany", "invalid_hostnames"),
        *("allow_self_signed", "tls_reject", "tls_verify", "x_tls_", "verifynone", "cert_reqs"),
    ),
    "tokens": (
        *((word, _TOKEN_READ) for word in ("jwt", "jsonwebtoken", "jose")),
        *("verify_signature", "signedtokens", "signingkey", "unverified"),
    ),
    "cookies": ("cookie",),
    "material": (
        *((word, _MATERIAL) for word in ("crypt", "cipher", "hmac", "aes", "gcm")),
        *("jwt.", "jws.", "pbkdf2", "fernet(", "keyspec", "argon2", "hashpw", "derivebytes", "parameterspec", ".seal("),
    ),
    "comparison": tuple(
        (word, _COMPARED)
        for word in ("hmac", "signature", "secret", "api_key", "apikey", "passw", "csrf", "_token", "mac")
    ),
}


class Gate:
    """One text. Most clues are looked for among its distinct words: those are a small part of it."""

    def __init__(self, text: str) -> None:
        self.lower = text.lower()
        self._words = vocabulary(text).lower()
        self._telling = _MISLEADING.sub(" ", self._words)

    def has(self, clues: tuple[Clue, ...]) -> bool:
        """Whether one of these is there."""
        plain, starting, cut, placed = _sorted(clues)
        words = self._words
        for word in plain:
            if word in words:
                return True
        for word in starting:
            if word in words and _starts(words, word):
                return True
        for core, word in cut:
            if core in words and self._stands(word):
                return True
        telling = self._telling
        return any(_stands_in(self.lower, word, pattern) for word, pattern in placed if word in telling)

    def _stands(self, word: str) -> bool:
        return _starts(self.lower, word[1:]) if word[0] == "~" else word in self.lower


@lru_cache(maxsize=4)
def gate_of(text: str) -> Gate:
    return Gate(text)


@lru_cache(maxsize=4)
def families_of(text: str) -> tuple[str, ...]:
    """The families that may hit; none for most files."""
    gate = gate_of(text)
    found = [family for family, clues in _GATES.items() if gate.has(clues)]
    if "randomness" in found and not _GUARDED.search(gate.lower):
        found.remove("randomness")
    if "digests" in found and not gate.has(BROKEN_HASHES) and not gate.has(("passw", "pwd", "passphrase")):
        found.remove("digests")
    return tuple(found)


@lru_cache(maxsize=128)
def _sorted(
    clues: tuple[Clue, ...],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, str], ...], tuple[tuple[str, re.Pattern[str]], ...]]:
    """Plain words, those that start one, those with other characters and their longest part, those with a pattern."""
    written = [clue for clue in clues if isinstance(clue, str)]
    whole = [clue for clue in written if _WORD.fullmatch(clue.removeprefix("~"))]
    plain = tuple(word for word in whole if word[0] != "~")
    starting = tuple(word[1:] for word in whole if word[0] == "~")
    cut = tuple((max(_WORD.findall(word), key=len), word) for word in written if word not in whole)
    return plain, starting, cut, tuple(clue for clue in clues if isinstance(clue, tuple))


def _starts(text: str, word: str) -> bool:
    """Whether it stands somewhere without a letter before it."""
    at = text.find(word)
    while at > 0 and text[at - 1].isalpha():
        at = text.find(word, at + 1)
    return at >= 0


def _stands_in(lower: str, word: str, pattern: re.Pattern[str]) -> bool:
    """Whether the pattern is found around one of the places where the word stands; yes where they are too many."""
    at = lower.find(word)
    for _ in range(_MOST_PLACES):
        if at < 0:
            return False
        if pattern.search(lower, max(0, at - _BEFORE), at + _BEHIND):
            return True
        at = lower.find(word, at + _BEHIND // 2)
    return True
