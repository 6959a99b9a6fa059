from __future__ import annotations

import pytest

from leeboard.secrets.fixture import is_key_of_a_set, is_of_a_build, is_unit_test


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("test/configs/certs/ocsp/ca-key.pem", True),
        ("tests/client.key", True),
        ("tests/ssh/id_ed25519", True),
        ("tests/a1b2c3d4.pem", False),
        ("tests/server.py", False),
        ("deploy/certs/server.key", False),
        ("src/integrations/certs/server.key", False),
        ("integration/certs/server.key", True),
        ("src/integration/payments/client.key", False),
    ],
)
def test_keys_that_tests_bring_along(path: str, *, expected: bool) -> None:
    assert is_key_of_a_set(path) is expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        *((path, True) for path in ("a/x_test.go", "test_x.py", "x.spec.ts", "x-test.js", "XTest.java", "TestX.php")),
        *((path, True) for path in ("x_spec.rb", "t/x.t", "test/test_helper.rb", "FooIT.java", "conftest.py")),
        *((path, False) for path in ("tests/settings.py", "tests/run.sh", "latest.py", "contest.go", "Audit.java")),
    ],
)
def test_the_code_of_tests_is_told_by_its_name(path: str, *, expected: bool) -> None:
    assert is_unit_test(path) is expected


def test_builds() -> None:
    assert is_of_a_build(".github/workflows/ci.yml")
    assert not is_of_a_build("deploy/ci.yml")


@pytest.mark.parametrize(
    ("path", "is_made_up"),
    [
        ("tests/keys/user_ca", True),
        ("deploy/keys/user_ca", False),
        ("internal/testcert.go", True),
        ("tests/common/sample_certs.py", True),
        ("src/certs.py", False),
    ],
)
def test_a_key_in_a_set_of_tests_was_made_for_them(path: str, is_made_up: bool) -> None:  # noqa: FBT001 - a column
    assert is_key_of_a_set(path) is is_made_up


@pytest.mark.parametrize(
    ("path", "is_told"),
    [
        ("fuzz/server_fuzzer.c", True),
        ("src/tests/mocks.py", True),
        ("src/mocks.py", False),
        ("src/stub.py", False),
        ("lib/link_spec.lua", True),
        ("src/fixtures.py", False),
    ],
)
def test_fuzzers_and_mocks_are_code_of_tests(path: str, is_told: bool) -> None:  # noqa: FBT001 - a column
    assert is_unit_test(path) is is_told
