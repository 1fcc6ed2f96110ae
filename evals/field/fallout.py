"""What the other processes say when they lose a peer; none of it is a cause."""

from evals.field.job import Job
from evals.field.stage import Stage
from evals.field.tracebacks import raised

FRAMES = (
    "frame #0: c10::Error::Error(c10::SourceLocation, std::string) + 0x96 (0x7f298896c1b6 in /usr/local/lib/python3.12/dist-packages/torch/lib/libc10.so)",
    "frame #1: c10d::ProcessGroupNCCL::WorkNCCL::checkTimeout(std::optional<std::chrono::duration<long, std::ratio<1l, 1000l> > >) + 0x282 (0x7f2989c6fa92 in /usr/local/lib/python3.12/dist-packages/torch/lib/libtorch_cuda.so)",
    "frame #2: c10d::ProcessGroupNCCL::watchdogHandler() + 0x233 (0x7f2989c76ed3 in /usr/local/lib/python3.12/dist-packages/torch/lib/libtorch_cuda.so)",
    "frame #3: c10d::ProcessGroupNCCL::ncclCommWatchdog() + 0x14d (0x7f2989c7893d in /usr/local/lib/python3.12/dist-packages/torch/lib/libtorch_cuda.so)",
    "frame #4: <unknown function> + 0x94ac3 (0x7f29d2d91ac3 in /lib/x86_64-linux-gnu/libc.so.6)",
)


def stamp(job: Job, rank: int, at: float, line: int) -> str:
    return f"[rank{rank}]:[E{job.clock(at, '%m%d %H:%M:%S.%9')} ProcessGroupNCCL.cpp:{line}]"


