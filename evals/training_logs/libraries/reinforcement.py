"""Reinforcement learning: tables, blocks and lines of its libraries."""

from evals.training_logs.run import Run, Told, hms, seconds


def boxed(rows: list[tuple[str, str]], width: int = 16) -> list[str]:
    """Draw Baselines' two-column table."""
    rule = "-" * (width * 2 + 7)
    return [rule, *(f"| {name:<{width}} | {value:<{width}} |" for name, value in rows), rule]


def stable_baselines(run: Run) -> Told:
    """Write tables of Stable-Baselines3; an iteration is a roll-out of 2,048 steps of each of 8 environments."""
    lines, frames = ["Using cuda device", "Wrapping the env with a `Monitor` wrapper"], 2048 * 8
    iteration, count = run.step_s * 20, run.steps // run.every
    for index in range(1, count + 1):
        rows = [
            ("rollout/", ""), ("   ep_len_mean", f"{180 + index % 7}"), ("   ep_rew_mean", f"{-200 + index * 3:.3g}"), ("time/", ""),
            ("   fps", f"{int(frames / iteration)}"), ("   iterations", f"{index}"), ("   time_elapsed", f"{int(index * iteration)}"),
            ("   total_timesteps", f"{index * frames}"),
        ]  # fmt: skip
        if index > 1:
            rows += [
                ("train/", ""),
                ("   approx_kl", "0.0083"),
                ("   clip_fraction", "0.0915"),
                ("   entropy_loss", "-1.38"),
                ("   learning_rate", "0.0003"),
                ("   loss", f"{run.loss(index)}"),
                ("   n_updates", f"{(index - 1) * 10}"),
                ("   value_loss", "12.4"),
            ]
        lines += boxed(rows, 18)
    return Told(
        "stable-baselines3",
        lines,
        f"{seconds(iteration)}|{seconds(iteration / frames)}|{seconds(iteration / 2048)}",
        run.loss(count) if count > 1 else "",
        f"{count}|{count * frames}",
        note="nested two-column table",
    )


def rsl_rl(run: Run) -> Told:
    """Write the blocks of rsl_rl (legged robots)."""
    lines, total, last = [], run.total // run.every, run.steps // run.every
    for index in range(last + 1):
        took = run.took(index)
        lines += [
            "#" * 80, f"                       \033[1m Learning iteration {index}/{total} \033[0m                       ", "",
            f"                       Computation: {98304 / took:.0f} steps/s (collection: {took * 0.81:.3f}s, learning {took * 0.19:.3f}s)",
            f"               Value function loss: {run.loss(index):.4f}", "                    Surrogate loss: -0.0031",
            "             Mean action noise std: 0.92", f"                       Mean reward: {index / 9:.2f}", "               Mean episode length: 884.10", "-" * 80,
            f"                   Total timesteps: {98304 * (index + 1)}", f"                    Iteration time: {took:.2f}s", f"                        Total time: {run.at(index):.2f}s",
            f"                               ETA: {(total - index) * run.step_s:.1f}s",
        ]  # fmt: skip
    return Told(
        "rsl-rl",
        lines,
        seconds(run.step_s) if run.step_s >= 0.1 else f"{seconds(run.step_s)}|{run.took(last):.2f}",
        "",
        last,
        total,
        note="block an iteration",
    )


def rl_games(run: Run) -> Told:
    frames, lines = 65_536, ["fused: True", "current training device: cuda:0"]
    last = run.steps // run.every
    for epoch in range(1, last + 1):
        rate = frames / run.took(epoch)
        lines.append(
            f"fps step: {rate * 1.4:.0f} fps step and policy inference: {rate * 1.2:.0f} fps total: {rate:.0f} epoch: {epoch}/{run.total} frames: {epoch * frames}"
        )
    return Told("rl-games", lines, seconds(run.step_s), "", "", "", "", "three rates; 65536 frames an epoch")


def clean_rl(run: Run) -> Told:
    """Write CleanRL's prints: returns of episodes and steps per second."""
    lines = []
    rate = max(2, int(1 / run.step_s * 40))
    for step in run.reports():
        if step % (run.every * 2) == 0:
            lines.append(f"global_step={step * 128}, episodic_return=[{step % 300}.]")
        lines.append(f"SPS: {rate}")
    return Told("cleanrl", lines, f"{seconds(1 / rate)}|null", "", "", "", "", "SPS alone on its line")


