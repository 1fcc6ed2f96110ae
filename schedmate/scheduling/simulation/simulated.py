"""What was simulated, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from schedmate.scheduling.simulation.experiment import Experiment, Result
from schedmate.scheduling.simulation.results import Floats, Summary


@dataclass(frozen=True)
class Simulation:
    """All runs of an experiment, in the order of the policies, then seeds."""

    experiment: Experiment
    results: Mapping[tuple[str, int], Result]
    """What became of each job, where that was asked for: a million jobs take a hundred MB a run."""
    summaries: tuple[Summary, ...]
    waits: Mapping[tuple[str, int], Floats] = field(default_factory=dict)
    """Average queues by stretches of the trace, where records are at hand to be compared with."""
