"""Why code that spells a weakness need not have it: an option asks for it, a table lists it, a service demands it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from leeboard.model.text import lazy
from leeboard.security.crypto import words
from leeboard.security.crypto.branch import C_FAMILY, around, is_asked_by_name, is_fallback, is_wished, plain
from leeboard.security.crypto.chance import chance_of
from leeboard.security.crypto.connection import ASKED, EITHER, NAMED, RENAMED, why_old, why_unverified
from leeboard.security.crypto.context import proves_who_it_is
from leeboard.security.crypto.source import CallSite, CryptoSource, Site
from leeboard.security.crypto.token_reads import reads_only_the_head
from leeboard.security.crypto.uses import direct_uses, statement_text, target_of
from leeboard.security.crypto.weakness import SHOWN, WeaknessHit
from leeboard.text.language import is_measurement, is_sample
from leeboard.text.words import split_name

if TYPE_CHECKING:
    from ast_grep_py import SgNode

LISTED = "an entry of a table of algorithms"
BLOCK = "it is a building block of a larger construction"
READ = "it only reads what others wrote that way"
DEMANDED = "demanded by a protocol"
TASTE = "a cookie that says what somebody likes to see"
HMAC = "an HMAC, put together by hand"
SUM = "a check sum against typing errors"
OPEN = "nothing says that this cookie lets anybody in"
RECEIVED = "a client's own copy of a cookie"
TAKEN_BACK = "a cookie that is taken back"
DEFAULTS = "how a class for cookies begins"
FALLBACK = "only where the platform has nothing better"
TITLED = "an implementation of what the file is named after"
SENT = "what a service asks of its clients"
READ_FIRST = "read first, verified afterwards"

_ANSWERS = lazy(
    r"\bHttpServlet\b|@(?:Rest)?Controller\b|@(?:Get|Post|Put|Request)Mapping\b|@\w{1,20}\.(?:route|get|post)\(|"
    r"\bhttp\.HandleFunc\(|\bapp\.(?:get|post)\("
)
"""What answers requests is an application, whatever its folder is called."""
_ENTRIES = frozenset("pair keyed_element array_element_initializer".split())
_NEAR_UP = 5
_KEY_ROOM = 80
_SHORTEST = 2
_NUMBERS = lazy(r"\d{3}|(?:sslv|tlsv)\d", re.IGNORECASE)
_RENAMED = lazy(r"\s*(?:[\w.]{0,40}\.)?(?P<name>[A-Za-z]\w{2,60})\s*=\s*[\w.:]{0,60}?(?P=name)\s*;?\s*\Z")
_PROTOCOL = lazy(
    r"(?i)(?<![a-z])(?:ntlm|lm_?hash|nt_?hash|lan_?man|cram|apop|ms_?chap|chap_?ms|smb|vnc|rfb|radius|kerberos|krb5)(?![a-z])|"
    r"ntlm|cram_?md5|lmhash|nthash|mschap|(?<![a-z])(?:md5_?crypt|apr_?1|ssha)(?![a-z])|(?:^|[/_.-])[a-z]{0,4}pdf(?=\d|[/_.-]|$)"
)
"""Ways to log in and to keep passwords that are older than the ciphers of today, and name theirs."""
_WEAK = frozenset(
    "arc4 arcfour bf blowfish cast5 des des3 ecb idea md2 md4 md5 motp rc2 rc4 sha sha1 smd5 ssha tripledes".split()
)
_BESIDE = frozenset("dsa ecdsa engine hmac mode otp rsa spi with wrap".split())
"""Words of which the name of a standard is made. Whoever adds one of his own, `DesCipher`, made a choice."""
_DIRECTIVE = lazy(r"[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|define|undef|error|warning)\b")
_BETTER = lazy(r"(?i)sha_?-?(?:2_?)?(?:256|512)")
"""A function of C that knows both has the one that it is asked for."""
_STEM = lazy(r"[\w.:]*?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?=[A-Z0-9]+\b)")
_PADS = lazy(r"(?i)(?<![a-z])[io]_?pad(?![a-z])")
_DECRYPTS = lazy(r"Decrypt(?:or|er)|(?i:decrypt(?:or|er)|key_?parser)")
_ENCRYPTS = lazy(r"(?i)encrypt(?:or|er)")
_LETS_IN = lazy(r"(?i)sess|auth|token|login|user|remember|jwt|\bsid\b|csrf|passw|secret|credential|account")
_BUILT = lazy(
    r"(?i)kdf|deriv|transform_?key|key_?stream|\bctr|_ctr|ctr_|counter|(?<![a-z])(?:[cghopuvx]|aes|des|x?cbc|poly)?mac(?![a-z])|(?:un)?wrap|xts|eax|ccm|gcm|ofb|"
    r"(?:single|one|encrypt|raw)_?block|header_?prot|poly1305|drbg|(?:\b|_)k?cv\b|check_?value|siv|ghash|"
    r"key_?check"
)
_BUILT_IN = lazy(r"(?i)(?:c|o|g|p|h|poly_?|x?cbc_?)?macs?|xcbc|h?kdf|drbg|xts|eax|ccm|gcm|ofb|ghash|poly1305")
_READS = lazy(r"_*(?i:from|parse|read|decode|reset|clear)(?=_|[A-Z]|$)")
_OF_A_TASTE = lazy(
    r"""(?i)(?:["'.\[>_$]|^\s*)(?:[a-z]+[_.\-])?(?:lang(?:uage)?|locale|theme|timezone|tz|consent|dark[_-]?mode|"""
    r"""preferences?|prefs?)(?:[_.\-]?cookie\w*)?["'\]\s=,:).]"""
)
_COOKIE_NAME = lazy(r"""(?i)cookie\w{0,20}\(\s*(["'][\w.\-]{1,80}["'])""")
_OF_A_CLIENT = lazy(r"\.Jar\b|\.AddCookie\(|(?i:cookie_?jar)|\.SetCookies\(")
_TAKEN_BACK = lazy(r"""(?i)cookie\w{0,20}\(\s*(?:[^,()]|\(\)){1,80},\s*(?:null|none|nil|''|"")\s*[,)]""")
_RUN_OUT = lazy(
    r"Expires:\s*time\.Unix\(0,\s*0\)|MaxAge:\s*-1\b|(?i:max_?age)[\"']?\s*[=:]\s*(?:0|-1)\b(?!\s*(?:if\b|or\b|[?*+|]))"
)
_BEFORE, _BEHIND = 5, 4
_WALLET = lazy(r"(?i)mnemonic|bip_?-?39|hd_?(?:account|wallet|key)|seed_?phrase")
_SPOKEN = lazy(r"""["'](?:APOP|AUTHENTICATE|(?:CRAM|DIGEST)-MD5|NTLM|MS-?CHAP\w{0,3})\b""")
"""The word of a protocol, in the line that sends it."""
_ELSEWHERE = frozenset("server host hostname endpoint base_url".split())
"""What a client is told: where to go."""
_DOCUMENTED = lazy(r"(?i)\s*(?:/?\*|//|#|\"\"\").{0,120}\bprotocol(?: version)? v?\d")
_DOCUMENT = 10
_LOGS_IN = lazy(r"(?i)sign_?in|log_?in|auth|token|account|connect|notify|session")
_SENDS = lazy(
    r"\brequests\.(?:get|post|put|request)\(|\bhttpx\.\w{2,8}\(|\burlopen\(|\baxios[.(]|(?<![.\w])fetch\(|"
    r"\b\w{0,20}api_\w{2,20}\(|\b\w{2,20}_(?:request|query)\(|\bCURLOPT_POSTFIELDS\b|\.sendall\(|\.connect\(\s*\(|\bHttpClient\b|\bRestClient\b|[\"']https?://"
)
_KEEPS = lazy(
    r"(?i)\bexecute\(|\binsert\b|\bselect\b|\.save\(|\bcommit\(|\bdb\b|\.objects\.|filter_by|find_?one|\bupdate\s+\w+\s+set\b"
)
_COMPARES = lazy(
    r"(?i)(?:passw\w{0,20}|pwd|hash\w{0,10}|digest\w{0,10})[\"'\])]{0,3}\s*(?:[=!]==?|\.equals\()(?!\s*(?:null|none|nil|undefined|[\"'\d]))|"
    r"[=!]==?\s*[\w.$>\[\"'-]{0,40}(?:passw|pwd|hash|digest)|compare_digest|hash_equals|timingSafeEqual"
)
"""Whoever compares it with another keeps that one."""
_WRITES = lazy(r"(?i)\binsert\s+into\b|\bupdate\s+\w+\s+set\b|\b(?:save|store)_?\w{0,16}\(")
_OF_A_RECORD = lazy(r"(?i)\b(?:user|account|member|row|record)(?:\.|->|\[)\W{0,2}\w{0,20}(?:passw|pwd|hash)")
_MAKES_ACCOUNTS = lazy(r"(?i)\A_?(?:register|sign_?up|(?:create|add|new)_?(?:user|account))")
"""Whoever makes an account chooses how its password is kept."""
_FEEDS = lazy(r"(?i)(?:\.|->)(?:update|write|digest)\(")
_OF_A_SESSION = lazy(r"(?i)(?<![a-z])sess(?:ion)?_?id|(?<![a-z])sid(?![a-z])")
_KEEPS_ACCOUNTS = lazy(
    r"(?i)\A(?:log_?in|sign_?(?:in|up)|register|authenticate|store|save|hash_?passw|create_?user)|passw\w{0,20}_?hash\Z"
)
_ACCEPTS_NONE = lazy(r"(?i)\b(?:verify|decode)\w{0,8}\(")
_CLAIMS = lazy(r"(?i)claims|payload|\bsub\b|[\"'](?:sub|email|user\w*|roles?|data|exp|iss)[\"']")
_VERIFIED = lazy(
    r"\.(?:decode|verify)\w{0,12}\((?=[^;]{0,300}?(?:algorithms?\b|key\b|secret\b))(?![^;]{0,200}?verify_signature)|"
    r"(?i:\b\w{0,20}(?:verif(?:y|ied)|validate|check)_?\w{0,12}(?:token|jwt|jws|signature)\w{0,12}\()|"
    r"(?i:(?:jwt|jws|jose|token|key|verifier)\w{0,12}\.verif\w{1,12}\()"
)


def pardon_of(hit: WeaknessHit, source: CryptoSource) -> str:
    """Why it is at most logged; empty where nothing speaks for it."""
    if is_sample(source.path) or (is_measurement(source.path) and not _ANSWERS.search(source.text)):
        return SHOWN
    if _is_listed(hit, source) or _is_declared(hit.site, source) or _is_described(hit, source):
        return LISTED
    is_kept = hit.kind == "weak hash" and _WRITES.search(source.function_text(hit.site)) is not None
    if hit.kind in _CHOSEN_BY_NAME and is_asked_by_name(hit, is_kept=is_kept):
        return NAMED
    if hit.kind in _WITHOUT_BETTER and is_fallback(hit.site, source):
        return FALLBACK
    if hit.kind in _OF_KIND and (reason := _OF_KIND[hit.kind](hit, source)):
        return reason
    line = source.lines[hit.site.line - 1][:200] if hit.site.line <= len(source.lines) else ""
    is_kept_inside = hit.kind == "fixed key material"  # who calls it brings no key of his own
    renamed = ("=" in line and _RENAMED.match(line)) or (not is_kept_inside and _is_wrapped(hit.site, source))
    return RENAMED if renamed else ""


_CHOSEN_BY_NAME = frozenset({"weak hash", "weak cipher", "ECB mode", "short key", "old TLS"})
_WITHOUT_BETTER = frozenset(
    {"predictable random", "predictable seed", "weak hash", "weak cipher", "insecure cookie", "old TLS"}
)


def _is_wrapped(site: Site, source: CryptoSource) -> bool:
    """`des_set_key` calls `DES_SET_KEY` and does nothing else: who calls it is told."""
    definition = source.definition_of(site)
    called = site.callee.rpartition(".")[2] if isinstance(site, CallSite) else ""
    if not called or definition is None or plain(definition.name) != plain(called):
        return False
    return not proves_who_it_is(" ".join(definition.params))  # one for passwords is no mere other name


def _of_cipher(hit: WeaknessHit, source: CryptoSource) -> str:
    if hit.kind == "ECB mode" and _is_a_block(hit.site, source):
        return BLOCK
    if _is_demanded(hit.site, source, is_cipher=True) or _is_documented(hit.site, source):
        return DEMANDED
    if _is_titled(hit, source):
        return TITLED
    return READ if "decrypt" in source.lower and "encrypt" not in source.lower.replace("encrypted", "") else ""


def _is_a_block(site: Site, source: CryptoSource) -> bool:
    *folders, file = source.path.split("/")[-3:]
    definition = source.definition_of(site)
    names = (definition.name, definition.owner) if definition is not None else ()
    return any(map(_BUILT_IN.fullmatch, folders)) or any(map(_BUILT.search, (file, *names)))


def _is_demanded(site: Site, source: CryptoSource, *, is_cipher: bool = False) -> bool:
    """The function, its class, the file or its folder is named after a protocol or a format that has no other cipher or
    hash. In C that is what speaks it; elsewhere the name of a database says nothing. What lies in such a folder and
    keeps a password or makes a session is no part of it.
    """
    definition = source.definition_of(site)
    names = (definition.name, definition.owner) if definition is not None else ()
    if any(map(_PROTOCOL.search, names)):
        return True
    is_c = source.language in C_FAMILY
    paths = () if not is_c and _is_of_accounts(site, source) else source.path.split("/")
    if paths and _PROTOCOL.search(source.path):
        return True
    known = words.context().formats | (words.context().wires if is_c else frozenset())
    if _is_loosely_demanded(site, source, is_cipher=is_cipher):
        known |= words.context().loose_formats
    return any(not known.isdisjoint(split_name(name)) for name in (*paths, *names))


def _is_loosely_demanded(site: Site, source: CryptoSource, *, is_cipher: bool) -> bool:
    """Whether a word of many names may excuse it: never what is proved with it, and a cipher only by its own name."""
    definition = source.definition_of(site)
    name = definition.name if definition is not None else ""
    if is_cipher:
        return not _WEAK.isdisjoint(split_name(_TRIPLE.sub("des3_", name)))
    fed = (line for line in direct_uses(site, source) if _FEEDS.search(line))
    return not any(map(proves_who_it_is, (statement_text(site, source), *fed)))


def _is_of_accounts(site: Site, source: CryptoSource) -> bool:
    """Whether the function keeps what it hashes, compares it with what was kept, or makes a session of it."""
    definition = source.definition_of(site)
    text = source.function_text(site)
    named = f"{definition.name if definition is not None else ''} {target_of(site, source)}"
    return any((_KEEPS.search(text), _COMPARES.search(text), _OF_A_SESSION.search(named)))


def _is_documented(site: Site, source: CryptoSource) -> bool:
    """The comment above the function says which version of a protocol it is for."""
    definition = source.definition_of(site)
    if definition is None or definition.kind == "class":
        return False
    above = source.lines[max(0, definition.start - 1 - _DOCUMENT) : definition.start + _DOCUMENT // 2]
    return any(_DOCUMENTED.match(line) for line in above)


def _is_titled(hit: WeaknessHit, source: CryptoSource) -> bool:
    """`HMAC_SHA1.java`, `md5.c`: the name of the file or class is that of an algorithm and nothing else. In C a
    function of such a name is a part of one.
    """
    definition = source.definition_of(hit.site)
    names = [source.path.rpartition("/")[2].partition(".")[0], definition.owner if definition else ""]
    if definition is None:
        return any(map(_is_title, names))
    if definition.kind != "class" and proves_who_it_is(" ".join((definition.name, *definition.params))):
        return False  # one for passwords uses the algorithm
    if source.language in C_FAMILY and not _WEAK.isdisjoint(split_name(definition.name)):
        return True
    is_cipher = hit.kind in {"weak cipher", "ECB mode"}
    return any(map(_is_title, [*names, definition.name] if is_cipher or definition.kind == "class" else names))


_TRIPLE = lazy(r"(?i)(?:des_?ede|triple_?des)3?")


def _is_title(name: str) -> bool:
    parts = [part for part in split_name(_TRIPLE.sub("des3_", name)) if len(part) > 1 and not part.isdigit()]
    return any(part in _WEAK for part in parts) and all(part in _WEAK or part in _BESIDE for part in parts)


def _of_hash(hit: WeaknessHit, source: CryptoSource) -> str:
    if _is_demanded(hit.site, source):
        return DEMANDED
    if _is_titled(hit, source) or _only_reads(hit, source):
        return TITLED if _is_titled(hit, source) else READ
    if source.language in C_FAMILY and _BETTER.search(source.function_text(hit.site)):
        return NAMED
    if len({found.lower() for found in _PADS.findall(source.function_text(hit.site))}) > 1:
        return HMAC
    if "CRC" in hit.what and "checksum" in statement_text(hit.site, source).lower():
        return SUM
    return _of_login(hit, source)


def _only_reads(hit: WeaknessHit, source: CryptoSource) -> bool:
    """`StandardDecryptor`: what others wrote names its hash."""
    definition = source.definition_of(hit.site)
    named = f"{source.path.rpartition('/')[2]} {definition.owner if definition is not None else ''}"
    is_of_accounts = definition is not None and _KEEPS_ACCOUNTS.search(definition.name)
    if is_of_accounts or _OF_A_RECORD.search(statement_text(hit.site, source)):
        return False
    return _DECRYPTS.search(named) is not None and not _ENCRYPTS.search(named)


def _of_login(hit: WeaknessHit, source: CryptoSource) -> str:
    """A client that logs in somewhere sends the hash that the service wants; whoever keeps one chooses it."""
    if _is_demanded(hit.site, source):
        return DEMANDED
    definition = source.definition_of(hit.site)
    if _SPOKEN.search(statement_text(hit.site, source)):
        return DEMANDED
    if definition is None or not (_LOGS_IN.search(definition.name) or _ELSEWHERE.intersection(definition.params)):
        return ""
    if _MAKES_ACCOUNTS.match(definition.name):
        return ""
    text = source.function_text(hit.site)
    return SENT if _SENDS.search(text) and not _KEEPS.search(text) and not _COMPARES.search(text) else ""


def _of_stretching(hit: WeaknessHit, source: CryptoSource) -> str:
    """Words that a wallet is made of are stretched by 2048 rounds of SHA-512, as everybody does it."""
    function = source.function_text(hit.site)
    of_a_wallet = _WALLET.search(f"{source.path}\n{function}") and "512" in function
    return DEMANDED if of_a_wallet and " 2048 " in hit.what else _of_login(hit, source)


def _of_cookie(hit: WeaknessHit, source: CryptoSource) -> str:
    definition = source.definition_of(hit.site)
    if definition is not None and _READS.match(definition.name):
        return READ
    statement = statement_text(hit.site, source)
    if _TAKEN_BACK.search(statement) or _RUN_OUT.search(statement):
        return TAKEN_BACK
    if _OF_A_CLIENT.search(source.function_text(hit.site)):
        return RECEIVED
    if definition is not None and definition.kind == "class" and "cookie" in definition.name.lower():
        return DEFAULTS
    return _of_visitor(hit, source)


def _of_visitor(hit: WeaknessHit, source: CryptoSource) -> str:
    """What scripts may read, or what is switched on where the connection is safe: the other side of the condition."""
    name = hit.what.partition(" ")[0]
    definition = source.definition_of(hit.site)
    first, last = max(0, hit.site.line - _BEFORE), hit.site.line + _BEHIND
    named = _COOKIE_NAME.search(statement_text(hit.site, source))
    told = named[1] + "," if named is not None else "\n".join(source.lines[first:last])
    if name.lower().replace("_", "") == "httponly" and _OF_A_TASTE.search(told):
        return TASTE
    named_so = "\n".join((told, definition.name if definition is not None else "", source.path.rpartition("/")[2]))
    if name.lower().replace("_", "") == "httponly" and not _LETS_IN.search(named_so):
        return OPEN
    on = rf"(?i)\b{re.escape(name)}\s*=\s*true\b"
    is_switched = hit.what.endswith(" off") and re.search(on, source.function_text(hit.site)) is not None
    return EITHER if is_switched else ""


def _of_material(hit: WeaknessHit, source: CryptoSource) -> str:
    """ECB takes no IV: what is wrong there is said of the mode."""
    if _is_demanded(hit.site, source):
        return DEMANDED
    return BLOCK if "IV" in hit.what and "ECB" in source.function_text(hit.site) else ""


def _of_token(hit: WeaknessHit, source: CryptoSource) -> str:
    """Whose key it is has to be read before it can be verified."""
    first, last = source.function_lines(hit.site)
    behind = "\n".join(source.lines[hit.site.line : last]) if first else ""
    if is_wished(hit.site):
        return ASKED
    if hit.what == "algorithm none" and _ACCEPTS_NONE.search(statement_text(hit.site, source)):
        return ""  # nothing that follows makes a token true that was let in without a signature
    if isinstance(hit.site, CallSite) and hit.site.args and _is_made_here(hit.site, source):
        return READ_FIRST
    text = source.function_text(hit.site)
    only_head = not _CLAIMS.search(text) and reads_only_the_head(hit.site, source)
    return READ_FIRST if only_head or _VERIFIED.search(behind) else ""


_OF_KIND: dict[str, Callable[[WeaknessHit, CryptoSource], str]] = {
    "old TLS": why_old,
    "unverified connection": why_unverified,
    "ECB mode": _of_cipher,
    "weak hash": _of_hash,
    "unsalted password hash": _of_login,
    "fast password hash": _of_stretching,
    "insecure cookie": _of_cookie,
    "predictable random": chance_of,
    "weak cipher": _of_cipher,
    "fixed key material": _of_material,
    "unverified token": _of_token,
}


def _is_made_here(site: CallSite, source: CryptoSource) -> bool:
    """What the same function has just signed needs no check."""
    first, _ = source.function_lines(site)
    made = source.settings.get(site.args[0].text()[:60], ())
    before = [setting for setting in made if first <= setting.line and setting.start < site.start]
    return bool(before) and _SIGNS.match(before[-1].value.text()[:200]) is not None


_SIGNS = lazy(
    r"(?i)(?:await\s+)?(?:[\w$]+\.)*(?:sign(?:_?(?:a?sync|token|jwt))?|(?<=jwt\.)encode|"
    r"_?(?:create|sign|issue|generate|mint)_?\w{0,20}(?:token|jwt))\((?![^;]*\b(?:req|request|headers|cookies)\b)"
)


def _is_declared(site: Site, source: CryptoSource) -> bool:
    """A member of an enumeration, a line of the preprocessor, an entry that a macro makes: named there, not used."""
    if source.language not in C_FAMILY or not 0 < site.line <= len(source.lines):
        return False
    if _DIRECTIVE.match(source.lines[site.line - 1]):
        return True
    for ancestor in around(site)[:_NEAR_UP]:
        if ancestor.kind() == "enumerator":
            return True
        if ancestor.kind() == "initializer_list" and (row := ancestor.parent()) is not None:
            return row.kind() == "initializer_list"  # a row of a table
        if ancestor.kind() == "call_expression" and not isinstance(site, CallSite):
            name = ancestor.text().partition("(")[0].strip()
            return name.isupper() and "SET" not in name
    return False


_TABLES = frozenset({"initializer_list", "case_statement"})


def _is_described(hit: WeaknessHit, source: CryptoSource) -> bool:
    """A curve among the values of a record or a table: that is how one says what there is."""
    if not hit.what.startswith("curve") or source.language not in C_FAMILY:
        return False
    return any(ancestor.kind() in _TABLES for ancestor in around(hit.site)[:_NEAR_UP])


def _is_listed(hit: WeaknessHit, source: CryptoSource) -> bool:
    """`"SHA-1": hashlib.sha1`: the key says the same as the value, so nothing is chosen here."""
    spelled = source.text[hit.site.start : min(hit.site.end, hit.site.start + _KEY_ROOM)]
    wanted = [plain(text.partition("(")[0]) for text in (hit.what, spelled)]
    wanted += _NUMBERS.findall(hit.what) if hit.kind in {"short key", "old TLS"} else []
    for node in (hit.site.node, *hit.site.node.ancestors()[:3]):
        if node.kind() in _ENTRIES and len(node.children()) > 1:
            key = node.field("key") or next(iter(node.children()), None)
            said = plain(key.text()[:_KEY_ROOM]) if key is not None else ""
            return any(len(name) > _SHORTEST and name.lower() in said for name in wanted) or _is_choice(node, spelled)
    return False


def _is_choice(entry: SgNode, spelled: str) -> bool:
    """`{"never": OPT_NEVER, "demand": OPT_DEMAND}`: whoever asks by a name gets one of a family of constants."""
    stem = _STEM.match(spelled)
    table = entry.parent()
    if stem is None or table is None:
        return False
    values = [one.field("value") or one.children()[-1] for one in table.children() if one.kind() in _ENTRIES]
    alike = [text for value in values if stem[0] in (text := value.text()[:_KEY_ROOM])]
    return len(set(alike)) > 1 and len(alike) == len(values)
