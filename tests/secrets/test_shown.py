"""What is shown to readers, through the door that every rule uses."""

from __future__ import annotations

import pytest

from leeboard.secrets.redaction import find_secrets
from leeboard.secrets.shown import is_page
from tests.leak import live_key, random_text
from tests.secrets.test_whereabouts import JWT

DRAWN = random_text(24, 3)
PICTURE = "in the address of a picture, which everybody loads"
PRIVATE = f"-----BEGIN PRIVATE KEY-----\n{random_text(64, 4)}\n{random_text(64, 5)}\n-----END PRIVATE KEY-----"


def test_pages_of_a_manual() -> None:
    assert all(map(is_page, ("docs/use.md", "res/help.csv", "web/apidoc/html/api_data.js", "doc/cve-2016-9663")))
    assert not any(map(is_page, ("web/apidoc/settings.py", "README.md", "docs/conf.py", "src/doctor/token")))


@pytest.mark.parametrize(
    ("path", "text", "note"),
    [
        ("a.d.ts", f"type A = {{\n  /** @example {JWT} */\n  token: string;\n}}", "it is only explained"),
        ("a.ts", f"/**\n * @example\n * login('me', '{DRAWN}')\n */", "it is only explained"),
        ("a.rs", f'/// # Examples\n/// let secret = "{DRAWN}";', "it is only explained"),
        ("a.rb", f"# @example\n#   client.secret = '{DRAWN}'\ndef a", "it is only explained"),
        ("a.go", f'// For example:\n//\n//\tsecret := "{DRAWN}"\nfunc a() {{}}', "it is only explained"),
        ("a.ts", f"/**\n * @example\n * f()\n * @deprecated\n */\nconst secret = '{DRAWN}'", ""),
        ("a.ts", f"/**\n * @param secret as in\n * secret = '{DRAWN}'\n */", ""),
        ("README.md", f"[a](https://ci.dev/a.svg?style=flat&token={DRAWN})", PICTURE),
        ("README.md", f"[a](https://badges.dev/a?token={DRAWN})", PICTURE),
        ("README.md", f"[a](https://ci.dev/a.zip?token={DRAWN})", ""),
        ("bin/convert", f"#!/bin/python\n# One\n# two\n# a: secret={DRAWN};b\n# three\n# four", "it is only explained"),
        ("postconf.5.html", f"<pre>\n/etc/key.pem:\n    {PRIVATE}\n</pre>", "shown on a page"),
        ("postconf.5.html", f"<pre>\n/etc/key.pem:\n</pre>\n    {PRIVATE}\n", ""),
        ("page.html", f"<pre id=log>\n<script>\nconst secret = '{DRAWN}';\n</script>\n", ""),
        ("page.php", f"<pre>\n<?php\n$secret = '{DRAWN}';\n?>", ""),
        ("page.jsx", f"const a = (\n  <pre>\n    {{call({{ secret: '{DRAWN}' }})}}\n  </pre>\n);", ""),
        ("a.py", f"get('https://charts.dev/a.png?token={DRAWN}')", ""),
        ("a.py", f"# check the memory usage\n# secret = '{DRAWN}'\ngo()", ""),
        ("a.py", f"# Usage\n# secret = '{DRAWN}'\ngo()", "it is only explained"),
        ("a.js", f"console.error('Example: --auth {{user: tiki, pass: {JWT}}}');", "it is only explained"),
        ("A.pm", f"package A;\n\n=head1 SYNOPSIS\n\n  login('{JWT}');\n\n=cut\n", "example in a docstring"),
        ("a.ts", f"const documentation = '{JWT}';", ""),
        ("a.ts", f"const documentation = 'as in {JWT}';", "example in a docstring"),
        ("docs/deploy/server", f"{PRIVATE}\n", ""),
        ("docs/deploy/server", f"Put this there:\n\n{PRIVATE}\n", "it is only explained"),
        ("a.py", f"header_token = '{DRAWN}'", ""),
        ("mime.ref", f"state: header_token: boundary = Boundary-00=_{DRAWN}", "placeholder"),
        ("a.py", "password = 'k9$Tr-ub4dorX7q'", ""),
        ("a.py", f"secret = '{DRAWN}' * 1", ""),
    ],
)
def test_what_is_there_to_be_read_is_logged(path: str, text: str, note: str) -> None:
    assert [one.note for one in find_secrets(text, path)] == [note]


@pytest.mark.parametrize(
    ("path", "text", "confidence"),
    [
        ("a.sh", f"usage() {{\n  cat <<EOF\n  SECRET={DRAWN}\nEOF\n}}", 0.8),
        ("a.sh", f"cat >&2 <<'EOF'\nSECRET={DRAWN}\nEOF", 0.8),
        ("a.sh", f"cat > app.env <<EOF\nSECRET={DRAWN}\nEOF", 0.92),
        ("a.sh", f"cat <<EOF | kubectl apply -f -\nSECRET={DRAWN}\nEOF", 0.92),
        ("a.sh", f"cat <<EOF\nhello\nEOF\nSECRET={DRAWN}", 0.92),
        ("a.sh", f"ALL=$(cat <<EOF\nSECRET={DRAWN}\nEOF\n)", 0.92),
        ("a.sh", f"(\ncat <<EOF\nSECRET={DRAWN}\nEOF\n) > app.env", 0.92),
        ("a.sh", f"{{ cat <<EOF\nSECRET={DRAWN}\nEOF\n}} > app.env", 0.92),
        ("a.sh", f"make() {{\n  cat <<EOF\nSECRET={DRAWN}\nEOF\n}}\nmake > app.env", 0.92),
        ("a.sh", f"usage() {{\n  cat <<EOF\nSECRET={DRAWN}\nEOF\n}}\nusage | less\n[ $1 ] || usage >&2", 0.8),
        ("a.sh", f"cat <<EOF >&3\nSECRET={DRAWN}\nEOF", 0.92),
        ("a.sh", f'echo "A=1\nSECRET={DRAWN}\n" \\\n  > app.env', 0.92),
        ("a.sh", f'usage="Usage: a\n\n    SECRET=\\"{DRAWN}\\"\n"', 0.8),
        ("a.sh", f'echo "Usage: a\n   SECRET={DRAWN}\n"', 0.8),
        ("a.sh", f'echo "A=1\nSECRET={DRAWN}\n" > app.env', 0.92),
        ("a.go", f'const usageText = `\n  secret: "{DRAWN}"\n`', 0.8),
        ("a.pl", f"print <<EOT;\nsecret = '{DRAWN}'\nEOT\n", 0.8),
    ],
)
def test_what_a_program_prints_is_worth_a_look(path: str, text: str, confidence: float) -> None:
    assert [(one.confidence, one.note) for one in find_secrets(text, path)] == [(confidence, "")]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("docs/use.md", f"api_key: {live_key(1)}"),
        ("a.ts", f"/** @example {live_key(2)} */"),
    ],
)
def test_a_key_in_its_providers_format_is_one_wherever_it_stands(path: str, text: str) -> None:
    assert [(one.confidence, one.note) for one in find_secrets(text, path)] == [(0.95, "")]
