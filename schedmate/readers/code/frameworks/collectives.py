"""Horovod, BytePS, MPI, Paddle and their like: how started processes join, and what they are told of one another."""

from collections.abc import Callable

from schedmate.knowledge.code_words import words
from schedmate.readers.code.frameworks.torch import init_group, known_fact, rank, say, spawn, world_size
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.run import Call, Hook, Run, by_names
from schedmate.readers.code.values.value import Unknown, Value, sequence_of, unknown

RINGS = words("processes.rings")
GRADIENTS = words("training.gradients")

NUMBERS = ("item", "len", "mean", "float", "int")
"""Calls that give one number."""


def ring_size(call: Call) -> Value | None:
    """Give the number of processes; a program that no launcher starts is alone in its ring."""
    return call.run.facts.get("world_size") or call.run.facts.get("alone") or world_size(call)


def parallel_environment(call: Call) -> Value | None:
    """Model `paddle.distributed.ParallelEnv()` as its first process sees it."""
    size = ring_size(call) or Value(None)
    zero = Value(0, (call.spot,))
    attrs = dict.fromkeys(("nranks", "world_size"), size)
    attrs.update(dict.fromkeys(("rank", "local_rank", "dev_id", "device_id"), zero))
    return Value(ExternalResult(call.name, [], {}, call.spot, attrs=attrs), (call.spot,))


def reduce_by_mpi(call: Call) -> Value | None:
    """Remember that the processes which MPI started add up, step by step, what each of them has."""
    if not (adds_up(call) and belongs_to_step(call)) or is_number(call.arg(0, "sendobj")):
        return None
    signs = call.run.about(ProcessSigns)
    signs.joins, signs.joined_by = signs.joins or call.spot, signs.joined_by or "mpi4py"
    return None


def adds_up(call: Call) -> bool:
    """Tell a sum, which MPI takes where nothing else is said, from the least or the best of what each has."""
    place = 1 if call.name.endswith("allreduce") else 2
    told = call.arg(place, "op")
    return told is None or str(getattr(told.data, "name", "")).endswith(".SUM")


def belongs_to_step(call: Call) -> bool:
    """Tell a call beside the gradients, in the loop that works them out, from one behind all steps or each epoch."""
    gradients = [event.loops for event in call.run.events if event.short in GRADIENTS]
    here = call.run.loops
    if gradients:
        return any(loops and here[: len(loops)] == list(loops) for loops in gradients)
    return bool(here) or call.scope.parent is not None


def is_number(sent: Value | None) -> bool:
    """Tell one number, such as a loss or how many were right: gradients are many."""
    if sent is None or type(sent.data) in (int, float):
        return True
    if isinstance(sent.data, Unknown):
        return sent.data.reason is Reason.NUMBER
    return isinstance(sent.data, ExternalResult) and sent.data.short in NUMBERS


def run_in_graph(call: Call) -> Value | None:
    """Model TensorFlow's `py_func(work, rows, type)`: plain Python that a step carries out."""
    call.run.call(call.need(0, "func"), list(sequence_of(call.arg(1, "inp"))), {}, call.spot, call.scope)
    return None


ENDINGS: dict[str, Hook] = by_names("COMM_WORLD.Allreduce COMM_WORLD.allreduce COMM_WORLD.Reduce", reduce_by_mpi)
VALUES: dict[str, Callable[[Run], Value]] = {
    "mpi4py.MPI.COMM_WORLD.rank": lambda run: Value(0),
    "mpi4py.MPI.COMM_WORLD.size": lambda run: (
        run.facts.get("world_size") or run.facts.get("alone") or unknown("the number of processes")
    ),
}
HOOKS: dict[str, Hook] = {
    **by_names("mpi4py.MPI.COMM_WORLD.Get_size", ring_size),
    **by_names("mpi4py.MPI.COMM_WORLD.Get_rank", rank),
    **by_names("tensorflow.py_func tensorflow.numpy_function tensorflow.py_function", run_in_graph),
    "tensorflow.compat.v1.py_func": run_in_graph,
    **{f"{ring}.{name}": init_group for ring in RINGS for name in ("init", "init_process_group")},
    **{f"{ring}.{name}": ring_size for ring in RINGS for name in ("size", "get_world_size")},
    **{f"{ring}.{name}": rank for ring in RINGS for name in ("rank", "local_rank", "get_rank", "get_local_rank")},
    **by_names("paddle.distributed.init_parallel_env paddle.distributed.fleet.init", init_group),
    "mindspore.communication.init": init_group,
    **by_names("paddle.distributed.get_world_size mindspore.communication.get_group_size", ring_size),
    "oneflow.env.get_world_size": ring_size,
    **by_names("paddle.distributed.get_rank mindspore.communication.get_rank oneflow.env.get_rank", rank),
    "paddle.distributed.spawn": spawn,
    "paddle.distributed.ParallelEnv": parallel_environment,
    **by_names("paddle.is_compiled_with_cuda paddle.device.is_compiled_with_cuda", say(True)),
    "paddle.device.cuda.device_count": known_fact("gpus_per_node"),
}
