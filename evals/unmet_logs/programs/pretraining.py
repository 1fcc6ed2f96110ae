"""Trainers of large models and small ones of their kind."""

from evals.training_logs.run import Run, Told, hms, seconds
from evals.unmet_logs.shapes import at_least, either, short, words


def megatron_deepspeed(run: Run) -> Told:
    at_least(run, 0.3)
    lines = []
    for step in run.reports():
        took = run.took(step + 2)
        lines += [
            f" iteration {step:8d}/{run.total:8d} | consumed samples: {step * 512:12d} | consumed tokens: {step * 512 * 2048:16d} | elapsed time per iteration (s): {took:.2f} | learning rate: 1.2E-04 | global batch size:   512 | lm loss: {run.loss(step):.6E} | grad norm: 1.211 | num zeros: 0.0 | samples per second: {512 / took:.3f} | TFLOPs: 121.02 |",
            f"[default7]:time (ms) | forward-compute: {took * 300:.2f} | backward-compute: {took * 580:.2f} | optimizer: {took * 40:.2f} | batch-generator: 12.31",
        ]
    return Told("megatron-deepspeed", lines, seconds(run.step_s), run.loss(run.steps), run.steps, run.total)


def neox(run: Run) -> Told:
    lines = []
    for step in run.reports():
        took = run.took(step + 2)
        stamp = run.clock(step, "%Y-%m-%d %H:%M:%S,%3")
        lines += [
            f"[{stamp}] [INFO] [timer.py:197:stop] 0/{step}, RunningAvgSamplesPerSec={64 / run.step_s}, CurrSamplesPerSec={64 / took}, MemAllocated=12.1GB, MaxMemAllocated=31.2GB",
            f" samples/sec: {64 / took:.3f} | iteration {step:8d}/{run.total:8d} | elapsed time per iteration (ms): {took * 1000:.1f} | learning rate: 5.4E-06 | approx flops per GPU: 61.2TFLOPS | lm_loss: {run.loss(step):.6E} | number of skipped iterations:   0 | number of nan iterations:   0 |",
        ]
    return Told("gpt-neox", lines, seconds(run.step_s), run.loss(run.steps), run.steps, run.total)


def nanotron(run: Run) -> Told:
    at_least(run, 0.2)
    lines = []
    for step in run.reports():
        took = run.took(step + 2)
        lines.append(
            f"[default0]:{run.clock(step, '%m/%d/%Y %H:%M:%S')} [INFO|DP=0|PP=0|TP=0|ip-26-0-160-192]: iteration: {step} / {run.total} | consumed_tokens: {short(step * 4.19e6)} | elapsed_time_per_iteration_ms: {short(took * 1000)} | tokens_per_sec: {short(4.19e6 / took)} | tokens_per_sec_per_gpu: {short(4.19e6 / took / 64)} | global_batch_size: {short(1024)} | lm_loss: {run.loss(step):.3g} | lr: 0.0003 | model_tflops_per_gpu: 312 | grad_norm: 1.2"
        )
    return Told("nanotron", lines, seconds(run.step_s), "", run.steps, run.total, note="milliseconds with a K")


def nemo_two(run: Run) -> Told:
    lines = [
        f"Training epoch 0, iteration {step}/{run.total - 1} | lr: 1.499e-07 | global_batch_size: 128 | global_step: {step} | reduced_train_loss: {run.loss(step):.4g} | train_step_timing in s: {run.took(step + 2):.4g} | consumed_samples: {step * 128}"
        for step in run.reports()
    ]
    return Told("nemo", lines, seconds(run.step_s), "", run.steps, note="NeMo 2")


def composer(run: Run) -> Told:
    at_least(run, 0.02, 50)
    lines = []
    for step in run.reports():
        lines += [
            f"[batch={step}/{run.total}]:", f"\t Train time/batch: {step - 1}", f"\t Train time/sample: {(step - 1) * 256}", "\t Train time/batch_in_epoch: " + str(step - 1), f"\t Train time/token: {(step - 1) * 524288}",
            "\t Train trainer/device_train_microbatch_size: 8", f"\t Train loss/train/total: {run.loss(step)}", "\t Train metrics/train/LanguageCrossEntropy: 3.1021", f"\t Train throughput/batches_per_sec: {1 / run.step_s:.4f}",
            f"\t Train throughput/samples_per_sec: {256 / run.step_s:.4f}", f"\t Train throughput/device/batches_per_sec: {1 / run.step_s / 8:.4f}", f"\t Train throughput/tokens_per_sec: {524288 / run.step_s:.4f}", f"\t Train time/train: {run.at(step) / 3600:.4f}", "\t Train time/val: 0.0000",
            f"\t Train time/total: {run.at(step) / 3600:.4f}", "\t Train lr-DecoupledAdamW/group0: 0.0003",
        ]  # fmt: skip
    return Told(
        "composer",
        lines,
        seconds(run.step_s),
        run.loss(run.steps),
        run.steps,
        run.total,
        note="one value a line, device rates beside",
    )


def olmo(run: Run) -> Told:
    at_least(run, 0.05, 30)
    lines = []
    for step in run.reports():
        stamp = run.clock(step, "%Y-%m-%dT%H:%M:%S.%f")
        lines += [
            f"{stamp}\tnode-3:0\tolmo.train:788\tINFO\t[step={step}/{run.total},epoch=0]", "    optim/total_grad_norm=0.8112", f"    train/CrossEntropyLoss={run.loss(step)}", "    train/Perplexity=31.21",
            f"    throughput/total_tokens={step * 4194304}", f"    throughput/device/tokens_per_second={4194304 / 64 / run.step_s:.1f}", f"    throughput/device/batches_per_second={1 / run.step_s:.4f}", "    System/Peak GPU Memory (MB)=41,231",
        ]  # fmt: skip
    return Told(
        "olmo", lines, seconds(run.step_s), run.loss(run.steps), run.steps, run.total, note="name=value below a heading"
    )


