"""Searches call a function once for each trial: what all trials share is known."""

import pytest

HEAD = """
import torch
def fit(rate, rows, rounds):
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    for epoch in range(rounds):
        for x in torch.utils.data.DataLoader([1], batch_size=rows):
            model(x).sum().backward()
            optimizer.step()
"""
OPTUNA = """
import optuna
class Goal:
    def __init__(self, rows):
        self.rows = rows
    def __call__(self, trial):
        fit(trial.suggest_float("rate", 1e-4, 1e-1), self.rows, trial.suggest_categorical("rounds", [6]))
def goal(trial, rows=8):
    fit(trial.suggest_float("rate", 1e-4, 1e-1), rows, 6)
"""
TUNE = """
from ray import tune
def run(config, rows=1):
    fit(config["rate"], rows, config["rounds"])
"""
SWEEP = """
import wandb
plan = {"parameters": {"rate": {"min": 0.1, "max": 0.2}, "rows": {"value": 8}, "rounds": {"values": [6]}}}
def run():
    wandb.init(config={"rows": 1, "rate": 0.5})
    fit(wandb.config.rate, wandb.config.rows, wandb.config["rounds"])
"""
WAYS = {
    "optuna": OPTUNA + "optuna.create_study().optimize(goal, n_trials=3)\n",
    "optuna object": OPTUNA + "study = optuna.create_study()\nstudy.optimize(Goal(8), n_trials=3)\n",
    "hyperopt": "from hyperopt import fmin, hp\nspace = {'rate': hp.uniform('rate', 0, 1), 'rows': 8}\n"
    "fmin(lambda told: fit(told['rate'], told['rows'], 6), space, max_evals=3)\n",
    "tune": TUNE + "space = {'rate': tune.uniform(0, 1), 'rounds': 6}\n"
    "tune.Tuner(tune.with_resources(tune.with_parameters(run, rows=8), {'gpu': 1}), param_space=space).fit()\n",
    "older tune": TUNE + "import functools\n"
    "tune.run(functools.partial(run, rows=8), config={'rate': tune.uniform(0, 1), 'rounds': tune.choice([6])})\n",
    "oldest tune": TUNE + "told = {'rate': tune.uniform(0, 1), 'rounds': 6}\n"
    "class Trial(tune.Trainable):\n    def _setup(self, config):\n        self.config = config\n"
    "    def _train(self):\n        run(self.config, rows=8)\n"
    "tune.run_experiments({input(): {'run': Trial, 'config': told}})\n",
    "rllab": "from rllab.misc.instrument import VariantGenerator, run_experiment_lite\n"
    "space = VariantGenerator()\nspace.add('rate', [0.1, 0.2])\nspace.add('rounds', [6])\n"
    "for one in space.variants():\n"
    "    run_experiment_lite(lambda told: fit(told['rate'], 8, told['rounds']), variant=one, mode='local')\n",
    "wandb": SWEEP + "wandb.agent(wandb.sweep(plan, project='p'), function=run, count=3)\n",
    "grid": "from sklearn.model_selection import ParameterGrid\n"
    "for one in ParameterGrid({'rows': [8], 'rounds': [6]}):\n    fit(float(input()), **one)\n",
}


@pytest.mark.parametrize("way", WAYS)
def test_what_all_trials_share_is_known(read, way):
    job = read({"search.py": HEAD + WAYS[way]}, "python search.py")
    assert (job.is_training, job.batch_size, job.epochs, job.learning_rate) == (True, 8, 6, None)


def test_a_class_of_ray_tune_is_set_up_and_steps(read):
    code = """
from ray import tune
import torch
class Job(tune.Trainable):
    def setup(self, config):
        self.net = torch.nn.Linear(2, 2)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=config["rate"])
    def step(self):
        for x in torch.utils.data.DataLoader([1], batch_size=8):
            self.net(x).sum().backward()
            self.optimizer.step()
tune.run(Job, config={"rate": 0.25})
"""
    job = read({"search.py": code}, "python search.py")
    assert (job.is_training, job.batch_size, job.learning_rate) == (True, 8, 0.25)


def test_a_keras_tuner_fits_what_it_builds(read):
    code = """
import keras_tuner
from tensorflow import keras
def build(hp):
    model = keras.Sequential([keras.layers.Dense(hp.Int("units", 4, 8))])
    model.compile(optimizer=keras.optimizers.Adam(hp.Choice("rate", [0.1, 0.2])), loss="mse")
    return model
keras_tuner.Hyperband(build, objective="loss").search(rows, targets, epochs=6, batch_size=8)
"""
    job = read({"search.py": code}, "python search.py")
    assert (job.is_training, job.batch_size, job.epochs, job.learning_rate) == (True, 8, 6, None)


DRAWN = """
import argparse
from ray import tune

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=32)
parser.add_argument("--learning_rate", type=float, default=0.01)
args = parser.parse_args()
print(args.batch_size, args.learning_rate)
space = dict(vars(args))
space.update({"batch_size": tune.choice([8, 16]), "learning_rate": tune.loguniform(1e-4, 1e-1)})

def run(config):
    fit(config["learning_rate"], config["batch_size"], 6)

tune.Tuner(run, param_space=space).fit()
"""


def test_an_option_is_none_where_a_search_draws_it(read):
    job = read({"main.py": HEAD + DRAWN}, "python main.py")
    assert (job.batch_size, job.global_batch_size, job.learning_rate, job.epochs) == (None, None, None, 6)
