"""Jobs that fit no network: scikit-learn, XGBoost, LightGBM and CatBoost, whose estimators name what is learned."""

import pytest

FIT_ESTIMATOR = """
import pandas as pd
from sklearn.model_selection import train_test_split
from {module} import {estimator}
frame = pd.read_csv("rows.csv")
first, second = train_test_split(frame, test_size=0.2)
estimator = {estimator}()
estimator.fit(first.drop("y"), first["y"])
"""


@pytest.mark.parametrize(
    ("module", "estimator", "framework", "task"),
    [
        ("sklearn.ensemble", "RandomForestRegressor", "scikit-learn", "regression"),
        ("xgboost", "XGBClassifier", "XGBoost", "classification"),
        ("sklearn.cluster", "KMeans", "scikit-learn", "clustering"),
    ],
)
def test_an_estimator_names_model_library_and_task(read, module, estimator, framework, task):
    job = read({"fit.py": FIT_ESTIMATOR.format(module=module, estimator=estimator)}, "python fit.py")
    assert (job.is_training, job.model_name, job.framework) == (False, estimator, framework)
    assert (job.task, job.task_fine, job.distributed, job.num_gpus) == ("tabular", task, "none", 0)


MORE = """
from sklearn.linear_model import LogisticRegression
{first}
import subprocess
rows, told = load()
LogisticRegression().fit(rows, told)
{last}
"""


@pytest.mark.parametrize(
    ("first", "last", "command", "known"),
    [
        ("", "", "python fit.py", (False, 0)),
        ("import math", "print(math.pi)", "python fit.py", (False, 0)),
        ("import torch", "", "python fit.py", (None, None)),
        ("class Mine(LogisticRegression): pass", "Mine().fit(rows, told)", "python fit.py", (False, None)),
        ("import cuml.accel\ncuml.accel.install()", "", "python fit.py", (None, None)),
        ("from sklearnex import patch_sklearn\npatch_sklearn()", "", "python fit.py", (None, None)),
        ("", "", "python -m cuml.accel fit.py", (None, None)),
        ("", "subprocess.run(['./bin/learn', '--epochs', '9'])", "python fit.py", (None, None)),
        ("import os", "os.system('./learn.sh --epochs 9')", "python fit.py", (None, None)),
    ],
)
def test_what_else_a_job_uses_or_starts_may_train_or_take_a_gpu(read, first, last, command, known):
    job = read({"fit.py": MORE.format(first=first, last=last)}, command)
    assert (job.is_training, job.num_gpus) == known


SEARCH = """
import pandas as pd
from hyperopt import fmin, hp, tpe
from unheard_tracker import Experiment
from xgboost.sklearn import XGBRegressor
rows = pd.read_csv("rows.csv")
found = fmin(lambda told: -score(told), {{"depth": hp.choice("depth", [3, 5])}}, algo=tpe.suggest)
Experiment("x").log(found)
best = XGBRegressor({told})
best.fit(rows.drop("y"), rows["y"])
"""


@pytest.mark.parametrize(
    ("told", "gpus"),
    [
        ("max_depth=4", 0),
        ("tree_method='hist'", 0),
        ("tree_method='gpu_hist'", None),
        ("device=pick()", None),
        ("**found", None),
    ],
)
def test_an_estimator_computes_on_the_cpu_unless_it_is_told_otherwise(read, told, gpus):
    job = read({"search.py": SEARCH.format(told=told)}, "bsub -n 16 'python search.py'")
    assert (job.is_training, job.model_name, job.num_gpus) == (False, "XGBRegressor", gpus)


SHALLOW = """
import torch
import xgboost as xgb

class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 2)

    def forward(self, rows):
        return self.layer(rows)

encoder = Encoder()
with torch.no_grad():
    features = encoder(torch.ones(3, 4))
xgb.XGBClassifier().fit(features, [0, 1, 1])
"""


def test_a_network_that_only_works_features_out_has_not_the_models_size(read):
    job = read({"go.py": SHALLOW}, "python go.py")
    assert (job.model_name, job.param_size) == ("XGBClassifier", None)
