"""Every error Leeboard raises on purpose.

LeeboardError
├── ConfigError   the user's settings or arguments are wrong: names file, key, next step    exit 2
│   └── UntrustedError   it came from elsewhere, and no person has let it act here
├── WireError     somebody's bytes are not what their protocol says: skipped and noted       else exit 3
├── StateError    our own state on disk is illegal, newer than this version or tampered     exit 4
│   └── NewerStateError   a newer version wrote it: this one never writes there, and gives way
└── EffectError   git, a file, the database or a process failed                             exit 5
    └── BusyError   somebody else holds a lock for longer than there is time to wait

Programming errors stay builtins. The edge of each surface catches these once and turns them into an exit code (the
table of all is in `leeboard.surfaces.cli.main`); a hook turns every one of them into silence and a receipt.
"""


class LeeboardError(Exception):
    """Something a person can act on; the message says how."""

    exit_code = 1
    kind = "not_possible"
    """Which kind it is, for programs."""


class ConfigError(LeeboardError):
    """The user's settings or arguments are wrong."""

    exit_code = 2


class UntrustedError(ConfigError):
    """Something came from elsewhere, and no person has let it act here."""

    kind = "not_trusted"


class WireError(LeeboardError):
    """Bytes from outside do not follow their protocol."""

    exit_code = 3


class StateError(LeeboardError):
    """Our state on disk is unreadable, newer than this version, or illegal."""

    exit_code = 4
    kind = "illegal_state"


class NewerStateError(StateError):
    """Our state was written by a newer version than this process."""


class EffectError(LeeboardError):
    """The world did not do what was asked of it."""

    exit_code = 5
    kind = "not_done"


class BusyError(EffectError):
    """Somebody else holds what is needed, for now: nothing is broken."""
