"""A credential is written into code, a config file or a shell line."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import pytest

from leeboard.model.event import ToolCall, ToolFinished, ToolProposed
from leeboard.model.ledger import Entry, Kind
from leeboard.model.lookup import NO_FILES
from leeboard.model.policy import Policy
from leeboard.model.session import AgentState, Session
from leeboard.model.touch import Diff
from leeboard.model.verdict import Action, Finding
from leeboard.model.workspace import Workspace
from leeboard.model.world import Analysis, World
from leeboard.rules import credential
from leeboard.rules.credential import detect
from leeboard.secrets.detection import keyed_digest
from leeboard.testing.scenario import play
from tests.leak import random_text

KEY = "sk_" + "live_" + "aB3dE6gH9jK2mN5pQ8sT1vW4"
HEX = "3f2b13f3a7773d13046e614f196a5b7a"
SECRET_KEY = b"some key"


class Tree(msgspec.Struct, frozen=True):
    ignores: dict[str, bool] = {}
    texts: dict[str, str] = {}

    def text(self, path: str) -> str | None:
        return self.texts.get(path)

    def exists(self, path: str) -> bool:
        return path in self.texts

    def lies_at(self, place: str) -> bool | None:  # noqa: ARG002 - as the protocol has it
        return None

    def ignored(self, path: str) -> bool | None:
        return self.ignores.get(path)


class Log(msgspec.Struct, frozen=True):
    flags: tuple[Entry, ...] = ()

    def find(self, kind: Kind, keys: Iterable[str]) -> tuple[Entry, ...]:
        return tuple(flag for flag in self.flags if flag.kind == kind and flag.key in tuple(keys))

    def newest(self, kind: Kind, limit: int) -> tuple[Entry, ...]:
        return tuple(flag for flag in self.flags if flag.kind == kind)[:limit]


def found(
    *texts: tuple[str, str],
    command: str = "",
    files: Tree | None = None,
    log: Log | None = None,
    proposed: bool = False,
) -> list[Finding]:
    call = ToolCall(id="t", tool="Write", action="bash" if command else "write", command=command)
    event: ToolProposed | ToolFinished = ToolFinished(session="s", call=call, outcome="done")
    if proposed:
        event = ToolProposed(session="s", call=call)
    world = World(
        session=Session(id="s"),
        agent=AgentState(turn=5),
        analysis=Analysis(event=event),
        policy=Policy(),
        workspace=Workspace("/repo"),
        secret_key=SECRET_KEY,
    )
    diffs = tuple(Diff(path=path, after=text, added=((1, text.count("\n") + 1),)) for path, text in texts)
    return list(detect(event, world, diffs, log or Log(), files or Tree(), NO_FILES))


@pytest.mark.parametrize(
    ("path", "line", "confidence"),
    [
        ("src/pay.py", f'api_key = "{KEY}"', 0.95),
        ("src/pay.js", f"const k = '{KEY}';", 0.95),
        ("src/pay.ts", f"token: '{HEX}',", 0.92),
        ("conf/app.json", f'{{"secret": "{HEX}"}}', 0.92),
        ("src/db.py", 'url = "postgres://app:kT9vq2ZxLp@db/app"', 0.9),
        ("src/db.py", 'password = "hunter2"', 0.8),
        ("tests/test_pay.py", f'key = "{KEY}"', 0.95),
        (".env.example", f"STRIPE={KEY}", 0.95),
    ],
)
def test_a_secret_in_a_file(path: str, line: str, confidence: float) -> None:
    """P1, P2, P3, P5; SW-52, SW-54, SW-55, SW-60."""
    (finding,) = found((path, line))
    assert finding.confidence == confidence
    assert finding.signal is not None
    assert (finding.signal.rework_cost, finding.signal.self_correct_prob, finding.signal.log_only) == (2, 0.9, "")
    assert (finding.path, finding.line) == (path, 1)
    assert bool(found((path, line), proposed=True)) == (confidence > 0.85)


def test_the_text_names_variable_file_and_line_and_never_the_secret() -> None:
    """SW-61."""
    (finding,) = found(("src/pay.py", f'\nstripe_key = "{KEY}"'))
    assert finding.message == (
        "Credential `stripe_key` (stripe key) in src/pay.py:2: move it to .env or a secret manager, "
        "and read it from there, before committing."
    )
    assert len(finding.message.split()) < 40
    texts = (finding.message, finding.remedy, finding.subject, *(item.text for item in finding.evidence))
    assert not any(KEY[5:] in text for text in texts)
    assert finding.subject == f"src/pay.py:{keyed_digest(KEY, SECRET_KEY)}"


def test_a_short_secret_shows_its_length_only() -> None:
    (finding,) = found(("src/db.py", 'password = "hunter2"'))
    assert not any("hunt" in item.text for item in finding.evidence)
    assert "7 characters" in finding.evidence[1].text


@pytest.mark.parametrize(
    ("path", "line", "note"),
    [
        ("src/a.py", 'api_key = "your_api_key_here"', "placeholder"),
        ("src/a.py", 'api_key = "REPLACE_ME"', "placeholder"),
        ("tests/test_a.py", 'token = "test-token"', "placeholder"),
        ("tests/test_a.py", 'password = "hunter2"', "test fixture"),
    ],
)
def test_what_is_only_logged(path: str, line: str, note: str) -> None:
    """N1, N5; SW-57, SW-58."""
    (finding,) = found((path, line))
    assert finding.signal is not None
    assert finding.signal.log_only == note


@pytest.mark.parametrize(
    "line",
    [
        'password = os.environ["DB_PASSWORD"]',
        'secret = vault.read("secret/data/app")["x"]',
        f'SHA1 = "{HEX}01234567"',
        'query = "SELECT id, name FROM users WHERE active = 1 ORDER BY name"',
        'label = {"password": "Password"}',
        "password: string;",
    ],
)
def test_what_is_no_secret(line: str) -> None:
    """N2, N3, N4, N7; SW-59."""
    assert not [f for f in found(("src/a.py", line)) if f.signal and not f.signal.log_only]


def test_entropy_alone_is_worth_a_line_in_the_log() -> None:
    """SW-56, O-7."""
    (finding,) = found(("src/a.py", 'call("aB3dE6gH9jK2mN5pQ8sT1vW4")'))
    assert finding.confidence == 0.5


def test_only_written_lines_count() -> None:
    text = f'a = "{KEY}"\nb = 1\n'
    event = ToolFinished(session="s", call=ToolCall(id="t", tool="Edit", action="edit"), outcome="done")
    world = World(
        session=Session(id="s"),
        agent=AgentState(),
        analysis=Analysis(event=event),
        policy=Policy(),
        workspace=Workspace("/repo"),
    )
    diff = Diff(path="a.py", after=text, added=((2, 2),))
    assert not list(detect(event, world, (diff,), Log(), Tree(), NO_FILES))
    failed = msgspec.structs.replace(event, outcome="failed")
    assert not list(detect(failed, world, (Diff(path="a.py", after=text, added=((1, 2),)),), Log(), Tree(), NO_FILES))


@pytest.mark.parametrize(
    ("command", "fires"),
    [
        (f"curl -H 'Authorization: Bearer {KEY}' https://x.dev", True),
        (f"export STRIPE_KEY={KEY}", True),
        (f"API_TOKEN={HEX} make run", True),
        ("curl -H 'Authorization: Bearer $TOKEN' https://x.dev", False),
        (f"gh secret set STRIPE_KEY --body {KEY}", False),
        (f"vault kv put secret/app key={KEY}", False),
    ],
)
def test_a_secret_in_a_shell_line(command: str, *, fires: bool) -> None:
    """P6."""
    findings = found(("", command), command=command, proposed=True)
    assert bool(findings) == fires
    assert all(finding.subject.startswith("command:") and not finding.path for finding in findings)


def test_what_a_line_writes_into_a_file_is_judged_there() -> None:
    command = f"echo KEY={KEY} >> .env"
    assert not found((".env", f"KEY={KEY}"), ("", command), command=command, files=Tree({".env": True}))


def test_environment_files() -> None:
    """N6, P4, O-6: ignored is nothing, open is queued, given to git is refused."""
    line = (".env", f"KEY={KEY}")
    assert not found(line, files=Tree({".env": True}))
    assert not found(line)
    (queued,) = found(line, files=Tree({".env": False}))
    assert (queued.confidence, queued.subject) == (0.8, ".env:not ignored")
    assert ".gitignore" in queued.message
    assert not found((".env", "PORT=3000"), files=Tree({".env": False}))
    (refused,) = found(command="git add .env", files=Tree({".env": False}, {".env": line[1]}), proposed=True)
    assert refused.confidence == 0.9


def test_announced_hardcoding_pushes_what_is_there() -> None:
    log = Log((Entry(kind="flag", key="RF-B1", turn=5),))
    (finding,) = found(("src/db.py", 'password = "hunter2"'), log=log)
    assert finding.confidence == 0.85
    assert not found(("src/db.py", "x = 1"), log=log)
    old = Log((Entry(kind="flag", key="RF-B1", turn=1),))
    assert found(("src/db.py", 'password = "hunter2"'), log=old)[0].confidence == 0.8


def test_many_secrets_are_told_one_by_one_up_to_a_limit() -> None:
    lines = "\n".join(f'k{n}_password = "kT9vq2Zx{n}Lp!"' for n in range(30))
    findings = found(("src/a.py", lines))
    assert len(findings) == credential.MOST
    assert len({finding.subject for finding in findings}) == credential.MOST


def _answers(*lines: str) -> list[Action]:
    return [verdict.action for verdict in play(("@ try the login", *lines)).spoken()]


def test_a_login_tried_out_on_this_machine_is_let_be() -> None:
    body = '{"username": "alice", "password": "Passw0rd-x9Qz!"}'
    assert _answers(f"$ curl -X POST http://localhost:8000/login -d '{body}'") == []
    assert _answers(f"$ curl -X POST https://shop.dev/login -d '{body}'") == [Action.DENY]
    assert _answers(f"$ curl -H 'Authorization: Bearer {KEY}' http://localhost:8000/x") == [Action.DENY]


def test_what_is_called_an_example_is_one() -> None:
    token = ".".join(("eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", random_text(43, 5)))
    assert _answers(f"write api/openapi.yaml | token:\n  type: string\n  example: {token}\n") == []
    assert _answers(f'write src/call.py | token = "{token}"') == [Action.DENY]


def test_the_address_of_a_contract_is_public() -> None:
    assert _answers(f"write src/chain.ts | const TOKEN_ADDRESS = '0x{random_text(40, 3, '0123456789abcdef')}'") == []


@pytest.mark.parametrize(
    ("path", "line", "reason"),
    [
        ("src/a.py", 'api_key = "your_api_key_here"', "placeholder"),
        ("tests/test_a.py", 'password = "hunter2"', "test fixture"),
        ("/tmp/try.py", 's.login("bot", "Pass-4711x")', "scratch file"),
        ("a.examples.json", '"GrantToken": "6f9619ff-8b86-4011-b42d-00c04fc964ff"', "example file"),
        ("src/a.py", 'call("aB3dE6gH9jK2mN5pQ8sT1vW4")', "only its entropy suggests a secret"),
        ("docs/a.md", "salt: Gx7pQ2nRw9Zk4", "it is only explained"),
        ("src/a.go", 'const encryptedClientSecret = "xK9mQ2vR7tYpLw3ZaB4d"', "encrypted, as its name says"),
        ("tests/test_a.py", 'secret = "b3c631c314c0bbca50c1b2843150fe33"', "test fixture"),
        ("src/it/app/A.java", 'String password = "hunter2";', "test fixture"),
        ("web/a.js", f'{"a" * 4_000};var token="xK9mQ2vR7tYpLw3Z"', "in a line that a tool made"),
    ],
)
def test_what_is_only_logged_says_why(path: str, line: str, reason: str) -> None:
    (finding,) = found((path, line))
    assert finding.signal is not None
    assert finding.signal.log_only == reason
    assert finding.message.endswith(f"Only logged: {reason}.")
    assert len(finding.message.split()) < 40


def test_the_argument_is_named_and_not_the_user() -> None:
    (finding,) = found(("src/a.py", 'client.login("bot", "kT9vq2ZxLp!")'), proposed=True)
    assert "`argument 2 of client.login()` (login call)" in finding.message
    assert "bot" not in finding.message


def test_a_login_tried_out_in_a_scratch_file_is_not_refused() -> None:
    script = 'from app import client\nclient.login("bot", "kT9vq2ZxLp!")\n'
    assert _answers(f"$ cat > /tmp/try.py <<'EOF'\n{script}EOF") == []
    assert _answers(f"$ cat > src/try.py <<'EOF'\n{script}EOF") != []


def test_a_line_in_a_large_file_is_read_alone() -> None:
    text = "".join(f'token_{number} = "{random_text(24, number)}"\n' for number in range(40))
    event = ToolFinished(session="s", call=ToolCall(id="t", tool="Edit", action="edit"), outcome="done")
    world = World(
        session=Session(id="s"),
        agent=AgentState(),
        analysis=Analysis(event=event),
        policy=Policy(),
        workspace=Workspace("/repo"),
        secret_key=SECRET_KEY,
    )
    diff = Diff(path="src/a.py", before="x", after=text, added=((7, 8),))
    assert {finding.line for finding in detect(event, world, (diff,), Log(), Tree(), NO_FILES)} == {7, 8}


@pytest.mark.parametrize(("path", "told"), [("tests/a.py", "the same value as in line 1"), ("src/a.py", "")])
def test_one_value_is_said_once_in_a_test(path: str, told: str) -> None:
    """In ordinary code each place holds a key that has to go."""
    line = 'secret = "xK9mQ2vR7tYpLw3ZaB4d"'
    first, second = sorted(found((path, f"{line}\nx = 1\nother_{line}")), key=lambda one: one.line)
    assert first.signal is not None
    assert second.signal is not None
    assert (first.signal.log_only, second.signal.log_only) == ("", told)


def test_the_name_of_a_public_key_is_no_secret() -> None:
    assert found(("src/a.sh", "ARCHIVE_GPG_KEY=C99B11DEB97541F0")) == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("conf/ldap.conf", "pass_attrs = uid=user,userPassword=password"),
        ("web/a.css", ".body .pass::before,"),
        ("src/a.c", '.token = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9..",'),
    ],
)
def test_a_mapping_a_style_and_the_head_of_a_token_are_no_secrets(path: str, line: str) -> None:
    assert [one for one in found((path, line)) if one.signal is not None and not one.signal.log_only] == []


def test_a_file_of_keys_is_one_thing_to_look_at_where_it_lies_and_each_is_told_where_it_is_written() -> None:
    bodies = ["\n".join(random_text(64, 10 * n + line) for line in range(6)) for n in (1, 2)]
    begin, end = (f"-----{word} PRIVATE KEY-----" for word in ("BEGIN", "END"))
    text = "\n".join(f"KEY_{n} = '''{begin}\nMIIE{body}\n{end}'''" for n, body in enumerate(bodies))
    told = sorted(found(("src/keys.py", text)), key=lambda it: it.line)
    signals = [one.signal for one in told if one.signal is not None]
    assert [(one.log_only, one.rests_at) for one in signals] == [("", "QUEUE"), ("", "LOG")]
    assert signals[1].at_rest == "one more key like that in line 1"
