"""Accelerators and the links between them."""

from evals.field.fallout import follow
from evals.field.faults.kinds import gpu, nvlink, pick
from evals.field.stage import Stage, Truth
from evals.field.tracebacks import raised

ASYNC = (
    "CUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.",
    "For debugging consider passing CUDA_LAUNCH_BLOCKING=1",
    "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.",
    "",
)


def cuda_error(stage: Stage, rank: int, at: float, text: str, *, root: bool) -> None:
    """Let a rank die of an error that the driver handed to it."""
    kind = "torch.AcceleratorError" if stage.job.number % 2 else "RuntimeError"
    lines, where = raised(
        stage.job, rank, pick(stage, ("forward", "backward", "own")), f"{kind}: CUDA error: {text}", *ASYNC
    )
    stage.say(at, rank, lines, root=where if root else None)
    stage.dies(rank, at + 0.5, 1)


def fell_off_bus(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    pci = f"0000:{job.bus(rank)}:00"
    stage.kernel(at, job.host(rank), [
        f"NVRM: GPU at PCI:{pci}: GPU-{job.number:08x}-c002-f593-ac86-cd8e57757b94",
        f"NVRM: Xid (PCI:{pci}): 79, pid={job.pid(rank)}, name=python3, GPU has fallen off the bus.",
        f"NVRM: GPU {pci}.0: GPU has fallen off the bus.",
        f"NVRM: GPU {pci}.0: GPU serial number is 165222200{job.number % 10000:04d}.",
        "NVRM: A GPU crash dump has been created. If possible, please run",
    ], root=1)  # fmt: skip
    cuda_error(stage, rank, at + 2, pick(stage, ("unknown error", "unspecified launch failure")), root=False)
    follow(stage, at + 3, rank)
    return gpu(job, rank, "a GPU fell off the bus", span=2)


def uncorrectable_memory(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    pci = f"0000:{job.bus(rank)}:00"
    cuda_error(stage, rank, at + 0.2, "uncorrectable ECC error encountered", root=True)
    if job.rng.random() < 0.6:
        stage.kernel(at, job.host(rank), [
            f"NVRM: Xid (PCI:{pci}): 48, pid={job.pid(rank)}, name=python3, An uncorrectable double bit error (DBE) has been detected on GPU in the framebuffer at partition 6, subpartition 0.",
            f"NVRM: Xid (PCI:{pci}): 45, pid={job.pid(rank)}, name=python3, Ch 00000010",
        ], root=0)  # fmt: skip
    follow(stage, at + 2, rank)
    return gpu(job, rank, "uncorrectable memory error of a GPU")


def gsp_timeout(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    pci = f"0000:{job.bus(rank)}:00"
    stage.kernel(at, job.host(rank), [
        f"NVRM: Xid (PCI:{pci}): 119, pid={job.pid(rank)}, name=python3, Timeout after 6s of waiting for RPC response from GPU{job.local(rank)} GSP! Expected function 76 (GSP_RM_CONTROL) (0x20802002 0x8).",
        "NVRM: GPU0 GSP RPC buffer contains function 4097 (GSP_INIT_DONE) and data 0x0000000000000000 0x0000000000000000.",
        "NVRM: GPU0 RPC history (CPU -> GSP):",
        "NVRM:     entry function                   data0              data1",
        "NVRM:      0    76   GSP_RM_CONTROL        0x0000000020802002 0x0000000000000008",
    ], root=0)  # fmt: skip
    stage.dies(rank, at + 3_700, -9)
    follow(stage, at + 1, rank, hangs=True)
    return gpu(job, rank, "the firmware of a GPU stopped answering")


def missing_device(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    host = job.rng.choice(job.names)
    rank = job.first_rank(host) + job.per_host - 1
    pci = f"0000:{job.bus(rank).upper()}:00.0"
    stage.say(at, job.first_rank(host), [f"Unable to determine the device handle for GPU {pci}: Unknown Error"], root=0)
    lines, _ = raised(job, rank, "own", "RuntimeError: CUDA error: invalid device ordinal", *ASYNC)
    stage.say(at + 5, rank, lines)
    stage.dies(rank, at + 6, 1)
    follow(stage, at + 6, rank)
    return gpu(job, rank, "a host has lost one of its GPUs", span=1)


def link_error(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    pci = f"0000:{job.bus(rank)}:00"
    link = job.rng.randrange(18)
    stage.kernel(at, job.host(rank), [
        f"NVRM: Xid (PCI:{pci}): 74, pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link {link}(0x10000, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0)",
        f"NVRM: Xid (PCI:{pci}): 45, pid={job.pid(rank)}, name=python3, Ch 00000012",
    ], root=0)  # fmt: skip
    cuda_error(stage, rank, at + 1, pick(stage, ("unspecified launch failure", "unknown error")), root=False)
    follow(stage, at + 3, rank)
    return nvlink(job, rank, "fatal error of an NVLink")


def link_uncorrectable(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    cuda_error(stage, rank, at, "uncorrectable NVLink error detected during the execution", root=True)
    follow(stage, at + 2, rank)
    return nvlink(job, rank, "uncorrectable NVLink error")


def fabric_not_up(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    host = job.rng.choice(job.names)
    first = job.first_rank(host)
    for rank in job.ranks_of(host):
        told = "RuntimeError: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before calling NumCudaDevices() that might have already set an error? Error 802: system not yet initialized"
        lines, where = raised(job, rank, "own", told)
        stage.say(at + (rank - first) * 0.2, rank, lines, root=where if rank == first else None)
        stage.dies(rank, at + 0.3 + rank * 0.01, 1)
    follow(stage, at + 3, first)
    return nvlink(job, first, "the fabric manager of a host is not up", device=False)


FAMILIES = [
    (fell_off_bus, False, ()), (uncorrectable_memory, False, ()), (gsp_timeout, False, ()), (missing_device, True, ()),
    (link_error, False, ()), (link_uncorrectable, False, ()), (fabric_not_up, True, ()),
]  # fmt: skip
