"""Simulate what the first line of our input asks for; say on lines of JSON how far we are and what came of it."""

import json
import os
import sys
import time
from typing import Any

from schedmate.errors import SchedMateError

EVERY_S = 0.25


class JobCounter:
    """Counts jobs over all runs, and says so now and then."""

    def __init__(self) -> None:
        self.jobs, self.runs, self.over = 1, 1, 0
        self.said_s = 0.0

    def started(self, experiment: Any, runs: int) -> None:  # Any: an Experiment, as `simulate` hands it over
        """Learn how much there is to do."""
        self.jobs, self.runs = max(1, len(experiment.trace)), max(1, runs)

    def tell(self, jobs: int) -> None:
        """Say how far the run that is under way is."""
        if time.monotonic() - self.said_s >= EVERY_S:
            self.said_s = time.monotonic()
            say({"done": (self.over + jobs / self.jobs) / self.runs})

    def finished(self, summary: Any) -> None:  # Any: a Summary
        """Say what came of a run."""
        self.over += 1
        say({"done": self.over / self.runs})
        say(summary.fields())


def say(told: dict[str, Any]) -> None:
    """Write one line."""
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Do it."""
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    os.nice(10)
    from schedmate.scheduling.simulation.options import SimulationOptions
    from schedmate.scheduling.simulation.simulate import simulate

    asked = json.loads(sys.stdin.readline())
    said = JobCounter()
    try:
        options = SimulationOptions(
            trace=asked["trace"], policies=tuple(asked["policies"]), nodes=asked["nodes"], on_bad="skip", workers=1
        )
        simulate(options, said.tell, said.started, said.finished)
    except SchedMateError as error:
        say({"error": f"{error.message} ({error.hint})" if error.hint else error.message})


if __name__ == "__main__":
    main()
