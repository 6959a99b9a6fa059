from __future__ import annotations

import pytest

from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.security.crypto.weakness import Weakness
from leeboard.source.syntax import parse
from leeboard.text.language import language_of


def weaknesses(path: str, text: str) -> tuple[Weakness, ...]:
    tree = parse(text, language_of(path, text))
    assert tree is not None
    return find_weak_crypto(tree, path)


def rests(path: str, text: str) -> list[str]:
    """Why each that is said of new code is only logged where it lies."""
    return [weakness.at_rest for weakness in weaknesses(path, text) if weakness.queues]


AROUND = "only names around it speak of a secret, its own does not"


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        (
            "src/login.py",
            (
                "import random\ndef login(password, token):\n"
                "    request = {'password': password, 'token': token, 'pid': random.randint(0, 1024)}\n"
            ),
            AROUND,
        ),
        (
            "src/sock.py",
            "import ssl\ndef wrap(s, cert_reqs=None):\n    c = ssl.SSLContext()\n    c.verify_mode = cert_reqs or ssl.CERT_NONE\n",
            "the caller chooses what is checked",
        ),
        (
            "src/serve.js",
            "const told = {\n  key: k,\n  rejectUnauthorized: false\n};\nhttps.createServer(told, app);\n",
            "the server asks no client for a certificate",
        ),
        (
            "src/serve.js",
            "const told = {\n  key: k,\n  rejectUnauthorized: false\n};\nhttps.request(told, app);\n",
            "",
        ),
        (
            "src/sock.py",
            "import ssl\ndef wrap(s, given=None):\n    c = ssl.SSLContext()\n    c.verify_mode = ssl.CERT_NONE\n",
            "",
        ),
        (
            "src/login.py",
            "import random\ndef login(password):\n    session = {'token': random.randint(0, 10**9)}\n",
            "",
        ),
        (
            "src/a.py",
            "import random\ndef new_password():\n    return ''.join(random.choice(A) for _ in range(9))\n",
            "",
        ),
        (
            "src/oauth.py",
            "import random\ndef code_verifier():\n    length = random.randint(33, 96)\n    return secret_of(length)\n",
            "it is a length or a position, not the secret itself",
        ),
        (
            "src/session.cpp",
            (
                "#include <random>\nstd::string newSessionToken() {\n    std::mt19937 gen(time(nullptr));\n"
                "    return drawn(gen);\n}\n"
            ),
            "",
        ),
        (
            "src/list.php",
            "<?php\nfunction signature($user, $token) {\n  $signature = sha1($user->name());\n  return $signature;\n}\n",
            "nothing secret is hashed",
        ),
        (
            "src/list.php",
            "<?php\nfunction signature($user, $secret) {\n  return sha1($user->name() . $secret);\n}\n",
            "",
        ),
        ("src/a.php", "<?php\nfunction csrf() {\n  $csrf_token = sha1(microtime());\n  return $csrf_token;\n}\n", ""),
        (
            "src/driver.php",
            "<?php\nfunction driver($user, $pass) {\n  $token = md5(serialize([$user, $pass]));\n  return $token;\n}\n",
            "it is the key of something kept in memory",
        ),
        (
            "src/cli.py",
            "import jwt\ndef expires(token):\n    return jwt.decode(token, options={'verify_signature': False})['exp']\n",
            "it is read by the client that was given it, and no request depends on it",
        ),
        (
            "src/tokens.py",
            "import jwt\ndef claims_of(text):\n    return jwt.decode(text, options={'verify_signature': False})\n",
            "",
        ),
        (
            "src/A.java",
            (
                "class A { void a(Answer answer) {\n  String weak = String.valueOf(Math.random());\n"
                '  answer.add(new Cookie("auth", weak));\n} }\n'
            ),
            "",
        ),
        (
            "src/web.py",
            (
                "import jwt\ndef user(request):\n"
                "    return jwt.decode(request.token, options={'verify_signature': False})['sub']\n"
            ),
            "",
        ),
        (
            "src/vault.py",
            (
                "import hmac\ndef decrypt(data, key, secret):\n    tag = hmac.new(key, data).digest()\n"
                "    if tag != data.hmac:\n        raise ValueError(secret)\n"
            ),
            "it is compared in data read from a file, where nobody can time it",
        ),
        (
            "src/hook.py",
            (
                "import hmac\ndef is_signed(request, key, secret):\n    tag = hmac.new(key, request.body).hexdigest()\n"
                "    return tag == request.headers['X-Signature']\n"
            ),
            "",
        ),
        (
            "src/backend.c",
            "#include <openssl/evp.h>\nvoid init_providers(struct lib *l) { open_it(&l->h, EVP_aes_128_ecb()); }\n",
            "a library or a protocol offers it to others",
        ),
        (
            "src/backend.c",
            (
                "#include <openssl/evp.h>\nint encrypt_cookie(EVP_CIPHER_CTX *c, const unsigned char *k) {\n"
                "    return EVP_EncryptInit_ex(c, EVP_aes_128_ecb(), NULL, k, NULL);\n}\n"
            ),
            "",
        ),
        (
            "src/http.py",
            "import requests\ndef discover(host):\n    return requests.get(host, verify=False)\n",
            "it only asks who is there, before anything is known",
        ),
        ("src/http.py", "import requests\ndef fetch(host):\n    return requests.get(host, verify=False)\n", ""),
        (
            "src/aeskw.ts",
            "function wrap(key) {\n  return createCipheriv('id-aes128-wrap', key, Buffer.alloc(8, 0xa6))\n}\n",
            "it wraps a key, and the standard fixes the initial value",
        ),
        (
            "src/WebSocketClient.js",
            (
                "function connect(secret) {\n  const nonce = Buffer.alloc(16);\n  for (let i = 0; i < 16; i++) {\n"
                "    nonce[i] = Math.round(Math.random() * 255);\n  }\n  this.nonce = nonce;\n}\n"
            ),
            "it is the handshake of a WebSocket, which keeps nobody out",
        ),
        (
            "src/unsecured.ts",
            "import jose from 'jose'\nclass UnsecuredJWT {\n  encode() {\n    return sign({ alg: 'none' })\n  }\n}\n",
            "it is offered under its own name",
        ),
        (
            "src/tokens.py",
            (
                "import jwt\ndef owner(token, request):\n"
                "    unverified_claims = jwt.decode(token, options={'verify_signature': False})\n"
                "    return self.callback(unverified_claims, request)\n"
            ),
            "the token is only read first, as the variable's name says",
        ),
        (
            "src/background.js",
            "function keep(login, secret) {\n  recent[sha1(origin + sha1(login.secret))] = 1;\n}\n",
            "it is a position in a table",
        ),
        (
            "spannertest/server.go",
            (
                'package spannertest\n\nimport "math/rand"\n\nfunc newSession() string {\n\tvar b [8]byte\n'
                '\trand.Read(b[:])\n\treturn fmt.Sprintf("%x", b)\n}\n'
            ),
            "its folder or file says that it is made for tests",
        ),
        (
            "src/ssl/Strategy.java",
            (
                "class Strategy {\n  public static final X509HostnameVerifier ALLOW_ALL_HOSTNAME_VERIFIER =\n"
                "      new AllowAllHostnameVerifier();\n}\n"
            ),
            "it is offered under its own name",
        ),
        (
            "src/client.go",
            (
                'package a\n\nimport "crypto/sha1"\n\nfunc (c Client) createSignature(body string) string {\n'
                '\th := sha1.Sum([]byte(c.apiKey + body))\n\treturn fmt.Sprintf("%x", h)\n}\n'
            ),
            "the service that it calls demands it",
        ),
        (
            "src/progress.go",
            (
                'package a\n\nimport "math/rand"\n\nfunc (w *work) start() {\n\ttoken := strconv.FormatInt(rand.Int63(), 10)\n'
                "\tw.Progress(token)\n}\n"
            ),
            "it only tells tasks apart",
        ),
        (
            "src/defaults.py",
            (
                "import random\ndef new_private_key():\n"
                '    """This is not a secure way to make keys."""\n'
                "    secret_key = bytes(random.randint(0, 255) for _ in range(32))\n    return secret_key\n"
            ),
            "known to be weak, as a comment on the function says",
        ),
        (
            "src/handlers.py",
            "import hashlib\ndef _calc_checksum(self, secret):\n    return hashlib.md5(self.salt + secret).hexdigest()\n",
            "it is one of many password formats that others chose",
        ),
        (
            "src/webcrypto.js",
            (
                "class DesCrypto {\n  encryptDesCBC(key, iv, data) {\n"
                "    return crypto.createCipheriv('des-cbc', key, iv).update(data);\n  }\n}\n"
            ),
            "the class exists for those who ask for that cipher",
        ),
        (
            "src/login.js",
            (
                "const jwt = require('jsonwebtoken');\nasync function complete(code) {\n"
                "  const tokens = await tokensFromAuthorizationCode(code);\n"
                "  return { user: jwt.decode(tokens.id_token, { json: true }) };\n}\n"
            ),
            "the code was just handed this token, over a connection that was verified",
        ),
        (
            "src/auth.py",
            (
                "class LoginHandler(RequestHandler):\n    def get(self):\n"
                "        next_url = checked(self.get_argument('next', None))\n"
                "        self.set_cookie('next_url', next_url)\n"
                "        self.write(self._login_template.render(user=None))\n"
            ),
            "it only keeps where a visitor wanted to go",
        ),
        (
            "lib/extractor/tv.py",
            "import hashlib\ndef signed(path, secret):\n    signature = hashlib.md5((path + secret).encode()).hexdigest()\n    return signature\n",
            "the service that it calls demands it",
        ),
        (
            "src/bip38.py",
            (
                "from Crypto.Cipher import AES\ndef bip38_encrypt(seed, key):\n"
                "    return AES.new(key, AES.MODE_ECB).encrypt(seed)\n"
            ),
            "the standard that the file or function is named after demands it",
        ),
        (
            "src/link.py",
            (
                "import ssl\ndef connect(certhash):\n    context = ssl.create_default_context()\n"
                "    context.verify_mode = ssl.CERT_NONE\n    return Link(context, certhash)\n"
            ),
            "the certificate is checked by hand",
        ),
        (
            "src/ec.c",
            (
                "int nid_of(heim_oid *oid) {\n    if (cmp(oid, P256) == 0)\n\treturn NID_p256;\n#ifdef NID_secp160r1\n"
                "    else if (cmp(oid, EC_GROUP_SECP160R1) == 0)\n\treturn NID_secp160r1;\n#endif\n"
                "    return NID_undef;\n}\n"
            ),
            "it is a list of the known curves",
        ),
        (
            "src/build.py",
            "import logging\nOPTIONS.verify = False\nOPTIONS.patch_threshold = 0.95\n",
            "nothing in this file opens a connection",
        ),
        (
            "src/kdbx/common.py",
            (
                "import hashlib\ndef key_of(password=None):\n"
                "    return hashlib.sha256(password.encode('utf-8')).digest()\n"
            ),
            "the file format fixes how keys are locked",
        ),
        (
            "layers/tacacs.py",
            "import hashlib\ndef pad(secret, seq):\n    msg = hashlib.md5(secret.encode() + seq)\n    return msg.digest()\n",
            "the protocol is older than today's ciphers and demands it",
        ),
        (
            "src/curves.py",
            "from ecc import CurveID\nNAMED = (CurveID.P192, CurveID.P224, CurveID.P256)\n",
            "it is a list of the known curves",
        ),
        (
            "src/ccm.py",
            "from Crypto.Cipher import AES\ndef start(self, key):\n    self._mac = AES.new(key, AES.MODE_CBC, iv=b'\\x00' * 16)\n",
            "it is a building block of a larger construction",
        ),
        (
            "src/key.py",
            ("import hashlib\ndef bytes_to_key(password, salt):\n    return hashlib.md5(password + salt).digest()\n"),
            "the file format fixes how keys are locked",
        ),
        (
            "src/mic.c",
            (
                "#include <openssl/hmac.h>\nint check_mic(struct key_header *k, u_char *mic) {\n"
                "  u_char hmac_mic[16];\n  HMAC(EVP_sha1(), k->kck, 16, k->data, k->len, hmac_mic, NULL);\n"
                "  return memcmp(mic, hmac_mic, 16);\n}\n"
            ),
            "nothing shows that a stranger can try it again and again",
        ),
    ],
)
def test_what_was_seldom_right_in_code_that_lies_there_is_only_logged_there(path: str, text: str, reason: str) -> None:
    assert rests(path, text) == [reason]


