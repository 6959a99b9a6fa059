"""SW-75: broken ciphers and ECB in every library's spelling, beside what puts them right."""

from __future__ import annotations

import pytest

from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.source.syntax import parse


def kinds(language: str, code: str, path: str = "src/code") -> list[str]:
    tree = parse(code, language)
    assert tree is not None
    return [weakness.kind for weakness in find_weak_crypto(tree, path)]


PAIRS = [
    ("python", "from x.algorithms import ARC4\nc = Cipher(ARC4(key), mode=None)", "from x.algorithms import AES\nc = Cipher(AES(key), mode=mode)"),
    ("cpp", 'void f() { auto e = Botan::Cipher_Mode::create("DES/CBC", E); }', 'void f() { auto e = Botan::Cipher_Mode::create("AES-256/GCM", E); }'),
    ("python", "from Crypto.Cipher import DES\nc = DES.new(key, DES.MODE_CBC, iv)", "from Crypto.Cipher import AES\nc = AES.new(key, AES.MODE_GCM)"),
    ("python", "c = ARC4.new(key)", "c = ChaCha20_Poly1305.new(key=key)"),
    ("python", "c = Cipher(algorithms.TripleDES(key), modes.CBC(iv))", "c = Cipher(algorithms.AES(key), modes.GCM(nonce))"),
    ("python", "c = Cipher(algorithms.AES(key), modes.ECB())", "c = Cipher(algorithms.AES(key), modes.CTR(nonce))"),
    ("python", "from cryptography.hazmat.primitives.ciphers.modes import ECB\nmode = ECB()", "from cryptography.hazmat.primitives.ciphers.modes import CTR\nmode = CTR(nonce)"),
    ("python", "c = AES.new(key, AES.MODE_ECB)", "c = AES.new(key, AES.MODE_EAX)"),
    ("javascript", "const c = crypto.createCipheriv('des-ede3-cbc', key, iv);", "const c = crypto.createCipheriv('aes-256-gcm', key, iv);"),
    ("javascript", "const alg = 'aes-128-ecb'; const c = crypto.createCipheriv(alg, key, null);", "const alg = 'aes-128-gcm'; const c = crypto.createCipheriv(alg, key, iv);"),
    ("javascript", "const c = CryptoJS.DES.encrypt(data, key);", "const c = CryptoJS.AES.encrypt(data, key, { iv });"),
    ("javascript", "CryptoJS.AES.encrypt(data, key, { mode: CryptoJS.mode.ECB });", "CryptoJS.AES.encrypt(data, key, { mode: CryptoJS.mode.CBC, iv });"),
    ("javascript", "const crypto = require('crypto'); const c = crypto.createCipher('aes-256-cbc', pw);", "const crypto = require('crypto'); const c = crypto.createCipheriv('aes-256-cbc', key, iv);"),
    ("typescript", "const c = createCipheriv('rc4', key, '');", "const c = createCipheriv('chacha20-poly1305', key, nonce);"),
    ("go", 'package a\nimport "crypto/des"\nfunc f(k []byte) { b, _ := des.NewCipher(k); _ = b }', 'package a\nimport "crypto/aes"\nfunc f(k []byte) { b, _ := aes.NewCipher(k); _ = b }'),
    ("go", "package a\nfunc f(k []byte) { c, _ := rc4.NewCipher(k); c.XORKeyStream(d, s) }", "package a\nfunc f(k []byte) { b, _ := aes.NewCipher(k); g, _ := cipher.NewGCM(b); _ = g }"),
    ("go", "package a\nfunc f(k, d, s []byte) {\n\tblock, _ := aes.NewCipher(k)\n\tblock.Encrypt(d, s)\n}", "package a\nfunc f(k, d, s []byte) {\n\tblock, _ := aes.NewCipher(k)\n\tg, _ := cipher.NewGCM(block)\n\tg.Seal(d, n, s, nil)\n}"),
    ("java", 'class A { void f() { Cipher c = Cipher.getInstance("DES/CBC/PKCS5Padding"); } }', 'class A { void f() { Cipher c = Cipher.getInstance("AES/GCM/NoPadding"); } }'),
    ("java", 'class A { void f() { Cipher c = Cipher.getInstance("AES"); } }', 'class A { void f() { Cipher c = Cipher.getInstance("RSA/ECB/OAEPWithSHA-256AndMGF1Padding"); } }'),
    ("java", 'class A { static final String T = "AES/ECB/PKCS5Padding"; void f() { Cipher.getInstance(T); } }', 'class A { static final String T = "AES/GCM/NoPadding"; void f() { Cipher.getInstance(T); } }'),
    ("java", 'class A { void f() { KeyGenerator g = KeyGenerator.getInstance("Blowfish"); } }', 'class A { void f() { KeyGenerator g = KeyGenerator.getInstance("AES"); } }'),
    ("kotlin", 'fun f() { val c = Cipher.getInstance("DESede/CBC/PKCS5Padding") }', 'fun f() { val c = Cipher.getInstance("AES/GCM/NoPadding") }'),
    ("csharp", "class A { void F() { var d = new DESCryptoServiceProvider(); } }", "class A { void F() { var d = new AesGcm(key); } }"),
    ("csharp", "class A { void F(Aes a) { a.Mode = CipherMode.ECB; } }", "class A { void F(Aes a) { a.Mode = CipherMode.CBC; } }"),
    ("csharp", "class A { void F() { var t = TripleDES.Create(); } }", "class A { void F() { var t = Aes.Create(); } }"),
    ("php", "<?php $c = openssl_encrypt($d, 'des-ecb', $k);", "<?php $c = openssl_encrypt($d, 'aes-256-gcm', $k, 0, $iv, $tag);"),
    ("php", "<?php $c = mcrypt_encrypt(MCRYPT_BLOWFISH, $k, $d, MCRYPT_MODE_CBC);", "<?php $c = sodium_crypto_secretbox($d, $n, $k);"),
    ("ruby", "c = OpenSSL::Cipher.new('des-cbc')", "c = OpenSSL::Cipher.new('aes-256-gcm')"),
    ("ruby", "c = OpenSSL::Cipher.new('aes-128-ecb')", "c = OpenSSL::Cipher.new('aes-128-cbc')"),
    ("rust", "fn f() { let c = Cipher::aes_128_ecb(); }", "fn f() { let c = Cipher::aes_256_gcm(); }"),
    ("rust", "fn f() { let c = Cipher::des_cbc(); }", "fn f() { let c = Aes256Gcm::new(&key); }"),
    ("c", "void f() { EVP_EncryptInit_ex(ctx, EVP_des_cbc(), NULL, key, iv); }", "void f() { EVP_EncryptInit_ex(ctx, EVP_aes_256_gcm(), NULL, key, iv); }"),
    ("c", "void f() { EVP_EncryptInit_ex(ctx, EVP_aes_128_ecb(), NULL, key, NULL); }", "void f() { EVP_EncryptInit_ex(ctx, EVP_aes_128_cbc(), NULL, key, iv); }"),
    ("c", "void f() { DES_ecb_encrypt(&in, &out, &ks, DES_ENCRYPT); }", "void f() { AES_cbc_encrypt(in, out, n, &ks, iv, AES_ENCRYPT); }"),
    ("c", "void f() { RC4_set_key(&k, 16, data); }", "void f() { EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new(); }"),
    ("c", "void f() { CryptDeriveKey(p, CALG_DES, h, 0, &k); }", "void f() { CryptDeriveKey(p, CALG_AES_256, h, 0, &k); }"),
    ("cpp", "void f() { CryptoPP::ECB_Mode<CryptoPP::AES>::Encryption e; }", "void f() { CryptoPP::GCM<CryptoPP::AES>::Encryption e; }"),
    ("cpp", "void f() { CBC_Mode<AES>::Encryption ok; DES_EDE2::Encryption e(key); }", "void f() { CBC_Mode<AES>::Encryption ok; }"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "weak", "fixed"), PAIRS)
