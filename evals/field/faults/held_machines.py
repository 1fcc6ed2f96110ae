"""Families of the second set: machines, networks and sites in words that the first set does not have."""

from evals.field.fallout import follow, killed_along
from evals.field.faults.kinds import elsewhere, gpu, network, node, nvlink
from evals.field.stage import Stage, Truth
from evals.field.tracebacks import raised


def uncontained(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    pci = f"0000:{job.bus(rank)}:00"
    stage.kernel(at, job.host(rank), [
        f"NVRM: Xid (PCI:{pci}): 95, pid={job.pid(rank)}, name=python3, Uncontained: LTC TAG (0x3,0x0). RST: Yes, D-RST: No",
        f"NVRM: Xid (PCI:{pci}): 64, pid='<unknown>', name=<unknown>, Row Remapper: row remapping failure",
        f"NVRM: Xid (PCI:{pci}): 154, pid='<unknown>', name=<unknown>, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)",
    ], root=0)  # fmt: skip
    stage.dies(rank, at + 2, -6)
    follow(stage, at + 3, rank)
    return gpu(job, rank, "memory of a GPU failed and could not be remapped", span=3)


def amd_reset(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    card = f"amdgpu 0000:{job.bus(rank)}:00.0: amdgpu:"
    stage.kernel(at, job.host(rank), [
        f"{card} ring sdma0.0 timeout, signaled seq=7712, emitted seq=7714", f"{card} GPU reset begin!. Source:  1",
        f"{card} GPU psp mode1 reset", f"{card} GPU reset end with ret = -110", f"{card} GPU Recovery Failed: -110",
    ], root=0)  # fmt: skip
    lines, _ = raised(
        job,
        rank,
        "forward",
        "RuntimeError: HIP error: unspecified launch failure",
        "HIP kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.",
    )
    stage.say(at + 4, rank, lines)
    stage.dies(rank, at + 5, 1)
    follow(stage, at + 5, rank)
    return gpu(job, rank, "an accelerator hung and could not be reset", span=5)


def wrong_sums(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    stage.host_says(
        at,
        [
            f"{job.clock(at, '%Y-%m-%d %H:%M:%S')} sdc-screen[{job.host(rank)}]: accelerator {job.local(rank)}: reference matmul differs in 17 of 16777216 elements, card computes wrong results, asking the scheduler to stop the job"
        ],
        root=0,
    )
    killed_along(stage, at + 5)
    return gpu(job, rank, "a GPU computes wrong results")


def switch_fatal(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    host = job.rng.choice(job.names)
    stage.kernel(at, host, [
        "nvidia-nvswitch2: SXid (PCI:0000:86:00.0): 20034, Fatal, Link 30 LTSSM Fault Up",
        "nvidia-nvswitch2: SXid (PCI:0000:86:00.0): 20034, Severity 1 Engine instance 30 Sub-engine instance 00",
    ], root=0)  # fmt: skip
    rank = job.first_rank(host) + 1
    lines, _ = raised(job, rank, "reduce", "RuntimeError: CUDA error: unspecified launch failure")
    stage.say(at + 2, rank, lines)
    stage.dies(rank, at + 3, 1)
    follow(stage, at + 3, rank)
    return nvlink(job, rank, "fatal error of an NVSwitch", device=False)


def libfabric(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    head = f"{job.host(rank)}:{job.pid(rank)}:{job.pid(rank) + 31} [{job.local(rank)}]"
    stage.say(at, rank, [
        f"{head} nccl_net_ofi_rdma.cc:1221 NCCL WARN NET/OFI Request 0x7f14cc5b60c0 completed with error. RC: 107. Error: 4123 (Unresponsive remote. Local address: fi_addr_efa://[fe80::8c4:21ff:fe5b:1]:0:1). Completed length: 0",
        f"{head} NCCL INFO transport/net.cc:1302 -> 6",
    ], root=0)  # fmt: skip
    stage.dies(rank, at + 1, -6)
    follow(stage, at + 2, rank)
    return network(job.host(rank), "a remote adapter does not respond")


def ucx_retries(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    stage.say(at, rank, [
        f"[{job.host(rank)}:{job.pid(rank)}:0:{job.pid(rank)}] ib_mlx5_log.c:179  Transport retry count exceeded on mlx5_2:1/IB (synd 0x15 vend 0x81 hw_synd 0/0)",
        f"[{job.host(rank)}:{job.pid(rank)}:0:{job.pid(rank)}] ib_mlx5_log.c:179  RC QP 0x1b2d wqe[412]: SEND s-e [inl len 34] [rqpn 0x9b11 dlid=112 sl=0 port=1 src_path_bits=0]",
    ], root=0)  # fmt: skip
    stage.dies(rank, at + 1, -6)
    follow(stage, at + 2, rank)
    return network(f"{job.host(rank)} mlx5_2", "retries on an adapter exceeded", span=2)


def disk_gone(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    stage.kernel(at, job.host(rank), [
        "nvme nvme1: I/O 731 (I/O Cmd) QID 12 timeout, aborting", "nvme nvme1: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0xffff",
        "nvme nvme1: Device not ready; aborting reset, CSTS=0x1", "nvme nvme1: Removing after probe failure status: -19",
    ], root=0)  # fmt: skip
    lines, where = raised(job, rank, "own", "OSError: [Errno 5] Input/output error: '/scratch/local/shard_0071.tar'")
    stage.say(at + 40, rank, lines, root=where)
    stage.dies(rank, at + 41, 1)
    follow(stage, at + 41, rank)
    return node(job.host(rank), "a local disk stopped answering", span=4)


def versions_apart(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    host = job.rng.choice(job.names)
    rank = job.first_rank(host)
    stage.say(
        at,
        rank,
        ["Failed to initialize NVML: Driver/library version mismatch", "NVML library version: 550.127"],
        root=0,
    )
    lines, _ = raised(job, rank, "own", "RuntimeError: No CUDA GPUs are available")
    stage.say(at + 4, rank, lines)
    stage.dies(rank, at + 5, 1)
    follow(stage, at + 5, rank)
    return node(host, "driver and library of a host are out of step", span=2)


def locked_up(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    host = job.names[-1]
    rank = job.first_rank(host)
    stage.kernel(at, host, [
        f"watchdog: BUG: soft lockup - CPU#12 stuck for 23s! [python3:{job.pid(rank)}]", "rcu: INFO: rcu_sched self-detected stall on CPU",
        "Kernel panic - not syncing: softlockup: hung tasks", "Rebooting in 10 seconds..",
    ], root=0)  # fmt: skip
    stage.loses(host, at + 30)
    follow(stage, at + 31, rank, hangs=True)
    return node(host, "a host's kernel locked up and panicked", span=4)


def rack_too_hot(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    stage.host_says(at, [
        f"{job.clock(at, '%b %d %H:%M:%S')} rackmon[812]: rack r12: coolant supply 47.5 C, limit 45.0 C", f"{job.clock(at + 60, '%b %d %H:%M:%S')} rackmon[812]: rack r12: emergency power-off of {job.names[0]}..{job.names[-1]}",
    ], root=0)  # fmt: skip
    killed_along(stage, at + 65)
    stage.quiet_end = True
    return elsewhere("the cooling of a rack failed", span=2)


def maintenance(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    stage.host_says(at, [f"Broadcast message from root@{job.names[0]} ({job.clock(at, '%a %Y-%m-%d %H:%M:%S UTC')}):", "", "Scheduled maintenance begins now: all nodes of this partition are going down for firmware updates."], root=2)  # fmt: skip
    killed_along(stage, at + 30)
    return elsewhere("maintenance of the site", span=1)


def spot_reclaimed(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    stage.host_says(
        at,
        [
            f"{job.clock(at, '%Y-%m-%dT%H:%M:%SZ')} node-termination-handler: spot interruption notice for instance i-0{job.number:012x} ({job.names[-1]}): action=terminate time={job.clock(at + 120, '%Y-%m-%dT%H:%M:%SZ')}"
        ],
        root=0,
    )
    stage.loses(job.names[-1], at + 120)
    follow(stage, at + 121, job.first_rank(job.names[-1]))
    return elsewhere("a spot instance was reclaimed", job.names[-1])


def controller_away(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    stage.host_says(
        at,
        [
            "srun: error: Unable to confirm allocation for job "
            + f"{job.number}: Unable to contact slurm controller (connect failure)",
            "srun: Check SLURM_JOB_ID environment variable. Expired or invalid job " + str(job.number),
        ],
        root=0,
    )
    return elsewhere("the scheduler's controller did not answer")


SLURM = ("srun", "srun -l")
FAMILIES = [
    (uncontained, False, ()), (amd_reset, False, ()), (wrong_sums, False, ()), (switch_fatal, False, ()), (libfabric, False, ()), (ucx_retries, False, ("mpirun", "srun", "srun -l")),
    (disk_gone, False, ()), (versions_apart, True, ()), (locked_up, False, ()), (rack_too_hot, False, ()), (maintenance, False, ()), (spot_reclaimed, False, ()),
    (controller_away, True, SLURM),
]  # fmt: skip
