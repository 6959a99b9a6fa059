from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leeboard.shell.reach.disk import replaced_links


@pytest.mark.parametrize(
    "command",
    [
        "ln -sfn ../../node_modules node_modules",
        "ln -sfT ../../node_modules node_modules",
        "rm -rf node_modules && ln -s ../../node_modules node_modules",
        "npm test; rm node_modules && ln -s ../../node_modules node_modules && npm test",
        "unlink node_modules && ln -s '../../node_modules' node_modules",
    ],
)
def test_the_link_alone(command: str) -> None:
    assert replaced_links(command, "/t") == {"/t/node_modules"}


@pytest.mark.parametrize(
    "command",
    [
        "ln -sf ../../node_modules node_modules",
        "rm -rf node_modules; ln -s ../../node_modules node_modules",
        "false || rm link && ln -sf /tmp/settings.yml link",
        "echo rm link && ln -sf /tmp/settings.yml link",
        "rm other && ln -sf /tmp/settings.yml link",
        "rm link/ && ln -sf /tmp/settings.yml link",
        "ln -sfn ../../.haiku link && echo x > link/settings.yml",
        "ln -sfn ../../.haiku link && echo x > li'n'k/settings.yml",
        "ln -sfn ../../.haiku/settings.yml link && echo x > link",
        "ln -sfn ../../.haiku link && echo x > lin?/settings.yml",
        "ln -sfn ../../.haiku link && ln -sf /tmp/settings.yml link",
        "ln -sfn ../../.haiku link && rm -rf link/intents",
        "f() { echo x > link/settings.yml; }; ln -sfn ../../.haiku link; f",
        "cp -r a b",
    ],
)
def test_more_than_the_link(command: str) -> None:
    assert not replaced_links(command, "/t")


@given(st.text(max_size=60))
def test_it_reads_anything(text: str) -> None:
    assert isinstance(replaced_links(f"ln -sfn a {text}", "/t"), frozenset)
