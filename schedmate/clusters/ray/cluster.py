"""A Ray cluster: jobs are placement groups with a detached actor a node, marks are ours and stand in the store.

What is to be done is written to the store before it is done, and how runs begin and end stands in their folders, as on
this machine; Ray starts the ranks, keeps their shares, and tells which nodes and actors there are. The data directory
lies on a file system that all nodes see, and the nodes are SchedMate's own: it says itself which GPUs a job sees.
"""

from collections.abc import Iterable, Sequence

from schedmate.clusters import LiveJob, NodeSpec, Placement
from schedmate.clusters.job_rows import told
from schedmate.clusters.local.cluster import LocalCluster
from schedmate.clusters.local.runs import LocalRun
from schedmate.clusters.managed import NODES, Can, Facts, NodeState, Wish
from schedmate.clusters.ray.link import RayLink
from schedmate.clusters.ray.runs import HEAD_GONE_S, RayRun, RaySession
from schedmate.errors import InputError, MissingExtra
from schedmate.history.database import identity
from schedmate.history.live import LiveStore
from schedmate.tools.python_children import module_command

ADDRESS = "127.0.0.1:6379"
LAUNCHER = "schedmate.clusters.ray.launch"
OPTIONS = ("address", "nodes", "kind", "fading_s")
SESSION = "ray session"


class RayCluster(LocalCluster):
    """Nodes come and go as Ray tells; an agent that hangs or dies is replaced, and nothing is judged meanwhile."""

    can = Can(here=False)

    def __init__(
        self,
        address: str,
        store: LiveStore,
        grace_s: float,
        examines: bool,
        only: Sequence[str] = (),
        kind: str = "",
        fading_s: float = HEAD_GONE_S,
    ) -> None:
        self.address = address
        self.only = frozenset(only)
        self.link = RayLink(address, f"schedmate-{identity(store.connection)[:8]}-")
        self.link.wait_for_news()
        self.kind = kind or ("gpu" if any(node["gpus"] for node in self.link.nodes().values()) else "cpu")
        self.session = RaySession(self.link, store.fact(SESSION), fading_s)
        if self.session.notice():
            store.set_fact(SESSION, self.session.name)
        super().__init__(self.found(), store, grace_s=grace_s, examines=examines)
        self.held: tuple[str, ...] | None = None
        self.watched = self.link.pipe
        self.serve(self.watched, self.hear)

    def found(self) -> list[NodeSpec]:
        """List the nodes of Ray that are ours and have what jobs run on, in the order of their names."""
        nodes = sorted(self.link.nodes().items())
        counts = [(name, node[f"{self.kind}s"]) for name, node in nodes if not self.only or name in self.only]
        return [NodeSpec(name, count, self.kind) for name, count in counts if count]

    def make_run(self, job: LiveJob, run: int, placement: Placement, partner: int | None) -> LocalRun:
        """Hold a run of a job on Ray."""
        return RayRun(job, run, self.folder_of(job, run), placement, partner, self.session)

    def hear(self) -> None:
        """Take in what Ray tells."""
        if self.link.read():
            self.review_nodes()
        self.watch_agent()

    def watch_agent(self) -> None:
        """Watch the agent that there is now."""
        pipe = self.link.pipe if self.link.process is not None else -1
        if pipe != self.watched:
            if self.watched >= 0:
                self.leave(self.watched)
            if pipe >= 0:
                self.serve(pipe, self.hear)
            self.watched = pipe

    def review_nodes(self) -> None:
        """Find out which nodes have come or gone, and look at all runs."""
        self.trouble = self.link.trouble
        if self.session.notice():
            self.store.set_fact(SESSION, self.session.name)
            self.odd.append(
                "the head of Ray was started anew: what ran under the old one is waited out, then started again"
            )
        there = {spec.name: spec for spec in self.found()}
        for name, spec in there.items():
            if name not in self.declared:
                self.down = self.down | {name}
            if self.declared.get(name) != spec:
                self.declared[name] = spec
        broken = self.declared.keys() - there.keys()
        if broken != self.broken or self.down != (self.broken | self.reserved | self.store.marks().keys()):
            self.broken = set(broken)
            self.review()
        self.named.update(self.runs)

    def look(self) -> None:
        """Look at the agent, then at the runs, and say which groups are still needed."""
        self.link.tend()
        self.watch_agent()
        self.trouble = self.link.trouble
        super().look()
        held = tuple(run.name for run in self.runs.values() if isinstance(run, RayRun))
        if held != self.held:
            self.held = held
            self.link.hold(held)

    def facts(self, number: int, run: int) -> Facts:
        """Tell what the store holds of a run; which devices a rank sees is told to each by itself."""
        row = self.store.run(number, run)
        words = told(self.store.job(number), run, Placement(row.kind, row.parts), ())
        words.pop("CUDA_VISIBLE_DEVICES", None)
        return Facts(str(self.store.log_of(number, run)), row.code, row.reason, words)

    def states(self) -> Sequence[NodeState]:
        """List all nodes, with the addresses under which they reach each other."""
        nodes = self.link.nodes()
        known = ((state, nodes.get(state.spec.name)) for state in super().states())
        return [state if node is None else state._replace(address=node["address"]) for state, node in known]

    def devices(self, node: str, slots: Iterable[int]) -> tuple[int, ...]:
        """Every host numbers its own."""
        return tuple(slots) if self.kind != "cpu" else ()

    def launcher(self, nodes: Sequence[str]) -> tuple[str, ...]:
        """Name the program that runs a command as a task on each of some nodes."""
        ids = ",".join(f"{name}={node['id']}" for name, node in self.link.nodes().items() if name in nodes)
        return (*module_command(LAUNCHER), self.address, ids, NODES, "--")

    def close(self) -> None:
        """Let go of everything; jobs go on."""
        super().close()
        self.link.end()


def open_engine(store: LiveStore, wish: Wish) -> RayCluster:
    """Open the cluster at the address that is named."""
    from importlib.util import find_spec

    if find_spec("ray") is None:
        raise MissingExtra("a Ray cluster", "ray")
    for word in wish.words:
        if word not in OPTIONS:
            raise InputError(f"the Ray cluster has no option '{word}'", f"there are: {', '.join(OPTIONS)}")
    words = wish.words
    try:
        fading_s = float(words.get("fading_s", HEAD_GONE_S))
    except ValueError:
        raise InputError(f"fading_s={words['fading_s']} is no number", "as in: --option fading_s=75") from None
    only, address = tuple(filter(None, words.get("nodes", "").split(","))), words.get("address", ADDRESS)
    made = RayCluster(address, store, wish.grace_s, True, only, words.get("kind", ""), fading_s)
    made.most_log_bytes = int(wish.log_gib * 2**30)
    return made
