from __future__ import annotations

import pytest

from leeboard.secrets.assignment import by_name, last_part
from leeboard.secrets.hit import Style
from leeboard.secrets.redaction import find_secrets

VALUE = "kT9vq2ZxLpWm4Rt8"


@pytest.mark.parametrize(
    ("style", "text", "name"),
    [
        ("code", 'password = "{}"', "password"),
        ("code", 'let token: &str = "{}";', "token"),
        ("code", 'props.put("db.password", "{}")', "db.password"),
        ("code", 'x.setPassword("{}")', "x.setPassword"),
        ("code", 'if (password.equals("{}"))', "password"),
        ("code", 'if api_key == "{}":', "api_key"),
        ("code", 'if (req.body["password"] === "{}")', "password"),
        ("code", "if ($_POST['password'] == '{}')", "password"),
        ("code", 'key = "{}"', "key"),
        ("code", 'secret =\n    "{}"', "secret"),
        ("code", '#define API_KEY "{}"', "API_KEY"),
        ("config", "api_key: {}", "api_key"),
        ("config", "<password>{}</password>", "password"),
        ("config", '<add key="Password" value="{}"/>', "Password"),
        ("config", "<key>apiKey</key>\n<string>{}</string>", "apiKey"),
        ("config", "- name: DB_PASSWORD\n  value: {}", "DB_PASSWORD"),
        ("shell", "TOKEN={}", "TOKEN"),
        ("shell line", "run --api-key {}", "api-key"),
        ("prose", "the password is `{}`", "password"),
        ("code", '"Server=x;Password={};"', "Password"),
        ("any", "token: {}", "token"),
        ("shell", "ENV DB_PASSWORD={}(3)x", "DB_PASSWORD"),
        ("shell", "export DB_PASSWORD={}(f(3))x", "DB_PASSWORD"),
        ("shell", "setup.exe /password {}", "password"),
    ],
)
def test_a_value_under_a_name(style: Style, text: str, name: str) -> None:
    line = text.format(VALUE)
    hits = [hit for hit in by_name(line, line.lower(), style) if hit.value == VALUE]
    assert [hit.name for hit in hits[:1]] == [name]
    assert line[hits[0].start : hits[0].end] == VALUE


@pytest.mark.parametrize(
    ("style", "text"),
    [
        ("code", "password = value123abc"),
        ("code", '"AWS::Secret": "kT9vq2ZxLpWm4Rt8"'.replace("Secret", "x::Secret")),
        ("code", 'get_token("kT9vq2ZxLpWm4Rt8")'),
        ("code", '["password", "kT9vq2ZxLpWm4Rt8x", "token"]'.replace("kT9vq2ZxLpWm4Rt8x", "username")),
        ("prose", "pass kT9vq2ZxLpWm4Rt8 on"),
        ("code", "'2.5.4.35': ('2.5.4.35', TYPE, 'userPassword', 'RFC4519')"),
        ("code", 'RESOURCE = "api://fd3f753b-eed3-462c-b6a7-a4b5bb650aad"'),
        ("code", "'pass': password.encode('cp1251'),"),
        ("shell", "PSK=/tmp/psk-file.$$.tmp"),
        ("code", "'VQrDJoP7mtdBzkxhXbSPwGB1coeElk4xpwP': 'j2VejQx0VFKQepAF7dI0mJLKtOVJE18z',"),
        ("code", '"DHE_PSK_WITH_AES_128_CCM_8": "DHE-PSK-AES128-CCM8",'),
        ("config", "ignore:.*passwordless feature.*:DeprecationWarning:app2"),
        ("code", "if cred in ('username', 'password', 'authzid'):"),
        ("shell", "[ $SESSION_KEY = 9:0BACD64099D1468AB07C796F0C0AC4851948A658A15B34E803865E9FC635F2F5 ]"),
        ("code", '__slots__ = ("name", "token", "_trx_lock")'),
        ("code", "// default for Kpasswd_server = admin_server:464"),
        ("code", 'if key == "kT9vq2ZxLpWm4Rt8":'),
        ("shell", "password=derive_kT9vq2Zx(3)"),
        ("code", "# password = derive_kT9vq2Zx(salt).hexdigest()"),
        ("config", "github.com/x/password kT9vq2ZxLpWm4Rt8"),
        ("code", 'if (event.key !== "call:kT9vq2ZxLpWm4Rt8") {'),
        ("code", 'if (options["password"] === "always") {'),
        ("code", "'authentication': ldap3.NTLM})"),
        ("code", 'kept["password:kT9vq2Zx"] = given'),
        ("code", 'print "# sendmail -q -oQ$pwd -oT99d &";'),
        ("shell", "RUN yum -y install rsyslog passwd java-1.7.0-openjdk sudo"),
    ],
)
def test_no_value_under_a_name(style: Style, text: str) -> None:
    assert not list(by_name(text, text.lower(), style))


def test_a_provider_in_the_name_is_enough() -> None:
    line = 'algolia = "' + "kt9vq2zxlpwm4rt8" * 1 + "a7c3e9g1i5k2m8o4" + '"'
    (hit,) = by_name(line, line.lower(), "code", ("algolia",))
    assert (hit.kind, hit.confidence) == ("algolia-key", 0.95)
    assert not list(by_name(line, line.lower(), "code"))


def test_the_last_part_of_a_name_counts() -> None:
    assert last_part("spring.datasource.password") == "password"
    assert last_part("password.title-") == "title"


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ('if password == "admin":', 0.6),
        ('if (user.password !== "admin") {', 0.6),
        ('db.connect(user="root", password="admin")', 0.6),
        ('password = "admin"', 0.45),
        ('form(label="Name", password="admin")', 0.45),
        ('if pass_ == "linear":', 0.45),
    ],
)
def test_a_word_that_opens_something_is_more_than_a_label(text: str, confidence: float) -> None:
    assert [hit.confidence for hit in by_name(text, text.lower(), "code")] == [confidence]


@pytest.mark.parametrize(
    ("line", "is_said"),
    [
        ('if test "$mode,$pass" = "prog,link"; then', False),
        ('if [ "$password" = "Winter2024x" ]; then', True),
        ('password="Winter2024x"', True),
        ("export DB_PASSWORD=Winter2024x", True),
    ],
)
def test_several_values_in_one_word_of_a_shell_are_compared(line: str, is_said: bool) -> None:  # noqa: FBT001 - a column
    assert any(not one.note for one in find_secrets(f"#! /bin/sh\n{line}\n", "libtool")) is is_said
    assert any(not one.note for one in find_secrets(f"{line}\n", "build/link.sh")) is is_said
