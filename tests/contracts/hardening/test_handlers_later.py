"""Errors that are dropped without a handler: by an option, or by what a result or a later value is turned into."""

from __future__ import annotations

import pytest

from leeboard.contracts.hardening.find import find_hardening

_IN_CLASS = "class A { void f() {\n %s\n} }\n"
_IN_FUN = "fun f() {\n %s\n}\n"
_IN_FN = "fn f(p: &str) {\n %s\n}\n"


@pytest.mark.parametrize(
    ("language", "text", "signal"),
    [
        ("kotlin", _IN_FUN % "runCatching { load() }", "swallowed error"),
        ("kotlin", _IN_FUN % "runCatching { load() }.onFailure { }", "swallowed error"),
        ("java", _IN_CLASS % "x.load().exceptionally(e -> null);", "default on error"),
        ("java", _IN_CLASS % "x.load().onErrorReturn(0);", "default on error"),
        ("java", _IN_CLASS % "x.load().onErrorResume(e -> Mono.empty());", "default on error"),
        ("java", _IN_CLASS % "int n = Try.of(() -> load()).getOrElse(0);", "default on error"),
        ("php", "<?php\n$a = rescue(fn () => load(), null, false);\n", "default on error"),
        ("python", "def f(p):\n    shutil.rmtree(p, ignore_errors=True)\n", "swallowed error"),
        ("rust", _IN_FN % "let n = p.parse::<i32>().map_or(0, |v| v + 1);", "default on error"),
    ],
)
def test_an_error_that_nobody_sees_is_told(language: str, text: str, signal: str) -> None:
    assert [one.signal for one in find_hardening(text, language)] == [signal]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("kotlin", _IN_FUN % "val x = runCatching { load() }\n x.getOrThrow()"),
        ("kotlin", _IN_FUN % "runCatching { load() }.onFailure { throw Failed(it) }"),
        ("java", _IN_CLASS % "x.load().exceptionally(e -> { throw new Failed(e); });"),
        ("java", _IN_CLASS % "x.load().onErrorResume(e -> Mono.error(new Failed(e)));"),
        ("php", "<?php\n$a = $this->rescue($boat);\n"),
        ("python", "def f(p):\n    shutil.rmtree(p, ignore_errors=False)\n"),
        ("rust", _IN_FN % "let n = names.get(p).map_or(0, |v| v + 1);"),
    ],
)
def test_an_error_that_is_handed_on_is_none(language: str, text: str) -> None:
    assert not find_hardening(text, language)
