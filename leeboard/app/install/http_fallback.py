"""Posted hooks go by their command again where somebody else holds their port: no call is told to a stranger for long.

The client takes changed settings over within seconds. What it posted before is in its own record, and read from there,
so that no hook counts as unanswered: that it was done, and why, is kept with the port, and told from there.
"""

from __future__ import annotations

from msgspec.structs import replace

from leeboard.app.install.hook_files import SettingsPlace, install, naming, our_command, plan_install, text_at
from leeboard.app.install.http_hooks import HttpHooks, keep_hooks, listener_words, who_answers
from leeboard.clients import FIRST
from leeboard.errors import ConfigError
from leeboard.io import clock


def fall_back(hooks: HttpHooks) -> bool:
    """Whether they do now; not where it is another process of ours that listens, or nobody does any more."""
    if who_answers(hooks) in {"ours", "nobody"}:
        return False
    why = f"port {hooks.port} of this machine is held by {listener_words(hooks.port)}"
    at = SettingsPlace("local", hooks.settings, FIRST)
    try:
        with naming(at.path):
            stands = bool(at.format.read_state(text_at(at.path)).posted)
        if stands:
            install(plan_install(at, our_command()))
    except (ConfigError, OSError) as error:
        why = f"{why}, and the settings could not be changed ({error})"
    keep_hooks(replace(hooks, given_up=why, time=clock.now()))
    return True
