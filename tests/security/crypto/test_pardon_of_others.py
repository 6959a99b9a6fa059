"""Weaknesses that somebody else chose, or that are none: each beside the one that stays."""

from __future__ import annotations

import pytest

from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.source.syntax import parse

C_SWITCH = 'int f(const char *name) {{\n  if (!strcmp(name, "{name}")) return {value};\n  return 0;\n}}\n'
APOP = "function login($user, $password) {\n  $this->say('APOP ' . $user . ' ' . md5($this->stamp . $password));\n}\n"
KEPT = "function login($user, $password) {\n  $this->save($user . ' ' . md5($this->stamp . $password));\n}\n"
FALLBACK = """<?php
function nonce() {
    if (is_readable('%s')) {
        $token = fread(fopen('/x', 'r'), 32);
    } else {
        $token = chr(mt_rand(0, 255));
    }
    return $token;
}
"""
SEQUENCE = "void f(C *c, T token) {{\n  if (token.length) save(token);\n  c->{name} = rand();\n}}\n"
NEXT = (
    "function open(session) {{\n  this._{name} = Math.ceil(Math.random() * 65535);\n  session.keep(this._{name});\n}}\n"
)
VISITS = "const SESSION_ID = Math.random().toString(36);\nsend(SESSION_ID);\n"
PARSER = "package jwt\n{own}\nfunc (p *P) Read(s string) T {{\n\tt := p.ParseUnverified(s)\n\treturn t\n}}\n"
OWN = "func (p *P) ParseUnverified(s string) T { return T{} }"
NONE = "package a\nfunc f(s string) {{\n\tjwt.Parse(s, func(t T) K {{\n\t\tif {flag} {{ return jwt.UnsafeAllowNoneSignatureType }}\n\t\treturn key\n\t}})\n}}\n"
HEADER = 'def kid(token):\n    read = jwt.decode(token, options={"verify_signature": False})\n    return read["%s"]\n'
ALG = 'import jwt\n\ndef sign(algorithm_="none"):\n    return {"alg": %s}\n'
OPTION = "void f(CURL *c, O *o) {{\n  if (o->{flag})\n    curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, 0);\n}}\n"
WALLET = 'def f(words, salt):\n    {what} = words\n    return hashlib.pbkdf2_hmac("sha512", {what}, salt, 2048)\n'
DYN = "def update({where}, password):\n    digest = hashlib.md5(password.encode()).hexdigest()\n    with socket.socket() as s:\n        {send}\n"
MEMCMP = "int check(H *h) {{ hmac(h); return memcmp(h->{name}, h->expected_mac, {size}); }}\n"
SELF = "int {name}(unsigned char *want) {{ hmac(k, want); return memcmp(digest, hmac, 32); }}\n"
DOC = "/**\n * {words}\n */\nfunction seal(key, d) {{\n  return crypto.createCipheriv('aes-128-ecb', key, null).update(d);\n}}\n"
CURVES = "static const struct curve *all[] = {\n  &p384,\n  &p192,\n};\n"
USED = "void f(void) { EC_KEY_new_by_curve_name(NID_secp160r1); }\n"
SPOKEN = "int f(int oid) {{\n  if (oid == {oid}) return {cipher};\n  return 0;\n}}\n"
CASES = """static void init() {
  srand(42);
  for (int i = 0; i < 16; i++)
    key[i] = 0xff & rand();
  %s[0].input[0] = 1;
}
"""
NODE = "const crypto = require('crypto');\nlink.cipher = {call};\n"
JAVA_CIPHER = "class A {{ Cipher f() throws E {{ return helper.createCipher({name}); }} }}\n"
CURVE_NAMES = "class N {{ static {{ {lines} }} }}\n"
ONE = 'define("secp160r1", SECIds.secp160r1);'
THREE = ONE + ' define("secp112r1", SECIds.secp112r1); define("sect163k1", SECIds.sect163k1);'
ENGINE = 'class {name} {{ void f() {{ cipher = Cipher.getInstance("DESede"); }} }}\n'
ELSE = "void f(CURL *c, char *{name}) {{\n  if ({name}) setopt(c, {name});\n  else\n    curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, 0L);\n}}\n"
WRAP = "def wrap(sock, {name}=CERT_NONE):\n    return _ssl.wrap(sock, {name})\n"
SERVER = "def run(loop, handler):\n    return http.{name}(loop, handler, ssl_verify_peer=False)\n"
HOST = (
    "def f(curl):\n    {ca}\n    curl.setopt(pycurl.SSL_VERIFYHOST, 0)\n    curl.setopt(pycurl.SSL_VERIFYPEER, True)\n"
)
SIGNED = (
    "async function create(p) {{\n  const accessToken = await {made};\n  return jsonwebtoken.decode(accessToken);\n}}\n"
)
WAIT = "void auth(S *password) {{\n  password->{name} = rand() % {most};\n}}\n"
PICK = (
    "def bind(user, password)\n  {name} = ldap_{list}[rand(ldap_{list}.length)]\n  try({name}, user, password)\nend\n"
)
BACK = 'package a\nfunc f(w W) {{\n\thttp.SetCookie(w, &http.Cookie{{Name: "session_token", HttpOnly: false, {when}}})\n}}\n'
MEMBER = "<?php\nfunction f($c, $key) {{ if ({test}) {{ g($c); }} }}\n"
ASKED_OF = "void f(C cipher) {{ if (cipher == EVP_rc4()) skip(cipher); }}\n"
RUN = "void f(C cipher) {{ run(cipher, EVP_rc4()); }}\n"
DISABLED = "class A {{ void f() {{ if ({flag}) {{ verifier = new NoopHostnameVerifier(); use(verifier); }} }} }}\n"
VERIFIER = 'class {name} {{ boolean ok(byte[] secret) throws E {{ MessageDigest m = MessageDigest.getInstance("SHA-1"); return same(m.digest(secret)); }} }}\n'


