"""What a report says, as `schedmate report --json` prints it."""

from pydantic import Field

from schedmate.schemas import Noun


class Ended(Noun):
    """How many jobs ended in one way, and what they took."""

    status: str
    jobs: int
    share: float
    gpu_hours: float
    gpu_hours_share: float


class Typical(Noun):
    """What a GPU job is like, as the authors of traces print it."""

    jobs: int
    mean_run_s: float
    median_run_s: float
    mean_gpus: float
    mean_wait_s: float | None
    median_wait_s: float | None


class Group(Noun):
    """Failures of one class, user, queue or kind, and what they cost."""

    name: str
    failures: int
    jobs: int = Field(description="jobs of the group that ended, in whatever way")
    gpu_hours: float = Field(description="taken by the runs that failed: lost, where nothing was saved")
    lost_gpu_hours: float = Field(description="lost since the last save: by the log where it says so, else as assumed")
    away_hours: float = Field(description="from failures until the same thing ran again, within a week, added up")


class Week(Noun):
    """Seven days, from a Monday."""

    begins: str
    jobs: int
    gpu_hours: float
    failures: int
    failed_gpu_hours: dict[str, float] = Field(description="by class")
    mean_wait_s: float | None


class NodeRow(Noun):
    """A node's failures beside those that chance would give it."""

    node: str
    hours: float = Field(description="hours in which a job ran there, up to each thing's first failure there")
    failures: int
    expected: float
    ratio: float
    low: float = Field(description="of the ratio, 95 % by Garwood's exact interval")
    high: float
    p: float = Field(description="chance of so many failures or more at the site's rate")
    q: float = Field(description="Benjamini and Hochberg's over all nodes")
    stands_out: bool


class Nodes(Noun):
    """All nodes, compared at once."""

    counted: str = Field(description="which failures were counted")
    compared: int = 0
    failures: int = 0
    hours: float = 0
    rows: tuple[NodeRow, ...] = ()


class Root(Noun):
    """One cause that ended jobs again and again."""

    failure_id: str
    category: str
    quote: str
    failures: int
    users: int
    nodes: int
    gpu_hours: float
    first: str
    last: str
    example: str = Field(description="a job that it ended")


class Repeat(Noun):
    """One thing that was run again and again, and failed each time."""

    user: str
    name: str
    failures: int = Field(description="the most failures in a row, without a run that completed")
    gpu_hours: float
    completed: int
    example: str


class Wait(Noun):
    """How long jobs waited."""

    name: str
    jobs: int
    mean_s: float
    p50_s: float
    p90_s: float
    p99_s: float
    gpu_hours: float = Field(description="waiting time times GPUs asked for")


class Asked(Noun):
    """What was asked for and not used, by one user or all."""

    name: str
    jobs: int
    asked: float
    used: float
    unused_jobs: int = Field(description="jobs that used under a twentieth")


class Limits(Noun):
    """Time limits beside what jobs took: the estimate that users gave."""

    jobs: int
    used_p10: float
    used_p50: float
    used_p90: float
    hit: int = Field(description="jobs that the limit ended")
    grid: tuple[tuple[int, ...], ...] = Field((), description="jobs by limit (rows) and run time, decades by halves")


class Forecast(Noun):
    """What SchedMate would have said of each job when it came, beside what it took."""

    jobs: int
    median_factor: float = Field(description="median of how many times too long or too short")
    within: float = Field(description="share of jobs between the ends of the interval that was meant to hold 80 %")
    limit_median_factor: float | None = Field(description="the same of the users' limits, for the same jobs")


class Played(Noun):
    """One policy, over the windows that were replayed."""

    policy: str
    mean_wait_s: float
    saved_s: float | None = Field(description="waiting time a job less than under the baseline")
    low_s: float | None = Field(description="of a 90 % interval over the windows")
    high_s: float | None


class Recovery(Noun):
    """What restarts at once and holds would have saved."""

    restarts: int
    restart_hours: float = Field(description="hours of standing still that a restart at once spares")
    low_hours: float
    high_hours: float
    held: int
    held_gpu_hours: float


class WhatIf(Noun):
    """The site's own jobs under other policies."""

    baseline: str = ""
    recorded_wait_s: float | None = None
    windows: int = 0
    window_days: float = 0
    jobs: int = 0
    gpus: int = 0
    policies: tuple[Played, ...] = ()
    recovery: Recovery | None = None
    doubts: tuple[str, ...] = ()


class Report(Noun):
    """The whole of it."""

    sources: tuple[str, ...]
    since: str
    until: str
    days: float
    jobs: int
    users: int
    gpu_hours: float
    failures: int
    failed_gpu_hours: float
    lost_gpu_hours: float
    saves_told: int = Field(0, description="failures whose log says when the job last saved")
    diagnosed: int = Field(description="failures of which a log was read")
    typical: Typical | None = Field(None, description="jobs with GPUs that ran")
    ends: tuple[Ended, ...] = ()
    by_class: tuple[Group, ...] = ()
    by_failure: tuple[Group, ...] = ()
    by_user: tuple[Group, ...] = ()
    by_queue: tuple[Group, ...] = ()
    weeks: tuple[Week, ...] = ()
    nodes: Nodes
    roots: tuple[Root, ...] = ()
    repeats: tuple[Repeat, ...] = ()
    waits: tuple[Wait, ...] = ()
    waits_by_user: tuple[Wait, ...] = ()
    gpus_asked: tuple[Asked, ...] = Field((), description="GPU hours asked and used")
    memory_asked: tuple[Asked, ...] = Field((), description="GiB hours of the hosts' memory")
    limits: Limits | None = None
    forecast: Forecast | None = None
    what_if: WhatIf | None = None
    assumptions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
