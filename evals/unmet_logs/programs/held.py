"""Programs that are kept apart, to be scored once after the others have been looked at."""

from evals.training_logs.run import Run, Told, hms, seconds
from evals.unmet_logs.shapes import at_least, bar, clock, either, short


def acme_like(run: Run) -> Told:
    lines = [
        f"[Actor] actor_steps = {i * 40} | actor_episodes = {i // 5} | episode_return = {i / 7:.3f} | steps_per_second = {40 / run.step_s:.3f}"
        for i in run.reports()
    ]
    return Told("acme", lines, either(run.step_s / 40, None), note="an actor's rate")


def slime(run: Run) -> Told:
    at_least(run, 3)
    lines = []
    for i in range(1, 30):
        lines += [
            f"(MegatronTrainRayActor pid=3121) [{run.clock(i, '%Y-%m-%d %H:%M:%S')}] actor.py:301 - rollout {i}: {{'rollout/response_lengths': 812.1, 'rollout/rewards': 0.3{i % 10}, 'rollout/log_probs': -0.31}}",
            f"(MegatronTrainRayActor pid=3121) [{run.clock(i, '%Y-%m-%d %H:%M:%S')}] actor.py:340 - perf {i}: {{'perf/train_wait_time': {run.step_s * 0.6:.3f}, 'perf/train_time': {run.step_s * 0.4:.3f}, 'perf/step_time': {run.took(i + 1):.3f}, 'perf/wait_time_ratio': 0.6}}",
        ]
    return Told("slime", lines, seconds(run.step_s), note="step_time amid parts")


def marl(run: Run) -> Told:
    at_least(run, 0.0005, 0.05)
    lines = []
    for i in range(1, 25):
        lines += [
            f"[INFO {run.clock(i * 10000, '%H:%M:%S')}] my_main t_env: {i * 10000} / 2050000",
            f"[INFO {run.clock(i * 10000, '%H:%M:%S')}] my_main Estimated time left: {clock((2050000 - i * 10000) * run.step_s)}. Time passed: {clock(i * 10000 * run.step_s)}",
            f"[INFO {run.clock(i * 10000, '%H:%M:%S')}] my_main Recent Stats | t_env: {i * 10000:10d} | Episode: {i * 200:8d}",
            f"ep_length_mean:           50.1\tepsilon:                   0.81\tgrad_norm:                 0.1\tloss:                      {run.loss(i):.4f}",
        ]
    return Told("pymarl", lines, either(run.step_s, run.step_s * 50), note="environment steps and passed time")


def hf_run_clm(run: Run) -> Told:
    lines = [bar(run, i) for i in run.reports()]
    lines += ["***** Running Evaluation *****", "  Num examples = 1000", "  Batch size = 8"] + [
        f" {i * 10:2d}%|{'█' * i:10}| {i * 12}/125 [00:0{i}<00:01, 13.1it/s]" for i in range(1, 10)
    ]
    lines += [
        "***** eval metrics *****",
        "  eval_runtime = 0:00:09.31",
        "  eval_samples_per_second = 107.2",
        "  eval_steps_per_second = 13.4",
    ]
    return Told(
        "hf-trainer",
        lines,
        seconds(run.step_s),
        "",
        run.steps,
        run.total,
        note="bars without dictionaries; evaluation at the end",
    )


def xtuner(run: Run) -> Told:
    lines = [
        f"{run.clock(i, '%m/%d %H:%M:%S')} - mmengine - INFO - Iter(train) [{i:5d}/{run.total}]  lr: 2.0001e-04  eta: {clock((run.total - i) * run.step_s)}  time: {run.took(i + 2):.4f}  data_time: 0.0072  memory: 12345  loss: {run.loss(i):.4f}  grad_norm: 0.4123"
        for i in run.reports()
    ]
    return Told("xtuner", lines, seconds(run.step_s), run.loss(run.steps), run.steps, run.total)


