"""How runs here begin: a runner is started for a run that is written down, or one that runs already is taken over."""

import json
import signal
from typing import TYPE_CHECKING

from schedmate.clusters import FoundRunning, LiveJob, Placement, Submitted
from schedmate.clusters.job_rows import live_job, told
from schedmate.clusters.local.folder_owner import claim, compare
from schedmate.clusters.local.runs import LocalRun
from schedmate.clusters.runner.cgroup import own_place
from schedmate.clusters.suspected_nodes import avoided
from schedmate.history.live_rows import RunRow

if TYPE_CHECKING:
    from schedmate.clusters.local.cluster import LocalCluster


ABOUT = (
    "token", "name", "user", "vc", "kind", "slots", "share", "git_branch", "submit_s", "packable", "memory_gib", "cpus",
    "most_slots", "account", "runs_as",
)  # fmt: skip
"""What a folder tells of its job, so that a store which has lost it can be mended."""
AS_WE_COUNT = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
"""CUDA would else count the fastest GPU first, where they differ."""


def adopt(cluster: "LocalCluster") -> None:
    """Take over what the store holds: jobs that wait, and runs that may still be running."""
    store = cluster.store
    cluster.odd += compare(cluster)
    cluster.changes.are_new()  # before anything is read: what comes in meanwhile is seen at the first look
    cluster.newest = store.newest_job()
    treated = store.treated()
    for row in store.jobs(("pending", "running", "examined", "held")):
        job = cluster.jobs[row.id] = live_job(row)
        if row.id in treated:
            job.avoid = avoided(store, row.id)
        cluster.newest = max(cluster.newest, row.id)
        if row.state == "pending":
            cluster.post(Submitted(job))
    found = [(row, adopt_run(cluster, row)) for row in store.runs()]
    for known, run in found:
        if not known.stopping:
            partner = cluster.jobs.get(known.partner) if known.partner else None
            cluster.post(FoundRunning(run.job, run.placement, partner, known.began_s or known.intended_s))


def adopt_run(cluster: "LocalCluster", row: RunRow) -> LocalRun:
    """Look how a run is that was written down and has not ended; go on with stopping one that was being stopped."""
    job: LiveJob = cluster.jobs.get(row.job) or live_job(cluster.store.job(row.job))
    run = cluster.make_run(job, row.run, Placement(row.kind, row.parts), row.partner)
    run.log = row.log or run.log
    cluster.runs[row.job, row.run] = run
    run.began_s = row.began_s
    if row.stopping:
        run.stopping, run.asked_s = row.stopping, cluster.now_s()
        run.forbid()
        run.signal(signal.SIGTERM)
        if row.stopping == "cancel":
            cluster.jobs.pop(row.job, None)  # the loop need not hear of it: for whoever asked it is over
    else:
        run.spawned = run.pulse() != "absent"
        cluster.named.add((row.job, row.run))
    return run


def begin(cluster: "LocalCluster", run: LocalRun) -> None:
    """Start the runner unless a stopping run still holds what it needs."""
    cluster.runs[run.job.number, run.run] = run
    for other in cluster.runs.values():
        if other is not run and other.stopping and (other.job.number == run.job.number or other.overlaps(run)):
            return
    try:
        if not run.spawns and (odd := claim(cluster, run.folder, run.job.number, run.run)):
            cluster.odd.append(odd)
        if cluster.logs is not None and not run.spawns:
            cluster.store.update_run(run.job.number, run.run, log=run.log)
        run.spawn(spec_of(cluster, run))
    except OSError:
        run.spawns += 1  # no process to be had now, or no disk: the next scan tries again


def spec_of(cluster: "LocalCluster", run: LocalRun) -> dict[str, object]:
    """Give all that a runner needs to know."""
    number = run.job.number
    row = cluster.store.job(number)
    kind, parts = run.placement
    limits = {
        "memory_bytes": int(row.memory_gib * 2**30),
        "cpus": row.cpus,
        "log_bytes": cluster.most_log_bytes,
        "every_s": cluster.limits_every_s,
    }
    return {
        "limits": limits,
        "groups": cluster.scope.hold() if cluster.scope else own_place(),
        "store": cluster.identity,
        "job": {name: getattr(row, name) for name in ABOUT},
        "run": {"kind": kind, "parts": parts, "partner": run.partner, "intended_s": cluster.now_s()},
        "command": list(row.command),
        "workdir": row.workdir,
        "log": run.log,
        "runs_as": json.loads(row.runs_as) if row.runs_as else None,
        "gpus": [*cluster.devices_of(run)] if kind != "cpu" else None,
        "wake": str(cluster.folder / "wake"),
        "name": f"{number}/{run.run}",
        "environment": {
            **row.environment,
            **({} if kind == "cpu" else AS_WE_COUNT),
            **told(row, run.run, run.placement, cluster.declared.values()),
        },
    }