def levanter(run: Run) -> Told:
    at_least(run, 0.02, 40)
    run.total = max(run.total, 3000)
    lines = []
    for step in run.reports():
        rate = f"{1 / run.step_s:.1f}it/s" if run.step_s < 1 else f"{run.step_s:.1f}s/it"
        count = f"{step}it" if step < 1000 else f"{step / 1000:.2f}kit"
        lines.append(
            f"{run.clock(step, '%Y-%m-%dT%H:%M:%S')} - 0 - levanter.tracker - tqdm_loggable - INFO :: Progress on:train {count}/{run.total / 1000:.1f}kit rate:{rate} remaining:{hms((run.total - step) * run.step_s)} elapsed:{hms(step * run.step_s)} postfix:loss={run.loss(step):.3f}"
        )
    return Told("levanter", lines, seconds(run.step_s), note="counts in thousands")


def llm_c(run: Run) -> Told:
    lines = [
        f"step {step:4d}/{run.total} | loss {run.loss(step):8.6f} (+0.12z)| norm 1.2311 (-0.31z)| lr 2.14e-05 | {run.took(step + 2) * 1000:.2f} ms | 51.2% bf16 MFU | {524288 / run.step_s:.0f} tok/s"
        for step in run.reports()
    ]
    return Told("llm.c", lines, seconds(run.step_s), run.loss(run.steps), run.steps, run.total)


def llama2_c(run: Run) -> Told:
    lines = []
    for step in run.reports():
        lines.append(
            f"{step} | loss {run.loss(step):.4f} | lr 5.000000e-04 | {run.took(step + 2) * 1000:.2f}ms | mfu 41.12%"
        )
        if step % (run.every * 6) == 0:
            lines.append(f"step {step}: train loss {run.loss(step) + 0.01:.4f}, val loss {run.loss(step) + 0.05:.4f}")
    return Told("llama2.c", lines, seconds(run.step_s), "", run.steps, note="a counter without a name")


def min_gpt(run: Run) -> Told:
    lines = [
        f"iter_dt {run.took(step + 2) * 1000:.2f}ms; iter {step}: train loss {run.loss(step):.5f}"
        for step in run.reports()
    ]
    return Told("mingpt", lines, seconds(run.step_s), run.loss(run.steps), run.steps)


def lit_gpt(run: Run) -> Told:
    lines = [
        f"Epoch {1 + step // 4000} | iter {step} step {step // 4} | loss train: {run.loss(step):.3f}, val: n/a | iter time: {run.took(step + 2) * 1000:.2f} ms{' (step)' if step % 4 == 0 else ''}"
        for step in range(1, 120)
    ]
    return Told("litgpt", lines, either(run.step_s, run.step_s * 4), "", "119|29", note="iterations and steps of four")


def modded(run: Run) -> Told:
    at_least(run, 0.02)
    lines = []
    for step in range(1, 400, 4):
        if step % 125 < 4:
            lines.append(
                f"step:{step}/1750 val_loss:{run.loss(step) + 0.1:.4f} train_time:{step * run.step_s * 1000:.0f}ms step_avg:{run.step_s * 1000:.2f}ms"
            )
        lines.append(
            f"step:{step}/1750 train_loss:{run.loss(step):.4f} train_time:{step * run.step_s * 1000:.0f}ms step_avg:{run.step_s * 1000:.2f}ms"
        )
    return Told("modded-nanogpt", lines, seconds(run.step_s), "", 397, 1750)


def big_vision(run: Run) -> Told:
    at_least(run, 0.05)
    lines = []
    for step in run.reports():
        lines += [
            f"NOTE: Steps:{step}/{run.total} [{step * 100 / run.total:.1f}%]", f"Walltime:{words(step * run.step_s)} (0s eval)", f"ETA:{words((run.total - step) * run.step_s)}", f"Total train time:{words(run.total * run.step_s)}",
        ]  # fmt: skip
    return Told("big_vision", lines, either(run.step_s, None), "", run.steps, run.total, note="wall time and counter")


def picotron(run: Run) -> Told:
    lines = [
        f"[rank 0] Step: {step:<5d} | Loss: {run.loss(step):6.4f} | Global batch size: {short(1048576)} | Tokens/s: {short(1048576 / run.took(step + 2))} | Tokens/s/GPU: {short(131072 / run.took(step + 2))} | Tokens: {short(step * 1048576)} | MFU: 41.21% | Memory usage: 33.12GB"
        for step in range(1, 80)
    ]
    return Told("picotron", lines, seconds(run.step_s), run.loss(79), 79, note="tokens of a batch over tokens a second")


def colossal(run: Run) -> Told:
    at_least(run, 0.1)
    lines = []
    for epoch in range(4):
        lines += [
            f"[{run.clock(epoch * 300, '%m/%d/%y %H:%M:%S')}] INFO     colossalai - colossalai - INFO: /opt/hooks/_log_hook.py:87 after_train_epoch",
            f"                    INFO     colossalai - colossalai - INFO: [Epoch {epoch} / Train]: LR = 0.00{epoch + 1} | Loss = {run.loss(epoch * 30)} | Throughput = {128 / run.step_s:.3f} sample_per_sec",
        ]
    return Told("colossalai", lines, either(None, run.step_s * 300), note="samples a second and no batch")


PROGRAMS = [
    megatron_deepspeed, neox, nanotron, nemo_two, composer, olmo, levanter, llm_c, llama2_c, min_gpt, lit_gpt, modded, big_vision, picotron, colossal,
]  # fmt: skip