def swift(run: Run) -> Told:
    at_least(run, 0.02, 40)
    lines = [
        f"{{'loss': {run.loss(i)}, 'grad_norm': 1.2, 'learning_rate': 9.9e-05, 'memory(GiB)': 31.21, 'train_speed(iter/s)': {1 / run.step_s:.6f}, 'epoch': {i / run.total:.2f}, 'global_step/max_steps': '{i}/{run.total}', 'percentage': '{i * 100 / run.total:.2f}%', 'elapsed_time': '{hms(i * run.step_s)}', 'remaining_time': '{hms((run.total - i) * run.step_s)}'}}"
        for i in run.reports()
    ]
    return Told("ms-swift", lines, seconds(run.step_s), run.loss(run.steps), run.steps, run.total)


def mamba_like(run: Run) -> Told:
    lines = [
        f"[{run.clock(i, '%Y-%m-%d %H:%M:%S')}][INFO] - Step {i}/{run.total} - loss {run.loss(i):.4f} - {short(524288 / run.step_s)} tok/s - {run.took(i + 2):.3f} sec/step - eta {clock((run.total - i) * run.step_s)}"
        for i in run.reports()
    ]
    at_least(run, 0.01)
    return Told("hand-written", lines, seconds(run.step_s), run.loss(run.steps), run.steps, run.total)


def ppyoloe(run: Run) -> Told:
    at_least(run, 0.02)
    lines = [
        f"[{run.clock(i, '%m/%d %H:%M:%S')}] ppdet.engine INFO: Epoch: [0] [{i:4d}/7329] learning_rate: 0.000123 loss: {run.loss(i):.6f} loss_cls: 1.2 eta: {clock(2e6 * run.step_s)} batch_cost: {run.took(i + 2):.4f} data_cost: 0.0012 ips: {8 / run.step_s:.4f} images/s"
        for i in range(0, 1500, 50)
    ]
    return Told("ppdet", lines, seconds(run.step_s), "", 1450, 7329)


def segmentation_models(run: Run) -> Told:
    lines = []
    for epoch in range(3):
        lines.append(f"\nEpoch: {epoch}")
        lines.append(
            "\r".join(
                bar(
                    run,
                    i,
                    total=180,
                    head="train: ",
                    tail=f"dice_loss - {run.loss(epoch * 180 + i):.4f}, iou_score - 0.7121",
                )
                for i in range(20, 181, 20)
            )
        )
        lines.append(
            "\r".join(
                f"valid: {i * 10:3d}%|{'█' * i:10}| {i * 5}/50 [00:0{i}<00:01, {9 / run.step_s:.2f}it/s, dice_loss - 0.21, iou_score - 0.81]"
                for i in range(1, 10)
            )
        )
    return Told("smp", lines, seconds(run.step_s), "", 180, 180)


def ignite_bar(run: Run) -> Told:
    at_least(run, 0.05)
    lines = [
        f"Epoch [3/20]: [{i}/938] {i * 100 // 938:3d}%|{'█' * (i * 10 // 938):10}, loss={run.loss(i):.3f} [{hms(i * run.step_s)}<{hms((938 - i) * run.step_s)}]"
        for i in range(30, 900, 30)
    ]
    return Told("ignite", lines, seconds(run.step_s), "", 870, 938, note="a bar without a rate")


def efficientdet(run: Run) -> Told:
    lines = [
        f"Step: {i}. Epoch: 0/500. Iteration: {i}/1467. Cls loss: 0.41212. Reg loss: 0.31212. Total loss: {run.loss(i):.5f}: {i * 100 // 1467:3d}%|{'█' * (i * 10 // 1467):10}| {i}/1467 [{hms(i * run.step_s)}<{hms((1467 - i) * run.step_s)}, {f'{1 / run.step_s:.2f}it/s' if run.step_s < 1 else f'{run.step_s:.2f}s/it'}]"
        for i in range(10, 900, 10)
    ]
    return Told("efficientdet", lines, seconds(run.step_s), "", 890, 1467)


def nvidia_fastpitch(run: Run) -> Told:
    at_least(run, 0.02)
    lines = [
        f"DLL {run.clock(i, '%Y-%m-%d %H:%M:%S.%f')} - epoch   12 | iter {i % 400:3d}/400 | loss {run.loss(i):5.2f} | mel loss  1.21 | {30000 / run.step_s:.2f} frames/s | took {run.took(i + 2):.2f} s | lrate 1.00e-03"
        for i in range(1, 200)
    ]
    return Told("fastpitch", lines, seconds(run.step_s), "", "", "", 12)


