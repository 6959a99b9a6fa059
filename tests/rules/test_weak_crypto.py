"""SW-72 to SW-80: the cases of the rule, in several languages, and what becomes of them."""

from __future__ import annotations

import pytest

from leeboard.judge.urgency import weigh, whole_file
from leeboard.model.event import ToolCall, ToolFinished
from leeboard.model.lookup import NO_FILES
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Session
from leeboard.model.touch import Diff
from leeboard.model.verdict import Finding
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.rules import weak_crypto


def judged(*diffs: Diff, outcome: str = "done") -> list[Finding]:
    event = ToolFinished(session="s", call=ToolCall(id="c", tool="Write", action="write"), outcome=outcome)  # type: ignore[arg-type] # a column of a table
    world = World(
        session=Session(id="s"),
        agent=AgentState(),
        analysis=Analysis(event=event),
        policy=Policy(),
        workspace=Workspace("/repo"),
    )
    return list(weak_crypto.detect(event, world, diffs, NO_FILES))


CASES = [
    ("P1 MD5 of a password", "src/login.py", "h = hashlib.md5(password.encode())", "QUEUE"),
    ("P1 in PHP", "src/login.php", "<?php $h = md5($password);", "QUEUE"),
    ("P1 in Go", "login.go", "package a\nfunc login(password []byte) { h := md5.Sum(password); _ = h }", "QUEUE"),
    ("P1 without salt", "src/login.js", "const h = createHash('sha256').update(password).digest('hex');", "QUEUE"),
    ("P2 a session id", "src/a.js", "const sessionId = Math.random().toString(36);", "QUEUE"),
    ("P2 a token in Python", "src/a.py", "token = random.random()", "QUEUE"),
    ("P2 a password in Java", "A.java", "class A { int password() { return new Random().nextInt(); } }", "QUEUE"),
    ("P3 ECB for tokens", "src/a.py", "token = AES.new(key, AES.MODE_ECB)", "QUEUE"),
    ("P3 ECB by its Java name", "A.java", 'class A { void f() { Cipher.getInstance("AES/ECB/NoPadding"); } }', "QUEUE"),
    ("P3 ECB in C#", "A.cs", "class A { void F(Aes a) { a.Mode = CipherMode.ECB; } }", "QUEUE"),
    ("P4 RSA 1024", "src/a.py", "k = RSA.generate(1024)", "QUEUE"),
    ("P4 in Go", "a.go", "package a\nfunc f() { k, _ := rsa.GenerateKey(rand.Reader, 1024); _ = k }", "QUEUE"),
    ("a script", "deploy.sh", "curl -k https://api.x.dev", "QUEUE"),
    ("N1 a file's etag", "src/a.py", "etag = hashlib.md5(content).hexdigest()", "LOG"),
    ("N1 in Ruby", "a.rb", "etag = Digest::MD5.hexdigest(content)", "LOG"),
    ("nobody can tell", "src/a.py", "x = hashlib.md5(y)", "LOG"),
    ("N3 TOTP", "src/a.py", "def totp(k, c):\n    return hmac.new(k, c, hashlib.sha1)", "LOG"),
    ("N5 knowingly, in auth", "src/auth.py", "# legacy md5, required by API\ntoken = hashlib.md5(x)", "QUEUE"),
    ("knowingly, elsewhere", "src/a.py", "# legacy, by the vendor\nr = requests.get(u, verify=False)", "LOG"),
    ("in a test", "tests/test_a.py", "k = RSA.generate(1024)", "LOG"),
]


