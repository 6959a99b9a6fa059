"""Where an excuse ends: words that excuse one thing stand near another, which is told; beside what they do excuse."""

from __future__ import annotations

import pytest

from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.source.syntax import parse

SIGNED = (
    "function give(u) {{ const pass = jwt.sign(u, KEY); return {same}; }}\n"
    "function enter(req) {{ const pass = req.headers.pass; return {other}; }}\n"
)
READ = 'def enter(request, raw):\n    header = request.headers["header"]\n    read = jwt.decode(raw, options={{"verify_signature": False}})\n    return read{key}\n'
BRANCH = (
    'def enter(raw):\n    if {test}:\n        return jwt.decode(raw, options={{"verify_signature": False}})["nick"]\n'
)
JS_BRANCH = "function enter(req) {{ if ({test}) {{ return jwt.decode(req.query.pass); }} }}\n"
GO_OWN = (
    "package a\nfunc ParseUnverified(raw string) T {{\n\treader := {made}\n\treturn reader.ParseUnverified(raw)\n}}\n"
)
KEPT = "def add(name, password):\n    kept = hashlib.md5(password.encode()).hexdigest()\n    {then}\n"
ECB = "def {name}(key, row):\n    return AES.new(key, AES.MODE_ECB).encrypt(row)\n"
SAID = "def {name}(password, row):\n    # {words}\n    return hashlib.md5({what}).hexdigest()\n"
UNCHECKED = "def load(url):\n    # {words}\n    return requests.get(url, verify=False)\n"
VISIT = "def count(user):\n    session_id = random.getrandbits(64)\n    {then}\n"
SUFFIX = "def login_name(password):\n    suffix = random.randint(1, 999999)\n    {then}\n"
WHOLE = "def check_integrity({given}, key):\n    want = hmac.new(key, body, 'sha256').hexdigest()\n    return want == {sent}\n"
CLASS = "class {name}:\n    def load(self, url):\n        return requests.get(url, verify=False)\n"
WISH = "def load(url, o):\n    if o.{flag}:\n        return requests.get(url, verify=False)\n"
COMPARED = "int f(M *m, P *p) {{ hmac(m); return memcmp(m->{name}, p->sent_mac, {size}); }}\n"
SERVED = "def run():\n    return WebServer({inner})\n"
BUNDLE = (
    "def f(curl):\n    curl.setopt(pycurl.CAINFO, {ca})\n    curl.setopt(pycurl.SSL_VERIFYHOST, 0)\n"
    "    curl.setopt(pycurl.SSL_VERIFYPEER, True)\n"
)
BACK = 'package a\nfunc f(w W) {{\n\thttp.SetCookie(w, &http.Cookie{{Name: "session", HttpOnly: false, Expires: {when}}})\n}}\n'
DERIVED = "def seal(password):\n    return kdf_md5({what})\n"
READER = (
    "class RowDecrypter {{\n  byte[] {name}(String password) throws E {{\n"
    '    return MessageDigest.getInstance("MD5").digest(password.getBytes());\n  }}\n}}\n'
)
DATABASE = "<?php\nfunction f($db, $password, $how) {{ if ($how === 'mysql') {{ $kept = sha1($password); {then} }} }}\n"
KEYS = "def make():\n    first = x25519.X25519PrivateKey.generate()\n    return {call}(65537, key_size=1024)\n"


@pytest.mark.parametrize(
    ("path", "language", "excused", "told"),
    [
        ("a.js", "javascript", SIGNED.format(same="jwt.decode(pass)", other="1"), SIGNED.format(same="1", other="jwt.decode(pass)")),
        ("a.py", "python", READ.format(key='["kid"]'), READ.format(key='.get("nick")')),
        ("a.py", "python", BRANCH.format(test="how.is_none"), BRANCH.format(test="request.user is None")),
        ("a.js", "javascript", JS_BRANCH.format(test="!verifySignature"), JS_BRANCH.format(test="!isVerified(req)")),
        ("a.go", "go", GO_OWN.format(made="own.New()"), GO_OWN.format(made="new(jwt.Parser)")),
        ("pgp/a.py", "python", KEPT.format(then="return kept"), KEPT.format(then="db.execute(INSERT, kept)")),
        ("lib/cmac/a.py", "python", ECB.format(name="seal"), ""),
        ("lib/x.py", "python", ECB.format(name="siv_block"), ""),
        ("lib/siv/rows.py", "python", "", ECB.format(name="seal")),
        ("ssh/rows.py", "python", "", "def seal(key, iv, row):\n    return DES.new(key, DES.MODE_CBC, iv).encrypt(row)\n"),
        ("a.py", "python", SAID.format(name="answer", words="RFC 2617", what="password"), SAID.format(name="answer", words="RFC 5322", what="password")),
        ("a.py", "python", SAID.format(name="sign", words="RFC 1321", what="row"), SAID.format(name="sign", words="RFC 1321", what="password")),
        ("a.py", "python", "", UNCHECKED.format(words="dates as in RFC 3339")),
        ("metrics/a.py", "python", VISIT.format(then="send(session_id)"), VISIT.format(then="user.session_id = session_id")),
        ("a.py", "python", SUFFIX.format(then="return 'guest' + suffix"), SUFFIX.format(then="reset_token = f'{password}-{suffix}'")),
        ("a.py", "python", WHOLE.format(given="body, kept", sent="kept.sig"), WHOLE.format(given="request, body", sent='request.headers["X-Sig"]')),
        ("a.py", "python", CLASS.format(name="NoopVerifier"), CLASS.format(name="PassthroughCache")),
        ("a.py", "python", WISH.format(flag="allow_expired_certs"), WISH.format(flag="allow_expired")),
        ("a.c", "c", COMPARED.format(name="mac_addr", size="6"), COMPARED.format(name="mac", size="n")),
        ("a.py", "python", SERVED.format(inner="ssl_verify_peer=False"), SERVED.format(inner="requests.get(URL, verify=False)")),
        ("a.py", "python", BUNDLE.format(ca="own_ca"), BUNDLE.format(ca='"/etc/ssl/certs/all.pem"')),
        ("a.go", "go", BACK.format(when="time.Unix(0, 0)"), BACK.format(when="time.Unix(0, until)")),
        ("a.py", "python", DERIVED.format(what="password, salt, 32"), DERIVED.format(what="password")),
        ("a.java", "java", READER.format(name="key"), READER.format(name="hashPassword")),
        ("a.php", "php", DATABASE.format(then="return $kept;"), DATABASE.format(then="$db->query('UPDATE users SET pw = ?', $kept);")),
        ("a.py", "python", KEYS.format(call="generate_private_key"), KEYS.format(call="rsa.generate_private_key")),
    ],
)  # fmt: skip
def test_an_excuse_ends_where_it_is_not_meant(path: str, language: str, excused: str, told: str) -> None:
    for code, wanted in ((excused, False), (told, True)):
        tree = parse(code, language) if code else None
        if tree is not None:
            assert any(one.queues for one in find_weak_crypto(tree, path)) is wanted, code
