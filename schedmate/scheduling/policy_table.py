"""Which policies there are, what each asks of whoever runs it, and where it is offered."""

from dataclasses import dataclass

from schedmate.errors import InputError


@dataclass(frozen=True)
class PolicyEntry:
    """One policy; what is not said is False."""

    about: str
    for_people: str = ""
    """In plain words, for a site that tries it on its own jobs through a page; empty: it is not offered there."""
    runs_live: bool = True
    """Whether a loop can run by it; the others plan for what only a simulation has."""
    told_durations: bool = False
    """It knows how long each job will really run."""
    predicts: bool = False
    """It asks how long a job will run."""
    packs: bool = False
    """It wants to know how heavy a job is."""
    parts_pairs: bool = False
    """Jobs that slow each other down too much are parted, unless it is told otherwise."""
    profiles: bool = False
    """It runs jobs on nodes set apart first."""
    measures: bool = False
    """It is told no profile before like jobs, or the job itself, were measured."""
    needs_training: bool = False
    """It chooses how many GPUs a job gets, and so wants measured training runs."""
    counts_down: bool = False
    """Its published form counts a job's remaining time down tick by tick."""


POLICIES = {
    "fifo": PolicyEntry("first in, first out", "as they came"),
    "easy": PolicyEntry("EASY backfilling by submission and by users' time limits, as Slurm does it", runs_live=False),
    "slurm": PolicyEntry("Slurm's multifactor priority with fair share, and EASY backfilling by users' time limits"),
    "sjf": PolicyEntry(
        "shortest job first, by true durations",
        "the shortest first, by what they really took",
        told_durations=True,
    ),
    "srtf": PolicyEntry(
        "shortest remaining time first, preemptive, by true durations",
        "least time to go first, others are stopped for it",
        told_durations=True,
        counts_down=True,
    ),
    "qssf": PolicyEntry(
        "quasi-shortest service first (Helios), by predicted durations",
        "the shortest first, by what was expected",
        predicts=True,
    ),
    "tiresias": PolicyEntry(
        "2D-LAS: least attained service in two queues, preemptive",
        "what has had least so far first",
        counts_down=True,
    ),
    "lucid": PolicyEntry(
        "Lucid: profiles small jobs first, packs light ones two to a GPU, by predicted GPU time",
        runs_live=False,
        predicts=True,
        packs=True,
        profiles=True,
        counts_down=True,
    ),
    "horus": PolicyEntry("Horus: co-locates jobs while their predicted GPU utilisation stays under 100 %", packs=True),
    "horus-simulated": PolicyEntry(
        "Horus with the cost and the look-ahead of a simulator published for it", packs=True
    ),
    "schedmate": PolicyEntry(
        "SchedMate: least time to go first, by logs and history; packs, and takes places from those who saved",
        "the policy of this loop: expected time, shared GPUs",
        predicts=True,
        packs=True,
        parts_pairs=True,
        measures=True,
    ),
    "sia": PolicyEntry(
        "Sia: elastic, heterogeneous; an integer program on goodput each minute",
        runs_live=False,
        needs_training=True,
    ),
}
LIVE = tuple(name for name, one in POLICIES.items() if one.runs_live)

REPLAYABLE = tuple(name for name, one in POLICIES.items() if not one.needs_training)
"""What can be played on records of the past."""
COMPARED = ("fifo", "sjf", "tiresias", "schedmate")
"""What a report plays, unless it is told others."""


def entry(name: str) -> PolicyEntry:
    """Find a policy by its name."""
    if name not in POLICIES:
        raise InputError(f"there is no policy '{name}'", f"there are: {', '.join(POLICIES)}")
    return POLICIES[name]
