"""A path of which only the end is known still names the data; so do acronyms and files that are opened and loaded."""

import pytest

CODE = """
import argparse, glob, json, os, pickle
from pathlib import Path
import torch
from torch.utils.data import DataLoader, Dataset
from torchvision.datasets import ImageFolder

class Leaves(Dataset):
    def __init__(self, root):
        self.files = sorted(glob.glob(os.path.join(root, "*.jpg")))
    def __len__(self):
        return len(self.files)
    def __getitem__(self, place):
        return self.files[place]

parser = argparse.ArgumentParser()
parser.add_argument("--root", required=True)
args = parser.parse_args()
{data}
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(3):
    for batch in DataLoader(data, batch_size=10):
        optimizer.zero_grad()
        net(batch).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("data = Leaves(os.environ['SETS'] + '/oakgalls/train')", "oakgalls"),
        ("data = Leaves(os.path.join(os.environ['SETS'], 'oakgalls', 'train'))", "oakgalls"),
        ("data = Leaves(os.path.join(args.root, 'oakgalls', 'train'))", "oakgalls"),
        ("data = Leaves(Path.home() / 'sets' / 'oakgalls' / 'train')", "oakgalls"),
        ("data = Leaves(Path(__file__).resolve().parent / 'data' / 'oakgalls')", "oakgalls"),
        ("data = Leaves('/nfs/ann/OAK_GAL_data/images')", "OAK_GAL_data"),
        ("data = ImageFolder('/nfs/ann/OAK_GAL_data/images')", "OAK_GAL_data"),
        ("data = pickle.load(open('data/oakgalls.pkl', 'rb'))", "oakgalls"),
        ("data = json.load(open('data/oakgalls_train.json'))", "oakgalls_train"),
    ],
)
def test_the_end_of_a_path_names_the_data(read, data, name):
    assert read({"fit.py": CODE.format(data=data)}, "python fit.py").dataset_name == name


@pytest.mark.parametrize("data", ["data = Leaves('/nfs/ann/RGB/images')", "data = Leaves(args.root + '/trainData')"])
def test_plain_ends_name_nothing_but_the_class(read, data):
    assert read({"fit.py": CODE.format(data=data)}, "python fit.py").dataset_name == "Leaves"
