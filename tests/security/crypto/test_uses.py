"""A value is followed to what is made of it, a few statements on and out of a helper."""

from __future__ import annotations

import pytest

from leeboard.security.crypto.source_text import find_weak_crypto
from leeboard.source.syntax import parse

SERVLET = """class Login extends HttpServlet {
  private String draw() {
    %s
  }
  public void doPost(HttpServletRequest request, HttpServletResponse response) {
    response.setContentType("text/html");
    %s
    String cookieName = "keep" + getServletName();
    request.getSession().setAttribute(cookieName, out);
    response.addCookie(new Cookie(cookieName, out));
  }
}
"""
CASES = [
    (
        "java",
        SERVLET % ("return null;", "double d = Math.random();\n    String out = Double.toString(d).substring(2);"),
    ),
    (
        "java",
        SERVLET
        % (
            "return null;",
            (
                "Random generator = new Random();\n    byte[] b = new byte[16];\n    generator.nextBytes(b);\n"
                "    String out = encoder.encodeForBase64(b, true);"
            ),
        ),
    ),
    ("java", SERVLET % ("long l = new Random().nextLong();\n    return Long.toString(l);", "String out = draw();")),
    (
        "java",
        SERVLET
        % (
            "return null;",
            (
                "StringBuilder sb = new StringBuilder();\n    for (int i = 0; i < 6; i++) {\n"
                "      sb.append(ThreadLocalRandom.current().nextInt(10));\n    }\n    String out = sb.toString();"
            ),
        ),
    ),
    (
        "javascript",
        (
            "function makeId(length) {\n  let result = '';\n  for (let i = 0; i < length; i++) {\n"
            "    result += characters.charAt(Math.floor(Math.random() * characters.length));\n  }\n  return result;\n}\n"
            "function begin(res) {\n  const id = makeId(24);\n  res.cookie('sid', id, options);\n}\n"
        ),
    ),
    (
        "go",
        (
            'package a\nimport "math/rand"\nfunc text(n int) string {\n\tb := make([]byte, n)\n\tfor i := range b {\n'
            "\t\tb[i] = letters[rand.Intn(len(letters))]\n\t}\n\treturn string(b)\n}\nfunc Begin(w W) {\n\ts := text(32)\n"
            '\thttp.SetCookie(w, &http.Cookie{Name: "session", Value: s, Secure: true, HttpOnly: true})\n}\n'
        ),
    ),
    (
        "typescript",
        (
            "invites.post('/', async (req, res) => {\n"
            "  const code = Math.random().toString(36).slice(2, 10).toUpperCase();\n"
            "  await db.invite.create({ data: { email: req.body.email, code } });\n});\n"
        ),
    ),
    ("php", "<?php\nfunction storeAvatar($a) {\n  $password = '';\n  $password .= $letters[rand(0, 25)];\n}\n"),
    (
        "python",
        (
            "def save_upload():\n    upload = request.files['document']\n    name = str(random.getrandbits(64))\n"
            "    upload.save(os.path.join(UPLOADS, name))\n    return {'share_token': name}\n"
        ),
    ),
]


@pytest.mark.parametrize(("language", "code"), CASES)
def test_it_is_heard_what_becomes_of_a_number(language: str, code: str) -> None:
    tree = parse(code, language)
    assert tree is not None
    drawn = [one for one in find_weak_crypto(tree, "src/a") if one.kind == "predictable random"]
    assert [one.queues for one in drawn] == [True]


HEARD = [
    (
        "ruby",
        "class Key\n  def assign\n    @plain_token = drawn\n  end\n  def drawn\n    Array.new(9) { SIGNS[rand(9)] }.join\n  end\nend",
    ),
    (
        "csharp",
        "class R { void A(Db d) { var code = Draw(); d.Add(new ResetCode(code)); } string Draw() { var random = new Random();\n b.Append(C[random.Next(9)]);\n return b.ToString(); } }",
    ),
    (
        "javascript",
        "function digits(n) {\n  return Array.from({ length: n }, () => Math.floor(Math.random() * 10)).join('');\n}\nfunction login(user) {\n  const code = digits(6);\n  sendOtp(user, code);\n}",
    ),
    ("python", "import random\ndef gift_card():\n    pin = '%04d' % random.randint(0, 9999)\n    return Card(pin)\n"),
]


@pytest.mark.parametrize(("language", "code"), HEARD)
def test_what_a_function_of_the_file_draws_is_what_its_callers_make_of_it(language: str, code: str) -> None:
    tree = parse(code, language)
    assert tree is not None
    assert [one.kind for one in find_weak_crypto(tree, "src/a") if one.queues] == ["predictable random"]


QUIET = [
    (
        "ruby",
        "class Key\n  def assign\n    @plain_token = made\n  end\n  def drawn\n    Array.new(9) { SIGNS[rand(9)] }.join\n  end\nend",
    ),
    (
        "javascript",
        "function digits(n) {\n  return Array.from({ length: n }, () => Math.floor(Math.random() * 10)).join('');\n}\nfunction paint(user) {\n  const shade = digits(6);\n  draw(user, shade);\n}",
    ),
    ("java", SERVLET % ("return null;", "int tip = new Random().nextInt(9);\n    show(tip);\n    String out = key();")),
    ("java", SERVLET % ("return 1L + new Random().nextInt(9);", "Thread.sleep(draw());\n    String out = key();")),
    (
        "javascript",
        (
            "function makeId() {\n  return Math.random().toString(36);\n}\nfunction put(node) {\n  node.id = makeId();\n}\n"
            "function begin(res) {\n  res.cookie('sid', secret(), options);\n}\n"
        ),
    ),
]


@pytest.mark.parametrize(("language", "code"), QUIET)
def test_what_lies_beside_it_is_another_thing(language: str, code: str) -> None:
    tree = parse(code, language)
    assert tree is not None
    assert not [one for one in find_weak_crypto(tree, "src/a") if one.kind == "predictable random" and one.queues]
