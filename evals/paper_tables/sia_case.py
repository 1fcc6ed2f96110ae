"""Case study 2 (Table 3): Sia, and Sia whose jobs begin with what ended jobs of the same application saw."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from evals.paper_tables.runs import Runs, better
from evals.report import Cell, Table
from schedmate.clusters.simulation.cluster_spec import parse_nodes
from schedmate.clusters.simulation.experience import Experience, Steps
from schedmate.clusters.simulation.goodput import Noise
from schedmate.clusters.simulation.likeness import Matching
from schedmate.clusters.simulation.told_remaining import Legibility
from schedmate.errors import InputError
from schedmate.scheduling.simulation.build_experiment import SIA_NODES
from schedmate.scheduling.simulation.experiment import Experiment
from schedmate.scheduling.simulation.results import Summary
from schedmate.scheduling.simulation.run_policy import run as play
from schedmate.traces.reading import read_trace
from schedmate.traces.training_profiles import TrainingProfile, read_training_profiles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAPER = {"philly": (0.74, 0.59), "saturn": (0.83, 0.72), "newtrace": (0.64, 0.53)}
"""Average completion time in hours: Sia, Sia with SchedMate (Table 3)."""
GOALS = {"philly": 0.10, "saturn": 0.10, "newtrace": 0.14}

COUNT = 8
"""Workloads that every trace has: before one is played all jobs of the next ended, before the last the first's."""
LIKE = "hit 0.8, 5 % wrong"
MATCHINGS = {
    "hit 0.5": Matching(0.5),
    "hit 0.8": Matching(0.8),
    "hit 1": Matching(1.0),
    LIKE: Matching(0.8, 0.05),
}

LEFT, MISLED = f"{LIKE}, time left too", "every match wrong, time left too"
"""What the paper's Sia is not told: how much is still to be done, by logs and by likes."""
LEGIBLE = 0.61
"""Share of jobs of which log, command or code tell what is left, as `python -m evals remaining --jobs` measured it."""
ALONE = "hit 1, nothing before"

TRIAL_S = 20.0
"""What steps on one GPU of each kind take before a job without a like begins, where that is counted: an assumption."""
TRIED, TRIED_ALONE = "Sia, trials counted", f"{ALONE}, trials counted"
TRIED_RIGHT, TRIED_LIKE = "hit 0.8, trials counted", "hit 0.8, 5 % wrong, trials counted"

BASES = dict.fromkeys((TRIED_ALONE, TRIED_RIGHT, TRIED_LIKE), TRIED)
"""What a column is held against, if not Sia as its simulator has it."""
WITHOUT = ("Sia", TRIED)


@dataclass
class Workloads:
    """Sia's cluster, its workloads, and what jobs of the earlier ones saw (played once, and kept in a folder)."""

    data: Path
    folder: Path

    def experiment(self, name: str, number: int) -> Experiment:
        """Set a workload up."""
        trace = read_trace(str(self.data / "sia_workloads" / f"sia_{name}_workload_{number}.csv.gz"))
        return Experiment(trace=trace, nodes=tuple(parse_nodes(SIA_NODES)), training=profiles(self.data))

    def before(self, name: str, number: int, matching: Matching) -> Experience:
        """Give what the jobs of the workload that was played before one saw under Sia."""
        earlier = number % COUNT + 1
        path = self.folder / f"ended-{name}-{earlier}.json"
        if not path.exists():
            played = play(replace(self.experiment(name, earlier), experience=Experience()), "sia")
            seen = played.experience or Experience()
            path.write_text(json.dumps([listed(seen), seen.noise, seen.work]), "utf-8")
        steps, noise, work = json.loads(path.read_text("utf-8"))
        known = {app: {kind: by_shape(rows) for kind, rows in kinds.items()} for app, kinds in steps.items()}
        return Experience(matching, known, {app: Noise(*pair) for app, pair in noise.items()}, work)


def listed(seen: Experience) -> dict[str, dict[str, list[list[float]]]]:
    """Write steps as rows."""
    return {
        app: {kind: [[*shape, *times] for shape, times in steps.items()] for kind, steps in kinds.items()}
        for app, kinds in seen.steps.items()
    }


def by_shape(rows: list[list[float]]) -> Steps:
    """Read steps from rows."""
    return {(int(nodes), int(gpus), int(batch)): (step_s, sync_s) for nodes, gpus, batch, step_s, sync_s in rows}


@cache
def profiles(data: Path) -> Mapping[str, TrainingProfile]:
    """Read the measured training runs once."""
    return read_training_profiles(data / "pollux")


def numbered(text: str) -> list[int]:
    """Read which workloads are to be played."""
    words = text.split(",")
    if not all(word.isdecimal() and 1 <= int(word) <= COUNT for word in words):
        raise InputError(f"there are no workloads '{text}'", f"name some of 1 to {COUNT}, with commas between")
    return [int(word) for word in words]


