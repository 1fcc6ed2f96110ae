"""What the user may ask of a simulation, and what of it cannot be had."""

from dataclasses import dataclass, field
from pathlib import Path

from schedmate.clusters.simulation.restart_cost import PUBLISHED, read_saving
from schedmate.errors import InputError
from schedmate.scheduling.catalogue import POLICIES
from schedmate.scheduling.estimators.catalogue import ESTIMATORS
from schedmate.scheduling.placement.cut_gpus import Fractions
from schedmate.scheduling.simulation.experiment import HISTORY, Accounting, Faults, PackingModel, Ties
from schedmate.scheduling.simulation.profiling import ProfilerSetup
from schedmate.tools.output import check_output
from schedmate.traces.rows import OnBad

MOST_REPEATS = 100_000

LEAST_UP_S = 360.0
"""Where nodes break more often, hardly a job ever ends, and the simulation neither."""
LEAST_GPU_UP_S = 3600.0
PLOTS = (".png", ".svg", ".pdf", ".html")


@dataclass(frozen=True)
class Options:
    """What the user may ask for, as the command line names it."""

    trace: str = ""
    policies: tuple[str, ...] = ("fifo",)
    nodes: str = ""
    vc: Path | None = None
    speed: str = ""
    seed: int = 0
    repeat: int = 1
    data: Path | None = None
    predictions: str | None = None
    """A file, and after a colon the one column that serves every policy."""
    estimator: str = HISTORY
    learn_from: str = ""
    on_bad: OnBad = "skip"
    chains: bool = False
    """Whether a job that was sent again comes after the end of the one that had broken off."""
    faults: Faults = field(default_factory=Faults)
    accounting: Accounting = "published"
    saving: str = "published"
    """What a stop costs a job: a word, or its parts."""
    profiles: Path | None = None
    labels: Path | None = None
    interference: Path | None = None
    forecast: str = ""
    sharing: bool = True
    profiler: ProfilerSetup | None = field(default_factory=ProfilerSetup)
    packing: PackingModel = "labels"
    ties: Ties = "id"
    fractions: Fractions = "time"
    """How a job gets a part of a GPU."""
    evict_below: float = 0.0
    detection_rate: float = 1.0
    training: Path | None = None
    limits: str = ""
    """Tables of sacctmgr, with commas between."""
    priority: str = ""
    reservations: Path | None = None
    topology: str = ""
    crossing: str = ""
    workers: int = 0
    sweep: Path | None = None
    jobs_out: Path | None = None
    plot: Path | None = None

    @property
    def wants_each_job(self) -> bool:
        """Tell whether the figures of a run that was done before would not be enough."""
        return self.jobs_out is not None or self.plot is not None


def check(options: Options) -> None:
    """Refuse what cannot be run before anything long begins."""
    if unknown := [name for name in options.policies if name not in POLICIES]:
        raise InputError(f"there is no policy '{unknown[0]}'", f"there are: {', '.join(POLICIES)}")
    if options.estimator not in {HISTORY, *ESTIMATORS}:
        known = f"{HISTORY}, {', '.join(ESTIMATORS)}"
        raise InputError(f"there is no estimator '{options.estimator}'", f"there are: {known}")
    if options.learn_from and options.estimator in {HISTORY, "oracle"}:
        raise InputError(
            f"estimator {options.estimator} learns from no trace", f"name another: {', '.join(ESTIMATORS)}"
        )
    if 0 < options.faults.mean_up_s < LEAST_UP_S:
        raise InputError("with --node-mtbf-h below 0.1 nodes break before jobs end", "give 0, or at least 0.1")
    if 0 < options.faults.gpu_mean_up_s < LEAST_GPU_UP_S:
        raise InputError("with --gpu-mtbf-h below 1 large jobs never end", "give 0, or at least 1")
    if not options.policies:
        raise InputError("no policy is named", f"there are: {', '.join(POLICIES)}")
    if options.nodes and options.vc:
        raise InputError("--nodes and --vc both describe the cluster", "give one; a --vc file may name GPUs and kinds")
    if not 1 <= options.repeat <= MOST_REPEATS:
        raise InputError(f"--repeat {options.repeat} cannot be run", f"give 1 to {MOST_REPEATS:,}")
    if options.crossing and not options.topology:
        raise InputError("--crossing needs --topology", "say which nodes are near each other: --topology 4/16")
    check_saving(options)
    for path in (options.jobs_out, options.plot, options.sweep):
        check_output(path)
    if options.plot is not None and options.plot.suffix not in PLOTS:
        raise InputError(f"{options.plot} is no picture or page", f"end it in {', '.join(PLOTS)}")


def check_saving(options: Options) -> None:
    """Refuse unknown words, and what elastic jobs are not played with."""
    saving = read_saving(options.saving)
    if options.training is None:
        return
    if saving != PUBLISHED:
        raise InputError("elastic jobs lose nothing when they are resized", "leave --saving out")
    if options.limits or options.topology:
        raise InputError("elastic jobs are played without limits and racks", "leave --limits and --topology out")
    if options.chains:
        raise InputError("elastic jobs have no failures that a trace tells of", "leave --chains out")
