from __future__ import annotations

import pytest

from leeboard.source.cases import cases_of

NEVER_REACHED = (
    ("python", "def test_a():\n    return\n    assert f(x) == 1\n"),
    ("python", "def test_a():\n    if False:\n        assert f(x) == 1\n"),
    ("python", "def test_a():\n    for c in []:\n        assert f(c) == 1\n"),
    ("python", "def test_a():\n    cases = []\n    for c in cases:\n        assert f(c) == 1\n"),
    ("python", "import sys\ndef test_a():\n    sys.exit(0)\n    assert f(x) == 1\n"),
    ("python", "def test_a():\n    raise RuntimeError('x')\n    assert f(x) == 1\n"),
    ("javascript", "it('a', () => {\n  return;\n  expect(f(a)).toBe(1);\n});"),
    ("javascript", "it('a', () => {\n  if (false) { expect(f(a)).toBe(1); }\n});"),
    ("javascript", "it('a', () => {\n  for (const c of []) { expect(c).toBe(1); }\n});"),
    ("javascript", "it('a', () => {\n  const cases = [];\n  for (const c of cases) { expect(c).toBe(1); }\n});"),
    ("javascript", "it('a', () => {\n  process.exit(0);\n  expect(a).toBe(1);\n});"),
    ("go", "package a\nfunc TestA(t *testing.T) {\n\treturn\n\trequire.Equal(t, 1, f())\n}"),
    ("go", "package a\nfunc TestA(t *testing.T) {\n\tif false {\n\t\trequire.Equal(t, 1, f())\n\t}\n}"),
    (
        "go",
        "package a\nfunc TestA(t *testing.T) {\n\tcases := []struct {\n\t\ta int\n\t}{}\n\tfor _, c := range cases {\n\t\trequire.Equal(t, 1, c)\n\t}\n}",
    ),
    ("go", "package a\nfunc TestA(t *testing.T) {\n\tfor _, c := range []int{} {\n\t\trequire.Equal(t, 1, c)\n\t}\n}"),
    ("java", "class A { @Test void a() {\n  return;\n  assertEquals(1, f());\n} }"),
    ("java", "class A { @Test void a() {\n  if (false) { assertEquals(1, f()); }\n} }"),
    ("java", "class A { @Test void a() {\n  for (int c : List.of()) { assertEquals(1, c); }\n} }"),
    ("ruby", "it 'a' do\n  next\n  expect(f(1)).to eq(2)\nend"),
    ("ruby", "it 'a' do\n  return\n  expect(f(1)).to eq(2)\nend"),
    ("ruby", "it 'a' do\n  if false\n    expect(f(1)).to eq(2)\n  end\nend"),
    ("rust", "#[test]\nfn a() {\n    return;\n    assert_eq!(f(), 1);\n}"),
    ("rust", "#[test]\nfn a() {\n    if false { assert_eq!(f(), 1); }\n}"),
    ("rust", "#[test]\nfn a() {\n    for c in vec![] { assert_eq!(c, 1); }\n}"),
    ("csharp", "class A { [Test] public void B() {\n  return;\n  Assert.Equal(1, F());\n} }"),
    ("csharp", "class A { [Test] public void B() {\n#if false\n  Assert.Equal(1, F());\n#endif\n} }"),
    ("csharp", "class A { [Test] public void B() {\n  foreach (var c in new int[] {}) { Assert.Equal(1, c); }\n} }"),
    ("php", "<?php class A { function testA() {\n  return;\n  $this->assertSame(1, f());\n} }"),
    ("php", "<?php class A { function testA() {\n  if (false) { $this->assertSame(1, f()); }\n} }"),
    (
        "php",
        "<?php class A { function testA() {\n  $cases = [];\n  foreach ($cases as $c) { $this->assertSame(1, $c); }\n} }",
    ),
)
REACHED = (
    ("python", "def test_a():\n    if win:\n        return\n    assert f(x) == 1\n"),
    ("python", "def test_a():\n    cases = []\n    cases.append(1)\n    for c in cases:\n        assert f(c) == 1\n"),
    ("python", "def test_a():\n    def g():\n        return 1\n    assert f(g) == 1\n"),
    ("python", "def test_a():\n    for c in (1, 2):\n        if c:\n            continue\n        assert f(c) == 1\n"),
    ("python", "def test_a():\n    for c in []:\n        pass\n    assert f(c) == 1\n"),
    ("javascript", "it('a', () => {\n  if (x) return;\n  expect(f(a)).toBe(1);\n});"),
    ("javascript", "it('a', () => {\n  return check();\n  function check() { expect(a).toBe(1); }\n});"),
    ("javascript", "it('a', () => {\n  return f().then((v) => { expect(v).toBe(1); });\n});"),
    ("rust", "#[test]\nfn a() {\n    #[cfg(windows)]\n    return;\n    assert_eq!(f(), 1);\n}"),
    ("ruby", "it 'a' do\n  return if win?\n  expect(f(1)).to eq(2)\nend"),
    ("ruby", "it 'a' do\n  next unless x\n  expect(f(1)).to eq(2)\nend"),
    (
        "go",
        "package a\nfunc TestA(t *testing.T) {\n\tvar got []int\n\tfor _, c := range got {\n\t\trequire.Equal(t, 1, c)\n\t}\n}",
    ),
    ("go", "package a\nfunc TestA(t *testing.T) {\n\tif err != nil {\n\t\treturn\n\t}\n\trequire.Equal(t, 1, f())\n}"),
    ("csharp", "class A { [Test] public void B() {\n  if (false) { } else { Assert.Equal(1, F()); }\n} }"),
)
CAUGHT = (
    ("python", "def test_a():\n    with suppress(AssertionError):\n        assert f() == 1\n"),
    ("javascript", "it('a', () => {\n  try { expect(f()).toBe(1); } catch (e) {}\n});"),
    ("java", "class A { @Test void a() {\n  try { assertEquals(1, f()); } catch (AssertionError e) { }\n} }"),
)


@pytest.mark.parametrize(("language", "text"), NEVER_REACHED)
def test_what_nothing_gets_to(language: str, text: str) -> None:
    (case,) = cases_of(text, language)
    assert (len(case.unreached), case.asserts) == (1, ())


@pytest.mark.parametrize(("language", "text"), REACHED)
def test_what_is_reached_at_times(language: str, text: str) -> None:
    (case,) = cases_of(text, language)
    assert (case.unreached, len(case.asserts)) == ((), 1)


@pytest.mark.parametrize(("language", "text"), CAUGHT)
def test_what_is_caught(language: str, text: str) -> None:
    (case,) = cases_of(text, language)
    assert (len(case.caught), case.asserts) == (1, ())
