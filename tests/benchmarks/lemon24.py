"""lemon24/reader in a process of its own: each word on its input is done and answered.

So that neither its imports nor its start are part of a round.
"""

from __future__ import annotations

import sys
from pathlib import Path

from reader import Reader, make_reader

WORKERS = 8


def main(folder: str) -> None:
    reader = make_reader(str(Path(folder) / "reader.db"))
    for line in sys.stdin:
        print(obey(reader, line), flush=True)


def obey(reader: Reader, line: str) -> int | None:
    match line.split():
        case ["add", url]:
            reader.add_feed(url)
        case ["update"]:  # all of them, not only those that it thinks are due again
            reader.update_feeds(workers=WORKERS, scheduled=False)
        case ["count"]:
            total: int | None = reader.get_entry_counts().total
            return total
    return None


if __name__ == "__main__":
    main(sys.argv[1])
