"""Keys, salts and IVs in the source, and drawn at random."""

from __future__ import annotations

import pytest

from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.source.syntax import parse


def kinds(language: str, code: str, path: str = "src/code") -> list[str]:
    tree = parse(code, language)
    assert tree is not None
    return [weakness.kind for weakness in find_weak_crypto(tree, path)]


PAIRS = [
    ("python", "iv = b'x' * AES.block_size\nc = AES.new(key, AES.MODE_CBC, iv)", "iv = os.urandom(AES.block_size)\nc = AES.new(key, AES.MODE_CBC, iv)"),
    ("go", "package a\nfunc f(b cipher.Block) {\n\tiv := make([]byte, b.BlockSize())\n\tcipher.NewCBCEncrypter(b, iv)\n}", "package a\nfunc f(b cipher.Block) {\n\tiv := make([]byte, b.BlockSize())\n\tio.ReadFull(rand.Reader, iv)\n\tcipher.NewCBCEncrypter(b, iv)\n}"),
    ("python", "iv = b'\\0' * 16\nc = AES.new(key, AES.MODE_CBC, iv)", "iv = os.urandom(16)\nc = AES.new(key, AES.MODE_CBC, iv)"),
    ("python", "c = Cipher(algorithms.AES(key), modes.CBC(b'0123456789abcdef'))", "c = Cipher(algorithms.AES(key), modes.CBC(os.urandom(16)))"),
    ("python", "d = hashlib.pbkdf2_hmac('sha256', pw, b'salt', 600000)", "d = hashlib.pbkdf2_hmac('sha256', pw, os.urandom(16), 600000)"),
    ("python", "t = jwt.encode(p, 's3cr3t-of-the-app', algorithm='HS256')", "t = jwt.encode(p, os.environ['KEY'], algorithm='HS256')"),
    ("python", "m = hmac.new(b'hard-coded', body, 'sha256')", "m = hmac.new(key, body, 'sha256')"),
    ("python", "KEY = b'sixteen byte key'\nc = AES.new(KEY, AES.MODE_GCM)", "KEY = os.environ['KEY'].encode()\nc = AES.new(KEY, AES.MODE_GCM)"),
    ("javascript", "const iv = Buffer.alloc(16); const c = crypto.createCipheriv('aes-256-cbc', key, iv);", "const iv = crypto.randomBytes(16); const c = crypto.createCipheriv('aes-256-cbc', key, iv);"),
    ("javascript", "const k = crypto.scryptSync(pw, 'salt', 32);", "const k = crypto.scryptSync(pw, crypto.randomBytes(16), 32);"),
    ("javascript", "const iv = '1234567890123456'; crypto.createCipheriv(a, key, Buffer.from(iv));", "const iv = randomBytes(16); crypto.createCipheriv(a, key, Buffer.from(iv));"),
    ("javascript", "const t = jwt.sign(p, 'shhhhh');", "const t = jwt.sign(p, process.env.SECRET);"),
    ("go", 'package a\nfunc f(b cipher.Block) {\n\tiv := []byte("0123456789abcdef")\n\tcipher.NewCBCEncrypter(b, iv)\n}', "package a\nfunc f(b cipher.Block) {\n\tiv := make([]byte, 16)\n\trand.Read(iv)\n\tcipher.NewCBCEncrypter(b, iv)\n}"),
    ("go", "package a\nfunc f() {\n\tnonce := make([]byte, 12)\n\tgcm.Seal(nil, nonce, p, nil)\n}", "package a\nfunc f() {\n\tnonce := make([]byte, 12)\n\tio.ReadFull(rand.Reader, nonce)\n\tgcm.Seal(nil, nonce, p, nil)\n}"),
    ("java", 'class A { void f() { new IvParameterSpec("0123456789abcdef".getBytes()); } }', "class A { void f() { byte[] iv = new byte[16];\n r.nextBytes(iv);\n new IvParameterSpec(iv); } }"),
    ("java", "class A { void f() { byte[] iv = new byte[16]; new IvParameterSpec(iv); } }", "class A { void f(byte[] iv) { new IvParameterSpec(iv); } }"),
    ("java", 'class A { void f() { new SecretKeySpec("0123456789abcdef".getBytes(), "AES"); } }', 'class A { void f(byte[] k) { new SecretKeySpec(k, "AES"); } }'),
    ("kotlin", "fun f() { val iv = ByteArray(16)\n val s = IvParameterSpec(iv) }", "fun f() { val iv = ByteArray(16)\n SecureRandom().nextBytes(iv)\n val s = IvParameterSpec(iv) }"),
    ("csharp", "class A { void F(Aes aes) { aes.IV = new byte[16]; } }", "class A { void F(Aes aes) { aes.GenerateIV(); } }"),
    ("php", "<?php $iv = '1234567890123456'; openssl_encrypt($d, 'aes-256-cbc', $k, 0, $iv);", "<?php $iv = random_bytes(16); openssl_encrypt($d, 'aes-256-cbc', $k, 0, $iv);"),
    ("ruby", "cipher.iv = '0' * 16", "cipher.iv = cipher.random_iv"),
    ("c", 'void f() { unsigned char iv[] = "0123456789012345"; EVP_EncryptInit_ex(ctx, EVP_aes_256_cbc(), NULL, key, iv); }', "void f() { unsigned char iv[16];\n RAND_bytes(iv, 16);\n EVP_EncryptInit_ex(ctx, EVP_aes_256_cbc(), NULL, key, iv); }"),
    ("cpp", "void f() { unsigned char iv[16] = {0}; EVP_EncryptInit_ex(ctx, EVP_aes_256_cbc(), nullptr, key, iv); }", "void f() { unsigned char iv[16] = {0};\n RAND_bytes(iv, 16);\n EVP_EncryptInit_ex(ctx, EVP_aes_256_cbc(), nullptr, key, iv); }"),
    ("go", 'package a\nvar key = []byte("my-secret-key")\nfunc f(t *jwt.Token) (string, error) { return t.SignedString(key) }', 'package a\nvar key = []byte(os.Getenv("KEY"))\nfunc f(t *jwt.Token) (string, error) { return t.SignedString(key) }'),
    ("javascript", "const JWT_SECRET = process.env.JWT_SECRET || 'dev-secret';", "const JWT_SECRET = process.env.JWT_SECRET || fail();"),
    ("javascript", "app.use(session({ secret: process.env.SESSION_SECRET ?? 'keyboard cat' }));", "app.use(session({ secret: process.env.SESSION_SECRET }));"),
    ("python", 'SECRET_KEY = os.environ.get("SECRET_KEY", "dev-secret")', 'SECRET_KEY = os.environ["SECRET_KEY"]'),
    ("javascript", "const t = jwt.sign(p, process.env.JWT_SECRET || 'dev-secret');", "const t = jwt.sign(p, process.env.JWT_SECRET);"),
    ("javascript", "const k = process.env.JWT_SECRET ?? 'supersecret123';", "const k = process.env.MODE ?? 'supersecret123';"),
    ("python", "t = jwt.encode(p, os.getenv('KEY') or 'dev', algorithm='HS256')", "t = jwt.encode(p, os.getenv('KEY'), algorithm='HS256')"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "weak", "fixed"), PAIRS)
