"""How training programs report a step; one small function a style."""

import json
from collections.abc import Callable

from evals.field.job import Job

Style = Callable[[Job, int, int, float, float, float], str]


def megatron(job: Job, step: int, total: int, at: float, loss: float, took: float) -> str:
    """Write an iteration as Megatron-LM does, on one long line."""
    stamp = job.clock(at, "%Y-%m-%d %H:%M:%S")
    return (
        f" [{stamp}] iteration {step:8d}/{total:8d} | consumed samples: {step * 512:12d} | elapsed time per iteration (ms): {took * 1000:.1f} | "
        f"learning rate: 3.000E-04 | global batch size:   512 | lm loss: {loss:.6E} | loss scale: 1.0 | grad norm: 0.{step % 997:03d} | "
        f"number of skipped iterations:   0 | number of nan iterations:   0 |"
    )


def hf(job: Job, step: int, total: int, at: float, loss: float, took: float) -> str:
    """Write the dictionary of Hugging Face's trainer."""
    return str(
        {
            "loss": round(loss, 4),
            "grad_norm": round(0.3 + step % 13 / 10, 4),
            "learning_rate": 3e-05,
            "epoch": round(step / total * 3, 2),
        }
    )


def python_logging(job: Job, step: int, total: int, at: float, loss: float, took: float) -> str:
    """Write a record of Python's logging."""
    return f"{job.clock(at, '%Y-%m-%d %H:%M:%S,%3')} - INFO - trainer - step {step}/{total} loss {loss:.4f} error_rate {loss / 40:.4f} step_time {took:.3f}s failed_samples 0"


def json_line(job: Job, step: int, total: int, at: float, loss: float, took: float) -> str:
    """Write one JSON object."""
    return json.dumps(
        {
            "ts": job.clock(at, "%Y-%m-%dT%H:%M:%S.%3Z"),
            "step": step,
            "loss": round(loss, 5),
            "sec_per_step": round(took, 4),
            "errors": 0,
            "fatal": False,
        }
    )


def nanogpt(job: Job, step: int, total: int, at: float, loss: float, took: float) -> str:
    """Write what small trainers print."""
    return f"iter {step}: loss {loss:.4f}, time {took * 1000:.2f}ms, mfu 41.{step % 100:02d}%"


def deepspeed(job: Job, step: int, total: int, at: float, loss: float, took: float) -> str:
    """Write DeepSpeed's report."""
    return f"[{job.clock(at, '%Y-%m-%d %H:%M:%S,%3')}] [INFO] [logging.py:96:log_dist] [Rank 0] step={step}, skipped=0, lr=[3e-05], mom=[(0.9, 0.95)], loss={loss:.4f}, RunningAvgSamplesPerSec={8 / took:.2f}"


def mmengine(job: Job, step: int, total: int, at: float, loss: float, took: float) -> str:
    """Write a line of MMEngine."""
    stamp = job.clock(at, "%m/%d %H:%M:%S")
    return f"{stamp} - mmengine - INFO - Epoch(train)  [{step // 1000 + 1}][{step % 1000:4d}/1000]  lr: 1.0000e-04  eta: 9:14:22  time: {took:.4f}  data_time: 0.0081  memory: 17211  loss: {loss:.4f}"


def lightning(job: Job, step: int, total: int, at: float, loss: float, took: float) -> str:
    """Write Lightning's bar as it looks in a file."""
    done = step * 100 // total
    return f"Epoch 0: {done:3d}%|{'#' * (done // 10):10}| {step}/{total} [{int(step * took) // 60:02d}:{int(step * took) % 60:02d}<1:22:14, {1 / took:5.2f}it/s, v_num=3, train_loss={loss:.3f}]"


def bar(job: Job, step: int, total: int, at: float, loss: float, took: float) -> str:
    """Write one redraw of tqdm's bar."""
    done = step * 100 // total
    return f"\rtraining: {done:3d}%|{'█' * (done // 10):10}| {step}/{total} [{int(step * took) // 60:02d}:{int(step * took) % 60:02d}<41:05, {took:5.2f}s/it, loss={loss:.3f}]"


STYLES: dict[str, Style] = {
    "megatron": megatron,
    "hf": hf,
    "logging": python_logging,
    "json": json_line,
    "nanogpt": nanogpt,
    "deepspeed": deepspeed,
    "mmengine": mmengine,
    "lightning": lightning,
    "bar": bar,
}