def test_weak_and_fixed(language: str, weak: str, fixed: str) -> None:
    assert {"weak cipher", "ECB mode", "key from a password without salt"} & set(kinds(language, weak))
    assert not {"weak cipher", "ECB mode", "key from a password without salt"} & set(kinds(language, fixed))


SILENT = [
    ("python", "# AES.MODE_ECB is what we must not use\nx = 'MODE_ECB'"),
    ("python", "T = Cipher[typing.Union[modes.CBC, modes.ECB, None]]"),
    ("python", "cipher = settings.CIPHER\nc = Cipher.new(cipher)"),
    ("javascript", "describe('designs', () => { const desk = design.create('des'); });"),
    ("javascript", "const c = crypto.createCipheriv(algorithm, key, iv);"),
    ("java", 'class A { void f() { Cipher.getInstance("RSA/ECB/PKCS1Padding"); } }'),
    ("java", "class A { void f(String t) { Cipher.getInstance(t); } }"),
    ("c", "int des_count(void) { return 0; }\nvoid f() { des_count(); }"),
    ("go", "package a\nfunc f() { idea.Create(); seed.New() }"),
    ("ruby", "cast = Movie.cast.new(params)"),
    ("cpp", "void f() { auto x = static_cast<int>(y); }"),
    ("php", "<?php $c = openssl_encrypt($d, $method, $k);"),
    ("rust", "fn f() { let d = Description::new(); }"),
]


@pytest.mark.parametrize(("language", "code"), SILENT)
def test_stays_silent(language: str, code: str) -> None:
    assert not {"weak cipher", "ECB mode"} & set(kinds(language, code))
