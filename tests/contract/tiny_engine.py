"""A tiny engine as a program of its own, behind a socket: the contract suite is not about this machine alone.

`serve FOLDER NODE=GPUS... [--own]` keeps nodes and jobs, names jobs itself, runs them as processes, requeues them under
the same name, and with `--own` chooses itself what runs where. `on FOLDER NODES -- COMMAND` runs a command once on each
of some nodes. It forgets everything when it ends.
"""

import json
import os
import re
import selectors
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

TICK_S = 0.02
GRACE_S = 0.3
OVER = ("done", "failed", "cancelled")


class Refusal(Exception):
    """Say why not."""


class Engine:
    """Nodes, jobs and the processes of those that run."""

    def __init__(self, folder, nodes, chooses):
        self.folder, self.chooses = folder, chooses
        self.nodes = {name: {"name": name, "gpus": gpus, "state": "up", "reason": "", "by": ""} for name, gpus in nodes}
        self.jobs, self.tokens, self.rank = {}, {}, {}
        self.children, self.stopping, self.starting = {}, {}, {}

    def submit(self, token, held=False, **job):
        if token not in self.tokens:
            self.tokens[token] = name = f"t{len(self.jobs) + 1}"
            fresh = {"id": name, "state": "held" if held else "waits", "run": 0, "parts": {}, "ends": []}
            self.jobs[name] = {**fresh, "submit_s": time.time(), "began_s": None, "user": "", **job}
        return self.tokens[token]

    def look(self):
        hidden = ("environment",)
        jobs = [{key: value for key, value in job.items() if key not in hidden} for job in self.jobs.values()]
        return {"jobs": jobs, "nodes": list(self.nodes.values())}

    def start(self, job, run, parts, environment):
        """Start when whoever is being stopped there has gone; a run that was started before is not started again."""
        job = self.jobs[job]
        if run <= job["run"] or job["id"] in self.starting:
            return
        self.starting[job["id"]] = (run, parts, environment)

    def begin(self, job, run, parts, environment):
        number = {node: [slot for slot in range(8) if mask >> slot & 1] for node, mask in parts.items()}
        told = {"TINY_PARTS": json.dumps(number), "TINY_JOB": job["id"], **environment}
        with Path(self.log(job, run)).open("ab") as log:
            try:
                child = subprocess.Popen(
                    job["command"], cwd=job["cwd"], env={**job["environment"], **told}, stdin=subprocess.DEVNULL,
                    stdout=log, stderr=log, start_new_session=True,
                )  # fmt: skip
            except OSError as error:
                log.write(f"tiny: {error}\n".encode())
                child = subprocess.Popen(["false"])
        self.children[job["id"]] = child
        job.update(state="runs", run=run, parts=parts, began_s=time.time())

    def log(self, job, run):
        words = {"%j": job["id"], "%r": str(run)}
        return re.sub("%[jr]", lambda found: words[found[0]], job["out"])

    def stop(self, job, why):
        """End a run: `requeued` waits again, `cancelled` is over."""
        job = self.jobs[job]
        self.starting.pop(job["id"], None)
        if job["state"] == "runs":
            if job["id"] not in self.stopping:
                self.signal(job["id"], signal.SIGTERM)
            self.stopping[job["id"]] = (why, time.monotonic() + GRACE_S)
        elif why == "cancelled" and job["state"] not in OVER:
            job["state"] = "cancelled"

    def signal(self, name, number):
        with suppress(OSError, KeyError):
            os.killpg(self.children[name].pid, number)

    def hold(self, job):
        self.jobs[job]["state"] = "held" if self.jobs[job]["state"] != "runs" else "runs"

    def requeue(self, job):
        """Let a job wait again, whatever it did, under its name."""
        if self.jobs[job]["state"] != "runs":
            self.jobs[job]["state"] = "waits"

    def order(self, jobs):
        self.rank = {name: place for place, name in enumerate(jobs)}

    def node(self, node, state, reason="", by=""):
        """Drain, resume, break or mend; what is broken takes its jobs with it."""
        self.nodes[node].update(state=state, reason=reason, by=by)
        for job in self.jobs.values() if state == "down" else ():
            if job["state"] == "runs" and node in job["parts"]:
                self.stopping[job["id"]] = ("node_fail", 0.0)
            elif job["id"] in self.starting and node in self.starting[job["id"]][1]:
                run = self.starting.pop(job["id"])[0]
                job.update(run=run, state="waits")
                job["ends"].append(
                    {"run": run, "why": "node_fail", "code": None, "ended_s": time.time(), "began_s": None, "parts": {}}
                )

    def tick(self):
        for name, child in [*self.children.items()]:
            job, (why, limit_s) = self.jobs[name], self.stopping.get(name, ("", float("inf")))
            if time.monotonic() > limit_s:
                self.signal(name, signal.SIGKILL)
            code = child.poll()
            if code is None:
                continue
            self.signal(name, signal.SIGKILL)
            del self.children[name]
            self.stopping.pop(name, None)
            why = why if why and (why == "node_fail" or code) else "done" if code == 0 else "failed"
            told = {"run": job["run"], "why": why, "code": code, "parts": job["parts"]}
            job["ends"].append({**told, "began_s": job["began_s"], "ended_s": time.time()})
            job.update(state=why if why in OVER else "waits", parts={})
        if self.chooses:
            self.choose()
        for name, wanted in [*self.starting.items()]:
            leaving = [self.jobs[other]["parts"] for other in self.stopping]
            clear = all(wanted[1].get(node, 0) & mask == 0 for parts in leaving for node, mask in parts.items())
            if clear and name not in self.children:
                del self.starting[name]
                self.begin(self.jobs[name], *wanted)

    def choose(self):
        """Start the first that waits on the first node with room."""
        waiting = [job for job in self.jobs.values() if job["state"] == "waits" and job["id"] not in self.starting]
        for job in sorted(waiting, key=lambda job: self.rank.get(job["id"], 1 << 30)):
            for name, node in self.nodes.items():
                taken = 0
                for parts in [one["parts"] for one in self.jobs.values()] + [one[1] for one in self.starting.values()]:
                    taken |= parts.get(name, 0)
                free = [slot for slot in range(node["gpus"]) if not taken >> slot & 1]
                if node["state"] == "up" and len(free) >= job["slots"]:
                    mask = sum(1 << slot for slot in free[: job["slots"]])
                    self.starting[job["id"]] = (job["run"] + 1, {name: mask}, {})
                    break

    def close(self):
        for name in self.children:
            self.signal(name, signal.SIGKILL)


