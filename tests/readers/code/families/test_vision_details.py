"""What programs of computer vision say in their own way: rates, rounds, devices, names of classes and of data."""

import pytest

from tests.readers.code.programs import TORCH_HEAD

SCHEDULE = """
import argparse
import math
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=1024)
parser.add_argument("--base-rate-of-weights", type=float, default=0.2)
args = parser.parse_args()


def adjust(optimizer, loader, step):
    warmup = 10 * len(loader)
    base = args.batch_size / 256
    if step < warmup:
        rate = base * step / warmup
    else:
        rate = base * 0.5 * (1 + math.cos(math.pi * step / (100 * len(loader))))
    optimizer.param_groups[0]["lr"] = rate * args.base_rate_of_weights


net = torch.nn.Conv2d(3, 3, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0)
loader = torch.utils.data.DataLoader([], batch_size=args.batch_size)
for epoch in range(100):
    for step, image in enumerate(loader, start=epoch * len(loader)):
        adjust(optimizer, loader, step)
        net(image).sum().backward()
        optimizer.step()
"""


def test_the_peak_of_a_schedule_written_by_hand_is_worked_out(read):
    job = read({"train.py": SCHEDULE}, "python train.py")
    assert job.learning_rate == pytest.approx(0.8)
    cosine = SCHEDULE.replace("rate = base * step / warmup", "rate = base * 0.5 * (1 + math.cos(step))")
    assert read({"train.py": cosine}, "python train.py --batch-size 512").learning_rate == pytest.approx(0.4)
    hidden = SCHEDULE.replace("args.batch_size / 256", "len(loader)").replace("args.base_rate_of_weights", "step")
    assert read({"train.py": hidden}, "python train.py").learning_rate is None


def test_rates_in_the_groups_win_over_a_zero_beside_them(read):
    program = SCHEDULE.replace("net.parameters(), lr=0", "[dict(params=net.parameters(), lr=0.3)], 0, momentum=0.9")
    assert (
        read({"train.py": program.replace("        adjust(", "        print(")}, "python train.py").learning_rate == 0.3
    )


COUNTED = """
import click
import torch

@click.command()
@click.option("--kimg", type=int, default=25000)
@click.option("--batch", type=int, default=64)
def main(kimg, batch):
    net = torch.nn.Conv2d(3, 3, 3)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.002)
    images = iter(torch.utils.data.DataLoader([], batch_size=batch))
    seen_img = 0
    while True:
        for part in next(images).split(4):
            net(part).sum().backward()
        optimizer.step()
        seen_img += batch
        done = seen_img >= kimg * 1000
        if done:
            break

main()
"""


def test_rounds_to_a_number_of_images_are_counted_batch_by_batch(read):
    job = read({"train.py": COUNTED}, "python train.py --kimg 5000")
    assert (job.total_steps, job.epochs, job.batch_size) == (78125, None, 64)
    steps = COUNTED.replace("seen_img += batch", "seen_img += 1")
    assert read({"train.py": steps}, "python train.py").total_steps == 25_000_000


THREADS = """
import argparse
import torch

class SwapModel:
    def __init__(self, opt):
        self.net_g = Translator()
        self.net_g = torch.nn.DataParallel(self.net_g.cuda(), opt.gpu_ids)
        self.optimizer = torch.optim.Adam(self.net_g.parameters(), lr=opt.lr)

class Translator(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 3, 3)

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="swap")
parser.add_argument("--dataroot", required=True)
parser.add_argument("--dataset_name", default="unaligned", help="how pictures are paired")
parser.add_argument("--gpu_ids", default="0")
parser.add_argument("--lr", type=float, default=0.1)
opt = parser.parse_args()
ids = opt.gpu_ids.split(",")
opt.gpu_ids = []
for one in ids:
    if int(one) >= 0:
        opt.gpu_ids.append(int(one))
model = SwapModel(opt)
for epoch in range(5):
    for data in torch.utils.data.DataLoader([], batch_size=4):
        model.net_g(data).sum().backward()
        model.optimizer.step()
"""


