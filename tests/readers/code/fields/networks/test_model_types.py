"""What a model is built as: by its family, else by the layers that its own code builds with."""

import pytest

from tests.readers.code.networks import NET_SGD, NET_STEPS, UNET
from tests.readers.code.programs import FIT_MODEL, FIT_STEPS


def test_a_network_around_a_librarys_own_is_of_its_type(read):
    code = (
        "import torch\nfrom torch import nn\nfrom transformers import GPT2Model, GPT2Tokenizer\n"
        "class Flow(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.words = GPT2Tokenizer.from_pretrained('gpt2')\n        self.inside = nn.Linear(6, 768)\n"
        "        self.core = GPT2Model.from_pretrained('gpt2')\n        self.out = nn.Linear(768, 6)\n"
        "    def forward(self, x):\n        return self.out(self.carried(self.inside(x)))\n"
        "    def carried(self, x):\n        return self.core(x)[0]\n"
        "net = Flow()\n" + NET_SGD + NET_STEPS
    )
    assert read({"train.py": code}, "python train.py").model_type == "transformer"
    for idle in ("x", "self.other(x)"):
        without = code.replace("self.core(x)[0]", idle)
        assert read({"train.py": without}, "python train.py").model_type == "mlp", idle
    measured = code.replace("import GPT2Model", "import BertScore").replace(
        "GPT2Model.from_pretrained('gpt2')", "BertScore()"
    )
    assert read({"train.py": measured}, "python train.py").model_type == "mlp"


def test_a_plain_family_gives_way_to_the_layers_that_are_built(read):
    assert read({"go.py": UNET.replace("UNet", "FeedForwardCNN")}, "python go.py").model_type == "cnn"


HEAD = """
import torch
from torch import nn
from torch.utils.data import DataLoader

class SpacedDiffusion:
    def training_losses(self, net, x):
        return net(x)

class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 4)
        self.noiser = SpacedDiffusion()

class Carrier(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.TransformerEncoderLayer(4, 2)])
        self.head = Head()

class Noised(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 4, 3)

noiser = SpacedDiffusion() if {whole} else None
model = Noised() if {whole} else Carrier()
optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
for x in DataLoader(range(9), batch_size=2):
    (noiser.training_losses(model, x) if {whole} else model(x)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("whole", "kind"), [("True", "diffusion (cnn)"), ("False", "transformer")])
def test_a_part_that_takes_noise_off_is_the_networks_head_and_not_its_type(read, whole, kind):
    assert read({"train.py": HEAD.replace("{whole}", whole)}, "python train.py").model_type == kind


def test_layers_out_of_a_module_of_the_repository_tell_the_type(read):
    files = {
        "train.py": FIT_MODEL
        + "import parts\nclass Dem(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.one = parts.Widened(3)\nfit(Dem(), 0.1, 2, 3)\n",
        "parts.py": "from torch import nn\nclass Widened(nn.Module):\n    def __init__(self, size):\n"
        "        super().__init__()\n        self.inner = nn.Conv2d(size, size, 3)\n",
    }
    assert read(files, "python train.py").model_type == "cnn"


AROUND = """
from torch import nn
from monai.networks.nets.swin_unetr import SwinTransformer

class Pretext(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = SwinTransformer(in_chans=1)
        self.head = nn.Conv3d(8, 1, 1)
    def forward(self, x):
        return self.head(self.body(x)[4])

model = Pretext().cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for epoch in range(2):
    model(1).sum().backward()
    optimizer.step()
"""


def test_a_ready_transformer_tells_the_type_of_what_puts_a_layer_behind_it(read):
    assert read({"train.py": "import torch\n" + AROUND}, "python train.py").model_type == "transformer"


@pytest.mark.parametrize(("name", "kind"), [("LorentzCGGNN", "gnn"), ("GatedEMLP", "mlp")])
def test_a_network_is_of_the_kind_that_its_name_ends_with(read, name, kind):
    code = f"import torch\nclass {name}(torch.nn.Module):\n    pass\n" + FIT_STEPS
    code += f"net = {name}()\nfit(net, torch.optim.SGD(net.parameters(), lr=0.1), 9, iter([]))\n"
    assert read({"train.py": code}, "python train.py").model_type == kind


ACTORS = {
    "beast.py": """
        import argparse
        import threading

        import gym
        import torch

        class PlayerNet(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = torch.nn.Conv2d(4, 32, 8)
                self.core = torch.nn.LSTM(32, 32)

        def learn(flags, model, optimizer):
            step = 0
            while step < flags.frames_in_all:
                loss = model(torch.zeros(1, 4, 84, 84)).sum()
                loss.backward()
                optimizer.step()
                step += 80

        parser = argparse.ArgumentParser()
        parser.add_argument("--env", default="PongNoFrameskip-v4")
        parser.add_argument("--frames_in_all", type=int, default=100000)
        parser.add_argument("--num_threads", type=int, default=2)
        flags = parser.parse_args()
        game = gym.make(flags.env)
        model = PlayerNet()
        optimizer = torch.optim.RMSprop(model.parameters(), lr=4e-4)
        threads = []
        for number in range(flags.num_threads):
            thread = threading.Thread(target=learn, args=(flags, model, optimizer))
            thread.start()
            threads.append(thread)
        """,
}


def test_a_network_that_plays_learns_by_reinforcement_whatever_its_name(read):
    assert str(read(ACTORS, "python beast.py").model_type).startswith("rl")


AROUND_A_READY_ONE = """
import sys
import timm
import torch
import torchvision.models as models
from torch import nn

class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = {body}
        self.head = nn.Linear(1000, 2)

    def forward(self, x):
        return self.head(self.body(x))

model = Ranker()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(5):
    model(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("body", "kind"),
    [("models.resnet18()", "cnn"), ('timm.create_model("vit_base_patch16_224")', "transformer"), ("nn.ReLU()", "mlp")],
)
def test_a_network_around_a_ready_one_is_built_as_that_is(read, body, kind):
    assert read({"go.py": AROUND_A_READY_ONE.format(body=body)}, "python go.py").model_type == kind


def test_layers_that_a_network_is_handed_and_no_code_names_tell_its_type(read):
    code = (
        "import torch\nfrom torch import nn\n"
        "class Reader(nn.Module):\n    def __init__(self, kind):\n        super().__init__()\n"
        "        self.inner = getattr(nn, kind)(8, 8)\n"
        "class Weigher(nn.Module):\n    def __init__(self, reader):\n        super().__init__()\n"
        "        self.reader = reader\n"
        "class Chooser(nn.Module):\n    def __init__(self, weigher):\n        super().__init__()\n"
        "        self.weigher = weigher\n    def forward(self, x):\n        return self.weigher.reader.inner(x)[0]\n"
        "net = Chooser(Weigher(Reader('GRU')))\nadam = torch.optim.Adam(net.parameters(), lr=1e-3)\n"
        "for step in range(10):\n    net(torch.randn(2, 3, 8)).sum().backward()\n    adam.step()\n"
    )
    assert read({"go.py": code}, "python go.py").model_type == "rnn"
    assert read({"go.py": code.replace("'GRU'", "KIND")}, "python go.py").model_type is None
