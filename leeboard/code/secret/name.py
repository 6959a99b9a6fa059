"""What the name in front of a value promises: a password, a secret, a key that has to look like one, or nothing."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from leeboard.model.pattern import lazy

Promise = Literal["password", "secret", "key", ""]
"""A password may be anything, a secret is no plain word, and what is called a key counts only when it looks drawn."""

STEMS = tuple(
    "passw passphrase passcode pass pwd psw secret token cred auth salt nonce key bearer jwt session cookie seed "
    "mnemonic webhook sas api hmac psk pw".split()
)
"""What a name of interest has in it, in lower case."""
_WORDS = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_PASSWORD = lazy(
    r"passw(?:or)?d|password|passphrase|passphase|passcode|pwd|(?:\A|[^a-z]|db|user|my|sql|ftp|smtp|admin|"
    r"root|mail|key|store|http|require|master|bind|auth|redis|rpc|proxy|sudo|login|account|pg)pass\Z"
)
_PASSWORD_WORDS = frozenset("pass pw pwd psw psk passwd passwort motdepasse senha contrasena clave".split())
_SECRETS = tuple(
    """
    secret token credential apikey authkey accesskey privatekey secretkey encryptionkey encryptkey signingkey
    signkey masterkey accountkey sharedkey sharedaccesskey storagekey sessionkey hmackey aeskey cipherkey licensekey
    serverkey securitykey clientkey appkey consumerkey servicekey subscriptionkey adminkey writekey deploykey
    integrationkey sshkey bearer jwt authorization mnemonic connectionstring presharedkey
    """.split()
)
_KEY_WORDS = frozenset(
    "key auth authentication salt nonce seed session cookie sas api webhook hmac sessionid csrf cred creds".split()
)
_OPEN_TAILS = frozenset(
    """
    id ids name names field fields label labels type types kind path paths file files filename dir folder url urls
    uri uris endpoint host hostname port count counts length len size limit max min ttl expiry expires expire
    expiration expired timeout age date time timestamp policy policies regex regexp pattern format hint prompt
    placeholder title message msg error errors err help desc description info enabled enable disabled disable
    required valid invalid validator validation reset header headers param params parameter argument arg class
    button btn input form column table prefix suffix algorithm alg algo method mode provider service manager store
    factory handler helper util utils version index idx num number strength hash hashed digest checksum fingerprint
    address addresses contract
    encrypted public pub ref refs reference selector group role scope scopes status state flag code codes list map
    dict set array option options config settings link page view dialog modal screen template event action callback
    function func fn builder parser reader writer generator provided usage example test tests word words board press
    down up code pair pairs visibility show toggle bits length rotation source target owner holder user username
    email mail agent domain issuer audience realm grant flow icon image color style width height changed change
    confirm confirmation again repeat verify mismatch match matches rule rules minlength maxlength history attempts
    last created updated sha md mgr checker encoder encoding matcher error exception dto entity request response
    client interface impl spec schema model repository controller context guard middleware filter resolver storage
    cache queue bucket vault engine rotator policy property annotation attribute based protected less free like only
    """.split()
)
_NEUTRAL_TAILS = frozenset(
    "hex base64 b64 string str value val bytes text txt raw plain plaintext data v e var const env s".split()
)
_OPEN_KEYS = frozenset(
    """
    public pub primary foreign cache sort partition hot short shortcut i18n translation object map dict registry
    lookup row col column table index hash group composite unique natural candidate super parent child json yaml xml
    property attribute attr param data item entry field menu event order sorting routing message msg text label
    title lang locale arrow function ctrl control alt shift meta home end page return enter escape esc delete
    backspace space tab press next prev previous left right up down bold key idempotency site recaptcha publishable
    etcd redis config setting settings option options env environment variable storage state query search filter
    feature flag metric metadata tag s3 bucket blob image file document doc node tree first last min max of by for
    the any no new old each this that known unknown missing duplicate required valid invalid extra sub top vapid
    """.split()
)
_OPEN_TOKENS = frozenset(
    """
    next page continuation sync cancellation cancel pagination stop eos bos pad unk mask start end special lex parse
    parser max min num total first last prev previous css design comment string number operator word public
    idempotency change lock request update resume sequence input output marker export work unit verification job
    task
    """.split()
)


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, in lower case, without numbers."""
    return tuple(word.lower() for word in _WORDS.findall(name) if not word.isdigit())


def is_open(name: str) -> bool:
    """Whether the last word says that the value is meant to be seen: an id, an address, a label."""
    words = words_of(name)
    return bool(words) and words[-1] in _OPEN_TAILS


@lru_cache(maxsize=2048)
def promise_of(name: str) -> Promise:
    """What a value under this name is by its name alone."""
    words = words_of(name)
    while len(words) > 1 and words[-1] in _NEUTRAL_TAILS:
        words = words[:-1]
    if not words or words[-1] in _OPEN_TAILS:
        return ""
    joined = "".join(words)
    if _PASSWORD.search(joined) or _PASSWORD_WORDS.intersection(words):
        return "" if {"hash", "hashed", "encrypted", "enc", "forgot", "reset", "no"}.intersection(words) else "password"
    return _promise_of_key(words, joined)


def _promise_of_key(words: tuple[str, ...], joined: str) -> Promise:
    before = words[-2] if len(words) > 1 else ""
    if "public" in words or "publishable" in words or "pubkey" in joined or "publickey" in joined:
        return ""
    if words[-1] in {"token", "tokens"} and before in _OPEN_TOKENS:
        return ""
    if words[-1] in {"key", "keys"} and before in _OPEN_KEYS:
        return ""
    if any(part in joined for part in _SECRETS) or words[-1] in {"cred", "creds"}:
        return "" if joined.startswith("tokeni") else "secret"
    tail = words[-1]
    if tail in _KEY_WORDS or _KEY_WORDS.intersection(words[-3:]):
        return "key"
    return "key" if tail.endswith(("key", "salt", "nonce", "auth")) and tail not in _NO_KEYS else ""


_NO_KEYS = frozenset("monkey donkey turkey hockey jockey hotkey whiskey passkey lackey keys hickey".split())
