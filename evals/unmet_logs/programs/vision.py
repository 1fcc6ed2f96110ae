"""Vision: toolboxes, reference scripts, generators."""

import json

from evals.training_logs.run import Run, Told, hms, seconds
from evals.unmet_logs.shapes import at_least, bar, clock, either


def detectron2(run: Run) -> Told:
    lines = [
        f"[{run.clock(step, '%m/%d %H:%M:%S')} d2.utils.events]:  eta: {clock((90000 - step) * run.step_s)}  iter: {step}  total_loss: {run.loss(step)}  loss_cls: 0.812  loss_box_reg: 0.312    time: {run.step_s:.4f}  last_time: {run.took(step + 2) * 1.1:.4f}  data_time: 0.0123  last_data_time: 0.0031   lr: 0.00039  max_mem: 5123M"
        for step in range(19, 1600, 20)
    ]
    lines += [
        f"[{run.clock(1600, '%m/%d %H:%M:%S')} d2.evaluation.evaluator]: Inference done {i}/5000. Dataloading: 0.0012 s/iter. Inference: 0.0412 s/iter. Eval: 0.0003 s/iter. Total: 0.0431 s/iter. ETA=0:03:21"
        for i in range(11, 900, 80)
    ]
    return Told("detectron2", lines, seconds(run.step_s), "", 1599, note="inference after it")


def mmcv_json(run: Run) -> Told:
    at_least(run, 0.02)
    lines = [json.dumps({"env_info": "sys.platform: linux", "seed": 0, "exp_name": "faster_rcnn.py"})]
    for epoch in (1, 2, 3):
        lines += [
            json.dumps(
                {
                    "mode": "train",
                    "epoch": epoch,
                    "iter": i,
                    "lr": 0.01,
                    "memory": 4123,
                    "data_time": 0.0112,
                    "loss_cls": 0.4,
                    "loss": run.loss(epoch * 100 + i),
                    "time": round(run.took(i + 2), 5),
                }
            )
            for i in range(50, 800, 50)
        ]
        lines.append(
            json.dumps(
                {
                    "mode": "val",
                    "epoch": epoch,
                    "iter": 625,
                    "lr": 0.01,
                    "bbox_mAP": 0.312,
                    "time": round(run.step_s / 4, 5),
                }
            )
        )
    return Told("mmcv", lines, seconds(run.step_s), run.loss(1050), 750, "", 3, "log.json with rows of validation")


def mmengine(run: Run) -> Told:
    lines = []
    for epoch in (1, 2):
        lines += [
            f"{run.clock(epoch * 1000 + i, '%Y/%m/%d %H:%M:%S')} - mmengine - INFO - Epoch(train)  [{epoch}][{i:4d}/1000]  lr: 2.0000e-02  eta: {clock((24000 - i) * run.step_s)}  time: {run.took(i + 2):.4f}  data_time: 0.0121  memory: 4123  loss: {run.loss(epoch * 1000 + i):.4f}  loss_cls: 0.3121"
            for i in range(50, 1001, 50)
        ]
        lines += [
            f"{run.clock(epoch * 1000 + 1001, '%Y/%m/%d %H:%M:%S')} - mmengine - INFO - Epoch(val) [{epoch}][{i:3d}/313]    eta: 0:00:12  time: {run.step_s / 5:.4f}  data_time: 0.0021  memory: 912  "
            for i in range(50, 301, 50)
        ]
    return Told("mmengine", lines, seconds(run.step_s), "", "1000|2000", 1000, 2)


def timm(run: Run) -> Told:
    at_least(run, 0.01)
    lines = []
    for i in range(0, 1251, 50):
        took = run.took(i + 2)
        lines.append(
            f"Train: 3 [{i:>4d}/1251 ({100 * i / 1250:>3.0f}%)]  Loss: {run.loss(i):#.3g} ({run.loss(i) + 0.1:#.3g})  Time: {took:.3f}s, {1024 / took:>7.2f}/s  ({run.step_s:.3f}s, {1024 / run.step_s:>7.2f}/s)  LR: 1.000e-03  Data: 0.011 (0.013)"
        )
    lines += [
        f"Test: [{i:>4d}/48]  Time: {run.step_s / 3:.3f} ({run.step_s / 3:.3f})  Loss:   1.812 ( 2.012)  Acc@1:  61.23 ( 58.21)  Acc@5:  81.21 ( 80.12)"
        for i in range(0, 49, 8)
    ]
    return Told("timm", lines, seconds(run.step_s), "", 1250, 1251, 3, "a batch of 1024; test after")