def loud_ranks(stage: Stage, lines_each: int) -> list[int]:
    """Choose the survivors that speak: all, or as many as the size of the log bears."""
    job = stage.job
    alive = [rank for rank in range(job.ranks) if rank not in stage.dead]
    room = max(2, job.size * 2 // 5 // lines_each)
    return alive if len(alive) <= room else sorted(job.rng.sample(alive, room))


def time_out(stage: Stage, at: float) -> None:
    """Let the survivors wait for the collective until their watchdogs take them down."""
    job, rng = stage.job, stage.job.rng
    limit = rng.choice((600_000, 600_000, 1_800_000, 300_000))
    number = rng.randrange(1_000, 900_000)
    kind, size = rng.choice(
        (("ALLREDUCE", 26_214_400), ("_ALLGATHER_BASE", 67_108_864), ("BROADCAST", 1), ("ALLREDUCE", 1))
    )
    late = at + limit / 1000
    for rank in loud_ranks(stage, 16):
        when = late + rng.random() * 4
        waited = limit + rng.randrange(3, 99)
        work = f"WorkNCCL(SeqNum={number}, OpType={kind}, NumelIn={size}, NumelOut={size}, Timeout(ms)={limit}) ran for {waited} milliseconds before timing out."
        thrown = f"[PG ID 0 PG GUID 0(default_pg) Rank {rank}] Process group watchdog thread terminated with exception: [Rank {rank}] Watchdog caught collective operation timeout: {work}"
        stage.say(when, rank, [
            f"{stamp(job, rank, when, 616)} [Rank {rank}] Watchdog caught collective operation timeout: {work}",
            f"{stamp(job, rank, when, 1785)} [PG ID 0 PG GUID 0(default_pg) Rank {rank}] Exception (either an error or timeout) detected by watchdog at work: {number}, last enqueued NCCL work: {number + 2}, last completed NCCL work: {number - 1}.",
            f"{stamp(job, rank, when, 1834)} [PG ID 0 PG GUID 0(default_pg) Rank {rank}] Timeout at NCCL work: {number}, last enqueued NCCL work: {number + 2}, last completed NCCL work: {number - 1}.",
            f"{stamp(job, rank, when, 630)} [Rank {rank}] Some NCCL operations have failed or timed out. Due to the asynchronous nature of CUDA kernels, subsequent GPU operations might run on corrupted/incomplete data.",
            f"{stamp(job, rank, when, 636)} [Rank {rank}] To avoid data inconsistency, we are taking the entire process down.",
            "terminate called after throwing an instance of 'c10::DistBackendError'",
            f"  what():  {thrown}",
            "Exception raised from checkTimeout at /pytorch/torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:632 (most recent call first):",
            *FRAMES,
            "",
        ])  # fmt: skip
        stage.dies(rank, when + 1, -6)


def remote_closed(stage: Stage, at: float, gone: str) -> None:
    """Let the survivors notice within seconds that a peer closed its connections."""
    job, rng = stage.job, stage.job.rng
    for rank in loud_ranks(stage, 20):
        when = at + 0.5 + rng.random() * 6
        peer = f"{gone}<{40_000 + rng.randrange(20_000)}>"
        head = f"{job.host(rank)}:{job.pid(rank)}:{job.pid(rank) + 40} [{job.local(rank)}]"
        stage.say(when, rank, [
            "",
            f"{head} misc/socket.cc:50 NCCL WARN socketProgress: Connection closed by remote peer {peer}",
            f"{head} NCCL INFO misc/socket.cc:751 -> 6",
            f"{head} NCCL INFO transport/net_socket.cc:466 -> 6",
            f"{head} NCCL INFO transport/net.cc:1302 -> 6",
            f"{head} NCCL INFO proxy.cc:698 -> 6",
        ])  # fmt: skip
        lines, _ = raised(job, rank, "reduce",
            "torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/NCCLUtils.hpp:268, remote process exited or there was a network error, NCCL version 2.21.5",
            "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.",
            "Last error:", f"socketProgress: Connection closed by remote peer {peer}")  # fmt: skip
        stage.say(when + 0.2, rank, lines)
        stage.dies(rank, when + 1, 1)


def store_broken(stage: Stage, at: float) -> None:
    """Let heartbeat threads of the survivors find the store of rank 0 gone."""
    job, rng = stage.job, stage.job.rng
    for rank in loud_ranks(stage, 8):
        when = at + 1 + rng.random() * 20
        head = f"[rank{rank}]:[W{job.clock(when, '%m%d %H:%M:%S.%9')}"
        where = f"SocketImpl(fd={rng.randrange(60, 120)}, addr=[{job.host(rank)}]:{rng.randrange(30_000, 60_000)}, remote=[{job.names[0]}]:29500)"
        stage.say(when, rank, [
            f"{head} TCPStore.cpp:115] [c10d] recvVector failed on {where}: Connection reset by peer",
            "Exception raised from recvBytes at /pytorch/torch/csrc/distributed/c10d/Utils.hpp:667 (most recent call first):",
            *FRAMES[:1], *FRAMES[-1:],
            f"{head} ProcessGroupNCCL.cpp:1662] [PG ID 0 PG GUID 0(default_pg) Rank {rank}] Failed to check the \"should dump\" flag on TCPStore, (maybe TCPStore server has shut down too early), with error: Broken pipe",
        ])  # fmt: skip
        stage.dies(rank, when + 2, -15)


def killed_along(stage: Stage, at: float) -> None:
    """Let the launcher end the survivors before they say a word."""
    for rank in range(stage.job.ranks):
        if rank not in stage.dead:
            stage.dies(rank, at + 0.4, -15)


def follow(stage: Stage, at: float, gone: int, *, hangs: bool = False) -> None:
    """Choose what the survivors do after rank `gone` stopped."""
    rng = stage.job.rng
    if stage.job.ranks == 1:
        return
    if hangs:
        time_out(stage, at)
        return
    kind = rng.choice(("timeout", "remote", "remote", "store", "killed"))
    if kind == "timeout":
        time_out(stage, at)
    elif kind == "remote":
        remote_closed(stage, at, stage.job.host(gone))
    elif kind == "store":
        store_broken(stage, at)
    killed_along(stage, max(at + 1, stage.over))
