"""The process that speaks with Ray for the loop: orders come in as JSON lines, what Ray knows goes out as JSON lines.

Ray may hang, or end a process that has lost the head. That is this process then, not the loop; another is started. It
holds nothing: groups and actors are detached and found by their names, and what no run needs any more is removed.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

import ray
from ray.exceptions import OutOfMemoryError
from ray.util import list_named_actors, placement_group_table, remove_placement_group
from ray.util.placement_group import PlacementGroup, placement_group
from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

from schedmate.clusters.ray.rank import Rank
from schedmate.clusters.runner.records import Record

NAMESPACE = "schedmate"
TICK_S = 0.3
ASK_S = 1.0
MOST_WORDS = 300
Order = dict[str, Any]  # Any: what the link sent; each order has fields of its own


class Agent:
    """Carries orders out, each of which may come twice."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.keep: set[str] | None = None
        """Runs whose groups stay; None until the loop has said so."""
        self.serial = 0
        self.handles: dict[str, Any] = {}  # Any: a handle of Ray's, which has no types
        """Actors of ours that were there when it was last looked."""
        self.deaths: dict[str, str] = {}
        """Why actors are gone, where Ray says that memory was short."""
        self.rank = ray.remote(num_cpus=0, num_gpus=0, max_restarts=0, max_concurrency=8)(Rank)

    def obey(self, order: Order) -> None:
        """Do one thing; what cannot be done now is asked again by whoever sees that it was not."""
        if order["do"] == "keep":
            self.keep = set(order["names"])
        elif order["do"] == "start":
            self.start(order)
        elif order["do"] == "signal":
            self.signal(order)
        elif order["do"] == "remove":
            self.remove(lambda name: name == order["name"])
        self.serial = order["serial"]

    def start(self, order: Order) -> None:
        """Make a run's group and an actor for each of its nodes, unless they are there."""
        name, parts = order["name"], order["parts"]
        if self.keep is not None:
            self.keep.add(name)
        group = self.groups().get(name)
        if group is None:
            labels = [{"ray.io/node-id": part["id"]} for part in parts]
            bundles = [part["amount"] for part in parts]
            group = placement_group(bundles, name=name, lifetime="detached", bundle_label_selector=labels)
        for rank, part in enumerate(parts):
            self.handles[f"{name}-{rank}"] = self.rank.options(
                name=f"{name}-{rank}",
                lifetime="detached",
                get_if_exists=True,
                scheduling_strategy=PlacementGroupSchedulingStrategy(group, placement_group_bundle_index=rank),
            ).remote(part["folder"], part["told"])

    def signal(self, order: Order) -> None:
        """Send a signal to all ranks of a run that are there."""
        for name in order["actors"]:
            try:
                ray.get_actor(name).signal.remote(order["number"])
            except ValueError:
                continue

    def groups(self) -> dict[str, PlacementGroup]:
        """List our groups that are not removed; Ray goes on listing those that are, under the same names."""
        told = [one for one in placement_group_table().values() if one["state"] != "REMOVED"]
        ours = [one for one in told if one["name"].startswith(self.prefix)]
        return {one["name"]: PlacementGroup(ray.PlacementGroupID.from_hex(one["placement_group_id"])) for one in ours}

    def tidy(self) -> None:
        """Remove what runs that are over have left; their shares are free then."""
        if (keep := self.keep) is not None:
            self.remove(lambda name: name not in keep)

    def remove(self, is_meant: Callable[[str], bool]) -> None:
        """Remove runs' groups and actors; an actor whose group was gone before it began would wait for ever."""
        for name, group in self.groups().items():
            if is_meant(name):
                remove_placement_group(group)
        for name in self.actors():
            if is_meant(name.rpartition("-")[0]):
                with suppress(ValueError):
                    ray.kill(ray.get_actor(name))

    def actors(self) -> list[str]:
        """List our actors that have not ended."""
        named = [one["name"] for one in list_named_actors(all_namespaces=True) if one["namespace"] == NAMESPACE]
        return [name for name in named if name.startswith(self.prefix)]

    def look(self) -> Record:
        """Tell what Ray knows now: of actors first, so that no node is told alive whose death took an actor along."""
        actors = self.actors()
        self.learn_of_deaths(actors)
        return {
            "session": ray.get_runtime_context().gcs_address + " " + session(),
            "serial": self.serial,
            "nodes": [node_words(node) for node in ray.nodes() if node["Alive"]],
            "actors": actors,
            "deaths": self.deaths,
        }

    def learn_of_deaths(self, actors: list[str]) -> None:
        """Ask those that have gone of a run that is needed why; one on a node that is gone says nothing for long."""
        for name in actors:
            if name not in self.handles:
                with suppress(ValueError):
                    self.handles[name] = ray.get_actor(name)
        kept = self.keep or ()
        self.deaths = {name: why for name, why in self.deaths.items() if name.rpartition("-")[0] in kept}
        gone = {name: self.handles.pop(name) for name in [*self.handles] if name not in actors}
        answers = {one.__ray_ready__.remote(): name for name, one in gone.items() if name.rpartition("-")[0] in kept}
        ready = ray.wait([*answers], num_returns=len(answers), timeout=ASK_S)[0] if answers else []
        self.deaths |= {answers[one]: why for one in ready if (why := shortage(one))}


def shortage(answer: ray.ObjectRef) -> str:
    """Give Ray's own words if an actor was ended because its node ran low on memory."""
    try:
        ray.get(answer, timeout=0)
    except OutOfMemoryError as error:
        return str(error).partition("\n")[0][:MOST_WORDS]
    except Exception:
        return ""
    return ""


def session() -> str:
    """Name this life of the head: a head that was started anew knows nothing of what ran before."""
    return next((node["NodeID"] for node in ray.nodes() if "node:__internal_head__" in node["Resources"]), "")


def node_words(node: Record) -> Record:
    """Say of a node what the loop needs."""
    found = node["Resources"]
    return {
        "id": node["NodeID"],
        "name": node["Labels"].get("schedmate/name", node["NodeName"]),
        "address": node["NodeManagerAddress"],
        "gpus": int(found.get("GPU", 0)),
        "cpus": int(found.get("CPU", 0)),
        "is_head": "node:__internal_head__" in found,
    }


def main() -> None:
    """Serve until nobody asks any more."""
    address, prefix = sys.argv[1:3]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what Ray prints is nobody's answer
    orders: SimpleQueue[Order] = SimpleQueue()

    def hear() -> None:
        for line in sys.stdin:
            orders.put(json.loads(line))
        os._exit(0)  # the loop has gone; Ray may hang and must not keep us

    Thread(target=hear, daemon=True).start()
    ray.init(address=address, namespace=NAMESPACE, log_to_driver=False, configure_logging=False)
    agent = Agent(prefix)
    while True:
        until_s = time.monotonic() + TICK_S
        agent.tidy()
        answers.write(json.dumps(agent.look()) + "\n")
        answers.flush()
        while (rest_s := until_s - time.monotonic()) > 0:
            try:
                agent.obey(orders.get(timeout=rest_s))
            except Empty:
                break


if __name__ == "__main__":
    main()
