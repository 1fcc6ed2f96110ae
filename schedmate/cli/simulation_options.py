"""The options of `schedmate simulate`, in the groups in which its help shows them."""

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Literal

import typer

if TYPE_CHECKING:
    from schedmate.scheduling.simulation.options import Options

HOUR_S = 3600.0

OnBad = Literal["stop", "skip"]
Accounting = Literal["published", "honest"]
Ties = Literal["id", "shuffle"]
Fractions = Literal["time", "mig", "whole"]
Handler = Literal["requeue", "end"]
Profiler = Literal["all", "new", "none"]
PackingModel = Literal["labels", "tree"]


def option(
    default: Any,
    name: str,
    about: str,
    panel: str = "What to simulate",
    least: float | None = None,
    most: float | None = None,
) -> Any:
    """Declare an option under a heading of the help."""
    return typer.Option(default, name, help=about, rich_help_panel=panel, min=least, max=most)


FAILURES, SITE = "Failures", "A site's own rules"
PARTS, OUTPUT = "Parts of the policies, each to be switched by itself", "Running and writing"
TRACE = option("", "--trace", "FILE or FILE:format (csv, philly, helios, acme, pai, sia, sacct); else a made month.")
POLICY = option(
    "fifo,sjf,srtf,qssf,tiresias,lucid",
    "--policy",
    "With commas between: fifo, easy, slurm, sjf, srtf, qssf, tiresias, horus, horus-simulated, lucid, sia, schedmate.",
)
NODES = option("", "--nodes", "Nodes x GPUs : kind, as 16x8:a100,4x8:t4; or a slurm.conf.")
VC = option(None, "--vc", "CSV of virtual clusters: vc,nodes[,gpus[,kind]].")
SPEED = option("", "--speed", "Speed of each kind (GPU, TPU, FPGA ...), as a100=1,t4=0.3.")
SEED = option(0, "--seed", "Random seed.", least=0)
REPEAT = option(1, "--repeat", "Runs of each policy, with seeds counting up.", least=1)
ON_BAD = option("skip", "--on-bad", "A row that cannot be used is left out and told, or stops the run.")
DATA = option(None, "--data", "Where to look for trace files too.")
ACCOUNTING = option("published", "--accounting", "Count as the artifacts do, or as a cluster would.")
TIES = option("id", "--ties", "Order of jobs of the same second; an unstable sort shuffles.")
FRACTIONS = option("time", "--fractions", "A part of a GPU is: of its time; a MIG instance; a whole GPU after all.")
TRAINING = option(None, "--training", "Folder of Pollux or Sia training profiles.")

MEAN_UP = option(0.0, "--node-mtbf-h", "Mean hours until a node breaks; 0: never.", FAILURES, least=0)
REPAIR = option(4.0, "--repair-h", "Hours that a broken node, or a bad GPU, is away.", FAILURES, least=0)
SPARES = option(0, "--spares", "Nodes that replace broken ones.", FAILURES, least=0)
CHECKPOINT = option(30.0, "--checkpoint-min", "Minutes between checkpoints; 0: none.", FAILURES, least=0)
SAVING = option(
    "published",
    "--saving",
    "What a stop costs: published (40 or 60 s), real (120 or 180 s; 60 % of jobs save, every 30 min),"
    " none (nobody saves), or share=0.6,every_min=30,start_s=120.",
    FAILURES,
)
GPU_MEAN_UP = option(
    0.0, "--gpu-mtbf-h", "Mean hours until a GPU goes bad while its node stays up; 0: never.", FAILURES, least=0
)
GPU_NOTICE = option(
    0.0,
    "--gpu-notice-h",
    "Hours from the first job that dies of a bad GPU until it is taken out; 0: SchedMate's handler does at once.",
    FAILURES,
    least=0,
)
CHAINS = option(
    False, "--chains", "Who was sent again after a failure or a cancellation comes after its end here.", FAILURES
)
HANDLER = option("requeue", "--on-node-fail", "What becomes of a job that lost its node.", FAILURES)
NOTICE = option(0.0, "--notice-min", "Minutes until it is requeued.", FAILURES, least=0)

LIMITS = option("", "--limits", "What sacctmgr -P show assoc and show qos print: FILE[,FILE]. For all policies.", SITE)
PRIORITY = option("", "--priority", "Weights of slurm, as age=1000,fairshare=10000; or a slurm.conf.", SITE)
RESERVATIONS = option(None, "--reservations", "What scontrol show reservation prints. For all policies.", SITE)
TOPOLOGY = option("", "--topology", "Slurm's topology.conf; or 4/16: islands of 4 nodes, racks of 16.", SITE)
CROSSING = option("", "--crossing", "Speed across islands and across racks (assumed: 0.95,0.85).", SITE)

