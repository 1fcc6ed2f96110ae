"""The project's title names a network of a usual name, less what a title says before the name."""

import pytest

from schedmate.readers.code.fields.words.project_words import without_task
from tests.readers.code.networks import CONV_NET, with_training
from tests.readers.code.programs import FIT_STEPS

CODE = """
import torch

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
    def forward(self, x):
        return self.layer(x)

net = Model()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.zeros(1, 4)).sum().backward()
optimizer.step()
"""


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Official PyTorch implementation of OrchardNet: growing trees", "OrchardNet"),
        ("Implementation of the Orchard-VAE", "Orchard-VAE"),
        ("Code for OrchardNet - growing trees", "OrchardNet"),
        ("OrchardNet: growing trees", "OrchardNet"),
    ],
)
def test_what_stands_before_the_name_is_no_part_of_it(read, title, name):
    assert read({"train.py": CODE, "README.md": f"# {title}\n"}, "python train.py").model_name == name


def test_whose_a_project_is_is_no_name_of_it(read):
    readme = "<!--\nSPDX-FileCopyrightText: 2019 Me\nCopyright: Me\n-->\n# OrchardNet: growing trees\n"
    assert read({"train.py": CODE, "README.md": readme}, "python train.py").model_name == "OrchardNet"


SOUND = """
{doc}
import argparse, torch

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
    def forward(self, x):
        return self.layer(x)

argparse.ArgumentParser({told}).parse_args()
net = Model()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in read():
    net(x).sum().backward()
    optimizer.step()
"""


def made(doc="", told=""):
    return SOUND.format(doc=doc, told=told).lstrip()


@pytest.mark.parametrize(
    ("files", "fine", "place"),
    [
        ({"a/b/go.py": made(), "a/README.md": "# Crowd counting\n", "README.md": "# Tools\n"}, "crowd counting", 1),
        ({"a/b/go.py": made(), "README.md": "# Crowd counting\n"}, "crowd counting", 1),
        ({"a/b/go.py": made(), "README.md": "# Tools\nImage: the crowd counting club\n"}, None, 0),
        (
            {"a/b/go.py": made(), "README.md": "# 目录\n- [1. a]()\n\n## 骨骼点动作识别\n"},
            "skeleton-based action recognition",
            4,
        ),
        ({"a/b/go.py": made(told='description="Crowd counting"')}, "crowd counting", 10),
        ({"a/b/go.py": made('"""Crowd counting in streets."""'), "README.md": "# Lip reading\n"}, "crowd counting", 1),
        ({"a/b/go.py": made('"""Trains.\n\nAs crowd counting does."""')}, None, 0),
    ],
)
def test_the_nearest_words_about_the_program_tell_its_task(read, files, fine, place):
    job = read(files, "python a/b/go.py")
    assert job.task_fine == fine
    assert not place or job.evidence["task_fine"][0].line == place


def test_a_title_that_names_a_model_tells_its_task(read):
    title = {"README.md": "# Super-resolution of 4D FlowNet\n"}
    named = read({"go.py": made().replace("Model", "FlowNet"), **title}, "python go.py")
    assert named.task_fine == "optical flow estimation"
    assert read({"go.py": made(), **title}, "python go.py").task_fine == "super-resolution"


NAMED_DATA = """
import glob, torch
net = torch.nn.Conv2d(3, 8, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in glob.glob("data/coco/*"):
    net(x).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("folder", "fine"),
    [("src", "text-to-image generation"), ("code", "text-to-image generation"), ("rivers", "object detection")],
)
def test_a_folder_of_sources_has_the_projects_title_for_its_own(read, folder, fine):
    files = {f"{folder}/go.py": NAMED_DATA, "README.md": "# Text to image generation\n"}
    assert read(files, f"python {folder}/go.py").task_fine == fine


ASKED = """
import argparse
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="{asked}")
args = parser.parse_args()
print(args.model)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = nn.Linear(4, 2)

net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(5):
    net(step).sum().backward()
    optimizer.step()
