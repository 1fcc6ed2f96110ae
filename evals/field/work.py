"""The healthy part of a run: steps, evaluations, checkpoints, on the ranks that print."""

from evals.field.job import Job
from evals.field.launchers import prefix
from evals.field.progress import STYLES
from evals.field.stage import Line, Stage


def speakers(job: Job) -> list[int]:
    """Say which ranks report progress: the first, the last, one a host, all."""
    if job.style in {"megatron"}:
        return [job.ranks - 1]
    if job.style in {"logging", "json", "nanogpt"} and job.ranks <= 64 and job.number % 4 == 0:
        return list(range(job.ranks))
    return [job.first_rank(name) for name in job.names] if job.number % 4 == 1 and job.hosts <= 16 else [0]


def tell_work(stage: Stage, first: float, last: float, lines: int, *, from_step: int = 0) -> int:
    """Report steps from `first` to `last` in about `lines` lines; give the last step."""
    job, rng = stage.job, stage.job.rng
    style, ranks = STYLES[job.style], speakers(job)
    reports = max(3, lines // len(ranks))
    took = (last - first) / reports
    every = 1 if job.style in {"bar", "lightning", "nanogpt"} else rng.choice((1, 10, 50))
    total = from_step + reports * every * 3
    glued = job.style == "bar" and not prefix(job, Line(0.0, ""))
    for index in range(reports):
        at, step = first + (index + 1) * took, from_step + (index + 1) * every
        loss = 2.2 + 6 / (1 + step / 50) + rng.random() / 10
        for rank in ranks:
            text = style(job, step, total, at, loss, took / every)
            stage.say(at + rng.random() * 0.01, rank, [text if glued else text.lstrip("\r")], stream="out")
            if glued:
                stage.lines[-1].end, stage.lines[-1].stream = "", "err"
        if index % 400 == 399:
            stage.say(
                at + took * 0.3,
                0,
                [
                    f"validation at step {step}: loss {loss + 0.1:.4f}",
                    f"saving checkpoint to /ckpt/{job.number}/step_{step}",
                ],
                stream="out",
            )
    return from_step + reports * every


def tell_end(stage: Stage, at: float) -> None:
    """Finish well."""
    job = stage.job
    stage.say(
        at,
        0,
        [f"saved final model to /ckpt/{job.number}/final", "training finished", f"total time: {at / 3600:.2f} h"],
        stream="out",
    )