def torchvision_reference(run: Run) -> Told:
    at_least(run, 0.02)
    lines = [
        f"Epoch: [2]  [{i:>4d}/5004]  eta: {clock((5004 - i) * run.step_s)}  lr: 0.1  img/s: {32 / run.took(i + 2):.4f} ({32 / run.step_s:.4f})  loss: {run.loss(i):.4f} ({run.loss(i) + 0.1:.4f})  acc1: 12.5000 (11.2312)  acc5: 31.2500 (30.1)  time: {run.step_s:.4f}  data: 0.0021  max mem: 6912"
        for i in range(0, 2000, 50)
    ]
    lines += [
        f"Test:   [{i:>3d}/1563]  eta: 0:00:51  loss: 2.1 (2.3)  acc1: 50.0 (48.1)  acc5: 75.0 (74.2)  time: {run.step_s / 4:.4f}  data: 0.0101  max mem: 6912"
        for i in range(0, 1500, 100)
    ]
    return Told("torchvision", lines, seconds(run.step_s), "", 1950, 5004, 2)


def imagenet_example(run: Run) -> Told:
    at_least(run, 0.02)
    lines = [
        f"Epoch: [1][{i:4d}/5005]\tTime {run.took(i + 2):6.3f} ({run.step_s:6.3f})\tData  0.012 ( 0.031)\tLoss {run.loss(i):.4e} ({run.loss(i) + 0.1:.4e})\tAcc@1  12.50 ( 11.21)\tAcc@5  31.25 ( 30.12)"
        for i in range(1, 1500, 50)
    ]
    lines += [
        f"Test: [{i:3d}/196]\tTime {run.step_s / 4:6.3f} ({run.step_s / 4:6.3f})\tLoss 2.3121e+00 (2.4121e+00)\tAcc@1  48.05 ( 47.21)\tAcc@5  73.12 ( 72.12)"
        for i in range(1, 196, 30)
    ]
    lines.append(" *   Acc@1 47.212 Acc@5 72.121")
    return Told("pytorch-examples", lines, seconds(run.step_s), "", 1451, 5005, 1)


def swin(run: Run) -> Told:
    at_least(run, 0.02)
    lines = [
        f"[{run.clock(i, '%Y-%m-%d %H:%M:%S')} swin_tiny_patch4_window7_224] (main.py 227): INFO Train: [4/300][{i}/1251]\teta {clock((1251 - i) * run.step_s)} lr 0.000312\t wd 0.0500\ttime {run.took(i + 2):.4f} ({run.step_s:.4f})\tloss {run.loss(i):.4f} ({run.loss(i) + 0.1:.4f})\tgrad_norm 1.2 (inf)\tloss_scale 65536.0000 (65536.0000)\tmem 11234MB"
        for i in range(0, 1251, 50)
    ]
    lines += [
        f"[{run.clock(1252, '%Y-%m-%d %H:%M:%S')} swin_tiny_patch4_window7_224] (main.py 280): INFO Test: [{i}/49]\tTime {run.step_s / 3:.3f} ({run.step_s / 3:.3f})\tLoss 1.2 (1.3)\tAcc@1 71.2 (70.1)\tAcc@5 90.1 (89.9)\tMem 11234MB"
        for i in range(0, 49, 10)
    ]
    return Told("swin", lines, seconds(run.step_s), "", 1250, 1251, 4)


def yolov5(run: Run) -> Told:
    lines = []
    for epoch in range(3):
        lines.append("      Epoch    GPU_mem   box_loss   obj_loss   cls_loss  Instances       Size")
        lines += [
            bar(
                run,
                i,
                total=925,
                head=f"      {epoch}/299      3.42G    {run.loss(epoch * 50 + i):.5g}    0.03121    0.02121         45        640: ",
            )
            for i in (100, 300, 600, 925)
        ]
        lines += [
            "                 Class     Images  Instances          P          R      mAP50   mAP50-95: 100%|██████████| 79/79 [00:21<00:00,  3.71it/s]",
            "                   all       5000      36335      0.512      0.401      0.412      0.255",
        ]
    return Told("yolov5", lines, seconds(run.step_s), "", 925, 925, 2)