def test_threads_over_told_devices_count_them_and_one_device_is_no_spreading(read):
    one = read({"train.py": THREADS}, "python train.py --dataroot ./datasets/cat2dog")
    assert (one.num_gpus, one.distributed, one.batch_size, one.global_batch_size) == (1, "none", 4, 4)
    two = read({"train.py": THREADS}, "python train.py --dataroot ./datasets/cat2dog --gpu_ids 0,1")
    assert (two.num_gpus, two.distributed, two.batch_size, two.global_batch_size) == (2, "DataParallel", 2, 4)


def test_names_are_those_of_the_class_that_the_option_picks_and_of_the_folder_that_the_command_gives(read):
    job = read({"train.py": THREADS}, "python train.py --dataroot ./datasets/cat2dog")
    assert (job.model_name, job.dataset_name) == ("swap", "cat2dog")
    job = read({"train.py": THREADS}, "python train.py --dataroot ./datasets/cat2dog --model turn")
    assert job.model_name == "Translator"


GENERATOR = (
    TORCH_HEAD
    + """
class Discriminator(torch.nn.Module):
    def __init__(self, architecture="skip"):
        super().__init__()
        self.architecture = architecture
        self.conv = torch.nn.Conv2d(3, 3, 3)

class Generator(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 3, 3)

class MaskAwareLoss(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(1))

class dice_and_ce_loss(torch.nn.Module):
    pass

judge, make, weigh = Discriminator(), Generator(), dice_and_ce_loss()
print(judge.architecture)
optimizer = torch.optim.Adam(make.parameters(), lr=0.1)
for step in range(10):
    weigh(judge(make(torch.randn(2, 3, 8, 8)))).backward()
    optimizer.step()
"""
)


def test_a_setting_of_a_part_and_a_loss_are_no_names_of_the_model(read):
    files = {"train.py": GENERATOR, "README.md": "## StyleGAN2 with adaptive augmentation (ADA)\n"}
    job = read(files, "python train.py")
    assert (job.model_name, job.task_fine) == ("StyleGAN2", "image generation")
    alone = GENERATOR.replace("judge(make(torch.randn(2, 3, 8, 8)))", "torch.randn(2)").replace(
        "torch.optim.Adam(make.parameters(), lr=0.1)", "torch.optim.Adam(torch.load('x'), lr=0.1)"
    )
    alone = alone.replace("Discriminator(), Generator(), ", "None, None, ").replace("judge.architecture", "''")
    assert read({"train.py": alone, "README.md": ""}, "python train.py").model_name is None


CONFIG = """
default_scope = "mmdet"
model = dict(type="DINO", backbone=dict(type="ResNet", depth=50), bbox_head=dict(type="DINOHead"){more})
train_dataloader = dict(batch_size=2, dataset=dict(type="CocoDataset", data_root="data/coco/"))
train_cfg = dict(type="EpochBasedTrainLoop", max_epochs=12)
optim_wrapper = dict(type="OptimWrapper", optimizer=dict(type="AdamW", lr=0.0001))
"""
RUNNER = """
import argparse
from mmengine.config import Config
from mmengine.runner import Runner

parser = argparse.ArgumentParser()
parser.add_argument("config")
Runner.from_cfg(Config.fromfile(parser.parse_args().config)).train()
"""


def test_a_configuration_of_detection_is_no_learning_without_labels(read):
    files = {"tools/train.py": RUNNER, "configs/dino.py": CONFIG.format(more="")}
    job = read(files, "python tools/train.py configs/dino.py")
    assert (job.model_name, job.task_fine, job.dataset_name) == ("DINO", "object detection", "COCO")
    files["configs/dino.py"] = CONFIG.format(more=', mask_head=dict(type="FCNMaskHead")')
    assert read(files, "python tools/train.py configs/dino.py").task_fine == "instance segmentation"
