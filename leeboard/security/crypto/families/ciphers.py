"""Ciphers that are broken or too small, and ECB, which shows the pattern of what it hides."""

from __future__ import annotations

import re
from collections.abc import Iterator

from leeboard.model.text import lazy
from leeboard.security.crypto import words
from leeboard.security.crypto.constant import values_of
from leeboard.security.crypto.source import CallSite, CryptoSource, Site
from leeboard.security.crypto.weakness import WeaknessHit

_BY_NAME = lazy(
    r"(?:\A|[._])(?:des3?|arc[24]|blowfish|cast5|tripledes|tdesede[23]|rc[24](?:drop)?|des_ede[23]?|des_xex3)"
    r"(?:\.(?:new|create|encrypt|decrypt|newcipher|newtripledescipher|newsaltedcipher|encryption|decryption|instance)|cryptoserviceprovider|cng|engine)\Z"
    r"|(?:\A|\.)(?:des|tripledes|rc2)(?:cryptoserviceprovider|cng)\Z"
    r"|(?:algorithms|ciphers?|decrepit)\.(?:arc4|tripledes|blowfish|idea|cast5|seed)\Z"
    r"|(?:\A|\.)pydes\.(?:triple_)?des\Z|(?:\A|\.)(?:des|rc4|blowfish|bf|desede)engine\Z"
    r"|\Aevp_(?:des|rc4|rc2|bf|idea|cast5|desx)\w{0,20}\Z|\A(?:mbedtls|wc)_(?:des|arc4|blowfish)\w{0,30}\Z"
    r"|\A(?:des|des3|rc4|rc2|bf|idea|cast)_(?:set\w{0,20}|ecb\w{0,20}|cbc\w{0,20}|ncbc\w{0,20}|cfb\w{0,20}|ofb\w{0,20}|ede3\w{0,20}|encrypt\d?|key_sched)\Z"
    r"|\Arc4\Z|(?:\A|\.)cipher\.(?:des|rc4|bf|rc2|idea|cast5)_?\w{0,20}\Z|\A(?:tdes)\w{0,8}\.new\Z|(?:\A|\.)cipher\.(?:des|rc4|bf|rc2|idea|cast5)\.new\Z",
    re.IGNORECASE,
)
_BY_EXACT_NAME = lazy(
    r"(?:\A|\.)(?:CAST|IDEA|XOR|CryptoJS\.Rabbit)\.(?:new|create|encrypt)\Z|\A(?:ARC4|TripleDES|Blowfish|CAST5)\Z"
)
_WHICH = lazy(
    r"(?i)tripledes|triple_des|desede|des_?ede\d?|des3|3des|tdes|arcfour|arc4|rc4|arc2|rc2|blowfish|\bbf|_bf|idea|cast|seed|skipjack|rabbit|xor|des"
)
_ECB_CALL = lazy(
    r"(?i)(?:\A|[._])modes\.ecb\Z|\Aevp_aes_\d{3}_ecb\Z|\Aaes_ecb_encrypt\Z|(?:\A|\.)ecb(?:_mode)?\.(?:new|encrypt\w{0,8}|decrypt\w{0,8})\Z"
    r"|cipher\.aes_\d{3}_ecb\Z|(?:\A|[._])newecb\w{0,12}\Z|\Ambedtls_aes_crypt_ecb\Z|ecb\.(?:encryptor|decryptor)\.\w{1,20}\Z|modeofoperation\.ecb\Z"
)
_ECB_WORD = lazy(
    r"(?<![A-Za-z0-9])(?:\w{0,24}_)?(?:MODE_ECB|ECB_MODE|ECB_Mode|CHAIN_MODE_ECB)(?![A-Za-z0-9])|\b(?:CipherMode|Cipher|mode|Mode|modes|CryptoMode|BlockMode)(?:\.|::)(?:ECB|Ecb)\b"
)
_TYPED = lazy(
    r"\b(?:CryptoPP::)?(?:Weak1?::)?(DES_EDE[23]|DES_XEX3|DES|ARC4|RC2|Blowfish|IDEA|CAST128|CAST256|ECB_Mode)\s*(?:<[^<>;]{0,60}>)?\s*::\s*(?:Encryption|Decryption)\b"
)
_CALG = lazy(
    r"\b(?:CALG_(DES|3DES(?:_112)?|RC2|RC4|DESX)|GCRY_CIPHER_(DES|3DES|ARCFOUR|BLOWFISH|CAST5|IDEA)|BCRYPT_(DES|3DES|3DES_112|RC2|RC4|DESX)_ALGORITHM|MCRYPT_(DES|3DES|TRIPLEDES|ARCFOUR|BLOWFISH|CAST_128|RC2|IDEA)|kCCAlgorithm(DES|3DES|RC4|RC2|CAST|Blowfish))\b"
)
_WEAK_TEXT = lazy(
    r"(?i)\A(desede|des-?ede3?|des3|3des|des|rc4|arcfour|arc4|rc2|blowfish|bf|idea|cast5?|seed|desx|tripledes|rabbit)(?:[-_/].{0,40}|\d{1,3})?\Z"
)
_FROM_MODES = lazy(r"from\s+[\w.]{0,60}\bmodes\s+import\b[^\n#]{0,200}\bECB\b")
_FIX = "use AES-GCM or ChaCha20-Poly1305"


