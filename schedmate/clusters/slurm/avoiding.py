"""Nodes that a restarted job keeps away from, told to Slurm: what its user excluded stays excluded.

Where the policy places jobs it reads the list from Slurm, and keeps to it.
"""

import json
import re

from schedmate.clusters.slurm.books import Books
from schedmate.clusters.slurm.commands import Commands, only_over
from schedmate.clusters.slurm.records import plain
from schedmate.clusters.suspected_nodes import suspects
from schedmate.errors import SchedMateError
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import LiveRow

EXCLUDED = "slurm excluded nodes"
"""Fact of the store: what users excluded by themselves, of jobs for which we excluded more."""
OWN = re.compile(r"\bExcNodeList=(\S+)")


def keep_away(books: Books, row: LiveRow) -> None:
    """Exclude them for a job that waits to start anew, as long as enough others are up; Slurm may not want to."""
    names = [node for node in suspects(books.store.actions(job=row.id)) if node in books.known]
    up = {name for name, node in books.known.items() if node.state == "up"} - {*names}
    last = books.store.runs(row.id)[-1:]
    if not names or any(len(run.parts) > len(up) for run in last):
        return
    try:
        found = OWN.search(books.commands.run("scontrol", "show", "job", row.engine_id))
        own = plain(found[1]) if found else ""
        kept: dict[str, str] = json.loads(books.store.fact(EXCLUDED) or "{}")
        kept = {name: nodes for name, nodes in kept.items() if name in books.seen}
        own = kept.setdefault(row.engine_id, own)
        books.store.set_fact(EXCLUDED, json.dumps(kept))
        exclude(books.commands, row.engine_id, ",".join(filter(None, (own, *names))))
    except SchedMateError as error:
        books.odd.append(f"job {row.job_id} may start on {', '.join(names)} again: {error.message}")


def exclude(commands: Commands, job: str, nodes: str) -> None:
    """Set the nodes where a job may not start."""
    commands.run("scontrol", "update", f"JobId={job}", f"ExcNodeList={nodes}")


def admit_again(commands: Commands, store: LiveStore) -> None:
    """Give every job that waits the list back that its user had; what runs, or is over, it concerns no more."""
    kept: dict[str, str] = json.loads(store.fact(EXCLUDED) or "{}")
    for name, own in kept.items():
        with only_over():
            exclude(commands, name, own)
    store.set_fact(EXCLUDED, "{}")