def yolox(run: Run) -> Told:
    at_least(run, 0.02)
    lines = [
        f"{run.clock(i, '%Y-%m-%d %H:%M:%S')} | INFO     | yolox.core.trainer:261 - epoch: 3/300, iter: {i}/1849, gpu mem: 5412Mb, mem: 12.1Gb, iter_time: {run.took(i + 2):.3f}s, data_time: 0.002s, total_loss: {run.loss(i):.1f}, iou_loss: 2.1, l1_loss: 0.0, conf_loss: 3.1, cls_loss: 1.2, lr: 1.2e-03, size: 640, ETA: {clock(500000 * run.step_s)}"
        for i in range(10, 1000, 10)
    ]
    return Told("yolox", lines, seconds(run.step_s), "", 990, 1849, 3)


def nnunet(run: Run) -> Told:
    epoch_s = max(20.0, run.step_s * 250)
    lines = []
    for epoch in range(6):
        stamp = run.clock(epoch * epoch_s / run.step_s, "%Y-%m-%d %H:%M:%S.%f")
        lines += [f"{stamp}: ", f"{stamp}: Epoch {epoch}", f"{stamp}: Current learning rate: 0.00{999 - epoch}"]
        stamp = run.clock((epoch + 1) * epoch_s / run.step_s, "%Y-%m-%d %H:%M:%S.%f")
        lines += [
            f"{stamp}: train_loss -0.{31 + epoch}12",
            f"{stamp}: val_loss -0.{29 + epoch}31",
            f"{stamp}: Pseudo dice [np.float32(0.7812), np.float32(0.6512)]",
            f"{stamp}: Epoch time: {epoch_s:.2f} s",
        ]
    return Told("nnunet", lines, either(epoch_s, None), "", "", "", 5, "seconds of an epoch")


def monai(run: Run) -> Told:
    at_least(run, 0.02)
    lines = []
    for epoch in (1, 2, 3):
        lines += ["-" * 10, f"epoch {epoch}/600"]
        lines += [
            f"{i}/32, train_loss: {run.loss(epoch * 32 + i):.4f}, step time: {run.took(i + 2):.4f}"
            for i in range(1, 33)
        ]
        lines += [
            f"epoch {epoch} average loss: {run.loss(epoch * 32):.4f}",
            f"time consuming of epoch {epoch} is: {run.step_s * 34:.4f}",
        ]
    return Told("monai", lines, seconds(run.step_s), "", 32, 32, 3)


def basicsr(run: Run) -> Told:
    at_least(run, 0.02)
    lines = [
        f"{run.clock(i, '%Y-%m-%d %H:%M:%S,%3')} INFO: [train..][epoch:  {i // 500}, iter: {i:7,d}, lr:(2.000e-04,)] [eta: {clock((300000 - i) * run.step_s)}, time (data): {run.step_s:.3f} (0.003)] l_pix: {run.loss(i) / 100:.4e} "
        for i in range(100, 4000, 100)
    ]
    return Told("basicsr", lines, seconds(run.step_s), "", 3900, note="thousands with commas")


def edm(run: Run) -> Told:
    at_least(run, 0.1)
    lines = []
    for tick in range(1, 20):
        took = 50 * run.step_s
        lines.append(
            f"tick {tick:<5d} kimg {tick * 12.8:<9.1f} time {hms_words(tick * took):<12s} sec/tick {took:<7.1f} sec/kimg {took / 12.8:<7.2f} maintenance 0.3    cpumem 5.12   gpumem 33.10  reserved 34.11"
        )
    return Told(
        "edm", lines, either(50 * run.step_s, 50 * run.step_s / 12.8, None), note="ticks and thousands of images"
    )


def hms_words(value: float) -> str:
    whole = int(value)
    return (
        f"{whole // 3600}h {whole % 3600 // 60:02d}m {whole % 60:02d}s"
        if whole >= 3600
        else f"{whole // 60}m {whole % 60:02d}s"
    )


def guided_diffusion(run: Run) -> Told:
    lines = []
    for step in range(100, 3000, 100):
        rows = [
            ("grad_norm", "0.212"),
            ("loss", f"{run.loss(step)}"),
            ("loss_q0", "0.121"),
            ("mse", "0.0121"),
            ("samples", f"{step * 128:.3g}"),
            ("step", f"{step:.3g}"),
        ]
        lines += ["-" * 28, *(f"| {name:<10} | {value:<10}|" for name, value in rows), "-" * 28]
    return Told("guided-diffusion", lines, "null", note="a table without times")


