"""What the user's program, arguments, data or paths got wrong."""

from evals.field.fallout import follow
from evals.field.faults.framework import every_rank, one_rank
from evals.field.faults.kinds import script
from evals.field.stage import Stage, Truth
from evals.field.tracebacks import of_rank, raised, traceback


def missing_key(stage: Stage) -> Truth:
    one_rank(stage, "own", "KeyError: 'position_ids'")
    return script("a record lacks a key")


def shapes_differ(stage: Stage) -> Truth:
    one_rank(stage, "forward", "RuntimeError: mat1 and mat2 shapes cannot be multiplied (4096x1024 and 768x768)")
    return script("shapes do not fit")


def file_missing(stage: Stage) -> Truth:
    one_rank(
        stage,
        "own",
        f"FileNotFoundError: [Errno 2] No such file or directory: '/data/corpus/train-{stage.job.number % 4096:05d}.bin'",
    )
    return script("a file of the data set is not there")


def module_missing(stage: Stage) -> Truth:
    every_rank(stage, "own", "ModuleNotFoundError: No module named 'einops'")
    return script("a module is not installed")


def checkpoint_misfit(stage: Stage) -> Truth:
    every_rank(stage, "own", "RuntimeError: Error(s) in loading state_dict for Transformer:",
        "\tsize mismatch for tok_embeddings.weight: copying a param with shape torch.Size([32000, 4096]) from checkpoint, the shape in current model is torch.Size([32064, 4096]).")  # fmt: skip
    return script("the checkpoint does not fit the model")


def loss_guard(stage: Stage) -> Truth:
    words = stage.job.rng.choice((
        "AssertionError: found NaN in local grad norm in backward pass before data-parallel communication collective. Device: 3, node: worker",
        "FloatingPointError: Loss is infinite or NaN!", "ValueError: loss diverged: nan at step 4181, stopping", "SystemExit: Loss is nan, stopping training",
    ))  # fmt: skip
    one_rank(stage, "own", words)
    return script("the program stopped itself for a loss that is no number")


def loader_raised(stage: Stage) -> Truth:
    """Let a worker of the loader raise; the rank raises it again, with the first traceback inside."""
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    word = job.rng.choice(
        (
            "IndexError: list index out of range",
            "ValueError: invalid literal for int() with base 10: 'n/a'",
            "KeyError: 'caption'",
        )
    )
    kind = word.partition(":")[0]
    outer = traceback(job, job.rng, "loader", f"{kind}: Caught {kind} in DataLoader worker process {job.number % 8}.")
    inner = ["Original Traceback (most recent call last):", *traceback(job, job.rng, "own", word)[1:]]
    lines = of_rank(job, rank, [*outer, *inner, ""])
    stage.say(at, rank, lines, root=len(lines) - 2)
    stage.lines[-len(lines) + len(outer) - 1].mark = 2
    stage.dies(rank, at + 0.5, 1)
    follow(stage, at + 1, rank)
    return script("a record of the data set is broken")


def device_assert(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    told = [
        f"/pytorch/aten/src/ATen/native/cuda/Indexing.cu:1553: indexSelectLargeIndex: block: [{job.number % 400},0,0], thread: [{t},0,0] Assertion `srcIndex < srcSelectDimSize` failed."
        for t in range(job.rng.choice((4, 32, 64)))
    ]
    stage.say(at, rank, told, root=0)
    lines, _ = raised(job, rank, "forward", "RuntimeError: CUDA error: device-side assert triggered",
        "CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.", "For debugging consider passing CUDA_LAUNCH_BLOCKING=1")  # fmt: skip
    stage.say(at + 0.3, rank, lines)
    stage.dies(rank, at + 1, 1)
    follow(stage, at + 1, rank)
    return Truth("script", reason="an index is out of range on the device", span=len(told))


def illegal_access(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    lines, where = raised(job, rank, "forward", "RuntimeError: CUDA error: an illegal memory access was encountered",
        "CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.")  # fmt: skip
    stage.say(at + 0.2, rank, lines, root=where)
    stage.kernel(
        at,
        job.host(rank),
        [
            f"NVRM: Xid (PCI:0000:{job.bus(rank)}:00): 31, pid={job.pid(rank)}, name=python3, Ch 00000008, intr 00000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_0 faulted @ 0x7f2b_d0000000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ"
        ],
        root=0,
    )
    stage.dies(rank, at + 1, 1)
    follow(stage, at + 1, rank)
    return script("a kernel of the program reads memory that is not its own")


def no_permission(stage: Stage) -> Truth:
    one_rank(stage, "own", f"PermissionError: [Errno 13] Permission denied: '/ckpt/{stage.job.number}/latest'")
    return script("a folder may not be written")


def port_taken(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    words = "The server socket has failed to listen on any local network address. port: 29500, useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use"
    lines, where = raised(job, 0, "init", f"torch.distributed.DistNetworkError: {words}")
    stage.say(at, 0, lines, root=where)
    stage.dies(0, at + 0.5, 1)
    follow(stage, at + 1, 0)
    return script("the port is in use")


def wrong_type(stage: Stage) -> Truth:
    every_rank(stage, "own", "TypeError: Trainer.__init__() got an unexpected keyword argument 'tokenizer'")
    return script("a library is called with an argument that it does not know")


FAMILIES = [
    (missing_key, False, ()), (shapes_differ, False, ()), (file_missing, False, ()), (module_missing, True, ()), (checkpoint_misfit, True, ()),
    (loss_guard, False, ()), (loader_raised, False, ()), (device_assert, False, ()), (illegal_access, False, ()), (no_permission, False, ()),
    (port_taken, True, ()), (wrong_type, True, ()),
]  # fmt: skip
