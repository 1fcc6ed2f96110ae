"""Language models and translation: fine-tuning tools, older toolkits, TensorFlow's estimators."""

import json

from evals.training_logs.run import Run, Told, hms, seconds
from evals.unmet_logs.shapes import at_least, bar, clock, either


def hf_dicts_only(run: Run) -> Told:
    lines = [
        f"{{'loss': {run.loss(step)}, 'grad_norm': 1.2, 'learning_rate': {5e-5 * (1 - step / run.total)}, 'epoch': {step / run.total * 3:.2f}}}"
        for step in run.reports()
    ]
    return Told("hf-trainer", lines, "null", run.loss(run.steps), note="dictionaries without any time")


def hf_five(run: Run) -> Told:
    """Write what Trainer 5 prints: numbers as strings; a bar of evaluation within."""
    lines = []
    for index, step in enumerate(run.reports()):
        lines.append(bar(run, step))
        lines.append(
            f"{{'loss': '{run.loss(step)}', 'grad_norm': '1.21', 'learning_rate': '4.1e-05', 'epoch': '{step / run.total * 3:.4f}'}}"
        )
        if index == 4:
            lines += [f" {i * 10:2d}%|{'█' * i:10}| {i * 3}/30 [00:0{i}<00:01, 31.21it/s]" for i in range(2, 10)]
            lines.append(
                f"{{'eval_loss': '1.021', 'eval_runtime': '9.123', 'eval_samples_per_second': '812.1', 'eval_steps_per_second': '31.2', 'epoch': '{step / run.total * 3:.4f}'}}"
            )
    return Told(
        "hf-trainer", lines, seconds(run.step_s), run.loss(run.steps), run.steps, run.total, note="strings for numbers"
    )


def llama_factory(run: Run) -> Told:
    at_least(run, 0.2)
    lines = [
        json.dumps({"current_steps": step, "total_steps": run.total, "loss": run.loss(step), "lr": 4.9e-05, "epoch": round(step / run.total * 3, 2), "percentage": round(step * 100 / run.total, 2), "elapsed_time": clock(step * run.step_s), "remaining_time": clock((run.total - step) * run.step_s)})
        for step in run.reports()
    ]  # fmt: skip
    return Told(
        "llama-factory", lines, seconds(run.step_s), run.loss(run.steps), run.steps, run.total, note="trainer_log.jsonl"
    )


def notebook_bar(run: Run) -> Told:
    at_least(run, 0.5)
    lines = [
        f" [{run.steps}/{run.total} {hms(run.steps * run.step_s)} < {hms((run.total - run.steps) * run.step_s)}, {1 / run.step_s:.2f} it/s, Epoch 1.31/3]",
        "Step\tTraining Loss\tValidation Loss",
        *(f"{step}\t{run.loss(step):.6f}\t{run.loss(step) + 0.1:.6f}" for step in run.reports()),
    ]
    return Told("hf-trainer", lines, either(run.step_s, 1 / max(0.01, round(1 / run.step_s, 2))), note="what a notebook shows")  # fmt: skip


def nematus(run: Run) -> Told:
    at_least(run, 0.05)
    lines = [
        f"INFO: [{run.clock(step, '%Y-%m-%d %H:%M:%S')}] Epoch: 0 Update: {step} Loss/word: {run.loss(step)} Words/sec: {4000 / run.step_s:.2f} Sents/sec: {80 / run.step_s:.2f}"
        for step in range(100, 4000, 100)
    ]
    return Told("nematus", lines, seconds(run.step_s), run.loss(3900), 3900, note="stamps tell the step")


def sockeye(run: Run) -> Told:
    lines = [
        f"[{run.clock(step, '%Y-%m-%d:%H:%M:%S')}:INFO:sockeye.training_pt:log_step] Epoch[0] Batch [{step}]\tSpeed: {64 / run.step_s:.2f} samples/sec {1900 / run.step_s:.2f} tokens/sec {1 / run.step_s:.2f} updates/sec\tperplexity={run.loss(step)}"
        for step in range(50, 3000, 50)
    ]
    return Told(
        "sockeye", lines, either(run.step_s, 1 / max(0.01, round(1 / run.step_s, 2))), "", 2950, note="three rates"
    )


def flair(run: Run) -> Told:
    at_least(run, 0.05)
    lines = []
    for epoch in (1, 2, 3):
        begun = (epoch - 1) * 500
        lines += ["-" * 100]
        lines += [
            f"{run.clock(begun + batch, '%Y-%m-%d %H:%M:%S,%3')} epoch {epoch} - iter {batch}/500 - loss {run.loss(begun + batch):.8f} - time (sec): {batch * run.step_s:.2f} - samples/sec: {32 / run.step_s:.2f} - lr: 0.100000 - momentum: 0.000000"
            for batch in range(50, 501, 50)
        ]
        lines += [
            "-" * 100,
            f"{run.clock(begun + 500, '%Y-%m-%d %H:%M:%S,%3')} EPOCH {epoch} done: loss {run.loss(begun + 500):.4f} - lr: 0.100000",
            f"{run.clock(begun + 500.4, '%Y-%m-%d %H:%M:%S,%3')} DEV : loss 0.2101 - f1-score (micro avg)  0.8211",
        ]
    return Told("flair", lines, seconds(run.step_s), "", 500, 500, note="seconds since the epoch began")


