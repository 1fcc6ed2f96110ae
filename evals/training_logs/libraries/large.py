"""Trainers of large models."""

from evals.training_logs.run import Run, Told, seconds


def megatron(run: Run) -> Told:
    lines = [
        f" [{run.clock(step, '%Y-%m-%d %H:%M:%S')}] iteration {step:8d}/{run.total:8d} | consumed samples: {step * 512:12d} | elapsed time per iteration (ms): {run.took(step) * 1000:.1f} | throughput per GPU (TFLOP/s/GPU): 412.1 | learning rate: 1.2E-04 | global batch size:   512 | lm loss: {run.loss(step):.6E} | loss scale: 1.0 | grad norm: 1.211 | number of skipped iterations:   0 | number of nan iterations:   0 |"
        for step in run.reports()
    ]
    middle = len(lines) // 2
    lines.insert(middle, " validation loss at iteration 1000 | lm loss value: 3.411021E+00 | lm loss PPL: 3.029E+01 | ")
    return Told("megatron-lm", lines, seconds(run.step_s), run.loss(run.steps), run.steps, run.total)


def torchtitan(run: Run) -> Told:
    """Write torchtitan's lines: rates of tokens only, so the clock tells the step."""
    run.step_s = max(run.step_s, 0.5)
    lines = [
        f"[rank0]:[titan] {run.clock(step, '%Y-%m-%d %H:%M:%S,%3')} - root - INFO - step: {step:2d}  loss: {run.loss(step):7.4f}  grad_norm:  1.21  memory: 33.71GiB(42.62%)  tps: {int(16384 / run.step_s):,}  tflops: 181.02  mfu: 18.30%"
        for step in run.reports()
    ]
    return Told("torchtitan", lines, seconds(run.step_s), run.loss(run.steps), run.steps, note="step time from stamps")


def maxtext(run: Run) -> Told:
    lines = [
        f"completed step: {step}, seconds: {run.took(step):.3f}, TFLOP/s/device: {150 / run.step_s:.3f}, Tokens/s/device: {2048 / run.took(step):.3f}, total_weights: 65536, loss: {run.loss(step):.3f}"
        for step in range(run.steps // run.every)
    ]
    last = run.steps // run.every - 1
    return Told("maxtext", lines, seconds(run.step_s), round(run.loss(last), 3), last)


def deepspeed(run: Run) -> Told:
    """Write DeepSpeed's timer lines: micro steps apart, the whole step in its rate of samples."""
    lines = []
    for step in run.reports():
        took = run.took(step)
        day = run.clock(step, "%Y-%m-%d %H:%M:%S,%3")
        lines += [
            f"[{day}] [INFO] [logging.py:107:log_dist] [Rank 0] step={step}, skipped=0, lr=[1e-05], mom=[[0.9, 0.95]]",
            f"steps: {step} loss: {run.loss(step):.4f} iter time (s): {took:.3f} samples/sec: {run.batch / took:.3f}",
            f"[{day}] [INFO] [logging.py:107:log_dist] [Rank 0] time (ms) | fwd: {took * 310:.2f} | bwd: {took * 600:.2f} | bwd_inner: {took * 580:.2f} | bwd_allreduce: {took * 20:.2f} | step: {took * 80:.2f}",
        ]  # fmt: skip
    return Told(
        "deepspeed",
        lines,
        seconds(run.step_s),
        run.loss(run.steps),
        run.steps,
        note="iter time beside parts of it in ms",
    )


def verl(run: Run) -> Told:
    run.step_s = max(run.step_s, 1) * 20
    lines = [
        f"(TaskRunner pid=81231) step:{step} - global_seqlen/mean:51234.000 - actor/entropy_loss:0.412 - actor/pg_loss:-0.0{step % 9} - actor/grad_norm:0.21 - critic/score/mean:0.3{step % 10} - timing_s/gen:{run.took(step) * 0.6:.3f} - timing_s/old_log_prob:{run.took(step) * 0.1:.3f} - timing_s/update_actor:{run.took(step) * 0.25:.3f} - timing_s/step:{run.took(step):.3f} - perf/throughput:1211.2"
        for step in range(1, 30)
    ]
    return Told("verl", lines, seconds(run.step_s), "", 29, note="many key:value pairs, timing_s/step the whole")


def fairseq(run: Run) -> Told:
    lines = [
        f"{run.clock(step, '%Y-%m-%d %H:%M:%S')} | INFO | train_inner | epoch 002:   {step} / {run.total} loss={run.loss(step)}, nll_loss=3.1, ppl=8.61, wps={30000 / run.step_s:.1f}, ups={1 / run.step_s:.2f}, wpb=30000, bsz=512, num_updates={step}, lr=0.0005, gnorm=0.71, clip=0, train_wall={run.step_s * run.every:.0f}, wall={run.at(step):.0f}"
        for step in run.reports()
    ]
    lines.append(
        f"{run.clock(run.steps, '%Y-%m-%d %H:%M:%S')} | INFO | valid | epoch 002 | valid on 'valid' subset | loss 4.123 | nll_loss 2.412 | ppl 5.32 | wps 91234.1 | wpb 2012.1 | bsz 71.2 | num_updates {run.steps}"
    )
    label = f"{seconds(run.step_s)}|{seconds(1 / max(0.01, round(1 / run.step_s, 2)))}"
    return Told("fairseq", lines, label, run.loss(run.steps), run.steps, "", "", "validation after")


def nanogpt(run: Run) -> Told:
    lines = []
    for step in run.reports():
        lines.append(f"iter {step}: loss {run.loss(step):.4f}, time {run.took(step) * 1000:.2f}ms, mfu 31.02%")
        if step % (run.every * 5) == 0:
            lines.append(f"step {step}: train loss {run.loss(step) + 0.01:.4f}, val loss {run.loss(step) + 0.2:.4f}")
    return Told("nanogpt", lines, seconds(run.step_s), "", run.steps)


LIBRARIES = [megatron, torchtitan, maxtext, deepspeed, verl, fairseq, nanogpt]
