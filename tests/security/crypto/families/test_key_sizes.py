"""SW-77: keys below 2048, 224 and 128 bits; password hashing that is too fast; short tokens."""

from __future__ import annotations

import pytest

from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.source.syntax import parse


def kinds(language: str, code: str, path: str = "src/code") -> list[str]:
    tree = parse(code, language)
    assert tree is not None
    return [weakness.kind for weakness in find_weak_crypto(tree, path)]


PAIRS = [
    ("python", "k = RSA.gen_key(1024, 65537)", "k = RSA.gen_key(2048, 65537)"),
    ("python", "k = rsa.generate_private_key(public_exponent=65537, key_size=1024)", "k = rsa.generate_private_key(public_exponent=65537, key_size=2048)"),
    ("python", "k = RSA.generate(1024)", "k = RSA.generate(3072)"),
    ("python", "bits = 1024\nk = DSA.generate(bits)", "bits = 2048\nk = DSA.generate(bits)"),
    ("python", "k = ec.generate_private_key(ec.SECP192R1())", "k = ec.generate_private_key(ec.SECP256R1())"),
    ("javascript", "crypto.generateKeyPairSync('rsa', { modulusLength: 1024 });", "crypto.generateKeyPairSync('rsa', { modulusLength: 2048 });"),
    ("javascript", "const k = new NodeRSA({ b: 512 });", "const k = new NodeRSA({ b: 2048 });"),
    ("go", "package a\nfunc f() { k, _ := rsa.GenerateKey(rand.Reader, 1024); _ = k }", "package a\nfunc f() { k, _ := rsa.GenerateKey(rand.Reader, 2048); _ = k }"),
    ("java", 'class A { void f() { KeyPairGenerator g = KeyPairGenerator.getInstance("RSA"); g.initialize(1024); } }', 'class A { void f() { KeyPairGenerator g = KeyPairGenerator.getInstance("RSA"); g.initialize(2048); } }'),
    ("java", 'class A { void f() { KeyPairGenerator g = KeyPairGenerator.getInstance("EC"); g.initialize(192); } }', 'class A { void f() { KeyPairGenerator g = KeyPairGenerator.getInstance("EC"); g.initialize(256); } }'),
    ("java", 'class A { void f() { KeyGenerator g = KeyGenerator.getInstance("AES"); g.init(64); } }', 'class A { void f() { KeyGenerator g = KeyGenerator.getInstance("AES"); g.init(128); } }'),
    ("kotlin", 'fun f() { val g = KeyPairGenerator.getInstance("RSA")\n g.initialize(512) }', 'fun f() { val g = KeyPairGenerator.getInstance("RSA")\n g.initialize(4096) }'),
    ("csharp", "class A { void F() { var r = new RSACryptoServiceProvider(1024); } }", "class A { void F() { var r = new RSACryptoServiceProvider(2048); } }"),
    ("php", "<?php $k = openssl_pkey_new(['private_key_bits' => 1024]);", "<?php $k = openssl_pkey_new(['private_key_bits' => 2048]);"),
    ("ruby", "k = OpenSSL::PKey::RSA.new(1024)", "k = OpenSSL::PKey::RSA.new(2048)"),
    ("rust", "fn f() { let k = RsaPrivateKey::new(&mut rng, 1024); }", "fn f() { let k = RsaPrivateKey::new(&mut rng, 2048); }"),
    ("c", "#define BITS 1024\nvoid f() { RSA_generate_key_ex(rsa, BITS, e, NULL); }", "#define BITS 2048\nvoid f() { RSA_generate_key_ex(rsa, BITS, e, NULL); }"),
    ("c", "void f() { EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, 512); }", "void f() { EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, 2048); }"),
    ("cpp", "void f() { key.GenerateRandomWithKeySize(rng, 1024); InvertibleRSAFunction p; p.GenerateRandomWithKeySize(rng, 1024); auto k = RSA_generate_key(1024, 3, 0, 0); }", "void f() { auto k = RSA_generate_key(2048, 65537, 0, 0); }"),
    ("python", "d = hashlib.pbkdf2_hmac('sha256', pw, salt, 1000)", "d = hashlib.pbkdf2_hmac('sha256', pw, salt, 600_000)"),
    ("python", "k = PBKDF2HMAC(algorithm=h, length=32, salt=salt, iterations=1000)", "k = PBKDF2HMAC(algorithm=h, length=32, salt=salt, iterations=480000)"),
    ("python", "from Crypto.Protocol.KDF import PBKDF2\nk = PBKDF2(pw, salt, 64, 1000)", "from Crypto.Protocol.KDF import PBKDF2\nk = PBKDF2(pw, salt, 64, 600_000)"),
    ("javascript", "crypto.pbkdf2Sync(pw, salt, 1000, 64, 'sha512');", "crypto.pbkdf2Sync(pw, salt, 210000, 64, 'sha512');"),
    ("go", "package a\nfunc f() { k := pbkdf2.Key(pw, salt, 4096, 32, sha256.New); _ = k }", "package a\nfunc f() { k := pbkdf2.Key(pw, salt, 600000, 32, sha256.New); _ = k }"),
    ("java", "class A { void f() { new PBEKeySpec(pw, salt, 1000, 256); } }", "class A { void f() { new PBEKeySpec(pw, salt, 310000, 256); } }"),
    ("csharp", "class A { void F() { var d = new Rfc2898DeriveBytes(pw, salt, 1000); } }", "class A { void F() { var d = new Rfc2898DeriveBytes(pw, salt, 600000); } }"),
    ("c", "void f() { PKCS5_PBKDF2_HMAC(pw, n, salt, 16, 1000, EVP_sha256(), 32, out); }", "void f() { PKCS5_PBKDF2_HMAC(pw, n, salt, 16, 600000, EVP_sha256(), 32, out); }"),
    ("python", "h = bcrypt.hashpw(pw, bcrypt.gensalt(rounds=4))", "h = bcrypt.hashpw(pw, bcrypt.gensalt(rounds=12))"),
    ("javascript", "const h = await bcrypt.hash(pw, 5);", "const h = await bcrypt.hash(pw, 12);"),
    ("go", "package a\nfunc f() { h, _ := bcrypt.GenerateFromPassword(pw, bcrypt.MinCost); _ = h }", "package a\nfunc f() { h, _ := bcrypt.GenerateFromPassword(pw, bcrypt.DefaultCost); _ = h }"),
    ("php", "<?php $h = password_hash($p, PASSWORD_BCRYPT, ['cost' => 4]);", "<?php $h = password_hash($p, PASSWORD_BCRYPT, ['cost' => 12]);"),
    ("ruby", "h = BCrypt::Password.create(pw, cost: 4)", "h = BCrypt::Password.create(pw, cost: 12)"),
    ("python", "d = hashlib.scrypt(pw, salt=salt, n=1024, r=8, p=1)", "d = hashlib.scrypt(pw, salt=salt, n=2**15, r=8, p=1)"),
    ("javascript", "crypto.scryptSync(pw, salt, 32, { N: 1024 });", "crypto.scryptSync(pw, salt, 32, { N: 1 << 15 });"),
    ("go", "package a\nfunc f() { k, _ := scrypt.Key(pw, salt, 1024, 8, 1, 32); _ = k }", "package a\nfunc f() { k, _ := scrypt.Key(pw, salt, 32768, 8, 1, 32); _ = k }"),
    ("python", "def reset_token():\n    return secrets.token_hex(4)", "def reset_token():\n    return secrets.token_hex(32)"),
    ("javascript", "const sessionToken = crypto.randomBytes(4).toString('hex');", "const sessionToken = crypto.randomBytes(32).toString('hex');"),
    ("python", "c = AES.new(b'8bytekey', AES.MODE_GCM)", "c = AES.new(get_random_bytes(32), AES.MODE_GCM)"),
]  # fmt: skip
SIZES = {"short key", "fast password hash", "short token"}


