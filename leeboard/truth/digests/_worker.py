"""The second process of a scan: `python -I -S _worker.py <job> <answer> <turns> <tops ...>`, all open descriptors.

It is started as a bare script because that takes a third of the time a module of an installed package does, and it is
started anew each time, never forked: the process it helps may have threads.
"""

from __future__ import annotations

import marshal
import os
import sys


def main() -> None:
    job, answer, turns, *tops = map(int, sys.argv[1:])
    sys.path.append(os.path.realpath(__file__).rsplit(os.sep, 4)[0])
    from leeboard.truth.digests.hashing import perform, taken  # noqa: PLC0415 - only now is it to be found

    with open(job, "rb") as file:  # noqa: PTH123 - a descriptor, not a path
        file.seek(0)
        asked = marshal.load(file)  # noqa: S302 - written by the process that started this one
    with open(answer, "wb") as file:  # noqa: PTH123 - as above
        marshal.dump(perform(asked, tops, taken(turns)), file)


if __name__ == "__main__":
    main()
    os._exit(0)  # the answer is written: tidying up an interpreter takes longer than many a job
