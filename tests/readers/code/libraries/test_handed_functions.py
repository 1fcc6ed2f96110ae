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


LAUNCHED = """
from rllab.misc.instrument import VariantGenerator, run_experiment_lite
import torch

def work(variant):
    net = torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(net.parameters(), lr=variant["rate"], weight_decay=variant["decay"])
    for epoch in range(variant["epochs"]):
        net(torch.ones(2)).sum().backward()
        optimizer.step()

told = VariantGenerator()
told.add("rate", [RATES])
told.add("decay", [0.5])
told.add("epochs", [30])
for variant in told.variants():
    run_experiment_lite(work, mode="local", variant=variant, seed=1)
"""


def test_an_experiment_is_started_with_its_variant(read):
    job = read({"go.py": LAUNCHED.replace("RATES", "0.25")}, "python go.py")
    assert (job.is_training, job.learning_rate, job.epochs) == (True, 0.25, 30)


def test_what_variants_try_is_open(read):
    job = read({"go.py": LAUNCHED.replace("RATES", "0.25, 0.125")}, "python go.py")
    assert (job.is_training, job.learning_rate, job.epochs) == (True, None, 30)
