"""A writer in a process of its own, for the laws about many of them: appends, and says so once each is on disk.

    python appender.py PATH NAME COUNT [once]

Writes `STEP HASH` and a line end for each acknowledged op to stdout. COUNT 0 goes on until it is killed; `once` opens
and closes the record for each op, as a hook does.
"""

import os
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from ccos_core.ops.plain import delivery_key, seal
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record
from ccos_core.values.canon import digest

LARGEST = 9_000


def main(path: str, name: str, count: int, once: bool) -> None:
    chance = random.Random(name)
    record = None
    number = 0
    while not count or number < count:
        number += 1
        record = record or open_record(path, write=True, stay=not once, patience=60)
        say(append(record, name, number, chance))
        if once:
            record.close()
            record = None
    if record is not None:
        record.close()


def append(record: Record, name: str, number: int, chance: random.Random) -> tuple[int, bytes]:
    """An op with a content of up to 9 kB of what can't be compressed, and an op about it."""
    content = chance.randbytes(chance.randrange(1, LARGEST // 2)).hex().encode()
    reference = {"blob": digest(content).hex(), "bytes": len(content)}
    op = {"kind": "seen", "v": 1, "path": f"{name}/{number}", "how": "read", "content": reference, "call": f"{number}"}
    op["session"] = name
    with record.write() as writing:
        writing.keep(digest(content), content)
        writing.append(seal(op), delivery_key(op))
    return writing.step, writing.hash


def say(acknowledged: tuple[int, bytes]) -> None:
    os.write(1, f"{acknowledged[0]} {acknowledged[1].hex()}\n".encode())


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), "once" in sys.argv[4:])
