"""Functions that a library is handed and calls itself."""

import pytest

SMALL = """
import scipy.optimize
import torch

net = torch.nn.Linear(2, 2)
def loss_of(tried, rows=None):
    net.weight.data.copy_(torch.tensor(tried))
    loss = net(rows).sum()
    WORK
    return loss.item(), net.weight.grad.numpy()

for turn in range(9):
    CALL
"""


@pytest.mark.parametrize(
    "call",
    [
        "scipy.optimize.fmin_l_bfgs_b(loss_of, net.weight.numpy(), maxiter=25)",
        "scipy.optimize.minimize(fun=loss_of, x0=[0.0], args=(torch.ones(2),), jac=True)",
    ],
)
def test_what_is_made_small_is_followed(read, call):
    code = SMALL.replace("CALL", call)
    assert read({"train.py": code.replace("WORK", "loss.backward()")}, "python train.py").is_training is True
    assert read({"train.py": code.replace("WORK", "pass")}, "python train.py").is_training is not True