def test_a_mark_for_another_tool_says_that_somebody_let_it_stand() -> None:
    text = "import hashlib\ndef old(password):\n    return hashlib.md5(password).hexdigest(){mark}\n"
    assert rests("src/a.py", text.format(mark="  # noqa: S324")) == ["let stand before, by a mark for another tool"]
    assert rests("src/a.py", text.format(mark="  # noqa: E501")) == [""]


def test_a_file_that_knows_many_ways_to_keep_a_password_has_them_for_others() -> None:
    ways = "".join(
        f"def {name}_passwd(password, salt):\n    return hashlib.{name}(salt + password).hexdigest()\n\n"
        for name in ("md5", "sha1")
    )
    some = f"import hashlib\n\n{ways}"
    assert rests("src/accounts.py", some) == ["", ""]
    many = some + ways.replace("_passwd", "_old_passwd")
    assert set(rests("src/accounts.py", many)) == {"one of the ways to keep a password that the file knows"}


def test_what_is_said_with_others_lies_quiet_only_if_all_of_them_do() -> None:
    text = (
        "import jwt\ndef user(request, token):\n"
        "    kind = jwt.decode(token, options={'verify_signature': False})\n"
        "    return kind, jwt.decode(request.token, options={'verify_signature': False})['sub']\n"
    )
    assert rests("src/web.py", text) == [""]
