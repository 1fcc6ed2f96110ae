"""First causes of every class, in words of our own making: as the systems write them, with values drawn anew."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class Cause:
    """The lines that state a cause; `root` says which of them is the first to do so."""

    category: str
    subcategory: str
    lines: tuple[str, ...]
    root: int = 0
    component: str = ""


Maker = Callable[[Random], Cause]


def host(rng: Random) -> str:
    """Draw a host's name."""
    return f"{rng.choice(['gpu', 'hgx', 'dgx-a', 'cn', 'worker-'])}{rng.randrange(10, 400):03d}"


def pci(rng: Random) -> str:
    """Draw a GPU's address."""
    return f"0000:{rng.randrange(16, 240):02x}:00"


def kernel(rng: Random, name: str, text: str) -> str:
    """Write a line as the kernel's ring buffer reaches syslog."""
    return f"Mar  {rng.randrange(1, 9)} 11:{rng.randrange(60):02d}:{rng.randrange(60):02d} {name} kernel: [{rng.randrange(9**6)}.{rng.randrange(10**6):06d}] {text}"


def xid(number: int, text: str, subcategory: str = "gpu", category: str = "infrastructure") -> Maker:
    """Make a maker for one Xid."""

    def make(rng: Random) -> Cause:
        name = host(rng)
        body = text.replace("{pid}", str(rng.randrange(2000, 99999)))
        line = kernel(rng, name, f"NVRM: Xid (PCI:{pci(rng)}): {number}, {body}")
        return Cause(category, subcategory, (line,), 0, name)

    return make


def on_host(category: str, subcategory: str, *texts: str, root: int = 0) -> Maker:
    """Make a maker for kernel lines of one host."""

    def make(rng: Random) -> Cause:
        name = host(rng)
        lines = tuple(kernel(rng, name, text.replace("{n}", str(rng.randrange(10, 9999)))) for text in texts)
        return Cause(category, subcategory, lines, root, name)

    return make


def printed(category: str, subcategory: str, *texts: str, root: int = 0) -> Maker:
    """Make a maker for lines of the job itself."""

    def make(rng: Random) -> Cause:
        name, number = host(rng), str(rng.randrange(10, 9999))
        return Cause(
            category, subcategory, tuple(t.replace("{host}", name).replace("{n}", number) for t in texts), root
        )

    return make


def raised(
    category: str, subcategory: str, exception: str, frames: Sequence[tuple[str, str]] = (), extra: Sequence[str] = ()
) -> Maker:
    """Make a maker for a Python traceback; its last line is the root."""

    def make(rng: Random) -> Cause:
        lines = ["Traceback (most recent call last):"]
        stack = [
            ("/home/user/project/train.py", "main()"),
            ("/home/user/project/engine/loop.py", "out = step(batch)"),
            *frames,
        ]
        for path, code in stack:
            lines += [
                f'  File "{path}", line {rng.randrange(5, 900)}, in {code.split("(")[0].split()[-1]}',
                f"    {code}",
            ]
        root = len(lines)
        lines += [exception.replace("{n}", str(rng.randrange(10, 9999))).replace("{host}", host(rng)), *extra]
        return Cause(category, subcategory, tuple(lines), root)

    return make