WORDS = ("submit", "look", "start", "stop", "hold", "requeue", "order", "node")


def answer(engine, line):
    """Do one thing that was asked."""
    asked = json.loads(line)
    try:
        word = asked.pop("word")
        if word not in WORDS:
            raise Refusal(word)
        return {"answer": getattr(engine, word)(**asked)}
    except (KeyError, Refusal) as error:
        return {"refused": str(error)}


def serve(folder, nodes, chooses):
    """Answer, and look after the processes, until told to end."""
    engine = Engine(folder, nodes, chooses)
    server = socket.socket(socket.AF_UNIX)
    server.bind("socket")
    server.listen(64)
    selector = selectors.DefaultSelector()
    selector.register(server, selectors.EVENT_READ)
    going = [True]
    signal.signal(signal.SIGTERM, lambda *_: going.clear())
    print("up", flush=True)
    while going:
        if selector.select(TICK_S):
            connection, _ = server.accept()
            with suppress(OSError), connection, connection.makefile("rw") as stream:
                if line := stream.readline():
                    stream.write(json.dumps(answer(engine, line)) + "\n")
        engine.tick()
    engine.close()


def on(nodes, command):
    """Run a command once on each of these nodes, as a launcher does."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect("socket")
        with client.makefile("rw") as stream:
            stream.write('{"word": "look"}\n')
            stream.flush()
            known = {node["name"]: node for node in json.loads(stream.readline())["answer"]["nodes"]}
    if any(known[node]["state"] == "down" for node in nodes):
        sys.exit(f"tiny: {', '.join(nodes)}: no route to host")
    children = [subprocess.Popen(command, env={**os.environ, "TINY_NODE": node}) for node in nodes]
    sys.exit(max(abs(child.wait()) for child in children))


def main():
    word, folder, *rest = sys.argv[1:]
    os.chdir(folder)
    if word == "on":
        on(rest[0].split(","), rest[2:])
    nodes = [(name, int(gpus)) for name, _, gpus in (one.partition("=") for one in rest if "=" in one)]
    serve(Path(folder), nodes, "--own" in rest)


if __name__ == "__main__":
    main()
