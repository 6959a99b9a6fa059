"""The script that clients run at every hook: `python -I -S hook.py`, JSON on stdin.

The exit code is 0 whatever happens: 2 would refuse the agent's call. Python compiles what it runs as a script anew each
time, so this one only loads the real client, whose bytecode is kept.
"""

import sys
from _frozen_importlib_external import SourceFileLoader

try:
    from posix import _exit, environ
except ImportError:  # Windows, whose variables are texts
    from os import _exit, fsencode
    from os import environ as _told

    environ = {fsencode(name): fsencode(value) for name, value in _told.items()}

_CLIENT = __file__[: max(__file__.rfind("/"), __file__.rfind("\\")) + 1] + "hook_client.py"


def main() -> None:
    client = type(sys)("leeboard.surfaces.hook_client")
    client.__file__ = _CLIENT
    try:
        code = SourceFileLoader("hook_client", _CLIENT).get_code("hook_client")
        exec(code or "", client.__dict__)  # noqa: S102 - our own file
        client.answer_hook(environ)
    except BaseException as failure:  # noqa: BLE001 - whatever it is, the agent's call must not suffer
        try:  # noqa: SIM105 - contextlib would have to be imported
            client.note_miss(environ, failure)
        except BaseException:  # noqa: BLE001, S110 - there is nowhere left to say it
            pass
    _exit(0)  # nothing is left to tidy up, and the interpreter's own end takes a third of the time


if __name__ == "__main__":
    main()
