"""Frameworks and habits of computer vision: Detectron2's trainers, configargparse, folders put on the path."""

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
