"""A real Ray cluster under test; its raylets are shared by all tests, and mended after each."""

import time
from pathlib import Path

from schedmate.clusters.ray.cluster import RayCluster
from schedmate.clusters.runner.records import read_record
from tests.contract.bench import LiveBench
from tests.contract.ray_nodes import raylets


class RayBench(LiveBench):
    """Jobs are detached actors in placement groups."""

    unit_s = 1.0
    leaves_late = True

    def open(self, nodes):
        self.raylets = raylets()
        self.raylets.mend()
        names = [node.name for node in nodes]
        examines = self.options.get("examines", False)
        return RayCluster(self.raylets.address, self.store, 0.5, examines, names)

    def break_node(self, name):
        self.raylets.kill(name)

    def repair_node(self, name):
        self.raylets.tell("add", name)
        self.raylets.killed.discard(name)

    def sees(self, job):
        run = self.cluster.current(job)
        while not all(run.has("job")):
            self.cluster.wait(self.cluster.now_s() + 0.05)
        seen = {}
        for folder in run.folders:
            environment = Path(f"/proc/{read_record(folder / 'job')['pid']}/environ")
            while b"SCHEDMATE_PLACEMENT=" not in environment.read_bytes():
                time.sleep(0.01)
            words = dict(word.split("=", 1) for word in environment.read_text().split("\0") if "=" in word)
            node = words["SCHEDMATE_NODES"].split(",")[int(words["RANK"])]
            seen[node] = [int(gpu) for gpu in words["CUDA_VISIBLE_DEVICES"].split(",")]
        return seen

    def let_all_go(self):
        """Leave no group behind."""
        while self.cluster.runs or not self.cluster.link.is_done(self.cluster.link.serial):
            self.cluster.wait(self.cluster.now_s() + 0.2)
        limit_s = time.monotonic() + 60
        while self.cluster.link.news["actors"]:
            assert time.monotonic() < limit_s
            self.cluster.wait(self.cluster.now_s() + 0.2)
