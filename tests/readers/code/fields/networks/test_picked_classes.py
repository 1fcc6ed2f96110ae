"""What picks the class of a network: an option for it, its holder, a part or its file; the name the project goes by."""

import pytest

from tests.readers.code.networks import NET_SGD, NET_STEPS, TWO_NETS

GROUPS = {
    "conf/config.yaml": "defaults:\n  - model: small\nlr: 1e-4\n",
    "conf/model/small.yaml": "name: Qwen/Qwen2.5-0.5B\n",
    "conf/model/big.yaml": "name: meta-llama/Llama-3.1-8B\n",
    "train.py": """
import hydra
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

@hydra.main(config_path="conf", config_name="config", version_base=None)
def main(cfg):
    model = AutoModelForCausalLM.from_pretrained(cfg.model.name)
    Trainer(model=model, args=TrainingArguments(output_dir="out", learning_rate=cfg.lr), train_dataset=None).train()

if __name__ == "__main__":
    main()
""",
}


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("python train.py", "Qwen/Qwen2.5-0.5B"),
        ("python train.py model=small", "Qwen/Qwen2.5-0.5B"),
        ("python train.py model=big", "meta-llama/Llama-3.1-8B"),
        ("python train.py model.name=gpt2", "gpt2"),
    ],
)
def test_the_word_of_a_chosen_group_is_no_better_name_than_what_the_group_names(read, command, name):
    assert read(GROUPS, command).model_name == name


def test_the_option_that_picks_the_inner_network_names_the_whole(read):
    code = (
        TWO_NETS + "import argparse\np = argparse.ArgumentParser()\np.add_argument('--model', default='spinner')\n"
        "a = p.parse_args()\nif a.model == 'spinner':\n    inner = Spinner()\nelse:\n    inner = TensorField()\n"
        "net = Assembly_Net(inner)\n" + NET_SGD + NET_STEPS
    )
    assert read({"train.py": code}, "python train.py --model tensorfield").model_name == "tensorfield"


def test_an_option_that_is_called_like_a_part_of_the_network_does_not_name_it(read):
    code = (
        TWO_NETS + "import argparse\np = argparse.ArgumentParser()\np.add_argument('--model', default='spinner')\n"
        "a = p.parse_args()\nclass VoiceNet(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.teacher, self.body = Spinner(), torch.nn.LSTM(2, 2)\n"
        "    def forward(self, x):\n        return self.body(x)\nnet = VoiceNet()\n" + NET_SGD + NET_STEPS
    )
    assert read({"train.py": code}, "python train.py --model spinner").model_name == "VoiceNet"


PICKED = """
import importlib
import torch
import yaml

plan = yaml.safe_load(open("plan.yaml"))
made = importlib.import_module("kinds." + plan["kind"])
model = made.SegmentationNet()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.zeros(1, 3, 8, 8)).sum().backward()
optimizer.step()
"""


def test_a_network_of_a_usual_name_is_called_after_the_module_that_a_setting_picks(read):
    kind = """
        import torch
        class SegmentationNet(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Conv2d(3, 2, 3)
            def forward(self, x):
                return self.layer(x)
        """
    files = {"kinds/__init__.py": "", "kinds/quorvex2.py": kind, "plan.yaml": "kind: quorvex2\n"}
    assert read({"train.py": PICKED, **files}, "python train.py").model_name == "quorvex2"


THREADS = """
import argparse
import torch

class SwapModel:
    def __init__(self, opt):
        self.net_g = Translator()
        self.net_g = torch.nn.DataParallel(self.net_g.cuda(), opt.gpu_ids)
        self.optimizer = torch.optim.Adam(self.net_g.parameters(), lr=opt.lr)

class Translator(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 3, 3)

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="swap")
parser.add_argument("--dataroot", required=True)
parser.add_argument("--dataset_name", default="unaligned", help="how pictures are paired")
parser.add_argument("--gpu_ids", default="0")
parser.add_argument("--lr", type=float, default=0.1)
opt = parser.parse_args()
ids = opt.gpu_ids.split(",")
opt.gpu_ids = []
for one in ids:
    if int(one) >= 0:
        opt.gpu_ids.append(int(one))
model = SwapModel(opt)
for epoch in range(5):
    for data in torch.utils.data.DataLoader([], batch_size=4):
        model.net_g(data).sum().backward()
        model.optimizer.step()
"""


def test_names_are_those_of_the_class_that_the_option_picks_and_of_the_folder_that_the_command_gives(read):
    job = read({"train.py": THREADS}, "python train.py --dataroot ./datasets/cat2dog")
    assert (job.model_name, job.dataset_name) == ("swap", "cat2dog")
    job = read({"train.py": THREADS}, "python train.py --dataroot ./datasets/cat2dog --model turn")
    assert job.model_name == "Translator"
