"""Put what the launchers settled where the followed program looks for it: variables, counts, configurations."""

import posixpath

from schedmate.readers.code.configs.loaders import load_config
from schedmate.readers.code.launchers.hostfiles import settle_hosts
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.launchers.ranks import node_count, process_count, started_in_ranks
from schedmate.readers.code.launchers.slurm import gpus_per_node, slurm_variables
from schedmate.readers.code.python.run import Run
from schedmate.readers.code.values import Unknown, Val, is_constant


def settle_facts(run: Run, launch: Launch) -> None:
    """Put what the launchers settled where the followed program looks for it."""
    read_accelerate(run, launch)
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
    run.environ.update({key: value for key, value in launch.environment.items() if is_constant(value)})
    if not started_in_ranks(launch):
        return
    here = (launch.launchers[-1][1],) if launch.launchers else ()
    world = (
        Val(str(size.data), size.src)
        if size is not None and isinstance(size.data, int)
        else Val(Unknown("the number of processes"))
    )
    zero = Val("0", here)
    names = {"RANK": zero, "LOCAL_RANK": zero, "WORLD_SIZE": world, "NODE_RANK": zero, "GROUP_RANK": zero}
    names |= {"MASTER_ADDR": Val("localhost", here), "MASTER_PORT": Val("29500", here)}
    kind = launch.launchers[-1][0] if launch.launchers else ""
    local = launch.per_node if launch.per_node is not None and isinstance(launch.per_node.data, int) else None
    names["LOCAL_WORLD_SIZE"] = Val(str(local.data), local.src) if local is not None else world
    if "torch" in kind or kind == "accelerate":
        names["TORCHELASTIC_RUN_ID"] = Val("none", here)
    if any("mpi" in name for name, _ in launch.launchers):
        names = {
            "OMPI_COMM_WORLD_RANK": zero,
            "OMPI_COMM_WORLD_LOCAL_RANK": zero,
            "OMPI_COMM_WORLD_SIZE": world,
            "PMI_RANK": zero,
            "PMI_SIZE": world,
        }
    if kind == "srun":
        names = {
            "SLURM_PROCID": zero,
            "SLURM_LOCALID": zero,
            "SLURM_NODEID": zero,
            "SLURM_NTASKS": world,
            "SLURM_NPROCS": world,
            "SLURM_JOB_ID": zero,
            "SLURM_JOBID": zero,
            "SLURM_NODELIST": Val("localhost", here),
        }
    run.environ.update({**slurm_variables(launch), **names, **run.environ})


def read_accelerate(run: Run, launch: Launch) -> None:
    """Take processes, machines and precision from accelerate's configuration file."""
    given = launch.options.get("accelerate.config_file")
    if given is None or not isinstance(given.data, str):
        return
    for base in (launch.workdir, "."):
        path = posixpath.normpath(posixpath.join(base, given.data))
        if run.repository.is_file(path):
            config = load_config(run, path)
            if config is None or not isinstance(config.data, dict):
                return
            run.configs.append(("accelerate", config))
            total, machines = config.data.get("num_processes"), config.data.get("num_machines")
            if launch.total is None and total is not None and isinstance(total.data, int):
                launch.total = total
            if launch.nodes is None and machines is not None and isinstance(machines.data, int):
                launch.nodes = machines
            for key in ("mixed_precision", "distributed_type", "deepspeed_config", "fsdp_config"):
                if key in config.data:
                    launch.options.setdefault(f"accelerate.{key}", config.data[key])
            return
    run.note(f"accelerate's configuration {given.data} is not in the repository")
    launch.options["accelerate.absent"] = given
