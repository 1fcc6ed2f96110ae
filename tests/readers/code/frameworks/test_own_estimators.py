"""Estimators of the repository's own that scikit-learn's pipelines and searches fit."""

import pytest

NET = """
import torch
from sklearn.base import BaseEstimator
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler

class Net(BaseEstimator):
    def __init__(self, learning_rate=0.5, epochs=7):
        self.learning_rate, self.epochs = learning_rate, epochs

    def fit(self, x, y):
        net = torch.nn.Linear(2, 2)
        optimizer = torch.optim.Adam(net.parameters(), lr=self.learning_rate)
        for epoch in range(self.epochs):
            net(x).sum().backward()
            optimizer.step()

x, y = torch.ones(8, 2), torch.ones(8)
"""


@pytest.mark.parametrize(
    "use",
    [
        "Pipeline([('scale', MinMaxScaler()), ('net', Net())]).fit(x, y)",
        "make_pipeline(MinMaxScaler(), Net()).fit(x, y)",
        "GridSearchCV(Pipeline([('net', Net())]), {'net__tag': ['a', 'b']}).fit(x, y)",
        "cross_val_score(Net(), x, y, cv=3)",
    ],
)
def test_an_estimator_inside_is_followed(read, use):
    job = read({"go.py": NET + use}, "python go.py")
    assert (job.is_training, job.learning_rate, job.epochs, job.optimizer) == (True, 0.5, 7, "Adam")


def test_what_a_search_chooses_is_not_known(read):
    use = "search = GridSearchCV(Net(), param_grid={'learning_rate': [0.1, 0.2]})\nsearch.fit(x, y)"
    job = read({"go.py": NET + use}, "python go.py")
    assert (job.is_training, job.learning_rate, job.epochs) == (True, None, 7)


@pytest.mark.parametrize("use", ["Pipeline([('net', Net())]).get_params()", "GridSearchCV(Net(), {'a': [1]})"])
def test_what_is_not_fitted_does_not_train(read, use):
    assert read({"go.py": NET + use}, "python go.py").is_training is not True
