"""A line worth weighing, and all that a scan of one log brought."""

from dataclasses import dataclass, field

from schedmate.knowledge.catalogue import Failure
from schedmate.readers.failures.lines.run_boundaries import Boundaries
from schedmate.readers.failures.lines.tracebacks import Raised
from schedmate.readers.lines import Line

OF_ONE_TEST = frozenset({"health.nccl_tests"})
"""Entries of a test's word that it went well, which says nothing of the tests before it."""
QUITS = frozenset({"script.argparse_usage", "python.syntax_error"})
"""What a program says and leaves at once."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One line worth weighing: where it stands, what it says, and the catalogue entry it fits, if any."""

    source: int
    number: int
    start: int
    line: Line
    failure: Failure | None
    named: dict[str, str] = field(default_factory=dict)
    raised: Raised | None = None

    @property
    def place(self) -> tuple[int, int]:
        """Tell where it stands among all of a job's logs; what is of one log is ordered by it."""
        return self.source, self.start

    @property
    def kind(self) -> tuple[str, str | None]:
        """Give what it would make of the failure: the class, and the part of it, that its entry speaks of."""
        return (self.failure.category, self.failure.subcategory) if self.failure else ("none", None)

    @property
    def begins(self) -> int:
        """Tell where what it says begins: of an exception its traceback's head, else the line itself."""
        return self.raised.head_start if self.raised else self.start


@dataclass(slots=True)
class Findings:
    """What a scan brought: sightings in order, tracebacks, what tells of several runs, and how many bytes were read."""

    sightings: list[Sighting] = field(default_factory=list)
    raised: list[Raised] = field(default_factory=list)
    told: Boundaries = field(default_factory=Boundaries)
    read_bytes: int = 0
