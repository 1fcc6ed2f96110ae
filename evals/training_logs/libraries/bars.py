"""Progress bars of training."""

from evals.training_logs.run import Run, Told, hms, seconds


def rate(step_s: float) -> str:
    return f"{step_s:5.2f}s/it" if step_s > 1 else f"{1 / step_s:5.2f}it/s"


def torchtune(run: Run) -> Told:
    lines = [
        f"1|{step}|Loss: {run.loss(step)}: {step * 100 // run.total:3d}%|{'█' * (step * 10 // run.total):10}| {step}/{run.total} [{hms(run.at(step))}<{hms((run.total - step) * run.step_s)}, {rate(run.step_s)}]"
        for step in run.reports()
    ]
    return Told(
        "torchtune",
        ["\r".join(lines)],
        seconds(run.step_s),
        run.loss(run.steps),
        run.steps,
        run.total,
        note="redraws in one line",
    )


def hf_trainer(run: Run) -> Told:
    """Write the trainer's dictionaries between redraws of its bar, with an evaluation bar inside."""
    lines = []
    for step in run.reports():
        lines.append(
            f" {step * 100 // run.total:2d}%|{'█' * (step * 10 // run.total):10}| {step}/{run.total} [{hms(run.at(step))}<{hms((run.total - step) * run.step_s)}, {rate(run.step_s)}]"
        )
        lines.append(
            f"{{'loss': {run.loss(step)}, 'grad_norm': 0.81, 'learning_rate': 4.1e-05, 'epoch': {step / run.total * 3:.2f}}}"
        )
    evaluation = [
        f" {i * 10}%|{'█' * i:10}| {i * 5}/50 [00:0{i}<00:01, {7 / run.step_s:.2f}it/s]" for i in range(1, 10)
    ]
    middle = len(lines) // 4 * 2
    return Told(
        "hf-trainer",
        lines[:middle] + evaluation + lines[middle:],
        seconds(run.step_s),
        run.loss(run.steps),
        run.steps,
        run.total,
        f"{run.steps / run.total * 3:.2f}",
        "evaluation bar amid training bars",
    )


def keras_two(run: Run) -> Told:
    per = 1563
    ms = run.step_s * 1000
    lines = []
    for epoch in range(1, 6):
        lines += [
            f"Epoch {epoch}/20",
            f"{per}/{per} [==============================] - {run.step_s * per:.0f}s {ms:.0f}ms/step - loss: {run.loss(epoch * 40)} - accuracy: 0.81 - val_loss: {run.loss(epoch * 40) + 0.2:.4f} - val_accuracy: 0.79",
        ]
    return Told("keras", lines, seconds(run.step_s), run.loss(200), per, per, 5, "Keras 2")


def keras_three(run: Run) -> Told:
    per, ms, lines = 782, run.step_s * 1000, []
    for epoch in range(1, 5):
        lines += [
            f"Epoch {epoch}/10",
            f"\033[1m{per}/{per}\033[0m \033[32m━━━━━━━━━━━━━━━━━━━━\033[0m\033[37m\033[0m \033[1m{run.step_s * per:.0f}s\033[0m {ms:.0f}ms/step - accuracy: 0.7123 - loss: {run.loss(epoch * 40)} - val_accuracy: 0.71 - val_loss: 1.0213",
        ]
    return Told("keras", lines, seconds(run.step_s), run.loss(160), per, per, 4, "Keras 3 with colours")


def lightning(run: Run) -> Told:
    """Write Lightning's bar with a validation bar of its own after it."""
    per = run.steps
    lines = [
        f"Epoch 3: {step * 100 // per:3d}%|{'█' * (step * 10 // per):10}| {step}/{per} [{hms(step * run.step_s)}<{hms((per - step) * run.step_s)}, {1 / run.step_s:5.2f}it/s, v_num=0, train_loss={run.loss(step)}]"
        for step in run.reports()
    ]
    validation = [
        f"Validation DataLoader 0: {i * 10}%|{'█' * i:10}| {i}/10 [00:00<00:00, {9 / run.step_s:.2f}it/s]"
        for i in range(1, 11)
    ]
    shown = 1 / run.step_s
    label = seconds(run.step_s) if shown >= 0.1 else f"{seconds(run.step_s)}|{seconds(1 / max(0.01, round(shown, 2)))}"
    return Told("lightning", lines + validation, label, run.loss(per), per, per, 3, "validation bar after")


def ultralytics(run: Run) -> Told:
    lines, per = [], 313
    for epoch in range(1, 5):
        lines += [
            "",
            "      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size",
            f"      {epoch}/100      5.12G      {run.loss(epoch * 20):.3f}      2.341      1.234         45        640: 100%|██████████| {per}/{per} [{hms(per * run.step_s)}<00:00, {rate(run.step_s)}]",
            "                 Class     Images  Instances      Box(P          R      mAP50  mAP50-95): 100%|██████████| 79/79 [00:13<00:00,  6.01it/s]",
            "                   all       5000      36335      0.512      0.401      0.412      0.255",
        ]
    return Told("ultralytics", lines, seconds(run.step_s), "", per, per, 4, "validation bar in other columns")


def bar_over_epochs(run: Run) -> Told:
    lines = [
        f"Training: {e * 10}%|{'█' * e:10}| {e}/10 [{hms(e * run.step_s * 50)}<{hms((10 - e) * run.step_s * 50)}, {run.step_s * 50:.2f}s/it, loss={run.loss(e)}]"
        for e in range(1, 8)
    ]
    return Told("hand-written-tqdm", lines, seconds(run.step_s * 50), run.loss(7), 7, 10, note="a bar over epochs")


LIBRARIES = [torchtune, hf_trainer, keras_two, keras_three, lightning, ultralytics, bar_over_epochs]
