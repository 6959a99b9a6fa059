"""Keys, salts and initialisation vectors that stand in the source: the same for everyone, known to all readers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from leeboard.model.text import lazy
from leeboard.security.crypto.constant import is_constant, values_of
from leeboard.security.crypto.source import CryptoSource, SettingSite, Site
from leeboard.security.crypto.weakness import WeaknessHit

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_PLACES: dict[str, tuple[re.Pattern[str] | None, dict[int, str]]] = {
    # Last name: what the whole name must say, then which argument is which.
    "new": (
        lazy(r"(?:\A|\.)(?:AES|DES3?|Blowfish|ARC2|CAST|ARC4|ChaCha20\w{0,10})\.new\Z|\Ahmac\.[nN]ew\Z"),
        {0: "key", 2: "IV"},
    ),
    "cbc": (lazy(r"modes\.CBC\Z"), {0: "IV"}),
    "ctr": (lazy(r"modes\.CTR\Z"), {0: "IV"}),
    "cfb": (lazy(r"modes\.CFB8?\Z"), {0: "IV"}),
    "ofb": (lazy(r"modes\.OFB\Z"), {0: "IV"}),
    "gcm": (lazy(r"modes\.GCM\Z"), {0: "nonce"}),
    "aes": (lazy(r"algorithms\.AES\Z"), {0: "key"}),
    "fernet": (None, {0: "key"}),
    "createcipheriv": (None, {1: "key", 2: "IV"}),
    "newcbcencrypter": (None, {1: "IV"}),
    "newcfbencrypter": (None, {1: "IV"}),
    "newctr": (None, {1: "IV"}),
    "newofb": (None, {1: "IV"}),
    "newcipher": (lazy(r"\baes\.NewCipher\Z"), {0: "key"}),
    "seal": (lazy(r"(?i)gcm|aead|chacha"), {1: "nonce"}),
    "ivparameterspec": (None, {0: "IV"}),
    "gcmparameterspec": (None, {1: "nonce"}),
    "secretkeyspec": (None, {0: "key"}),
    "pbekeyspec": (None, {1: "salt"}),
    "pbeparameterspec": (None, {0: "salt"}),
    "evp_encryptinit_ex": (None, {3: "key", 4: "IV"}),
    "evp_encryptinit": (None, {2: "key", 3: "IV"}),
    "evp_cipherinit_ex": (None, {3: "key", 4: "IV"}),
    "aes_cbc_encrypt": (None, {4: "IV"}),
    "aes_set_encrypt_key": (None, {0: "key"}),
    "mbedtls_aes_crypt_cbc": (None, {3: "IV"}),
    "openssl_encrypt": (None, {2: "key", 4: "IV"}),
    "pbkdf2_hmac": (lazy(r"hashlib\.pbkdf2_hmac\Z|\Apbkdf2_hmac\Z"), {2: "salt"}),
    "pbkdf2": (None, {1: "salt"}),
    "pbkdf2sync": (None, {1: "salt"}),
    "scrypt": (None, {1: "salt"}),
    "scryptsync": (None, {1: "salt"}),
    "key": (lazy(r"(?:pbkdf2|scrypt)\.Key\Z"), {1: "salt"}),
    "idkey": (lazy(r"argon2\."), {1: "salt"}),
    "rfc2898derivebytes": (None, {1: "salt"}),
    "pkcs5_pbkdf2_hmac": (None, {2: "salt"}),
    "hash_pbkdf2": (None, {2: "salt"}),
    "crypt": (lazy(r"\A(?:crypt\.)?crypt\Z"), {1: "salt"}),
    "hashpw": (None, {1: "salt"}),
    "createhmac": (None, {1: "key"}),
    "hash_hmac": (None, {2: "key"}),
    "encrypt": (lazy(r"CryptoJS\.(?:AES|DES|TripleDES)\.encrypt\Z"), {1: "key"}),
    "hmac": (lazy(r"\Ahmac\.HMAC\Z"), {0: "key"}),
    "createencryptor": (None, {0: "key", 1: "IV"}),
    "des_set_key": (None, {0: "key"}),
    "des_set_key_unchecked": (None, {0: "key"}),
}
_HMAC_PLACES = {"hmac.new": {0: "key"}, "hmac.New": {1: "key"}}
_JWT = lazy(r"(?i)\b(?:jwt|jsonwebtoken|jws)\.(?:sign|encode|verify|decode)\Z")
_TAKES_KEYWORDS = lazy(r"(?i)\.new\Z|crypt|cipher|pbkdf2|scrypt|kdf|hmac|derive|hash|\baes|\bdes")
_KEYWORDS = {"iv": "IV", "nonce": "nonce", "salt": "salt", "initial_value": "IV", "initialization_vector": "IV"}
_MEMBERS = {"iv": "IV", "key": "key", "salt": "salt"}
_CIPHER_OBJECT = lazy(r"(?i)cipher|aes|des|crypt|\balg\b|rijndael|encryptor")
_FIXES = {
    "IV": "draw a random IV for every message",
    "nonce": "draw a random nonce for every message",
    "salt": "draw a random salt for every password",
    "key": "read the key from the environment or a secret store",
}
_PLACEHOLDER = lazy(r"(?i)your|change|example|placeholder|<|\$\{|xxx|\{\{")


def hits(source: CryptoSource) -> Iterator[WeaknessHit]:
    for name, (demanded, places) in _PLACES.items():
        for call in source.named(name):
            if demanded is None or demanded.search(call.name):
                for place, role in (_HMAC_PLACES.get(call.name) or places).items():
                    if len(call.args) > place:
                        yield from _fixed(call, call.args[place], role, source)
    for _, call in source.matching(_JWT):
        yield from (_fixed(call, call.args[1], "key", source) if len(call.args) > 1 else ())
        yield from (_fixed(call, call.named["key"], "key", source) if "key" in call.named else ())
    yield from _by_keyword(source)
    for name, settings in source.settings.items():
        if name.lower() in _MEMBERS:
            for setting in settings:
                yield from _of_setting(setting, source)


def _by_keyword(source: CryptoSource) -> Iterator[WeaknessHit]:
    if source.has(tuple(_KEYWORDS)):
        for _, call in source.matching(_TAKES_KEYWORDS):
            for word, role in _KEYWORDS.items():
                if word in call.named:
                    yield from _fixed(call, call.named[word], role, source)


def _of_setting(setting: SettingSite, source: CryptoSource) -> Iterator[WeaknessHit]:
    """`cipher.iv = "..."`, `aes.Key = ...`."""
    role = _MEMBERS.get(setting.last)
    owner = setting.target.rpartition(".")[0]
    if role is not None and owner and _CIPHER_OBJECT.search(owner) and owner != "this":
        yield from _fixed(setting, setting.value, role, source)


def _fixed(site: Site, node: SgNode, role: str, source: CryptoSource) -> Iterator[WeaknessHit]:
    if not is_constant(node, source):
        return
    texts = values_of(node, source).texts
    if role == "key" and any(not text or _PLACEHOLDER.search(text) for text in texts):
        return
    if (role == "salt" and any(not text for text in texts)) or (role == "IV" and texts == ("",)):
        return
    zero = bool(texts) and all(set(text) <= {"\0", "0"} for text in texts)
    what = f"{'zero' if zero and role != 'key' else 'fixed'} {role}"
    yield WeaknessHit(
        kind="fixed key material", what=what, site=site, sure=0.8 if role == "key" else 0.9, fix=_FIXES[role]
    )
