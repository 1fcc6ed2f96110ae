"""What people print by hand: units left out, one value a line, columns, JSON, CSV, an end in sight and nothing else."""

import json

from evals.training_logs.run import Run, Told, hms, seconds
from evals.unmet_logs.shapes import at_least, clock, either


def json_ms(run: Run) -> Told:
    lines = [
        json.dumps(
            {
                "event": "train",
                "step": i,
                "loss": run.loss(i),
                "lr": 3e-4,
                "step_time_ms": round(run.took(i + 2) * 1000, 2),
                "gpu_mem_mb": 41231,
            }
        )
        for i in run.reports()
    ]
    return Told("hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps)


def json_unix(run: Run) -> Told:
    at_least(run, 0.05)
    lines = [
        json.dumps(
            {
                "ts": round(run.start.timestamp() + run.at(i), 3),
                "level": "info",
                "msg": "progress",
                "iteration": i,
                "train": {"loss": run.loss(i), "acc": 0.61},
            }
        )
        for i in run.reports()
    ]
    return Told("hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, note="a Unix clock in JSON")


def csv_elapsed(run: Run) -> Told:
    at_least(run, 0.02)
    lines = [
        "step,train_loss,val_loss,lr,elapsed_s",
        *(f"{i},{run.loss(i)},{run.loss(i) + 0.1:.4f},0.0003,{i * run.step_s:.2f}" for i in run.reports()),
    ]
    return Told(
        "hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, note="CSV, seconds since the start"
    )


def csv_sec_per_step(run: Run) -> Told:
    lines = [
        "epoch,iter,loss,sec_per_iter,lr",
        *(f"1,{i},{run.loss(i)},{run.took(i + 2):.5f},0.0003" for i in run.reports()),
    ]
    return Told("hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, note="CSV")


def tsv_epochs(run: Run) -> Told:
    epoch_s = run.step_s * 70
    lines = [
        "epoch\ttrain_loss\tval_loss\tepoch_seconds",
        *(f"{i}\t{run.loss(i * 20)}\t{run.loss(i * 20) + 0.1:.4f}\t{epoch_s:.2f}" for i in range(1, 14)),
    ]
    return Told("hand-written", lines, either(epoch_s, None))


def value_a_line(run: Run) -> Told:
    lines = []
    for i in run.reports():
        lines += [
            f"Step:          {i}",
            f"Loss:          {run.loss(i)}",
            "Learning rate: 0.0003",
            f"Speed:         {run.took(i + 2):.4f} s/step",
            "",
        ]
    return Told("hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps)


def two_columns(run: Run) -> Told:
    lines = []
    for i in run.reports():
        lines += [
            f"global_step        {i}",
            f"loss               {run.loss(i)}",
            f"iters_per_sec      {1 / run.took(i + 2):.5f}",
            "grad_norm          0.81",
            "-" * 28,
        ]
    return Told("hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps)


def eta_only(run: Run) -> Told:
    at_least(run, 0.5)
    lines = [
        f"[{i}/{run.total}] loss {run.loss(i):.4f} ETA {clock((run.total - i) * run.step_s)}" for i in run.reports()
    ]
    return Told("hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, run.total)


def samples_and_batch(run: Run) -> Told:
    lines = ["model: resnet50", "train_batch_size: 96", "eval_batch_size: 256", "lr: 0.1"]
    lines += [f"step {i} loss {run.loss(i):.4f} throughput {96 / run.took(i + 2):.2f} samples/s" for i in run.reports()]
    return Told("hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps)


def eval_same_format(run: Run) -> Told:
    at_least(run, 0.01)
    lines = []
    for i in run.reports():
        lines.append(f"step {i}/{run.total} | loss {run.loss(i):.4f} | {run.took(i + 2):.4f} s/step")
        if i % (run.every * 5) == 0:
            lines.append("running evaluation")
            lines += [f"step {j}/20 | loss {run.loss(i) + 0.2:.4f} | {run.step_s / 6:.4f} s/step" for j in range(1, 21)]
            lines.append(f"evaluation done: loss {run.loss(i) + 0.2:.4f}")
    return Told(
        "hand-written", lines, seconds(run.step_s), "", run.steps, run.total, note="evaluation in the training format"
    )


def eval_tagged(run: Run) -> Told:
    lines = []
    for i in run.reports():
        lines.append(f"[train] iter {i} loss {run.loss(i):.4f} time {run.took(i + 2):.4f}s")
        if i % (run.every * 4) == 0:
            lines += [f"[dev] iter {i} loss {run.loss(i) + 0.3:.4f} time {run.step_s * 30:.4f}s"]
    return Told(
        "hand-written", lines, either(run.step_s, None), "", run.steps, note="a time that may be that of a report"
    )


def loguru_ms(run: Run) -> Told:
    lines = [
        f"{run.clock(i, '%Y-%m-%d %H:%M:%S.%3')} | INFO     | __main__:train:120 - step={i} loss={run.loss(i)} lr=3.0e-04 dt={run.took(i + 2) * 1000:.1f}ms"
        for i in run.reports()
    ]
    return Told("hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps)


def structlog(run: Run) -> Told:
    lines = [
        f"{run.clock(i, '%Y-%m-%dT%H:%M:%S.%fZ')} [info     ] train step                     [trainer] loss={run.loss(i)} step={i} step_ms={run.took(i + 2) * 1000:.1f}"
        for i in run.reports()
    ]
    return Told("hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps)


def absl_stamps(run: Run) -> Told:
    at_least(run, 0.01)
    lines = [
        f"I{run.clock(i, '%m%d %H:%M:%S.%f')} 139812 train.py:88] step {i}, loss {run.loss(i)}" for i in run.reports()
    ]
    return Told("hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, note="absl's stamps alone")


def bare_columns(run: Run) -> Told:
    lines = [
        "# iter  train_loss  sec/iter  lr",
        *(f"{i:6d}  {run.loss(i):10.4f}  {run.took(i + 2):8.4f}  0.0003" for i in run.reports()),
    ]
    return Told(
        "hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, note="columns under a comment"
    )


def unitless_ms(run: Run) -> Told:
    at_least(run, 0.1)
    lines = [
        f"{run.clock(i, '%b %d %H:%M:%S')} Iter {i} Loss {run.loss(i)} Time {run.took(i + 2) * 1000:.0f}"
        for i in run.reports()
    ]
    return Told(
        "hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, note="ms without unit; stamps"
    )


def parts_in_ms(run: Run) -> Told:
    lines = [
        f"step {i}: loss={run.loss(i)} total={run.took(i + 2) * 1000:.1f}ms (data={run.step_s * 50:.1f}ms fwd={run.step_s * 300:.1f}ms bwd={run.step_s * 600:.1f}ms opt={run.step_s * 50:.1f}ms)"
        for i in run.reports()
    ]
    return Told(
        "hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, note="total beside its parts"
    )


def time_of_interval(run: Run) -> Told:
    run.every = max(run.every, 20)
    run.steps = run.every * 30
    lines = [
        f"step {i} | loss {run.loss(i):.4f} | {run.every} steps took {run.every * run.step_s:.3f}s"
        for i in run.reports()
    ]
    return Told(
        "hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, note="time of an interval, in words"
    )


def spread_of_times(run: Run) -> Told:
    lines = [
        f"iter {i} loss {run.loss(i)} step_time mean={run.step_s:.4f}s std={run.step_s / 20:.4f}s min={run.step_s * 0.9:.4f}s max={run.step_s * 3:.4f}s"
        for i in run.reports()
    ]
    return Told(
        "hand-written",
        lines,
        seconds(run.step_s),
        run.loss(run.steps),
        run.steps,
        note="mean beside spread, slowest and fastest",
    )


def pretty_dict(run: Run) -> Told:
    lines = []
    for i in run.reports():
        lines += [
            "{",
            f'  "iteration": {i},',
            f'  "loss": {run.loss(i)},',
            f'  "seconds_per_iteration": {run.took(i + 2):.6f},',
            '  "lr": 0.0003',
            "}",
        ]
    return Told("hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, note="JSON over many lines")


def russian(run: Run) -> Told:
    lines = [
        f"Эпоха 1/10, шаг {i}/{run.total}, потери: {run.loss(i)}, время шага: {run.took(i + 2):.4f} с"
        for i in run.reports()
    ]
    return Told("hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, run.total)


def markdown_rows(run: Run) -> Told:
    lines = [
        "| step | loss | tok/s | s/step |",
        "|---:|---:|---:|---:|",
        *(f"| {i} | {run.loss(i)} | {65536 / run.step_s:.0f} | {run.took(i + 2):.4f} |" for i in run.reports()),
    ]
    return Told("hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, note="a table of Markdown")


def elapsed_and_counter(run: Run) -> Told:
    at_least(run, 0.3)
    lines = [f"iteration {i} of {run.total}, loss {run.loss(i)}, elapsed {hms(i * run.step_s)}" for i in run.reports()]
    return Told("hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, run.total)


def step_rate_words(run: Run) -> Told:
    lines = [
        f"Finished training step {i}; training loss is {run.loss(i)}; running at {1 / run.step_s:.3f} steps per second"
        for i in run.reports()
    ]
    return Told(
        "hand-written",
        lines,
        either(run.step_s, 1 / max(0.001, round(1 / run.step_s, 3))),
        run.loss(run.steps),
        run.steps,
        note="sentences",
    )


PROGRAMS = [
    json_ms, json_unix, csv_elapsed, csv_sec_per_step, tsv_epochs, value_a_line, two_columns, eta_only, samples_and_batch, eval_same_format, eval_tagged, loguru_ms,
    structlog, absl_stamps, bare_columns, unitless_ms, parts_in_ms, time_of_interval, spread_of_times, pretty_dict, russian, markdown_rows, elapsed_and_counter, step_rate_words,
]  # fmt: skip
