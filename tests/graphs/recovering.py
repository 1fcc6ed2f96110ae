"""A loop in a process of its own: it begins or goes on with a failure, and dies where it is told to."""

import os
import signal
import sys
from pathlib import Path

from schedmate.graphs.recover import open_recoveries
from schedmate.schemas import Diagnosis

FAILURE = "7/1"
DIAGNOSIS = Diagnosis(
    category="infrastructure", subcategory="gpu", failure_id="gpu.xid_79", root_host="n2", should_restart="elsewhere",
    confidence=0.9,
)  # fmt: skip


class Marks:
    """Leaves a file for each step, which makes doing it twice the same as once, and counts how often it was asked."""

    def __init__(self, folder: Path, dies_in: str = "") -> None:
        self.folder = folder
        self.dies_in = dies_in

    def run(self, job, action):
        with (self.folder / "asked").open("a") as file:
            file.write(f"{action.kind}\n")
        (self.folder / f"did-{action.kind}").touch()
        if action.kind == self.dies_in:
            os.kill(os.getpid(), signal.SIGKILL)
        return f"{action.kind} of {action.target}"

    def verify(self, job, action):
        return "" if (self.folder / f"did-{action.kind}").exists() else "there is no mark"


def begun(mode):
    return {"job": "7", "diagnosis": DIAGNOSIS.model_dump(mode="json"), "mode": mode}


def main():
    folder, where, answer = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    with open_recoveries(Marks(folder, where), folder / "checkpoints.sqlite3") as recoveries:
        recoveries.begin(FAILURE, begun("suggest"))
        if where == "asked":
            os.kill(os.getpid(), signal.SIGKILL)
        while waiting := recoveries.proposed(FAILURE):
            recoveries.answer(FAILURE, waiting["id"], answer)


if __name__ == "__main__":
    main()
