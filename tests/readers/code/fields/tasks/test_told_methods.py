"""A word that says what is done with data means what is done with data of that kind."""

import pytest

from schedmate.knowledge.tasks import method_in
from tests.readers.code.networks import CONV_NET, with_training

CODE = """
import argparse, glob, torch

class {name}(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
    def forward(self, x):
        return self.layer(x)

options = argparse.ArgumentParser()
options.add_argument("--task_name", default="")
options.add_argument("--shots", type=int)
args = options.parse_args()
print(args.task_name)
rows = glob.glob("{path}/*")
if args.shots:
    rows = rows[: args.shots]
net = {name}()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in rows:
    net(x).sum().backward()
    optimizer.step()
"""


def job(read, command, name="BrookNet", path="rows.bin", title="Notes"):
    script = command.split()[1]
    return read({script: CODE.format(name=name, path=path), "README.md": f"# {title}\n"}, command)


@pytest.mark.parametrize(
    ("command", "name", "path", "title", "fine"),
    [
        ("python go.py --task_name classification", "PatchTST", "rows.bin", "Notes", "time series classification"),
        ("python go.py --task_name imputation", "PatchTST", "rows.bin", "Notes", "time series imputation"),
        (
            "python go.py --task_name regression",
            "BrookNet",
            "rows.csv",
            "Tabular data",
            "tabular prediction (regression)",
        ),
        ("python train_cls.py", "BrookNet", "data/librispeech", "Notes", "audio classification"),
        ("python train_classifier.py", "BrookNet", "data/iwslt14", "Notes", "text classification"),
        ("python go.py --task_name long_term_forecast", "PatchTST", "rows.bin", "Notes", "time series forecasting"),
        ("python go.py --task_name mine", "PatchTST", "rows.bin", "Notes", "time series forecasting"),
        ("python train_cls.py", "BrookNet", "data/ms1m", "Notes", "face recognition"),
        ("python train_cls.py", "PointNetCls", "rows.bin", "Notes", "point cloud classification"),
        ("python go.py", "BrookNet", "data/librispeech", "Notes", "speech recognition"),
    ],
)
def test_the_kind_of_data_gives_the_word_its_meaning(read, command, name, path, title, fine):
    assert job(read, command, name, path, title).task_fine == fine


def test_a_word_that_is_part_of_another_one_says_nothing():
    assert method_in("classifier_free_guidance") is None
    assert method_in("pretrained_cls") is None
    assert method_in("train_cls") == "classification"


@pytest.mark.parametrize(
    ("words", "name", "fine"),
    [
        ("--shots 4", "CLIP", "few-shot image classification"),
        ("", "CLIP", "image-text contrastive pre-training"),
        ("--shots 4", "BLIP", "vision-language pre-training"),
    ],
)
def test_a_model_of_pictures_and_words_with_few_samples_sorts_pictures(read, words, name, fine):
    assert job(read, f"python go.py {words}", name).task_fine == fine


SHOWN = """
import torch
from torch.utils.data import DataLoader, Dataset

class {name}(Dataset):
    def __getitem__(self, place):
        return read(place)

class BrookNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)

net = BrookNet()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader({name}()):
    net(x).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("name", "title", "fine"),
    [
        ("DerainDataset", "Notes", "image deraining"),
        ("CrowdCountingDataset", "Notes", "crowd counting"),
        ("RiverDataset", "Notes", None),
        ("DerainDataset", "Image dehazing", "image dehazing"),
    ],
)
def test_a_class_of_data_says_what_is_learned_where_nothing_else_does(read, name, title, fine):
    assert read({"go.py": SHOWN.format(name=name), "README.md": f"# {title}\n"}, "python go.py").task_fine == fine


def test_a_task_option_says_what_is_learned(read):
    text = """
    import argparse
    parser = argparse.ArgumentParser()
    parser.add_argument("--task_name")
    args = parser.parse_args()
    print(args.task_name)
    """
    files = {
        "run.py": with_training(text.replace("\n    ", "\n") + CONV_NET.format(name="Net") + "train(Net(), [1, 2])\n")
    }
    found = read(files, "python run.py --task_name long_term_forecast")
    assert (found.task, found.task_fine) == ("time series", "time series forecasting")


@pytest.mark.parametrize(("script", "fine"), [("train_gen.py", "generation"), ("train.py", "understanding")])
def test_a_script_that_generates_point_clouds(read, script, fine):
    found = job(read, f"python {script}", title="Learning on point clouds").task_fine
    assert found == f"point cloud {fine}"


TOLD = """
import argparse, torch
parser = argparse.ArgumentParser()
parser.add_argument("--task_name", default="none")
parser.add_argument("--dataset", default="acme_ponds")
args = parser.parse_args()
print(args.task_name, args.dataset)
net = torch.nn.Linear(3, 1)
optimizer = torch.optim.Adam(net.parameters())
for step in range(3):
    net(torch.zeros(3)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("told", "fine", "data"),
    [
        ("crop_yield_prediction", "crop yield prediction", "acme_ponds"),
        ("rain-rate-estimation", "rain rate estimation", "acme_ponds"),
        ("mrpc", "paraphrase identification (text classification)", "MRPC"),
        ("v2_prediction", None, "v2_prediction"),
        ("prediction", None, "prediction"),
    ],
)
def test_a_task_in_words_of_its_own_is_no_data(read, told, fine, data):
    job = read({"go.py": TOLD}, f"python go.py --task_name {told}")
    assert (job.task_fine, job.dataset_name) == (fine, data)
