"""What looks like trouble and is none: handled errors, outages that pass, words of fear in harmless places."""

from evals.field.job import Job
from evals.field.stage import Stage
from evals.field.tracebacks import traceback


def retried_download(job: Job, rank: int, at: float) -> list[str]:
    stamp = job.clock(at, "%Y-%m-%d %H:%M:%S,%3")
    part = job.rng.randrange(4096)
    return [
        f"{stamp} WARNING data.stream: GET s3://corpus/part-{part:05d}.tar failed (ConnectionResetError(104, 'Connection reset by peer')), retry 1/5 in 2s",
        f"{stamp} INFO data.stream: part-{part:05d}.tar fetched again after 1 retry",
    ]


def tracker_outage(job: Job, rank: int, at: float) -> list[str]:
    return [
        "wandb: ERROR Error while calling W&B API: context deadline exceeded (<Response [504]>)",
        "wandb: Network error (ReadTimeout), entering retry loop.",
        "wandb: Network connection restored, continuing.",
    ][: job.rng.choice((2, 3))]


def bad_sample(job: Job, rank: int, at: float) -> list[str]:
    stamp = job.clock(at, "%H:%M:%S")
    broken = traceback(
        job,
        job.rng,
        "own",
        f"PIL.UnidentifiedImageError: cannot identify image file '/data/img/{job.rng.randrange(10**6)}.jpg'",
    )
    return [f"{stamp} ERROR dataset: could not decode sample, taking the next one", *broken]


def corrected_memory(job: Job, rank: int, at: float) -> list[str]:
    return [
        f"{job.clock(at, '%b %d %H:%M:%S')} {job.host(rank)} health: gpu {job.local(rank)}: 2 volatile correctable ECC errors, 0 uncorrectable; no action"
    ]


def overflow(job: Job, rank: int, at: float) -> list[str]:
    return ["[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 65536, reducing to 32768"]


def checkpoint_retry(job: Job, rank: int, at: float) -> list[str]:
    step = job.rng.randrange(1000, 90_000)
    return [
        f"[checkpoint] write of /ckpt/step_{step}/rank_{rank}.pt failed: OSError: [Errno 5] Input/output error; trying again",
        f"[checkpoint] step_{step} saved, 2 attempts",
    ]


def generated_text(job: Job, rank: int, at: float) -> list[str]:
    return [
        "=== sample ===",
        "The server was Killed by the kernel: Out of memory. Segmentation fault (core dumped), said the log, and the operator wept.",
        "=== end of sample ===",
    ]


def out_of_memory_handled(job: Job, rank: int, at: float) -> list[str]:
    return [
        f"[rank {rank}] WARNING: ran out of memory in forward: CUDA out of memory. Tried to allocate 1.12 GiB. Skipping this batch and emptying the cache",
    ]


def allocator(job: Job, rank: int, at: float) -> list[str]:
    return [
        "[W CUDACachingAllocator.cpp:1402] Warning: expandable_segments not supported on this platform (function operator())"
    ]


def ignored_exception(job: Job, rank: int, at: float) -> list[str]:
    return [
        "Exception ignored in: <function _MultiProcessingDataLoaderIter.__del__ at 0x7f2ab8d3c4c0>",
        *traceback(job, job.rng, "own", "AssertionError: can only test a child process"),
    ]


def slow_peer(job: Job, rank: int, at: float) -> list[str]:
    return [f"[straggler] rank {rank} is 1.41x slower than the median over the last 100 steps; no error raised"]


def metrics_named_badly(job: Job, rank: int, at: float) -> list[str]:
    return [
        f"eval/word_error_rate=0.{job.rng.randrange(100, 400)} eval/fatal_mistakes=0 eval/timeout_frac=0.0 eval/killed=0 exception_count=0"
    ]


def wrapped_warning(job: Job, rank: int, at: float) -> list[str]:
    return [
        "/usr/local/lib/python3.10/dist-packages/torch/optim/lr_scheduler.py:224: UserWarning: Detected call of `lr_scheduler.step()` before `optimizer.step()`. Failure to do this will result in PyTorch skipping the first value of the learning rate schedule.",
        "  warnings.warn(",
    ]


def lustre_blip(job: Job, rank: int, at: float) -> list[str]:
    return [
        f"{job.clock(at, '%b %d %H:%M:%S')} {job.host(rank)} kernel: Lustre: scratch-OST0011-osc-ffff9c0b: Connection to scratch-OST0011 (at 10.9.0.11@o2ib) was lost; in progress operations using this service will wait for recovery to complete",
        f"{job.clock(at + 9, '%b %d %H:%M:%S')} {job.host(rank)} kernel: Lustre: scratch-OST0011-osc-ffff9c0b: Connection restored to 10.9.0.11@o2ib (at 10.9.0.11@o2ib)",
    ]


DECOYS = (
    retried_download, tracker_outage, bad_sample, corrected_memory, overflow, checkpoint_retry, generated_text, out_of_memory_handled,
    allocator, ignored_exception, slow_peer, metrics_named_badly, wrapped_warning, lustre_blip,
)  # fmt: skip


def tell_decoys(stage: Stage, first: float, last: float, count: int) -> None:
    """Scatter handled trouble over the healthy part, on any rank."""
    job, rng = stage.job, stage.job.rng
    for _ in range(count):
        at = rng.uniform(first, last)
        rank = rng.randrange(job.ranks)
        stage.say(at, rank, rng.choice(DECOYS)(job, rank, at))
