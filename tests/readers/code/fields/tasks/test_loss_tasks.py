"""What losses tell of the task, by what else the program reads, and ways to learn that serve tasks of any kind."""

import pytest

from tests.readers.code.networks import OWN_RESNET

CODE = """
import torch
{imports}

class RiverNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Conv2d(3, 8, 3)
    def forward(self, x):
        return self.layer(x)

net = RiverNet()
rows = {rows}
loss_of = torch.nn.{loss}()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in rows:
    loss_of(net(x), y).backward()
    optimizer.step()
"""


def files(imports="", rows="read()", loss="CTCLoss", title="Notes"):
    return {"go.py": CODE.format(imports=imports, rows=rows, loss=loss), "README.md": f"# {title}\n"}


@pytest.mark.parametrize(
    ("imports", "rows", "told"),
    [
        ("import torchaudio", "read()", ("audio", "speech recognition")),
        ("import cv2", "read()", ("CV", "text recognition")),
        ("import cv2, librosa", "read()", ("audio", "speech recognition")),
        ("import cv2, glob", "glob.glob('data/phoenix2014/*.png')", ("CV", "sign language recognition")),
    ],
)
def test_a_loss_that_aligns_sequences_serves_speech_and_pictures(read, imports, rows, told):
    job = read(files(imports, rows), "python go.py")
    assert (job.task, job.task_fine) == told


def test_a_way_to_learn_is_told_beside_what_is_learned(read):
    rows = "torchvision.datasets.CIFAR10('data', train=True)"
    title = "Federated Learning of everything"
    job = read(files("import torchvision", rows, "CrossEntropyLoss", title), "python go.py")
    assert job.task_fine == "image classification (federated learning)"


def test_a_loader_alone_makes_no_graphs(read):
    loads = read(files("from torch_geometric.loader import DataLoader", loss="MSELoss"), "python go.py")
    holds = read(files("from torch_geometric.data import Data", loss="MSELoss"), "python go.py")
    assert (loads.task, holds.task) == (None, "graph")


def test_a_classifier_that_is_not_here_makes_no_pictures(read):
    job = read({"README.md": "# Notes\n"}, "python train_classifier.py --dataset celeba")
    assert job.task_fine == "image classification"


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("torchvision.datasets.CIFAR10('data', train=True)", ("CV", "image generation")),
        ("read()", (None, None)),
        ("glob.glob('data/librispeech/*')", ("audio", "speech recognition")),
    ],
)
def test_a_metric_of_made_pictures_counts_before_what_the_data_are_mostly_for(read, rows, told):
    measured = (
        "import glob, torchvision\nfrom torchmetrics.image.fid import FrechetInceptionDistance\n"
        "FrechetInceptionDistance()"
    )
    job = read(files(measured, rows, "MSELoss"), "python go.py")
    assert (job.task if told[0] else None, job.task_fine) == told


@pytest.mark.parametrize(
    ("script", "path", "told"),
    [
        ("train_diffusion.py", "data/libritts", ("audio", "text-to-speech")),
        ("train_diffusion.py", "data/cifar10", ("CV", "image generation")),
        ("train_diffusion.py", "data/iwslt14", ("NLP", "machine translation")),
    ],
)
def test_a_way_to_generate_makes_what_the_data_are(read, script, path, told):
    code = files(imports="import glob", rows=f"glob.glob('{path}/*')", loss="MSELoss")["go.py"]
    job = read({script: code}, f"python {script}")
    assert (job.task, job.task_fine) == told


@pytest.mark.parametrize(
    ("picked", "loss", "fine"),
    [
        ("row.train_mask", "CrossEntropyLoss", "node classification"),
        ("row.batch", "CrossEntropyLoss", "graph classification"),
        ("row.train_mask", "MSELoss", None),
    ],
)
def test_masks_of_nodes_tell_what_of_a_graph_is_sorted(read, picked, loss, fine):
    code = files("from torch_geometric.data import Data", loss=loss)["go.py"]
    code = code.replace("loss_of(net(x), y)", f"loss_of(net(x)[{picked}], y)").replace("rows =", "row = Data()\nrows =")
    assert read({"go.py": code}, "python go.py").task_fine == fine


