"""The option that names the model: what is cut out of another option comes last."""

import pytest

from tests.readers.code.networks import NET_SGD, NET_STEPS, OWN_RESNET, TWO_NETS, named_net

PROGRAM = """
import argparse
import torch
from torch import nn

class Teacher(nn.Module):
    def __init__(self, arch):
        super().__init__()
        self.layer = nn.Linear(4, 4)

class SiT(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(depth)])

def SiT_B_2(**settings):
    return SiT(depth=4)

MODELS = {"SiT-B/2": SiT_B_2}

parser = argparse.ArgumentParser()
parser.add_argument("--model")
parser.add_argument("--teachers")
args = parser.parse_args()
teachers, kinds = [], []
for told in args.teachers.split(","):
    family, arch, size = told.split("-")
    kinds.append(arch)
    teachers.append(Teacher(arch))
model = MODELS[args.model](heads=1)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for step in range(100):
    for teacher, arch in zip(teachers, kinds):
        wanted = teacher(torch.zeros(4))
    (model(torch.zeros(4)) - wanted).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    "given", ["--model SiT-B/2 --teachers dinov2-vit-b", "--teachers dinov2-vit-b --model SiT-B/2"]
)
def test_a_part_of_what_another_option_says_names_no_model(read, given):
    assert read({"go.py": PROGRAM}, f"python go.py {given}").model_name == "SiT-B/2"


def test_an_encoder_that_the_command_names_as_upstream_names_the_model(read):
    code = (
        TWO_NETS + "import argparse, hubs\np = argparse.ArgumentParser()\np.add_argument('-u', '--upstream')\n"
        "a = p.parse_args()\nencoder = getattr(hubs, a.upstream)()\nnet = Assembly_Net(Spinner())\n"
        + NET_SGD
        + NET_STEPS
    )
    job = read({"train.py": code, "hubs.py": ""}, "python train.py -u wav2vec2")
    assert (job.model_name, job.model_type) == ("wav2vec2", "transformer")


def test_an_upstream_that_is_a_branch_of_git_names_no_model(read):
    code = (
        TWO_NETS + "import argparse, subprocess\np = argparse.ArgumentParser()\np.add_argument('--upstream')\n"
        "a = p.parse_args()\nsubprocess.run(['git', 'fetch', a.upstream])\nclass Net(Spinner):\n    pass\nnet = Net()\n"
        + NET_SGD
        + NET_STEPS
    )
    assert read({"train.py": code}, "python train.py --upstream upstream/dev").model_name is None


TOLD_A_MODEL = """
import argparse
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

parser = argparse.ArgumentParser()
parser.add_argument("--model_path", type=str)
options = parser.parse_args()
model = AutoModelForCausalLM.from_pretrained(options.model_path)
Trainer(model=model, args=TrainingArguments(output_dir="out")).train()
"""


def test_a_program_is_told_a_model_in_an_open_folder(read):
    found = read({"go.py": TOLD_A_MODEL, "run.sh": "python go.py --model_path $ROOT/Llama-2-7b-hf"}, "bash run.sh")
    assert found.model_name == "Llama-2-7b-hf"


def test_an_open_folder_alone_names_no_model(read):
    assert (
        read({"go.py": TOLD_A_MODEL, "run.sh": "python go.py --model_path $ROOT/best"}, "bash run.sh").model_name
        is None
    )


def test_a_vocoder_beside_it_does_not_name_the_network(read):
    code = (
        "import torch, yaml\ncfg = yaml.safe_load(open('model.yaml'))\n"
        "class FastSpeech2(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.out = torch.nn.Linear(3, 2)\n    def forward(self, x):\n        return self.out(x)\n"
        "kind = cfg['vocoder']['model']\nnet = FastSpeech2()\n"
        "optimizer = torch.optim.Adam(net.parameters(), lr=0.1)\n"
        "for step in range(9):\n    net(torch.ones(3)).sum().backward()\n    optimizer.step()\n"
    )
    files = {"train.py": code, "model.yaml": "vocoder:\n  model: HiFi-GAN\n"}
    assert read(files, "python train.py").model_name == "FastSpeech2"


def test_a_file_of_weights_is_no_models_name(read):
    code = named_net(data="model_path = './models/first_best.h5'\nrows = read(model_path)")
    assert read({"go.py": code}, "python go.py").model_name != "first_best.h5"


def test_a_data_sets_name_names_no_model(read):
    code = OWN_RESNET.format(imports="import argparse", loss="nn.MSELoss()").replace("ResNet", "Generator")
    code += "parser = argparse.ArgumentParser()\nparser.add_argument('--arch', default='lsun')\n"
    code += "print(parser.parse_args().arch)\n"
    assert read({"go.py": code}, "python go.py").model_name != "lsun"


BESIDE = """
import importlib
import torch, yaml

class Waves(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.one = torch.nn.Linear(width, width)

cfg = yaml.safe_load(open("a.yaml"))
before = cfg["SECTION"]["pretrained_model_name_or_path"]
net = Waves(cfg["width"])
optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
net(torch.ones(3)).sum().backward()
optimizer.step()
"""


@pytest.mark.parametrize(
    ("section", "target", "name"),
    [
        ("vae", "diffusers.AutoencoderKL.from_pretrained", "Waves"),
        ("text_encoder", "transformers.CLIPTextModel.from_pretrained", "Waves"),
        ("model", "diffusers.AutoencoderKL.from_pretrained", "acme/kl-vae"),
    ],
)
def test_what_is_loaded_beside_the_network_does_not_name_it(read, section, target, name):
    told = f"width: 3\n{section}:\n  _target_: {target}\n  pretrained_model_name_or_path: acme/kl-vae\n"
    job = read({"go.py": BESIDE.replace("SECTION", section), "a.yaml": told}, "python go.py")
    assert job.model_name == name


def test_what_an_option_calls_the_head_behind_a_network_is_no_name_of_it(read):
    code = (
        "import argparse\nimport torch\n"
        "parser = argparse.ArgumentParser()\nparser.add_argument('--downstream_model', default='rnn')\n"
        "told = parser.parse_args()\n"
        "class Rows:\n    def __init__(self, model_type):\n        self.model_type = model_type\n"
        "        print(self.model_type)\n"
        "class SomeWrapper(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.one = torch.nn.Conv2d(3, 4, 3)\n        self.two = torch.nn.Linear(4, 2)\n"
        "    def forward(self, x):\n        return self.two(self.one(x).mean((2, 3)))\n"
        "rows = Rows(model_type=told.downstream_model)\nnet = SomeWrapper()\n"
        "adam = torch.optim.Adam(net.parameters(), lr=1e-3)\n"
        "for step in range(10):\n    net(torch.randn(2, 3, 8, 8)).sum().backward()\n    adam.step()\n"
    )
    assert read({"go.py": code}, "python go.py").model_name != "rnn"