def ways(past: Callable[[Matching], Experience], read: Legibility) -> dict[str, Callable[[], Experience | None]]:
    """Give what jobs begin with, by column; where every match is wrong no log tells what is left either."""
    like = partial(past, MATCHINGS[LIKE])
    return {
        "Sia": lambda: None,
        ALONE: lambda: Experience(Matching(1.0)),
        **{column: partial(past, matching) for column, matching in MATCHINGS.items()},
        LEFT: lambda: replace(like(), legibility=read),
        MISLED: lambda: replace(past(Matching(0.0, 1.0)), legibility=replace(read, share=0.0)),
        TRIED: lambda: Experience(trial_s=TRIAL_S),
        TRIED_ALONE: lambda: Experience(Matching(1.0), trial_s=TRIAL_S),
        TRIED_RIGHT: lambda: replace(past(MATCHINGS["hit 0.8"]), trial_s=TRIAL_S),
        TRIED_LIKE: lambda: replace(like(), trial_s=TRIAL_S),
    }


def picked(text: str) -> tuple[str, ...]:
    """Read which columns are to be played: all, or some with what they are held against."""
    known = tuple(ways(Experience, Legibility()))
    wanted = [word.strip() for word in text.split(";") if word.strip()] or known
    if unknown := [word for word in wanted if word not in known]:
        raise InputError(f"there is no column '{unknown[0]}'", f"there are: {'; '.join(known)}")
    needed = {*wanted, *(BASES.get(column, "Sia") for column in wanted)}
    return tuple(column for column in known if column in needed)


def measure(
    runs: Runs,
    data: Path,
    traces: tuple[str, ...],
    numbers: Sequence[int],
    read: Legibility,
    columns: Sequence[str],
) -> dict[str, dict[str, list[Summary]]]:
    """Play each workload under Sia and under each way to begin; by trace, then by column."""
    workloads = Workloads(data, runs.folder)
    found: dict[str, dict[str, list[Summary]]] = {name: {column: [] for column in columns} for name in traces}
    for name in traces:
        for number in numbers:
            base = workloads.experiment(name, number)
            beginnings = ways(partial(workloads.before, name, number), read)
            for column in columns:
                played = replace(base, experience=beginnings[column]())
                found[name][column].append(runs.one(f"{name} {number}, {column}", played, "sia", 0))
    return found


def table(found: Mapping[str, Mapping[str, list[Summary]]], numbers: Sequence[int]) -> Table:
    """Put hours, tails and makespans, averaged over workloads, beside the paper's."""
    rows: list[list[Cell]] = []
    for name, columns in found.items():
        for column, summaries in columns.items():
            ours_h, sia_h = hours(summaries), hours(columns[BASES.get(column, "Sia")])
            paper = PAPER[name]
            theirs: tuple[Cell, Cell] = (None, None)
            if column in WITHOUT:
                theirs = (paper[0], None)
            elif column in {LIKE, TRIED_LIKE}:
                theirs = (paper[1], better(*paper))
            rows.append(
                [
                    f"{name}: {column}",
                    round(ours_h, 3),
                    None if column in WITHOUT else better(sia_h, ours_h),
                    f"-{GOALS[name]:.0%}" if column in {LIKE, LEFT} else None,
                    *theirs,
                    round(fmean(one.p99_jct_s for one in summaries) / 3600, 2),
                    round(fmean(one.makespan_s for one in summaries) / 3600, 1),
                ]
            )
    columns_ = (
        "trace: how the like is found",
        "average, h",
        "change",
        "goal",
        "paper, h",
        "paper's",
        "p99, h",
        "makespan, h",
    )
    played = ("workload " if len(numbers) == 1 else "workloads ") + ", ".join(map(str, numbers))
    return Table(f"Table 3: Sia, and Sia with models from ended jobs ({played})", columns_, rows)


def hours(summaries: list[Summary]) -> float:
    """Average completion times over workloads, in hours."""
    return fmean(one.avg_jct_s for one in summaries) / 3600


def draw(axes: "Axes", found: Mapping[str, Mapping[str, list[Summary]]]) -> None:
    """Draw the change by trace and column beside the paper's."""
    first = next(iter(found.values()))
    columns = [column for column in (ALONE, *MATCHINGS, LEFT, TRIED_LIKE) if column in first]
    width = 0.8 / (len(columns) + 1)
    for place, column in enumerate(columns):
        sia = BASES.get(column, "Sia")
        changes = [100 * (1 - hours(of[column]) / hours(of[sia])) for of in found.values()]
        axes.bar([at + place * width for at in range(len(found))], changes, width, label=column)
    theirs = [100 * (1 - PAPER[name][1] / PAPER[name][0]) for name in found]
    axes.bar([at + len(columns) * width for at in range(len(found))], theirs, width, color="0.7", label="the paper")
    axes.set_xticks([at + 0.4 - width / 2 for at in range(len(found))], list(found))
    axes.set_ylabel("shorter average completion time, %")
    axes.set_title("Table 3: what Sia gains")
    axes.legend(fontsize=7)
