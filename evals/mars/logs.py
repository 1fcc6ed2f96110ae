"""The log of a Mars-like job: start-up, steps as its program prints them, and how it ended."""

from random import Random

from evals.mars.running import Fate, Request

LINES = 40
ENDS = {
    "memory": (
        "Traceback (most recent call last):",
        '  File "{program}", line 41, in main',
        "    loss.backward()",
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of"
        " 79.15 GiB of which 1.12 GiB is free.",
    ),
    "nccl": (
        "[rank0]:[E1103 10:11:12.000000000 ProcessGroupNCCL.cpp:607] [Rank 0] Watchdog caught collective operation "
        "timeout: WorkNCCL(SeqNum=8123, OpType=ALLREDUCE, NumelIn=1048576, Timeout(ms)=600000) ran for 600042 ms",
        "RuntimeError: NCCL communicator was aborted on rank 0.",
    ),
    "data": (
        "Traceback (most recent call last):",
        '  File "{program}", line 37, in main',
        '    tokens = tokenizer(batch["text"])',
        "KeyError: 'text'",
    ),
    "nan": ("Traceback (most recent call last):", "ValueError: loss is nan at step {step}"),
}


def write_log(asked: Request, fate: Fate, draw: Random) -> str:
    """Write a log; the steps that it prints are spread over those that ran."""
    ran = max(0, int((fate.duration_s - fate.start_s) / fate.step_s))
    lines = [f"loading {asked.model} in bfloat16", f"world size {asked.gpus}", f"data: {asked.data}"]
    rate = asked.micro_batch * asked.gpus / fate.step_s
    loss = draw.uniform(2.0, 4.0)
    for place in range(1, LINES + 1 if ran else 1):
        step = max(1, ran * place // LINES)
        loss *= draw.uniform(0.96, 1.0)
        lines.append(
            f"step {step}/{asked.steps} | loss {loss:.4f} | lr {asked.learning_rate:.2e}"
            f" | step_time {fate.step_s * draw.uniform(0.97, 1.03):.3f} s | {rate:.2f} samples/s"
        )
    if fate.cause:
        lines += [line.format(program=f"{asked.kind}.py", step=ran) for line in ENDS[fate.cause]]
    elif fate.status == "cancelled":
        lines.append("slurmstepd: error: *** JOB CANCELLED ***")
    else:
        lines.append("done")
    return "\n".join(lines) + "\n"