def wav_lm(run: Run) -> Told:
    at_least(run, 0.02)
    lines = [
        f"Epoch: 1 | Batch: {i} | Train loss: {run.loss(i):.4f} | Batch time: {run.took(i + 2):.4f} s | Avg batch time: {run.step_s:.4f} s | Elapsed: {i * run.step_s:.1f} s"
        for i in range(1, 300)
    ]
    return Told("hand-written", lines, seconds(run.step_s), "", 299)


def stamped_epochs(run: Run) -> Told:
    at_least(run, 0.1)
    lines = [
        f"{run.clock(i * 50, '%Y-%m-%d %H:%M:%S')},{run.clock(i * 50, '%f')[:3]} - root - INFO - Epoch {i} finished. train loss {run.loss(i * 20)}, val loss {run.loss(i * 20) + 0.1:.4f}"
        for i in range(1, 20)
    ]
    return Told("hand-written", lines, either(run.step_s * 50, None), note="epochs by their stamps")


def horovod_synthetic(run: Run) -> Told:
    lines = (
        ["Model: resnet50", "Batch size: 32", "Number of GPUs: 8", "Running warmup...", "Running benchmark..."]
        + [f"Iter #{i}: {32 / run.took(i + 2):.1f} img/sec per GPU" for i in range(10)]
        + [f"Img/sec per GPU: {32 / run.step_s:.1f} +-0.9", f"Total img/sec on 8 GPU(s): {256 / run.step_s:.1f} +-7.1"]
    )
    return Told(
        "horovod",
        lines,
        either(run.step_s, run.step_s * 10),
        note="images a second of one device; an Iter is ten batches",
    )


def julia(run: Run) -> Told:
    lines = [
        f"[ Info: epoch = 3, batch = {i}, train_loss = {run.loss(i)}, batch_time_ms = {run.took(i + 2) * 1000:.2f}"
        for i in range(10, 600, 10)
    ]
    return Told("julia", lines, seconds(run.step_s), "", 590)


def minutes_per_epoch(run: Run) -> Told:
    minutes = max(0.5, run.step_s)
    lines = [
        f"Epoch: {i:02} | Epoch Time: {int(minutes)}m {int(minutes % 1 * 60)}s\n\tTrain Loss: {run.loss(i):.3f} | Train PPL: {run.loss(i) * 3:7.3f}\n\t Val. Loss: {run.loss(i) + 0.1:.3f} |  Val. PPL: 31.212"
        for i in range(1, 10)
    ]
    return Told(
        "hand-written",
        [each for line in lines for each in line.split("\n")],
        either(int(minutes) * 60 + int(minutes % 1 * 60), None),
        note="minutes and seconds of an epoch",
    )


def tokenizing(run: Run) -> Told:
    lines = [
        f"Running tokenizer on dataset (num_proc=16): {i:3d}%|{'█' * (i // 10):10}| {i * 5200}/520000 [{hms(i)}<{hms(100 - i)}, {run.dice.uniform(5000, 5300):.2f} examples/s]"
        for i in range(1, 101)
    ]
    lines += [
        f"Filter: {i:3d}%|{'#' * (i // 10):10}| {i * 520}/52000 [{hms(i)}<{hms(100 - i)}, {run.dice.uniform(500, 530):.2f} examples/s]"
        for i in range(1, 101)
    ]
    return Told("no-progress", lines, "null", note="tokenizing")


def solver(run: Run) -> Told:
    lines = [
        f"Time = {i / 1000}\n\nCourant Number mean: 0.21 max: 0.61\nGAMG:  Solving for p, Initial residual = 0.0{i}, Final residual = 0.00{i}, No Iterations {i % 9}\nExecutionTime = {i * 1.3:.2f} s  ClockTime = {int(i * 1.3)} s"
        for i in range(1, 60)
    ]
    return Told(
        "no-progress",
        [each for line in lines for each in line.split("\n")],
        "null|1.3",
        note="a solver of flows: it does not learn",
    )


PROGRAMS = [
    acme_like, slime, marl, hf_run_clm, xtuner, swift, mamba_like, ppyoloe, segmentation_models, ignite_bar, efficientdet, nvidia_fastpitch, wav_lm,
    stamped_epochs, horovod_synthetic, julia, minutes_per_epoch, tokenizing, solver,
]  # fmt: skip
