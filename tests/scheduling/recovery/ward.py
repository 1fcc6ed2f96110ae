"""Recovery on a real cluster without jobs: failures are handed to it."""

import time

from schedmate.clusters import NodeSpec
from schedmate.clusters.local.cluster import LocalCluster
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Request, Submission
from schedmate.scheduling.recovery.engine import RecoveryEngine
from schedmate.scheduling.recovery.owner_rules import RecoveryRules, Rules, ToolRules
from schedmate.schemas import Diagnosis
from schedmate.workers.worker_pool import WorkerPool


class Ward:
    """Recovery with failures that are handed to it."""

    def __init__(self, folder, nodes=4, mode="act", finds="", proves=True, **rules):
        self.store = LiveStore(folder, patient=True)
        self.cluster = LocalCluster(
            [NodeSpec(f"node{number}", 1) for number in range(1, nodes + 1)], self.store, examines=True
        )
        self.pool = WorkerPool(self.cluster, "tests.scheduling.live.quick_reading", 2)
        self.said = []
        tools = ToolRules(nccl_test=f"finds {finds}" if finds else "", dcgmi="finds" if proves else "")
        rules = Rules(recovery=RecoveryRules(**rules), tools=tools)
        self.recovery = RecoveryEngine(self.cluster, self.store, self.pool, mode, rules, self.said.append)
        self.jobs = 0

    def fail(self, *nodes, **changes):
        """Let a job die on these nodes, and wait until recovery is done with it; give its steps by kind."""
        number = self.begin(*nodes, **changes)
        self.settle()
        return self.steps(number)

    def steps(self, number):
        return {step.kind: (step.event, step.detail) for step in self.store.actions(job=number)}

    def begin(self, *nodes, **changes):
        """Let a job die on these nodes; give its number."""
        self.jobs += 1
        user = changes.pop("user", "")
        number = self.store.submit(Submission(("true",), "/", {}, user=user), f"t{self.jobs}", 1.0)
        run = self.store.open_run(number, "gpu", tuple((node, 1) for node in nodes), None, 1.0)
        fields = {"category": "infrastructure", "subcategory": "gpu", "failure_id": "gpu.xid_79", "confidence": 0.9}
        found = Diagnosis(**(fields | {"should_restart": "elsewhere"} | changes))
        failure = found.failure_id or found.category
        self.store.update_run(number, run, ended_s=time.time(), outcome="failed", failure=failure)
        self.store.update(number, state="examined", diagnosis=found.model_dump_json())
        self.recovery.take(number, run)
        return number

    def settle(self):
        self.until(lambda: not self.pool.busy)

    def until(self, done):
        limit_s = time.monotonic() + 180
        while not done():
            assert time.monotonic() < limit_s
            self.cluster.wait(self.cluster.now_s() + 0.05)
            self.recovery.tend()

    def ask(self, kind, target=0):
        return self.recovery.obey(Request(0, kind, target, ""))

    def action(self, kind):
        return [row for row in self.store.actions() if row.kind == kind][-1]

    def close(self):
        self.pool.close()
        self.cluster.close()
        self.store.close()
