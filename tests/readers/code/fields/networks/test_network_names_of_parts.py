"""Which of several parts the network is, and of what type it is by them."""

import pytest

TRAIN = """
net = {whole}
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(5):
    net(step).sum().backward()
    optimizer.step()
"""
HEAD = "import torch\nfrom torch import nn\n"

SEALED = """
import torch
from torch import nn

class RowBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Conv1d(4, 4, 3)

class Sampler(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = RowBlock()

class RiverNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = Sampler()

net = RiverNet()
(net(torch.ones(1)) ** 2).sum().backward()
"""


def test_a_part_that_is_called_like_a_neighbour_lies_on_the_way_from_block_to_whole(read):
    assert read({"go.py": SEALED}, "python go.py").model_name == "RiverNet"


TASK_HEAD = """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--model_name", default="PlaitNet")
args = parser.parse_args()

class {head}(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner, self.out = inner, nn.Linear(4, 1)

class Inner(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.kind, self.layer = kind, nn.Linear(4, 4)
"""


@pytest.mark.parametrize(("head", "model"), [("GraphRegression", "PlaitNet"), ("ReefNet", "ReefNet")])
def test_a_head_that_is_named_after_its_task_alone_gives_way_to_the_option(read, head, model):
    code = HEAD + TASK_HEAD.format(head=head) + TRAIN.format(whole=f"{head}(Inner(args.model_name))")
    assert read({"go.py": code}, "python go.py").model_name == model


TABLE = """
class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.LSTM(4, 4)

class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

class Holder(nn.Module):
    kinds = {{"recurrent": Recurrent, "plain": Plain}}
    def __init__(self, kind):
        super().__init__()
        self.inner = {made}
"""


@pytest.mark.parametrize(("made", "kind"), [("self.kinds[kind]()", None), ("Recurrent()", "rnn")])
def test_a_table_of_networks_is_none_of_them(read, made, kind):
    code = HEAD + TABLE.format(made=made) + TRAIN.format(whole="Holder(open('kind').read())")
    assert read({"go.py": code}, "python go.py").model_type == kind


LAYERS = """
class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.{one}, nn.{two}
"""


@pytest.mark.parametrize(
    ("one", "two", "kind"),
    [
        ("LSTM(4, 4)", "MultiheadAttention(4, 2)", "rnn"),
        ("Linear(4, 4)", "MultiheadAttention(4, 2)", "transformer"),
        ("LSTM(4, 4)", "TransformerEncoderLayer(4, 2)", "transformer"),
    ],
)
def test_attention_beside_recurrent_layers_is_no_transformer(read, one, two, kind):
    code = HEAD + LAYERS.format(one=one, two=two) + TRAIN.format(whole="Reader()")
    assert read({"go.py": code}, "python go.py").model_type == kind


GRAPH = """
from torch_geometric.nn import MessagePassing

class Hop(MessagePassing):
    pass

class Walk(nn.Module):
    def __init__(self, hops):
        super().__init__()
        self.hops, self.order = nn.ModuleList(hops), nn.LSTM(4, 4)

class Whole(nn.Module):
    def __init__(self, walk):
        super().__init__()
        self.walk, self.out = walk, nn.Linear(4, 1)
"""


def test_layers_that_are_given_to_a_part_and_pass_messages_make_it_a_network_of_graphs(read):
    code = HEAD + GRAPH + TRAIN.format(whole="Whole(Walk([Hop(), Hop()]))")
    assert read({"go.py": code}, "python go.py").model_type == "gnn"


DEEP = """
class EGNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

class Moves(nn.Module):
    def __init__(self):
        super().__init__()
        self.net, self.out = EGNN(), nn.Linear(4, 4)

class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.moves, self.out = Moves(), nn.Linear(4, 4)
"""


def test_dense_layers_around_a_network_of_a_known_name_are_of_its_type(read):
    assert read({"go.py": HEAD + DEEP + TRAIN.format(whole="Whole()")}, "python go.py").model_type == "gnn"


SWIN = """
import torch
from torch import nn

class BaseModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = nn.TransformerEncoderLayer(4, 2)
"""


@pytest.mark.parametrize(("file", "model"), [("resnet_model", None), ("longformer_model", "longformer_model")])
def test_a_file_s_name_of_another_type_names_no_model(read, file, model):
    code = f"import torch\nfrom {file} import BaseModel\n" + TRAIN.format(whole="BaseModel()")
    assert read({"go.py": code, f"{file}.py": SWIN}, "python go.py").model_name == model


def test_convolutions_before_recurrent_layers_are_named_and_are_none(read):
    layers = "class CNNBiGRU(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    layers += "        self.a, self.b = nn.Conv2d(1, 4, 3), nn.GRU(4, 4, bidirectional=True)\n"
    assert read({"go.py": HEAD + layers + TRAIN.format(whole="CNNBiGRU()")}, "python go.py").model_type == "rnn"


ACTS = """
import argparse
import gym
import torch
from torch import nn
parser = argparse.ArgumentParser()
parser.add_argument("--{option}", default="resnet18")
args = parser.parse_args()

class ReachPolicy(nn.Module):
    def __init__(self, {option}):
        super().__init__()
        self.kind, self.layer = {option}, nn.Conv2d(3, 4, 3)

env = gym.make("Reacher-v4")
net = ReachPolicy(args.{option})
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
net(env.reset()).sum().backward()
optimizer.step()
"""


@pytest.mark.parametrize(("option", "model"), [("backbone", None), ("model_name", "resnet18")])
def test_a_policy_is_not_called_after_what_a_part_of_it_stands_on(read, option, model):
    assert read({"go.py": ACTS.format(option=option)}, "python go.py").model_name == model