"""


def test_a_heading_on_people_names_no_model(read):
    files = {"go.py": ASKED.format(asked="none"), "README.md": "**Authors:** Ada Ash, Bo Beech\n"}
    assert read(files, "python go.py").model_name != "Authors"


def test_a_plain_class_is_named_after_the_project(read):
    files = {
        "README.md": "# WaveNova-GAN: speech from spectrograms\n\nText.\n",
        "train.py": with_training(CONV_NET.format(name="Generator") + "train(Generator(), [1, 2])\n"),
    }
    found = read(files, "python train.py")
    assert found.model_name == "WaveNova-GAN"
    assert found.evidence["model_name"][0].path == "README.md"


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("# Runbook\n\nThis folder holds what is used by the whole\nkitchen: pots, pans and plates.\n", None),
        ("# Runbook\n\nwavenova: speech from spectrograms\n", "wavenova"),
        ("# Runbook\nwavenova: speech from spectrograms\n", "wavenova"),
    ],
)
def test_a_wrapped_sentence_begins_with_no_name(read, words, name):
    code = with_training(CONV_NET.format(name="Generator") + "train(Generator(), [1, 2])\n")
    assert read({"README.md": words, "train.py": code}, "python train.py").model_name == name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("BiLSTM-CRF-Word-segmentation", "BiLSTM-CRF"),
        ("Bert-Chinese-Text-Classification-Pytorch", "Bert"),
        ("UNet pytorch", "UNet"),
        ("BERT-NER", "BERT"),
        ("Transformer-TTS", "Transformer-TTS"),
        ("U-Net", "U-Net"),
        ("RiverNet-segmentation", "RiverNet-segmentation"),
    ],
)
def test_what_a_model_is_for_is_no_part_of_its_name_in_a_title(title, name):
    assert without_task(title) == name


def test_a_title_needs_something_behind_its_colon(read):
    code = "import torch\nfrom torch import nn\nnet = nn.Sequential(torch.hub.load('a/b', 'unet'), nn.AvgPool2d(2))\n"
    code += FIT_STEPS + "nn.MSELoss()\nfit(net, torch.optim.SGD(net.parameters(), lr=0.1), 9, iter([]))\n"
    job = read({"train.py": code, "README.md": "# Links\n\nOnline Viewer: https://a.example/\n"}, "python train.py")
    assert (job.model_name, job.model_type, job.task_fine) == ("unet", "cnn", "image-to-image regression")


def test_a_library_title_is_no_model_name(read):
    files = {
        "README.md": "# Ringmaster\n\nDistributed training for everybody.\n",
        "train.py": with_training(CONV_NET.format(name="Net") + "train(Net(), [1, 2])\n"),
    }
    assert read(files, "python train.py").model_name is None


def test_a_library_of_settings_in_the_title_is_no_network(read):
    layers = CODE.replace("net = Model()", "net = torch.nn.Sequential(torch.nn.Linear(4, 4))")
    files = {"train.py": layers, "README.md": "# gin-train\n"}
    assert read(files, "python train.py").model_name == "gin"
    files["train.py"] = "import gin\n" + layers
    assert read(files, "python train.py").model_name == "MLP"


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("# RiverTests: a collection of cases", None),
        ("# PondKit: a toolbox for ponds", None),
        ("# WaveNova: speech from spectrograms", "WaveNova"),
    ],
)
def test_a_project_that_gathers_things_is_no_model(read, title, name):
    code = with_training(CONV_NET.format(name="Generator") + "train(Generator(), [1, 2])\n")
    assert read({"README.md": f"{title}\n", "train.py": code}, "python train.py").model_name == name


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ("**Place:** Room 12\n\n**Teacher**: somebody\n", "MLP"),
        ("**WaveNova:** speech from spectrograms\n", "WaveNova"),
        ("# Lake course\n\n**Date:** Monday, the third\n", "MLP"),
    ],
)
def test_details_of_a_course_name_no_model(read, lines, name):
    layers = CODE.replace("net = Model()", "net = torch.nn.Sequential(torch.nn.Linear(4, 4))")
    assert read({"train.py": layers, "README.md": lines}, "python train.py").model_name == name
