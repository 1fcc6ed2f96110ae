"""Somebody else's loop in a process of its own: it begins or goes on with a failure, and dies where it is told to."""

import os
import signal
import sys
from pathlib import Path

from schedmate.clusters.managed import Can
from schedmate.scheduling.recovery.owner_rules import Rules
from schedmate.scheduling.recovery.steps import Finding, SlowStep
from schedmate.scheduling.recovery.your_loop import open_recoveries
from schedmate.schemas import Diagnosis

FAILURE = "7/1"
DIAGNOSIS = Diagnosis(
    category="infrastructure", subcategory="gpu", failure_id="gpu.xid_79", root_host="n2", should_restart="elsewhere",
    confidence=0.9,
)  # fmt: skip


class Files:
    """A cluster whose marks are files, so that doing a thing twice is as once; it counts what was asked of it."""

    can = Can()

    def __init__(self, folder: Path, dies_in: str = "", spares=()) -> None:
        self.folder = folder
        self.dies_in = dies_in
        self.rules = Rules()
        self.said = []
        self.kept = list(spares)

    def note(self, word):
        with (self.folder / "asked").open("a") as file:
            file.write(f"{word}\n")
        if word == self.dies_in:
            os.kill(os.getpid(), signal.SIGKILL)

    def isolated(self):
        return {path.name.removeprefix("mark-"): int(path.read_text()) for path in self.folder.glob("mark-*")}

    def others_hit(self, case, node):
        return ()

    def breaker(self, nodes):
        return ""

    def isolate(self, node, action, reason):
        (self.folder / f"mark-{node}").write_text(f"{action}")
        self.note("isolate")

    def restore(self, node, action):
        (self.folder / f"mark-{node}").unlink()
        return True

    def spares(self):
        return self.kept

    def bring_in(self, node):
        self.note("replace")

    def state_of(self, job):
        path = self.folder / f"state-{job}"
        return path.read_text() if path.exists() else "examined"

    def requeue(self, job, reason):
        (self.folder / f"state-{job}").write_text("pending")
        self.note("restart")

    def hold(self, job, reason):
        (self.folder / f"state-{job}").write_text("held")
        self.note("hold")

    def tell(self, text):
        self.said.append(text)


class Looks(SlowStep):
    """Their own check: it finds whatever it is told to."""

    kind = "health_check"
    occupies = True

    def __init__(self, cluster, ill=("n2",)) -> None:
        self.cluster = cluster
        self.ill = ill

    def describe(self, row, case):
        return f"look at {row.target}"

    def run(self, row, case, rules):
        self.cluster.note("health_check")
        return Finding("looked", self.ill)


def begun(mode, **more):
    return {"job": 7, "nodes": ["n1", "n2"], "diagnosis": DIAGNOSIS.model_dump(mode="json"), "mode": mode, **more}


def main():
    folder, where, answer = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    cluster = Files(folder, where, ["n3"])
    with open_recoveries(cluster, folder / "checkpoints.sqlite3", {"health_check": Looks(cluster)}) as recoveries:
        recoveries.begin(FAILURE, begun("suggest"))
        if where == "asked":
            os.kill(os.getpid(), signal.SIGKILL)
        while waiting := recoveries.proposed(FAILURE):
            recoveries.answer(FAILURE, waiting["id"], answer)


if __name__ == "__main__":
    main()
