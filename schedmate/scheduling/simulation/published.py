"""What the published simulators printed on traces that anybody can get, to be put beside ours."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from schedmate.clusters.simulation.interference import MeasuredInterference
from schedmate.clusters.simulation.restart_cost import PUBLISHED
from schedmate.scheduling.simulation.experiment import Experiment, Result


class Printed(NamedTuple):
    """The figures of one run; None where the run did not print them."""

    avg_jct_s: float
    median_jct_s: float | None
    avg_queue_s: float | None
    p999_queue_s: float | None
    preemptions_a_job: float | None


class Beside(NamedTuple):
    """One run of theirs, and the same of ours."""

    run: str
    theirs: Printed
    ours: Printed

    def off(self, figure: str) -> float | None:
        """Give the deviation of a figure as a share; None where they did not print it, or printed 0."""
        theirs, ours = getattr(self.theirs, figure), getattr(self.ours, figure)
        return ours / theirs - 1 if theirs and ours is not None else None


VENUS = {
    "fifo": Printed(65_720, 24_467, 53_951, 587_041, 0.0),
    "sjf": Printed(21_095, 435, 9_325, 322_077, 0.0),
    "srtf": Printed(12_610, 198, 829, 126_902, 0.231),
    "qssf": Printed(15_548, 249, 3_779, 214_310, 0.0),
    "tiresias": Printed(14_700, 245, 2_915, 195_846, 0.313),
    "lucid, no sharing": Printed(15_098, 237, 3_387, 193_384, 0.0),
}
"""Lucid's simulator (commit 63685a3) on Helios Venus, September 2020."""
VENUS_LUCID = {
    "vcEwI": Printed(4_798, None, 609, None, 0.0),
    "vcWoR": Printed(7_798, None, 503, None, 0.0),
    "vcHvQ": Printed(7_792, None, 642, None, 0.0),
    "vcvGl": Printed(4_896, None, 265, None, 0.0),
    "vc8Gr": Printed(18_355, None, 457, None, 0.0),
}
"""The same with sharing, by virtual cluster; the other ten were not run."""
VENUS_LUCID_FIVE = Printed(6_516, None, 555, None, 0.0)
"""Those five together."""
VENUS_JOBS, VENUS_REQUESTED, VENUS_NODES = 23_859, 191_044, 135
SIA = Printed(1_949.75, None, None, None, None)
"""Sia's simulator (commit aaf7a0d) on philly/workload-1: 160 jobs on its 64 GPUs."""
SIA_APPLICATIONS = {"cifar10": 788, "bert": 1_062, "deepspeech2": 3_069, "yolov3": 13_641, "imagenet": 30_280}
"""Its average completion time by application."""
SIA_MAKESPAN_S = 55_913
WHY = {
    "fifo": "jobs of the same second come in the order of an unstable sort there; --ties shuffle draws such orders",
    "tiresias": "the run that printed the figure counts time from a job 151 s after the hour, so its rounds fall "
    "elsewhere; on that clock the 99.9th percentile of the queue is theirs to the second",
}
"""Why a run of ours is away from theirs, where that is known."""
SIA_JOBS, SIA_REQUESTED, SIA_GPUS = 160, 1_612, 64


def is_venus(experiment: Experiment) -> bool:
    """Know Venus September by its content, on the cluster that the figures are of."""
    trace = experiment.trace
    size = (len(trace), int(trace.gpus.sum()), len(experiment.nodes))
    return size == (VENUS_JOBS, VENUS_REQUESTED, VENUS_NODES) and experiment.has_vcs()


def is_sia(experiment: Experiment) -> bool:
    """Know Sia's first Philly workload."""
    trace, gpus = experiment.trace, sum(node.gpus for node in experiment.nodes)
    size = (len(trace), int(trace.gpus.sum()), gpus)
    return size == (SIA_JOBS, SIA_REQUESTED, SIA_GPUS) and experiment.training is not None


def is_counted_alike(experiment: Experiment) -> bool:
    """Tell whether jobs run and stop as in the published simulators, and nothing was added to their policies."""
    plain = experiment.accounting == "published" and experiment.saving == PUBLISHED and not experiment.kind_speed
    whole = (
        not experiment.faults.mean_up_s
        and not experiment.faults.gpu_mean_up_s
        and not experiment.mishaps
        and not experiment.chains
        and not experiment.reservations
    )
    free = not experiment.site.is_limiting() and experiment.crossing == (1.0, 1.0)
    added = experiment.similar or experiment.metadata.hit or experiment.evict_below or experiment.experience is not None
    return plain and whole and free and experiment.warm_up is None and not added


def was_told_alike(experiment: Experiment, policy: str) -> bool:
    """Tell whether a policy was given what the run was given that printed the figures."""
    if policy not in {"qssf", "lucid"}:
        return True
    if policy not in experiment.predictions:
        return False
    measured = experiment.profiles is not None and isinstance(experiment.interference, MeasuredInterference)
    lends = experiment.profiler is not None and bool(experiment.profiler.lenders)
    return policy == "qssf" or (lends and (not experiment.sharing or (measured and experiment.forecast is not None)))


def beside(experiment: Experiment, results: Mapping[str, Result]) -> list[Beside]:
    """Put theirs beside ours for each run of a known trace that was given the same; `results` by the policy's name."""
    rows: list[Beside] = []
    for policy, result in results.items():
        if not is_counted_alike(experiment) or not was_told_alike(experiment, policy):
            continue
        everyone = np.ones(len(result.outcomes.end_s), bool)
        if is_venus(experiment) and policy == "lucid" and experiment.sharing:
            rows += lucid_by_cluster(experiment, result)
        elif is_venus(experiment):
            name = policy if policy != "lucid" else "lucid, no sharing"
            rows += [Beside(name, VENUS[name], ours(result, everyone))] if name in VENUS else []
        elif is_sia(experiment) and policy == "sia":
            rows += [Beside("sia", SIA, ours(result, everyone))]
    return rows


def lucid_by_cluster(experiment: Experiment, result: Result) -> list[Beside]:
    """Compare Lucid with sharing, cluster by cluster."""
    words = np.array(experiment.trace.vc.words)[experiment.trace.vc.codes]
    rows = [Beside(f"lucid, {vc}", theirs, ours(result, words == vc)) for vc, theirs in VENUS_LUCID.items()]
    five = np.isin(words, list(VENUS_LUCID))
    return [*rows, Beside("lucid, these five", VENUS_LUCID_FIVE, ours(result, five))]


def ours(result: Result, jobs: npt.NDArray[np.bool_]) -> Printed:
    """Work out the same figures of some of our jobs."""
    outcomes = result.outcomes
    jct_s, queue_s = outcomes.jct_s[jobs], outcomes.queue_s[jobs]
    return Printed(
        float(jct_s.mean()),
        float(np.median(jct_s)),
        float(queue_s.mean()),
        float(np.quantile(queue_s, 0.999)),
        float(outcomes.preemptions[jobs].mean()),
    )