MATCHED = """
import glob, torch
class HungarianMatcher(torch.nn.Module):
    def __init__(self):
        super().__init__()
class BrookNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Conv2d(3, 8, 3)
net, matcher = BrookNet(), HungarianMatcher()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in glob.glob("data/{path}/*"):
    net(x).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("path", "fine"),
    [("building3d", "building reconstruction"), ("coco", "object detection"), ("rivers", "object detection")],
)
def test_a_matcher_matches_what_the_data_are_for(read, path, fine):
    assert read({"go.py": MATCHED.format(path=path)}, "python go.py").task_fine == fine


DENOISING = """
import torch
from torchvision.datasets import CIFAR10

class {trainer}(torch.nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net(x)

data = torch.utils.data.DataLoader(CIFAR10("x", train=True), batch_size=8)
trainer = {trainer}(torch.nn.Conv2d(3, 3, 3))
optimizer = torch.optim.Adam(trainer.parameters(), lr=2e-4)
for x, _ in data:
    trainer(x).mean().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("trainer", "task"),
    [("GaussianDiffusionTrainer", "image generation"), ("DDPM", "image generation"), ("Plain", None)],
)
def test_what_learns_to_take_noise_away_makes_pictures(read, trainer, task):
    assert read({"go.py": DENOISING.format(trainer=trainer)}, "python go.py").task_fine == task


@pytest.mark.parametrize(
    ("loss", "fine"), [("FocalLoss()", "image classification"), ("torch.nn.MSELoss()", "image regression")]
)
def test_a_metric_of_regression_is_no_loss(read, loss, fine):
    code = (
        "import timm, torch\nfrom sklearn.metrics import mean_squared_error\nfrom elsewhere import FocalLoss\n"
        "net = timm.create_model('resnet50', num_classes=10)\n"
        f"optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\nloss = {loss}\nfor epoch in range(3):\n"
        "    loss(net(torch.rand(2, 3, 9, 9)), torch.zeros(2)).backward()\n    optimizer.step()\n"
        "print(mean_squared_error([1], [2]))\n"
    )
    assert read({"train.py": code}, "python train.py").task_fine == fine


@pytest.mark.parametrize(
    ("imports", "loss", "fine"),
    [
        ("", "nn.CrossEntropyLoss()", "image classification"),
        ("from parts import JointLoss", "JointLoss()", None),
        ("from parts import yoloLoss", "yoloLoss()", "object detection"),
    ],
)
def test_a_backbone_of_the_repositorys_own_sorts_pictures_where_its_loss_does(read, imports, loss, fine):
    job = read({"go.py": OWN_RESNET.format(imports=imports, loss=loss)}, "python go.py")
    assert (job.task, job.task_fine) == ("CV", fine)


DIFFUSING = """
import torch

class InfoNCE(torch.nn.Module):
    def forward(self, a, b):
        return (a - b).sum()

class BigGAN(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Conv2d(3, 3, 1)
    def forward(self, x):
        return self.layer(x)

net = BigGAN()
alike = InfoNCE()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in read():
    alike(net(x), x).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("script", "fine"),
    [("train_contrastive", "self-supervised pre-training (contrastive learning)"), ("train", "image generation")],
)
def test_a_script_named_after_its_loss_learns_by_that_and_not_what_its_family_does(read, script, fine):
    assert read({f"{script}.py": DIFFUSING}, f"python {script}.py").task_fine == fine


AGENT = """
import gym
from stable_baselines3 import {algorithm}
from worlds import Orchard

{algorithm}("MlpPolicy", Orchard()).learn(total_timesteps=1000)
"""


@pytest.mark.parametrize(
    ("algorithm", "fine"),
    [
        ("PPO", "reinforcement learning (policy optimization)"),
        ("DQN", "reinforcement learning (value-based)"),
        ("SAC", "reinforcement learning (continuous control)"),
    ],
)
def test_an_algorithm_says_what_an_agent_learns_in_a_world_that_is_not_known(read, algorithm, fine):
    assert read({"go.py": AGENT.format(algorithm=algorithm)}, "python go.py").task_fine == fine
