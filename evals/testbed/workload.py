"""What is played: jobs like Acme's, with programs of the measured table, compressed in time, some of them broken."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import numpy as np

from schedmate.clusters.simulation.interference import MeasuredInterference, read_interference
from schedmate.errors import InputError
from schedmate.traces.columns import Labels, Trace
from schedmate.traces.generating import generate
from schedmate.traces.profiles import Configuration, Profiles, read_labels

PACE = 30.0
"""Seconds of the experiment that pass in one second here."""
NODES, GPUS = 8, 8

MOST_GPUS = 56
"""Larger requests are cut to this: Lucid's profiler keeps the eighth node."""
PAST = 3
"""Jobs that ended before, for each that is played: predictors have learned from them."""
LEAST_S, MOST_S = 8.0, 100.0
STEP_S = 0.5

SAVE_S = 20.0
"""Between two checkpoints; ten minutes of the experiment."""
FAULTS = ("nccl", "ecc", "xid", "storage")

BLAMING = ("ecc", "xid", "storage")
"""Those whose words speak against a node: the loop starts such a job elsewhere."""
FAULTY = 8
"""How many of the jobs a fault of the infrastructure ends once."""
FAULTY_ABOVE_S = 30.0
BUGS = ("key", "shape", "memory", "file")

SCALES = {
    "large": (("LSTM", 128), ("ResNet50", 128)),
    "medium": (("ResNet50", 64), ("ResNet18", 128), ("VGG", 64), ("LSTM", 64)),
    "small": (("ResNet50", 32), ("EfficientNet", 128), ("EfficientNet", 32), ("MobileNetV3", 32), ("DCGAN", 64),
              ("PointNet", 64), ("ResNet18", 32)),
}  # fmt: skip
"""Programs by scale, as model and batch: of the paper's Table 1 what was measured in pairs, else one as heavy."""
Key = tuple[str, str, int, int]


@dataclass(frozen=True)
class Task:
    """One job: who sends it in, what it trains, for how many steps, and how it ends."""

    number: int
    user: str
    name: str
    program: Configuration
    gpus: int
    steps: int
    submit_s: float
    """Seconds here, from the first submission."""
    shown_steps: int = 0
    """What it set out to do; more than its steps where it ends early."""
    bug: str = ""
    """What the job's own code breaks at, after its last step."""
    fault: str = ""
    fault_step: int = 0
    """Where a fault of the infrastructure ends its first run."""

    @property
    def work_s(self) -> float:
        """Give how long its steps take alone, here."""
        return self.steps * STEP_S


@dataclass(frozen=True)
class Workload:
    """What is played, what ended before it, and how programs slow each other down."""

    tasks: Sequence[Task]
    past: Sequence[Task]
    interference: MeasuredInterference
    programs: Sequence[Configuration]


def draw(data: Path, jobs: int, span_s: float, load: float, seed: int) -> Workload:
    """Draw the jobs; the same arguments give the same."""
    lucid = data / "lucid"
    if not (lucid / "colocate_info.csv").is_file():
        raise InputError(f"{data} has no lucid/colocate_info.csv", "name the folder: python -m evals physical DIR")
    programs = read_labels(lucid / "single_data.csv")
    trace = generate("seren", jobs=jobs * (PAST + 1), days=PAST + 1.0, seed=seed)
    gpus = np.minimum(trace.gpus, MOST_GPUS)
    is_played = np.arange(len(trace)) >= jobs * PAST
    wanted_s = load * MOST_GPUS * span_s
    low, high = 0.0, 10.0
    for _ in range(50):  # durations are cut at both ends: which factor gives the load is searched
        middle = (low + high) / 2
        work_s = np.clip(trace.duration_s * middle, LEAST_S, MOST_S)
        low, high = (low, middle) if float((work_s * gpus)[is_played].sum()) > wanted_s else (middle, high)
    played_s = trace.submit_s[is_played]
    begins_s, lasts_s = float(played_s[0]), float(played_s[-1] - played_s[0])
    random = Random(seed)
    tasks = []
    for row in range(len(trace)):
        name, size = trace.job_name[row], int(gpus[row])
        program = program_of(programs, name, size)
        status = trace.status[row].lower()
        submit_s = (float(trace.submit_s[row]) - begins_s) / lasts_s * span_s
        bug = random.choice(BUGS) if status == "failed" else ""
        steps = max(1, round(float(work_s[row]) / STEP_S))
        shown = steps if status == "completed" else max(steps + 1, round(steps / random.uniform(0.2, 1.0)))
        kind = f"{program.model.lower()}-{name.rpartition('/')[2]}"
        tasks.append(Task(row - jobs * PAST, trace.user[row], kind, program, size, steps, submit_s, shown, bug))
    played = break_some([task for task in tasks if task.number >= 0], random)
    past = [task for task in tasks if task.number < 0]
    return Workload(played, past, read_interference(lucid / "colocate_info.csv", highest=1.0), programs)


def program_of(programs: Sequence[Configuration], name: str, gpus: int) -> Configuration:
    """Give each kind of job one program, by its size."""
    choices = SCALES["large" if gpus > 8 else "medium" if gpus >= 4 else "small"]
    model, batch = choices[zlib.crc32(name.encode()) % len(choices)]
    return next(one for one in programs if (one.model, one.batch_size) == (model, batch))


def break_some(tasks: list[Task], random: Random) -> list[Task]:
    """Let faults of the infrastructure end some of the long jobs once, those with most GPU time first."""
    whole = [task for task in tasks if not task.bug and task.work_s >= FAULTY_ABOVE_S]
    struck = sorted(whole, key=lambda task: -task.work_s * task.gpus * random.uniform(0.2, 1.0))[:FAULTY]
    places = {task.number: kind for task, kind in zip(struck, FAULTS * FAULTY, strict=False)}
    return [
        replace(task, fault=places[task.number], fault_step=round(task.steps * random.uniform(0.4, 0.8)))
        if task.number in places
        else task
        for task in tasks
    ]


def as_trace(tasks: Sequence[Task], start_s: Sequence[float]) -> tuple[Trace, Profiles]:
    """Write the jobs as the simulator reads them, at the experiment's own pace; a start takes what it took here."""
    programs = list(dict.fromkeys(task.program for task in tasks))
    count = len(tasks)
    trace = Trace(
        name="physical",
        job_id=np.array([str(task.number) for task in tasks]),
        submit_s=np.array([task.submit_s for task in tasks]) * PACE,
        duration_s=(np.array([task.work_s for task in tasks]) + np.array(start_s)) * PACE,
        gpus=np.array([task.gpus for task in tasks], np.int64),
        user=Labels.of([task.user for task in tasks]),
        vc=Labels.same("", count),
        job_name=Labels.of([task.name for task in tasks]),
        status=Labels.of(["FAILED" if task.bug else "COMPLETED" for task in tasks]),
        kind=Labels.same("", count),
        line=np.zeros(count, np.int64),
    )
    codes = np.array([programs.index(task.program) for task in tasks], np.int32)
    return trace, Profiles(tuple(programs), codes)
