"""The options of `schedmate simulate`, in the groups in which its help shows them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from schedmate.scheduling.simulation import Options

HOUR_S = 3600.0


def option(default: Any, name: str, about: str, panel: str = "What to simulate") -> Any:
    """Declare an option under a heading of the help."""
    return typer.Option(default, name, help=about, rich_help_panel=panel)


FAILURES, PARTS, OUTPUT = "Failures", "Parts of the policies, each to be switched by itself", "Running and writing"
TRACE = option("", "--trace", "FILE or FILE:format (csv, philly, helios, acme, pai, sia, sacct); else a made month.")
POLICY = option("fifo,sjf,srtf,qssf,tiresias,lucid", "--policy", "Policies, with commas between.")
NODES = option("", "--nodes", "Nodes x GPUs : kind, as 16x8:a100,4x8:t4.")
VC = option(None, "--vc", "CSV of virtual clusters: vc,nodes[,gpus[,kind]].")
SPEED = option("", "--speed", "Speed of each kind (GPU, TPU, FPGA ...), as a100=1,t4=0.3.")
SEED = option(0, "--seed", "Where randomness begins.")
REPEAT = option(1, "--repeat", "Runs of each policy, with seeds counting up.")
ON_BAD = option("stop", "--on-bad", "What to do at a bad row: skip or stop.")
DATA = option(None, "--data", "Where to look for trace files too.")
ACCOUNTING = option("published", "--accounting", "Count as the artifacts (published) or honest.")
TIES = option("id", "--ties", "Order of jobs of the same second: id, or shuffle as an unstable sort does.")
TRAINING = option(None, "--training", "Folder of Pollux or Sia training profiles.")

MEAN_UP = option(0.0, "--node-mtbf-h", "Mean hours until a node breaks; 0: never.", FAILURES)
REPAIR = option(4.0, "--repair-h", "Hours that a broken node is away.", FAILURES)
SPARES = option(0, "--spares", "Nodes that stand in for broken ones.", FAILURES)
CHECKPOINT = option(30.0, "--checkpoint-min", "Minutes between checkpoints; 0: none.", FAILURES)
HANDLER = option("requeue", "--on-node-fail", "A job that lost its node: requeue, or end.", FAILURES)
NOTICE = option(0.0, "--notice-min", "Minutes until it is requeued.", FAILURES)

ESTIMATOR = option("history", "--estimator", "Who predicts durations (qssf, lucid): see docs/simulate.md.", PARTS)
LEARN_FROM = option("", "--learn-from", "FILE[:FORMAT], a trace of jobs before: the estimator learns them.", PARTS)
PREDICTIONS = option(None, "--predictions", "FILE[:COLUMN], CSV: job_id and predicted seconds.", PARTS)
SHARING = typer.Option(True, "--sharing/--no-sharing", help="Two jobs a GPU (lucid, horus).", rich_help_panel=PARTS)
PROFILER = option("all", "--profiler", "Who is profiled first (lucid): all small jobs, new ones, none.", PARTS)
PROFILING_NODES = option(2, "--profiling-nodes", "Nodes set apart for profiling.", PARTS)
PROFILING_S = option(200.0, "--profiling-s", "Seconds that a job is profiled at most.", PARTS)
LENDERS = option("", "--lenders", "Virtual clusters that give the profiling nodes, one each.", PARTS)
EXTRA_LENDER = option("", "--extra-lender", "Virtual cluster that lends a node while many wait.", PARTS)
PROFILES = option(None, "--profiles", "CSV: job_id and what a profiler measured.", PARTS)
LABELS = option(None, "--labels", "Lucid's single_data.csv: sharing scores.", PARTS)
PACKING = option("labels", "--packing-model", "Sharing scores: labels, or a tree trained on them.", PARTS)
INTERFERENCE = option(None, "--interference", "Lucid's colocate_info.csv: measured pairs.", PARTS)
FORECAST = option("", "--forecast", "CSV of pred_gpu_job,pred_gpu_num; or learn, or learn:HISTORY.", PARTS)
EVICT_BELOW = option(0.0, "--evict-below", "Part packed jobs slower than this; 0: never.", PARTS)
DETECTION = option(1.0, "--detection-rate", "Share of packed jobs whose speed is seen.", PARTS)

WORKERS = option(0, "--workers", "Processes at once; 0: one a core.", OUTPUT)
SWEEP = option(None, "--sweep", "File of runs done before; they are not done again.", OUTPUT)
JOBS_OUT = option(None, "--jobs-out", "Write what became of each job as CSV.", OUTPUT)
PLOT = option(None, "--plot", "Draw into FILE (.png, .svg, .pdf, or a page: .html).", OUTPUT)
AS_JSON = option(False, "--json", "Print one JSON line a policy.", OUTPUT)

WORDS = {
    "on_bad": ("--on-bad", ("stop", "skip")),
    "accounting": ("--accounting", ("published", "honest")),
    "ties": ("--ties", ("id", "shuffle")),
    "handler": ("--on-node-fail", ("requeue", "end")),
    "profiler": ("--profiler", ("all", "new", "none")),
    "packing": ("--packing-model", ("labels", "tree")),
}
SAME = (
    *("trace", "nodes", "vc", "speed", "seed", "repeat", "data", "predictions", "on_bad", "accounting", "ties"),
    *("profiles", "labels", "interference", "forecast", "training", "sharing", "evict_below", "workers", "sweep"),
    *("estimator", "learn_from", "packing"),
)
"""Values that go on as they are."""
NOT_NEGATIVE = ("mean_up_h", "repair_h", "spares", "checkpoint_min", "notice_min", "profiling_nodes", "profiling_s")


def check_values(given: Mapping[str, Any]) -> None:
    """Refuse values that no run can use."""
    from schedmate.errors import InputError

    for name, (flag, words) in WORDS.items():
        if given[name] not in words:
            raise InputError(f"{flag} {given[name]} is unknown", f"give {' or '.join(words)}")
    if any(given[name] < 0 for name in NOT_NEGATIVE):
        raise InputError("times and counts cannot be negative", "see schedmate simulate --help")
    if not 0 <= given["evict_below"] <= 1 or not 0 <= given["detection"] <= 1:
        raise InputError("--evict-below and --detection-rate are shares", "give a number from 0 to 1")


def read_options(given: Mapping[str, Any]) -> "Options":
    """Turn the values of the command line into those of a run."""
    from schedmate.scheduling.experiment import Faults
    from schedmate.scheduling.profiling import ProfilerSetup
    from schedmate.scheduling.simulation import Options

    check_values(given)
    faults = Faults(
        given["mean_up_h"] * HOUR_S,
        given["repair_h"] * HOUR_S,
        given["spares"],
        given["checkpoint_min"] * 60,
        given["notice_min"] * 60,
        requeue=given["handler"] == "requeue",
    )
    setup = ProfilerSetup(
        given["profiling_nodes"],
        given["profiling_s"],
        lenders=split(given["lenders"]),
        scale_lender=given["extra_lender"],
        known=given["profiler"] == "new",
    )
    return Options(
        policies=split(given["policy"]),
        faults=faults,
        profiler=None if given["profiler"] == "none" or not setup.nodes else setup,
        detection_rate=given["detection"],
        figures=given["plot"] is not None,
        **{name: given[name] for name in SAME},
    )


def split(text: str) -> tuple[str, ...]:
    """Read words with commas between, each once."""
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
