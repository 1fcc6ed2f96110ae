"""What followed code shows of its work: whether it trains, and how it spreads over processes."""

import ast
from dataclasses import dataclass, field

from schedmate.readers.code.values.objects import ExternalResult, SpawnedCommand
from schedmate.readers.code.values.value import SourceLocation, Value


@dataclass
class LoopOrder:
    """Where the body of a loop works gradients out, and where its optimizer takes a step: the last places."""

    body: list[ast.stmt]
    """Kept, so that its identity stays its own."""
    places: dict[int, int] = field(default_factory=dict)
    """At which place each statement of the body stands, by its identity."""
    gradients: int = -1
    steps: int = -1


@dataclass
class TrainingSigns:
    """Signs of training beside the calls of libraries, each with the first or last place that shows it."""

    surely: SourceLocation | None = None
    perhaps: SourceLocation | None = None
    own_trainer: SourceLocation | None = None
    own_trainer_surely: bool = False
    uses_model: SourceLocation | None = None
    broken_off: SourceLocation | None = None
    half_precision: SourceLocation | None = None
    own_solver: bool = False
    sets_rate: bool = False
    written_rate: Value | None = None
    accumulation: Value | None = None
    leaves_rest: bool = False
    """No step is made of the batches that are left at the end of an epoch."""
    carries_rest: bool = False
    """They are gathered on with the first of the next epoch."""
    orders: dict[int, "LoopOrder"] = field(default_factory=dict)
    """What the bodies of loops do in which order, by the bodies' identities."""
    shared: list[Value] = field(default_factory=list)
    """Whole numbers that the program divides by how many devices or processes there are, which is not known."""
    dealt_out: list[Value] = field(default_factory=list)
    """Whole numbers that it divides by a known number of devices."""


@dataclass
class ProcessSigns:
    """How the program comes by several processes or devices: those it joins, and those it starts."""

    joins: SourceLocation | None = None
    joined_by: str = ""
    group_size: Value | None = None
    starts: SourceLocation | None = None
    started: Value | None = None
    machines: Value | None = None
    takes_all: bool = False
    counts_devices: bool = False
    """It asks for all devices; whether it works on them shows in what it does with them."""
    commands: list[SpawnedCommand] = field(default_factory=list)
    asked: dict[str, Value] = field(default_factory=dict)
    """What the program asks a scheduler for, through submitit."""
    ray: SourceLocation | None = None
    actors: list[Value] = field(default_factory=list)
    """GPUs of each object that Ray runs elsewhere, where they are told."""
    wraps: ExternalResult | None = None
    """The object that joins processes and places models by itself."""
