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

    path: str = Field(description="the file")
    line: int = Field(ge=1, description="counted from 1")
    quote: str = Field(description="the line, shortened where it is long")
    note: str = Field("", description="what the line tells")


class Job(Noun):
    """What a scheduler knows of a job: who asked for what, and how it went."""

    job_id: str = Field(description="its number at the scheduler")
    user: str = Field("", description="whose it is")
    name: str = Field("", description="as it was submitted")
    command: str = Field("", description="what starts it")
    workdir: Path | None = Field(None, description="where it starts")
    git_branch: str = Field("", description="of its code")
    vc: str = Field("", description="virtual cluster or partition")
    gpus: float = Field(0, description="asked for; a part of one is below 1")
    nodes: int | None = Field(None, description="asked for")
    submit_s: float | None = Field(None, description="seconds since 1970, or since a trace's begin")
    start_s: float | None = Field(None, description="the same of its start")
    end_s: float | None = Field(None, description="the same of its end")
    status: JobStatus = Field("unknown", description="how it is or ended")
    extra: dict[str, str] = Field({}, description="what else the scheduler tells")

    @property
    def duration_s(self) -> float | None:
        """Give the run time without queueing; None while it is not known."""
        if self.start_s is None or self.end_s is None:
            return None
        return self.end_s - self.start_s


class Workload(Noun):
    """What a job is, read from its source code. A field that is None was not found; it is never guessed."""

    is_training: bool | None = Field(None, description="whether it trains; false: it evaluates, samples or serves")
    model_name: str | None = Field(None, description="as ResNet-50")
    model_type: str | None = Field(None, description="transformer, cnn, gnn and so on")
    param_size: str | None = Field(None, description="number of parameters, as 7B")
    task: str | None = Field(None, description="CV, NLP, RL and so on")
    task_fine: str | None = Field(None, description="as image classification")
    dataset_name: str | None = Field(None, description="what it reads")
    framework: str | None = Field(None, description="PyTorch, JAX, TensorFlow and so on")
    distributed: str | None = Field(None, description="how it is spread: ddp, fsdp, deepspeed, none and so on")
    num_gpus: int | None = Field(None, description="over all nodes")
    num_nodes: int | None = Field(None, description="machines")
    batch_size: int | None = Field(None, description="samples a device and step")
    global_batch_size: int | None = Field(None, description="samples an optimizer step, over all devices, accumulated")
    epochs: float | None = Field(None, description="passes over the data")
    total_steps: int | None = Field(None, description="optimizer steps; of the environment in reinforcement learning")
    learning_rate: float | None = Field(None, description="as set, before any schedule")
    optimizer: str | None = Field(None, description="as AdamW")
    precision: str | None = Field(None, description="of its arithmetic: fp32, fp16, bf16 and so on")
    hardware: str | None = Field(None, description="kind of GPU that its files name")
    extra: dict[str, str] = Field({}, description="more settings that were found")
    evidence: dict[str, tuple[Evidence, ...]] = Field({}, description="where each field stands")


class Extraction(Noun):
    """What a job is, with what was read to find out and who answered."""

    repo: str = Field(description="folder that was read")
    workdir: str = Field(".", description="where the command starts, below repo")
    command: str = Field("", description="what starts the job")
    workload: Workload = Field(description="what it is")
    files_read: tuple[str, ...] = Field((), description="below repo")
    tokens_read: int = Field(0, description="how much of them")
    model_calls: int = Field(0, description="questions to a model")
    engine: Engine = Field("built-in", description="who answered")
    elapsed_s: float = Field(0, description="how long the reading took")
    notes: tuple[str, ...] = Field((), description="what was guessed or not read")
    launch_scripts: tuple[str, ...] = Field((), description="likely commands, where none was given")

    def as_record(self) -> dict[str, Any]:
        """Put all on one level, as `--json` prints it."""
        rest = self.model_dump(mode="json", exclude={"workload"})
        return {**self.workload.model_dump(mode="json"), **rest}


class SimilarJob(Noun):
    """A past job that an estimate rests on, and why it is thought to be alike."""

    job_id: str = Field(description="its number")
    similarity: float = Field(ge=0, le=1, description="1: the same")
    duration_s: float | None = Field(None, description="how long it ran")
    status: JobStatus = Field("unknown", description="how it ended")
    agrees: tuple[str, ...] = Field((), description="fields that both know and that are close, weightiest first")
    differs: tuple[str, ...] = Field((), description="fields that both know and that are not")
    compared: dict[str, tuple[str, str]] = Field({}, description="value here and value there of the fields named")
    gpu_util: float | None = Field(None, description="mean, 0 to 1")
    gpu_memory_gib: float | None = Field(None, description="most that one GPU held")
    user: str = Field("", description="whose it was")
    source: str = Field("", description="where it was read from")