def allennlp(run: Run) -> Told:
    lines = [
        bar(run, step, total=1234, head=f"accuracy: 0.81, batch_loss: {run.loss(step):.4f}, loss: {run.loss(step) + 0.02:.4f} ||: ").replace("|", "|", 1)
        for step in range(20, 1234, 40)
    ]  # fmt: skip
    lines += [
        f"accuracy: 0.79, batch_loss: 0.4012, loss: 0.4512 ||: {i * 10:3d}%|{'#' * i:10}| {i * 11}/110 [00:0{i}<00:0{10 - i}, {19 / run.step_s:.2f}it/s]"
        for i in range(1, 10)
    ]
    return Told("allennlp", lines, seconds(run.step_s), "", "", 1234, note="numbers before the bar, validation after")


def fairseq_json(run: Run) -> Told:
    at_least(run, 0.05, 8)
    lines = [
        f"{run.clock(step, '%Y-%m-%d %H:%M:%S')} | INFO | train_inner | "
        + json.dumps({"epoch": 1, "update": round(step / run.total, 3), "loss": f"{run.loss(step)}", "ppl": "301.2", "wps": f"{30000 / run.step_s:.1f}", "ups": f"{1 / run.step_s:.2f}", "wpb": "30000", "bsz": "512", "num_updates": str(step), "lr": "0.0001", "gnorm": "1.2", "train_wall": f"{run.step_s * run.every:.0f}", "gb_free": "11.2", "wall": f"{run.at(step):.0f}"})
        for step in run.reports()
    ]  # fmt: skip
    return Told("fairseq", lines, either(run.step_s, 1 / max(0.01, round(1 / run.step_s, 2))), run.loss(run.steps), run.steps, note="JSON")  # fmt: skip


def estimator(run: Run) -> Told:
    at_least(run, 0.01, 20)
    lines = []
    for step in range(100, 4000, 100):
        stamp = run.clock(step, "%m%d %H:%M:%S.%f")
        lines += [
            f"I{stamp} 139812 tpu_estimator.py:2307] global_step/sec: {1 / run.step_s:.5g}",
            f"I{stamp} 139812 tpu_estimator.py:2308] examples/sec: {32 / run.step_s:.5g}",
            f"I{stamp} 139812 basic_session_run_hooks.py:260] loss = {run.loss(step)}, step = {step} ({100 * run.step_s:.3f} sec)",
        ]
    lines += [
        f"I{run.clock(4000, '%m%d %H:%M:%S.%f')} 139812 evaluation.py:275] Evaluation [{i}/100]"
        for i in range(10, 101, 10)
    ]
    return Told("tf-estimator", lines, seconds(run.step_s), run.loss(3900), 3900, note="TPUEstimator, evaluation after")


def clu_writer(run: Run) -> Told:
    at_least(run, 0.01, 20)
    lines = [
        f"I{run.clock(step, '%m%d %H:%M:%S.%f')} 140012 logging_writer.py:48] [{step}] learning_rate=0.00031, loss={run.loss(step)}, steps_per_second={1 / run.step_s:.6f}, train_accuracy=0.41, uptime={run.at(step):.3f}"
        for step in run.reports()
    ]
    return Told("clu", lines, seconds(run.step_s), run.loss(run.steps), run.steps, note="Flax examples")


def gluon_nlp(run: Run) -> Told:
    lines = [
        f"INFO:root:{run.clock(step, '%H:%M:%S')} [step {step}]\tmlm_loss={run.loss(step):.5f}\tmlm_acc=41.2\tnsp_loss=0.31\tnsp_acc=88.2\tthroughput={512 * 64 / run.step_s / 1000:.1f}K tks/s\tlr=0.0001 time={run.step_s * 50:.2f}, latency={run.step_s * 1000:.1f} ms/batch"
        for step in range(50, 2000, 50)
    ]
    return Told("gluonnlp", lines, seconds(run.step_s), "", 1950, note="time of 50 batches beside ms/batch")


def trl_ppo(run: Run) -> Told:
    at_least(run, 2)
    lines = []
    for step in range(1, 25):
        lines += [
            f"Epoch: 0 | Step: {step} | PPO Epoch: 1 | Actor Loss: {run.loss(step):.4f} | Critic Loss: 0.{step:03d} | Unsupervised Loss: 0.0",
            f"|E2E latency={run.took(step + 1):.2f}s |Gather latency=0.00s (0.00%) |Generate time={run.step_s * 0.6:.2f}s (60.00%) |Training time={run.step_s * 0.3:.2f}s (30.00%) |Others={run.step_s * 0.1:.2f} (10.00%)|CurSamplesPerSec={32 / run.step_s:.2f} |AvgSamplesPerSec={32 / run.step_s:.2f}",
            f"average reward score: {step / 10:.3f}",
            "-------------------------------------------------------------------------------------",
        ]
    return Told("deepspeed-chat", lines, seconds(run.step_s), "", 24, note="end-to-end latency beside its parts")


PROGRAMS = [
    hf_dicts_only, hf_five, llama_factory, notebook_bar, nematus, sockeye, flair, allennlp, fairseq_json, estimator, clu_writer, gluon_nlp, trl_ppo,
]  # fmt: skip
