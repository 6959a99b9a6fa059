"""Broken hash functions, and fast ones for a password: MD5, SHA-1 and their kin in every library's spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator

from leeboard.model.text import lazy
from leeboard.security.crypto import words
from leeboard.security.crypto.constant import values_of
from leeboard.security.crypto.gate import BROKEN_HASHES
from leeboard.security.crypto.source import CallSite, CryptoSource, Site
from leeboard.security.crypto.uses import statement_text, target_of
from leeboard.security.crypto.weakness import WeaknessHit

_FAST = lazy(
    r"\Asha-?_?(?:2|224|256|384|512|3)(?:[-_/]?\d{3})?\Z|\Ablake[23]\w{0,4}\Z|\Asha2-\d{3}\Z|\Asha3[-_]\d{3}\Z"
)

_ENDINGS = (
    r"(?:_?(?:hex|file|init(?:_ex)?|sum|managed|cng|cryptoserviceprovider|base64|ret|hash|digest|string|bytes|"
    r"hashstr))?"
)
_METHODS = (
    r"(?:\.(?:new|create|sum\d{0,3}|of|compute|hash\w{0,6}|digest|hexdigest|base64digest|file|computehash|from|default|hex|"
    r"encode|bytes|init|calc|getdigest|hashstr|hashasciistr))?"
)
_BY_NAME = lazy(
    rf"(?:\A|[._])(?:evp_|cc_|mbedtls_|wc_|nettle_|g_|php_|weak)?"
    rf"(md[245]|sha_?[01]|crc32b?|adler32|sha)(?:{_ENDINGS}){_METHODS}\Z",
    re.IGNORECASE,
)
_FAST_BY_NAME = lazy(
    r"(?:\A|[._])(?:evp_|cc_|mbedtls_|wc_)?(sha_?(?:224|256|384|512)|sha3_\d{3}|blake2[bs])"
    rf"(?:{_ENDINGS}|sum|_?init){_METHODS}\Z",
    re.IGNORECASE,
)
_OLD_SCHEMES = lazy(
    r"\b(?:apr_md5_crypt|md5_crypt|sha1_crypt|hex_md5|hex_sha1|ldap_(?:salted_)?(?:md5|sha1)|django_salted_(?:md5|sha1))"
    r"\.(?:hash|encrypt|using|genhash)\Z"
)
_NO_HASH = lazy(r"(?:\A|\.)(?:NoOpPasswordEncoder\.getInstance|NoOpPasswordEncoder|plaintext\.(?:hash|encrypt))\Z")
_TYPED = lazy(r"\b(?:CryptoPP::)(?:Weak1?::)?(?:MD2|MD4|MD5|SHA1)\b(?=\s+\w)|\bWeak1?::(?:MD4|MD5)\b(?=\s+\w)")
_SPELLED = lazy(
    r"(?:calg_|gcry_md_|bcrypt_|mbedtls_md_|sec_oid_|nid_|hashalgorithmname\.|qcryptographichash\.|hashes\.|hashlib\.|"
    r"messagedigest(?:algorithms)?\.|digest\.)(md[245]|sha_?1|rmd160|sha)(?:_algorithm)?\Z",
    re.IGNORECASE,
)
_ALONE = lazy(r"\A(?:hashlib\.(md5|sha1)|hashes\.(MD5|SHA1)|crypto\.(MD5|SHA1)|(md5|sha1)\.New)\Z")
_PASSWORD = lazy(r"(?i)(?<![a-z])(?:password|passwd|pwd|pw(?![a-z])|passphrase|passcode|pswd)|(?:Password|Passwd)")
_HASHES_PASSWORD = lazy(
    r"(?i)(?:hash|digest|encrypt|encode|protect)_?(?:user_?)?(?:password|passwd|pwd|pw(?![a-z]))|(?:password|passwd|pwd|(?<![a-z])pw)_?(?:hash|digest)"
)
_PASSCODE = lazy(r"(?i)pass_?code")
_ONE_TIME = lazy(r"(?i)(?<![a-z])[th]otp(?![a-z])")
_HARDENED = lazy(r"(?i)salt|pepper|pbkdf2|bcrypt|scrypt|argon|hmac|pwned|hibp|zxcvbn|nonce|derive")
_LEGIT = (
    (lazy(r"(?i)hmac"), "HMAC"),
    (lazy(r"(?i)\b[th]otp\b|one_?time|authenticator|rfc ?(?:4226|6238)"), "TOTP"),
    (
        lazy(
            r"(?i)\bgit\b.{0,40}(?:object|blob|tree|commit)|(?:blob|tree|commit) %[sd]\b|blob \{|"
            r"git_?(?:blob|object|hash|sha)"
        ),
        "git object id",
    ),
    (
        lazy(
            r"(?i)sec-websocket|258EAFA5|pwned|hibp|gravatar|uuid_?5|websocket_?accept|cnonce|\bapop\b|scram|cram_?md5"
        ),
        "demanded by a protocol",
    ),
)
_DIGEST_LOGIN = lazy(r"(?i)pwned|hibp|\brealm\b|(?<![a-z])h?a1(?![a-z0-9])|digest_?auth|nt_?hash|ntlm|\bopaque\b")
_ASKS_SIZE = lazy(r"\.(?:digest_size|block_size|digest_length|block_length|name)\b")
"""How long it is, and how it is called: nothing is hashed."""
_DERIVES = lazy(r"(?:\w{1,20}_)?(?:kdf|hkdf|prf|mgf|mgf1)_")
"""`kdf_sha256(seed, label)` makes a key with a hash, several times over."""
_KEYED = lazy(r"(?i)hmac|pbkdf2|(?:\A|\.)mac\.getinstance\Z")
"""The call itself is keyed: what it is fed with, a password too, does not weaken it."""
_DIGEST_FILE = lazy(r"(?i)digest_?auth\w*\.\w+$")
"""HTTP's digests and Windows' logins fix the hash, and who asks whether a password is known sends a part of one."""


def hits(source: CryptoSource) -> Iterator[WeaknessHit]:
    """Every broken hash that is used, and every fast one for a password."""
    is_broken = source.has(BROKEN_HASHES)
    if is_broken:
        yield from _by_name(source, _BY_NAME)
        yield from _old_schemes(source)
        if source.language == "cpp":
            for word in source.spelling(_TYPED, ("cryptopp::", "weak::", "weak1::")):
                yield from _hit(word, source.text[word.start : word.end].rpartition(":")[2].lower(), source)
        yield from _passed_around(source)
    yield from _no_scheme(source)
    if _PASSWORD.search(source.text):
        yield from _by_name(source, _FAST_BY_NAME)
    elif not is_broken:
        return
    for name, chooser in words.digests().choosers.items():
        for call in source.named(name):
            if chooser.fits(call.name):
                yield from _hit(call, _chosen(call, chooser.place, source), source)


def _old_schemes(source: CryptoSource) -> Iterator[WeaknessHit]:
    for _, call in source.matching(_OLD_SCHEMES):
        yield WeaknessHit(kind="weak hash", what=call.name.rpartition(".")[0][-30:], site=call, fix=_FOR_PASSWORDS)


def _no_scheme(source: CryptoSource) -> Iterator[WeaknessHit]:
    """What stores a password as it is, under the name of what hashes one."""
    for _, call in source.matching(_NO_HASH):
        yield WeaknessHit(kind="weak hash", what="none at all", site=call, fix=_FOR_PASSWORDS)


def _by_name(source: CryptoSource, pattern: re.Pattern[str]) -> Iterator[WeaknessHit]:
    for name, call in source.matching(pattern):
        if _DERIVES.match(call.last) and not (len(call.args) == 1 and _PASSWORD.search(call.args[0].text()[:80])):
            continue
        found = pattern.search(name)
        is_asked = _ASKS_SIZE.match(source.text, call.end) is not None
        if found is not None and not is_asked and _is_library(name, call):
            yield from _hit(call, found[1].lower().replace("_", ""), source)


def _passed_around(source: CryptoSource) -> Iterator[WeaknessHit]:
    """`hasher = hashlib.md5`; but a table of algorithms by their names chooses none."""
    for setting in source.all_settings:
        span = setting.value.range()
        if span.end.index - span.start.index < 20:
            named = _ALONE.match(setting.value.text().replace("::", "."))
            if named is not None and not re.search(r"(?i)md5|sha", setting.name):
                yield from _hit(setting, next(group for group in named.groups() if group).lower(), source)


def _is_library(name: str, call: CallSite) -> bool:
    """`entry.md5()` reads a field of an entry; `hashlib.md5()` and `md5(x)` hash."""
    owner = name.rpartition(".")[0].rpartition(".")[2].lower()
    if owner in {"self", "this", "cls", "()"} or (not call.args and call.last in {"hexdigest", "digest", "update"}):
        return False
    if name.lower() in {"sha", "md5.new", "sha1.new"}:
        return name.lower() != "sha"
    return (
        bool(call.args) or owner in words.digests().libraries or not owner or ("." in name[:-1] and name[0].isupper())
    )


def _chosen(call: CallSite, place: int, source: CryptoSource) -> str:
    named = [call.named[key] for key in words.digests().keywords if key in call.named]
    for node in (*named, *call.args[:3]):
        if spelled := _SPELLED.search(node.text()[:60].replace("::", ".").removesuffix("()")):
            return spelled[1].lower().replace("_", "")
    texts = [text for node in (*named, *call.args[place : place + 1]) for text in values_of(node, source).texts]
    return next((found for text in texts if (found := _algorithm(text.lower().strip())) is not None), "")


def _algorithm(text: str) -> str | None:
    signed = re.match(r"(md[25]|sha-?1|none)with", text) or re.fullmatch(r"(?:rsa|dsa|ecdsa)[-_](md5|sha1)", text)
    plain = (signed[1] if signed else text).replace("-", "").replace("_", "") if len(text) < 40 else ""
    plain = plain.removeprefix("hmac")
    return plain if plain in words.digests().broken or _FAST.match(text) else None


def _hit(site: Site, algorithm: str, source: CryptoSource) -> Iterator[WeaknessHit]:
    if not algorithm:
        return
    flag = site.named.get("usedforsecurity") if isinstance(site, CallSite) else None
    if flag is not None and values_of(flag, source).is_only(wanted=False):
        return
    around = _data(site, source)
    what = words.digests().broken.get(algorithm)
    if what is None:
        if _is_bare_password(site, around, source):
            yield WeaknessHit(kind="unsalted password hash", what=algorithm.upper(), site=site, fix=_FOR_PASSWORDS)
        return
    wide = _wide(site, source)
    is_password = _is_of_a_password(around, wide)
    excuse = "" if is_password else next((word for pattern, word in _LEGIT if pattern.search(wide)), "")
    if _DIGEST_LOGIN.search(wide) or _DIGEST_FILE.search(source.path):
        excuse = "demanded by a protocol"
    elif isinstance(site, CallSite) and _KEYED.search(site.name):
        excuse = "HMAC"
    if not is_password and not excuse and _CUT.search(around):
        excuse = "cut short: a name, no proof"
    if what in words.digests().sums:
        if _SUMMED.search(target_of(site, source)):
            return  # called a check sum, and used as one: inside of a token it finds typing errors
        yield WeaknessHit(
            kind="weak hash", what=what, site=site, weighing="auth", sure=0.7, fix="use SHA-256 or an HMAC"
        )
        return
    fix = _FOR_PASSWORDS if is_password else "use SHA-256 or better"
    yield WeaknessHit(kind="weak hash", what=what, site=site, weighing="hash", fix=fix, excuse=excuse)


def _is_of_a_password(around: str, wide: str) -> bool:
    """A code that is good for a minute is called a passcode, too."""
    told = _PASSCODE.sub("", around) if _ONE_TIME.search(wide) else around
    return _PASSWORD.search(told) is not None


_SUMMED = lazy(r"(?i)crc|adler|check_?sum")
_CUT = lazy(
    r"""(?i)\b(?:substr|mb_substr|left)\s*\(\s*(?:md5|sha1|hash)\s*\(|digest\(\s*(?:["']hex["'])?\s*\)\s*(?:\[\s*0?\s*:\s*\d|\[\s*0\s*(?:\.\.|,)|"""
    r"""\.(?:slice|substr|substring|first)\s*\()|"""
    r"""(?:md5|sha1|hash)\s*\((?:[^;\n.+()]{0,60}[\s,=])?(?:os\.urandom|\w{0,30}(?:random|rand)_?[bB]ytes|openssl_random|[\w:]{1,40}::get_?random)"""
)
"""A part of a digest tells things apart; a digest of random bytes is as random as they are."""
_FOR_PASSWORDS = "use argon2, scrypt or bcrypt with a salt"


def _data(site: Site, source: CryptoSource) -> str:
    """The statement and the lines that feed the hash object."""
    target = target_of(site, source)
    lines = [statement_text(site, source)]
    if target:
        fed = re.compile(
            rf"\b{re.escape(target)}\s*(?:\.|->)\s*(?:update|digest|Write|hexdigest|computeHash|TransformFinalBlock)\s*\(",
            re.IGNORECASE,
        )
        last = source.function_lines(site)[1]
        lines += [line[:300] for line in source.lines[site.line : last][:60] if fed.search(line[:300])]
    return "\n".join(lines)


def _wide(site: Site, source: CryptoSource) -> str:
    """What says that it is legitimate: the statement, the function's name, a line around it."""
    definition = source.definition_of(site)
    near = source.lines[max(0, site.line - 3) : site.line + 2]
    return "\n".join((definition.name if definition else "", *(line[:200] for line in near)))


def _is_bare_password(site: Site, around: str, source: CryptoSource) -> bool:
    definition = source.definition_of(site)
    is_named = definition is not None and _HASHES_PASSWORD.search(definition.name) is not None
    if not (is_named or _PASSWORD.search(around)) or _HARDENED.search(around):
        return False
    return not _HARDENED.search(source.function_text(site)[:6_000])
