"""What became of each job, as a CSV."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from schedmate.traces.writing import cell, open_output

if TYPE_CHECKING:
    from schedmate.scheduling.simulation.simulated import Simulation


def write_jobs(simulation: "Simulation", path: Path) -> None:
    """Write one row a job and run, packed where the name ends in .gz."""
    trace = simulation.experiment.trace
    sizes = trace.sizes()
    with open_output(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        names = "policy,seed,job_id,user,vc,gpus,submit_s,duration_s,first_start_s,end_s,jct_s,queue_s,preemptions"
        writer.writerow(names.split(","))
        for (policy, seed), result in simulation.results.items():
            rows = result.outcomes
            floats: Sequence[npt.NDArray[np.float64]] = (
                rows.submit_s,
                rows.duration_s,
                rows.first_start_s,
                rows.end_s,
                rows.jct_s,
                rows.queue_s,
            )
            table = np.round(np.stack(floats, axis=1), 3).tolist()
            for index, numbers in enumerate(table):
                words = [*map(cell, (trace.job_id[index], trace.user[index], trace.vc[index])), sizes[index]]
                writer.writerow([policy, seed, *words, *numbers, rows.preemptions[index]])
