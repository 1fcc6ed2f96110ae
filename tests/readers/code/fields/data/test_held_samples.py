"""Classes of data that take each sample by its place from what they hold, which was not drawn at random."""

import pytest

from tests.readers.code.networks import with_training

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
    ("data", "name"),
    [
        ("Repeats(MeadowClips())", None),
        ("Repeats([1, 2])", None),
        ("Noise()", "synthetic data (Noise)"),
        ("Repeats(Noise())", "synthetic data (Noise)"),
        ("Turned([1, 2])", None),
    ],
)
def test_data_in_a_wrapper_are_named_and_a_wrapper_is_not_made_of_random_numbers(read, data, name):
    program = WRAPPED.format(groups="net.parameters()", data=data)
    assert read({"train.py": program}, "python train.py").dataset_name == name


def test_random_samples_are_synthetic_data(read):
    text = """
    class MyTrainData:
        def __init__(self, size):
            self.data = [torch.rand(20) for _ in range(size)]

    train(nn.Linear(20, 1), MyTrainData(64))
    """
    found = read({"train.py": with_training(text.replace("\n    ", "\n"))}, "python train.py")
    assert (found.dataset_name, found.task) == ("synthetic data (MyTrainData)", "other")


MADE_UP = """
import torch
from torch.utils.data import Dataset
class Tosses(Dataset):
    def __init__(self, n):
        self.n = n
    def __getitem__(self, place):
        return torch.randn(3)
class Kept(Dataset):
    def __init__(self, path):
        self.path = path
    def __getitem__(self, place):
        return torch.load(self.path)
net = torch.nn.Linear(3, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
first, second = Tosses(8), MADE
for epoch in range(3):
    for x in first.batches(4):
        net(x).sum().backward()
        optimizer.step()
"""


def test_samples_that_are_drawn_go_before_the_folder_of_the_program(read):
    files = {"mnist/train.py": MADE_UP.replace("MADE", "Tosses(2)")}
    assert read(files, "python mnist/train.py").dataset_name == "synthetic data (Tosses)"
    files = {"mnist/train.py": MADE_UP.replace("MADE", "Kept('a')")}
    assert read(files, "python mnist/train.py").dataset_name == "MNIST"
