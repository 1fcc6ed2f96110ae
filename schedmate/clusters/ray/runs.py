"""A run on Ray: a group of shares, an actor a node, and a folder that tells how each rank began and ended.

The first rank's folder is the run's own, so that a run on one node is laid out as one of this machine.
"""

import os
import re
import signal
import time
from contextlib import suppress
from pathlib import Path

from schedmate.clusters import LiveJob, Placement
from schedmate.clusters.local.runs import Exit, LocalRun, Pulse
from schedmate.clusters.ray.link import RayLink
from schedmate.clusters.runner.records import Record, read_record, write_whole
from schedmate.tools.locks import is_locked

SHARED = 0.5
"""How much of a slot a job takes in Ray's books that may share it; the policy puts two at most on a slot."""
MEMORY = re.compile(r"[\d.]+ ?GB used / [\d.]+ ?GB limit")
MOST_WORDS = 300

PATIENCE_S = 10.0
"""How long the other ranks have after one has failed."""
HEAD_GONE_S = 75.0
"""Raylets that have lost the head end after Ray's `gcs_rpc_server_reconnect_timeout_s`, a minute unless it is set
otherwise, and their jobs with them; before that they may still run."""


class RaySession:
    """The Ray cluster as it was met: the link to it, and which head it had."""

    def __init__(self, link: RayLink, name: str, fading_s: float) -> None:
        self.link = link
        self.name = name
        self.fading_s = fading_s
        self.changed_s = 0.0
        """When the head was seen to be another, by the steady clock; runs of before may run on for a while."""

    def notice(self) -> bool:
        """Take note of a head that was started anew."""
        session = str(self.link.news["session"])
        if session == self.name:
            return False
        if self.name:
            self.changed_s = time.monotonic()
        self.name = session
        return True

    def is_old_head_fading(self) -> bool:
        """Tell whether what ran under a head that is gone may still run."""
        return bool(self.changed_s) and time.monotonic() - self.changed_s < self.fading_s


