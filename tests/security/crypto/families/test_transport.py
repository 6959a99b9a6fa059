"""Connections nobody checks, and those that are."""

from __future__ import annotations

import pytest

from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.source.syntax import parse


def kinds(language: str, code: str, path: str = "src/code") -> list[str]:
    tree = parse(code, language)
    assert tree is not None
    return [weakness.kind for weakness in find_weak_crypto(tree, path)]


PAIRS = [
    ("python", "ctx = ssl._create_stdlib_context()", "ctx = ssl.create_default_context()"),
    ("python", "p = urllib3.PoolManager(cert_reqs='CERT_NONE')", "p = urllib3.PoolManager(cert_reqs='CERT_REQUIRED')"),
    ("python", "c = aiohttp.TCPConnector(ssl=False)", "c = aiohttp.TCPConnector(ssl=context)"),
    ("cpp", "void f() { s.setPeerVerifyMode(QSslSocket::VerifyNone); }", "void f() { s.setPeerVerifyMode(QSslSocket::VerifyPeer); }"),
    ("python", "requests.get(url, verify=False)", "requests.get(url, verify=True)"),
    ("python", "ctx = ssl._create_unverified_context()", "ctx = ssl.create_default_context()"),
    ("python", "ctx.check_hostname = False\nctx.verify_mode = ssl.CERT_NONE", "ctx.check_hostname = True\nctx.verify_mode = ssl.CERT_REQUIRED"),
    ("python", "ctx = ssl.SSLContext(ssl.PROTOCOL_SSLv3)", "ctx = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)"),
    ("python", "ssl._create_default_https_context = ssl._create_unverified_context", "ctx = ssl.create_default_context()"),
    ("python", "client.set_missing_host_key_policy(paramiko.AutoAddPolicy())", "client.set_missing_host_key_policy(paramiko.RejectPolicy())"),
    ("python", "client.set_missing_host_key_policy(AutoAddPolicy)", "client.set_missing_host_key_policy(RejectPolicy)"),
    ("javascript", "const a = new https.Agent({ rejectUnauthorized: false });", "const a = new https.Agent({ rejectUnauthorized: true });"),
    ("javascript", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '1';"),
    ("javascript", "tls.connect({ minVersion: 'TLSv1' });", "tls.connect({ minVersion: 'TLSv1.2' });"),
    ("javascript", "tls.connect({ checkServerIdentity: () => undefined });", "tls.connect({ servername: host });"),
    ("go", "package a\nvar c = &tls.Config{InsecureSkipVerify: true}", "package a\nvar c = &tls.Config{InsecureSkipVerify: false}"),
    ("go", "package a\nvar c = &tls.Config{MinVersion: tls.VersionTLS10}", "package a\nvar c = &tls.Config{MinVersion: tls.VersionTLS12}"),
    ("go", "package a\nvar c = ssh.ClientConfig{HostKeyCallback: ssh.InsecureIgnoreHostKey()}", "package a\nvar c = ssh.ClientConfig{HostKeyCallback: ssh.FixedHostKey(k)}"),
    ("java", 'class A { void f() { SSLContext.getInstance("SSLv3"); } }', 'class A { void f() { SSLContext.getInstance("TLSv1.3"); } }'),
    ("java", "class T implements X509TrustManager { public void checkServerTrusted(X509Certificate[] c, String a) {} }", "class T implements X509TrustManager { public void checkServerTrusted(X509Certificate[] c, String a) { check(c); } }"),
    ("java", "class A { void f() { c.setHostnameVerifier((h, s) -> true); } }", "class A { void f() { c.setHostnameVerifier((h, s) -> h.equals(NAME)); } }"),
    ("kotlin", "fun f() { b.hostnameVerifier { _, _ -> true } }", "fun f() { b.hostnameVerifier(strict) }"),
    ("csharp", "class A { void F() { h.ServerCertificateCustomValidationCallback = (m, c, ch, e) => true; } }", "class A { void F() { h.CheckCertificateRevocationList = true; } }"),
    ("php", "<?php curl_setopt($ch, CURLOPT_SSL_VERIFYPEER, false);", "<?php curl_setopt($ch, CURLOPT_SSL_VERIFYPEER, true);"),
    ("php", "<?php curl_setopt_array($ch, [CURLOPT_SSL_VERIFYPEER => false]);", "<?php curl_setopt_array($ch, [CURLOPT_SSL_VERIFYPEER => true]);"),
    ("php", "<?php $c = new Client(['verify' => false]); // guzzle http", "<?php $c = new Client(['verify' => true]); // guzzle http"),
    ("ruby", "http.verify_mode = OpenSSL::SSL::VERIFY_NONE", "http.verify_mode = OpenSSL::SSL::VERIFY_PEER"),
    ("rust", "fn f() { let c = Client::builder().danger_accept_invalid_certs(true).build(); }", "fn f() { let c = Client::builder().build(); }"),
    ("c", "void f() { curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L); }", "void f() { curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L); }"),
    ("c", "void f() { SSL_CTX_set_verify(ctx, SSL_VERIFY_NONE, NULL); }", "void f() { SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER, NULL); }"),
    ("cpp", "void f() { auto c = SSL_CTX_new(SSLv3_method()); }", "void f() { auto c = SSL_CTX_new(TLS_method()); }"),
    ("csharp", "class A { void F() { ServicePointManager.ServerCertificateValidationCallback += (s, c, ch, e) => true; } }", "class A { void F() { ServicePointManager.ServerCertificateValidationCallback += Check; } }"),
    ("python", "tn = telnetlib.Telnet(host)", "c = paramiko.SSHClient()"),
    ("python", "context = ssl._create_unverified_context()", "context = ssl.create_default_context()"),
    ("python", "def f(u, p):\n    c = imaplib.IMAP4(host)\n    c.login(u, p)", "def f(u, p):\n    c = imaplib.IMAP4(host)\n    c.starttls()\n    c.login(u, p)"),
]  # fmt: skip
OFF = {"unverified connection", "old TLS", "clear text"}


@pytest.mark.parametrize(("language", "weak", "fixed"), PAIRS)
def test_weak_and_fixed(language: str, weak: str, fixed: str) -> None:
    assert OFF & set(kinds(language, weak))
    assert not OFF & set(kinds(language, fixed))


SILENT = [
    ("python", "context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)"),
    ("javascript", "opts.tls.secureProtocol = 'TLSv1_2_method';"),
    ("python", "form.save(verify=False)"),
    ("php", "<?php use GuzzleHttp\\Client; function reorder($tree) { $verify = false; extract($tree); }"),
    ("python", "image.load(path, verify=False)"),
    ("python", "# requests.get(url, verify=False)\nx = 1"),
    ("python", "requests.get(url, verify=ca_bundle)"),
    ("python", "jwt.decode(t, k, algorithms=['HS256'], verify=True)"),
    ("javascript", "const o = { rejectUnauthorized: process.env.STRICT !== '0' };"),
    ("javascript", "const secure = { verify: false };"),
    ("go", "package a\nvar c = &tls.Config{InsecureSkipVerify: skip}"),
    ("java", "class A { void f() { t.setHostnameVerifier(strict); } }"),
    ("c", "void f() { curl_easy_setopt(curl, CURLOPT_URL, url); }"),
    ("ruby", "record.save(validate: false)"),
    ("php", "<?php $x = ['verify' => false];"),
]


@pytest.mark.parametrize(("language", "code"), SILENT)
def test_stays_silent(language: str, code: str) -> None:
    assert not OFF & set(kinds(language, code))


CLEAR = [
    ("import ftplib\ndef f(u, p):\n    return ftplib.FTP(host, u, p)", True),
    ("import smtplib\ndef f(u, p):\n    s = smtplib.SMTP(host, 587)\n    s.login(u, p)", True),
    ("import ftplib\ndef f():\n    return ftplib.FTP(host)", False),
    (
        "import telnetlib\ndef f(p):\n    t = telnetlib.Telnet(host)\n    t.read_until(b'Password: ')\n    t.write(p)",
        True,
    ),
    ("import telnetlib\ndef f():\n    t = telnetlib.Telnet(host)\n    t.write(b'status')", False),
    ("import ftplib\ndef f():\n    c = ftplib.FTP(host)\n    c.login('anonymous', 'x')", False),
    ("import smtplib\ndef f(u, p):\n    s = smtplib.SMTP('localhost')\n    s.login(u, p)", False),
]


@pytest.mark.parametrize(("code", "is_told"), CLEAR)
def test_a_password_in_clear_text_is_told(code: str, is_told: bool) -> None:  # noqa: FBT001 - a column
    tree = parse(code, "python")
    assert tree is not None
    assert any(weakness.queues for weakness in find_weak_crypto(tree, "src/code.py")) is is_told
