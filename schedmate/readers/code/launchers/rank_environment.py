"""Put what the launchers settled where the followed program looks for it: counts, and the variables of each rank."""

import posixpath

import re2

from schedmate.knowledge.launchers import launchers
from schedmate.readers.code.launchers.batch_requests import gpus_per_node, slurm_variables
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.launchers.settled_counts import node_count, process_count, started_in_ranks
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import SourceLocation, Unknown, Value, held, is_constant, unknown
from schedmate.readers.code.values.whole_numbers import whole_count
from schedmate.tools.repository import NotReadable, Repository

TORCH = ("RANK", "LOCAL_RANK", "NODE_RANK", "GROUP_RANK")
MPI = ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "PMI_RANK")
MPI_SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE")
SRUN = ("SLURM_PROCID", "SLURM_LOCALID", "SLURM_NODEID", "SLURM_JOB_ID", "SLURM_JOBID")
SRUN_SIZES = ("SLURM_NTASKS", "SLURM_NPROCS")


def settle_facts(run: Run, launch: Launch) -> None:
    """Put what the launchers settled where the followed program looks for it."""
    settle_hosts(run.repository, launch)
    visible = gpus_per_node(launch)
    if visible is not None:
        run.facts["gpus_per_node"] = visible
    nodes = node_count(launch)
    if nodes is not None:
        run.facts["nodes"] = nodes
    size = process_count(launch, nodes)
    if size is not None and isinstance(size.data, int):
        run.facts["world_size"] = size
    if not started_in_ranks(launch):
        run.facts["alone"] = Value(1, (launch.spot,))
    run.environ.update({key: value for key, value in launch.environment.items() if is_constant(value)})
    if "array" in launch.asked:
        task = slurm_variables(launch).get("SLURM_ARRAY_TASK_ID")
        run.environ.update({"SLURM_ARRAY_TASK_ID": task} if task is not None else {})
    if started_in_ranks(launch):
        run.environ.update({**slurm_variables(launch), **rank_variables(launch, size), **run.environ})


def rank_variables(launch: Launch, size: Value | None) -> dict[str, Value]:
    """Give what the innermost launcher tells the first of its processes; a size that is not settled is unknown."""
    kind = launch.launchers[-1][0] if launch.launchers else ""
    here = (launch.launchers[-1][1],) if launch.launchers else ()
    zero = Value("0", here)
    world = Value(Unknown("the number of processes"))
    if size is not None and isinstance(size.data, int):
        world = Value(str(size.data), size.src)
    if any("mpi" in name for name, _ in launch.launchers):
        return {**dict.fromkeys(MPI, zero), **dict.fromkeys(MPI_SIZES, world)}
    if kind == "srun":
        found = {**dict.fromkeys(SRUN, zero), **dict.fromkeys(SRUN_SIZES, world)}
        return {**found, "SLURM_NODELIST": Value("localhost", here)}
    found = {**dict.fromkeys(TORCH, zero), "WORLD_SIZE": world}
    found |= {"MASTER_ADDR": Value("localhost", here), "MASTER_PORT": Value("29500", here)}
    local = launch.per_node
    is_known = local is not None and isinstance(local.data, int)
    found["LOCAL_WORLD_SIZE"] = Value(str(local.data), local.src) if local is not None and is_known else world
    if "torch" in kind or kind == "accelerate":
        found["TORCHELASTIC_RUN_ID"] = Value("none", here)
    return found


def rank_words(launch: Launch) -> list[Value]:
    """Give the word by which the innermost launcher tells a process its place, before the program's own words."""
    name, spot = launch.launchers[-1] if launch.launchers else ("", SourceLocation("", 1))
    entry = launchers().get(name)
    if entry is None or name not in entry.get("tells_rank", ()):
        return []
    if any(f"{entry['id']}.{option}" in launch.options for option in entry["keeps_rank"]):
        return []
    return [Value("--local_rank=0", (spot,))]


HOSTFILE_OPTIONS = ("hostfile", "machinefile", "H")
MOST_HOSTS = 20_000

MOST_SLOTS = 1_024
"""No machine starts more processes for devices; a larger number is none that can be counted out."""


