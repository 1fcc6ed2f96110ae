"""Reinforcement learning: tables of two columns, frames a second, iterations."""

from evals.training_logs.run import Run, Told, seconds
from evals.unmet_logs.shapes import at_least, bar, box, clock, either, short


def baselines(run: Run) -> Told:
    """Write OpenAI Baselines' PPO2 table."""
    at_least(run, 0.4)
    lines = []
    for update in range(1, 25):
        rows = [
            ("approxkl", f"{0.004 + update / 9000:.8f}"), ("clipfrac", "0.05234375"), ("eplenmean", f"{180 + update}"), ("eprewmean", f"{update * 3.1:.4f}"),
            ("explained_variance", "0.712"), ("fps", f"{2048 / run.took(update):.0f}"), ("nupdates", f"{update}"), ("policy_entropy", "2.1"),
            ("policy_loss", "-0.0021"), ("serial_timesteps", f"{update * 256}"), ("time_elapsed", f"{update * run.step_s:.3g}"), ("total_timesteps", f"{update * 2048}"), ("value_loss", f"{run.loss(update)}"),
        ]  # fmt: skip
        lines += box(rows)
    return Told("baselines", lines, either(run.step_s, run.step_s / 2048, run.step_s / 256), note="PPO2's table")


def rllib_result(run: Run) -> Told:
    """Write RLlib's results as YAML, one an iteration."""
    at_least(run, 1.0)
    lines = []
    for index in range(1, 14):
        lines += [
            "Result for PPO_CartPole-v1_4c1d2_00000:", "  agent_timesteps_total: " + str(index * 4000), "  custom_metrics: {}", "  date: " + run.clock(index * 10, "%Y-%m-%d_%H-%M-%S"), "  done: false",
            "  episode_len_mean: 91.31", "  episode_reward_mean: " + f"{20 + index * 3.3:.2f}", "  episodes_this_iter: 43", "  info:", "    learner:", "      default_policy:", "        learner_stats:",
            f"          total_loss: {run.loss(index)}", "    num_env_steps_sampled: " + str(index * 4000), "  iterations_since_restore: " + str(index), "  num_healthy_workers: 2",
            f"  time_since_restore: {index * run.step_s:.6f}", f"  time_this_iter_s: {run.took(index + 2):.6f}", f"  time_total_s: {index * run.step_s:.6f}", "  timers:", "    learn_throughput: 1432.1",
            f"    learn_time_ms: {run.step_s * 612:.3f}", "    sample_throughput: 3123.1", f"  timesteps_total: {index * 4000}", f"  training_iteration: {index}", "  trial_id: 4c1d2_00000", "  ",
        ]  # fmt: skip
    return Told("rllib", lines, either(run.step_s, run.step_s / 4000), "", "13|52000", note="YAML results")


def isaac_lab(run: Run) -> Told:
    at_least(run, 0.3)
    lines = []
    for index in range(30):
        took = run.took(index + 2)
        lines += [
            "#" * 80, f"                      \033[1m Learning iteration {index}/1500 \033[0m                      ", "",
            f"                       Computation: {98304 / took:.0f} steps/s (collection: {took * 0.8:.3f}s, learning {took * 0.2:.3f}s)",
            "             Mean action noise std: 0.98", f"          Mean value_function loss: {run.loss(index)}", "               Mean surrogate loss: -0.0041", f"                       Mean reward: {index * 0.31:.2f}",
            "               Mean episode length: 211.42", "Episode_Reward/track_lin_vel_xy_exp: 0.0312", "-" * 80,
            f"                   Total timesteps: {98304 * (index + 1)}", f"                    Iteration time: {took:.2f}s", f"                      Time elapsed: {clock(index * run.step_s).zfill(8)}", f"                               ETA: {clock((1500 - index) * run.step_s).zfill(8)}", "",
        ]  # fmt: skip
    return Told("rsl-rl", lines, seconds(run.step_s), "", 29, 1500, note="Isaac Lab's blocks")


def skrl(run: Run) -> Told:
    lines = ["[skrl:INFO] Environment wrapper: Isaac Lab (single-agent)"] + [bar(run, step) for step in run.reports()]
    return Told("skrl", lines, seconds(run.step_s), "", run.steps, run.total, note="a bare bar")


