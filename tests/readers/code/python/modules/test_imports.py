"""Find the module that an import means: the repository's own before any other, a known library before a like name."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP


def test_a_package_that_the_repository_itself_is_runs_from_the_folder_above(read):
    files = {
        "__init__.py": "",
        "rates.py": "RATE = 0.375\n",
        "run_it.py": """
            import tensorflow as tf
            from ownname import rates
            from ownname.rates import RATE

            assert rates.RATE == RATE
            for step in range(40):
                tf.train.AdamOptimizer(learning_rate=rates.RATE).minimize(tf.constant(1.0))
        """,
    }
    found = read(files, "python -m ownname.run_it")
    assert (found.learning_rate, found.total_steps) == (0.375, 40)


PACKAGE = {
    "main.py": """
        from absl import app, flags
        from ml_collections import config_flags
        import diffusers_of_ours.experiment

        FLAGS = flags.FLAGS
        config_flags.DEFINE_config_file("config", None, "settings")

        def main(argv):
            diffusers_of_ours.experiment.Experiment(FLAGS.config).train()

        if __name__ == "__main__":
            app.run(main)
        """,
    "configs/small.py": """
        import ml_collections

        def d(**kwargs):
            return ml_collections.ConfigDict(initial_dictionary=kwargs)

        def get_config():
            config = ml_collections.ConfigDict()
            config.training = d(num_steps_train=5000, batch_size=64)
            config.optimizer = d(name="adamw", args=d(b1=0.9), learning_rate=2e-4)
            return config
        """,
    "experiment.py": """
        import jax
        import optax
        from diffusers_of_ours.schedules import rate

        class Experiment:
            def __init__(self, config):
                self.config = config
                self.state = optax.adamw(1.0, **config.optimizer.args).init({})

            def train(self):
                step = 0
                while step < self.config.training.num_steps_train:
                    grads = jax.grad(lambda params: rate(params))({})
                    updates, _ = optax.adamw(rate(step), **self.config.optimizer.args).update(grads, self.state)
                    optax.apply_updates({}, updates)
                    step += 1
        """,
    "schedules.py": "import jax.numpy as jnp\n\ndef rate(step):\n    return jnp.sin(step)\n",
}


def test_a_repository_that_is_itself_the_package_is_run_from_above(read):
    command = "python3 -m diffusers_of_ours.main --config=diffusers_of_ours/configs/small.py"
    job = read(PACKAGE, command)
    assert (job.is_training, job.total_steps, job.batch_size, job.optimizer) == (True, 5000, 64, "AdamW")
    assert job.learning_rate == 2e-4


def test_a_file_on_an_added_path_is_meant_before_a_library_of_its_name(read):
    program = """
    import sys
    sys.path.append("core")
    import torch
    import datasets

    model = torch.nn.Conv2d(3, 1, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(3):
        for image in datasets.fetch(8):
            model(image).sum().backward()
            optimizer.step()
    """
    own = """
    import torch

    class FlyingChairs(torch.utils.data.Dataset):
        def __init__(self, root):
            self.files = open(root).read().split()

    def fetch(batch_size):
        return torch.utils.data.DataLoader(FlyingChairs("list.txt"), batch_size=batch_size)
    """
    workload = read({"train.py": program, "core/datasets.py": own}, "python train.py")
    assert (workload.dataset_name, workload.batch_size) == ("FlyingChairs", 8)


@pytest.mark.parametrize(("module", "named"), [("top", ""), ("one", "one"), ("one.two", "one"), ("one.in_", "one.in_")])
def test_a_package_is_named_by_its_way(outcome, module, named):
    files = {"top.py": "p = __package__\n", "one/__init__.py": "p = __package__\n", "one/two.py": "p = __package__\n"}
    files["one/in_/__init__.py"] = "p = __package__\n"
    assert outcome(f"import importlib\nx = importlib.import_module('{module}').p\n", files=files) == named


def test_the_search_path_begins_with_the_folder_of_the_script(read):
    files = {
        "tool/fit.py": """
            import os, sys
            sys.path.insert(1, os.path.join(sys.path[0], "../more"))
            import torch
            import told
            net = torch.nn.Linear(3, 2)
            sgd = torch.optim.SGD(net.parameters(), lr=told.rate)
            for x, y in torch.utils.data.DataLoader([], batch_size=4):
                net(x).sum().backward()
                sgd.step()
        """,
        "more/told.py": "rate = 0.07\n",
    }
    assert read(files, "python tool/fit.py").learning_rate == 0.07


HANDED = """
import torch, yaml
import solvers
settings = yaml.safe_load(open("settings.yaml"))
net = torch.nn.Linear(2, 2).cuda()
optimizer = getattr(solvers, settings.get("kind", "RAdam"))(net.parameters(), **settings["solver"])
for step in range(10):
    net(1).sum().backward()
    optimizer.step()
"""


def test_a_module_hands_a_librarys_optimizers_on(read):
    files = {
        "train.py": HANDED,
        "solvers.py": "from torch.optim import *\n",
        "settings.yaml": "kind: AdamW\nsolver:\n  lr: 3.0e-4\n",
    }
    job = read(files, "python train.py")
    assert (job.optimizer, job.learning_rate) == ("AdamW", 3e-4)


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


def test_a_package_that_lies_in_a_folder_of_its_name_is_found(read):
    files = {
        "lantern/setup.py": "from setuptools import setup\nsetup(name='lantern')\n",
        "lantern/lantern/__init__.py": "from .work import train\n",
        "lantern/lantern/work.py": TORCH_HEAD + TORCH_LOOP,
        "go.py": "import lantern\nlantern.train(0.3, 21, 4)\n",
    }
    job = read(files, "python go.py")
    assert (job.is_training, job.learning_rate, job.batch_size, job.epochs) == (True, 0.3, 21, 4)


def test_a_packages_module_of_a_librarys_name_does_not_stand_in_for_the_library(read):
    """`python -m lab.train` puts the folder above on the path, so `optax` is the library and `lab.optax` the module."""
    program = """
    import jax
    import optax
    import lab.optax as own

    state = own.start()
    optimizer = optax.adamw(learning_rate=0.01)
    updates = optimizer.update(jax.grad(lambda x: x.sum())(state), optimizer.init(state))
    state = optax.apply_updates(state, updates)
    """
    files = {
        "lab/__init__.py": "",
        "lab/train.py": program,
        "lab/optax.py": "import jax\ndef start(): return jax.numpy.zeros(3)\n",
    }
    assert read(files, "python -m lab.train").optimizer == "AdamW"


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


def test_a_module_goes_before_a_folder_of_plain_files_further_up_the_path(read):
    files = {
        "work/go.py": """
            import os
            import sys

            here = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
            sys.path.append(here)
            sys.path.append(os.path.join(here, "loading"))
            import torch
            from loading import loader_of

            net = torch.nn.Linear(4, 2)
            adam = torch.optim.Adam(net.parameters(), lr=1e-3)
            for epoch in range(3):
                for rows in loader_of("rows.pt"):
                    net(rows).sum().backward()
                    adam.step()
            """,
        "loading/loading.py": """
            import torch

            def loader_of(path):
                return torch.utils.data.DataLoader(torch.load(path), batch_size=24)
            """,
    }
    assert read(files, "cd work && python go.py").batch_size == 24
