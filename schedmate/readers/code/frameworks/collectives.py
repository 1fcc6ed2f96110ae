"""Horovod, BytePS, Paddle and their like: how started processes join, and what they are told of one another."""

from schedmate.knowledge.code_words import words
from schedmate.readers.code.frameworks.torch import init_group, known_fact, rank, say, spawn, world_size
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Call, Hook, by_names
from schedmate.readers.code.values.value import Value

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


HOOKS: dict[str, Hook] = {
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
