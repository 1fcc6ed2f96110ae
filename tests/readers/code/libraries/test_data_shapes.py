"""How wide the samples of sets are that libraries load by name tells how large the networks are that take them."""

import pytest

TABLE = """
import torch
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.decomposition import PCA
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

{data}
net = torch.nn.Sequential(torch.nn.Linear({width}, 10), torch.nn.Linear(10, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(20):
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(net(rows), labels).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("data", "width", "size"),
    [
        ("rows, labels = load_wine(return_X_y=True)", "rows.shape[1]", "173"),
        ("wine = load_wine()\nrows, labels = wine.data, wine.target", "rows.shape[1]", "173"),
        (
            "wine = load_wine()\nrows, _, labels, _ = train_test_split(wine['data'], wine['target'], test_size=0.1)\n"
            "rows = torch.tensor(StandardScaler().fit_transform(rows)).float()",
            "rows.size(1)",
            "173",
        ),
        ("rows = load_breast_cancer().data[:300]", "rows.shape[-1]", "343"),
        ("rows = PCA(2).fit_transform(load_wine().data)", "rows.shape[1]", None),
    ],
)
def test_tables_are_as_wide_as_they_are_known_to_be(read, data, width, size):
    assert read({"fit.py": TABLE.format(data=data, width=width)}, "python fit.py").param_size == size


GRAPHS = """
import torch
from torch_geometric.datasets import Planetoid, TUDataset
from torch_geometric.nn import GCNConv

class Net(torch.nn.Module):
    def __init__(self, seen, kinds):
        super().__init__()
        self.one = GCNConv(seen, 8)
        self.two = GCNConv(8, kinds)
    def forward(self, x, edges):
        return self.two(self.one(x, edges), edges)

data = {data}
net = Net({seen}, data.num_classes)
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(90):
    optimizer.zero_grad()
    net(data[0].x, data[0].edge_index).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("data", "seen", "size"),
    [
        ("Planetoid(root='here', name='PubMed')", "data.num_node_features", "4035"),
        ("Planetoid('here', 'PubMed')", "data[0].num_features", "4035"),
        ("Planetoid('here', 'PubMed')", "data[0].x.shape[1]", "4035"),
        ("TUDataset('here', name='MUTAG')", "data.num_features", "82"),
        ("TUDataset('here', name='Mine')", "data.num_features", None),
    ],
)
def test_graphs_tell_what_their_nodes_have(read, data, seen, size):
    assert read({"fit.py": GRAPHS.format(data=data, seen=seen)}, "python fit.py").param_size == size


PICTURES = """
from tensorflow import keras
from tensorflow.keras import layers

(x, y), _ = keras.datasets.cifar10.load_data()
{ready}
net = keras.Sequential([layers.Input({shape}), layers.Flatten(), layers.Dense(10)])
net.compile("adam", "sparse_categorical_crossentropy")
net.fit(x, y, epochs=2)
"""


@pytest.mark.parametrize(
    ("ready", "shape", "size"),
    [
        ("x = x / 255.0", "x.shape[1:]", "30730"),
        ("x = x.astype('float32')", "(x.shape[1] * x.shape[2] * x.shape[3],)", "30730"),
        ("x = x.reshape(50000, 1024, 3)", "x.shape[1:]", "30730"),
        ("x = x[:, :, :, 0]", "x.shape[1:]", None),
    ],
)
def test_pictures_keep_their_sides_on_the_way_to_a_network(read, ready, shape, size):
    assert read({"fit.py": PICTURES.format(ready=ready, shape=shape)}, "python fit.py").param_size == size


def test_parts_of_sets_of_graphs_tell_what_the_whole_does(read):
    code = GRAPHS.format(data="TUDataset('here', name='PROTEINS').shuffle()", seen="data.num_features")
    assert read({"fit.py": code}, "python fit.py").param_size == "50"


def test_a_network_that_is_not_told_what_it_gets_is_not_counted(read):
    code = PICTURES.format(ready="", shape="").replace("layers.Input(), ", "")
    assert read({"fit.py": code}, "python fit.py").param_size is None
