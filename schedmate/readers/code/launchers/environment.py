"""Put what the launchers settled where the followed program looks for it: counts, and the variables of each rank."""

from schedmate.knowledge.launchers import launchers
from schedmate.readers.code.launchers.hostfiles import settle_hosts
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.launchers.ranks import node_count, process_count, started_in_ranks
from schedmate.readers.code.launchers.slurm import gpus_per_node, slurm_variables
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import SourceLocation, Unknown, Value, is_constant

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
