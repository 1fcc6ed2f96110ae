"""One trace on one simulated cluster under one policy."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from schedmate.clusters import NodeSpec
from schedmate.clusters.simulation.experience import Experience
from schedmate.clusters.simulation.interference import MeasuredInterference
from schedmate.clusters.simulation.likeness import Matching
from schedmate.clusters.simulation.reservations import Reservation
from schedmate.clusters.simulation.restart_cost import PUBLISHED, Saving
from schedmate.clusters.simulation.rigid_jobs import Interference
from schedmate.clusters.simulation.told_remaining import Legibility
from schedmate.clusters.simulation.topology import Crossing
from schedmate.scheduling.lucid.forecasts import DemandForecast, TableForecast
from schedmate.scheduling.placement.cut_gpus import Fractions
from schedmate.scheduling.policies.policy_uses import Uses
from schedmate.scheduling.policy_table import entry
from schedmate.scheduling.simulation.options import HISTORY, Accounting
from schedmate.scheduling.simulation.profiling import ProfilerSetup
from schedmate.scheduling.simulation.results import Outcomes, Summary
from schedmate.scheduling.simulation.timeline import Timeline
from schedmate.scheduling.sites.accounts import SiteAccounts
from schedmate.scheduling.sites.multifactor import Weights
from schedmate.traces.columns import Trace
from schedmate.traces.profiles import Profiles, WarmUp
from schedmate.traces.training_profiles import TrainingProfile


@dataclass(frozen=True)
class Faults:
    """How often nodes break and how long they are away; without a mean time they never do."""

    mean_up_s: float = 0.0
    repair_s: float = 4 * 3600.0
    spares: int = 0
    checkpoint_s: float = 1800.0
    notice_s: float = 0.0
    """How long it takes until a job that lost its node is queued again."""
    requeue: bool = True
    """Whether it is queued again at all."""
    recognised: float = 0.0
    """Share of faults that a reader of logs recognises, so that the job is queued again soon."""
    soon_s: float = 300.0
    """What reading the log and checking the nodes takes then."""
    gpu_mean_up_s: float = 0.0
    """How long a GPU is good on average before it goes bad while its node stays up; 0: for ever."""
    gpu_notice_s: float = 0.0
    """From the first job that dies of a bad GPU until it is taken out: 0 where the failure handler reads the log."""
    measured_s: Mapping[int, float] = field(default_factory=dict)
    """What it took until a job was queued again, by its number, where that was measured."""


@dataclass(frozen=True)
class Experiment:
    """Everything that a run depends on, so that the same experiment gives the same figures."""

    trace: Trace
    nodes: tuple[NodeSpec, ...]
    kind_speed: Mapping[str, float] = field(default_factory=dict)
    predictions: Mapping[str, npt.NDArray[np.float64]] = field(default_factory=dict)
    """Published durations by policy name; a policy without one asks the estimator."""
    estimator: str = HISTORY
    before: Trace | None = None
    """Jobs that had all ended when the first of the trace came; the estimator has learned from them."""
    faults: Faults = field(default_factory=Faults)
    mishaps: Mapping[int, tuple[float, ...]] = field(default_factory=dict)
    """Work that is left when a fault of the cluster ends a job, the first fault first, by the job's number."""
    chains: Mapping[int, tuple[int, float]] = field(default_factory=dict)
    """Who sent which job again, by the number of the one that ended, and how long after; as recorded, nobody did."""
    blamed: frozenset[int] = frozenset()
    """Jobs, by number, whose mishap speaks against the first of their nodes: they start again elsewhere."""
    accounting: Accounting = "published"
    """`published` counts as the artifacts do, with their faults; `honest` as a cluster would."""
    profiles: Profiles | None = None
    """What is measured of each job; drawn where nobody has measured."""
    interference: Interference | None = None
    """Speed of a job beside another; by sharing score where nothing was measured."""
    forecast: DemandForecast | None = None
    warm_up: WarmUp | None = None
    """How long programs warm up, which a profiler takes for being light; None: not at all, as published."""
    metadata: Matching = field(default_factory=Matching)
    """How well Lucid finds a job's like by what its code says, and spares it the profiler; as published, not at all."""
    similar: bool = False
    """Whether similar jobs that ended are asked beside the estimator."""
    profiler: ProfilerSetup | None = field(default_factory=ProfilerSetup)
    """Lucid's profiling stage; None leaves it out."""
    sharing: bool = True
    fractions: Fractions = "time"
    """How a job gets a part of a GPU."""
    evict_below: float = 0.0
    """Speed at which a packed newcomer is evicted; 0: never, as the baselines do."""
    detection_rate: float = 1.0
    tries_pairs: bool = False
    """Whether Lucid also packs pairs above its capacity, as long as those that were watched went well."""
    saving: Saving = PUBLISHED
    """What a stop costs a job; as published, nothing but a minute."""
    legibility: Legibility = field(default_factory=Legibility)
    """How well logs are read; without a measurement they tell nothing."""
    uses: Uses = field(default_factory=Uses)
    """Which of its parts our own policy uses."""
    site: SiteAccounts = field(default_factory=SiteAccounts)
    """Limits and shares of users, accounts and qualities of service."""
    weights: Weights = field(default_factory=Weights)
    """What counts how much in Slurm's priority."""
    reservations: tuple[Reservation, ...] = ()
    """Nodes that somebody has reserved for a time, under every policy."""
    crossing: Crossing = (1.0, 1.0)
    """Speed across islands of one rack and across racks, where the nodes tell where they are."""
    training: Mapping[str, TrainingProfile] | None = None
    """Measured training runs, for jobs whose duration follows from them."""
    experience: Experience | None = None
    """What elastic jobs that ended before have seen, and how well new ones find their like; as published, none do."""
    seed: int = 0

    def seeded(self, seed: int) -> "Experiment":
        """Give the same with another seed: another draw, too, of which jobs save."""
        saving = self.saving if self.saving.share >= 1.0 else replace(self.saving, seed=seed)
        return replace(self, seed=seed, saving=saving)

    def has_vcs(self) -> bool:
        """Tell whether the cluster is cut into virtual clusters."""
        return any(node.vc for node in self.nodes)

    def settings(self) -> str:
        """Write down what is neither trace nor nodes nor seed."""
        shown = [sorted(self.kind_speed.items()), self.faults, self.accounting, self.estimator, self.profiler]
        shown += [self.sharing, self.evict_below, self.detection_rate, self.saving, self.legibility, self.uses]
        shown += [self.warm_up, self.metadata, self.similar, self.tries_pairs, sorted(self.mishaps.items())]
        shown += [sorted(self.blamed), self.site, self.weights, self.reservations, self.crossing]
        shown.append(sorted(self.chains.items()))
        if (self.trace.gpus < 1).any():
            shown.append(self.fractions)
        if self.experience is not None:
            shown += [self.experience.matching, self.experience.steps]
            shown += [self.experience.trial_s] if self.experience.trial_s else []
            if self.experience.legibility is not None:
                shown += [self.experience.legibility, sorted(self.experience.work.items())]
        if self.before is not None:
            shown += [self.before.duration_s.tobytes(), self.before.submit_s.tobytes()]
        if self.profiles is not None:
            shown += [self.profiles.configurations, self.profiles.codes.tobytes()]
        if isinstance(self.interference, MeasuredInterference):
            shown.append(sorted(self.interference.pairs.items()))
        elif self.interference is not None:
            shown.append(getattr(self.interference, "__name__", repr(self.interference)))
        if isinstance(self.forecast, TableForecast):
            shown.append((self.forecast.jobs, self.forecast.gpus))
        if self.training is not None:
            shown += [
                (name, *(run.progress.tobytes() for run in of.runs.values())) for name, of in self.training.items()
            ]
        return repr(shown)

    def profiler_for(self, policy: str) -> ProfilerSetup | None:
        """Set apart no more than a quarter of the nodes, and none that the largest jobs need."""
        if not entry(policy).profiles or self.profiler is None or self.profiler.lenders:
            return self.profiler if entry(policy).profiles else None
        lenders = self.lenders()[: min(self.profiler.nodes, len(self.nodes) // 4)]
        return replace(self.profiler, nodes=len(lenders), lenders=tuple(lenders)) if lenders else None

    def lenders(self) -> list[str]:
        """Name the virtual clusters that can spare a node, once for each, the one with most to spare first."""
        spare: dict[str, int] = {}
        smallest: dict[str, int] = {}
        for node in self.nodes:
            spare[node.vc] = spare.get(node.vc, 0) + 1
            smallest[node.vc] = min(node.gpus, smallest.get(node.vc, node.gpus))
        trace, by_vc = self.trace, self.has_vcs()
        for vc in spare:
            mine = trace.vc.codes == trace.vc.words.index(vc) if by_vc and vc in trace.vc.words else not by_vc
            largest = int(np.ceil(np.max(trace.gpus, where=mine, initial=0)))
            spare[vc] -= -(-largest // smallest[vc])
        found = []
        while max(spare.values(), default=0) > 0:
            found.append(max(spare, key=lambda vc: spare[vc]))
            spare[found[-1]] -= 1
        return found


@dataclass(frozen=True)
class Result:
    """What a run gave."""

    summary: Summary
    outcomes: Outcomes
    gpus: int = 0
    timeline: Timeline | None = None
    """Kept when figures are wanted."""
    experience: Experience | None = None
    """What elastic jobs have seen, those of the experiment's own experience among them."""