class Estimate(Noun):
    """What to expect of a job, and the jobs that the expectation rests on; what nothing tells is None."""

    duration_p50_s: float | None = Field(None, description="half end before")
    duration_p90_s: float | None = Field(None, description="nine of ten end before")
    duration_p10_s: float | None = Field(None, description="one of ten ends before")
    duration_mean_s: float | None = Field(None, description="expected, for queues: long tails count")
    gpu_util: float | None = Field(None, description="0 to 1")
    gpu_memory_gib: float | None = Field(None, description="most that one GPU will hold")
    throughput: float | None = Field(None, description="as such jobs had it")
    throughput_unit: str | None = Field(None, description="as samples/s")
    p_failure: float | None = Field(None, description="chance that it fails")
    p_cancel: float | None = Field(None, description="chance that somebody cancels it")
    source: Literal["resubmission", "similar", "fallback"] = Field(
        "fallback", description="earlier runs of the same command, similar jobs, or the user's and everybody's others"
    )
    rests_on: tuple[str, ...] = Field((), description="numbers of those jobs")
    similar: tuple[SimilarJob, ...] = Field((), description="the jobs and why they are alike")
    warnings: tuple[str, ...] = Field((), description="what may go wrong, as memory")
    notes: tuple[str, ...] = Field((), description="what a person should know")
    workload: Workload | None = Field(None, description="what its code says, where it was read")
    elapsed_s: float = Field(0.0, description="how long the estimate took")


class Metrics(Noun):
    """How a running job is getting on, read from its log."""

    log: str = Field("", description="the file")
    framework: str | None = Field(None, description="who wrote the lines, where that is plain")
    step_time_s: float | None = Field(None, description="seconds an optimizer step, lately")
    throughput: float | None = Field(None, description="lately")
    throughput_unit: str | None = Field(None, description="as samples/s or tokens/s")
    loss: float | None = Field(None, description="the newest of training")
    metrics: dict[str, float] = Field({}, description="the newest value of each other figure")
    step: int | None = Field(None, description="newest value of the finest counter of training")
    total_steps: int | None = Field(None, description="where that counter ends")
    epoch: float | None = Field(None, description="the newest, with its part")
    total_epochs: float | None = Field(None, description="planned")
    eta_s: float | None = Field(None, description="seconds to the end of the run")
    eta_low_s: float | None = Field(None, description="the least that is likely left")
    eta_high_s: float | None = Field(None, description="the most that is likely left")
    phase: Phase | None = Field(None, description="what it is doing")
    still_since_s: float | None = Field(None, description="a live job that stalled: when its last step was seen")
    trend: tuple[float, ...] = Field((), description="step times, oldest first")
    notes: tuple[str, ...] = Field((), description="what a person should know")
    evidence: tuple[Evidence, ...] = Field((), description="where each value stands")
    confidence: float = Field(0.0, ge=0, le=1, description="of step_time_s")
    engine: Engine = Field("built-in", description="who answered")
    elapsed_s: float = Field(0.0, description="how long the reading took")


class GpuProcess(Noun):
    """A process on a GPU: its memory, and its share of the GPU's time where the driver tells."""

    pid: int = Field(description="its number")
    memory_gib: float | None = None
    utilization: float | None = None


class GpuSample(Noun):
    """One GPU at one moment; what it does not tell is None."""

    index: int = Field(description="on its machine")
    uuid: str = ""
    name: str = ""
    utilization: float | None = Field(None, description="0 to 1")
    memory_used_gib: float | None = None
    memory_total_gib: float | None = None
    power_w: float | None = None
    temperature_c: float | None = None
    ecc_uncorrected: int | None = Field(None, description="errors since the driver began")
    xids: tuple[int, ...] = Field((), description="Xid errors since sampling began")
    processes: tuple[GpuProcess, ...] = Field((), description="what runs there")


class Action(Noun):
    """One recovery step: what it does, to what, the command that does it, and why."""

    kind: Literal[
        "health_check", "nccl_test", "isolate", "replace", "restart", "requeue", "hold", "smaller_batch",
        "notify", "none"
    ] = Field(description="what to do")  # fmt: skip
    target: str = Field("", description="to which node or job")
    reason: str = Field("", description="why")
    commands: dict[str, str] = Field({}, description="exact command by system: slurm, kubernetes, ray, shell")


