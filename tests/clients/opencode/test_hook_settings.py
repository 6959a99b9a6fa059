from __future__ import annotations

import pytest

from leeboard.app.install.hook_files import hook_command
from leeboard.clients.opencode.hook_settings import HOOK_EVENTS, install, read_state, remove
from leeboard.errors import ConfigError

LINE = hook_command("/opt/my 'venv\\x\"/bin/python", "/opt/lib/leeboard/surfaces/hook.py", "opencode")


def test_the_plugin_holds_the_line_and_is_found_again() -> None:
    text = install("", LINE)
    assert read_state(text).hooks == tuple((event, LINE) for event in HOOK_EVENTS)
    assert read_state(text).asked_first == (LINE,)
    assert install(text, LINE) == text
    assert remove(text) == ""


def test_a_file_of_somebody_elses_stays() -> None:
    theirs = "export const Mine = async () => ({})\n"
    assert read_state(theirs).hooks == ()
    with pytest.raises(ConfigError, match="left as it is"):
        install(theirs, LINE)
    with pytest.raises(ConfigError, match="left as it is"):
        remove(theirs)


def test_a_plugin_with_another_line_in_it_is_none_of_ours() -> None:
    assert read_state(install("", LINE).replace("hook.py", "other.py")).hooks == ()
