"""What goes wrong in healthy jobs and is dealt with: none of it may be taken for the end."""

from collections.abc import Callable

from evals.strangers.job import Job


def store_retry(job: Job, at: float, rank: int) -> None:
    job.say(at, rank, [
        "WARNING:urllib3.connectionpool:Retrying (Retry(total=4, connect=None, read=None, redirect=None, status=None)) after connection broken by 'NewConnectionError('<urllib3.connection.HTTPSConnection object at 0x7f2b>: Failed to establish a new connection: [Errno 111] Connection refused')': /shards/00017.tar",
    ])  # fmt: skip
    job.say(at + 4, rank, ["INFO:shards:fetched shards/00017.tar after 2 attempts"])


def caught_traceback(job: Job, at: float, rank: int) -> None:
    job.say(at, rank, [
        "Traceback (most recent call last):",
        '  File "/workspace/data/decode.py", line 88, in decode_sample',
        '    image = Image.open(io.BytesIO(raw)).convert("RGB")',
        '  File "/opt/conda/lib/python3.11/site-packages/PIL/Image.py", line 3498, in open',
        "    raise UnidentifiedImageError(msg)",
        "PIL.UnidentifiedImageError: cannot identify image file <_io.BytesIO object at 0x7f31d0>",
        "skipping sample 40213 of shard 00291 (3 skipped so far)",
    ])  # fmt: skip


def wandb_outage(job: Job, at: float, rank: int) -> None:
    job.say(at, rank, [
        "wandb: Network error (ConnectTimeout), entering retry loop.",
        "wandb: 429 encountered (Filestream rate limit exceeded, retrying in 2.3 seconds.), retrying request",
    ])  # fmt: skip


def nfs_hiccup(job: Job, at: float, rank: int) -> None:
    job.kernel(at, job.host(rank), ["nfs: server filer02 not responding, still trying", "nfs: server filer02 OK"])


def harmless_kernel(job: Job, at: float, rank: int) -> None:
    job.kernel(at, job.host(rank), [job.rng.choice((
        "perf: interrupt took too long (3142 > 3130), lowering kernel.perf_event_max_sample_rate to 63000",
        "mce: [Hardware Error]: Machine check events logged",
        "EDAC skx MC3: 1 CE memory read error on CPU_SrcID#1_MC#1_Chan#0_DIMM#0 (channel:0 slot:0 page:0x4a1b2c offset:0x0 grain:32 syndrome:0x0)",
        "pcieport 0000:00:01.0: AER: Corrected error received: 0000:01:00.0",
        f"NVRM: Xid (PCI:{job.bus(rank)}): 63, pid='<unknown>', name=<unknown>, Row Remapper: New row marked for remapping, reset gpu to activate.",
        "TCP: request_sock_TCP: Possible SYN flooding on port 29500. Sending cookies.  Check SNMP counters.",
    ))])  # fmt: skip


def grad_overflow(job: Job, at: float, rank: int) -> None:
    job.say(at, rank, [
        "[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 65536, reducing to 32768",
        "WARNING: gradient norm is inf at this step, skipping the update",
    ], stream="stdout")  # fmt: skip


def warnings(job: Job, at: float, rank: int) -> None:
    job.say(at, rank, [job.rng.choice((
        "/usr/lib/python3.10/multiprocessing/resource_tracker.py:224: UserWarning: resource_tracker: There appear to be 1 leaked semaphore objects to clean up at shutdown",
        "/opt/conda/lib/python3.11/site-packages/torch/utils/checkpoint.py:295: FutureWarning: `torch.cpu.amp.autocast(args...)` is deprecated.",
        "[W socket.cpp:697] [c10d] The client socket has failed to connect to [node-1]:29500 (errno: 111 - Connection refused).",
        "Token indices sequence length is longer than the specified maximum sequence length for this model (9124 > 8192). Running this sequence through the model will result in indexing errors",
        "WARNING: eval worker 3 exited with code 1, respawned",
        "health: fatal_errors=0 xid_errors=0 ecc_dbe=0 nccl_timeouts=0 link_down_events=0",
    ))])  # fmt: skip


def oom_backoff(job: Job, at: float, rank: int) -> None:
    job.say(at, rank, ["| WARNING: ran out of memory with exception: CUDA out of memory. Tried to allocate 2.20 GiB. GPU 0 has a total capacity of 79.10 GiB of which 1.02 GiB is free. ; Skipping batch"])  # fmt: skip


def checkpoint_retry(job: Job, at: float, rank: int) -> None:
    job.say(at, rank, [
        "[checkpoint] upload of step shard 3 failed: OSError: [Errno 5] Input/output error",
        "[checkpoint] retrying upload in 10 s (attempt 2 of 5)",
    ])  # fmt: skip
    job.say(at + 10, rank, ["[checkpoint] upload of step shard 3 done"])


def ib_flap(job: Job, at: float, rank: int) -> None:
    host = job.host(rank)
    job.kernel(at, host, ["mlx5_core 0000:c1:00.0 eth4: Link down"])
    job.kernel(at + 1.5, host, ["mlx5_core 0000:c1:00.0 eth4: Link up"])


COMMON = (store_retry, caught_traceback, wandb_outage, nfs_hiccup, harmless_kernel, warnings, checkpoint_retry, ib_flap)
TORCH = (grad_overflow, oom_backoff)


def tell_decoys(job: Job, began: float, ended: float, count: int) -> None:
    """Spread handled trouble over a job's life, none of it in the last minute."""
    choices: list[Callable[[Job, float, int], None]] = [*COMMON, *(TORCH if job.stack == "torch" else ())]
    for _ in range(count):
        job.rng.choice(choices)(job, job.rng.uniform(began, max(began + 1, ended - 60)), job.any_rank())