def hits(source: CryptoSource) -> Iterator[WeaknessHit]:
    for _, call in source.matching(_ECB_CALL):
        yield _ecb(call)
    if source.language == "python" and _FROM_MODES.search(source.text):
        yield from map(_ecb, (call for call in source.named("ecb") if call.name == "ECB"))
    yield from _called(source)
    for name, chooser in words.ciphers().choosers.items():
        for call in source.named(name):
            if chooser.fits(call.name):
                yield from _chosen(call, source, chooser.place)
    for call in source.named("new", "aes_encrypt", "aes_decrypt", "encrypt", "decrypt"):
        yield from _by_hand(call, call.name, source)
    yield from _words(source)


def _called(source: CryptoSource) -> Iterator[WeaknessHit]:
    """Functions and classes that bear the name of a cipher; one that is only compared with is not used."""
    for pattern in (_BY_NAME, _BY_EXACT_NAME):
        for name, call in source.matching(pattern):
            before = max(0, call.start - _ASKED_BEFORE), call.start
            if _COMPARED_WITH.search(source.text, *before) or _IS_THERE.match(source.text, call.end):
                continue
            yield _weak(call, name)
            if "ecb" in name.lower() or any("ecb" in arg.text()[:60].lower() for arg in call.args):
                yield _ecb(call)


_OF_NODE = frozenset({"javascript", "typescript", "tsx"})
_WITH_IV = {
    "createcipher": "createCipheriv with a random IV",
    "createdecipher": "createDecipheriv with the IV that was random when it was encrypted",
}


def _chosen(call: CallSite, source: CryptoSource, place: int) -> Iterator[WeaknessHit]:
    nodes = [call.args[place]] if len(call.args) > place else []
    nodes += [call.named[key] for key in ("name", "algorithm", "cipher", "transformation") if key in call.named]
    values = [values_of(node, source) for node in nodes]
    for text in dict.fromkeys(text for value in values for text in value.texts):
        sure = 0.9 if all(value.complete and len(value.known) == 1 for value in values) else 0.6
        yield from _of_text(text, call, sure)
    owner = call.name.rpartition(".")[0].rpartition(".")[2].lower()
    # Other libraries call so what takes a key and not a password.
    is_of_node = source.language in _OF_NODE and len(call.args) > 1
    if call.last in _WITH_IV and is_of_node and owner != "cipher" and "crypto" in source.lower:
        yield WeaknessHit(
            kind="key from a password without salt",
            what=call.last,
            site=call,
            fix=f"use {_WITH_IV[call.last]}",
        )