def settle_hosts(repository: Repository, launch: Launch) -> None:
    """Count nodes and processes by a launcher's hostfile; one that is not in the repository leaves them open."""
    for kind in ("deepspeed", "colossalai", "mpirun", "horovodrun"):
        given = next((v for name in HOSTFILE_OPTIONS if (v := launch.options.get(f"{kind}.{name}")) is not None), None)
        if given is None or (kind in ("mpirun", "horovodrun") and given is launch.options.get(f"{kind}.H")):
            continue
        slots = read_hosts(repository, launch, str(given.data))
        if slots is None:
            lacking = unknown("the hostfile is not in the repository", given)
            launch.nodes = launch.nodes or nodes_that_are_listed(repository, launch, str(given.data)) or lacking
        elif kind == "deepspeed":
            settle_deepspeed(launch, slots)
        elif launch.nodes is None:
            launch.nodes = Value(len(slots), tuple(spot for _, spot in list(slots.values())[:4]))


ALLOCATED = re2.compile(
    r"scontrol\s+show\s+host|SLURM_(?:JOB_)?NODELIST|PBS_NODEFILE|LSB_(?:HOSTS|DJOB_HOSTFILE)|COBALT_NODEFILE"
)
"""How a batch script comes by the names of the nodes that it was given."""


def nodes_that_are_listed(repository: Repository, launch: Launch, name: str) -> Value | None:
    """Give the nodes that a batch script asks for, where it writes those that it is given into the hostfile."""
    stem, nodes = posixpath.basename(name).partition("$")[0], launch.asked.get("nodes")
    number_of_nodes = whole_count(str(nodes.data)) if nodes is not None else None
    if not stem or nodes is None or number_of_nodes is None or not launch.spot.path:
        return None
    try:
        text = repository.read_text(launch.spot.path)
    except NotReadable:
        return None
    is_written = re2.search(rf">\s*[\"']?(?:[^\s\"'|&;<>]*/)?{re2.escape(stem)}", text)
    return Value(number_of_nodes, nodes.src) if is_written and ALLOCATED.search(text) else None


def read_hosts(
    repository: Repository, launch: Launch, name: str
) -> dict[str, tuple[int | None, SourceLocation]] | None:
    """Read `host slots=8` or `host:8` lines; None where there is no such file."""
    for base in (launch.workdir, "."):
        path = posixpath.normpath(posixpath.join(base, name))
        written = launch.written.get(path)
        first = written.src[0] if written is not None and written.src else SourceLocation(path, 1)
        text = held(written, str) if written is not None else None
        if written is not None and text is None:
            return None
        try:
            text = repository.read_text(path) if text is None else text
        except NotReadable:
            continue
        found: dict[str, tuple[int | None, SourceLocation]] = {}
        for line_number, line in enumerate(text.split("\n")[:MOST_HOSTS], first.line):
            words = line.partition("#")[0].split()
            if words:
                host, _, inline = words[0].partition(":")
                if "$" in host:
                    return None  # hosts whose names only the run knows, so many as it has
                count = next((word.partition("=")[2] for word in words[1:] if "slots=" in word), inline)
                known = whole_count(count)
                is_sane = known is not None and known <= MOST_SLOTS
                found[host] = (known if is_sane else None, SourceLocation(first.path, line_number))
        return found or None
    return None


def settle_deepspeed(launch: Launch, slots: dict[str, tuple[int | None, SourceLocation]]) -> None:
    """Choose hosts and slots as DeepSpeed does: by --include, --exclude, --num_nodes and --num_gpus."""
    include, exclude = chosen(launch, "include", "i"), chosen(launch, "exclude", "e")
    hosts = {host: list(range(count or 0)) for host, (count, _) in slots.items()}
    if include:
        hosts = {host: devices or hosts.get(host, []) for host, devices in include.items()}
    for host, devices in exclude.items():
        hosts[host] = [device for device in hosts.get(host, []) if devices and device not in devices]
    hosts = {host: devices for host, devices in hosts.items() if devices}
    if launch.nodes is not None and isinstance(launch.nodes.data, int) and not include:
        hosts = dict(list(hosts.items())[: launch.nodes.data])
    most = launch.per_node.data if launch.per_node is not None and isinstance(launch.per_node.data, int) else None
    spots = tuple(slots[host][1] for host in hosts if host in slots)[:4]
    if hosts and spots:
        launch.nodes = Value(len(hosts), spots)
        launch.total = Value(sum(min(len(devices), most or len(devices)) for devices in hosts.values()), spots)


def chosen(launch: Launch, *names: str) -> dict[str, list[int]]:
    """Read `host@host:0,1`; a host without numbers means all its slots."""
    given = next((v for name in names if (v := launch.options.get(f"deepspeed.{name}")) is not None), None)
    found: dict[str, list[int]] = {}
    for part in str(given.data).split("@") if given is not None else []:
        host, _, devices = part.partition(":")
        found[host] = [place for device in devices.split(",") if (place := whole_count(device)) is not None]
    return found