def sample_factory(run: Run) -> Told:
    fps, frames, lines = 4096 / run.step_s, 0.0, []
    for index in range(1, 60):
        frames = fps * 5 * index
        lines.append(
            f"[{run.clock(5 * index / run.step_s, '%Y-%m-%d %H:%M:%S,%3')}][41233] Fps is (10 sec: {fps * 1.01:.1f}, 60 sec: {fps:.1f}, 300 sec: {fps * 0.99:.1f}). Total num frames: {frames:.0f}. Throughput: 0: {fps * 1.01:.1f}. Samples: {frames / 4:.0f}. Policy #0 lag: (min: 0.0, avg: 1.2, max: 3.0)"
        )
        if index % 3 == 0:
            lines.append(
                f"[{run.clock(5 * index / run.step_s, '%Y-%m-%d %H:%M:%S,%3')}][41233] Avg episode reward: [(0, '{index / 3:.3f}')]"
            )
    return Told("sample-factory", lines, either(1 / fps, 4 / fps, None), note="frames a second, three windows")


def dopamine(run: Run) -> Told:
    lines = []
    for index in range(8):
        day = run.clock(index * 250_000, "%m%d %H:%M:%S")
        lines += [
            f"I{day}.123456 140012 run_experiment.py:527] Starting iteration {index}",
            f"Steps executed: {900 + index} Episode length: 812 Return: -{index + 3}.0\r",
            f"I{day}.523456 140012 run_experiment.py:440] Average undiscounted return per training episode: {index * 1.2:.2f}",
            f"I{day}.523499 140012 run_experiment.py:442] Average training steps per second: {1 / run.step_s:.2f}",
            f"I{day}.923456 140012 run_experiment.py:471] Average undiscounted return per evaluation episode: {index * 1.3:.2f}",
        ]
    return Told("dopamine", lines, seconds(run.step_s), note="steps a second in words")


def dreamer(run: Run) -> Told:
    at_least(run, 0.02, 1.5)
    lines = []
    for index in range(1, 30):
        step = index * 1000
        lines += [
            f"[{step}] return {index * 2.1:.1f} / length 500 / total_episodes {index * 2}",
            f"[{step}] kl_loss {3 - index / 40:.1f} / image_loss {8000 - index:.1f} / reward_loss 0.9 / model_loss {run.loss(index):.1f} / actor_grad_norm 0.1 / fps {1 / run.step_s:.1f}",
        ]
    return Told("dreamer", lines, seconds(run.step_s), "", 29000, note="name value pairs between slashes")


def puffer(run: Run) -> Told:
    rate, lines = 65_536 / run.step_s, []
    for index in range(1, 14):
        lines += [
            "╭" + "─" * 60 + "╮", "│  PufferLib 2.0 🐡      CPU: 412.1%     GPU: 61.0%     VRAM: 31.2% │",
            "│  Env               breakout     Performance   Time      %   │", f"│  Steps             {short(index * 65_536 * 10):<12} Evaluate     {index * 2}s     61%  │",
            f"│  SPS               {short(rate):<12} Train        {index}s     31%  │", f"│  Epoch             {index * 10:<12} Losses        Value          │", "╰" + "─" * 60 + "╯",
        ]  # fmt: skip
    return Told("pufferlib", lines, either(run.step_s, 1 / rate, None), note="a dashboard that is redrawn")


def episodes(run: Run) -> Told:
    lines = [
        f"Episode {index * 10:5d} | Env steps {index * 2000:8d} | Return {index * 1.7:8.2f} | eps 0.{90 - index} | SPS {200 / run.step_s:.0f}"
        for index in range(1, 50)
    ]
    return Told("hand-written", lines, either(run.step_s / 200, run.step_s, None), note="environment steps a second")


def lean_rl(run: Run) -> Told:
    at_least(run, 0.0005, 0.9)
    lines = [
        f"speed: {1 / run.step_s: 4.4f} sps, reward avg: {index / 7: 4.2f}, reward max:{index / 5: 4.2f}, returns: {index: 4.2f}, lr=0.00025: {index * 100 // 977:3d}%|{'█' * (index * 10 // 977):10}| {index}/977"
        for index in range(20, 300, 10)
    ]
    return Told("leanrl", lines, either(run.step_s, None), "", "", note="speed in the text of a bar that has no clock")


PROGRAMS = [baselines, rllib_result, isaac_lab, skrl, sample_factory, dopamine, dreamer, puffer, episodes, lean_rl]