def spinning_up(run: Run) -> Told:
    """Write Spinning Up's table; its Time is since the start."""
    lines, count, epoch_s = [], max(4, run.steps // run.every), run.step_s * 10
    for epoch in range(count):
        lines += boxed(
            [
                ("Epoch", f"{epoch}"),
                ("AverageEpRet", f"{20 + epoch}"),
                ("StdEpRet", "11.2"),
                ("EpLen", "61.2"),
                ("VVals", "3.41"),
                ("TotalEnvInteracts", f"{(epoch + 1) * 4000}"),
                ("LossPi", "-0.021"),
                ("LossV", f"{run.loss(epoch)}"),
                (
                    "Time",
                    f"{(epoch + 1) * epoch_s:.3g}" if (epoch + 1) * epoch_s < 900 else f"{(epoch + 1) * epoch_s:.0f}",
                ),
            ],
            17,
        )
    return Told(
        "spinningup",
        lines,
        f"{seconds(epoch_s)}|{seconds(epoch_s / 4000)}|null",
        "",
        "",
        "",
        "",
        "cumulative Time in a table",
    )


def tianshou(run: Run) -> Told:
    """Write Tianshou's bar, one an epoch."""
    rate = 1 / run.step_s
    lines = [
        f"Epoch #{epoch}: 10001it [{hms(10001 * run.step_s)}, {rate:.2f}it/s, env_step={epoch * 10000}, gradient_step={epoch * 1000}, len=200, loss={run.loss(epoch * 10):.3f}, n/ep=2, n/st=10, rew=200.00]"
        for epoch in range(1, 12)
    ]
    return Told(
        "tianshou",
        lines,
        seconds(run.step_s) if rate >= 0.3 else f"{seconds(1 / round(rate, 2) if round(rate, 2) else run.step_s)}",
        round(run.loss(110), 3),
        "",
        "",
        "",
        "bar an epoch",
    )


def acme(run: Run) -> Told:
    lines = [
        f"[Learner] Learner Steps = {step} | Learner Walltime = {run.at(step):.3f} | Loss = {run.loss(step):.3f} | Steps Per Second = {1 / run.step_s:.3f}"
        for step in run.reports()
    ]
    return Told(
        "acme",
        lines,
        seconds(run.step_s),
        round(run.loss(run.steps), 3),
        run.steps,
        "",
        "",
        "key = value, bars between",
    )


def ray_tune(run: Run) -> Told:
    """Write the status table of a tuner: many trials, none of them the job's own loop."""
    lines = [
        "== Status ==",
        "Current time: 2025-04-02 10:11:12 (running for 00:21:33.11)",
        "Memory usage on this node: 61.2/503.6 GiB",
        "Number of trials: 4/16 (12 PENDING, 2 RUNNING, 2 TERMINATED)",
        "+-----------------+------------+-----------------+-----------+--------+------------------+",
        "| Trial name      | status     | loc             |        lr |   iter |   total time (s) |",
        "|-----------------+------------+-----------------+-----------+--------+------------------|",
    ]
    for trial in range(4):
        count = run.dice.randrange(8, 12)
        lines.append(
            f"| train_fn_{trial:05d}  | {'RUNNING' if trial < 2 else 'TERMINATED':10} | 10.0.0.{trial}:2231   | {0.1 / (trial + 1):.5f}   |   {count:4d} |     {count * run.step_s * 5:12.3f} |"
        )
    lines.append("+-----------------+------------+-----------------+-----------+--------+------------------+")
    return Told("ray-tune", lines, f"null|{seconds(run.step_s * 5)}", note="table of trials: time over iterations")


def optuna(run: Run) -> Told:
    """Write Optuna's trials; what trials take is no step's time, but may be told."""
    took = run.step_s * 30
    lines = [
        f"[I {run.clock(trial * 30, '%Y-%m-%d %H:%M:%S,%3')}] Trial {trial} finished with value: {0.9 - run.loss(trial) / 100:.6f} and parameters: {{'lr': 0.00{trial + 1}, 'layers': {trial % 4}}}. Best is trial {trial // 2} with value: 0.8912."
        for trial in range(14)
    ]
    return Told("optuna", lines, f"null|{seconds(took)}", note="trials with stamps")


LIBRARIES = [stable_baselines, rsl_rl, rl_games, clean_rl, spinning_up, tianshou, acme, ray_tune, optuna]
