"""A machine of its own for every test, and a project with a studio of two stages."""

from __future__ import annotations

import pytest

from tests.small_project import own_machine, small_project
from tests.trusting import in_trust

trusting = pytest.fixture(autouse=True)(in_trust)
machine = pytest.fixture(autouse=True)(own_machine)
repository = pytest.fixture(small_project)