@pytest.mark.parametrize(("path", "code", "disposition"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_cases(path: str, code: str, disposition: str) -> None:
    findings = judged(whole_file(path, code))
    assert disposition in [weigh(finding).disposition for finding in findings]
    assert all(len(finding.message.split()) < 40 for finding in findings)
    assert all(f"{path}:" in finding.message for finding in findings)


SILENT = [
    ("N2 jitter", "src/a.py", "time.sleep(random.random() * jitter)"),
    ("N2 in JavaScript", "src/a.js", "const color = colors[Math.floor(Math.random() * 3)];"),
    ("N4 bcrypt", "src/login.py", "h = bcrypt.hashpw(password, bcrypt.gensalt())"),
    ("N4 in Go", "a.go", "package a\nfunc f() { h, _ := bcrypt.GenerateFromPassword(password, 12); _ = h }"),
    ("not for security", "src/a.py", "h = hashlib.md5(password, usedforsecurity=False)"),
    ("SHA-256 of a file", "src/a.py", "h = hashlib.sha256(content)"),
    ("AES-GCM", "src/a.js", "const c = crypto.createCipheriv('aes-256-gcm', key, iv);"),
    ("RSA 2048", "A.java", 'class A { void f() { g = KeyPairGenerator.getInstance("RSA"); g.initialize(2048); } }'),
    ("an algorithm from outside", "src/a.py", "h = hashlib.new(settings.ALGORITHM, password)"),
    ("words about it", "docs/a.md", "Do not use hashlib.md5(password)."),
    ("a comment", "src/a.py", "# hashlib.md5(password)\n"),
    ("what a tool made", "vendor/a.py", "h = hashlib.md5(password)"),
    ("a secure draw", "src/a.rb", "token = SecureRandom.hex(32)"),
]


@pytest.mark.parametrize(("path", "code"), [case[1:] for case in SILENT], ids=[case[0] for case in SILENT])
def test_stays_silent(path: str, code: str) -> None:
    assert not judged(whole_file(path, code))


def test_only_written_lines_count() -> None:
    text = "a = hashlib.md5(password)\nb = 1\nc = hashlib.sha1(password)\n"
    (finding,) = judged(Diff(path="a.py", after=text, added=((2, 3),)))
    assert finding.line == 3


def test_one_more_in_a_function_that_has_one_is_said() -> None:
    had = "def f(password, old_password):\n    a = hashlib.md5(password)\n"
    more = f"{had}    b = hashlib.md5(old_password)\n    c = hashlib.md5(old_password)\n"
    for before in (had, None):
        found = judged(Diff(path="a.py", before=before, after=more, added=((3, 4),)))
        assert [(it.line, it.signal is not None and not it.signal.log_only) for it in found] == [(3, True), (4, False)]


def test_subjects_survive_a_move_and_tell_two_apart() -> None:
    text = "def f(password):\n    a = hashlib.md5(password)\n    b = hashlib.md5(password)\n"
    before = [finding.subject for finding in judged(whole_file("a.py", text))]
    after = [finding.subject for finding in judged(whole_file("a.py", "\n\n" + text))]
    assert before == after
    assert len(set(before)) == 2


def test_a_high_confidence_never_fires() -> None:
    """SW-80."""
    (finding,) = judged(whole_file("login.py", "h = hashlib.md5(password)"))
    assert finding.signal is not None
    assert (finding.signal.rework_cost, finding.signal.self_correct_prob, finding.signal.floor) == (2, 0.5, 2.0)
    assert weigh(finding).disposition == "QUEUE"


def test_failed_and_nameless_writes_are_nothing() -> None:
    assert not judged(whole_file("login.py", "h = hashlib.md5(password)"), outcome="failed")
    assert not judged(whole_file("", "h = hashlib.md5(password)"))


def test_no_key_is_shown() -> None:
    key = "d3adb33f" * 4
    findings = judged(whole_file("a.py", f"c = AES.new(b'{key}', AES.MODE_CBC, b'{key[:16]}')"))
    assert findings
    assert key[:8] not in repr(findings)


@pytest.mark.parametrize(
    ("path", "code", "reason"),
    [
        ("src/a.py", "etag = hashlib.md5(content).hexdigest()", "checksum"),
        ("src/a.py", "x = hashlib.md5(y)", "nothing shows that it guards anything"),
        ("src/auth.py", "if login.password == given_password: login()", "a hint and no proof"),
        ("tests/test_a.py", "k = RSA.generate(1024)", "test file"),
        ("src/a.py", "if args.insecure:\n    r = requests.get(u, verify=False)", "only where an option asks for it"),
    ],
)
def test_what_is_only_logged_says_why(path: str, code: str, reason: str) -> None:
    (finding,) = judged(whole_file(path, code))
    assert finding.signal is not None
    assert finding.signal.log_only == reason
    assert finding.message.endswith(f"Only logged: {reason}.")
    assert weigh(finding).disposition == "LOG"


def test_a_hint_for_people_is_no_key() -> None:
    assert not judged(whole_file("src/a.py", "def pick_password_hint():\n    return random.choice(HINTS)\n"))
