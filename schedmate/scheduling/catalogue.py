"""How each policy is put together from its own parts."""

from collections.abc import Callable
from dataclasses import dataclass, field

from schedmate.clusters import LiveJob
from schedmate.clusters.simulation.restart_cost import PUBLISHED, Saving
from schedmate.scheduling.estimators import DurationEstimator
from schedmate.scheduling.lucid.forecasts import DemandForecast
from schedmate.scheduling.policies import Policy
from schedmate.scheduling.policies.policy_uses import ALL, Uses
from schedmate.scheduling.policy_table import entry
from schedmate.scheduling.sites.accounts import SiteAccounts
from schedmate.scheduling.sites.fair_share import FairShare
from schedmate.scheduling.sites.multifactor import DAY_S, Priority, Weights

GPU_MEMORY_MIB = 24_576.0
"""What a GPU has on which Lucid's jobs were measured."""


@dataclass(frozen=True)
class PolicyParts:
    """What is plugged into a policy; each default is the baseline's own."""

    oracle: DurationEstimator
    predictor: DurationEstimator
    restart: Saving = PUBLISHED
    limits: DurationEstimator | None = None
    """The time limits that users have set; None: what is predicted stands in for them."""
    forecast: DemandForecast | None = None
    sharing: bool = True
    gpu_memory_mib: float = GPU_MEMORY_MIB
    """What one GPU has; 0 where nobody knows."""
    uses: Uses = ALL
    pairs: Callable[[int], bool] | None = None
    """Which pairs above its capacity Lucid may try, by the sum of their sharing scores; None: none."""
    site: SiteAccounts = field(default_factory=SiteAccounts)
    weights: Weights = field(default_factory=Weights)
    partition: Callable[[LiveJob], str] = lambda job: job.vc
    published: bool = True
    """Reproduce the faults of the published forms."""


def policy_maker(name: str, parts: PolicyParts) -> Callable[[str], Policy]:
    """Give what makes a fresh policy for each virtual cluster."""
    entry(name)
    from schedmate.scheduling.policies.easy import Easy
    from schedmate.scheduling.policies.fifo import Fifo
    from schedmate.scheduling.policies.horus import Horus, HorusAsSimulated
    from schedmate.scheduling.policies.lucid import Lucid
    from schedmate.scheduling.policies.qssf import Qssf
    from schedmate.scheduling.policies.schedmate import SchedMate
    from schedmate.scheduling.policies.sia import Sia
    from schedmate.scheduling.policies.sjf import Sjf
    from schedmate.scheduling.policies.slurm import Slurm
    from schedmate.scheduling.policies.srtf import Srtf
    from schedmate.scheduling.policies.tiresias import Tiresias

    memory_mib, weights = parts.gpu_memory_mib, parts.weights
    # One book of use for all virtual clusters: accounts know no partitions.
    shares = FairShare(parts.site, weights.half_life_d * DAY_S, bool(weights.classic), weights.damping)
    priority = Priority(weights, parts.site, shares)
    makers: dict[str, Callable[[str], Policy]] = {
        "fifo": lambda vc: Fifo(),
        "easy": lambda vc: Easy(parts.limits or parts.predictor),
        "slurm": lambda vc: Slurm(parts.limits or parts.predictor, priority, parts.partition),
        "sjf": lambda vc: Sjf(parts.oracle),
        "srtf": lambda vc: Srtf(parts.oracle, parts.restart),
        "qssf": lambda vc: Qssf(parts.predictor),
        "tiresias": lambda vc: Tiresias(),
        "horus": lambda vc: Horus(sharing=parts.sharing, gpu_memory_mib=memory_mib),
        "horus-simulated": lambda vc: HorusAsSimulated(sharing=parts.sharing, gpu_memory_mib=memory_mib),
        "schedmate": lambda vc: SchedMate(parts.predictor, parts.sharing, memory_mib, parts.uses),
        "sia": lambda vc: Sia(),
        "lucid": lambda vc: Lucid(
            parts.predictor,
            parts.forecast,
            parts.sharing,
            sticky=parts.published,
            allows=parts.pairs,
        ),
    }
    return makers[name]
