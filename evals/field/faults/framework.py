"""The software under the user's program gives up."""

from evals.field.fallout import follow
from evals.field.faults.kinds import framework
from evals.field.stage import Stage, Truth
from evals.field.tracebacks import raised


def one_rank(stage: Stage, where: str, *last: str, before: list[str] | None = None, code: int = 1) -> None:
    """Let one rank die of an exception, and the others follow."""
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    stage.say(at - 0.5, rank, before or [])
    lines, root = raised(job, rank, where, *last)
    stage.say(at, rank, lines, root=root)
    stage.dies(rank, at + 0.5, code)
    follow(stage, at + 1, rank)


def every_rank(stage: Stage, where: str, *last: str) -> None:
    """Let every rank die of the same exception, some milliseconds apart."""
    job, at = stage.job, stage.trouble
    step = max(1, job.ranks * 16 // max(64, job.size // 2))
    for count, rank in enumerate(range(0, job.ranks, step)):
        lines, root = raised(job, rank, where, *last)
        stage.say(at + count * 0.02, rank, lines, root=root if count == 0 else None)
        stage.dies(rank, at + 0.5 + count * 0.02, 1)
    follow(stage, stage.over + 1, 0)


def device_memory(stage: Stage) -> Truth:
    gib = stage.job.rng.randrange(2, 40)
    one_rank(stage, stage.job.rng.choice(("forward", "backward")),
        f"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {gib}.00 GiB. GPU {stage.job.number % 8} has a total capacity of 79.11 GiB of which 1.03 GiB is free. Including non-PyTorch memory, this process has 78.07 GiB memory in use. Of the allocated memory 71.21 GiB is allocated by PyTorch, and 4.11 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for Memory Management  (https://pytorch.org/docs/stable/notes/cuda.html#environment-variables)")  # fmt: skip
    return framework("device memory ran out")


def loader_killed(stage: Stage) -> Truth:
    pid = stage.job.number % 90_000 + 4_000
    one_rank(stage, "forward", f"RuntimeError: DataLoader worker (pid {pid}) is killed by signal: Killed. ")
    return framework("a loader's worker was killed by a signal", accept_also="infrastructure")


def loader_bus_error(stage: Stage) -> Truth:
    pid = stage.job.number % 90_000 + 4_000
    first = (
        "ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm)."
    )
    job = stage.job
    rank = job.rng.randrange(job.ranks)
    stage.say(stage.trouble, rank, [first], root=0)
    lines, root = raised(
        job,
        rank,
        "forward",
        f"RuntimeError: DataLoader worker (pid {pid}) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory. Please try to raise your shared memory limit.",
    )
    stage.say(stage.trouble + 0.3, rank, lines, root=root)
    stage.dies(rank, stage.trouble + 1, 1)
    follow(stage, stage.trouble + 1, rank)
    return framework("a loader's worker ran out of shared memory", accept_also="infrastructure")


def collectives_differ(stage: Stage) -> Truth:
    rank = stage.job.rng.randrange(1, stage.job.ranks)
    one_rank(stage, "reduce",
        f"RuntimeError: Detected mismatch between collectives on ranks. Rank {rank} is running collective: CollectiveFingerPrint(SequenceNumber=88, OpType=ALLREDUCE, TensorShape=[1024], TensorDtypes=Float, TensorDeviceTypes=TensorOptions(dtype=float (default), device=cuda, layout=Strided (default), requires_grad=false (default), pinned_memory=false (default), memory_format=(nullopt))), but Rank 0 is running collective: CollectiveFingerPrint(SequenceNumber=88, OpType=BROADCAST).Collectives differ in the following aspects: \t Op type: ALLREDUCEvs BROADCAST")  # fmt: skip
    return framework("ranks called different collectives")


def no_kernel_image(stage: Stage) -> Truth:
    every_rank(stage, "forward", "RuntimeError: CUDA error: no kernel image is available for execution on the device",
        "CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.", "For debugging consider passing CUDA_LAUNCH_BLOCKING=1")  # fmt: skip
    return framework("the build holds no code for this device")


def undefined_symbol(stage: Stage) -> Truth:
    every_rank(
        stage,
        "own",
        "ImportError: /opt/venv/lib/python3.12/site-packages/flash_attn_2_cuda.cpython-312-x86_64-linux-gnu.so: undefined symbol: _ZN3c105ErrorC2ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    )
    return framework("an extension was built for another torch")


def unused_parameters(stage: Stage) -> Truth:
    every_rank(stage, "forward",
        "RuntimeError: Expected to have finished reduction in the prior iteration before starting a new one. This error indicates that your module has parameters that were not used in producing loss. You can enable unused parameter detection by passing the keyword argument `find_unused_parameters=True` to `torch.nn.parallel.DistributedDataParallel`, and by ",
        "making sure all `forward` function outputs participate in calculating loss. ",
        "If you already have done the above, then the distributed data parallel module wasn't able to locate the output tensors in the return value of your module's `forward` function. Please include the loss function and the structure of the return value of `forward` of your module when reporting this issue (e.g. list, dict, iterable).",
        "Parameter indices which did not receive grad for rank 0: 12 13")  # fmt: skip
    return framework("parameters took no part in the loss")


def in_place(stage: Stage) -> Truth:
    every_rank(
        stage,
        "backward",
        "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.cuda.FloatTensor [4096]], which is output 0 of AsStridedBackward0, is at version 3; expected version 2 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True).",
    )
    return framework("a tensor was changed in place before its gradient")


FAMILIES = [
    (device_memory, False, ()), (loader_killed, False, ()), (loader_bus_error, False, ()), (collectives_differ, False, ()),
    (no_kernel_image, True, ()), (undefined_symbol, True, ()), (unused_parameters, True, ()), (in_place, True, ()),
]  # fmt: skip
