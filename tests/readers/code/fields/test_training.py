"""Programs that draw samples of a distribution or simulate a world: no network is trained, and none is named."""

import pytest

ASKED = """
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="decay")
args = parser.parse_args()
"""
CHAINS = """
import emcee

walkers = emcee.EnsembleSampler(32, 2, likelihood)
walkers.run_mcmc(start(), 5000)
"""
HAMILTON = """
import jax
from numpyro.infer import MCMC, NUTS

chains = MCMC(NUTS(rivers), num_warmup=100, num_samples=200)
chains.run(jax.random.PRNGKey(0), 3)
"""
FITTED = """
import torch
import emcee

net = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(100):
    net(torch.randn(4, 2)).sum().backward()
    optimizer.step()
emcee.EnsembleSampler(32, 2, net).run_mcmc(start(), 5000)
"""


@pytest.mark.parametrize("code", [CHAINS, HAMILTON])
def test_what_samples_a_distribution_trains_no_network(read, code):
    job = read({"go.py": ASKED + code}, "python go.py")
    assert (job.is_training, job.model_name, job.model_type) == (False, None, None)


def test_a_network_that_is_trained_before_it_is_sampled_is_trained(read):
    assert read({"go.py": FITTED}, "python go.py").is_training is True


UNSEEN = """
import importlib
import sys
import torch
import yaml

plan = yaml.safe_load(open(sys.argv[1]))
module, name = made_up(plan["who"])
worker = getattr(importlib.import_module(module), name)(plan)
worker.{told}()
"""
PLAN = "who: Baker\noptimizer:\n  _target_: torch.optim.AdamW\n  lr: 0.003\n"


@pytest.mark.parametrize(
    ("told", "trains"), [("run_training_loop", True), ("run_evaluation_loop", None), ("bake", None)]
)
def test_settings_of_an_optimizer_count_where_what_is_not_known_is_told_to_train(read, told, trains):
    job = read({"go.py": UNSEEN.format(told=told), "plan.yaml": PLAN}, "python go.py plan.yaml")
    assert (job.is_training, job.optimizer) == (trains, "AdamW" if trains else None)
