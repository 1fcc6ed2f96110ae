"""What followed code shows of its work: whether it trains, and how it spreads over processes."""

from dataclasses import dataclass, field

from schedmate.readers.code.values.objects import Made, Spawned
from schedmate.readers.code.values.value import Spot, Val


@dataclass
class TrainingSigns:
    """Signs of training beside the calls of libraries, each with the first or last place that shows it."""

    surely: Spot | None = None
    perhaps: Spot | None = None
    own_trainer: Spot | None = None
    own_trainer_surely: bool = False
    uses_model: Spot | None = None
    broken_off: Spot | None = None
    half_precision: Spot | None = None
    own_solver: bool = False
    sets_rate: bool = False
    written_rate: Val | None = None
    accumulation: Val | None = None


@dataclass
class ProcessSigns:
    """How the program comes by several processes or devices: those it joins, and those it starts."""

    joins: Spot | None = None
    joined_by: str = ""
    group_size: Val | None = None
    starts: Spot | None = None
    started: Val | None = None
    machines: Val | None = None
    takes_all: bool = False
    commands: list[Spawned] = field(default_factory=list)
    asked: dict[str, Val] = field(default_factory=dict)
    """What the program asks a scheduler for, through submitit."""
    ray: Spot | None = None
    wraps: Made | None = None
    """The object that joins processes and places models by itself."""
