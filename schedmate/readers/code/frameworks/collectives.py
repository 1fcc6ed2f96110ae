"""Horovod, BytePS, MPI, Paddle and their like: how started processes join, and what they are told of one another."""

from collections.abc import Callable

from schedmate.knowledge.code_words import words
from schedmate.readers.code.frameworks.torch import init_group, known_fact, rank, say, spawn, world_size
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Call, Hook, Run, by_names
from schedmate.readers.code.values.value import Value, sequence_of, unknown

RINGS = words("processes.rings")


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
    """Remember that the processes which MPI started add up what each of them has."""
    signs = call.run.about(ProcessSigns)
    signs.joins, signs.joined_by = signs.joins or call.spot, signs.joined_by or "mpi4py"
    return None


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
