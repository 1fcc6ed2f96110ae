"""Many runs: one process each, and a file that remembers which are done."""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from pathlib import Path

from schedmate.errors import InputError
from schedmate.scheduling.simulation.experiment import Experiment, Result
from schedmate.scheduling.simulation.results import Summary
from schedmate.scheduling.simulation.run_policy import run
from schedmate.scheduling.simulation.timeline import Timeline
from schedmate.tools.output import writing
from schedmate.tools.python_children import fresh_workers

_experiment: list[Experiment] = []


def fingerprint(experiment: Experiment, policy: str, seed: int) -> str:
    """Name a run by all that decides its outcome."""
    digest = hashlib.sha256(f"{policy}|{seed}|{experiment.settings()}".encode())
    trace = experiment.trace
    labels = (trace.vc, trace.kind, trace.user, trace.account, trace.qos)
    numbers = (trace.submit_s, trace.duration_s, trace.limit_s, trace.gpus)
    for packed in (*(column.tobytes() for column in numbers), *(one.codes.tobytes() for one in labels)):
        digest.update(packed)
    digest.update("\0".join((*trace.user.words, *trace.account.words, *trace.qos.words)).encode())
    digest.update("\0".join(map(str, (*trace.vc.words, *trace.kind.words, *experiment.nodes))).encode())
    for name in sorted(experiment.predictions):
        digest.update(experiment.predictions[name].tobytes())
    return digest.hexdigest()[:24]


class SweepLedger:
    """Summaries of runs that are done, one JSON line each; a line cut off by a kill is passed over."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done: dict[str, Summary] = {}
        try:
            lines = path.read_text("utf-8").splitlines() if path.exists() else []
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path} cannot be read: {error}", "name another file for --sweep") from error
        for line in lines:
            try:
                entry = json.loads(line)
                self.done[entry["run"]] = Summary(**entry["summary"])
            except (ValueError, TypeError, KeyError):
                continue

    def add(self, run_id: str, summary: Summary) -> None:
        """Write a run down at once."""
        text = json.dumps({"run": run_id, "summary": summary.fields()}) + "\n"
        with writing(self.path), self.path.open("a+b") as stream:
            if stream.tell() and stream.seek(-1, os.SEEK_END) >= 0 and stream.read(1) != b"\n":
                text = "\n" + text
            stream.write(text.encode())


def _take(experiment: Experiment) -> None:
    _experiment[:] = [experiment]


def _run(policy: str, seed: int, figures: bool) -> Result:
    return run(_experiment[0].seeded(seed), policy, timeline=Timeline() if figures else None)


def run_all(
    experiment: Experiment,
    runs: Sequence[tuple[str, int]],
    workers: int,
    tell: Callable[[int], None] | None = None,
    figures: bool = False,
) -> Iterator[tuple[str, int, Result]]:
    """Yield runs as they end; one worker means this very process, where `tell` hears of each job."""
    if workers <= 1 or len(runs) <= 1:
        for policy, seed in runs:
            yield policy, seed, run(experiment.seeded(seed), policy, tell, Timeline() if figures else None)
        return
    with fresh_workers(min(workers, len(runs)), _take, experiment) as pool:
        futures = {pool.submit(_run, policy, seed, figures): (policy, seed) for policy, seed in runs}
        for future in as_completed(futures):
            yield (*futures[future], future.result())