class RayRun(LocalRun):
    """Judged by its folders, and by which of its actors Ray knows."""

    def __init__(
        self, job: LiveJob, run: int, folder: Path, placement: Placement, partner: int | None, session: RaySession
    ) -> None:
        super().__init__(job, run, folder, placement, partner)
        self.session = session
        self.link = session.link
        self.name = f"{self.link.prefix}{job.number}-{run}"
        self.serial = 0
        self.failed_s: float | None = None
        self.gone_s: float | None = None
        """When an actor was first seen to be gone."""
        self.node_ids: list[str] = []
        """Ray's own names of the nodes, rank by rank."""

    @property
    def folders(self) -> list[Path]:
        """List the ranks' folders."""
        return [self.folder if rank == 0 else self.folder / f"rank-{rank}" for rank in range(len(self.placement.parts))]

    @property
    def actors(self) -> list[str]:
        """Name the ranks' actors."""
        return [f"{self.name}-{rank}" for rank in range(len(self.placement.parts))]

    def spawn(self, spec: Record) -> None:
        """Have the actors made; harmless when they were made before."""
        nodes, slots = self.link.nodes(), self.placement.indices()
        self.spawns += 1
        self.spawned = True
        self.node_ids = [nodes[node]["id"] if node in nodes else "" for node in slots]
        if not all(self.node_ids):
            return
        spec = spec | {"ray_nodes": self.node_ids}
        parts = []
        for rank, (node, folder) in enumerate(zip(slots, self.folders, strict=True)):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not os.path.exists(f"{folder}/stop"):
                (folder / "stop.part").touch()
            write_whole(f"{folder}/spec", self.spec_of(spec, rank, folder), through=False)
            several = len(slots) > 1
            told = {"rank": rank, "node": node, "teller": self.actors[0] if several else "", "log": self.log}
            amount = {self.placement.kind.upper(): len(slots[node]) * (SHARED if self.job.packable else 1.0)}
            parts.append({"id": nodes[node]["id"], "amount": amount, "folder": str(folder), "told": told})
        self.serial = self.link.order("start", name=self.name, parts=parts)

    def spec_of(self, spec: Record, rank: int, folder: Path) -> Record:
        """Tell a rank its place; the words are those that torchrun and its like look for."""
        slots = self.placement.indices()
        first = next(iter(slots))
        words = {
            "RANK": str(rank), "NODE_RANK": str(rank), "WORLD_SIZE": str(len(slots)), "LOCAL_RANK": "0",
            "MASTER_ADDR": str(self.link.nodes()[first]["address"]), "MASTER_PORT": str(self.port),
        }  # fmt: skip
        if self.placement.kind != "cpu":
            words["CUDA_VISIBLE_DEVICES"] = ",".join(map(str, slots[[*slots][rank]]))
        log = self.log if len(slots) == 1 else str(folder / "own.log")
        return spec | {"environment": spec["environment"] | words, "log": log}

    @property
    def port(self) -> int:
        """Give the port at which ranks meet: another for each of some thousand jobs, below what systems hand out."""
        return 20_000 + (self.job.number * 7 + self.run) % 10_000

    def pulse(self) -> Pulse:
        """Tell how the run is."""
        began, ended = self.has("began"), self.has("exit")
        known = set(self.link.news["actors"])
        if all(ended) and (len(ended) == 1 or all(self.has("told")) or not known.intersection(self.actors)):
            return "ended"
        so_far: Pulse = "running" if any(began) else "waiting"
        if self.link.trouble or not self.link.is_done(self.serial):
            return so_far
        if not self.is_broken(known, ended):
            self.end_with_the_first(ended)
            return so_far
        if all(self.has("exit")):
            return "ended"
        if not any(began):
            return "absent" if self.gone_s is None and not self.is_on_a_dead_node() else "lost"
        return so_far if self.may_still_run() else "lost"

    def is_broken(self, known: set[str], ended: list[bool]) -> bool:
        """Tell whether a rank that has not ended has lost its actor, or waits for a node that is gone."""
        gone = any(name not in known for name, over in zip(self.actors, ended, strict=True) if not over)
        return gone or self.is_on_a_dead_node()

    def may_still_run(self) -> bool:
        """End what is left of a broken run, and tell whether some of it may be there: then nobody takes its place.

        A raylet that died leaves its workers for a moment, and a head that died its raylets for longer. The runner's
        lock tells where the file system knows of locks of other hosts; past the time that Ray takes, nobody waits.
        """
        if self.gone_s is None:
            self.gone_s = time.monotonic()
            self.link.order("remove", name=self.name)
        if self.session.is_old_head_fading():
            return True
        is_held = any(is_locked(folder / "lock") for folder in self.folders)
        return is_held and time.monotonic() - self.gone_s < self.session.fading_s

    def last_words(self) -> str:
        """Say that memory was short, where Ray or the kernel has told it."""
        deaths = self.link.news.get("deaths", {})
        for node, actor, folder in zip(self.placement.indices(), self.actors, self.folders, strict=True):
            if actor in deaths:
                used = MEMORY.search(deaths[actor])
                return f"Ray ended its worker on {node}, which ran low on memory{f': {used[0]}' if used else ''}"
            if why := (read_record(folder / "lost") or {}).get("why"):
                return f"on {node} {str(why)[:MOST_WORDS]}"
        return ""

    def is_on_a_dead_node(self) -> bool:
        """Tell whether a node has gone; one that comes back under its name is another to Ray, which goes on waiting."""
        if not self.node_ids:
            self.node_ids = (read_record(self.folder / "spec") or {}).get("ray_nodes", [])
        alive = {node["id"] for node in self.link.nodes().values()}
        return not alive.issuperset(self.node_ids)

    def has(self, name: str) -> list[bool]:
        """Tell which ranks have written something down."""
        if name == "exit":  # a job could have put there what is none
            return [Exit.told(read_record(folder / name)) is not None for folder in self.folders]
        return [os.path.exists(f"{folder}/{name}") for folder in self.folders]

    def end_with_the_first(self, ended: list[bool]) -> None:
        """Once a rank has failed, end the others: they would wait for it."""
        if not any(ended) or all(ended) or self.stopping:
            return
        if self.failed_s is None:
            if any(record["code"] for record in self.exits()):
                self.failed_s = time.monotonic()
                self.signal(signal.SIGTERM)
        elif time.monotonic() - self.failed_s > PATIENCE_S:
            self.signal(signal.SIGKILL)

    def exits(self) -> list[Record]:
        """Read how ranks have ended, the first that ended first."""
        told = [read_record(folder / "exit") for folder in self.folders]
        found = [record for record in told if record is not None and Exit.told(record) is not None]
        return sorted(found, key=lambda record: float(record["ended_s"]))

    def exit(self) -> Exit:
        """Put the ranks' ends together: the first that failed says how the run failed."""
        records = self.exits()
        if len(records) < len(self.folders):
            raise FileNotFoundError(self.folder / "exit")
        first = next((record for record in records if record["code"]), records[0])
        whole = {"ended_s": records[-1]["ended_s"], "ran_s": max(float(record["ran_s"]) for record in records)}
        return Exit(first | whole)

    def reap(self) -> bool:
        """No rank is a child of this process."""
        return True

    def forbid(self) -> None:
        """Keep every rank from starting that has not, and mark their ends as asked for."""
        super().forbid()
        for folder in self.folders[1:]:
            with suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                (folder / "stop").touch()

    def signal(self, number: signal.Signals) -> bool:
        """Have the actors signal their processes; a run that has not begun loses its actors when it must end."""
        if not any(self.has("began")):
            if number == signal.SIGKILL and self.link.is_done(self.serial):
                self.serial = self.link.order("remove", name=self.name)
            return False
        self.link.order("signal", actors=self.actors, number=int(number))
        return all(self.has("job"))
