"""Cookies that anybody on the way, or any script, can read."""

from __future__ import annotations

import pytest

from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.source.syntax import parse


def kinds(language: str, code: str, path: str = "src/code") -> list[str]:
    tree = parse(code, language)
    assert tree is not None
    return [weakness.kind for weakness in find_weak_crypto(tree, path)]


PAIRS = [
    ("python", "resp.set_cookie('session', v, secure=False, httponly=True)", "resp.set_cookie('session', v, secure=True, httponly=True)"),
    ("python", "resp.set_cookie('id', v)", "resp.set_cookie('id', v, secure=True, httponly=True)"),
    ("python", "SESSION_COOKIE_SECURE = False", "SESSION_COOKIE_SECURE = True"),
    ("python", "app.config['SESSION_COOKIE_HTTPONLY'] = False", "app.config['SESSION_COOKIE_HTTPONLY'] = True"),
    ("javascript", "res.cookie('sid', v, { httpOnly: false, secure: true });", "res.cookie('sid', v, { httpOnly: true, secure: true });"),
    ("javascript", "app.use(session({ cookie: { secure: false } }));", "app.use(session({ cookie: { secure: true } }));"),
    ("go", 'package a\nvar c = http.Cookie{Name: "sid", Value: v}', 'package a\nvar c = http.Cookie{Name: "sid", Value: v, Secure: true, HttpOnly: true}'),
    ("java", "class A { void f(Cookie cookie) { cookie.setSecure(false); } }", "class A { void f(Cookie cookie) { cookie.setSecure(true); } }"),
    ("csharp", "class A { void F() { var o = new CookieOptions { Secure = false, HttpOnly = true }; } }", "class A { void F() { var o = new CookieOptions { Secure = true, HttpOnly = true }; } }"),
    ("php", "<?php setcookie('sid', $v, 0, '/', '', false, true);", "<?php setcookie('sid', $v, 0, '/', '', true, true);"),
    ("ruby", "cookies[:sid] = { value: v, secure: false, httponly: true }", "cookies[:sid] = { value: v, secure: true, httponly: true }"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "weak", "fixed"), PAIRS)
def test_weak_and_fixed(language: str, weak: str, fixed: str) -> None:
    assert "insecure cookie" in kinds(language, weak)
    assert "insecure cookie" not in kinds(language, fixed)


SILENT = [
    ("python", "v = request.cookies.get('session')"),
    ("python", "resp.delete_cookie('session')"),
    ("python", "resp.set_cookie('s', v, secure=settings.SECURE, httponly=True)"),
    ("python", "connect(host, secure=False)  # cookie"),
    ("javascript", "const v = req.cookies.sid;"),
    ("javascript", "const session = ctx.request.cookie(config.cookieName, undefined);"),
    ("javascript", "const session = response.cookie(config.cookieName);"),
    ("javascript", "res.cookie('sid', v, options);"),
    ("javascript", "connect({ secure: false });"),
    ("go", "package a\nfunc f() { c, _ := r.Cookie(name); _ = c }"),
    ("go", 'package a\nvar c = http.Cookie{Name: "sid", MaxAge: -1}'),
    ("java", "class A { void f(Cookie cookie, boolean b) { cookie.setSecure(b); } }"),
    ("php", "<?php $v = $_COOKIE['sid'];"),
    ("ruby", "v = cookies[:sid]"),
]


@pytest.mark.parametrize(("language", "code"), SILENT)
def test_stays_silent(language: str, code: str) -> None:
    assert "insecure cookie" not in kinds(language, code)