@pytest.mark.parametrize(
    ("path", "language", "text", "is_told"),
    [
        ("src/names.c", "c", C_SWITCH.format(name="ARCFOUR", value="GCRY_CIPHER_ARCFOUR"), False),
        ("src/names.c", "c", C_SWITCH.format(name="fast", value="GCRY_CIPHER_ARCFOUR"), True),
        ("src/read.c", "c", SPOKEN.format(oid="OID_DES_EDE3_CBC", cipher="GCRY_CIPHER_3DES"), False),
        ("src/read.c", "c", SPOKEN.format(oid="OID_FAST", cipher="GCRY_CIPHER_3DES"), True),
        ("src/size.c", "c", "int f(void) { return gcry_cipher_get_algo_blklen(GCRY_CIPHER_3DES); }\n", False),
        ("src/size.c", "c", "int f(H *h) { return gcry_cipher_open(h, GCRY_CIPHER_3DES, 0, 0); }\n", True),
        ("src/curves.c", "c", CURVES, False),
        ("src/curves.c", "c", USED, True),
        ("src/pop.php", "php", "<?php\n" + APOP, False),
        ("src/pop.php", "php", "<?php\n" + KEPT, True),
        ("src/sasl.php", "php", FALLBACK % "/dev/urandom", False),
        ("src/sasl.php", "php", FALLBACK % "/srv/tokens", True),
        ("src/rpc.c", "c", SEQUENCE.format(name="seq_num"), False),
        ("src/rpc.c", "c", SEQUENCE.format(name="session_token"), True),
        ("src/link.js", "javascript", NEXT.format(name="nextId"), False),
        ("src/link.js", "javascript", NEXT.format(name="tokenId"), True),
        ("src/telemetry/visits.ts", "typescript", VISITS, False),
        ("src/login/visits.ts", "typescript", VISITS, True),
        ("parser.go", "go", PARSER.format(own=OWN), False),
        ("reader.go", "go", PARSER.format(own=""), True),
        ("cmd/main.go", "go", NONE.format(flag="isNone()"), False),
        ("cmd/main.go", "go", NONE.format(flag="isReady()"), True),
        ("src/keys.py", "python", HEADER % "kid", False),
        ("src/keys.py", "python", HEADER % "sub", True),
        ("src/sign.py", "python", ALG % "algorithm_", False),
        ("src/sign.py", "python", ALG % '"none"', True),
        ("src/out.c", "c", OPTION.format(flag="allowUnsignedCerts"), False),
        ("src/out.c", "c", OPTION.format(flag="https"), True),
        ("src/seed.py", "python", WALLET.format(what="mnemonic"), False),
        ("src/seed.py", "python", WALLET.format(what="password"), True),
        ("src/dyn.py", "python", DYN.format(where="server", send="s.sendall(digest)"), False),
        ("src/dyn.py", "python", DYN.format(where="user", send="db.execute(digest)"), True),
        ("src/peer.c", "c", MEMCMP.format(name="mac_addr", size="6"), False),
        ("src/peer.c", "c", MEMCMP.format(name="mac", size="32"), True),
        ("src/whole.c", "c", SELF.format(name="check_integrity"), False),
        ("src/whole.c", "c", SELF.format(name="check_request"), True),
        ("src/lamp.js", "javascript", DOC.format(words="Seals data for protocol 3.3 and before"), False),
        ("src/lamp.js", "javascript", DOC.format(words="Seals data for the vault"), True),
        ("src/make.c", "c", CASES % "test_case", False),
        ("src/make.c", "c", CASES % "session_key", True),
        ("src/kdf.c", "c", "int f(char *password) { return kdf_sha256(password, 32, out); }\n", False),
        ("src/mac-poly1305.c", "c", "void f(H *h) { gcry_cipher_open(h, A, GCRY_CIPHER_MODE_ECB, 0); }\n", False),
        ("src/seal.c", "c", "void f(H *h) { gcry_cipher_open(h, A, GCRY_CIPHER_MODE_ECB, 0); }\n", True),
        ("src/link.js", "javascript", NODE.format(call="createCipher(config)"), False),
        ("src/link.js", "javascript", NODE.format(call="crypto.createCipher('aes-256-cbc', password)"), True),
        ("src/A.java", "java", JAVA_CIPHER.format(name="name"), False),
        ("src/N.java", "java", CURVE_NAMES.format(lines=THREE), False),
        ("src/N.java", "java", CURVE_NAMES.format(lines=ONE), True),
        ("src/p160.php", "php", "<?php\nfinal class p160 extends secp160r1 {}\n", False),
        ("src/DESedeEngine.java", "java", ENGINE.format(name="DESedeEngine"), False),
        ("src/Vault.java", "java", ENGINE.format(name="Vault"), True),
        ("src/out.c", "c", ELSE.format(name="ca_fname"), False),
        ("src/out.c", "c", ELSE.format(name="proxy"), True),
        ("src/wrap.py", "python", WRAP.format(name="cert_reqs"), False),
        ("src/wrap.py", "python", WRAP.format(name="ssl_cert_reqs"), False),
        ("src/wrap.py", "python", "context.verify_mode = CERT_NONE\n", True),
        ("src/run.py", "python", SERVER.format(name="HttpServer"), False),
        ("src/host.py", "python", HOST.format(ca="curl.setopt(pycurl.CAINFO, cert)"), False),
        ("src/host.py", "python", HOST.format(ca="pass"), True),
        ("src/give.ts", "typescript", SIGNED.format(made="this.createAccessToken(p)"), False),
        ("src/give.ts", "typescript", SIGNED.format(made="this.read(p)"), True),
        ("src/wait.c", "c", WAIT.format(name="otp", most="AUTH_TIMEOUT"), False),
        ("src/wait.c", "c", WAIT.format(name="otp", most="1000000"), True),
        ("src/bind.rb", "ruby", PICK.format(name="token", list="servers"), False),
        ("src/bind.rb", "ruby", PICK.format(name="token", list="letters"), True),
        ("src/out.go", "go", BACK.format(when="Expires: time.Unix(0, 0)"), False),
        ("src/out.go", "go", BACK.format(when="Value: token"), True),
        ("src/mode.php", "php", MEMBER.format(test="in_array($c->mode, [self::A, self::MODE_ECB])"), False),
        ("src/mode.php", "php", MEMBER.format(test="$c->start(self::MODE_ECB, $key)"), True),
        ("src/skip.c", "c", ASKED_OF.format(), False),
        ("src/skip.c", "c", "int f(void) { return EVP_des_ede3_cbc() == NULL; }\n", False),
        ("src/skip.c", "c", RUN.format(), True),
        ("src/StandardDecryptor.java", "java", VERIFIER.format(name="StandardDecryptor"), False),
        ("src/Standard.java", "java", VERIFIER.format(name="Standard"), True),
        ("src/curves.js", "javascript", "defineCurve('p192', { type: 'short', curve: x });\n", False),
        ("src/ec.js", "javascript", "const ec = crypto.createECDH('secp160r1'); ec.curve = 1;\n", True),
        ("src/act.php", "php", '<?php\n$mac = hash_hmac("sha256", "$a::$b", "$pass::$secret");\n', False),
        ("src/act.php", "php", '<?php\n$mac = hash_hmac("sha256", "$a::$b", "Kiesel8Bach3Kran");\n', True),
        ("src/link.java", "java", DISABLED.format(flag="that.disableTrustManager"), False),
        ("src/link.java", "java", DISABLED.format(flag="that.ready"), True),
        ("lib/pdf2/seal.py", "python", "def seal(password):\n    return md5(password).hexdigest()\n", False),
        ("lib/seal.py", "python", "def seal(password):\n    return md5(password).hexdigest()\n", True),
        ("lib/ssh_keys.py", "python", "def seal(key):\n    token = md5(key).hexdigest()\n    return token\n", True),
        ("lib/ssh_login.py", "python", "def seal(password):\n    return md5(password).hexdigest()\n", True),
        ("checks/weak.json", "json", '{"insecure": ["RSA-1024", "P-192"]}\n', False),
    ],
)
def test_what_others_chose_is_logged_and_what_one_chose_is_told(
    path: str,
    language: str,
    text: str,
    is_told: bool,  # noqa: FBT001 - a column
) -> None:
    tree = parse(text, language)
    assert tree is not None
    assert any(weakness.queues for weakness in find_weak_crypto(tree, path)) is is_told
