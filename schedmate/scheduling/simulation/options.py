"""What the user may ask of a simulation: declared once, for Python and for the command line."""
# ruff: noqa: RUF009  (`option` gives a field)

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_type_hints

from schedmate.scheduling.placement.cut_gpus import Fractions
from schedmate.scheduling.policy_table import POLICIES
from schedmate.traces import OnBad

Accounting = Literal["published", "honest"]

HISTORY = "history"
"""The estimator that a policy has where none is named: means over the user's like jobs that have ended."""
FAILURES, SITE = "Failures", "A site's own rules"
PARTS, OUTPUT = "Parts of the policies, each to be switched by itself", "Running and writing"


class OptionWords(NamedTuple):
    """What the help says of an option, and its limits."""

    words: str
    panel: str
    least: float | None
    most: float | None
    flag: str


def option(
    default: Any,  # Any: of whatever type the option is
    words: str,
    panel: str = "What to simulate",
    least: float | None = None,
    most: float | None = None,
    flag: str = "",
) -> Any:
    """Declare an option under a heading of the help; its flag is its name where no other is given."""
    return field(default=default, metadata={"told": OptionWords(words, panel, least, most, flag)})


@dataclass(frozen=True)
class SimulationOptions:
    """What the user may ask for, as the command line names it, in the order of its help."""

    trace: str = option("", "FILE or FILE:format (csv, philly, helios, acme, pai, sia, sacct); else a made month.")
    policies: tuple[str, ...] = option(
        ("fifo", "sjf", "srtf", "qssf", "tiresias", "lucid"),
        f"With commas between: {', '.join(POLICIES)}.",
        flag="--policy",
    )
    nodes: str = option("", "Nodes x GPUs : kind, as 16x8:a100,4x8:t4; or a slurm.conf.")
    vc: Path | None = option(None, "CSV of virtual clusters: vc,nodes[,gpus[,kind]].")
    speed: str = option("", "Speed of each kind (GPU, TPU, FPGA ...), as a100=1,t4=0.3.")
    seed: int = option(0, "Random seed.", least=0)
    repeat: int = option(1, "Runs of each policy, with seeds counting up.", least=1)
    on_bad: OnBad = option("skip", "A row that cannot be used is left out and told, or stops the run.")
    data: Path | None = option(None, "Where to look for trace files too.")
    accounting: Accounting = option("published", "Count as the artifacts do, or as a cluster would.")
    ties: Literal["id", "shuffle"] = option("id", "Order of jobs of the same second; an unstable sort shuffles.")
    fractions: Fractions = option("time", "A part of a GPU is: of its time; a MIG instance; a whole GPU after all.")
    training: Path | None = option(None, "Folder of Pollux or Sia training profiles.")

    node_mtbf_h: float = option(0.0, "Mean hours until a node breaks; 0: never.", FAILURES, least=0)
    repair_h: float = option(4.0, "Hours that a broken node, or a bad GPU, is away.", FAILURES, least=0)
    spares: int = option(0, "Nodes that replace broken ones.", FAILURES, least=0)
    checkpoint_min: float = option(30.0, "Minutes between checkpoints; 0: none.", FAILURES, least=0)
    saving: str = option(
        "published",
        "What a stop costs: published (40 or 60 s), real (120 or 180 s; 60 % of jobs save, every 30 min), "
        "none (nobody saves), or share=0.6,every_min=30,start_s=120.",
        FAILURES,
    )
    gpu_mtbf_h: float = option(
        0.0, "Mean hours until a GPU goes bad while its node stays up; 0: never.", FAILURES, least=0
    )
    gpu_notice_h: float = option(
        0.0,
        "Hours from the first job that dies of a bad GPU until it is taken out; 0: SchedMate's handler does at once.",
        FAILURES,
        least=0,
    )
    chains: bool = option(
        False, "Who was sent again after a failure or a cancellation comes after its end here.", FAILURES
    )
    on_node_fail: Literal["requeue", "end"] = option("requeue", "What becomes of a job that lost its node.", FAILURES)
    notice_min: float = option(0.0, "Minutes until it is requeued.", FAILURES, least=0)

    limits: str = option("", "What sacctmgr -P show assoc and show qos print: FILE[,FILE]. For all policies.", SITE)
    priority: str = option("", "Weights of slurm, as age=1000,fairshare=10000; or a slurm.conf.", SITE)
    reservations: Path | None = option(None, "What scontrol show reservation prints. For all policies.", SITE)
    topology: str = option("", "Slurm's topology.conf; or 4/16: islands of 4 nodes, racks of 16.", SITE)
    crossing: str = option("", "Speed across islands and across racks (assumed: 0.95,0.85).", SITE)

    estimator: str = option(
        HISTORY, "Who predicts durations: history, oracle, user_mean, advisor, lightgbm, ga2m, best.", PARTS
    )
    learn_from: str = option("", "FILE[:FORMAT], a trace of jobs before: the estimator learns them.", PARTS)
    predictions: str | None = option(None, "FILE[:COLUMN], CSV: job_id and predicted seconds.", PARTS)
    sharing: bool = option(True, "Two jobs a GPU (lucid, horus).", PARTS)
    profiler: Literal["all", "new", "none"] = option(
        "all", "Who is profiled first (lucid): all small jobs, or new kinds only.", PARTS
    )
    profiling_nodes: int = option(2, "Nodes set apart for profiling.", PARTS, least=0)
    profiling_s: float = option(200.0, "Seconds that a job is profiled at most.", PARTS, least=0)
    lenders: tuple[str, ...] = option((), "Virtual clusters that give the profiling nodes, one each.", PARTS)
    extra_lender: str = option("", "Virtual cluster that lends a node while many wait.", PARTS)
    profiles: Path | None = option(None, "CSV: job_id and what a profiler measured.", PARTS)
    labels: Path | None = option(None, "Lucid's single_data.csv: sharing scores.", PARTS)
    packing_model: Literal["labels", "tree"] = option(
        "labels", "Sharing scores: as labelled, or of a tree trained on the labels.", PARTS
    )
    interference: Path | None = option(None, "Lucid's colocate_info.csv: measured pairs.", PARTS)
    forecast: str = option("", "CSV of pred_gpu_job,pred_gpu_num; or learn, or learn:HISTORY.", PARTS)
    evict_below: float = option(0.0, "Part packed jobs slower than this share; 0: never.", PARTS, least=0, most=1)
    detection_rate: float = option(1.0, "Share of packed jobs whose speed is seen.", PARTS, least=0, most=1)

    workers: int = option(0, "Processes at once; 0: one a core.", OUTPUT, least=0)
    sweep: Path | None = option(None, "File of runs done before; not done again, but for --jobs-out or --plot.", OUTPUT)
    jobs_out: Path | None = option(None, "Write what became of each job as CSV (.gz packs).", OUTPUT)
    plot: Path | None = option(None, "Draw into FILE (.png, .svg, .pdf, or a page: .html).", OUTPUT)

    def __post_init__(self) -> None:
        """Take a path that Python names by a text."""
        for name, kind in get_type_hints(SimulationOptions).items():
            value = getattr(self, name)
            if isinstance(value, str) and Path in get_args(kind):
                object.__setattr__(self, name, Path(value))

    @property
    def wants_each_job(self) -> bool:
        """Tell whether the figures of a run that was done before would not be enough."""
        return self.jobs_out is not None or self.plot is not None


class Declared(NamedTuple):
    """One option as it was declared."""

    name: str
    kind: Any  # Any: a type, a union of two, or the words to choose from
    default: Any  # Any: of whatever type the option is
    told: OptionWords

    @property
    def flag(self) -> str:
        """Name it as the command line does."""
        return self.told.flag or f"--{self.name.replace('_', '-')}"


def declared() -> Iterator[Declared]:
    """Give all options, in the order of the help."""
    kinds = get_type_hints(SimulationOptions)
    for one in fields(SimulationOptions):
        yield Declared(one.name, kinds[one.name], one.default, one.metadata["told"])
