"""Speech toolkits and other sciences."""

from evals.training_logs.run import Run, Told, seconds
from evals.unmet_logs.shapes import at_least, bar, either


def icefall(run: Run) -> Told:
    at_least(run, 0.1)
    lines = []
    for batch in range(0, 3000, 50):
        lines.append(
            f"{run.clock(batch, '%Y-%m-%d %H:%M:%S,%3')} INFO [train.py:901] (0/8) Epoch 3, batch {batch}, loss[loss={run.loss(batch):.4f}, simple_loss=0.2912, pruned_loss=0.1512, over 23102.00 frames. ], tot_loss[loss={run.loss(batch) + 0.1:.4f}, simple_loss=0.3012, over 4212121.21 frames. ], batch size: 52, lr: 2.21e-02, grad_scale: 8.0"
        )
        if batch == 1500:
            lines += [
                f"{run.clock(batch + 1, '%Y-%m-%d %H:%M:%S,%3')} INFO [train.py:926] (0/8) Computing validation loss",
                f"{run.clock(batch + 2, '%Y-%m-%d %H:%M:%S,%3')} INFO [train.py:935] (0/8) Epoch 3, validation: loss=0.2312, simple_loss=0.2512, over 944034.00 frames. ",
            ]
    return Told("icefall", lines, seconds(run.step_s), "", 2950, "", 3, "stamps alone")


def espnet(run: Run) -> Told:
    at_least(run, 0.02)
    lines = [
        f"[node07] {run.clock(i, '%Y-%m-%d %H:%M:%S,%3')} (trainer:737) INFO: 3epoch:train:{i - 49}-{i}batch: iter_time=0.0012, forward_time=0.121, loss_ctc=80.1, loss_att=60.2, acc=0.412, loss={run.loss(i):.3f}, backward_time=0.131, grad_norm=12.1, clip=100.0, loss_scale=1.0, optim_step_time=0.031, optim0_lr0=1.2e-04, train_time={run.took(i + 2):.3f}"
        for i in range(50, 1500, 50)
    ]
    lines.append(
        f"[node07] {run.clock(1500, '%Y-%m-%d %H:%M:%S,%3')} (trainer:337) INFO: 3epoch results: [train] iter_time=0.0012, forward_time=0.121, loss=41.2, train_time={run.step_s:.3f}, time=12 minutes and 1.2 seconds, total_count=4500, gpu_max_cached_mem_GB=21.2, [valid] loss=45.1, time=31.2 seconds, total_count=300"
    )
    return Told("espnet", lines, seconds(run.step_s), "", "", "", 3, "the whole step beside its parts")


def wenet(run: Run) -> Told:
    at_least(run, 0.05)
    lines = [
        f"{run.clock(i, '%Y-%m-%d %H:%M:%S,%3')} DEBUG TRAIN Batch 0/{i} loss {run.loss(i) * 10:.6f} loss_att 60.121 loss_ctc 121.212 lr 0.00000412 rank 0"
        for i in range(0, 3000, 100)
    ]
    lines += [
        f"{run.clock(3000 + i / 100, '%Y-%m-%d %H:%M:%S,%3')} DEBUG CV Batch 0/{i} loss 31.121 loss_att 30.1 loss_ctc 41.2 history loss 31.2 rank 0"
        for i in range(0, 900, 100)
    ]
    return Told("wenet", lines, seconds(run.step_s), "", 2900, note="epoch/batch, stamps; CV after")


def coqui(run: Run) -> Told:
    at_least(run, 0.01)
    lines = ["\x1b[1m > EPOCH: 0/1000\x1b[0m", " --> /runs/vits-June-01"]
    for i in range(25, 700, 25):
        lines += [
            "", f"\x1b[1m   --> TIME: {run.clock(i, '%Y-%m-%d %H:%M:%S')} -- STEP: {i}/790 -- GLOBAL_STEP: {i}\x1b[0m", "     | > loss_disc: 2.61231  (2.81231)", f"     | > loss: {run.loss(i):.5f}  ({run.loss(i) + 0.1:.5f})", "     | > amp_scaler: 512.00000  (8192.00000)",
            "     | > current_lr: 0.0002 ", f"     | > step_time: {run.took(i + 2):.4f}  ({run.step_s:.4f})", "     | > loader_time: 0.0121  (0.0112)",
        ]  # fmt: skip
    return Told("coqui", lines, seconds(run.step_s), "", 675, "", "", "a value a line under a heading")


