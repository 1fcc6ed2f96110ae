"""Names that say by the way how a network learns, and words that name something else where they stand."""

import pytest

LOOP = """
import torch
{imports}
class {cls}(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.line = {layer}
    def forward(self, x):
        return self.line(x)

{data}
net = {cls}()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for batch in rows:
    net(batch).sum().backward()
    optimizer.step()
"""
LINE = "torch.nn.Conv2d(3, 4, 3)"


def program(cls="Net", imports="", layer=LINE, data="rows = read()"):
    return LOOP.format(cls=cls, imports=imports, layer=layer, data=data)


@pytest.mark.parametrize(
    ("script", "cls", "fine"),
    [
        ("train_dino_riverseg.py", "DINO_RiverSeg", "semantic segmentation"),
        ("go.py", "DINO", "self-supervised pre-training"),
    ],
)
def test_a_way_to_learn_without_labels_put_to_another_use(read, script, cls, fine):
    assert read({script: program(cls)}, f"python {script}").task_fine == fine


def test_a_data_base_of_images_is_no_set_of_reviews(read):
    files = {"datasets/imdb.py": "class imdb:\n    def __init__(self, name):\n        self.name = name\n"}
    code = program(imports="import cv2\nfrom lakes.datasets import imdb", data="rows = imdb('lakes')")
    assert read({**files, "go.py": code}, "python go.py").dataset_name != "IMDB"
    code = program(imports="import nltk\nfrom lakes.datasets import imdb", data="rows = imdb('lakes')")
    assert read({**files, "go.py": code}, "python go.py").dataset_name == "IMDB"


@pytest.mark.parametrize(("data", "fine"), [("CocoCaptions", "image captioning"), ("VOCDetection", "object detection")])
def test_words_told_of_pictures_with_boxes_are_captions(read, data, fine):
    code = program(
        "WordDecoder",
        f"from torchvision.datasets import {data}",
        "torch.nn.LSTM(3, 4)",
        f"rows = {data}('x')",
    )
    job = read({"go.py": code}, "python go.py")
    assert job.task_fine == fine


@pytest.mark.parametrize(
    ("words", "name"),
    [("--dataset aligned --dataroot ./datasets/bridges", "bridges"), ("--dataset mnist", "MNIST")],
)
def test_how_data_are_read_does_not_name_them(read, words, name):
    code = (
        "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--dataroot')\n"
        "parser.add_argument('--dataset')\nargs = parser.parse_args()\n"
    )
    found = read({"go.py": code + program(data="rows = read(args.dataroot, args.dataset)")}, f"python go.py {words}")
    assert found.dataset_name == name


@pytest.mark.parametrize(("folder", "name"), [("Testing", None), ("Orchids", "Orchids")])
def test_a_folder_of_tests_does_not_name_what_is_trained_on(read, folder, name):
    code = program(
        imports="import os", data=f"data_dir = os.path.join('./data/', '{folder}')\nrows = os.listdir(data_dir)"
    )
    assert read({"go.py": code}, "python go.py").dataset_name == name


def test_a_file_of_weights_is_no_models_name(read):
    code = program(data="model_path = './models/first_best.h5'\nrows = read(model_path)")
    assert read({"go.py": code}, "python go.py").model_name != "first_best.h5"


@pytest.mark.parametrize(
    ("title", "fine"),
    [
        ("# river_image_captioning", "image captioning"),
        ("# 河流图像分类", "image classification"),
        ("# _my_ notes", None),
    ],
)
def test_titles_of_joined_words_or_other_languages_tell_the_task(read, title, fine):
    files = {"train.py": program(layer="torch.nn.Linear(3, 4)"), "README.md": f"{title}\n"}
    assert read(files, "python train.py").task_fine == fine
