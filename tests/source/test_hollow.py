from __future__ import annotations

import pytest

from leeboard.source.hollow import is_hollow

HOLLOW = (
    "assert x == x",
    "assert a.b(1) == a.b(1)",
    "assert f(x) or True",
    'assert (f(x), "msg")',
    'assert ((x), "m")',
    "assert 1 == 1",
    'assert "a" == "a"',
    "assert [x, 1]",
    'assert "ok"',
    "assert len(x) >= 0",
    'assert f(x) is f(x), "m"',
    "self.assertEqual(a, a)",
    "self.assertTrue(True)",
    "self.assertEqual(a(1, 2), a(1, 2))",
    "expect(a).toBe(a)",
    "expect(a.b).toEqual(a.b)",
    "expect(a)",
    "expect(a).toBe",
    "await expect(a).resolves",
    "expect(x).to.equal(x)",
    "expect(x).to eq(x)",
    "expect(x).to eq x",
    "expect(x)",
    "expect(items.length).toBeGreaterThanOrEqual(0)",
    "expect(x || true).toBeTruthy()",
    "assertEquals(a, a)",
    "assertTrue(x || true)",
    "assertThat(a).isEqualTo(a)",
    "assert_eq!(a, a)",
    "assert!(x == x)",
    "assert!(a.len() >= 0)",
    "Assert.AreEqual(c.Name, c.Name)",
    "Assert.That(x, Is.EqualTo(x))",
    "x.Should().Be(x)",
    "$this->assertEquals($a, $a)",
    "$this->assertSame($a->b(), $a->b())",
    "require.Equal(t, got, got)",
    "assert.Equal(t, cap(x.([]int)), cap(x.([]int)))",
    'if got != got { t.Errorf("x") }',
    "assert_equal a, a",
    "assert.strictEqual(a, a)",
    "assert.equal(a, a)",
    "t.is(a, a)",
    "assertTrue(a == a)",
    "assert a <= a",
    "assert True or f()",
    "assert x == x and y",
)
TELLING = (
    "assert x != x",
    "assert x == y",
    "assert f(x) or False",
    'assert (f(x)), "msg"',
    "assert (a == b and c)",
    "assert x in (1, 2)",
    "assert len(x) >= 1",
    'assert "a or True" == x',
    "expect(a).toBe(b)",
    "expect(a).to.be.true",
    "expect(a).not.toBe(null)",
    "assertEquals(1, a)",
    "assertEquals(a, a.copy())",
    "Assert.Equal(a, b)",
    "require.Equal(t, 1, got)",
    "require.Equal(t, t, got)",
    'if got != want { t.Errorf("x") }',
    "if err != nil { t.Fatal(err) }",
    "assert_eq!(a, b)",
    "assert!(matches!(x, Y))",
    "expect(f).toThrow()",
    "await expect(f()).rejects.toThrow(Error)",
    "assert not x",
    "assert x",
    "assert f(1, 2)",
    'assert {"a": 1} == x',
    "assert [1, 2] == x",
    "$this->assertTrue($x)",
    "self.assertTrue(x)",
    "assertNotEquals(a, a)",
    "assert x is not x.copy()",
    "assert (a) == (b)",
    "assert a == b == c",
    "expect(true).toBe(x)",
    "assert.deepEqual(a, [a])",
    "self.assertRaises(E, f)",
)


@pytest.mark.parametrize("assertion", HOLLOW)
def test_what_holds_whatever_the_code_does(assertion: str) -> None:
    assert is_hollow(assertion)


@pytest.mark.parametrize("assertion", TELLING)
def test_what_says_something(assertion: str) -> None:
    assert not is_hollow(assertion)


@pytest.mark.parametrize("assertion", ["", "(", "assert (", "expect(((", "assert '", "a == ", " == a", ")" * 300])
def test_half_an_assertion_is_none(assertion: str) -> None:
    assert not is_hollow(assertion)
