"""Data that a library fetches or makes up are named after what it is told, else after its function."""

import pytest

CODE = """
import torch
{head}
net = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(20):
    optimizer.zero_grad()
    net(rows).mean().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("import yfinance as yf\nrows = yf.download('KO', start='2011-01-01')", "KO stock prices (Yahoo Finance)"),
        ("import yfinance as yf\nrows = yf.Ticker('KO').history()", "KO stock prices (Yahoo Finance)"),
        (
            "import pandas_datareader.data as web\nrows = web.DataReader(['KO', 'PEP'], 'yahoo')",
            "KO, PEP stock prices (Yahoo Finance)",
        ),
        ("import kagglehub\nrows = kagglehub.dataset_download('somebody/leaf-spots')", "leaf-spots"),
        ("from sklearn.datasets import make_moons\nrows, _ = make_moons(300)", "synthetic data (make_moons)"),
        ("from sklearn.datasets import fetch_openml\nrows = fetch_openml('mnist_784')", "MNIST"),
        ("import tensorflow as tf\nrows = tf.keras.utils.get_file('leaf_spots.zip', 'https://x.y/z')", "leaf_spots"),
        ("from fastai.vision.all import *\nrows = untar_data(URLs.PETS)", "PETS"),
        ("from darts.datasets import HeartRateDataset\nrows = HeartRateDataset().load()", "HeartRate"),
        ("import yfinance as yf\nrows = yf.download(asked)", None),
        (
            "from dgl.data.utils import download, split_dataset\ndownload('https://x.y/z')\nrows = split_dataset(a)",
            None,
        ),
        ("import tensorflow as tf\nrows = read(tf.keras.utils.get_file('trunk_weights.h5', 'https://x.y/z'))", None),
    ],
)
def test_what_is_fetched_is_named(read, head, name):
    assert read({"fit.py": CODE.format(head=head)}, "python fit.py").dataset_name == name


@pytest.mark.parametrize(
    ("weights", "fine"), [("yolov8n-seg.pt", "instance segmentation"), ("yolo11s.pt", "object detection")]
)
def test_a_detector_learns_from_the_file_that_lists_its_pictures(read, weights, fine):
    code = f"from ultralytics import YOLO\nnet = YOLO('{weights}')\nnet.train(data='/srv/leaf_spots/data.yaml')\n"
    job = read({"fit.py": code}, "python fit.py")
    assert (job.dataset_name, job.task_fine, job.global_batch_size) == ("leaf_spots", fine, 16)
