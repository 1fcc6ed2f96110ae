"""How programs of computer vision are put together: launchers of their own, classes found by name, resumed loops."""

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

LAUNCHER = """
import os
import subprocess
from argparse import REMAINDER, ArgumentParser

parser = ArgumentParser()
parser.add_argument("--nnodes", type=int, default=1)
parser.add_argument("--nproc_per_node", type=int, default=1)
parser.add_argument("script")
parser.add_argument("script_args", nargs=REMAINDER)
args = parser.parse_args()
env = os.environ.copy()
env["WORLD_SIZE"] = str(args.nproc_per_node * args.nnodes)
for local_rank in range(0, args.nproc_per_node):
    env["RANK"] = str(local_rank)
    subprocess.Popen([args.script] + args.script_args, env=env)
"""
RANKS = (
    TORCH_HEAD
    + """
import argparse
import os

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--batch_size", type=int, default=4)
args = parser.parse_args()
if "RANK" in os.environ and "WORLD_SIZE" in os.environ:
    torch.distributed.init_process_group("nccl", world_size=int(os.environ["WORLD_SIZE"]))
"""
    + TORCH_LOOP.replace("Linear(4, 2)", "Linear(4, 2)\n    model = torch.nn.parallel.DistributedDataParallel(model)")
    + "\ntrain(args.lr, args.batch_size, 7)\n"
)


def test_a_launcher_in_python_starts_a_shell_script_once_a_gpu(read):
    files = {
        "tools/launch.py": LAUNCHER,
        "tools/dist.sh": """
            GPUS=$1
            GPUS_PER_NODE=${GPUS_PER_NODE:-4}
            let "NNODES=GPUS/GPUS_PER_NODE"
            python tools/launch.py --nnodes ${NNODES} --nproc_per_node ${GPUS_PER_NODE} ${@:2}
        """,
        "configs/base.sh": "PY_ARGS=${@:1}\npython -u main.py --batch_size 2 ${PY_ARGS}\n",
        "main.py": RANKS,
    }
    job = read(files, "GPUS_PER_NODE=4 bash tools/dist.sh 8 ./configs/base.sh --lr 0.3")
    assert (job.num_gpus, job.num_nodes, job.distributed) == (8, 2, "DDP")
    assert (job.batch_size, job.global_batch_size, job.epochs, job.learning_rate) == (2, 16, 7, 0.3)
    alone = read(files, "bash tools/dist.sh 4 ./configs/base.sh")
    assert (alone.num_gpus, alone.num_nodes, alone.learning_rate) == (4, 1, 0.1)


def test_a_library_scaler_that_is_handed_the_optimizer_trains(read):
    program = """
        import torch
        from timm.models import create_model
        from timm.optim import create_optimizer
        from timm.utils import NativeScaler

        model = create_model("vit_small_patch16_224")
        optimizer = create_optimizer(args=None, model=model)
        scale = NativeScaler()
        loader = torch.utils.data.DataLoader([], batch_size=16)
        for epoch in range(9):
            for images, labels in loader:
                with torch.cuda.amp.autocast():
                    loss = torch.nn.functional.cross_entropy(model(images), labels)
                optimizer.zero_grad()
                scale(loss, optimizer, parameters=model.parameters())
    """
    job = read({"train.py": program}, "python train.py")
    assert (job.is_training, job.epochs, job.batch_size, job.precision) == (True, 9, 16, "fp16")
    looks = program.replace("scale(loss, optimizer, parameters=model.parameters())", "print(loss)")
    assert read({"train.py": looks.replace("optimizer.zero_grad()", "")}, "python train.py").is_training is not True


BY_NAME = """
import importlib
from models.base import Base

def find(name):
    module = importlib.import_module("models." + name + "_model")
    found = None
    for key, cls in module.__dict__.items():
        if key.lower() == name + "model" and issubclass(cls, Base):
            found = cls
    if found is None:
        exit(0)
    return found
"""
SWAP = """
import torch
from .base import Base

class SwapModel(Base):
    @staticmethod
    def options(parser):
        parser.set_defaults(lr=0.002, epochs=30)
        return parser

    def __init__(self, opt):
        self.net = torch.nn.Conv2d(3, 3, 3)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=opt.lr)

    def optimize(self, data):
        self.optimizer.zero_grad()
        self.net(data).sum().backward()
        self.optimizer.step()
"""
PICKS = """
import argparse
import torch
from models import find

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="swap")
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--epochs", type=int, default=200)
known, _ = parser.parse_known_args()
cls = find(known.model)
parser = cls.options(parser)
opt = parser.parse_args()
model = cls(opt)
for epoch in range(1, opt.epochs + 1):
    for data in torch.utils.data.DataLoader([], batch_size=1):
        model.optimize(data)
"""


