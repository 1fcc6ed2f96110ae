"""Training that no library's call shows at first sight: in a forward pass, in a method's name, in what is told."""

import pytest

META = """
import torch

class Meta(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(4, 2)
        self.adam = torch.optim.Adam(self.net.parameters(), lr=0.02)

    def forward(self, x):
        loss = self.net(x).sum()
        {work}
        return loss

meta = Meta()
for epoch in range(9):
    for x in torch.utils.data.DataLoader(torch.randn(int(input()), 4), batch_size=6):
        meta(x)
"""


def test_a_forward_pass_that_takes_steps_trains(read):
    found = read({"go.py": META.format(work="loss.backward()\n        self.adam.step()")}, "python go.py")
    assert (found.is_training, found.epochs, found.batch_size, found.learning_rate) == (True, 9, 6, 0.02)
    assert read({"go.py": META.format(work="pass")}, "python go.py").is_training is not True


LOST = """
import torch
from elsewhere import make
model = make()
for x in torch.randn(100, 4):
    model.{call}
"""


@pytest.mark.parametrize(
    ("call", "trains"), [("optimize_parameters()", True), ("get_parameters()", None), ("train()", None)]
)
def test_a_method_that_optimizes_parameters_trains(read, call, trains):
    assert read({"go.py": LOST.format(call=call)}, "python go.py").is_training is trains


LIBRARY = "import torch\nimport fewshotlib\n{made}\nworker.{call}\n"


@pytest.mark.parametrize(
    ("made", "call", "trains"),
    [
        ("worker = fewshotlib.SAC(1)", "train(steps=4000)", True),
        ("worker = fewshotlib.SAC(1)", "train(epochs=3)", True),
        ("worker = fewshotlib.EditTrainer(1)", "run()", True),
        ("worker = fewshotlib.SAC(1)", "train()", None),
        ("worker = fewshotlib.SAC(1)", "train(mode=True)", None),
        ("worker = fewshotlib.Evaluator(1)", "run()", None),
    ],
)
def test_work_of_libraries_is_told_as_training(read, made, call, trains):
    assert read({"go.py": LIBRARY.format(made=made, call=call)}, "python go.py").is_training is trains


PIPELINE = """
import torch
from skorch import NeuralNetClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from rows import inputs, targets
net = NeuralNetClassifier(torch.nn.Linear, lr=0.05, max_epochs=12)
{made}
whole.fit(inputs, targets)
"""


@pytest.mark.parametrize(
    ("made", "trains"),
    [
        ('whole = Pipeline([("scale", StandardScaler()), ("net", net)])', True),
        ('whole = GridSearchCV(net, {"lr": [0.1]})', True),
        ('whole = Pipeline([("scale", StandardScaler()), ("model", LogisticRegression())])', None),
    ],
)
def test_a_network_in_a_pipeline_is_trained(read, made, trains):
    found = read({"go.py": PIPELINE.format(made=made), "rows.py": "inputs = targets = load()"}, "python go.py")
    assert (found.is_training or None) is trains


PROFILED = """
import cProfile
import torch

def main():
    model = torch.nn.Linear(4, 2)
    adam = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(9):
        model(torch.randn(8, 4)).sum().backward()
        adam.step()

{call}
"""


@pytest.mark.parametrize("call", ['cProfile.run("main()")', 'cProfile.run("main()", "out.prof")'])
def test_a_profiled_program_is_followed(read, call):
    found = read({"go.py": PROFILED.format(call=call)}, "python go.py")
    assert (found.is_training, found.learning_rate) == (True, 0.02)
    assert read({"go.py": PROFILED.format(call='print("main()")')}, "python go.py").is_training is not True
