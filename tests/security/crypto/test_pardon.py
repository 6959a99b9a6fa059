from __future__ import annotations

import pytest

from leeboard.security.crypto.connection import ASKED, BY_HAND, EITHER, NAMED, RENAMED, SERVES
from leeboard.security.crypto.pardon import (
    BLOCK,
    DEFAULTS,
    DEMANDED,
    HMAC,
    LISTED,
    OPEN,
    READ,
    READ_FIRST,
    RECEIVED,
    SENT,
    SUM,
    TAKEN_BACK,
    TASTE,
    TITLED,
)
from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.security.crypto.weakness import SHOWN
from leeboard.source.syntax import parse

CASES = [
    ("python", "ctx.verify_mode = ssl.CERT_NONE if disable_validation else ssl.CERT_REQUIRED", ASKED),
    ("javascript", "if (options.tlsInsecure) { options.rejectUnauthorized = false; }", ASKED),
    ("python", "if not args.verify:\n    r = requests.get(u, verify=False)", ASKED),
    ("python", "if ready:\n    r = requests.get(u, verify=False)", ""),
    ("python", "r = requests.get(u, verify=False)", ""),
    ("c", "void f(S *s) { if (s->method == (SSL_METHOD *)SSLv3_client_method()) { refuse(s); } }", NAMED),
    ("c", "void f(S *s) { s->method = (SSL_METHOD *)SSLv3_client_method(); }", ""),
    ("python", "if ssl_config is False:\n    ctx.check_hostname = False", ASKED),
    ("python", "if ssl_config is None:\n    ctx.check_hostname = False", ""),
    ("java", "class InsecureFactory { void f() { x.trustManager(InsecureTrustManagerFactory.INSTANCE); } }", ASKED),
    ("java", "class Factory { void f() { x.trustManager(InsecureTrustManagerFactory.INSTANCE); } }", ""),
    ("php", "<?php setcookie_with('language', $v, ['httponly' => false]); $cookie = 1;", TASTE),
    ("javascript", "res.cookie('sid', s, { httpOnly: false });\nconst prefs = { 'lang': lang };", ""),
    ("python", "class U:\n    def sha1(self, password):\n        return hashlib.sha1(password).hexdigest()", ""),
    ("python", "BY_PASSWORD = {Name.RSA_WITH_MD5: hashes.MD5()}", LISTED),
    ("javascript", "const password = {md5: forge.md.md5.create()};", LISTED),
    ("python", "CURVES = {'secp192r1': SECP192R1}", LISTED),
    ("python", "login = {'password': hashlib.md5(password)}", ""),
    ("python", "SSL3_VERSION = _lib.SSL3_VERSION", RENAMED),
    ("python", "VERIFY_NONE = _lib.SSL_VERIFY_NONE", RENAMED),
    ("python", "ctx.verify_mode = ssl.CERT_NONE", ""),
    (
        "php",
        "<?php\nclass C {\n  function withoutVerifying() {\n    $this->options['verify_peer'] = false;\n  }\n}\n",
        ASKED,
    ),
    ("php", "<?php $r = Http::withoutVerifying()->get($u);", ""),
    (
        "go",
        'package a\nfunc f(n string) uint16 {\n\tif n == "tls1.0" {\n\t\treturn tls.VersionTLS10\n\t}\n\treturn 0\n}',
        NAMED,
    ),
    ("go", "package a\nvar c = tls.Config{MinVersion: tls.VersionTLS10}", ""),
    ("php", "<?php curl_setopt_array($c, [CURLOPT_SSLVERSION => CURL_SSLVERSION_TLSv1_0]);", ""),
    ("c", "enum versions {\n  CURL_SSLVERSION_TLSv1_0,\n  CURL_SSLVERSION_LAST\n};", LISTED),
    ("c", "#ifdef SSL3_VERSION\nint known = 1;\n#endif", LISTED),
    ("c", "void list(void) {\n  CIPHEROPTION(CALG_RC4);\n}", LISTED),
    ("c", 'void help(void) { printf("%s", name_of(TLS1_VERSION)); }', NAMED),
    ("c", "void f(int v) { switch (v) { case 0: settings.lowest = TLS1_VERSION; break; } }", NAMED),
    ("c", "void f(SSL_CTX *c) { SSL_CTX_set_min_proto_version(c, TLS1_VERSION); }", ""),
    (
        "c",
        "void f(SSL *s, int peer) {\n  SSL_set_verify(s, peer ?\n    SSL_VERIFY_PEER : SSL_VERIFY_NONE, NULL);\n}",
        ASKED,
    ),
    ("c", "void f(SSL *s, int old) { SSL_set_verify(s, old ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, NULL); }", EITHER),
    ("python", "if verify:\n    go(c)\nelse:\n    c.verify_mode = ssl.CERT_NONE", ASKED),
    ("ruby", "http.verify_mode = if !@context[:verify_peer]\n  OpenSSL::SSL::VERIFY_NONE\nend", ASKED),
    ("c", "void ntlm_response(char *k) { DES_set_key(k, ks); }", DEMANDED),
    ("c", "void seal(char *k) { DES_set_key(k, ks); }", ""),
    ("php", "<?php class CramMd5Login { function answer($secret) { return md5($secret); } }", DEMANDED),
    (
        "php",
        "<?php\nfunction put_session($https) {\n  if ($https) { $secure = true; }\n  else { $secure = false; }\n  setcookie($n, $v, 0, '/', $d, $secure, true);\n}",
        EITHER,
    ),
    ("c", "void f(SSL *s) { SSL_set_verify(s, SSL_VERIFY_NONE, NULL); SSL_accept(s); }", SERVES),
    ("c", "void f(SSL *s) { SSL_set_verify(s, SSL_VERIFY_NONE, NULL); SSL_connect(s); }", ""),
    ("ruby", "Config = { :SSLVerifyClient => OpenSSL::SSL::VERIFY_NONE }", SERVES),
    ("rust", "fn f(mut a: SslAcceptorBuilder) { let x: SslAcceptor; a.set_verify(SslVerifyMode::NONE); }", SERVES),
    ("rust", "fn f(mut a: SslConnectorBuilder) { a.set_verify(SslVerifyMode::NONE); }", ""),
    (
        "go",
        "package a\nfunc f() {\n\tc := &tls.Config{InsecureSkipVerify: true}\n\tp := dial(c).PeerCertificates[0]\n}",
        BY_HAND,
    ),
    ("go", "package a\nfunc f() {\n\tc := &tls.Config{InsecureSkipVerify: true}\n\tdial(c)\n}", ""),
    ("php", "<?php function answer($pass, $ipad, $opad) { return md5($pass ^ $opad . inner($ipad)); }", HMAC),
    ("python", "def token(secret):\n    sig = pad(zlib.crc32(secret.encode()), CHECKSUM_LENGTH)", SUM),
    ("php", "<?php setcookie_with('disco_choice', $v, ['httponly' => false]); $cookie = 1;", OPEN),
    ("php", "<?php setcookie_with('login_as', $v, ['httponly' => false]); $cookie = 1;", ""),
    (
        "go",
        "package a\nvar c = tls.Config{InsecureSkipVerify: true}\nfunc f() { o := x509.VerifyOptions{Roots: r} }",
        BY_HAND,
    ),
    (
        "cpp",
        "void f(QSslSocket *s) { s->setPeerVerifyMode(QSslSocket::VerifyNone); s->startServerEncryption(); }",
        SERVES,
    ),
    ("python", "class Version(Enum):\n    SSL3 = SSL.SSL3_VERSION", RENAMED),
    ("python", "class Version:\n    lowest = SSL.SSL3_VERSION", ""),
    ("c", "void f(int v) { if (v > TLS1_VERSION) { raise(v); } }", NAMED),
    ("c", 'struct row rows[] = { { "tls1", TLS1_VERSION, 0 } };', LISTED),
    ("c", "void f(int a) { switch (a) { case ENCR_DES: DES_set_key(k, s); break; } }", NAMED),
    ("python", "def derive_key(k, b):\n    return AES.new(k, AES.MODE_ECB).encrypt(b)", BLOCK),
    ("python", "def seal(k, b):\n    return AES.new(k, AES.MODE_ECB).encrypt(b)", ""),
    (
        "java",
        'class A { void f() { Cipher c = Cipher.getInstance("DES/CBC/PKCS5Padding"); c.init(Cipher.DECRYPT_MODE, k); } }',
        READ,
    ),
    (
        "java",
        'class A { void f() { Cipher c = Cipher.getInstance("DES/CBC/PKCS5Padding"); c.init(Cipher.ENCRYPT_MODE, k); } }',
        "",
    ),
    ("cpp", "CBlowfish::CBlowfish(char *p) { BF_set_key(&k, 8, p); }", TITLED),
    ("c", "void crypt_des(char *p) { DES_set_odd_parity(p); }", TITLED),
    ("python", "def encrypt_des(data):\n    return DES.new(key, DES.MODE_CBC)", ""),
    ("c", "void ssh1_des_init(char *p) { DES_set_odd_parity(p); }", DEMANDED),
    ("c", "void setup_des_key(char *p) { DES_set_odd_parity(p); }", TITLED),
    ("c", "void setup_key(char *p) { DES_set_odd_parity(p); }", ""),
    ("php", "<?php function _RC4($k, $t) { return mcrypt_encrypt(MCRYPT_ARCFOUR, $k, $t); }", TITLED),
    ("c", "void mysql_answer(char *password) { SHA1_Init(&c); }", DEMANDED),
    ("python", "def mysql_login(password):\n    return hashlib.sha1(password)", ""),
    ("python", "class PdfSecurity:\n    def key(self, password):\n        return hashlib.md5(password)", DEMANDED),
    ("c", "void answer(char *password) { SHA1(password, n, o); use(EVP_sha256); }", NAMED),
    ("python", "VERSIONS = {ssl.PROTOCOL_TLSv1: SSL.TLSv1_METHOD}", LISTED),
    ("python", "CURVES = {'prime192v1': SECP192R1}", LISTED),
    ("python", "ASKED_FOR = {'no': ldap.OPT_X_TLS_NEVER, 'yes': ldap.OPT_X_TLS_DEMAND}", LISTED),
    ("python", "SET = {ldap.OPT_X_TLS_REQUIRE_CERT: ldap.OPT_X_TLS_NEVER, ldap.OPT_REFERRALS: 0}", ""),
    ("php", "<?php function leave() { setcookie(session_name(), '', time() - 9, '/'); }", TAKEN_BACK),
    ("php", "<?php function enter($id) { setcookie(session_name(), $id, time() + 9, '/'); }", ""),
    ("c", "int poly_mac_done(struct s *m) { aes_ecb_encrypt(m->in, m->out, &m->k); }", BLOCK),
    ("c", "int poly_box_done(struct s *m) { aes_ecb_encrypt(m->in, m->out, &m->k); }", ""),
    ("c", "void chap_ms_answer(char *secret) { MD4_Init(&c, secret); }", DEMANDED),
    ("python", "def md5_crypt(password):\n    return hashlib.md5(password)", DEMANDED),
    # What a service wants from its clients, and what the platform leaves.
    (
        "python",
        "def signin(user, password):\n    return requests.post(URL, {'p': hashlib.md5(password).hexdigest()})",
        SENT,
    ),
    (
        "python",
        "def signin(user, password):\n    requests.post(URL)\n    db.execute(Q, hashlib.md5(password).hexdigest())",
        "",
    ),
    ("python", "def signin(user, password):\n    return hashlib.md5(password).hexdigest() == user.kept", ""),
    (
        "python",
        (
            "def login(user, password):\n    sent = md5(password)\n    if check(sent == user.password_hash):\n"
            "        return redirect('https://a.example/')"
        ),
        "",
    ),
    (
        "javascript",
        (
            "async function login(u, password) {\n  const hash = md5(password);\n"
            "  if (u.password === hash) await fetch('https://a.example/');\n}"
        ),
        "",
    ),
    ("php", "<?php setCookie($login_token, null, ['path' => $p, 'httponly' => false]);", TAKEN_BACK),
    (
        "go",
        'package a\nfunc login(c *Client) {\n\tk := &http.Cookie{Name: "session", Value: v}\n\tc.Jar.SetCookies(u, k)\n}',
        RECEIVED,
    ),
    ("php", "<?php class SetCookie {\n  private $d = ['Name' => null,\n'Secure' => false];\n}", DEFAULTS),
    (
        "python",
        "def who(t):\n    k = jwt.decode(t, options={'verify_signature': False})['kid']\n    return jwt.decode(t, k, algorithms=A)",
        READ_FIRST,
    ),
    (
        "python",
        "def who(t):\n    u = jwt.decode(t, options={'verify_signature': False})['sub']\n    return verify_user(u)",
        "",
    ),
    (
        "python",
        "def who(t):\n    u = jwt.decode(t, options={'verify_signature': False})['iss']\n    return verify_token(t, u)",
        READ_FIRST,
    ),
    (
        "python",
        "def who(token):\n    return jwt.decode(token, options={'verify_signature': False})['sub']",
        "",
    ),
]


