"""Words that sound like a task and tell none: a way to generate, a way to learn, data that are put to another use."""

import pytest

GENERATES = """
import torch
from torch import nn
{imports}

class RiverVAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = {body}

net = RiverVAE()
optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
for step in range(5):
    net(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("imports", "body", "task"),
    [
        ("", "nn.Linear(4, 4)", None),
        ("", "nn.Conv2d(3, 4, 3)", "CV"),
        ("from torchvision.utils import make_grid", "nn.Conv1d(4, 4, 3)", None),
        ("from torchvision.utils import make_grid", "nn.Conv2d(3, 4, 3)", "CV"),
    ],
)
def test_a_way_to_generate_makes_pictures_where_it_sees_across_them(read, imports, body, task):
    code = GENERATES.format(imports=imports, body=body)
    for name in ("go.py", "train_vae.py"):
        job = read({name: code}, f"python {name}")
        if name == "go.py" or "Conv1d" in body:
            assert (job.task, job.task_fine) == (task, "image generation" if task else None)


SOUND_GAN = """
import torch
import torchaudio
from torch import nn

class {maker}(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Conv1d(4, 4, 3)

class Discriminator({maker}):
    pass

generator, judge = {maker}(), Discriminator()
optimizer = torch.optim.Adam(generator.parameters(), lr=0.001)
for step in range(5):
    judge(generator(step)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("maker", "fine"), [("Generator", "audio generation"), ("VoiceConverter", "voice conversion")])
def test_rivals_over_sound_need_be_no_vocoder(read, maker, fine):
    assert read({"go.py": SOUND_GAN.format(maker=maker)}, "python go.py").task_fine == fine


PLAIN = """
import torch
import torch_geometric
from torch import nn

net = torch_geometric.nn.GCNConv(4, 4)
optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
for step in range(5):
    net(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("readme", "fine"),
    [
        ("# Domain adaptation of river graphs\n", "node classification (domain adaptation)"),
        ("# River graphs\n\nThis copy holds domain adaptation, too.\n", "node classification"),
    ],
)
def test_a_way_to_learn_is_told_by_the_title_alone(read, readme, fine):
    assert read({"go.py": PLAIN, "README.md": readme}, "python go.py").task_fine == fine


SORTS = """
import torch
from torch import nn
from torch_geometric.nn import {layer} as Layer

class DimeNetPlusPlus(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = Layer(4, 4)

net = DimeNetPlusPlus()
optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
judge = nn.{loss}()
for step in range(5):
    judge(net(step), step).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("loss", "fine"),
    [("CrossEntropyLoss", "graph classification"), ("L1Loss", "molecular property prediction")],
)
def test_graphs_that_are_sorted_into_classes_need_be_no_molecules(read, loss, fine):
    assert read({"go.py": SORTS.format(layer="GCNConv", loss=loss)}, "python go.py").task_fine == fine


WRITES = """
import argparse
import torch
from torch import nn
from datasets import load_dataset
{imports}

parser = argparse.ArgumentParser()
parser.add_argument("--dataset", default="qqp")
args = parser.parse_args()

class {name}(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(4, 2)

net = {name}()
optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
for row in load_dataset(args.dataset):
    net(row).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("name", "sorts"), [("TextDiffusion", False), ("Reader", True)])
def test_what_writes_texts_sorts_none(read, name, sorts):
    fine = read({"go.py": WRITES.format(imports="", name=name)}, "python go.py").task_fine
    assert ("classification" in (fine or "")) is sorts


TUNES = """
from transformers import LlamaForCausalLM, Trainer
net = LlamaForCausalLM.from_pretrained("meta-llama/Llama-2-7b-hf")
Trainer(model=net, train_dataset=[]).train()
"""


@pytest.mark.parametrize(("script", "fine"), [("run_clm_sft.py", "supervised fine-tuning"), ("run_clm.py", None)])
def test_a_way_to_tune_says_more_than_that_a_language_is_modelled(read, script, fine):
    found = read({script: TUNES}, f"python {script}").task_fine
    assert found == fine if fine else "language modeling" in found


@pytest.mark.parametrize(
    ("title", "fine"),
    [
        ("Rivers: lip to speech synthesis and lip reading", "lip-to-speech synthesis"),
        ("Rivers: graph property prediction", "graph property prediction"),
    ],
)
def test_phrases_of_titles(read, title, fine):
    code = PLAIN.replace("torch_geometric.nn.GCNConv", "nn.Linear").replace("import torch_geometric\n", "")
    assert read({"go.py": code, "README.md": f"# {title}\n"}, "python go.py").task_fine == fine


@pytest.mark.parametrize(
    ("readme", "expected"),
    [
        ("# Translation of maps", ("CV", "image-to-image translation")),
        ("# Anomaly detection in streets", ("CV", "anomaly detection")),
        ("# Streets", ("CV", "image generation")),
    ],
)
def test_what_a_title_says_of_a_program_that_makes_pictures(read, readme, expected):
    code = GENERATES.format(imports="from PIL import Image", body="nn.Conv2d(3, 4, 3)")
    job = read({"go.py": code, "README.md": readme}, "python go.py")
    assert (job.task, job.task_fine) == expected


def test_a_solver_of_differential_equations_learns_how_things_move(read):
    code = GENERATES.format(imports="from torchdiffeq import odeint", body="nn.Linear(4, 4)").replace(
        "RiverVAE", "River"
    )
    job = read({"go.py": code + "odeint(net, 1, 2)\n"}, "python go.py")
    assert job.task == "other"


def test_features_of_sound_in_the_name_of_the_data_tell_sound(read):
    code = (
        "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--train_file')\nparser.parse_args()"
    )
    code += GENERATES.format(imports="", body="nn.Linear(4, 4)").replace("RiverVAE", "River")
    assert read({"go.py": code}, "python go.py --train_file mfcc/rows.csv").task == "audio"
    assert read({"go.py": code}, "python go.py --train_file rows/rows.csv").task is None
