"""A connection that checks nothing, and why somebody may need it so; each with a twin that is told."""

from __future__ import annotations

import pytest

from leeboard.security.crypto.connection import ASKED, BEGINS, BY_HAND, EITHER, LOCAL, NAMED, OWN_CA, RENAMED, SERVES
from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.source.syntax import parse

CASES = [
    # What the person who runs it asks for, and what is named for it.
    ("go", 'package a\nfunc f() {\n\tif c.Bool("skip-verify") {\n\t\tt.InsecureSkipVerify = true\n\t}\n}', ASKED),
    ("go", 'package a\nfunc f() {\n\tif c.Bool("fast") {\n\t\tt.InsecureSkipVerify = true\n\t}\n}', ""),
    ("python", "if not self.remote.tls_validation:\n    ctx.check_hostname = False", ASKED),
    (
        "javascript",
        "function f(c, o) { if (c.dangerouslyIgnoreUnauthorized) { o.rejectUnauthorized = false; } }",
        ASKED,
    ),
    ("python", "def f(o):\n    if o['reqs'] == ssl.CERT_NONE:\n        return connect(validate_certs=False)", ASKED),
    (
        "python",
        "if a:\n    x()\nelif self._verify_ssl_certs:\n    y()\nelse:\n    k = aiohttp.TCPConnector(verify_ssl=False)",
        ASKED,
    ),
    ("python", "if tls_verify == '':\n    tls_verify = False", ASKED),
    (
        "python",
        "def f(k):\n    c = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)\n    c.verify_mode = ssl.CERT_NONE\n    c.load_cert_chain(k)",
        SERVES,
    ),
    ("cpp", "void f(int flags) { if (flags & DONT_VERIFY_PEER) { mode = SSL_VERIFY_NONE; } }", ASKED),
    (
        "php",
        "<?php\nfunction add_verify($value, $o) {\n  if ($value === false) {\n    $o['verify_peer'] = false;\n  }\n}",
        ASKED,
    ),
    (
        "php",
        "<?php\nfunction add($value, $o) {\n  if ($value === false) {\n    $o['verify_peer'] = false;\n  }\n}",
        "",
    ),
    ("c", "void set_ssl_insecure(CURL *c) {\n  curl_easy_setopt(c, CURLOPT_SSL_VERIFYPEER, 0L);\n}", ASKED),
    ("python", "def insecure_get(u):\n    return requests.get(u, verify=False)", ""),
    (
        "java",
        "class A {\nclass TrustAllManager {\npublic void checkServerTrusted(C[] c, String t) { }\n}\nM m = new TrustAllManager();\n}",
        "",
    ),
    (
        "java",
        "class MyTrustAllFactory { A f() { return new M() {\npublic void checkServerTrusted(C[] c, String t) { }\n}; } }",
        ASKED,
    ),
    ("c", "void f(X *x) { if (o->weak_cert_validation) { SSL_CTX_set_verify(x, SSL_VERIFY_NONE, NULL); } }", ASKED),
    ("cpp", "const int verify_none = SSL_VERIFY_NONE;", RENAMED),
    ("cpp", "int mode = SSL_VERIFY_NONE;", ""),
    ("c", "int f(O *o) { int i = SSL_VERIFY_NONE; if (o->demand) { i = SSL_VERIFY_PEER; } return i; }", EITHER),
    ("python", "def f(c, ca):\n    c.verify_mode = ssl.CERT_NONE if ca is None else ssl.CERT_REQUIRED", EITHER),
    ("python", "class C:\n    def __init__(self):\n        self.check_hostname = False", BEGINS),
    # A connection to this machine, a server, an authority of one's own.
    ("python", 'r = requests.get("https://localhost:8443/health", verify=False)', LOCAL),
    ("python", 'r = requests.get("https://localhost.example.com/", verify=False)', ""),
    ("php", '<?php if (substr($u, 0, 17) == "https://localhost") { $o = array("allow_self_signed" => true); }', LOCAL),
    ("python", 'r = requests.get(u, verify=False, proxies={"https": "http://localhost:8080"})', ""),
    ("python", 'def f(h):\n    if h != "localhost":\n        ctx.check_hostname = False', ""),
    ("python", 'def f(h):\n    if h == "localhost":\n        ctx.check_hostname = False', LOCAL),
    ("python", 'def f(h):\n    if h == "localhost":\n        go()\n    else:\n        ctx.check_hostname = False', ""),
    ("ruby", "http.verify_mode = OpenSSL::SSL::VERIFY_NONE unless host == 'localhost'", ""),
    (
        "python",
        'def f():\n    u = os.environ.get("API", "https://localhost/")\n    return requests.get(u, verify=False)',
        "",
    ),
    ("javascript", "const o = { url: process.env.API || 'https://localhost/', rejectUnauthorized: false };", ""),
    (
        "javascript",
        "function validateOrder(o) {\n  if (!o.cached) {\n    https.get(u, { rejectUnauthorized: false });\n  }\n}",
        "",
    ),
    (
        "go",
        (
            "package a\nfunc conf(server string) *tls.Config {\n"
            "\treturn &tls.Config{Certificates: own, InsecureSkipVerify: true}\n}"
        ),
        "",
    ),
    ("python", "class C:\n    def f(self):\n        self.context.check_hostname = False", ""),
    ("python", "s = ssl.SSLContext().wrap_socket(s)", ""),
    (
        "python",
        'def f(host):\n    a = "https://localhost/"\n    return requests.get(f"https://{host}/", verify=False)',
        "",
    ),
    ("python", 'def f():\n    u = "https://127.0.0.1/"\n    return requests.get(u, verify=False)', LOCAL),
    (
        "python",
        'def f():\n    a = "https://127.0.0.1/"\n    u = "https://b.example/"\n    return requests.get(u, verify=False)',
        "",
    ),
    (
        "go",
        "package a\nfunc newServer() {\n\tc := &tls.Config{Certificates: own, InsecureSkipVerify: true}\n\tserve(c)\n}",
        SERVES,
    ),
    (
        "go",
        "package a\nfunc dial() {\n\tc := &tls.Config{Certificates: own, InsecureSkipVerify: true}\n\ttls.Dial(c)\n}",
        "",
    ),
    ("rust", "fn f(c: &mut B) { c.set_private_key(&k); c.set_verify(SslVerifyMode::NONE); }", SERVES),
    ("c", "void f(X *x) { SSL_CTX_set_verify(x, SSL_VERIFY_NONE, look_at_it); }", BY_HAND),
    ("c", "void f(X *x) { SSL_CTX_set_verify(x, SSL_VERIFY_NONE, NULL); }", ""),
    ("c", "void f(SSL_STATE *s) {\n  s->verify_peer = 0;\n  s->hosts = 0;\n}", BEGINS),
    ("c", "void f(SSL_STATE *s) {\n  s->verify_peer = 0;\n  go(s);\n}", ""),
    (
        "python",
        "def f():\n    c.load_verify_locations(ca)\n    c.verify_mode = ssl.CERT_REQUIRED\n    c.check_hostname = False",
        OWN_CA,
    ),
    ("c", "struct n t[] = { SSL_TXT_TLSV1, TLS1_VERSION, SSL_TXT_TLSV1_2, TLS1_2_VERSION };", NAMED),
]


@pytest.mark.parametrize(("language", "code", "reason"), CASES)
def test_why_it_is_at_most_logged(language: str, code: str, reason: str) -> None:
    tree = parse(code, language)
    assert tree is not None
    (weakness,) = find_weak_crypto(tree, "src/a")
    assert (weakness.log_only, weakness.queues) == (reason, not reason)
