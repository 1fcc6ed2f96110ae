"""What a network is beside its head, and in what precision MLX and a pipeline of diffusion compute."""

import pytest

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