def test_weak_and_fixed(language: str, weak: str, fixed: str) -> None:
    assert "fixed key material" in kinds(language, weak)
    assert "fixed key material" not in kinds(language, fixed)


SILENT = [
    ("c", "void f(char *p) { char salt[3]; salt[0] = draw(); salt[2] = '\\0'; crypt(p, salt); }"),
    ("python", "def f(key, iv):\n    return AES.new(key, AES.MODE_CBC, iv)"),
    ("python", "iv = data[:16]\nc = AES.new(key, AES.MODE_CBC, iv)"),
    ("python", "t = jwt.encode(p, 'your-secret-here', algorithm='HS256')"),
    ("python", "salt = bcrypt.gensalt()\nh = bcrypt.hashpw(pw, salt)"),
    ("python", "cache.iv = 'iv'"),
    ("javascript", "const k = crypto.scryptSync(pw, user.salt, 32);"),
    ("javascript", "const m = crypto.createHmac('sha256', key);"),
    ("go", "package a\nfunc f(b cipher.Block, iv []byte) { cipher.NewCBCDecrypter(b, iv) }"),
    ("java", "class A { void f(byte[] iv) { new GCMParameterSpec(128, iv); } }"),
    ("php", "<?php openssl_encrypt($d, 'aes-256-gcm', $k, 0, $iv, $tag);"),
    ("ruby", "user.key = 'name'"),
    ("c", "void f(unsigned char *iv) { EVP_EncryptInit_ex(ctx, EVP_aes_256_cbc(), NULL, key, iv); }"),
]


@pytest.mark.parametrize(("language", "code"), SILENT)
def test_stays_silent(language: str, code: str) -> None:
    assert "fixed key material" not in kinds(language, code)