def _of_text(text: str, call: CallSite, sure: float) -> Iterator[WeaknessHit]:
    """`DES/ECB/PKCS5Padding`, `aes-128-ecb`, and a bare `AES`, which Java completes to ECB."""
    if found := _WEAK_TEXT.match(text):
        yield _weak(call, found[1], sure)
    parts = [part.lower() for part in re.split(r"[-_/]", text[:60])]
    java = call.last == "getinstance" and "cipher" in call.name.lower()
    if parts[0] == "rsa":
        if "nopadding" in parts:
            yield WeaknessHit(
                kind="unpadded RSA", what="RSA without padding", site=call, sure=sure, fix="use OAEP padding"
            )
    elif "ecb" in parts or (java and parts in (["aes"], ["des"], ["desede"])):
        yield _ecb(call, sure)


def _by_hand(call: CallSite, name: str, source: CryptoSource) -> Iterator[WeaknessHit]:
    """AES without a mode: one block after the other is ECB."""
    if name in {"AES.new", "Crypto.Cipher.AES.new"} and len(call.args) == 1 and not call.named:
        yield _ecb(call, 0.8)
    elif name in {"AES_encrypt", "AES_decrypt"} and not source.has(("gcm", "ctr", "cbc", "ige", "ofb", "cfb")):
        yield _ecb(call, 0.6)
    elif source.language == "go" and call.last in {"encrypt", "decrypt"} and len(call.args) == 2:
        text = source.function_text(call)
        owner = re.escape(call.name.rpartition(".")[0])
        made = re.search(rf"\b{owner}\s*(?:,\s*\w+)?\s*:?=\s*(?:aes|des)\.New", text) if owner.isidentifier() else None
        if made and not re.search(r"cipher\.New|\bxor|\^", text):
            yield _ecb(call, 0.8)


_ASKS = lazy(r"get_\w{0,20}(?:len|size|name|info)\s{0,2}\(\s{0,2}\Z")
"""How long its blocks are is a question: nothing is encrypted."""
_IS_THERE = lazy(r"\s*[=!]=\s*(?:NULL|nullptr)\b")
_COMPARED_WITH = lazy(r"[=!]=\s*\Z")
_IS_MEMBER = lazy(r"\bin_array\([^;]{0,120}[\[(][^\];]{0,120}\Z|\b(?:not )?in [\[({][^\])};]{0,120}\Z")
_IS_TYPE = lazy(r"\b(?:typing\.)?(?:Union|Optional|Type|type|Literal|ClassVar)\[[^=()]{0,200}\Z")
"""One of the types that something may have."""
_ROW = 260
_ASKED_BEFORE = 60


def _words(source: CryptoSource) -> Iterator[WeaknessHit]:
    """Constants nobody mistakes: `MODE_ECB`, `CipherMode.ECB`, `CALG_DES`."""
    for site in source.spelling(_ECB_WORD, ("ecb",)):
        before = max(0, site.start - _ROW), site.start
        if not _IS_MEMBER.search(source.text, *before) and not _IS_TYPE.search(source.text, *before):
            yield _ecb(site)
    if source.language in {"c", "cpp", "php"}:
        named = source.spelling(_CALG, ("calg_", "gcry_", "bcrypt_", "mcrypt_", "kccalgorithm"))
        for site in named:
            if not _ASKS.search(source.text, max(0, site.start - _ASKED_BEFORE), site.start):
                yield _weak(site, source.text[site.start : site.end])
    if source.language == "cpp":
        for site in source.spelling(_TYPED, ("::encryption", "::decryption"), broken=True):
            text = source.text[site.start : site.end]
            yield _ecb(site) if "ECB" in text else _weak(site, text)


def _weak(site: Site, name: str, sure: float = 0.9) -> WeaknessHit:
    found = _WHICH.findall(name)
    plain = found[-1].lower().replace("_", "") if found else name.lower()
    plain = "desede" if plain.startswith("desede") else plain
    what = words.ciphers().names.get("tripledes" if "triple" in name.lower() else plain, plain.upper())
    return WeaknessHit(kind="weak cipher", what=what, site=site, sure=sure, fix=_FIX)


def _ecb(site: Site, sure: float = 0.9) -> WeaknessHit:
    return WeaknessHit(kind="ECB mode", what="ECB", site=site, sure=sure, fix="use AES-GCM with a fresh nonce")
