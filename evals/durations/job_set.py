"""A set of jobs that durations are estimated for, with what its trace offers and what it does not."""

from dataclasses import dataclass, field

from schedmate.schemas import PastJob


@dataclass(frozen=True)
class JobSet:
    """Jobs in the order in which they came; those before `ask_from_s` only teach."""

    name: str
    jobs: list[PastJob]
    ask_from_s: float
    lacks: str
    published: dict[str, dict[str, float]] = field(default_factory=dict)
    """Published predictions by name and job id."""
    oracle: list[PastJob] | None = None
    """The same jobs with their true metadata in place of what extract read."""
    profiled: dict[str, float] = field(default_factory=dict)
    """GPU utilisation as a profiler measured it in a job's first minutes, by job id."""