@pytest.mark.parametrize(("language", "code", "reason"), CASES)
def test_why_it_is_at_most_logged(language: str, code: str, reason: str) -> None:
    tree = parse(code, language)
    assert tree is not None
    (weakness,) = find_weak_crypto(tree, "src/a")
    assert (weakness.log_only, weakness.queues) == (reason, not reason)


def test_an_example_is_at_most_logged() -> None:
    tree = parse("r = requests.get(u, verify=False)", "python")
    assert tree is not None
    (weakness,) = find_weak_crypto(tree, "docs/examples/fetch.py")
    assert (weakness.log_only, weakness.queues) == (SHOWN, False)


@pytest.mark.parametrize(
    ("language", "code", "is_said"),
    [
        ("php", "<?php function name() { return 'login_' . sha1(static::class); }", False),
        ("php", "<?php $search = md5($box . $filter); $_SESSION['search'] = [$search, $rows];", False),
        ("php", "<?php function key($user) { return sha1($user->getAuthIdentifier()); }", False),
        ("python", "def etag(session):\n    return hashlib.md5(session.body).hexdigest()", False),
        ("python", "token = hashlib.md5(str(user.id)).hexdigest()", True),
        ("python", "session_id = hashlib.md5(seed).hexdigest()", True),
        ("python", "signature = hashlib.md5(secret + body).hexdigest()", True),
        ("php", "<?php if (md5($given) === $row['password']) { login(); }", True),
    ],
)
def test_a_hash_is_weak_where_a_proof_hangs_on_it(language: str, code: str, is_said: bool) -> None:  # noqa: FBT001 - a column
    tree = parse(code, language)
    assert tree is not None
    (weakness,) = (one for one in find_weak_crypto(tree, "src/a") if one.kind == "weak hash")
    assert weakness.queues == is_said


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("c", "int f(struct m *hmac, struct m *sig) { hmac = hmac_new(k); return hmac == sig; }"),
        (
            "java",
            "class A { boolean f(String signatureName) { Mac m = Mac.getInstance(a); return signatureName.equals(hmacName); } }",
        ),
        ("python", 'r.set_cookie("active_login", "true")'),
        ("python", 'r.set_cookie("csrf_token", token, secure=True, httponly=False)'),
        ("python", 'r.set_cookie("session", token, **flags)'),
        ("python", "self.auth.set_cookie(self, token)"),
        ("php", "<?php setcookie('session', $id, $options);"),
        ("c", "void parse(struct cookie *co) { co->secure = 0; }"),
        ("python", "import requests\nawait policies.ask_to_sign(event, verify=False)"),
        ("python", "mac = hmac.new(key=shared_secret, digestmod=hashlib.sha1)\nmac.update(password)"),
        ("python", "crc = base62(crc32(token))"),
    ],
)
def test_what_gives_nothing_away_is_not_said(language: str, code: str) -> None:
    tree = parse(code, language)
    assert tree is not None
    assert not [one for one in find_weak_crypto(tree, "src/a") if one.queues]


