"""A client for tests of `leeboard run`, started as a program: asks what it is told to ask, and prints what it got.

Each argument is a step: `ask` (one request to its model), `kill` (the proxy's process, as the proxy itself names it),
`wait` (a line on stdin), `env NAME` (a variable), `exit CODE`.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from http.client import HTTPConnection
from urllib.parse import urlsplit


def tell(what: object) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


def ask(path: str = "/v1/models") -> bytes:
    base = urlsplit(os.environ["ANTHROPIC_BASE_URL"])
    connection = HTTPConnection(str(base.hostname), base.port, timeout=60)
    connection.request("GET", base.path + path, headers={"x-api-key": os.environ.get("ANTHROPIC_API_KEY", "none")})
    return connection.getresponse().read()


def proxy_process() -> int:
    base = urlsplit(os.environ["ANTHROPIC_BASE_URL"])
    connection = HTTPConnection(str(base.hostname), base.port, timeout=60)
    connection.request("GET", f"/{base.path.split('/')[1]}/leeboard/health")
    return int(json.loads(connection.getresponse().read())["pid"])


def main() -> None:
    steps = iter(sys.argv[1:])
    for step in steps:
        if step == "ask":
            tell(ask().decode())
        elif step == "pid":
            tell(proxy_process())
        elif step == "kill":
            os.kill(proxy_process(), signal.SIGKILL)
        elif step == "wait":
            sys.stdin.readline()
        elif step == "env":
            tell(os.environ.get(next(steps), ""))
        elif step == "exit":
            sys.exit(int(next(steps)))


if __name__ == "__main__":
    main()
