from __future__ import annotations

import pytest

from leeboard.security.crypto.source_text import ASKED, LISTED, RENAMED, find_weak_crypto
from leeboard.source.syntax import parse

CASES = [
    ("python", "ctx.verify_mode = ssl.CERT_NONE if disable_validation else ssl.CERT_REQUIRED", ASKED),
    ("javascript", "if (options.tlsInsecure) { options.rejectUnauthorized = false; }", ASKED),
    ("python", "if not args.verify:\n    r = requests.get(u, verify=False)", ASKED),
    ("python", "if ready:\n    r = requests.get(u, verify=False)", ""),
    ("python", "r = requests.get(u, verify=False)", ""),
    ("python", "BY_PASSWORD = {Name.RSA_WITH_MD5: hashes.MD5()}", LISTED),
    ("javascript", "const password = {md5: forge.md.md5.create()};", LISTED),
    ("python", "CURVES = {'secp192r1': SECP192R1}", LISTED),
    ("python", "login = {'password': hashlib.md5(password)}", ""),
    ("python", "SSL3_VERSION = _lib.SSL3_VERSION", RENAMED),
    ("python", "VERIFY_NONE = _lib.SSL_VERIFY_NONE", RENAMED),
    ("python", "ctx.verify_mode = ssl.CERT_NONE", ""),
]


@pytest.mark.parametrize(("language", "code", "reason"), CASES)
def test_why_it_is_at_most_logged(language: str, code: str, reason: str) -> None:
    tree = parse(code, language)
    assert tree is not None
    (weakness,) = find_weak_crypto(tree, "src/a")
    assert (weakness.log_only, weakness.queues) == (reason, not reason)