@pytest.mark.parametrize(("path", "reason"), [("src/HMAC_SHA1.java", TITLED), ("src/Login.java", "")])
def test_a_file_named_after_an_algorithm_and_nothing_else(path: str, reason: str) -> None:
    code = 'class A { void sign(String secret) { Signature signature = Signature.getInstance("SHA1withRSA"); } }'
    tree = parse(code, "java")
    assert tree is not None
    (weakness,) = find_weak_crypto(tree, path)
    assert (weakness.log_only, weakness.queues) == (reason, not reason)


@pytest.mark.parametrize(("name", "reason"), [("hash_password(text)", ""), ("f(password)", ""), ("f(key)", TITLED)])
def test_a_password_in_a_file_named_after_an_algorithm(name: str, reason: str) -> None:
    tree = parse(f"def {name}:\n    signature = hashlib.md5(secret).hexdigest()\n    return signature\n", "python")
    assert tree is not None
    (weakness,) = find_weak_crypto(tree, "src/md5.py")
    assert (weakness.log_only, weakness.queues) == (reason, not reason)


@pytest.mark.parametrize(("answers", "reason"), [("extends HttpServlet", ""), ("", SHOWN)])
def test_what_answers_requests_measures_nothing(answers: str, reason: str) -> None:
    code = f'class A {answers} {{ void doGet() {{ Cookie c = new Cookie("remember", "" + Math.random()); }} }}'
    tree = parse(code, "java")
    assert tree is not None
    (weakness,) = find_weak_crypto(tree, "src/org/acme/benchmark/A.java")
    assert (weakness.log_only, weakness.queues) == (reason, not reason)
