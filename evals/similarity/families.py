"""A second set of labelled jobs, written by hand before it was ever ranked, and never tuned to: `families.csv`.

Each cluster is one kind of work as several people would run it: other spellings of model and data, other launchers,
frameworks, batches and GPUs. Beside it stand near-duplicates that are another kind of work: the same model on another
task, the same data under another model, the same run as inference, the same name at another size.
"""

import csv
from pathlib import Path

from schedmate.schemas import Workload

TABLE = Path(__file__).with_name("families.csv")


def family_jobs() -> tuple[list[Workload], list[str], list[str]]:
    """Give workloads, their clusters, and a name for each."""
    with TABLE.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    clusters = [row.pop("cluster") for row in rows]
    jobs = [
        Workload.model_validate({**{k: v for k, v in row.items() if v}, "is_training": row["is_training"] == "yes"})
        for row in rows
    ]
    return jobs, clusters, [f"{cluster} #{row}" for row, cluster in enumerate(clusters)]
