"""How runs here begin: a runner is started for a run that is written down, or one that runs already is taken over."""

import json
import signal

from schedmate.clusters import FoundRunning, LiveJob, Placement, Submitted
from schedmate.clusters.job_rows import live_job, told
from schedmate.clusters.local.books import LocalBooks
from schedmate.clusters.local.ends import refuse
from schedmate.clusters.local.folder_owner import claim, compare
from schedmate.clusters.local.runs import LocalRun
from schedmate.clusters.runner.cgroup import own_place
from schedmate.clusters.suspected_nodes import avoided
from schedmate.history.live_rows import RunRow

ABOUT = (
    "token", "name", "user", "vc", "kind", "slots", "share", "git_branch", "submit_s", "packable", "memory_gib", "cpus",
    "most_slots", "account", "runs_as",
)  # fmt: skip
"""What a folder tells of its job, so that a store which has lost it can be mended."""
AS_WE_COUNT = {"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
"""CUDA would else count the fastest GPU first, where they differ."""


def adopt(books: LocalBooks) -> None:
    """Take over what the store holds: jobs that wait, and runs that may still be running."""
    store = books.store
    books.odd += compare(books)
    books.changes.are_new()  # before anything is read: what comes in meanwhile is seen at the first look
    books.newest = store.newest_job()
    treated = store.treated()
    for row in store.jobs(("pending", "running", "examined", "held")):
        job = books.jobs[row.id] = live_job(row)
        if row.id in treated:
            job.avoid = avoided(store, row.id)
        books.newest = max(books.newest, row.id)
        if row.state == "pending":
            books.post(Submitted(job))
    found = [(row, adopt_run(books, row)) for row in store.runs()]
    for known, run in found:
        if not known.stopping:
            partner = books.jobs.get(known.partner) if known.partner else None
            books.post(FoundRunning(run.job, run.placement, partner, known.began_s or known.intended_s))


def adopt_run(books: LocalBooks, row: RunRow) -> LocalRun:
    """Look how a run is that was written down and has not ended; go on with stopping one that was being stopped."""
    job: LiveJob = books.jobs.get(row.job) or live_job(books.store.job(row.job))
    run = books.make_run(job, row.run, Placement(row.kind, row.parts), row.partner)
    run.log = row.log or run.log
    books.runs[row.job, row.run] = run
    run.began_s = row.began_s
    if row.stopping:
        run.stopping, run.asked_s = row.stopping, books.now_s()
        run.forbid()
        run.signal(signal.SIGTERM)
        if row.stopping == "cancel":
            books.jobs.pop(row.job, None)  # the loop need not hear of it: for whoever asked it is over
    else:
        run.spawned = run.pulse() != "absent"
        books.named.add((row.job, row.run))
    return run


def begin(books: LocalBooks, run: LocalRun) -> None:
    """Start the runner unless a stopping run still holds what it needs."""
    books.runs[run.job.number, run.run] = run
    for other in books.runs.values():
        if other is not run and other.stopping and (other.job.number == run.job.number or other.overlaps(run)):
            return
    try:
        if not run.spawns and (odd := claim(books, run.folder, run.job.number, run.run)):
            books.odd.append(odd)
        if books.logs is not None and not run.spawns:
            books.store.update_run(run.job.number, run.run, log=run.log)
        run.spawn(spec_of(books, run))
    except OSError:
        run.spawns += 1  # no process to be had now, or no disk: the next scan tries again
    except (ArithmeticError, TypeError, ValueError) as error:
        refuse(books, (run.job.number, run.run), run, f"what is written of it cannot be started: {error}")


def spec_of(books: LocalBooks, run: LocalRun) -> dict[str, object]:
    """Give all that a runner needs to know."""
    number = run.job.number
    row = books.store.job(number)
    kind, parts, _ = run.placement
    limits = {
        "memory_bytes": int(row.memory_gib * 2**30),
        "cpus": row.cpus,
        "log_bytes": books.most_log_bytes,
        "every_s": books.limits_every_s,
    }
    return {
        "limits": limits,
        "groups": books.scope.hold() if books.scope else own_place(),
        "store": books.identity,
        "job": {name: getattr(row, name) for name in ABOUT},
        "run": {"kind": kind, "parts": parts, "partner": run.partner, "intended_s": books.now_s()},
        "command": list(row.command),
        "workdir": row.workdir,
        "log": run.log,
        "runs_as": json.loads(row.runs_as) if row.runs_as else None,
        "gpus": [*books.devices_of(run)] if kind != "cpu" else None,
        "wake": str(books.folder / "wake"),
        "name": f"{number}/{run.run}",
        "environment": {
            **row.environment,
            **({} if kind == "cpu" else AS_WE_COUNT),
            **told(row, run.run, run.placement, books.declared.values()),
        },
    }
