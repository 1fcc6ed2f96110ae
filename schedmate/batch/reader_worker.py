"""The process that reads for a batch, one source at a time; ended by whoever asks when it takes too long."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from schedmate.batch.results import TAKEN
from schedmate.errors import SchedMateError

VERBS = ("diagnose", "track", "extract", "classify")

PATIENCE = {"SCHEDMATE_LLM_TIMEOUT_S": "600", "SCHEDMATE_LLM_ATTEMPTS": "10"}
"""Nobody sits and waits for one row of a batch: a model server that is slow slows it down, and costs no answer."""


def read(asked: dict[str, Any]) -> dict[str, Any]:
    """Answer about one source; what it comes to is written as JSON here, where there are many of us."""
    import schedmate

    name, engine = str(asked["source"]), str(asked["engine"])
    with at_hand(name) as path:
        found = getattr(schedmate, asked["verb"])(path, engine=engine)
    told = found.model_dump(mode="json")
    if path != name:
        from schedmate.tools.masked_json import renamed

        told = renamed(told, path, name)
    return {"answer": json.dumps(told), "told": {name: told.get(name) for name in TAKEN}}


@contextmanager
def at_hand(name: str) -> Iterator[str]:
    """Give a local path of a source; what lies in a store is fetched, and gone afterwards."""
    if "://" not in name:
        yield name
        return
    from schedmate.batch.sources import file_system, words_of

    with tempfile.TemporaryDirectory(prefix="schedmate-") as folder:
        path = Path(folder, os.path.basename(name.rstrip("/")) or "log")
        try:
            system, there = file_system(name)
            with system.open(there, "rb") as remote, path.open("wb") as here:
                shutil.copyfileobj(remote, here, 1 << 20)
        except SchedMateError:
            raise
        except Exception as error:  # each store has errors of its own
            raise SchedMateError(f"{name} cannot be fetched: {words_of(error)}", "see its store") from error
        yield str(path)


if __name__ == "__main__":
    os.environ.update({name: value for name, value in PATIENCE.items() if name not in os.environ})
    from schedmate.workers.answering import answer_all

    answer_all({"read": read})