TORCH = "/opt/conda/lib/python3.11/site-packages/torch"
CAUSES: tuple[Maker, ...] = (
    xid(79, "pid='<unknown>', name=<unknown>, GPU has fallen off the bus."),
    xid(
        48,
        "pid={pid}, name=python3, An uncorrectable double bit error (DBE) has been detected on GPU in the framebuffer at partition 3, subpartition 0.",
    ),
    xid(94, "pid={pid}, name=pt_main_thread, Contained: SM (0x1). RST: No, D-RST: No"),
    xid(95, "pid={pid}, name=pt_main_thread, Uncontained: FBHUB. RST: Yes, D-RST: No"),
    xid(
        119,
        "pid={pid}, name=nvidia-smi, Timeout after 6s of waiting for RPC response from GPU1 GSP! Expected function 76 (GSP_RM_CONTROL) (0x20801348 0x410).",
    ),
    xid(62, "pid={pid}, name=python, 2027(2db8) 00000000 00000000"),
    xid(64, "pid='<unknown>', name=<unknown>, Failed to persist row remap table - too many pages"),
    xid(
        74,
        "pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link 7(0x10000, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0)",
        "nvlink",
    ),
    xid(
        31,
        "pid={pid}, name=python, Ch 00000008, intr 00000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_3 faulted @ 0x7f3e_b6000000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ",
        "",
        "script",
    ),
    on_host(
        "infrastructure", "nvlink", "nvidia-nvswitch3: SXid (PCI:0000:c4:00.0): 20034, Fatal, Link 41 LTSSM Fault Up"
    ),
    printed(
        "infrastructure",
        "nvlink",
        "{host}: nvidia-fabricmanager[{n}]: detected NVSwitch fatal error 19084 on physical id 2, all jobs on the partition are stopped",
    ),
    printed(
        "infrastructure",
        "gpu",
        "{host}: Unable to determine the device handle for GPU0000:41:00.0: GPU is lost.  Reboot the system to recover this GPU",
    ),
    raised("infrastructure", "gpu", "RuntimeError: CUDA error: uncorrectable ECC error encountered"),
    on_host(
        "infrastructure",
        "network",
        "mlx5_core 0000:a3:00.0 ib{n}: Link down",
        "mlx5_core 0000:a3:00.0: Port module event: module 0, Cable unplugged",
    ),
    printed(
        "infrastructure",
        "network",
        "{host}:{n}:8812 [3] transport/net_ib.cc:1295 NCCL WARN NET/IB : Got completion from peer 10.2.7.11<41211> with status=12 opcode=0 len=0 vendor err 129 (Recv)",
    ),
    raised("infrastructure", "network", "socket.gaierror: [Errno -3] Temporary failure in name resolution"),
    on_host(
        "infrastructure",
        "node",
        "python invoked oom-killer: gfp_mask=0x140cca(GFP_HIGHUSER_MOVABLE|__GFP_COMP), order=0, oom_score_adj=0",
        "Out of memory: Killed process {n} (python) total-vm:431222096kB, anon-rss:402112004kB",
    ),
    on_host(
        "infrastructure",
        "node",
        "EXT4-fs error (device nvme0n1p2): ext4_find_entry:1455: inode #{n}: comm python: reading directory lblock 0",
        "EXT4-fs (nvme0n1p2): Remounting filesystem read-only",
    ),
    on_host(
        "infrastructure", "node", "mce: [Hardware Error]: CPU 12: Machine Check Exception: 5 Bank 7: be00000000800400"
    ),
    on_host(
        "infrastructure",
        "node",
        "EDAC skx MC2: HANDLING MCE MEMORY ERROR",
        "EDAC MC2: 1 UE memory read error on CPU_SrcID#1_MC#0_Chan#0_DIMM#0 (channel:0 slot:0 page:0x4d{n} offset:0x0 grain:32)",
    ),
    raised(
        "infrastructure", "node", "OSError: [Errno 28] No space left on device: '/local/scratch/cache/part-{n}.arrow'"
    ),
    raised("infrastructure", "node", "OSError: [Errno 116] Stale file handle: '/nfs/data/train/{n}.npy'"),
    printed(
        "infrastructure",
        "node",
        "slurmstepd: error: *** STEP {n}.0 ON {host} CANCELLED AT 2025-03-04T02:11:09 DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS ***",
    ),
    printed(
        "infrastructure",
        "other",
        "slurmstepd: error: *** JOB {n} ON {host} CANCELLED AT 2025-03-04T02:11:09 DUE TO PREEMPTION ***",
    ),
    raised(
        "infrastructure",
        "other",
        "botocore.exceptions.ClientError: An error occurred (SlowDown) when calling the PutObject operation (reached max retries: 4): Please reduce your request rate.",
    ),
    raised(
        "framework",
        "",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.{n} GiB. GPU 5 has a total capacity of 79.15 GiB of which 1.02 GiB is free.",
        [(f"{TORCH}/nn/modules/linear.py", "return F.linear(input, self.weight, self.bias)")],
    ),
    raised(
        "framework",
        "",
        "RuntimeError: DataLoader worker (pid {n}) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory. Please try to raise your shared memory limit.",
    ),
    raised("framework", "", "RuntimeError: CUDA error: no kernel image is available for execution on the device"),
    raised(
        "framework",
        "",
        "ImportError: /opt/conda/lib/python3.11/site-packages/flash_attn_2_cuda.cpython-311-x86_64-linux-gnu.so: undefined symbol: _ZN3c104cuda9SetDeviceEi",
    ),
    raised(
        "framework",
        "",
        "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.cuda.FloatTensor [{n}, 256]], which is output 0 of ReluBackward0, is at version 2; expected version 1 instead.",
    ),
    raised(
        "framework",
        "",
        "torch._inductor.exc.LoweringException: AssertionError: stride mismatch at {n}",
        [(f"{TORCH}/_inductor/graph.py", "out = lowerings[target](*args)")],
    ),
    raised(
        "framework",
        "",
        'RuntimeError: !handles_.at(i) INTERNAL ASSERT FAILED at "../c10/cuda/driver_api.cpp":15, please report a bug to PyTorch.',
    ),
    raised("script", "", "KeyError: 'pixel_values_{n}'"),
    raised("script", "", "project.guards.LossWentAway: the loss is not finite at step {n}"),
    raised(
        "script",
        "",
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x{n} and 768x1000)",
        [(f"{TORCH}/nn/modules/linear.py", "return F.linear(input, self.weight, self.bias)")],
    ),
    raised("script", "", "FileNotFoundError: [Errno 2] No such file or directory: '/data/sets/imagenet/val/{n}.tar'"),
    raised("script", "", "ModuleNotFoundError: No module named 'einops_{n}'"),
    raised("script", "", "AssertionError: global batch {n} is not divisible by the number of ranks"),
    raised("script", "", "RuntimeError: CUDA error: device-side assert triggered"),
    raised(
        "script",
        "",
        "RuntimeError: Error(s) in loading state_dict for Net:",
        (),
        [
            "\tsize mismatch for head.weight: copying a param with shape torch.Size([1000, 768]) from checkpoint, the shape in current model is torch.Size([21841, 768])."
        ],
    ),
    raised("script", "", "PermissionError: [Errno 13] Permission denied: '/ckpt/shared/run{n}'"),
    printed("script", "", "train.py: error: unrecognized arguments: --warmup-steps={n}"),
    printed("script", "", "/var/spool/slurmd/job{n}/slurm_script: line 31: accelerate: command not found"),
    printed(
        "other", "", "slurmstepd: error: *** JOB {n} ON {host} CANCELLED AT 2025-03-04T02:11:09 DUE TO TIME LIMIT ***"
    ),
    printed("other", "", "slurmstepd: error: *** STEP {n}.0 ON {host} CANCELLED AT 2025-03-04T02:11:09 ***"),
    printed(
        "infrastructure",
        "gpu",
        "{host}:{n}:2300 [4] include/checks.h:27 NCCL WARN Cuda failure 'uncorrectable ECC error encountered'",
    ),
    printed("infrastructure", "node", "Failed to initialize NVML: Driver/library version mismatch"),
    printed(
        "infrastructure",
        "node",
        "slurmstepd: error: Detected 1 oom_kill event in StepId={n}.0. Some of the step tasks have been OOM Killed.",
    ),
    on_host("infrastructure", "node", "watchdog: BUG: soft lockup - CPU#12 stuck for 23s! [python:{n}]"),
    printed("infrastructure", "node", "srun: error: Node failure on {host}"),
    raised(
        "infrastructure",
        "nvlink",
        "RuntimeError: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before? Error 802: system not yet initialized",
    ),
    printed(
        "infrastructure",
        "network",
        "{host}:{n}:333 [0] NCCL WARN NET/OFI Request 0x7f1c completed with error. RC: 103. Error: Unresponsive receiver",
    ),
    raised(
        "infrastructure",
        "other",
        "huggingface_hub.errors.HfHubHTTPError: 503 Server Error: Service Unavailable for url: https://huggingface.co/api/models/m{n}",
    ),
    raised("framework", "", "RuntimeError: cuDNN error: CUDNN_STATUS_EXECUTION_FAILED"),
    raised("framework", "", "RuntimeError: Function 'MulBackward0' returned nan values in its 0th output."),
    raised(
        "framework",
        "",
        "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate {n} bytes.",
    ),
    raised("script", "", "RuntimeError: CUDA error: an illegal memory access was encountered"),
    raised(
        "script",
        "",
        "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!",
    ),
    raised("script", "", "json.decoder.JSONDecodeError: Expecting value: line 1 column {n} (char 0)"),
    raised("script", "", "project.data.ShardEmpty: shard {n} has no rows"),
    printed("script", "", "python: can't open file '/home/user/project/tran.py': [Errno 2] No such file or directory"),
)
