"""What people write by hand: units left out, one value a line, both phases in one form."""

from evals.training_logs.run import Run, Told, seconds


def no_unit_ms(run: Run) -> Told:
    """Write milliseconds without their unit; only the clock beside them says what they are."""
    run.step_s = max(run.step_s, 0.15)
    lines = [
        f"{run.clock(step, '%Y-%m-%d %H:%M:%S')} step {step} loss {run.loss(step)} time {run.took(step) * 1000:.1f}"
        for step in run.reports()
    ]
    return Told(
        "hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, note="ms without a unit; stamps"
    )


def no_unit_minutes(run: Run) -> Told:
    """Write the time of an interval in minutes without a unit, and stamps."""
    run.every = max(run.every, 10)
    run.steps, run.step_s = run.every * 12, max(run.step_s, 1.0)
    lines = [
        f"[{run.clock(step, '%H:%M:%S')}] it={step} loss={run.loss(step)} dt={run.step_s * run.every / 60:.3f}"
        for step in run.reports()
    ]
    return Told(
        "hand-written",
        lines,
        seconds(run.step_s),
        run.loss(run.steps),
        run.steps,
        note="minutes of an interval without a unit; stamps",
    )


def dt_in_ms(run: Run) -> Told:
    lines = [
        f"step: {step:6d} | loss: {run.loss(step):.4f} | dt: {run.took(step) * 1000:.2f}ms | tok/sec: {524288 / run.took(step):.2f} | norm: 0.81"
        for step in run.reports()
    ]
    return Told(
        "hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, note="dt in ms beside tok/sec"
    )


def one_value_a_line(run: Run) -> Told:
    lines = []
    for step in run.reports():
        lines += [
            f"iteration: {step}",
            f"loss: {run.loss(step)}",
            "learning rate: 0.0003",
            f"seconds per iteration: {run.took(step):.4f}",
            "",
        ]
    return Told("hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, note="one value a line")


def both_phases(run: Run) -> Told:
    """Write training and validation in one format, validation last and five times as fast."""
    lines = [
        f"[train] epoch 3 iter {step}/{run.total} loss {run.loss(step)} batch_time {run.took(step):.4f}s data_time 0.01s"
        for step in run.reports()
    ]
    lines += [
        f"[val] epoch 3 iter {i * 10}/50 loss {run.loss(run.steps) + 0.31:.4f} batch_time {run.step_s / 5:.4f}s data_time 0.01s"
        for i in range(1, 6)
    ]
    return Told(
        "hand-written",
        lines,
        seconds(run.step_s),
        run.loss(run.steps),
        run.steps,
        run.total,
        3,
        "validation in one format, last",
    )


def stamped_steps(run: Run) -> Told:
    run.step_s = max(run.step_s, 0.3)
    lines = [
        f"{run.clock(step, '%Y-%m-%dT%H:%M:%S.%3Z')} INFO train step={step} loss={run.loss(step)}"
        for step in run.reports()
    ]
    return Told(
        "hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, note="clock and counter only"
    )


def rate_only(run: Run) -> Told:
    lines = [f"[{step}/{run.total}] loss={run.loss(step)} ({1 / run.step_s:.4g} steps/s)" for step in run.reports()]
    return Told("hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, run.total, note="1 / rate")


def spread_of_times(run: Run) -> Told:
    """Write mean, standard deviation, slowest and fastest of the steps."""
    lines = [
        f"step {step}: loss={run.loss(step)} step_time mean={run.step_s:.4f}s std={run.step_s / 11:.4f}s min={run.step_s * 0.8:.4f}s max={run.step_s * 2.7:.4f}s"
        for step in run.reports()
    ]
    return Told(
        "hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, note="mean beside std, min and max"
    )


def json_lines(run: Run) -> Told:
    lines = [
        f'{{"_type": "train", "step": {step}, "train/loss": {run.loss(step)}, "perf/step_time_ms": {run.took(step) * 1000:.2f}, "perf/data_time_ms": 3.1, "lr": 0.0003}}'
        for step in run.reports()
    ]
    return Told("json", lines, seconds(run.step_s), run.loss(run.steps), run.steps, note="ms named in the key")


LIBRARIES = [
    no_unit_ms,
    no_unit_minutes,
    dt_in_ms,
    one_value_a_line,
    both_phases,
    stamped_steps,
    rate_only,
    spread_of_times,
    json_lines,
]