def gaussian_splatting(run: Run) -> Told:
    at_least(run, 0.01, 0.9)
    lines = [
        bar(run, i, total=30000, head="Training progress: ", tail=f"Loss={run.loss(i) / 10:.7f}")
        for i in range(500, 9000, 500)
    ]
    lines.insert(9, "[ITER 5000] Evaluating train: L1 0.0312 PSNR 26.12 [01/06 12:12:12]")
    return Told("3dgs", ["\r".join(lines)], seconds(run.step_s), "", 8500, 30000)


def paddleseg(run: Run) -> Told:
    at_least(run, 0.02)
    lines = [
        f"{run.clock(i, '%Y-%m-%d %H:%M:%S')} [INFO]\t[TRAIN] epoch: 1, iter: {i}/80000, loss: {run.loss(i):.4f}, lr: 0.009{9 - i % 9}, batch_cost: {run.took(i + 2):.4f}, reader_cost: 0.00312, ips: {8 / run.step_s:.4f} samples/sec | ETA {clock((80000 - i) * run.step_s)}"
        for i in range(10, 900, 10)
    ]
    return Told("paddleseg", lines, seconds(run.step_s), "", 890, 80000)


def detectron_one(run: Run) -> Told:
    lines = [
        "json_stats: "
        + json.dumps(
            {
                "accuracy_cls": "0.912",
                "eta": clock((90000 - i) * run.step_s),
                "iter": i,
                "loss": f"{run.loss(i):.6f}",
                "loss_bbox": "0.112",
                "lr": "0.020000",
                "mb_qsize": 64,
                "mem": 5123,
                "time": f"{run.step_s:.6f}",
            }
        )
        for i in range(20, 1500, 20)
    ]
    return Told("detectron", lines, seconds(run.step_s), run.loss(1480), 1480, note="numbers in strings")


def torch_seven(run: Run) -> Told:
    at_least(run, 0.02)
    lines = [
        f" | Epoch: [2][{i}/5004]    Time {run.took(i + 2):.3f}  Data 0.012  Err {run.loss(i):.4f}  top1  71.231  top5  41.212"
        for i in range(1, 300)
    ]
    lines += [
        f" | Test: [2][{i}/196]    Time {run.step_s / 3:.3f}  Data 0.100  top1  61.231 ( 60.112)  top5  31.212 ( 30.121)"
        for i in range(1, 60)
    ]
    return Told("torch7", lines, seconds(run.step_s), "", 299, 5004, 2)


def lightly_mnist_stamped(run: Run) -> Told:
    at_least(run, 0.05)
    lines = [
        f"{run.clock(i, '%Y-%m-%d %H:%M:%S,%3')} INFO Train Epoch: 1 [{i * 64}/60000 ({i * 6400 / 60000:.0f}%)]\tLoss: {run.loss(i):.6f}"
        for i in range(0, 930, 10)
    ]
    return Told(
        "hand-written",
        lines,
        either(run.step_s, run.step_s / 64),
        "",
        "",
        note="samples as the counter, under a logger's clock",
    )


def bar_pair(run: Run) -> Told:
    """Write a bar of training and one of validation in the same form, told apart by a heading alone."""
    lines = []
    for epoch in range(3):
        lines += [f"Epoch {epoch + 1}/20", "-" * 10]
        lines += [bar(run, i, total=400, tail=f"loss={run.loss(epoch * 400 + i):.3f}") for i in range(20, 401, 20)]
        lines += ["Validating..."]
        lines += [
            f"{i * 20:3d}%|{'█' * i * 2:10}| {i * 10}/50 [{hms(i)}<{hms(5 - i)}, {15 / run.step_s:.2f}it/s, loss=0.512]"
            for i in range(1, 6)
        ]
    return Told("hand-written", lines, seconds(run.step_s), "", 400, 400)


PROGRAMS = [
    detectron2, mmcv_json, mmengine, timm, torchvision_reference, imagenet_example, swin, yolov5, yolox, nnunet, monai, basicsr, edm, guided_diffusion,
    gaussian_splatting, paddleseg, detectron_one, torch_seven, lightly_mnist_stamped, bar_pair,
]  # fmt: skip
