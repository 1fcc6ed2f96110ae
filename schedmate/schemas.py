"""The nouns that cross borders between modules; frozen, so that an answer cannot change after it was given."""

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Engine = Literal["built-in", "model", "both"]
LineClass = Literal["error", "warning", "progress", "other"]
Category = Literal["infrastructure", "framework", "script", "other", "none"]
Subcategory = Literal["gpu", "nvlink", "network", "node", "other"]
Restart = Literal["yes", "elsewhere", "no"]
Phase = Literal["init", "train", "eval", "checkpoint", "done", "stalled", "failed"]
JobStatus = Literal["pending", "running", "completed", "failed", "cancelled", "timeout", "node_fail", "unknown"]


class Noun(BaseModel):
    """What all nouns share: they are frozen and refuse fields they do not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Evidence(Noun):
    """A quote and the place where it stands, so that anyone can check a claim."""

    path: str
    line: int = Field(ge=1)
    quote: str
    note: str = ""


class Job(Noun):
    """What a scheduler knows of a job: who asked for what, and how it went."""

    job_id: str
    user: str = ""
    name: str = ""
    command: str = ""
    workdir: Path | None = None
    git_branch: str = ""
    vc: str = ""
    gpus: float = 0
    nodes: int | None = None
    submit_s: float | None = None
    start_s: float | None = None
    end_s: float | None = None
    status: JobStatus = "unknown"
    extra: dict[str, str] = {}

    @property
    def duration_s(self) -> float | None:
        """Give the run time without queueing; None while it is not known."""
        if self.start_s is None or self.end_s is None:
            return None
        return self.end_s - self.start_s


class Workload(Noun):
    """What a job is, read from its source code. A field that is None was not found; it is never guessed."""

    is_training: bool | None = None
    model_name: str | None = None
    model_type: str | None = None
    param_size: str | None = None
    task: str | None = None
    task_fine: str | None = None
    dataset_name: str | None = None
    framework: str | None = None
    distributed: str | None = None
    num_gpus: int | None = None
    num_nodes: int | None = None
    batch_size: int | None = None
    global_batch_size: int | None = None
    epochs: float | None = None
    total_steps: int | None = None
    learning_rate: float | None = None
    optimizer: str | None = None
    precision: str | None = None
    hardware: str | None = None
    extra: dict[str, str] = {}
    evidence: dict[str, tuple[Evidence, ...]] = {}


class Extraction(Noun):
    """What a job is, with what was read to find out and who answered."""

    repo: str
    workdir: str = "."
    command: str = ""
    workload: Workload
    files_read: tuple[str, ...] = ()
    tokens_read: int = 0
    model_calls: int = 0
    engine: Engine = "built-in"
    elapsed_s: float = 0
    notes: tuple[str, ...] = ()
    launch_scripts: tuple[str, ...] = Field((), description="likely commands, where none was given")

    def as_record(self) -> dict[str, Any]:
        """Put all on one level, as `--json` prints it."""
        rest = self.model_dump(mode="json", exclude={"workload"})
        return {**self.workload.model_dump(mode="json"), **rest}


class SimilarJob(Noun):
    """A past job that an estimate rests on, and why it is thought to be alike."""

    job_id: str
    similarity: float = Field(ge=0, le=1)
    duration_s: float | None = None
    status: JobStatus = "unknown"
    agrees: tuple[str, ...] = Field((), description="fields that both know and that are close, weightiest first")
    differs: tuple[str, ...] = Field((), description="fields that both know and that are not")
    compared: dict[str, tuple[str, str]] = Field({}, description="value here and value there of the fields named")
    gpu_util: float | None = None
    gpu_memory_gib: float | None = None
    user: str = ""
    source: str = ""


class Estimate(Noun):
    """What to expect of a job, and the jobs that the expectation rests on; what nothing tells is None."""

    duration_p50_s: float | None = None
    duration_p90_s: float | None = None
    duration_p10_s: float | None = None
    duration_mean_s: float | None = Field(None, description="expected, for queues: long tails count")
    gpu_util: float | None = Field(None, description="0 to 1")
    gpu_memory_gib: float | None = None
    throughput: float | None = None
    throughput_unit: str | None = None
    p_failure: float | None = None
    p_cancel: float | None = None
    source: Literal["resubmission", "similar", "fallback"] = "fallback"
    rests_on: tuple[str, ...] = ()
    similar: tuple[SimilarJob, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    workload: Workload | None = None
    elapsed_s: float = 0.0


class Metrics(Noun):
    """How a running job is getting on, read from its log."""

    log: str = ""
    framework: str | None = None
    step_time_s: float | None = None
    throughput: float | None = None
    throughput_unit: str | None = None
    loss: float | None = None
    metrics: dict[str, float] = {}
    step: int | None = None
    total_steps: int | None = None
    epoch: float | None = None
    total_epochs: float | None = None
    eta_s: float | None = None
    eta_low_s: float | None = Field(None, description="the least that is likely left")
    eta_high_s: float | None = Field(None, description="the most that is likely left")
    phase: Phase | None = None
    still_since_s: float | None = Field(None, description="a live job that stalled: when its last step was seen")
    trend: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    confidence: float = Field(0.0, ge=0, le=1)
    engine: Engine = "built-in"
    elapsed_s: float = Field(0.0, description="how long the reading took")


class GpuProcess(Noun):
    """A process on a GPU: its memory, and its share of the GPU's time where the driver tells."""

    pid: int
    memory_gib: float | None = None
    utilization: float | None = None


