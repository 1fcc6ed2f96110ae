"""fastai as its course teaches it: everything imported with a star, one call for the learner, one for the training."""

import pytest

PETS = """
from fastai.vision.all import *
path = untar_data(URLs.PETS) / "images"
dls = ImageDataLoaders.from_name_func(path, get_image_files(path), label_func=is_cat{size})
learn = vision_learner(dls, resnet34, metrics=error_rate{more})
learn.{train}
"""


@pytest.mark.parametrize(
    ("train", "epochs", "rate"),
    [("fine_tune(4, 3e-3)", 4, 3e-3), ("fine_tune(2)", 2, 2e-3), ("fit_one_cycle(3, slice(1e-5, 1e-2))", 3, 1e-2)],
)
def test_a_learner_says_model_task_and_rate(read, train, epochs, rate):
    job = read({"train.py": PETS.format(size="", more="", train=train)}, "python train.py")
    assert (job.is_training, job.epochs, job.learning_rate) == (True, epochs, rate)
    assert (job.model_name, job.model_type, job.task) == ("resnet34", "cnn", "CV")
    assert (job.task_fine, job.dataset_name, job.optimizer) == ("image classification", "PETS", "Adam")


@pytest.mark.parametrize(("size", "batch"), [(", bs=32", 32), ("", 64)])
def test_the_data_are_cut_into_batches(read, size, batch):
    job = read({"train.py": PETS.format(size=size, more="", train="fine_tune(1)")}, "python train.py")
    assert job.batch_size == batch


def test_another_optimizer_is_told(read):
    more = ", opt_func=ranger"
    job = read({"train.py": PETS.format(size="", more=more, train="fine_tune(1)")}, "python train.py")
    assert job.optimizer == "ranger"


OLD = """
from helpers import *
data = TextLMDataBunch.from_csv("reviews_of_cars", "texts.csv", bs=48)
learn = language_model_learner(data, AWD_LSTM, drop_mult=0.3)
learn.fit_one_cycle(3)
frame = pd.read_csv("x")
"""


def test_names_come_through_a_module_of_the_repository_too(read):
    files = {"train.py": OLD, "helpers.py": "from fastai.text import *\nHELD = sorted([1])\n"}
    job = read(files, "python train.py")
    assert (job.model_name, job.model_type, job.task_fine) == ("AWD_LSTM", "rnn", "language modeling")
    assert (job.batch_size, job.learning_rate, job.framework) == (48, 3e-3, "fastai, PyTorch")


STAR = """
from torch import *
from torch.nn import *
net = Linear(3, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.4)
for epoch in range(5):
    net(1).sum().backward()
    optimizer.step()
"""


def test_a_name_of_a_starred_library_is_that_librarys(read):
    job = read({"train.py": STAR}, "python train.py")
    assert (job.is_training, job.learning_rate, job.optimizer, job.epochs) == (True, 0.4, "SGD", 5)


@pytest.mark.parametrize(
    ("more", "train", "rate"),
    [(", lr=3e-4", "fit_one_cycle(5)", 3e-4), ("", "fit_one_cycle(5)", 1e-3), (", lr=3e-4", "fine_tune(5)", 2e-3)],
)
def test_a_learner_s_own_rate_goes_before_the_default(read, more, train, rate):
    job = read({"train.py": PETS.format(size="", more=more, train=train)}, "python train.py")
    assert job.learning_rate == rate


def test_no_default_is_told_of_a_version_that_nothing_shows(read):
    text = "from fastai.learner import Learner\nlearn = Learner(data, net)\nlearn.fit_one_cycle(7)\n"
    assert read({"train.py": text}, "python train.py").learning_rate is None


TAUGHT = """
import torch
from fastai.vision import *

class Small(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 8, 3)

data = ImageDataBunch.from_folder("pictures", bs=64)
{name} = cnn_learner(data, models.resnet34)
net = Small()
adam = torch.optim.Adam(net.parameters())
for epoch in range(3):
    for x, y in data.train_dl:
        (net(x) - {name}.model(x)).mean().backward()
        adam.step()
"""


@pytest.mark.parametrize(("name", "model"), [("teacher", "Small"), ("learn", "resnet34")])
def test_a_teacher_is_not_what_learns(read, name, model):
    assert read({"fit.py": TAUGHT.format(name=name)}, "python fit.py").model_name == model
