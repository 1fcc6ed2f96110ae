"""Every end teaches: a job that is over goes into the history, where advice on the next ones is drawn from."""

import json
from collections.abc import Callable

from schedmate.clusters import LiveJob
from schedmate.errors import StoreError
from schedmate.history.jobs import add_job
from schedmate.history.live import LiveStore
from schedmate.history.live_past import SOURCE, untold_ends
from schedmate.history.live_rows import LiveRow, slots_in
from schedmate.scheduling.live.advice import noun_of
from schedmate.scheduling.view import Action
from schedmate.scheduling.virtual_cluster import VirtualCluster
from schedmate.schemas import Diagnosis, Hardware, Metrics, PastJob, Workload

OVER = ("completed", "failed", "cancelled")
BATCH = 200


class Learning:
    """Tells the history of ends; those of which it was not told, for whatever reason, it is told later."""

    def __init__(self, store: LiveStore, say: Callable[[str], None]) -> None:
        self.store = store
        self.say = say
        self.untold = untold_ends(store)

    def submitted(self, job: LiveJob, part: VirtualCluster) -> None:
        """Nothing is learned from a beginning."""

    def decided(self, part: VirtualCluster, actions: list[Action]) -> None:
        """Nothing is learned from a plan."""

    def ended(self, job: LiveJob, part: VirtualCluster, status: str) -> None:
        """Mark that there is something to tell."""
        self.untold.add(job.number)

    def catch_up(self) -> None:
        """Tell of those that are over for good; who was restarted or is held tells when his time comes."""
        store = self.store
        for number in sorted(self.untold)[:BATCH]:
            row = store.job(number)
            if row.state == "examined":
                continue
            try:
                if row.state in OVER and row.first_start_s is not None:
                    add_job(store.connection, past_job(row, store))
            except StoreError as error:
                self.say(f"an end could not be written into the history yet: {error.message}")
                return
            self.untold.discard(number)


def past_job(row: LiveRow, store: LiveStore) -> PastJob:
    """Put together what is known of a job that is over."""
    runs = store.runs(row.id)
    ran_s = sum(run.took_s or 0.0 for run in runs)
    odd = [f"the clock was set during run {run.run}: its wall times mean nothing" for run in runs if run.clock_was_set]
    job, nodes = noun_of(row), [name for name, _ in runs[-1].parts] if runs else []
    extra = {"node_list": ",".join(nodes)} if nodes else {}
    if row.most_slots:
        extra["gpu_s"] = f"{sum((run.took_s or 0.0) * slots_in(run.parts) for run in runs):.3f}"
    return PastJob(
        job=job.model_copy(update={"extra": {**job.extra, **extra}}),
        source=SOURCE,
        ran_s=ran_s,
        notes=tuple(odd),
        workload=Workload.model_validate_json(row.workload) if row.workload else None,
        metrics=Metrics.model_validate(json.loads(row.metrics)) if row.metrics else None,
        hardware=Hardware.model_validate_json(row.hardware) if row.hardware else None,
        diagnosis=Diagnosis.model_validate_json(row.diagnosis) if row.diagnosis else None,
    )
