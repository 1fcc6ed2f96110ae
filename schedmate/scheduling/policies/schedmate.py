"""SchedMate as a scheduler of its own (paper 4.3): shortest expected job first, with ageing; light jobs are packed."""

from itertools import islice

from schedmate.clusters import LiveJob
from schedmate.scheduling.estimators import DurationEstimator
from schedmate.scheduling.reservations import Reservation
from schedmate.scheduling.shapes import Entry, Row, ShapedQueue
from schedmate.scheduling.sharing import Partners
from schedmate.scheduling.view import Plan, View

AGEING = 0.1
PATIENCE_S = 86_400.0
MANY = 1 << 60
USUAL = 4.0
"""How many times the usual wait is too long."""
RECENT = 200
LOOK = 300
SHORTEST_S = 1.0


class SchedMate:
    """Order by expected duration less what the wait has earned; who does not fit is passed until it has waited enough.

    A second of waiting counts as `ageing` seconds of duration. All waiting jobs age alike, so their order never changes
    by waiting, and the key of a job is fixed. Whoever has waited longest, and longer than `patience_s` and than a few
    times the usual wait, has nodes set aside for it: nobody starves, however many small jobs come.
    """

    name = "schedmate"

    def __init__(
        self,
        estimator: DurationEstimator,
        ageing: float = AGEING,
        sharing: bool = True,
        patience_s: float = PATIENCE_S,
        gpu_memory_mib: float = 0.0,
    ) -> None:
        self.estimator = estimator
        self.ageing = ageing
        self.sharing = sharing
        self.patience_s = patience_s
        self.partners = Partners(gpu_memory_mib)
        self.queue = ShapedQueue(sharing)
        self.elders = Row()
        """Those that wait, the longest first."""
        self.since: dict[int, Entry] = {}
        self.expected_s: dict[int, float] = {}
        self.usual_wait_s = 0.0
        """Mean over the latest starts; where all wait for days, days are no reason to stop everything for one."""
        self.reservation = Reservation()

    def decide(self, view: View) -> Plan:
        """Start who has waited too long, or set nodes aside for it; then whoever fits, the shortest first."""
        self.take_in(view)
        plan = view.plan()
        self.serve_eldest(plan)
        self.walk(plan)
        self.reservation.reopen(view.inventory)
        if self.reservation.job is not None:
            self.fill(plan)
        elif self.elders.entries:
            plan.wake_at(max(self.elders.entries[0][0] + self.patience(), view.now_s + SHORTEST_S))
        return plan

    def waiting(self) -> list[LiveJob]:
        """Give who waits, in the order in which they are looked at."""
        late = [] if self.reservation.job is None else [self.reservation.job]
        return late + [job for _, _, job in self.queue.in_order() if job not in late]

    def take_in(self, view: View) -> None:
        """Queue who came; who is expected to take longer or shorter than was thought moves."""
        self.partners.take_in(view)
        for job in view.ended:
            self.leave(job)
            self.expected_s.pop(job.number, None)
        for job in view.arrived:
            self.leave(job)
            entry = self.since[job.number] = (job.submit_s, job.number, job)
            self.elders.add(entry)
        self.partners.offer(job for job in view.revised if view.running.get(job.number) is job)
        for job in (*view.arrived, *view.revised):
            if view.pending.get(job.number) is not job:
                continue
            expected_s = self.expected_s[job.number] = self.estimator.duration_s(job)
            self.queue.put(job, expected_s + self.ageing * job.submit_s)

    def leave(self, job: LiveJob) -> None:
        """Forget a job that waits no more."""
        self.queue.drop(job.number)
        entry = self.since.pop(job.number, None)
        if entry is not None:
            self.elders.remove(entry)

    def patience(self) -> float:
        """Give how long a job waits until others wait for it."""
        return max(self.patience_s, USUAL * self.usual_wait_s)

    def serve_eldest(self, plan: Plan) -> None:
        """Start those that have waited too long, the eldest first; the first that could ever fit gets a reservation."""
        for submit_s, _, job in self.elders.entries[:LOOK]:
            if plan.view.now_s < submit_s + self.patience():
                break
            if plan.start(job):
                self.started(job)
            elif self.reservation.keep_for(job, plan.view, self.expected_s):
                return
        self.reservation.drop()

    def walk(self, plan: Plan) -> None:
        """Start whoever fits; who does not may share the slots of one that runs alone."""
        misfits: dict[str, int] = {}

        def start(job: LiveJob) -> bool:
            if job.gpus < min(misfits.get("", MANY), misfits.get(job.kind, MANY)):
                if plan.start(job):
                    self.started(job)
                    return True
                misfits[job.kind] = job.gpus
            if not self.sharing or (other := self.partners.pick(job, plan.view, self.reservation)) is None:
                return False
            plan.share(job, other)
            self.started(job)
            return True

        self.queue.start_past(start)

    def fill(self, plan: Plan) -> None:
        """Let those begin on the nodes that are set aside who are expected to be gone when these are needed."""
        view, reserved = plan.view, self.reservation
        if view.now_s >= reserved.until_s:
            return
        for _, number, job in [*islice(self.queue.in_order(), LOOK)]:
            is_brief = view.now_s + self.expected_s[number] <= reserved.until_s
            if is_brief and job is not reserved.job and plan.start(job):
                self.started(job)

    def started(self, job: LiveJob) -> None:
        """Take a job out of the queue; alone on its GPUs it may get a partner, still in this decision."""
        self.leave(job)
        self.partners.offer([job])
        wait_s = job.started_s - job.submit_s - job.served_s
        self.usual_wait_s += (wait_s - self.usual_wait_s) / RECENT
