"""Where the size that is known of a model's name is not that of the network at hand."""

import pytest

COPY = """
import argparse
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--rows")
args = parser.parse_args()

class ResNet50(nn.Module):
    def __init__(self, num_classes=1000):
        super().__init__()
        self.body = torch.load("body.pt")
        self.fc = nn.Linear(2048, num_classes)

    def forward(self, x):
        return self.fc(self.body(x))

net = ResNet50({classes})
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(9):
    net(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("classes", "size"),
    [("", "25.6M"), ("num_classes=1000", "25.6M"), ("num_classes=7", None), ("num_classes=args.rows", None)],
)
def test_a_copy_that_sorts_other_classes_has_not_the_known_size(read, classes, size):
    assert read({"go.py": COPY.format(classes=classes)}, "python go.py").param_size == size


def test_a_copy_that_says_nothing_of_usual_classes_has_not_the_known_size(read):
    code = COPY.format(classes="12").replace("1000", "12")
    assert read({"go.py": code}, "python go.py").param_size is None


@pytest.mark.parametrize(("name", "size"), [("cifar10", None), ("imagenet", "11.7M")])
def test_a_network_that_only_a_word_names_sorts_what_the_data_hold(read, name, size):
    main = """
    import argparse
    from elsewhere import work
    p = argparse.ArgumentParser()
    p.add_argument("--model_name")
    p.add_argument("--dataset_name")
    p.add_argument("--epochs")
    work.train(p.parse_args())
    """
    words = f"--model_name resnet18 --dataset_name {name} --epochs 3"
    assert read({"train.py": main}, f"python train.py {words}").param_size == size


TABLES = """
import torch
from torch import nn
import pickle

class GPTLike(nn.Module):
    def __init__(self, n_layer=6, n_embd=384, vocab_size=256):
        super().__init__()
        self.n_layer, self.n_embd, self.vocab_size = n_layer, n_embd, vocab_size
        self.wte = nn.Embedding(vocab_size, n_embd)
        self.blocks = pickle.load(open("blocks.pkl", "rb"))(n_layer)
        {more}
        self.wte.weight = self.blocks.weight

    def forward(self, x):
        return self.blocks(self.wte(x))

net = GPTLike()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(9):
    net(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("more", "size"),
    [("", "10.7M"), ("self.more = [nn.Embedding(vocab_size, n_embd) for _ in range(n_layer)]", None)],
)
def test_a_shape_does_not_tell_of_tables_that_each_layer_has(read, more, size):
    assert read({"go.py": TABLES.format(more=more)}, "python go.py").param_size == size
