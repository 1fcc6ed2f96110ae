"""What if: parts of the site's own past, replayed under other policies."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from schedmate.clusters import NodeSpec
from schedmate.clusters.simulation.cluster_spec import MOST_NODES, parse_nodes
from schedmate.clusters.simulation.restart_cost import REAL
from schedmate.reports.findings import Played, WhatIf
from schedmate.reports.past import Floats, Ints, Mask, Past
from schedmate.scheduling.policies.policy_uses import Uses
from schedmate.scheduling.simulation.experiment import Experiment
from schedmate.scheduling.simulation.sweep import run_all
from schedmate.tools.student import STUDENT
from schedmate.traces.columns import Labels, Trace

DAY_S = 86_400.0
LENGTHS_S = (7 * DAY_S, 3.5 * DAY_S, DAY_S, DAY_S / 2, DAY_S / 4)
MOST_JOBS, LEAST_WINDOWS, MOST_WINDOWS, LEAST_JOBS = 20_000, 5, 12, 200
GPUS_PER_NODE = 8

RUNNING_S, WAITING_S, BEGIN_S = 0.0, 1.0, 2.0
"""What ran when a window begins is placed first, then comes what waited, then the window."""
NEAR, BRIEF_S = 0.15, 60.0
"""A replay is near the records that is off by no more than this part, of a minute where jobs hardly waited."""
ASSUMED = (
    "the cluster is one pool of the size that the records show at their peak, or that --nodes names; partitions, "
    "quotas, reservations and nodes that were away are not played",
    "what ran or waited when a window begins is played too and not counted; nothing comes after its end",
    "nobody hands jobs in otherwise because the queue is shorter",
    "a stop costs two to three minutes and the work since the last checkpoint; 60 % of jobs save, every 30 minutes",
    "sjf knows the true run times, which no site does: it is the most that order alone could gain",
)


@dataclass(frozen=True)
class Window:
    """A stretch of the past, with what was there when it began."""

    trace: Trace
    counts: Mask
    """Which jobs of the trace came in the window."""
    waited_s: float
    """On average, as recorded, of those."""


def what_if(past: Past, nodes: str, policies: Sequence[str], tell: Callable[[int, int], None]) -> WhatIf:
    """Replay windows of the past under each policy."""
    places = replayable(past)
    if len(places) < LEAST_JOBS:
        return WhatIf(doubts=(f"fewer than {LEAST_JOBS} GPU jobs have times of submission, start and end",))
    cluster = parse_nodes(nodes) if nodes else cluster_of(past, places)
    gpus = sum(node.gpus for node in cluster)
    length_s, begins = windows_of(past["submit_s"][places])
    waits: dict[str, list[float]] = {policy: [] for policy in policies}
    recorded: list[float] = []
    jobs = 0
    for number, begin_s in enumerate(begins):
        tell(number, len(begins))
        window = window_at(past, places, begin_s, length_s, gpus)
        if window is None:
            continue
        jobs += int(window.counts.sum())
        recorded.append(window.waited_s)
        experiment = Experiment(
            trace=window.trace,
            nodes=tuple(cluster),
            accounting="honest",
            saving=REAL,
            profiler=None,
            sharing=False,
            uses=Uses(packing=False),
        )
        for policy, _, result in run_all(experiment, [(policy, 0) for policy in policies], 1):
            over_s = result.outcomes.jct_s - window.trace.duration_s
            waits[policy].append(float(over_s[window.counts].mean()))
    if not recorded:
        return WhatIf(doubts=("no window of the past holds jobs enough to be replayed",))
    told = compared(waits, recorded)
    return told.model_copy(update={"window_days": length_s / DAY_S, "jobs": jobs, "gpus": gpus})


def replayable(past: Past) -> Ints:
    """Pick GPU jobs whose times are all known, in the order in which they came."""
    usable = (past["gpus"] > 0) & (past["ran_s"] > 0) & (past["start_s"] >= past["submit_s"])
    places = np.flatnonzero(usable)
    return places[np.argsort(past["submit_s"][places], kind="stable")]


def cluster_of(past: Past, places: Ints) -> list[NodeSpec]:
    """Give as many nodes of eight as were ever busy at once; parts of a GPU take a whole one."""
    gpus, start_s = np.ceil(past["gpus"][places]), past["start_s"][places]
    moments = np.concatenate([start_s, start_s + past["ran_s"][places]])
    order = np.lexsort((np.repeat([1, 0], len(places)), moments))
    busy = np.cumsum(np.concatenate([gpus, -gpus])[order])
    count = math.ceil(max(float(busy.max()), float(gpus.max())) / GPUS_PER_NODE)
    return [NodeSpec(f"gpu-{n + 1}", GPUS_PER_NODE, "gpu") for n in range(min(count, MOST_NODES))]


def windows_of(submit_s: Floats) -> tuple[float, list[float]]:
    """Choose windows as long as can be played, spread over the whole time."""
    begin_s, span_s = float(submit_s[0]), float(submit_s[-1] - submit_s[0])
    for length_s in LENGTHS_S:
        count = int(span_s // length_s)
        each = len(submit_s) * length_s / max(span_s, 1.0)
        affordable = int(MOST_JOBS // max(each, 1.0))
        if count >= LEAST_WINDOWS and affordable >= LEAST_WINDOWS:
            break
    picked = max(min(count, affordable, MOST_WINDOWS), 1)
    step = max(count, 1) / picked
    return length_s, [begin_s + int((n + 0.5) * step) * length_s for n in range(picked)]


def window_at(past: Past, places: Ints, begin_s: float, length_s: float, most_gpus: int) -> Window | None:
    """Cut a window out; None where hardly a job came in it."""
    submit_s, start_s, ran_s = (past[name][places] for name in ("submit_s", "start_s", "ran_s"))
    comes = (submit_s >= begin_s) & (submit_s < begin_s + length_s)
    runs = (submit_s < begin_s) & (start_s < begin_s) & (start_s + ran_s > begin_s)
    waits = (submit_s < begin_s) & (start_s >= begin_s)
    gpus = np.ceil(past["gpus"][places]).astype(np.int64)
    picked = (comes | runs | waits) & (gpus <= most_gpus)
    came_s = np.where(runs, RUNNING_S, np.where(waits, WAITING_S, submit_s - begin_s + BEGIN_S))[picked]
    left_s = np.where(runs, start_s + ran_s - begin_s, ran_s)[picked]
    order = np.argsort(came_s, kind="stable")
    chosen = places[picked][order]
    counts = came_s[order] >= BEGIN_S
    if counts.sum() < 10:
        return None
    nothing = Labels.same("", len(chosen))
    trace = Trace(
        name="window",
        job_id=np.arange(len(chosen)).astype(str),
        submit_s=came_s[order],
        duration_s=left_s[order],
        gpus=gpus[picked][order],
        user=Labels(past.codes["user"][chosen], past.words["user"]),
        vc=nothing,
        job_name=Labels(past.codes["name"][chosen], past.words["name"]),
        status=Labels.same("completed", len(chosen)),
        kind=nothing,
        line=np.zeros(len(chosen), np.int64),
    )
    return Window(trace, counts, float((past["start_s"] - past["submit_s"])[chosen][counts].mean()))


def compared(waits: dict[str, list[float]], recorded: list[float]) -> WhatIf:
    """Set each policy beside the one that comes nearest to the past; differences are taken window by window."""
    was_s = float(np.mean(recorded))
    baseline = min(waits, key=lambda policy: abs(float(np.mean(waits[policy])) - was_s))
    off = abs(float(np.mean(waits[baseline])) - was_s) / max(was_s, BRIEF_S)
    doubts = [] if off <= NEAR else [
        f"no policy replays the waits that are recorded: the nearest, {baseline}, lets jobs wait "
        f"{float(np.mean(waits[baseline])):,.0f} s where they waited {was_s:,.0f} s; compare policies with each other, "
        "not with the past"
    ]  # fmt: skip
    if len(recorded) < 3:
        doubts.append("fewer than three windows could be played: there is no interval")
    rows = []
    for policy, values in waits.items():
        gains = np.array(waits[baseline]) - np.array(values)
        half = math.nan
        if len(gains) >= 3:
            sure = STUDENT[min(len(gains) - 2, len(STUDENT) - 1)]
            half = sure * float(gains.std(ddof=1)) / math.sqrt(len(gains))
        mean, known = float(gains.mean()), policy != baseline
        rows.append(
            Played(
                policy=policy,
                mean_wait_s=round(float(np.mean(values)), 1),
                saved_s=round(mean, 1) if known else None,
                low_s=round(mean - half, 1) if known and half == half else None,
                high_s=round(mean + half, 1) if known and half == half else None,
            )
        )
    return WhatIf(
        baseline=baseline,
        recorded_wait_s=round(was_s, 1),
        windows=len(recorded),
        policies=tuple(rows),
        doubts=tuple(doubts),
    )
