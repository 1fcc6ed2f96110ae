"""A real Ray cluster of several raylets on this machine, as a program: `NODE...` after the head, two GPUs each, played.

It prints the address, then does what it is told, a line at a time: `kill NODE`, `add NODE`, `fill NODE`, `free`,
`quit`, and `head`: the head is killed, and with it all that it knew; another comes up at its port, with new raylets of
the same names, once those of before have ended, which takes them `FADING_S`.
"""

import atexit
import json
import os
import subprocess
import sys
import time
from functools import cache

NAMES = ("n1", "n2", "n3", "n4")
GPUS = 2
WITHOUT = ("include_dashboard", "include_log_monitor")
FADING_S = 5
FULL_AT = "RAY_memory_usage_threshold"
SETTINGS = {
    "health_check_period_ms": 500,
    "health_check_timeout_ms": 5000,
    "health_check_failure_threshold": 3,
    "gcs_rpc_server_reconnect_timeout_s": FADING_S,
    "worker_niceness": 0,
}
"""A raylet that is gone refuses, and is missed soon; one that is slow has time. Through the environment: a raylet reads
some of them before it hears of what the head was told."""


class Nodes:
    """The cluster, and its nodes by their names."""

    def __init__(self, names):
        self.names = names
        self.begin(0)

    def begin(self, port):
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 2, "num_gpus": 0, "node_name": "head", **dict.fromkeys(WITHOUT, False)}
        port = {"gcs_server_port": port} if port else {}
        self.cluster = Cluster(initialize_head=True, head_node_args={**head, **port})
        self.nodes = {name: self.add_node(name) for name in self.names}
        self.cluster.wait_for_nodes(timeout=120)

    def head(self):
        old, port = self.cluster, int(self.cluster.address.rpartition(":")[2])
        old.head_node.kill_all_processes(check_alive=False, allow_graceful=False)
        while any(node.any_processes_alive() for node in self.nodes.values()):
            for node in self.nodes.values():
                if node.remaining_processes_alive() and not raylet_is_up(node):
                    node.kill_all_processes(check_alive=False, allow_graceful=False)
            time.sleep(0.1)
        self.begin(port)

    def add_node(self, name):
        return self.cluster.add_node(num_cpus=4, num_gpus=GPUS, node_name=name, wait=False)

    def kill(self, name):
        self.cluster.remove_node(self.nodes.pop(name), allow_graceful=False)

    def add(self, name):
        if name not in self.nodes:
            self.nodes[name] = self.add_node(name)
            self.cluster.wait_for_nodes(timeout=120)

    def fill(self, name):
        """Bring a node back that takes its memory for full: Ray's monitor ends whatever worker it has."""
        self.kill(name)
        os.environ[FULL_AT] = "0.001"
        try:
            self.add(name)
        finally:
            del os.environ[FULL_AT]

    def free(self):
        """Tell which GPUs are nobody's."""
        import ray

        ray.init(address=self.cluster.address, log_to_driver=False, configure_logging=False)
        try:
            return ray.available_resources().get("GPU", 0.0)
        finally:
            ray.shutdown()


def raylet_is_up(node):
    """Tell whether a raylet still runs; what else was started beside it ends with the node."""
    return all(process.process.poll() is None for process in node.all_processes.get("raylet", ()))


class Raylets:
    """The program, as tests talk to it."""

    def __init__(self):
        command = [sys.executable, "-m", "tests.contract.ray_nodes", *NAMES]
        words = {"RAY_DEDUP_LOGS": "0", **{f"RAY_{name}": str(value) for name, value in SETTINGS.items()}}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **words}
        )
        self.address = self.hear()
        self.killed = set()
        self.full = set()

    def hear(self):
        return json.loads(self.process.stdout.readline())

    def tell(self, *words):
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()
        return self.hear()

    def kill(self, name):
        self.killed.add(name)
        self.tell("kill", name)

    def fill(self, name):
        self.full.add(name)
        self.tell("fill", name)

    def mend(self):
        for name in [*self.full]:
            self.kill(name)
            self.full.discard(name)
        for name in [*self.killed]:
            self.tell("add", name)
            self.killed.discard(name)

    def close(self):
        with self.process:
            self.process.stdin.write("quit\n")
            self.process.stdin.close()


@cache
def raylets():
    made = Raylets()
    atexit.register(made.close)
    return made


def main():
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    nodes = Nodes(sys.argv[1:])

    def say(word):
        answers.write(json.dumps(word) + "\n")
        answers.flush()

    say(nodes.cluster.address)
    for line in sys.stdin:
        word, *names = line.split()
        if word == "quit":
            break
        say(getattr(nodes, word)(*names))
    nodes.cluster.shutdown()


if __name__ == "__main__":
    main()