@pytest.mark.parametrize(("language", "weak", "fixed"), PAIRS)
def test_weak_and_fixed(language: str, weak: str, fixed: str) -> None:
    assert SIZES & set(kinds(language, weak))
    assert not SIZES & set(kinds(language, fixed))


SILENT = [
    ("python", "k = RSA.generate(size)"),
    ("python", "img = thumbnail.generate(512)"),
    ("python", "rows = secrets.token_hex(4)"),
    (
        "python",
        "def keep(request):\n    session, secret = request.session, request.secret\n    spare = f'{place}-{os.urandom(6).hex()}.tmp'\n    told(session, secret)\n    return write(spare)",
    ),
    ("javascript", "const h = hash(pw, 5);"),
    ("javascript", "layout({ bits: 8, keySize: 64 });"),
    ("go", "package a\nfunc f() { k := cache.Key(a, b, 10) }"),
    ("java", "class A { void f(View v) { v.initialize(640); } }"),
    ("c", "void f() { set_bits(ctx, 512); }"),
    ("java", "class A { KeyGenerator g; void f() { cipher.init(1, key, parameters); } }"),
    ("csharp", "class A { void F() { var r = new RSACryptoServiceProvider(); } }"),
    ("ruby", "x = RSA.new(pem)"),
    ("php", "<?php $k = openssl_pkey_new();"),
    ("python", "n = hashlib.pbkdf2_hmac('sha256', pw, salt, settings.ROUNDS)"),
    ("python", "from Crypto.Protocol.KDF import PBKDF2\nk = PBKDF2(password, salt, 64, rounds)"),
]


@pytest.mark.parametrize(("language", "code"), SILENT)
def test_stays_silent(language: str, code: str) -> None:
    assert not SIZES & set(kinds(language, code))
