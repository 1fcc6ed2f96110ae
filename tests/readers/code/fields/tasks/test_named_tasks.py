"""Ways to tune a language model after which a script or a configuration is called."""

import pytest

from tests.readers.code.networks import named_net

TUNE = """
import argparse
import torch
from transformers import AutoModelForCausalLM

p = argparse.ArgumentParser()
p.add_argument("--config")
p.parse_args()
model = AutoModelForCausalLM.from_pretrained("{name}")
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
for step in range(40):
    reward_of(model).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("script", "words", "said"),
    [
        ("train_grpo.py", "", "grpo"),
        ("train_sums.justgrpo.py", "", "grpo"),
        ("train.py", "--config conf/gentle_GRPOtrain.yaml", "grpo"),
        ("run_dpo.py", "", "dpo"),
        ("orpo.py", "", "orpo"),
    ],
)
def test_a_script_named_after_a_way_to_tune_a_language_model(read, script, words, said):
    job = read({script: TUNE.format(name="meta-llama/Llama-2-7b-hf")}, f"python {script} {words}")
    assert f"({said})" in job.task_fine


@pytest.mark.parametrize("script", ["train_corporate.py", "support.py", "train_depot.py", "train.py"])
def test_other_names_of_scripts_say_no_way_to_tune(read, script):
    job = read({script: TUNE.format(name="meta-llama/Llama-2-7b-hf")}, f"python {script}")
    assert "po)" not in job.task_fine


SORTED = """
import torch
from torchvision.datasets import {data}
net = torch.nn.Sequential(torch.nn.Linear(4, 2))
adam = torch.optim.Adam(net.parameters())
for batch in torch.utils.data.DataLoader({data}("x"), batch_size=4):
    net(batch).sum().backward()
    adam.step()
"""


@pytest.mark.parametrize(("data", "fine"), [("CIFAR10", "image classification"), ("Mine", "text classification")])
def test_a_script_of_texts_may_sort_pictures(read, data, fine):
    assert read({"run_classifier.py": SORTED.format(data=data)}, "python run_classifier.py").task_fine == fine


PARTS = """
import torch
class {name}(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(3, 64, 1)
    def forward(self, x):
        return self.conv(x)
net = {name}().cuda()
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(3):
    torch.nn.functional.cross_entropy(net(1), 2).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("name", "fine"),
    [
        ("PointNetPartSeg", "part segmentation of point clouds"),
        ("PointNetCls", "point cloud classification"),
        ("OCRNet", "semantic segmentation"),
    ],
)
def test_a_class_says_more_than_its_family(read, name, fine):
    job = read({"run.py": PARTS.format(name=name)}, "python run.py")
    assert (job.model_name, job.task, job.task_fine) == (name, "CV", fine)


@pytest.mark.parametrize(("script", "fine"), [("preprocess_data.py", True), ("show_data.py", False)])
def test_what_makes_data_ready_is_called_so(read, script, fine):
    job = read({script: "import json\nprint(json.dumps(1))\n"}, f"python {script}")
    assert (job.task_fine or "").startswith("data preparation") is fine


NET = """
import argparse
import torch
from torch import nn

class {base}(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(3, 3, 3)
    def forward(self, x):
        return self.body(x)

class {name}({base}):
    pass

parser = argparse.ArgumentParser()
parser.add_argument("--dataset", default="{data}")
args = parser.parse_args()
net = {name}()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(30):
    optimizer.zero_grad()
    net(load(args.dataset)).sum().backward()
    optimizer.step()
"""


def job(read, base, name, data="cifar10", script="fit.py"):
    return read({script: NET.format(base=base, name=name, data=data)}, f"python {script}")


def test_a_classifier_classifies_what_is_mostly_for_something_else(read):
    assert job(read, "Frame", "SonnetClassify", "shakespeare").task_fine == "text classification"
    assert job(read, "Frame", "Sonnets", "shakespeare", "train_classifier.py").task_fine == "text classification"
    assert job(read, "Frame", "Sonnets", "shakespeare").task_fine == "language modeling"


@pytest.mark.parametrize(
    ("script", "cls", "fine"),
    [
        ("train_dino_riverseg.py", "DINO_RiverSeg", "semantic segmentation"),
        ("go.py", "DINO", "self-supervised pre-training"),
    ],
)
def test_a_way_to_learn_without_labels_put_to_another_use(read, script, cls, fine):
    assert read({script: named_net(cls)}, f"python {script}").task_fine == fine


@pytest.mark.parametrize(("option", "says"), [("--train_file", False), ("--valid_file", False), ("--config", True)])
def test_only_a_file_that_holds_no_samples_says_what_is_learned(read, option, says):
    code = TUNE.format(name="gpt2").replace('"--config"', f'"{option}"')
    found = read({"go.py": code, "brook_ctc.json": "[]"}, f"python go.py {option} brook_ctc.json")
    assert (found.task_fine == "speech recognition") == says


HEARD = """
import torch
from torch.utils.data import DataLoader, Dataset

class SpeakerVerificationDataset(Dataset):
    def __getitem__(self, at):
        return at

class ReedNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.LSTM(4, 4)
    def forward(self, x):
        return self.layer(x)

net = ReedNet()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in DataLoader(SpeakerVerificationDataset(), batch_size=4):
    net(x).sum().backward()
    optimizer.step()
"""


def test_the_class_of_data_says_more_of_one_program_than_the_projects_title(read):
    files = {"encoder/fit.py": HEARD, "README.md": "# Reed voice cloning\n"}
    assert read(files, "python encoder/fit.py").task_fine == "speaker recognition"


@pytest.mark.parametrize(("arch", "task"), [("music_transformer", "audio"), ("transformer_lm", "NLP")])
def test_what_goes_on_with_notes_as_with_words_is_of_sound(read, arch, task):
    words = f"fairseq-train --task language_modeling data-bin/new --arch {arch} --max-update 9"
    assert read({"README.md": "# Reeds\n"}, words).task == task
