"""The host itself: memory, disks, file systems, the machine."""

from evals.field.fallout import follow
from evals.field.faults.kinds import node, own_memory_limit
from evals.field.stage import Stage, Truth
from evals.field.tracebacks import raised


def host_out_of_memory(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    pid = job.pid(rank)
    stage.kernel(at, job.host(rank), [
        "python3 invoked oom-killer: gfp_mask=0x1100cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0",
        f"CPU: 47 PID: {pid} Comm: python3 Tainted: P           OE     5.15.0-105-generic #115-Ubuntu",
        "Mem-Info:", "active_anon:8123 inactive_anon:25019311 isolated_anon:0",
        "[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name",
        f"oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0-1,global_oom,task_memcg=/user.slice,task=python3,pid={pid},uid=1001",
        f"Out of memory: Killed process {pid} (python3) total-vm:412345678kB, anon-rss:253456789kB, file-rss:81232kB, shmem-rss:1048576kB, UID:1001 pgtables:512340kB oom_score_adj:0",
        f"oom_reaper: reaped process {pid} (python3), now anon-rss:0kB, file-rss:0kB, shmem-rss:1048576kB",
    ], root=6)  # fmt: skip
    stage.dies(rank, at + 0.4, -9)
    follow(stage, at + 1, rank)
    return node(job.host(rank), "the kernel killed a process for want of memory", span=2)


def step_out_of_memory(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    stage.host_says(
        at,
        [
            f"slurmstepd: error: Detected 1 oom_kill event in StepId={job.number}.0. Some of the step tasks have been OOM Killed."
        ],
        root=0,
    )
    stage.host_says(at + 0.5, [f"srun: error: {job.host(rank)}: task {rank}: Out Of Memory"])
    stage.dies(rank, at + 0.6, -9)
    follow(stage, at + 1, rank)
    return own_memory_limit("the job used more memory than it had asked for: its own limit, on any host")


def disk_full(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.choice([0, job.rng.randrange(job.ranks)])
    told = job.rng.choice((
        f"OSError: [Errno 28] No space left on device: '/local/ckpt/step_{job.number % 9999}/shard_{rank}.pt'",
        "RuntimeError: [enforce fail at inline_container.cc:664] . unexpected pos 3221225472 vs 3221225360",
        "OSError: [Errno 28] No space left on device",
    ))  # fmt: skip
    lines, where = raised(job, rank, "save", told)
    if told.startswith("RuntimeError"):
        cause = raised(job, rank, "own", "OSError: [Errno 28] No space left on device")
        stage.say(
            at,
            rank,
            [*cause[0], "", "During handling of the above exception, another exception occurred:", ""],
            root=cause[1],
        )
        stage.say(at + 0.01, rank, lines)
    else:
        stage.say(at, rank, lines, root=where)
    stage.dies(rank, at + 0.5, 1)
    follow(stage, at + 1, rank)
    return node(job.host(rank), "a disk is full")


def read_only(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    stage.kernel(at - 1, job.host(rank), [
        "blk_update_request: I/O error, dev nvme0n1, sector 2048123 op 0x1:(WRITE) flags 0x800 phys_seg 1 prio class 0",
        "Aborting journal on device nvme0n1p1-8.",
        "EXT4-fs error (device nvme0n1p1): ext4_journal_check_start:83: comm python3: Detected aborted journal",
        "EXT4-fs (nvme0n1p1): Remounting filesystem read-only",
    ], root=0)  # fmt: skip
    lines, where = raised(
        job, rank, "own", f"OSError: [Errno 30] Read-only file system: '/local/cache/{job.number}.lock'"
    )
    stage.say(at, rank, lines, root=where)
    stage.dies(rank, at + 0.5, 1)
    follow(stage, at + 1, rank)
    return node(job.host(rank), "a disk failed and its file system became read-only", span=3)


def stale_handle(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    lines, where = raised(job, rank, "own", "OSError: [Errno 116] Stale file handle: '/nfs/datasets/tokens_003.bin'")
    stage.say(at, rank, lines, root=where)
    stage.dies(rank, at + 0.5, 1)
    follow(stage, at + 1, rank)
    return node(job.host(rank), "a stale handle of a mounted file system")


def node_failed(stage: Stage) -> Truth:
    """Let a host vanish; the scheduler notices minutes later."""
    job, at = stage.job, stage.trouble
    name = job.names[-1]
    stage.host_says(at + 95, [f"srun: error: Node failure on {name}", f"slurmstepd: error: *** STEP {job.number}.0 ON {job.names[0]} CANCELLED AT {job.clock(at + 95, '%Y-%m-%dT%H:%M:%S')} DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS ***"], root=0)  # fmt: skip
    stage.loses(name, at + 96)
    follow(stage, at + 97, job.first_rank(name))
    return node(name, "a node failed", span=2)


def node_not_ready(stage: Stage) -> Truth:
    from evals.field.launchers.k8s import event, pod

    job, at = stage.job, stage.trouble
    name = job.names[-1]
    about = pod(job, job.ranks - 1)
    stage.host_says(at + 40, [event(job, at + 40, "Normal", "NodeNotReady", f"node/{name}", f"Node {name} status is now: NodeNotReady"),
                              event(job, at + 40, "Warning", "NodeNotReady", f"pod/{about}", "Node is not ready"),
                              event(job, at + 340, "Normal", "TaintManagerEviction", f"pod/{about}", f"Marking for deletion Pod research/{about}")], root=0)  # fmt: skip
    stage.loses(name, at + 41)
    follow(stage, at + 60, job.first_rank(name))
    return node(name, "a node became NotReady", span=3)


def ray_node_dead(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    name = job.names[-1]
    stage.host_says(at + 30, [
        f"{job.clock(at + 30, '%Y-%m-%d %H:%M:%S,%3')}\tWARNING worker.py:2058 -- The node with node id: {job.number:056x} and address: {job.address(name)} and node name: {job.address(name)} has been marked dead because the detector has missed too many heartbeats from it. This can happen when a \t(1) raylet crashes unexpectedly (OOM, etc.) ",
        "\t(2) raylet has lagging heartbeats due to slow network or busy workload.",
    ], root=0)  # fmt: skip
    stage.loses(name, at + 31)
    follow(stage, at + 32, job.first_rank(name))
    return node(f"{name}|{job.address(name)}", "a node of the Ray cluster died", span=2)


def machine_check(stage: Stage) -> Truth:
    job, at = stage.job, stage.trouble
    rank = job.rng.randrange(job.ranks)
    host = job.host(rank)
    stage.kernel(at, host, [
        "mce: [Hardware Error]: CPU 61: Machine Check Exception: 5 Bank 7: be00000000800400",
        "mce: [Hardware Error]: RIP !INEXACT! 33:<00007f1c2a4b1c3d>",
        "mce: [Hardware Error]: TSC 3c1b5e9f0a12 ADDR 4d3a1f2c0 MISC 200001c020002086",
        "Memory failure: 0x4d3a1f: Sending SIGBUS to python3:" + f"{job.pid(rank)} due to hardware memory corruption",
    ], root=0)  # fmt: skip
    stage.dies(rank, at + 0.4, -7)
    follow(stage, at + 1, rank)
    return node(host, "machine check: the host's memory is broken", span=4)


SLURM = ("srun", "srun -l")
FAMILIES = [
    (host_out_of_memory, False, ()), (step_out_of_memory, False, SLURM), (disk_full, False, ()), (read_only, False, ()), (stale_handle, False, ()),
    (node_failed, False, SLURM), (node_not_ready, False, ("k8s",)), (ray_node_dead, False, ("ray",)), (machine_check, False, ()),
]  # fmt: skip