class GpuSample(Noun):
    """One GPU at one moment; what it does not tell is None."""

    index: int
    uuid: str = ""
    name: str = ""
    utilization: float | None = Field(None, description="0 to 1")
    memory_used_gib: float | None = None
    memory_total_gib: float | None = None
    power_w: float | None = None
    temperature_c: float | None = None
    ecc_uncorrected: int | None = None
    xids: tuple[int, ...] = Field((), description="Xid errors since sampling began")
    processes: tuple[GpuProcess, ...] = ()


class Action(Noun):
    """One recovery step: what it does, to what, the command that does it, and why."""

    kind: Literal[
        "health_check",
        "nccl_test",
        "isolate",
        "replace",
        "restart",
        "requeue",
        "hold",
        "smaller_batch",
        "notify",
        "none",
    ]
    target: str = ""
    reason: str = ""
    commands: dict[str, str] = Field({}, description="exact command by system: slurm, kubernetes, ray, shell")


class Diagnosis(Noun):
    """Why a job died: the first cause, its class, what it took down, and what to do."""

    log: str = ""
    logs: tuple[str, ...] = Field((), description="the files that were read for it")
    jobs_in_folder: int | None = Field(None, description="jobs whose logs lie in the folder that was named")
    category: Category
    subcategory: Subcategory | None = None
    failure_id: str | None = None
    root_path: str | None = Field(None, description="the file of root_line, where a job has many")
    root_line: int | None = None
    root_excerpt: str = ""
    root_time_s: float | None = None
    root_rank: int | None = Field(None, description="who root_line is about: the faulty rank, or who printed an effect")
    root_host: str | None = Field(None, description="where it ran; empty where that rank only waited for another")
    root_pod: str | None = None
    systems: tuple[str, ...] = Field((), description="what ran the job, as the log shows: slurm, kubernetes, ray")
    job_id: str | None = Field(None, description="the job's number in Slurm")
    faulty_components: tuple[str, ...] = ()
    should_restart: Restart = "no"
    confidence: float = Field(0.0, ge=0, le=1, description="how often a class that is found like this one is right")
    root_confidence: float = Field(0.0, ge=0, le=1, description="the same of the place")
    engine: Engine = "built-in"
    attempts: int = 1
    last_progress_line: int | None = None
    fallout_lines: int = 0
    evidence: tuple[Evidence, ...] = ()
    explanation: str = ""
    advice: str = ""
    actions: tuple[Action, ...] = ()
    notes: tuple[str, ...] = ()
    line_count: int = 0
    read_fraction: float = Field(0.0, ge=0, le=1)
    elapsed_s: float = 0.0


class Hardware(Noun):
    """What a job took of its GPUs, over all of them and its whole run; what nobody measured is None."""

    gpu_util: float | None = Field(None, description="mean, 0 to 1")
    gpu_memory_gib: float | None = Field(None, description="most that one GPU held")
    power_w: float | None = Field(None, description="mean of one GPU")
    samples: int = 0


class PastJob(Noun):
    """A job as the history keeps it: what the scheduler knew, and what was read of it on the way."""

    job: Job
    source: str = Field("schedmate", description="where it was read from; an id is unique within its source")
    ran_s: float | None = Field(None, description="run time, where end less start is not it: attempts, start unknown")
    workload: Workload | None = None
    metrics: Metrics | None = Field(None, description="as last read, when the job had ended")
    hardware: Hardware | None = None
    diagnosis: Diagnosis | None = None
    notes: tuple[str, ...] = Field((), description="what was odd about the record, as an end before its start")

    @property
    def duration_s(self) -> float | None:
        """Give the run time without queueing; None while it is unknown, and where the clocks contradict each other."""
        told = self.job.duration_s if self.ran_s is None else self.ran_s
        return told if told is not None and told >= 0 else None

    @property
    def known_s(self) -> float | None:
        """Give the moment from which its end is known, so that nothing is learned before it happened."""
        job, ran_s = self.job, self.duration_s
        if job.status in {"pending", "running"} or (job.end_s is None and ran_s is None):
            return None
        told = [moment for moment in (job.submit_s, job.start_s, job.end_s) if moment is not None]
        return max(told) if job.end_s is not None else (max(told) + (ran_s or 0) if told else None)


class Check(Noun):
    """What `schedmate selftest` found of one thing, and what to do where it is missing or broken."""

    name: str
    status: Literal["ok", "absent", "failed", "skipped"]
    detail: str = ""
    remedy: str = ""


class Statement(Noun):
    """What a log says, however often and with whatever values: its template, its class, where it first stands."""

    template: str
    label: LineClass
    count: int = Field(ge=1)
    line: int = Field(ge=1)
    quote: str
    margin: float
    engine: Engine = "built-in"


class Classification(Noun):
    """What kinds of lines a log holds: lines by class, and the statements behind the numbers, most frequent first."""

    log: str = ""
    lines: int = 0
    counts: dict[LineClass, int] = {}
    unclassified: int = 0
    statements: tuple[Statement, ...] = ()
    notes: tuple[str, ...] = ()
    engine: Engine = "built-in"
    elapsed_s: float = 0.0