ESTIMATOR = option(
    "history",
    "--estimator",
    "Who predicts durations: history, oracle, user_mean, advisor, lightgbm, ga2m, best.",
    PARTS,
)
LEARN_FROM = option("", "--learn-from", "FILE[:FORMAT], a trace of jobs before: the estimator learns them.", PARTS)
PREDICTIONS = option(None, "--predictions", "FILE[:COLUMN], CSV: job_id and predicted seconds.", PARTS)
SHARING = typer.Option(True, "--sharing/--no-sharing", help="Two jobs a GPU (lucid, horus).", rich_help_panel=PARTS)
PROFILER = option("all", "--profiler", "Who is profiled first (lucid): all small jobs, or new kinds only.", PARTS)
PROFILING_NODES = option(2, "--profiling-nodes", "Nodes set apart for profiling.", PARTS, least=0)
PROFILING_S = option(200.0, "--profiling-s", "Seconds that a job is profiled at most.", PARTS, least=0)
LENDERS = option("", "--lenders", "Virtual clusters that give the profiling nodes, one each.", PARTS)
EXTRA_LENDER = option("", "--extra-lender", "Virtual cluster that lends a node while many wait.", PARTS)
PROFILES = option(None, "--profiles", "CSV: job_id and what a profiler measured.", PARTS)
LABELS = option(None, "--labels", "Lucid's single_data.csv: sharing scores.", PARTS)
PACKING = option("labels", "--packing-model", "Sharing scores: as labelled, or of a tree trained on the labels.", PARTS)
INTERFERENCE = option(None, "--interference", "Lucid's colocate_info.csv: measured pairs.", PARTS)
FORECAST = option("", "--forecast", "CSV of pred_gpu_job,pred_gpu_num; or learn, or learn:HISTORY.", PARTS)
EVICT_BELOW = option(0.0, "--evict-below", "Part packed jobs slower than this share; 0: never.", PARTS, least=0, most=1)
DETECTION = option(1.0, "--detection-rate", "Share of packed jobs whose speed is seen.", PARTS, least=0, most=1)

WORKERS = option(0, "--workers", "Processes at once; 0: one a core.", OUTPUT, least=0)
SWEEP = option(None, "--sweep", "File of runs done before; not done again, but for --jobs-out or --plot.", OUTPUT)
JOBS_OUT = option(None, "--jobs-out", "Write what became of each job as CSV (.gz packs).", OUTPUT)
PLOT = option(None, "--plot", "Draw into FILE (.png, .svg, .pdf, or a page: .html).", OUTPUT)
AS_JSON = option(False, "--json", "Print one JSON line a policy.", OUTPUT)


def check_finite(given: Mapping[str, Any]) -> None:
    """Refuse what is no number of hours or seconds at all; the limits of each option are typer's matter."""
    from schedmate.errors import InputError

    for name, value in given.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise InputError(f"--{name.replace('_', '-')} {value} is endless or no number", "give a finite number")


def read_options(given: Mapping[str, Any]) -> "Options":
    """Turn the values of the command line into those of a run."""
    from schedmate.scheduling.simulation.experiment import Faults
    from schedmate.scheduling.simulation.options import Options
    from schedmate.scheduling.simulation.profiling import ProfilerSetup

    check_finite(given)
    faults = Faults(
        given["node_mtbf_h"] * HOUR_S,
        given["repair_h"] * HOUR_S,
        given["spares"],
        given["checkpoint_min"] * 60,
        given["notice_min"] * 60,
        requeue=given["handler"] == "requeue",
        gpu_mean_up_s=given["gpu_mtbf_h"] * HOUR_S,
        gpu_notice_s=given["gpu_notice_h"] * HOUR_S,
    )
    setup = ProfilerSetup(
        given["profiling_nodes"],
        given["profiling_s"],
        lenders=split(given["lenders"]),
        scale_lender=given["extra_lender"],
        known=given["profiler"] == "new",
    )
    composed = {
        "policies": split(given["policy"]),
        "faults": faults,
        "profiler": None if given["profiler"] == "none" or not setup.nodes else setup,
    }
    names = {field.name for field in fields(Options)}
    return Options(**{name: value for name, value in given.items() if name in names} | composed)


def split(text: str) -> tuple[str, ...]:
    """Read words with commas between, each once."""
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
