"""One record a report: toolboxes of vision, speech and translation."""

from evals.training_logs.run import Run, Told, hms, seconds


def detectron(run: Run) -> Told:
    lines = [
        f"[{run.clock(step, '%m/%d %H:%M:%S')} d2.utils.events]:  eta: {hms((run.total - step) * run.step_s)}  iter: {step}  total_loss: {run.loss(step)}  loss_cls: 0.41  loss_box_reg: 0.31  time: {run.step_s:.4f}  last_time: {run.took(step):.4f}  data_time: 0.0123  last_data_time: 0.0051   lr: 0.00021  max_mem: 8123M"
        for step in run.reports()
    ]
    return Told("detectron2", lines, seconds(run.step_s), run.loss(run.steps), run.steps, note="time and last_time")


def mmengine(run: Run) -> Told:
    """Write MMEngine's records; validation has the same form and other times."""
    lines = []
    for epoch in (1, 2):
        lines += [
            f"{run.clock(step, '%Y/%m/%d %H:%M:%S')} - mmengine - INFO - Epoch(train)  [{epoch}][{step:4d}/{run.total}]  lr: 1.0e-04  eta: 5:11:02  time: {run.step_s:.4f}  data_time: 0.0081  memory: 17211  loss: {run.loss(step):.4f}"
            for step in run.reports()
        ]
        lines += [
            f"{run.clock(run.steps, '%Y/%m/%d %H:%M:%S')} - mmengine - INFO - Epoch(val)  [{epoch}][{i * 10:3d}/50]    eta: 0:00:0{5 - i}  time: {run.step_s / 6:.4f}  data_time: 0.0011  memory: 2211  "
            for i in range(1, 6)
        ]
    return Told(
        "mmengine",
        lines,
        seconds(run.step_s),
        run.loss(run.steps),
        run.steps,
        run.total,
        2,
        "validation in the training format comes last",
    )


def timm(run: Run) -> Told:
    lines = [
        f"Train: 5 [{step:4d}/{run.total} ({step * 100 // run.total:3d}%)]  Loss: {run.loss(step):.3f} ({run.loss(step):.2f})  Time: {run.took(step):.3f}s, {run.batch / run.took(step):8.2f}/s  ({run.step_s:.3f}s, {run.batch / run.step_s:8.2f}/s)  LR: 1.000e-03  Data: 0.010 (0.012)"
        for step in run.reports()
    ]
    lines += [
        f"Test: [{i * 10:4d}/48]  Time: {run.step_s / 5:.3f} ({run.step_s / 5:.3f})  Loss:   0.712 ( 0.811)  Acc@1:  81.250 ( 80.1)  Acc@5:  96.875 ( 95.2)"
        for i in range(5)
    ]
    return Told(
        "timm", lines, seconds(run.step_s), round(run.loss(run.steps), 3), run.steps, run.total, 5, "tests after"
    )


def paddle(run: Run) -> Told:
    lines = [
        f"[{run.clock(step, '%Y/%m/%d %H:%M:%S')}] ppocr INFO: epoch: [3/500], global_step: {step}, lr: 0.000511, acc: 0.41, loss: {run.loss(step):.6f}, avg_reader_cost: {run.step_s / 90:.5f} s, avg_batch_cost: {run.step_s:.5f} s, avg_samples: {run.batch}, ips: {run.batch / run.step_s:.5f} samples/s, eta: 1 day, 2:03:04"
        for step in run.reports()
    ]
    return Told("paddle", lines, seconds(run.step_s), run.loss(run.steps), run.steps, "", 3)


def opennmt(run: Run) -> Told:
    lines = [
        f"[{run.clock(step, '%Y-%m-%d %H:%M:%S,%3')} INFO] Step {step}/{run.total:6d}; acc: 41.2; ppl: 31.2; xent: {run.loss(step):.2f}; lr: 0.00021; sents: {step * 31}; bsz: 3512/2912/64; {3512 / run.step_s:.0f}/{2912 / run.step_s:.0f} tok/s; {run.step_s * step:6.0f} sec;"
        for step in run.reports()
    ]
    return Told("opennmt", lines, seconds(run.step_s), "", run.steps, run.total, "", "seconds since the start")


def marian(run: Run) -> Told:
    lines = [
        f"[{run.clock(step * 100, '%Y-%m-%d %H:%M:%S')}] Ep. 1 : Up. {step * 100} : Sen. {step * 6400:,} : Cost {run.loss(step):.8f} * 1,512 after 3,110 : Time {run.step_s * 100 * run.every:.2f}s : {15000 / run.step_s:.2f} words/s"
        for step in run.reports()
    ]
    return Told("marian", lines, seconds(run.step_s), "", run.steps * 100, note="time of a whole interval of updates")


def darknet(run: Run) -> Told:
    lines = [
        f" {step}: {run.loss(step):.6f}, {run.loss(step) + 0.05:.6f} avg loss, 0.001000 rate, {run.took(step):.6f} seconds, {step * 64} images, {run.step_s * 100:.6f} hours left"
        for step in range(1, run.steps // run.every + 20)
    ]
    return Told("darknet", lines, seconds(run.step_s), "", run.steps // run.every + 19)


def estimator(run: Run) -> Told:
    run.every = 100
    lines = []
    for step in range(0, 1300, 100):
        lines += [
            f"INFO:tensorflow:loss = {run.loss(step)}, step = {step}"
            + (f" ({run.step_s * 100:.3f} sec)" if step else ""),
            f"INFO:tensorflow:global_step/sec: {1 / run.step_s:.5g}",
        ]
    return Told("tf-estimator", lines, seconds(run.step_s), run.loss(1200), 1200, note="seconds of 100 steps")


def paddle_clas(run: Run) -> Told:
    lines = [
        f"[{run.clock(step, '%Y/%m/%d %H:%M:%S')}] root INFO: [Train][Epoch 2/120][Iter: {step}/{run.total}]lr(Cosine): 0.0312, CELoss: {run.loss(step):.5f}, loss: {run.loss(step):.5f}, batch_cost: {run.step_s:.5f}s, reader_cost: 0.00112, ips: {run.batch / run.step_s:.5f} images/s, eta: 3:02:01"
        for step in run.reports()
    ]
    lines += [
        f"[{run.clock(run.steps + 5, '%Y/%m/%d %H:%M:%S')}] root INFO: [Eval][Epoch 2][Iter: {i}/20]CELoss: 0.91, loss: 0.91, top1: 0.71, batch_cost: {run.step_s / 7:.5f}s, reader_cost: 0.001, ips: {run.batch * 7 / run.step_s:.3f} images/sec"
        for i in (0, 10, 19)
    ]
    return Told(
        "paddle",
        lines,
        seconds(run.step_s),
        round(run.loss(run.steps), 5),
        run.steps,
        run.total,
        2,
        "evaluation in the training format",
    )


def comma_table(run: Run) -> Told:
    lines = [
        "step,loss,lr,grad_norm,sec_per_step,tokens_per_sec",
        *(
            f"{step},{run.loss(step)},0.0003,0.81,{run.took(step):.4f},{65536 / run.took(step):.1f}"
            for step in run.reports()
        ),
    ]
    return Told("csv", lines, seconds(run.step_s), run.loss(run.steps), run.steps)


LIBRARIES = [detectron, mmengine, timm, paddle, opennmt, marian, darknet, estimator, paddle_clas, comma_table]
