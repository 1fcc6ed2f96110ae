"""Networks inside of scikit-learn's pipelines: found in wide ones, and looked for once in each part."""

import time

import pytest

HEAD = """
import numpy
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
scale = StandardScaler()
"""
NETWORK = "import skorch, torch\nnet = skorch.NeuralNetClassifier(torch.nn.Linear(3, 2), max_epochs=4, lr=0.02)\n"
FIT = "made.fit(numpy.zeros((3, 3)), numpy.zeros(3))\n"


@pytest.mark.parametrize("width", [8, 24, 60])
def test_pipelines_of_pipelines_end(read, width):
    levels = "".join(f"part{n + 1} = make_pipeline({', '.join([f'part{n}'] * width)})\n" for n in range(12))
    started = time.monotonic()
    found = read({"fit.py": f"{HEAD}part0 = scale\n{levels}made = part12\n{FIT}"}, "python fit.py")
    assert time.monotonic() - started < 20
    assert found.epochs is None


@pytest.mark.parametrize(
    "made",
    [
        "make_pipeline(scale, net)",
        "make_pipeline(*[scale] * 8, net)",
        "Pipeline(steps=[*[('a', scale)] * 7, ('n', net)])",
        "Pipeline(steps=[('a', scale), ('b', scale), ('c', 0), ('d', 0), ('e', 0), ('f', 0), ('n', net)])",
        "make_pipeline(scale, make_pipeline(scale, make_pipeline(scale, net)))",
    ],
)
def test_a_network_in_a_pipeline_trains(read, made):
    found = read({"fit.py": f"{HEAD}{NETWORK}made = {made}\n{FIT}"}, "python fit.py")
    assert found.is_training is True


@pytest.mark.parametrize("made", ["make_pipeline(scale, scale)", "Pipeline(steps=[('a', scale), ('b', [scale])])"])
def test_without_a_network_none_is_found(read, made):
    found = read({"fit.py": f"{HEAD}{NETWORK}made = {made}\n{FIT}"}, "python fit.py")
    assert found.is_training is not True
