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


def test_a_tokenizer_is_no_training_for_a_gpu(read):
    program = """
    import sentencepiece as spm
    import torch

    spm.SentencePieceTrainer.train(input="corpus.txt", model_prefix="tok", vocab_size=4096)
    """
    assert read({"vocabulary.py": program}, "python vocabulary.py").is_training is not True


FIT_ESTIMATOR = """
import pandas as pd
from sklearn.model_selection import train_test_split
from {module} import {estimator}
frame = pd.read_csv("rows.csv")
first, second = train_test_split(frame, test_size=0.2)
estimator = {estimator}()
estimator.fit(first.drop("y"), first["y"])
"""


def test_a_scaler_is_no_model(read):
    job = read(
        {"fit.py": FIT_ESTIMATOR.format(module="sklearn.preprocessing", estimator="StandardScaler")}, "python fit.py"
    )
    assert (job.model_name, job.task) == (None, None)


def test_a_library_scaler_that_is_handed_the_optimizer_trains(read):
    program = """
        import torch
        from timm.models import create_model
        from timm.optim import create_optimizer
        from timm.utils import NativeScaler

        model = create_model("vit_small_patch16_224")
        optimizer = create_optimizer(args=None, model=model)
        scale = NativeScaler()
        loader = torch.utils.data.DataLoader([], batch_size=16)
        for epoch in range(9):
            for images, labels in loader:
                with torch.cuda.amp.autocast():
                    loss = torch.nn.functional.cross_entropy(model(images), labels)
                optimizer.zero_grad()
                scale(loss, optimizer, parameters=model.parameters())
    """
    job = read({"train.py": program}, "python train.py")
    assert (job.is_training, job.epochs, job.batch_size, job.precision) == (True, 9, 16, "fp16")
    looks = program.replace("scale(loss, optimizer, parameters=model.parameters())", "print(loss)")
    assert read({"train.py": looks.replace("optimizer.zero_grad()", "")}, "python train.py").is_training is not True


THEANO = """
    import numpy
    import theano
    import theano.tensor as T

    rows = T.matrix()
    weights = theano.shared(numpy.zeros((4, 2)))
    cost = T.dot(rows, weights).sum()
    {gradient}
    step = theano.function([rows], cost, updates=[(weights, weights - 0.1 * change)])
    for epoch in range(7):
        for batch in numpy.zeros((3, 5, 4)):
            step(batch)
"""


def test_a_function_of_theano_that_writes_by_gradients_trains(read):
    job = read({"go.py": THEANO.format(gradient="change = T.grad(cost, weights)")}, "python go.py")
    assert (job.is_training, job.framework, job.epochs) == (True, "Theano", 7)
    assert read({"go.py": THEANO.format(gradient="change = 1")}, "python go.py").is_training is not True


def test_an_optimizer_of_chainer_updates(read):
    code = """
        import chainer

        net = chainer.links.Linear(4, 2)
        optimizer = chainer.optimizers.Adam(alpha=0.01)
        optimizer.setup(net)
        for epoch in range(3):
            net(epoch).backward()
            {update}
    """
    job = read({"go.py": code.format(update="optimizer.update()")}, "python go.py")
    assert (job.is_training, job.framework, job.optimizer, job.epochs) == (True, "Chainer", "Adam", 3)
    agents = """
        import chainerrl

        env = chainerrl.wrappers.CastObservationToFloat32("x")
        chainerrl.experiments.train_agent_with_evaluation(agent=None, env=env, steps=8000, outdir="out")
    """
    assert read({"go.py": agents}, "python go.py").is_training is True


DRIVEN = """
import torch
from torch.utils.data import DataLoader
from birdlib import Look, Passage
net = torch.nn.Linear(3, 3)
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
rows = DataLoader(torch.load("rows.pt"), batch_size=6, shuffle=True)
way, look = Passage(net, optimizer=sgd), Look(net)
"""


@pytest.mark.parametrize(
    ("told", "epochs"),
    [
        ("for turn in range(12):\n    way.run(rows)\n    look.run(rows)\n", 12),
        ("for turn in range(12):\n    way.train(rows)\n", 12),
        ("for part in range(12):\n    way.train(part)\n", None),  # a part of the job may last for many epochs
        ("way.run(rows)\n", None),
    ],
)
def test_an_unknown_librarys_object_that_has_the_optimizer_trains(read, told, epochs):
    job = read({"go.py": DRIVEN + told}, "python go.py")
    assert (job.is_training, job.batch_size, job.learning_rate, job.optimizer) == (True, 6, 0.1, "SGD")
    assert (job.epochs, job.total_steps, job.precision) == (epochs, None, None)


@pytest.mark.parametrize(
    "told",
    [
        "look.run(rows)\n",  # it has no optimizer
        "way.train()\n",  # a mode
        "way.train(False)\nlook.run(rows)\n",
        "way.run(rows, test_only=True)\n",
        "way.load('state.pt')\nnet.eval()\nnet(rows)\n",
        "net, sgd = prepare(net, sgd)\nnet.train(rows)\n",
    ],
)
def test_what_only_has_a_mode_or_no_optimizer_does_not(read, told):
    assert read({"go.py": DRIVEN + told}, "python go.py").is_training is not True


@pytest.mark.parametrize(
    ("kind", "loader", "trains"),
    [
        ("HeronTester", "train_rows", False),
        ("StepFinder", "train_rows", False),
        ("WeightExporter", "rows", False),
        ("RangeCalibrator", "rows", False),
        ("Passage", "rows", None),
        ("Passage", "train_rows", True),
        ("TrainingPass", "rows", True),
    ],
)
def test_what_is_run_with_an_optimizer_trains_only_by_its_name_or_with_data_for_training(read, kind, loader, trains):
    code = DRIVEN.replace(", shuffle=True", "").replace("Passage", kind).replace("rows = Data", f"{loader} = Data")
    net = "state = torch.load('last.pt')\nnet.load_state_dict(state)\n"
    assert read({"go.py": code + net + f"way.run({loader})\n"}, "python go.py").is_training is trains


AVERAGED = """
import torch
from meadowfed.api import {api}
from meadowfed.clients import {handed}

net = torch.nn.Linear(2, 1)
part = {handed}(net)
{api}(rows(), part).{told}()
"""


@pytest.mark.parametrize(
    ("api", "handed", "told", "trains"),
    [
        ("AverageAPI", "ClientTrainer", "train", True),
        ("AverageAPI", "Encoder", "train", None),
        ("AverageAPI", "ClientTrainer", "describe", None),
    ],
)
def test_what_was_handed_a_trainer_trains(read, api, handed, told, trains):
    job = read({"main.py": AVERAGED.format(api=api, handed=handed, told=told)}, "python main.py --lr 0.1")
    assert (job.is_training is True) == (trains is True)
