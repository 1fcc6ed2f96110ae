"""What others say once one process is gone: peers, launchers, schedulers."""

from collections.abc import Iterable

from evals.strangers.job import Job

FRAMES = "frame #1: c10d::ProcessGroupNCCL::WorkNCCL::checkTimeout(std::optional<std::chrono::duration<long, std::ratio<1l, 1000l> > >) + 0x282 (0x7f5c8a1c9772 in /opt/conda/lib/python3.11/site-packages/torch/lib/libtorch_cuda.so)"  # fmt: skip


def peers(job: Job, gone: Iterable[int], *, most: int = 12) -> list[int]:
    lost = set(gone) | job.dead
    left = [rank for rank in range(job.ranks) if rank not in lost]
    return sorted(job.rng.sample(left, min(most, len(left))))


def watchdogs(job: Job, at: float, gone: Iterable[int], minutes: int = 10) -> float:
    """Let the peers' collectives time out; give the second after it."""
    sequence = 1000 + job.number % 90_000
    for rank in peers(job, gone):
        when = at + minutes * 60 + job.rng.uniform(0, 2)
        stamp = f"[rank{rank}]:[E{job.clock(when, '%m%d %H:%M:%S.%6')}000"
        work = f"WorkNCCL(SeqNum={sequence}, OpType=ALLREDUCE, NumelIn=16777216, NumelOut=16777216, Timeout(ms)={minutes * 60_000})"  # fmt: skip
        job.say(when, rank, [
            f"{stamp} ProcessGroupNCCL.cpp:616] [Rank {rank}] Watchdog caught collective operation timeout: {work} ran for {minutes * 60_000 + 41} milliseconds before timing out.",
            f"{stamp} ProcessGroupNCCL.cpp:1785] [PG ID 0 PG GUID 0(default_pg) Rank {rank}] Exception (either an error or timeout) detected by watchdog at work: {sequence}, last enqueued NCCL work: {sequence + 2}, last completed NCCL work: {sequence - 1}.",
            f"{stamp} ProcessGroupNCCL.cpp:630] [Rank {rank}] Some NCCL operations have failed or timed out. Due to the asynchronous nature of CUDA kernels, subsequent GPU operations might run on corrupted/incomplete data.",
            f"{stamp} ProcessGroupNCCL.cpp:636] [Rank {rank}] To avoid data inconsistency, we are taking the entire process down.",
            "terminate called after throwing an instance of 'c10::DistBackendError'",
            f"  what():  [PG ID 0 PG GUID 0(default_pg) Rank {rank}] Process group watchdog thread terminated with exception: [Rank {rank}] Watchdog caught collective operation timeout: {work} ran for {minutes * 60_000 + 41} milliseconds before timing out.",
            FRAMES,
        ])  # fmt: skip
    return at + minutes * 60 + 4


def remote_exits(job: Job, at: float, gone: Iterable[int]) -> float:
    for rank in peers(job, gone, most=6):
        when = at + job.rng.uniform(0.2, 1.5)
        job.say(when, rank, [
            f"{job.host(rank)}:{job.pid(rank)}:{job.pid(rank) + 511} [{rank % job.per_host}] misc/socket.cc:50 NCCL WARN socketProgress: Connection closed by remote peer {job.hosts[0]}<44410>",
            "[rank%d]: Traceback (most recent call last):" % rank,  # noqa: UP031
            f'[rank{rank}]:   File "/workspace/train.py", line 311, in <module>',
            f"[rank{rank}]:     main()",
            f'[rank{rank}]:   File "/opt/conda/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py", line 2501, in all_reduce',
            f"[rank{rank}]:     work = group.allreduce([tensor], opts)",
            f"[rank{rank}]: torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:2251, remote process exited or there was a network error, NCCL version 2.21.5",
            f"[rank{rank}]: ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.",
        ])  # fmt: skip
    return at + 3


def coordination(job: Job, at: float, gone: Iterable[int]) -> float:
    first = min(gone, default=0)
    for rank in peers(job, gone, most=5):
        when = at + 100 + job.rng.uniform(0, 3)
        glog = job.clock(when, "%m%d %H:%M:%S.%6")
        job.say(when, rank, [
            f"E{glog} {job.pid(rank)} coordination_service_agent.cc:369] Polled an error from coordination service (this can be an error from this or another task).",
            f"F{glog} {job.pid(rank)} client.h:80] Terminating process because the JAX distributed service detected fatal errors. This most likely indicates that another task died; see the other task logs for more details. Disable Python buffering, i.e. `python -u`, to be sure to see all the previous output. absl::Status: UNAVAILABLE: The following tasks are unhealthy (stopped sending heartbeats):",
            f"/job:jax_worker/replica:0/task:{first}",
            "The tasks have crashed. Check the task logs for an earlier error, or scheduler events (e.g. preemption, eviction) to debug further.",
        ])  # fmt: skip
    return at + 105


def tf_aborts(job: Job, at: float, gone: Iterable[int]) -> float:
    for rank in peers(job, gone, most=5):
        when = at + job.rng.uniform(0.5, 3)
        job.say(when, rank, [
            f"{job.clock(when)}.114219: E tensorflow/core/common_runtime/base_collective_executor.cc:249] BaseCollectiveExecutor::StartAbort UNAVAILABLE: Collective ops is aborted by: Socket closed",
            "The error could be from a previous operation. Restart your program to reset.",
            "tensorflow.python.framework.errors_impl.UnavailableError: Collective ops is aborted by: Socket closed",
        ])  # fmt: skip
    return at + 4


def mpi_closes(job: Job, at: float, gone: Iterable[int]) -> float:
    for rank in peers(job, gone, most=3):
        job.say(at + 0.3, rank, [
            f"[{job.host(rank)}:{job.pid(rank)}] pml_ucx.c:176  Error: Failed to receive UCX worker address: Connection reset by remote peer (-25)" if job.number % 2 else f"[{job.host(rank)}][[4711,1],{rank}][btl_tcp_frag.c:242:mca_btl_tcp_frag_recv] mca_btl_tcp_frag_recv: readv failed: Connection reset by peer (104)",
        ])  # fmt: skip
    return at + 1


def others_end(job: Job, at: float, gone: Iterable[int], *, hang: bool | None = None) -> float:
    """Let the rest of the job notice, in the way of its stack."""
    lost = list(gone)
    if job.stack == "jax":
        return coordination(job, at, lost)
    if job.stack == "tf":
        return tf_aborts(job, at, lost)
    if job.stack == "mpi":
        return mpi_closes(job, at, lost)
    slow = job.rng.random() < 0.5 if hang is None else hang
    return watchdogs(job, at, lost, job.rng.choice((5, 10, 30))) if slow else remote_exits(job, at, lost)