def test_a_class_is_picked_by_its_name_from_a_module(read):
    files = {"train.py": PICKS, "models/__init__.py": BY_NAME, "models/base.py": "class Base:\n    pass\n"}
    job = read({**files, "models/swap_model.py": SWAP}, "python train.py")
    assert (job.is_training, job.learning_rate, job.epochs, job.optimizer) == (True, 0.002, 30, "Adam")
    other = SWAP.replace("SwapModel(Base)", "SwapModel")
    assert read({**files, "models/swap_model.py": other}, "python train.py").learning_rate is None


SEARCH = """
import importlib
import pkgutil
from os.path import join

def search(folder, name, package):
    for _, module, is_package in pkgutil.iter_modules([folder]):
        if not is_package:
            found = importlib.import_module(package + "." + module)
            if hasattr(found, name):
                return getattr(found, name)
    for _, module, is_package in pkgutil.iter_modules([folder]):
        if is_package:
            found = search(join(folder, module), name, package + "." + module)
            if found is not None:
                return found
    return None
"""
TRAINER = """
import torch

class Trainer:
    def __init__(self):
        self.rate = 0.01
        self.rounds = 20

    def optimizer(self, net):
        return torch.optim.SGD(net.parameters(), self.rate)

    def run(self):
        net = torch.nn.Conv2d(1, 1, 3)
        optimizer = self.optimizer(net)
        for epoch in range(self.rounds):
            for image in torch.utils.data.DataLoader([], batch_size=2):
                net(image).sum().backward()
                optimizer.step()
"""
VARIANT = """
import torch
from seg.trainers.plain import Trainer

class TrainerSlow(Trainer):
    def __init__(self):
        super().__init__()
        self.rate = 0.0003

    def optimizer(self, net):
        return torch.optim.AdamW(net.parameters(), lr=self.rate)
"""


def test_a_trainer_class_is_searched_through_packages(read):
    files = {
        "pyproject.toml": '[project]\nname = "seg"\n[project.scripts]\nseg_train = "seg.run:main"\n',
        "seg/__init__.py": "",
        "seg/find.py": SEARCH,
        "seg/run.py": """
            import argparse
            import seg
            from seg.find import search
            from os.path import join

            def main():
                parser = argparse.ArgumentParser()
                parser.add_argument("data")
                parser.add_argument("-tr", default="Trainer")
                args = parser.parse_args()
                trainer = search(join(seg.__path__[0], "trainers"), args.tr, "seg.trainers")
                trainer().run()
        """,
        "seg/trainers/__init__.py": "",
        "seg/trainers/plain.py": TRAINER,
        "seg/trainers/variants/__init__.py": "",
        "seg/trainers/variants/broken.py": "raise RuntimeError('what does not hold the name is not followed')\n",
        "seg/trainers/variants/slow.py": VARIANT,
    }
    job = read(files, "seg_train 4")
    assert (job.learning_rate, job.optimizer, job.epochs) == (0.01, "SGD", 20)
    job = read(files, "seg_train 4 -tr TrainerSlow")
    assert (job.learning_rate, job.optimizer, job.epochs) == (0.0003, "AdamW", 20)


RESUMED = """
import torch

def train(cfg):
    net = torch.nn.Conv2d(3, 3, 3)
    optimizer = torch.optim.SGD(net.parameters(), lr=cfg["lr"])
    last = torch.load(cfg["resume"]) if cfg["resume"] else None
    start = last["epoch"] + 1 if last is not None else 0
    for current in range(start, cfg["rounds"]):
        for clip in torch.utils.data.DataLoader([], batch_size=cfg["batch"]):
            net(clip).sum().backward()
            optimizer.step()
"""
MANY = """
import argparse
import os
from lab.vision.clips.tools.train_net import train

parser = argparse.ArgumentParser()
parser.add_argument("--cfg", nargs="+", default=["a"])
parser.add_argument("--opts", default=None, nargs=argparse.REMAINDER)
args = parser.parse_args()
for name in args.cfg:
    cfg = {"lr": 0.1, "rounds": 196, "batch": 8, "resume": os.environ["LAST"]}
    for key, value in zip(args.opts[0::2], args.opts[1::2]):
        cfg[key] = int(value)
    train(cfg)
"""


def test_rounds_are_those_of_a_fresh_run_and_not_the_configurations(read):
    files = {"tools/train_net.py": RESUMED, "clips/__init__.py": "", "tools/run.py": MANY}
    job = read(files, "python tools/run.py --cfg one.yaml --opts batch 4 rounds 50")
    assert (job.is_training, job.epochs, job.batch_size, job.learning_rate) == (True, 50, 4, 0.1)


def test_items_that_are_all_made_alike_cost_no_more_than_a_few(read):
    program = (
        TORCH_HEAD
        + """
class Labels:
    def get(self):
        total = 0
        for place in ["a", "b", "c", "d", "e", "f", "g", "h"] * 4:
            total = total + len(place)
        return total

labels = Labels()
batch = 500
names = [labels.get() for _ in range(batch)]
assert len(names) == batch
"""
        + TORCH_LOOP
        + "\ntrain(0.5, len(names), 3)\n"
    )
    job = read({"train.py": program}, "python train.py")
    assert (job.batch_size, job.epochs, job.learning_rate) == (500, 3, 0.5)
