"""What model and data say of the task, and how task and finer task are kept together."""

import pytest

from tests.readers.code.networks import UNET


def test_a_data_set_is_known_by_its_own_name_where_that_is_a_usual_word_elsewhere(read):
    code = UNET.replace("UNet", "Body").replace(
        "net = Body()", "import argparse\nnet = Body()\nparser = argparse.ArgumentParser()"
    )
    code += "parser.add_argument('--data_dir')\nprint(parser.parse_args().data_dir)\n"
    assert read({"go.py": code}, "python go.py --data_dir data/trec6").task_fine == "text classification"


PICTURES = """
import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder

parser = argparse.ArgumentParser()
parser.add_argument("--data_dir")
net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU())
loader = DataLoader(ImageFolder(parser.parse_args().data_dir), batch_size=4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for pictures, classes in loader:
        nn.functional.cross_entropy(net(pictures), classes).backward()
        optimizer.step()
"""


@pytest.mark.parametrize("folder", ["Weather", "Traffic", "Flickr", "Spider"])
def test_a_folder_of_a_usual_word_is_no_known_data_set(read, folder):
    job = read({"go.py": PICTURES}, f"python go.py --data_dir rows/{folder}")
    assert (job.dataset_name, job.task_fine) == (folder, "image classification")


DENSE = """
from tensorflow.keras import Sequential, layers

def {maker}():
    net = Sequential([layers.Dense(64, input_shape=(10,)), layers.Dense(1)])
    net.compile("adam", "mse")
    return net

{maker}().fit([1], [2], epochs=5)
"""


@pytest.mark.parametrize("maker", ["bert", "vae", "compare_with_bert", "gpt_vs_all"])
def test_dense_layers_learn_nothing_by_the_name_of_their_function(read, maker):
    found = read({"main.py": DENSE.format(maker=maker)}, "python main.py")
    assert (found.task, found.task_fine) == (None, None)


SOUND = """
import torch
import torchaudio
from torch import nn
import mine.features

front = mine.features.LAYER(n_mels=40)
net = nn.Sequential(nn.Conv1d(40, 8, 3), nn.Flatten(), nn.Linear(8 * 98, 5))
adam = torch.optim.Adam(net.parameters(), lr=1e-3)
for rows, labels in torch.utils.data.DataLoader(torch.load("rows.pt"), batch_size=8):
    nn.functional.cross_entropy(net(front(rows)), labels).backward()
    adam.step()
"""


@pytest.mark.parametrize(("layer", "task"), [("MelSpectrogram", "audio"), ("MFCC", "audio"), ("Scaled", None)])
def test_a_layer_that_works_features_out_of_sound_hears(read, layer, task):
    code = SOUND.replace("import torchaudio\n", "").replace("LAYER", layer)
    assert read({"go.py": code}, "python go.py").task == task
