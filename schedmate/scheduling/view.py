"""What a policy sees of its virtual cluster, and the plan that it answers with."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from schedmate.clusters import JobProgress, LiveJob, NodeSpec, Placement
from schedmate.scheduling.placement.inventory import Inventory
from schedmate.scheduling.sites.site_rules import SiteRules


class Start(NamedTuple):
    """Run a job; with `partner` on the very GPUs that the partner holds."""

    job: LiveJob
    placement: Placement
    partner: LiveJob | None = None


class Preempt(NamedTuple):
    """Stop a job and keep it waiting."""

    job: LiveJob


class Resize(NamedTuple):
    """Move a running job onto other GPUs."""

    job: LiveJob
    placement: Placement


class Lend(NamedTuple):
    """Hand a node over: out of this virtual cluster (`add` false) or into it."""

    node: NodeSpec
    add: bool


Action = Start | Preempt | Resize | Lend
NOWHERE: frozenset[str] = frozenset()


class ClusterView:
    """One virtual cluster at one moment: who waits, who runs, which GPUs are free."""

    __slots__ = (
        "arrived",
        "broken",
        "ended",
        "inventory",
        "now_s",
        "pending",
        "progress",
        "resized",
        "revised",
        "rules",
        "running",
        "vc",
    )

    def __init__(
        self, vc: str, inventory: Inventory, progress: Callable[[LiveJob], JobProgress] = lambda job: JobProgress()
    ) -> None:
        self.vc = vc
        self.inventory = inventory
        self.progress = progress
        """What a job that runs, or was stopped, has told of its way so far."""
        self.rules: SiteRules | None = None
        """The site's limits and reservations, which hold whatever a policy thinks of them."""
        self.now_s = 0.0
        self.pending: dict[int, LiveJob] = {}
        self.running: dict[int, LiveJob] = {}
        """In the order in which they were started."""
        self.arrived: list[LiveJob] = []
        """Jobs that wait since the last decision and that this policy did not itself preempt."""
        self.ended: list[LiveJob] = []
        self.broken: list[LiveJob] = []
        """Jobs that a fault ended, and that wait for somebody to notice before they are queued again."""
        self.revised: list[LiveJob] = []
        """Waiting and running jobs that more is known of than when they arrived."""
        self.resized: list[LiveJob] = []
        """Running jobs that have got another place since the last decision, and not by this policy."""

    def avoided(self, job: LiveJob) -> frozenset[str]:
        """Give the nodes where a job must not start, or is not to where the others would do."""
        barred = NOWHERE if self.rules is None else self.rules.barred(job, self.now_s)
        if not job.avoid or not self.inventory.could_hold(job.gpus, job.kind, job.avoid):
            return barred
        return job.avoid | barred

    def barred_until(self, job: LiveJob) -> Mapping[str, float]:
        """Give the nodes where a job must not start now, and when that is over."""
        return {} if self.rules is None else self.rules.barred_until(job, self.now_s)

    def plan(self) -> "Plan":
        """Open a plan; what is planned counts at once for what is planned after it."""
        return Plan(self)


class Plan:
    """The decisions of one moment, in the order in which they are carried out."""

    __slots__ = ("actions", "view", "wake_s")

    def __init__(self, view: ClusterView) -> None:
        self.view = view
        self.actions: list[Action] = []
        self.wake_s: float | None = None

    def start(self, job: LiveJob) -> bool:
        """Run a job where it fits best; False, and nothing planned, when it does not fit now.

        A job that no longer waits, came back as another object, or is kept back by a limit counts as dealt with:
        queues of a policy's own are cleared of it in this way.
        """
        if self.is_dealt_with(job):
            return True
        avoid, inventory = self.view.avoided(job), self.view.inventory
        placement = inventory.place_off(avoid, job.gpus, job.kind) if avoid else inventory.place(job.gpus, job.kind)
        if placement is None:
            return False
        self._run(job, placement)
        self.actions.append(Start(job, placement))
        return True

    def is_dealt_with(self, job: LiveJob) -> bool:
        """Tell whether a job waits no more; one that would exceed a limit is set aside, and arrives anew later."""
        view = self.view
        if view.pending.get(job.number) is not job:
            return True
        if view.rules is None or not view.rules.sets_aside(job):
            return False
        del view.pending[job.number]
        return True

    def start_at(self, job: LiveJob, placement: Placement) -> None:
        """Run a job on GPUs that the policy took from the inventory itself."""
        self._run(job, placement)
        self.actions.append(Start(job, placement))

    def share(self, job: LiveJob, partner: LiveJob) -> None:
        """Run a job on the GPUs of one that runs alone."""
        placement = partner.placement
        if placement is None or partner.partner is not None:
            raise ValueError(f"{partner} does not run alone")
        job.partner, partner.partner = partner, job
        self._run(job, placement)
        self.actions.append(Start(job, placement, partner))

    def preempt(self, job: LiveJob) -> None:
        """Stop a job; its GPUs are free for the rest of the plan."""
        stop(self.view, job)
        job.preemptions += 1
        self.view.pending[job.number] = job
        self.actions.append(Preempt(job))

    def resize(self, job: LiveJob, placement: Placement) -> None:
        """Move a running job onto GPUs that the policy took itself; `vacate` has given back what it held."""
        job.placement = placement
        self.actions.append(Resize(job, placement))

    def vacate(self, job: LiveJob) -> None:
        """Give back what a running job holds, before it is placed anew by `resize`."""
        if job.placement is not None:
            self.view.inventory.give(job.placement)

    def lend(self, node: NodeSpec, add: bool) -> None:
        """Take a node in, or hand an idle one over."""
        if add:
            self.view.inventory.add(node)
        else:
            self.view.inventory.remove(node.name)
        self.actions.append(Lend(node, add))

    def wake_at(self, time_s: float) -> None:
        """Ask to be called again at that time though nothing may have happened; the earliest wish counts."""
        if self.wake_s is None or time_s < self.wake_s:
            self.wake_s = time_s

    def _run(self, job: LiveJob, placement: Placement) -> None:
        view = self.view
        job.placement = placement
        job.started_s = view.now_s
        if job.first_start_s < 0:
            job.first_start_s = view.now_s
        del view.pending[job.number]
        view.running[job.number] = job
        if view.rules is not None:
            view.rules.started(job)


def stop(view: ClusterView, job: LiveJob) -> None:
    """Book a job out of its GPUs; a partner keeps them and is alone again."""
    placement = job.placement
    if placement is None:
        raise ValueError(f"{job} does not run")
    partner = job.partner
    if partner is None:
        view.inventory.give(placement)
    else:
        partner.partner = None
        job.partner = None
    job.served_s += view.now_s - job.started_s
    job.placement = None
    del view.running[job.number]
    if view.rules is not None:
        view.rules.stopped(job)