def tacotron(run: Run) -> Told:
    at_least(run, 0.02)
    lines = [f"Train loss {i} {run.loss(i):.6f} Grad Norm 0.212121 {run.took(i + 2):.2f}s/it" for i in range(400)]
    lines.insert(200, "Validation loss 200: 0.412121  ")
    return Told("tacotron2", lines, seconds(run.step_s), "", 399, note="loss, counter and loss again")


def speechbrain(run: Run) -> Told:
    lines = []
    for epoch in range(1, 4):
        lines += [
            bar(run, i, total=1200, tail=f"train_loss={run.loss(epoch * 100 + i):.2f}") for i in range(100, 1201, 100)
        ]
        lines += [
            f"{i * 25:3d}%|{'█' * (i * 5 // 2):10}| {i * 20}/80 [00:0{i}<00:0{4 - i}, {17 / run.step_s:.2f}it/s]"
            for i in range(1, 5)
        ]
        lines.append(
            f"speechbrain.utils.train_logger - epoch: {epoch}, lr: 1.00e+00 - train loss: 1.21 - valid loss: 1.31, valid PER: 21.2"
        )
    return Told("speechbrain", lines, seconds(run.step_s), "", 1200, 1200, note="two bars without names")


def vits(run: Run) -> Told:
    epoch_s = max(20.0, run.step_s * 100)
    lines = []
    for epoch in range(1, 9):
        at = epoch * epoch_s / run.step_s
        lines += [
            f"{run.clock(at - 0.5 * epoch_s / run.step_s, '%Y-%m-%d %H:%M:%S,%3')}\tljs_base\tINFO\tTrain Epoch: {epoch} [50%]",
            f"{run.clock(at - 0.5 * epoch_s / run.step_s, '%Y-%m-%d %H:%M:%S,%3')}\tljs_base\tINFO\t[2.41, 2.12, 5.12, 21.1, 1.9, 1.2, {epoch * 100}, 0.0002]",
            f"{run.clock(at, '%Y-%m-%d %H:%M:%S,%3')}\tljs_base\tINFO\t====> Epoch: {epoch}",
        ]
    return Told("vits", lines, either(epoch_s, epoch_s / 100, None), note="a list of numbers; epochs' stamps")


def deepmd(run: Run) -> Told:
    at_least(run, 0.001, 0.5)
    lines = [
        f"DEEPMD INFO    batch {i:7d} training time {run.took(i) * 100:.2f} s, testing time 0.02 s, total wall time {run.took(i) * 100 + 0.02:.2f} s"
        for i in range(100, 5000, 100)
    ]
    return Told("deepmd", lines, either(run.step_s), "", 4900, note="time of 100 batches")


def fairchem(run: Run) -> Told:
    at_least(run, 0.1)
    lines = [
        f"{run.clock(i, '%Y-%m-%d %H:%M:%S')} (INFO): energy_mae: 1.21e+00, forces_mae: 9.12e-02, loss: {run.loss(i):.2e}, lr: 4.00e-04, epoch: {i / 9000:.2e}, step: {i:.2e}"
        for i in range(100, 4000, 100)
    ]
    return Told("fairchem", lines, seconds(run.step_s), "", 3900, note="a counter in powers of ten")


def kaldi(run: Run) -> Told:
    lines = [
        f"LOG (nnet3-train[5.5.1]:PrintStatsForThisPhase():nnet-training.cc:342) Average objective function for 'output' for minibatches {i}-{i + 9} is -{run.loss(i):.6f} over {5120 + i} frames."
        for i in range(0, 500, 10)
    ]
    return Told("kaldi", lines, "null", note="no time at all")


PROGRAMS = [icefall, espnet, wenet, coqui, tacotron, speechbrain, vits, deepmd, fairchem, kaldi]
