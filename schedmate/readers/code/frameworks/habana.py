"""Optimum for Gaudi: `DistributedRunner` starts a script on several cards, by MPI, by DeepSpeed or as torchrun does."""

from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.objects import ExternalResult, SpawnedCommand
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Value, held, sequence_of

ORDER = ("command_list", "world_size", "hostfile", "use_mpi", "use_deepspeed")


def start_scripts(call: Call) -> Value | None:
    """Model `DistributedRunner(...).run()`: each text of its list is a script with its words."""
    made = held(call.owner, ExternalResult)
    if made is None or not made.callee.startswith("optimum."):
        return None
    told = dict(zip(ORDER, made.args, strict=False)) | made.kwargs
    for command in sequence_of(told.get("command_list")):
        text = held(command, str)
        if text is not None:
            line = Value(f"{starter(told)} {text}", command.src or (made.spot,))
            call.run.about(ProcessSigns).commands.append(SpawnedCommand(line, made.spot))
    return Value(None)


def starter(told: dict[str, Value]) -> str:
    """Write what starts a script: on one card Python, else what is asked for; a file of hosts has them settled."""
    size, hosts = told.get("world_size"), told.get("hostfile")
    count = "1" if size is None else str(size.data) if type(size.data) is int else "$cards"
    if is_on(told, "use_deepspeed"):
        named = held(hosts, str)
        return f"deepspeed --hostfile {named}" if named else f"deepspeed --num_nodes 1 --num_gpus {count}"
    if count == "1":
        return "python"
    return f"mpirun -n {count} python" if is_on(told, "use_mpi") else f"torchrun --nproc_per_node {count}"


def is_on(told: dict[str, Value], name: str) -> bool:
    """Tell a switch that is on for certain."""
    return name in told and told[name].data is True


ENDINGS: dict[str, Hook] = {"DistributedRunner.run": start_scripts}
