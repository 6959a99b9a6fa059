"""Are the hooks that a client posts answered by us? What is said and done where they are not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from leeboard.app.install.hook_files import (
    SettingsPlace,
    install,
    naming,
    our_command,
    plan_install,
    short_path,
    text_at,
)
from leeboard.app.posting.hooks import (
    Answers,
    HttpHooks,
    hooks_of,
    keep_hooks,
    listener_words,
    url_at,
    who_answers,
)
from leeboard.clients import FIRST, first_sign
from leeboard.clients.call import SettingsState
from leeboard.errors import ConfigError
from leeboard.io import clock
from leeboard.io.clock import ago


class PostedHooks(msgspec.Struct, frozen=True, kw_only=True):
    """What a project's hooks are posted to, and who answers there."""

    hooks: HttpHooks
    answers: Answers

    @property
    def words(self) -> str:
        """For somebody who looks after it."""
        at = f"port {self.hooks.port} of 127.0.0.1"
        if self.answers == "ours":
            return f"what follows a call is posted to {at}, where the resident has proved itself"
        if self.answers == "nobody":
            return f"what follows a call is posted to {at}, where nobody listens now; the next hook starts the resident"
        if self.answers == "silent":
            return f"what follows a call is posted to {at}, where somebody listens and does not answer"
        return _stranger(self.hooks)


def posted_hooks(root: str) -> PostedHooks | None:
    """None where nothing is posted in this project."""
    hooks = hooks_of(root)
    return PostedHooks(hooks=hooks, answers=who_answers(hooks)) if hooks is not None and not hooks.given_up else None


def has_fallen_back(root: str) -> bool:
    """Whether hooks that were posted run as commands again, without anybody having asked for it."""
    hooks = hooks_of(root)
    return hooks is not None and bool(hooks.given_up)


def posted_ports(root: str) -> frozenset[int]:
    """Those that a client may have met nobody at, and whose faults are ours."""
    hooks = hooks_of(root)
    return frozenset({hooks.port} if hooks is not None else ())


def posted_troubles(root: str, held: Iterable[tuple[SettingsPlace, SettingsState]]) -> Iterator[str]:
    """What is to be said wherever anything of ours runs; nothing where no hook is posted."""
    kept = hooks_of(root)
    for at, state in held:
        strange = sorted({url for _, url in state.posted if kept is None or kept.given_up or url != url_at(kept.port)})
        if strange:
            yield (
                f"{short_path(at.path)} lets {first_sign(at.client, 'title')} post its hooks to {strange[0]}, where "
                "nothing of ours listens: what follows a call is not heard, or somebody else hears it. `leeboard init` "
                "puts commands in its place"
            )
    if kept is not None and kept.given_up:
        yield (
            f"the hooks that were posted run as commands again since {ago(kept.time)}: {kept.given_up}, who "
            "may have been told what followed a call before that. `leeboard init` leaves it at that and ends this "
            "notice, `leeboard init --http` posts to another port"
        )
    found = posted_hooks(root) if kept is not None else None
    if found is not None and found.answers == "somebody":
        yield _stranger(found.hooks)


def _stranger(hooks: HttpHooks) -> str:
    return (
        f"port {hooks.port} of 127.0.0.1, to which hooks are posted here, is held by {listener_words(hooks.port)}, and "
        "not by Leeboard: it hears what follows a call, and what it answers reaches the agent. `leeboard init` puts "
        "commands in its place"
    )


def fall_back(hooks: HttpHooks) -> bool:
    """Have posted hooks run their command again where somebody else holds their port: no stranger is told of calls for
    long. False where it is another process of ours that listens, or nobody does any more.

    The client takes changed settings over within seconds. What it posted before is in its own record, and read there,
    so that no hook counts as unanswered: that it was done, and why, is kept with the port, and told from there.
    """
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