class Diagnosis(Noun):
    """Why a job died: the first cause, its class, what it took down, and what to do."""

    log: str = Field("", description="the file or folder")
    logs: tuple[str, ...] = Field((), description="the files that were read for it")
    jobs_in_folder: int | None = Field(None, description="jobs whose logs lie in the folder that was named")
    category: Category = Field(description="whose fault; other: a person's or a limit's, none: it did not fail")
    subcategory: Subcategory | None = Field(None, description="of infrastructure: which part")
    failure_id: str | None = Field(None, description="entry of the catalogue; null where none knows the line")
    root_path: str | None = Field(None, description="the file of root_line, where a job has many")
    root_line: int | None = Field(None, description="first statement of the cause")
    root_excerpt: str = Field("", description="that line")
    root_time_s: float | None = Field(None, description="when, seconds since 1970, where its stamp tells")
    root_rank: int | None = Field(None, description="who root_line is about: the faulty rank, or who printed an effect")
    root_host: str | None = Field(None, description="where it ran; empty where that rank only waited for another")
    root_pod: str | None = Field(None, description="pod where it happened")
    systems: tuple[str, ...] = Field((), description="what ran the job, as the log shows: slurm, kubernetes, ray")
    job_id: str | None = Field(None, description="the job's number in Slurm")
    faulty_components: tuple[str, ...] = Field((), description="hosts, GPUs, ports, disks to look at")
    should_restart: Restart = Field("no", description="whether a restart would help, only on other hardware, or not")
    confidence: float = Field(0.0, ge=0, le=1, description="how often a class that is found like this one is right")
    root_confidence: float = Field(0.0, ge=0, le=1, description="the same of the place")
    engine: Engine = Field("built-in", description="who answered")
    attempts: int = Field(1, description="runs in the log")
    running_again_line: int | None = Field(None, description="the job was started again here, and got on since")
    last_progress_line: int | None = Field(None, description="last sign of being well before it")
    fallout_lines: int = Field(0, description="error lines after it, which are its effects")
    evidence: tuple[Evidence, ...] = Field((), description="what the answer rests on")
    explanation: str = Field("", description="in words")
    advice: str = Field("", description="in a sentence")
    actions: tuple[Action, ...] = Field((), description="in order; a script follows these")
    notes: tuple[str, ...] = Field((), description="what was guessed or not read")
    line_count: int = Field(0, description="lines of the log")
    read_fraction: float = Field(0.0, ge=0, le=1, description="part of the log that was read closely")
    elapsed_s: float = Field(0.0, description="how long the reading took")


class Hardware(Noun):
    """What a job took of its GPUs, over all of them and its whole run; what nobody measured is None."""

    gpu_util: float | None = Field(None, description="mean, 0 to 1")
    gpu_memory_gib: float | None = Field(None, description="most that one GPU held")
    power_w: float | None = Field(None, description="mean of one GPU")
    samples: int = Field(0, description="how many rest behind it")


class PastJob(Noun):
    """A job as the history keeps it: what the scheduler knew, and what was read of it on the way."""

    job: Job = Field(description="what the scheduler knew")
    source: str = Field("schedmate", description="where it was read from; an id is unique within its source")
    ran_s: float | None = Field(None, description="run time, where end less start is not it: attempts, start unknown")
    workload: Workload | None = Field(None, description="what its code said")
    metrics: Metrics | None = Field(None, description="as last read, when the job had ended")
    hardware: Hardware | None = Field(None, description="what it took")
    diagnosis: Diagnosis | None = Field(None, description="why it died")
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

    name: str = Field(description="what was tried")
    status: Literal["ok", "absent", "failed", "skipped"] = Field(description="absent: not there and not asked for")
    detail: str = Field("", description="what was found")
    remedy: str = Field("", description="what to do")


class Statement(Noun):
    """What a log says, however often and with whatever values: its template, its class, where it first stands."""

    template: str = Field(description="with <*> for what changes")
    label: LineClass = Field(description="its class")
    count: int = Field(ge=1, description="how often")
    line: int = Field(ge=1, description="where first")
    quote: str = Field(description="that line")
    margin: float = Field(description="how much likelier than the next class")
    engine: Engine = Field("built-in", description="who classed it")


class Classification(Noun):
    """What kinds of lines a log holds: lines by class, and the statements behind the numbers, most frequent first."""

    log: str = Field("", description="the file")
    lines: int = Field(0, description="lines of the log")
    counts: dict[LineClass, int] = Field({}, description="lines of each class")
    unclassified: int = Field(0, description="lines that were not classed")
    statements: tuple[Statement, ...] = Field((), description="most frequent first")
    notes: tuple[str, ...] = Field((), description="what a person should know")
    engine: Engine = Field("built-in", description="who answered")
    elapsed_s: float = Field(0.0, description="how long it took")
