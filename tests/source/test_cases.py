from __future__ import annotations

import pytest

from leeboard.source.cases import cases_of, knows, strength_of

SKIPPED = {
    "python": '@pytest.mark.skip(reason="x")\ndef test_adds():\n    assert add(1) == 1\n',
    "javascript": 'it.skip("adds", () => {\n  expect(add(1)).toBe(1);\n});\n',
    "typescript": 'xit("adds", () => {\n  expect(add(1)).toBe(1);\n});\n',
    "go": 'package a\n\nfunc TestAdds(t *testing.T) {\n\tt.Skip("x")\n\tassert.Equal(t, 1, add(1))\n}\n',
    "java": 'class A {\n  @Test\n  @Disabled("x")\n  void adds() {\n    assertEquals(1, add(1));\n  }\n}\n',
    "kotlin": "class A {\n  @Test\n  @Ignore\n  fun adds() {\n    assertEquals(1, add(1))\n  }\n}\n",
    "rust": "#[test]\n#[ignore]\nfn adds() {\n    assert_eq!(add(1), 1);\n}\n",
    "csharp": 'class A {\n  [Fact(Skip = "x")]\n  public void Adds() {\n    Assert.Equal(1, Add(1));\n  }\n}\n',
    "php": '<?php\nclass A {\n  function testAdds() {\n    $this->markTestSkipped("x");\n    $this->assertSame(1, add(1));\n  }\n}\n',
    "ruby": 'xit "adds" do\n  expect(add(1)).to eq(1)\nend\n',
}


@pytest.mark.parametrize("language", SKIPPED)
def test_a_test_that_does_not_run_is_known_in_every_language(language: str) -> None:
    (case,) = cases_of(SKIPPED[language], language)
    assert case.skipped
    assert not case.condition
    assert len(case.asserts) == 1
    assert knows(language)


def test_a_skip_under_a_condition_is_told_apart() -> None:
    text = 'package a\n\nfunc TestA(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip("x")\n\t}\n}\n'
    (case,) = cases_of(text, "go")
    assert case.condition


def test_the_only_test_that_runs_is_known() -> None:
    assert [case.alone for case in cases_of('it.only("a", () => {});\nit("b", () => {});\n', "javascript")] == [
        True,
        False,
    ]


def test_other_functions_and_languages_have_no_cases() -> None:
    assert cases_of("def total():\n    assert x\n", "python") == ()
    assert cases_of("SELECT 1", "sql") == ()


@pytest.mark.parametrize(
    ("assertion", "strength"),
    [
        ("assert True", 0),
        ("expect(true).toBe(true)", 0),
        ("assert!(true)", 0),
        ("$this->assertTrue(true)", 0),
        ("Assert.True(true)", 0),
        ("assert x is not None", 1),
        ("expect(x).toBeTruthy()", 1),
        ("pytest.raises(Exception)", 1),
        ("assert result", 1),
        ("assert 'a' in names", 2),
        ("self.assertAlmostEqual(x, 1)", 2),
        ("assert total([1]) == 1", 3),
        ("expect(x).toBe(3)", 3),
        ("assert_eq!(add(1), 1)", 3),
        ('assert message == "in any case"', 3),
    ],
)
def test_how_much_an_assertion_says(assertion: str, strength: int) -> None:
    assert strength_of(assertion) == strength
