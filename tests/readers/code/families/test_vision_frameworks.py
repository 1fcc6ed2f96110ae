"""Frameworks and habits of computer vision: Detectron2's trainers, configargparse, folders put on the path."""

import pytest

DETECTRON = """
import torch
from detectron2.config import get_cfg
from detectron2.engine import DefaultTrainer, default_argument_parser, launch


class Trainer(DefaultTrainer):
    @classmethod
    def build_optimizer(cls, cfg, model):
        groups = [{"params": [value], "lr": cfg.SOLVER.BASE_LR} for value in model.parameters()]

        def clipped(optim):
            class ClippedOptimizer(optim):
                def step(self, closure=None):
                    super().step(closure=closure)

            return ClippedOptimizer

        return clipped(torch.optim.AdamW)(groups, cfg.SOLVER.BASE_LR)


def main(args):
    cfg = get_cfg()
    cfg.merge_from_file(args.config_file)
    cfg.merge_from_list(args.opts)
    if args.eval_only:
        return Trainer.test(cfg, Trainer.build_model(cfg))
    trainer = Trainer(cfg)
    return trainer.train()


args = default_argument_parser().parse_args()
launch(main, args.num_gpus, num_machines=args.num_machines, args=(args,))
"""
SHAPES = """
DATASETS:
  TRAIN: ("coco_2017_train",)
  TEST: ("coco_2017_val",)
SOLVER:
  IMS_PER_BATCH: 16
  BASE_LR: 0.0001
  MAX_ITER: 5000
"""


def test_an_optimizer_that_detectrons_trainer_builds_anew_wins(read):
    files = {"train_net.py": DETECTRON, "configs/maskformer_R50.yaml": SHAPES}
    job = read(files, "python train_net.py --num-gpus 4 --config-file configs/maskformer_R50.yaml")
    assert (job.optimizer, job.learning_rate, job.total_steps) == ("AdamW", 0.0001, 5000)
    assert (job.batch_size, job.global_batch_size, job.distributed) == (4, 16, "DDP")
    one = read(files, "python train_net.py --config-file configs/maskformer_R50.yaml SOLVER.IMS_PER_BATCH 2")
    assert (one.num_gpus, one.distributed, one.batch_size) == (1, "none", 2)
    files["train_net.py"] = DETECTRON.replace("def build_optimizer", "def build_another")
    job = read(files, "python train_net.py --num-gpus 4 --config-file configs/maskformer_R50.yaml")
    assert job.optimizer == "SGD"


def test_an_evaluation_by_detectron_has_a_model_and_test_data_but_no_solver(read):
    files = {"train_net.py": DETECTRON, "configs/maskformer_R50.yaml": SHAPES.replace("coco_2017_val", "ade20k_val")}
    job = read(files, "python train_net.py --eval-only --config-file configs/maskformer_R50.yaml")
    assert (job.is_training, job.model_name, job.dataset_name) == (False, "maskformer_R50", "ADE20K")
    assert (job.optimizer, job.total_steps, job.global_batch_size) == (None, None, None)


RAYS = """
import configargparse
import torch
from tqdm import trange

parser = configargparse.ArgumentParser()
parser.add_argument("--config", is_config_file=True)
parser.add_argument("--datadir", default="./data/llff/fern")
parser.add_argument("--N_rand", type=int, default=4096)
parser.add_argument("--lrate", type=float, default=5e-4)
parser.add_argument("--white", action="store_true")
parser.add_argument("--depths", type=int, nargs="+", default=[1])
args = parser.parse_args()
device = torch.device("cuda")
net = torch.nn.Linear(3, 4).to(device)
optimizer = torch.optim.Adam(net.parameters(), lr=args.lrate)
start = torch.load("last.ckpt")["step"] if args.white else 0
start = start + 1
for i in trange(start, 200000 + 1):
    rays = torch.randn(args.N_rand, args.depths[-1])
    net(rays).sum().backward()
    optimizer.step()
"""


