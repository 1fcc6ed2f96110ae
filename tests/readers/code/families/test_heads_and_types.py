"""What a network is beside its head, and in what precision MLX and a pipeline of diffusion compute."""

import pytest

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


MLX = """
import mlx.core as mx
import mlx.nn as nn
import mlx.optimizers as optim

model = nn.Linear(4, 2)
{more}
step = nn.value_and_grad(model, lambda net, x: net(x).sum())
optimizer = optim.Adam(learning_rate=0.01)
for epoch in range(3):
    loss, grads = step(model, mx.ones((8, 4)))
    optimizer.update(model, grads)
"""


@pytest.mark.parametrize(
    ("more", "precision"),
    [("", "fp32"), ("model.load_weights('saved.safetensors')", None), ("weights = mx.load('saved.npz')", None)],
)
def test_mlx_computes_in_single_precision_unless_weights_bring_their_own(read, more, precision):
    job = read({"train.py": MLX.format(more=more)}, "python train.py")
    assert (job.framework, job.optimizer, job.precision) == ("MLX", "Adam", precision)


def test_a_pipeline_computes_in_the_type_that_it_is_loaded_in(read):
    code = (
        "import torch\nfrom diffusers import StableDiffusionPipeline\n"
        "pipe = StableDiffusionPipeline.from_pretrained('someone/drawings', torch_dtype=torch.float16).to('cuda')\n"
        "image = pipe('a house').images[0]\n"
    )
    job = read({"draw.py": code}, "python draw.py")
    assert (job.is_training, job.precision) == (False, "fp16")


@pytest.mark.parametrize(
    ("line", "precision"),
    [
        ("wide = x.dtype in (torch.float16, torch.bfloat16)", "fp32"),
        ("wide = x.dtype == torch.bfloat16", "fp32"),
        ("x = x.view(torch.bfloat16)", None),
    ],
)
def test_a_type_that_is_only_asked_for_is_not_computed_in(read, line, precision):
    code = (
        "import torch\nfrom torch.utils.data import DataLoader\nmodel = torch.nn.Linear(3, 2)\n"
        "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\nfor x in DataLoader(range(9)):\n"
        f"    {line}\n    model(x).sum().backward()\n    optimizer.step()\n"
    )
    assert read({"train.py": code}, "python train.py").precision == precision


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


BARE = """
    import torch
    from transformers import {loader}

    encoder = {loader}.from_pretrained("bert-base-cased")
    judge = torch.nn.Linear(768, 6)
    optimizer = torch.optim.AdamW([*encoder.parameters(), *judge.parameters()], lr=5e-5)
    for epoch in range(3):
        judge(encoder(rows())[-1]).sum().backward()
        optimizer.step()
    """


@pytest.mark.parametrize(("loader", "fine"), [("AutoModel", None), ("BertForMaskedLM", "masked language modeling")])
def test_a_trained_encoder_without_a_head_fills_no_gaps(read, loader, fine):
    found = read({"judge.py": BARE.format(loader=loader)}, "python judge.py")
    assert (found.task, found.task_fine) == ("NLP", fine)
