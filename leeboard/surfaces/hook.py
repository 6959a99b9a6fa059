"""The script that clients run at every hook: `python -I -S hook.py`, JSON on stdin.

The exit code is 0 whatever happens: 2 would refuse the agent's call. Python compiles what it runs as a script anew each
time, so this one only loads the real client, whose bytecode is kept.
"""

import posix
from _frozen_importlib_external import SourceFileLoader

_CLIENT = __file__.rpartition("/")[0] + "/hook_client.py"


def main() -> None:
    client = type(posix)("leeboard.surfaces.hook_client")
    client.__file__ = _CLIENT
    try:
        code = SourceFileLoader("hook_client", _CLIENT).get_code("hook_client")
        exec(code or "", client.__dict__)  # noqa: S102 - our own file
        client.answer_hook(posix.environ)
    except BaseException as failure:  # noqa: BLE001 - whatever it is, the agent's call must not suffer
        try:  # noqa: SIM105 - contextlib would have to be imported
            client.note_miss(posix.environ, failure)
        except BaseException:  # noqa: BLE001, S110 - there is nowhere left to say it
            pass
    posix._exit(0)  # noqa: SLF001 - nothing is left to tidy up, and the interpreter's own end takes a third of the time


if __name__ == "__main__":
    main()
