"""Learning rates that no option names: a library's default, and what optax's chains of transformations amount to."""

import pytest

from tests.readers.code.programs import FIT_STEPS

WRAPPED = """
import torch
from torch.utils.data import DataLoader, Dataset

class Repeats(Dataset):
    def __init__(self, dataset):
        self.dataset = dataset

    def __getitem__(self, place):
        return self.dataset[torch.randint(0, 9, (1,))]

class MeadowClips(Dataset):
    def __getitem__(self, place):
        return torch.load(str(place))

class Noise(Dataset):
    def __getitem__(self, place):
        return torch.randn(3)

class Turned(Dataset):
    def __init__(self, image_list):
        self.images = image_list
    def __len__(self):
        return len(self.images)
    def __getitem__(self, place):
        return self.images[place] * torch.rand(1)

net = torch.nn.Linear(3, 3)
optimizer = torch.optim.SGD({groups}, lr=0.1)
for epoch in range(3):
    for x in DataLoader({data}, batch_size=2, shuffle=True):
        net(x).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("groups", "rate"),
    [
        ("net.parameters()", 0.001),
        ("list(net.parameters())", 0.001),
        ("[{'params': net.parameters()}, {'params': []}]", None),
        ("[{'params': net.parameters(), 'lr': 0.25}]", 0.25),
        ("open('groups').read().split()", None),
    ],
)
def test_the_librarys_rate_is_that_of_plain_parameters_only(read, groups, rate):
    program = WRAPPED.format(groups=groups, data="MeadowClips()").replace(", lr=0.1", "").replace("SGD", "AdamW")
    assert read({"train.py": program}, "python train.py").learning_rate == rate


CHAIN = """
import jax
import optax

schedule = optax.cosine_decay_schedule({rate}, 500)
tx = optax.chain(optax.clip_by_global_norm(1.0), optax.scale(1 / 16), optax.scale_by_adam(), {scale}(schedule))
params, state = {{}}, tx.init({{}})
for step in range(500):
    grads = jax.grad(lambda p: p)(params)
    updates, state = tx.update(grads, state)
    params = optax.apply_updates(params, updates)
"""


@pytest.mark.parametrize(("rate", "scale"), [("-0.03", "optax.scale_by_schedule"), ("0.03", "optax.scale_by_schedule")])
def test_a_chain_ends_in_a_schedule_whose_peak_is_the_rate(read, rate, scale):
    found = read({"fit.py": CHAIN.format(rate=rate, scale=scale)}, "python fit.py")
    assert (found.optimizer, found.learning_rate, found.total_steps) == ("Adam", 0.03, 500)


def test_the_commands_rate_stands_before_the_librarys_default(read):
    code = "import sys, torch\nfrom words import parse\nnet = torch.nn.LSTM(2, 2)\n" + FIT_STEPS
    code += "fit(net, torch.optim.Adam(net.parameters(), **parse(sys.argv)), 40, iter([]))\n"
    own = "def parse(argv):\n    return dict(betas=(0.9, 0.99))\n"
    job = read({"train.py": code, "words.py": own}, "python train.py --optimizer.lr=0.004")
    assert job.learning_rate == 0.004
    assert read({"train.py": code, "words.py": own}, "python train.py").learning_rate == 0.001


HELD = """
import torch

class Ramp:
    def __init__(self, inner, width):
        self.inner, self.width, self.count = inner, width, 0

    def step(self):
        self.count += 1
        for group in self.inner.param_groups:
            group["{key}"] = self.width ** -0.5 * self.count
        self.inner.step()

net = torch.nn.Linear(2, 1)
ramp = Ramp(torch.optim.Adam(net.parameters(), betas=(0.9, 0.98)), 256)
net(torch.ones(1, 2)).sum().backward()
{step}
"""


@pytest.mark.parametrize(
    ("key", "step", "rate"),
    [("lr", "ramp.step()", None), ("lr", "ramp.inner.step()", None), ("momentum", "ramp.inner.step()", 0.001)],
)
def test_a_default_is_none_where_an_object_around_the_optimizer_writes_rates(read, key, step, rate):
    assert read({"main.py": HELD.format(key=key, step=step)}, "python main.py").learning_rate == rate


PARTED = """
import torch

def make(part, lr):
    return elsewhere.rule(part, lr=lr)

net = torch.nn.LSTM(3, 3)
rules = [{made}]
for step in range(9):
    net(step)[0].sum().backward()
    for rule in rules:
        rule.step()
"""


@pytest.mark.parametrize(
    ("rates", "rate"), [(["0.01"], 0.01), (["0.01", "0.01"], 0.01), (["0.01", "0.03", "0.001", "0.0001"], None)]
)
def test_of_the_rates_of_many_parts_none_is_the_job_s(read, rates, rate):
    made = ", ".join(f"make(net, {one})" for one in rates)
    assert read({"go.py": PARTED.format(made=made)}, "python go.py").learning_rate == rate
