"""Logs of which only the summary is left."""

from evals.training_logs.run import Run, Told, seconds


def train_runtime(run: Run) -> Told:
    total_s = run.total * run.step_s
    rate = run.total / total_s
    line = f"{{'train_runtime': {total_s:.4f}, 'train_samples_per_second': {rate * run.batch:.3f}, 'train_steps_per_second': {rate:.3f}, 'train_loss': {run.loss(run.total)}, 'epoch': 3.0}}"
    label = seconds(run.step_s) if rate >= 0.05 else f"{seconds(run.step_s)}|{seconds(1 / round(rate, 3))}"
    return Told(
        "hf-trainer",
        ["***** train metrics *****", "  epoch                    =        3.0", line],
        label,
        run.loss(run.total),
        "",
        "",
        3,
        "summary dictionary only",
    )


def table_of_metrics(run: Run) -> Told:
    lines = [
        "***** train metrics *****",
        "  epoch                    =        3.0",
        f"  train_loss               =     {run.loss(run.total)}",
        "  train_runtime            = 1:02:11.32",
        "  train_samples            =      52002",
        f"  train_samples_per_second =     {run.batch / run.step_s:.3f}",
        f"  train_steps_per_second   =      {1 / run.step_s:.3f}",
    ]
    return Told(
        "hf-trainer",
        lines,
        f"{seconds(run.step_s)}|{seconds(1 / max(0.001, round(1 / run.step_s, 3)))}",
        run.loss(run.total),
        "",
        "",
        3,
        "summary table only",
    )


def key_values(run: Run) -> Told:
    lines = [
        f"avg_step_time={run.step_s:.6f}",
        f"samples_per_s={run.batch / run.step_s:.2f}",
        f"final_loss={run.loss(run.total)}",
        f"steps={run.total}",
    ]
    return Told(
        "hand-written", lines, seconds(run.step_s), run.loss(run.total), run.total, note="key=value summary only"
    )


LIBRARIES = [train_runtime, table_of_metrics, key_values]
