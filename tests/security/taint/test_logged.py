"""Secrets in logs, by the names of what is written."""

from __future__ import annotations

import pytest

from leeboard.security.taint.flow import find_flows
from leeboard.source.syntax import parse

LOGGED = (
    ("python", "import logging\ndef login(user, password):\n    logging.info('%s %s', user, password)\n"),
    ("python", "import logging\ndef login(user, password):\n    logging.info(f'{user} {password}')\n"),
    ("javascript", "function login(user, password) { logger.info('login', { user, password }) }\n"),
    ("java", 'class A { void login(String user, String password) { log.info("{} {}", user, password); } }'),
    ("go", 'package a\nimport "log"\nfunc login(user, password string) { log.Printf("%s %s", user, password) }\n'),
)
SILENT = (
    ("python", "import logging\ndef login(user, password):\n    logging.info('%s %s', user, mask(password))\n"),
    ("python", "import logging\ndef login(user, password):\n    logging.info('%s %s', user, password is None)\n"),
    ("python", "import logging\ndef login(user):\n    password = '***'\n    logging.info('%s', password)\n"),
    ("javascript", "function login(user, password) { logger.info('login', user, password.length) }\n"),
    ("javascript", "function login(user, resetPassword) { logger.info('login', resetPassword) }\n"),
    ("java", 'class A { void login(String user, String password) { send("{} {}", user, password); } }'),
)


def kinds(language: str, code: str) -> list[str]:
    tree = parse(code, language)
    assert tree is not None
    return [flow.kind for flow in find_flows(tree)]


@pytest.mark.parametrize(("language", "code"), LOGGED)
def test_a_password_in_a_log_is_told(language: str, code: str) -> None:
    assert kinds(language, code) == ["logged"]


@pytest.mark.parametrize(("language", "code"), SILENT)
def test_what_tells_only_of_a_password_is_not(language: str, code: str) -> None:
    assert "logged" not in kinds(language, code)
