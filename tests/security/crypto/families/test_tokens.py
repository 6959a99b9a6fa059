"""Signed tokens: checked, and not."""

from __future__ import annotations

import pytest

from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.source.syntax import parse


def kinds(language: str, code: str, path: str = "src/code") -> list[str]:
    tree = parse(code, language)
    assert tree is not None
    return [weakness.kind for weakness in find_weak_crypto(tree, path)]


_JOSE = "import { decodeJwt, jwtVerify } from 'jose';\nasync function who(request: Request) { const token = request.headers.get('x-token'); "
PAIRS = [
    ("typescript", _JOSE.replace(", jwtVerify", "") + "return decodeJwt(token).sub; }", _JOSE + "const { payload } = await jwtVerify(token, keys); return payload.sub; }"),
    ("python", "import python_jwt as jwt\nd = jwt.process_jwt(t)", "import python_jwt as jwt\nd = jwt.verify_jwt(t, key, ['RS256'])"),
    ("python", "d = jwt.decode(t, options={'verify_signature': False})", "d = jwt.decode(t, key, algorithms=['HS256'])"),
    ("python", "d = jwt.decode(t, key, verify=False)", "d = jwt.decode(t, key, algorithms=['RS256'])"),
    ("python", "t = jwt.encode(p, None, algorithm='none')", "t = jwt.encode(p, key, algorithm='HS256')"),
    ("python", "t = jwt.encode(p, key, algorithm=None)", "t = jwt.encode(p, key, 'HS512')"),
    ("python", "d = jwt.decode(t, key, algorithms=['HS256', 'none'])", "d = jwt.decode(t, key, algorithms=['HS256', 'HS512'])"),
    ("javascript", "const d = jwt.decode(token);", "const d = jwt.verify(token, key);"),
    ("typescript", "import { decode } from 'jsonwebtoken';\nexport const claims = (t) => decode(t);", "import { decode } from 'base64';\nexport const claims = (jsonwebtoken) => decode(jsonwebtoken);"),
    ("javascript", "jwt.verify(token, key, { algorithms: ['none'] });", "jwt.verify(token, key, { algorithms: ['RS256'] });"),
    ("javascript", "const t = jwt.sign(p, key, { algorithm: 'none' });", "const t = jwt.sign(p, key, { algorithm: 'HS256' });"),
    ("typescript", "jwt.verify(token, '');", "jwt.verify(token, process.env.KEY);"),
    ("go", "package a\nfunc f() { t, _, _ := new(jwt.Parser).ParseUnverified(s, c); _ = t }", "package a\nfunc f() { t, _ := jwt.Parse(s, keyFunc); _ = t }"),
    ("go", "package a\nfunc f() { t := jwt.NewWithClaims(jwt.SigningMethodNone, c); _ = t }", "package a\nfunc f() { t := jwt.NewWithClaims(jwt.SigningMethodHS256, c); _ = t }"),
    ("java", "class A { void f() { Algorithm a = Algorithm.none(); JWT.create().sign(a); } }", "class A { void f() { Algorithm a = Algorithm.HMAC256(k); JWT.create().sign(a); } }"),
    ("java", "class A { void f() { DecodedJWT d = JWT.decode(token); } }", "class A { void f() { DecodedJWT d = JWT.require(a).build().verify(token); } }"),
    ("java", "class A { Object f(String t) { return Jwts.parser().setSigningKey(key).parse(t); } }", "class A { Object f(String t) { return Jwts.parser().setSigningKey(key).parseClaimsJws(t); } }"),
    ("javascript", "function f(t) { const a = jwt.verify(t, key, { algorithms: ['none'] }); return jwt.verify(t, key, { algorithms: ['RS256'] }); }", "function f(t) { return jwt.verify(t, key, { algorithms: ['RS256'] }); }"),
    ("csharp", "class A { void F() { var p = new TokenValidationParameters { ValidateIssuerSigningKey = false }; Jwt.Go(p); } }", "class A { void F() { var p = new TokenValidationParameters { ValidateIssuerSigningKey = true }; Jwt.Go(p); } }"),
    ("ruby", "d = JWT.decode(token, nil, false)", "d = JWT.decode(token, key, true, algorithm: 'HS256')"),
    ("php", "<?php $d = JWT::decode($t, $k, ['none']);", "<?php $d = JWT::decode($t, $k, ['HS256']);"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "weak", "fixed"), PAIRS)
def test_weak_and_fixed(language: str, weak: str, fixed: str) -> None:
    assert "unverified token" in kinds(language, weak)
    assert "unverified token" not in kinds(language, fixed)


SILENT = [
    ("python", "h = jwt.get_unverified_header(t)"),
    ("python", "d = jwt.decode(t, key, algorithms=algorithms)"),
    ("python", "alg = 'none'\nx = json.decode(jwt_text)"),
    ("javascript", "const d = jwt.decode(t); jwt.verify(t, keys[d.kid]);"),
    ("javascript", "function f(t) { const d = jwt.decode(t, { complete: true }); return jwt.verify(t, keyOf(d)); }"),
    ("javascript", "const jwtText = buffer.decode(bytes);"),
    ("go", "package a\nfunc f() { jwt.Parse(s, f) }"),
    ("java", "class A { void f() { Base64.decode(jwt); } }"),
    ("ruby", "JWT.decode(token, key)"),
    ("php", "<?php JWT::decode($t, new Key($k, 'HS256'));"),
    ("csharp", "class A { void F() { var jwt = h.ReadToken(t); } }"),
    ("typescript", "const t = jwt.sign(p, key);"),
    ("javascript", "const JWT = require('../helpers/jwt');\nconst hint = JWT.decode(given);"),
]


@pytest.mark.parametrize(("language", "code"), SILENT)
def test_stays_silent(language: str, code: str) -> None:
    assert "unverified token" not in kinds(language, code)
