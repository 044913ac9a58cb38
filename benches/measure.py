"""Run a command and print its wall time, processor time and peak memory as JSON.

Linux counts the memory of the parent at the moment of the fork towards the child's peak. So commands are started from
this small process, which imports next to nothing, and not from one that holds numpy: a peak below its own 10 MB or so
cannot be seen, but nothing is added to a larger one.

    python -I -S benches/measure.py COMMAND ARGUMENT …
"""

import json
import os
import sys
import time


def main() -> None:
    """Discard what the command says, keep what it took."""
    null = os.open(os.devnull, os.O_WRONLY)
    start = time.perf_counter()
    child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
    _, status, usage = os.wait4(child, 0)
    wall = time.perf_counter() - start
    code = os.waitstatus_to_exitcode(status)
    if code != 0:
        sys.exit(code if code > 0 else 1)
    print(json.dumps({"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "peak": usage.ru_maxrss * 1024}))


if __name__ == "__main__":
    main()