def test_a_configuration_of_configargparse_stands_under_the_command(read):
    text = "# a scene\nexpname = lego\nN_rand = 1024\nlrate: 0.001\nwhite = True\ndepths = [2, 3]\n"
    files = {"run.py": RAYS, "configs/lego.txt": text}
    job = read(files, "python run.py --config configs/lego.txt")
    assert (job.batch_size, job.learning_rate) == (1024, 0.001)
    assert job.total_steps == pytest.approx(200_000, rel=0.001)
    assert job.evidence["batch_size"][0].path == "configs/lego.txt"
    assert read(files, "python run.py --config configs/lego.txt --lrate 0.01").learning_rate == 0.01
    plain = read(files, "python run.py")
    assert (plain.batch_size, plain.learning_rate) == (4096, 0.0005)
    assert read(files, "python run.py --config configs/none.txt").batch_size == 4096


PATHS = """
import os.path as osp
import sys

def add_path(path):
    if path not in sys.path:
        sys.path.insert(0, path)

add_path(osp.join(osp.dirname(__file__), "lib"))
"""
OPTIONS = """
import argparse

class options:
    def __init__(self):
        self.parser = argparse.ArgumentParser()
        self.parser.add_argument("task")
        self.parser.add_argument("--gpus", default="0")
        self.parser.add_argument("--lr", type=float, default=0.1)

    def parse(self):
        opt = self.parser.parse_args()
        opt.gpus = [int(gpu) for gpu in opt.gpus.split(",")]
        return opt
"""
THREADS = """
import torch

class _DataParallel(torch.nn.Module):
    def __init__(self, module, device_ids, chunks):
        super().__init__()
        self.module = module
        self.device_ids = device_ids

def DataParallel(module, device_ids, chunks):
    return _DataParallel(module, device_ids, chunks)
"""
MAIN = """
import _init_paths
import torch
from options import options
from threads import DataParallel

opt = options().parse()
net = torch.nn.Sequential(torch.nn.Conv2d(3, 3, 3), torch.nn.ReLU())
optimizer = torch.optim.Adam(net.parameters(), opt.lr)
if len(opt.gpus) > 1:
    net = DataParallel(net, opt.gpus, [9, 17])
for epoch in range(14):
    for image in torch.utils.data.DataLoader([], batch_size=32):
        net(image.cuda()).sum().backward()
        optimizer.step()
"""


def test_a_module_that_only_adds_folders_to_the_path_is_followed(read):
    files = {
        "src/main.py": MAIN,
        "src/_init_paths.py": PATHS,
        "src/lib/options.py": OPTIONS,
        "src/lib/threads.py": THREADS,
    }
    job = read(files, "python main.py multi_pose --lr 0.25", "src")
    assert (job.learning_rate, job.epochs, job.num_gpus, job.batch_size) == (0.25, 14, 1, 32)
    assert job.task_fine == "pose estimation"
    many = read(files, "bash -c 'cd src; python main.py ctdet --gpus 0,1,2,3'")
    assert (many.num_gpus, many.distributed, many.batch_size, many.global_batch_size) == (4, "DataParallel", 8, 32)


SETTINGS = """
import conf.values as settings

class Settings:
    def __init__(self, settings):
        for name in dir(settings):
            if name.isupper():
                setattr(self, name, getattr(settings, name))

settings = Settings(settings)
"""


def test_settings_are_copied_from_a_module_by_their_names(read):
    program = """
        import torch
        from conf import settings

        net = torch.nn.DataParallel(torch.nn.Conv2d(3, 3, 3)).cuda()
        optimizer = torch.optim.SGD(net.parameters(), lr=settings.RATE)
        for epoch in range(1, settings.ROUNDS + 1):
            for image in torch.utils.data.DataLoader([], batch_size=24):
                net(image).sum().backward()
                optimizer.step()
    """
    files = {"train.py": program, "conf/__init__.py": SETTINGS, "conf/values.py": "RATE = 0.25\nROUNDS = 60\n"}
    job = read(files, "python train.py")
    assert (job.learning_rate, job.epochs) == (0.25, 60)
    assert (job.num_gpus, job.distributed, job.global_batch_size) == (None, "DataParallel", 24)
