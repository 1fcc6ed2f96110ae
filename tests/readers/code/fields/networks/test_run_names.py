"""Options that name no model to be trained: runs, called after a model and settings, folders, models of a service."""

import pytest

ASKED = """
import argparse
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="{asked}")
args = parser.parse_args()
print(args.model)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = nn.Linear(4, 2)

net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(5):
    net(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("asked", "taken"), [("gpt-4o", False), ("claude-3-opus", False), ("gpt2", True)])
def test_a_model_behind_a_service_is_not_trained(read, asked, taken):
    assert (read({"go.py": ASKED.format(asked=asked)}, "python go.py").model_name == asked) is taken


def test_a_runs_name_is_no_models_name(read):
    program = """
    import argparse
    import torch
    import torchvision

    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="resnet50")
    parser.add_argument("--lr", type=float, default=0.5)
    args = parser.parse_args()
    args.model_name = "{}_lr_{}_trial_{}".format(args.model, args.lr, 0)
    print(args.model_name)
    model = torchvision.models.__dict__[args.model]()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    for epoch in range(3):
        model(torch.randn(2, 3, 8, 8)).sum().backward()
        optimizer.step()
    """
    assert read({"train.py": program}, "python train.py").model_name == "resnet50"


@pytest.mark.parametrize(
    ("path", "name"),
    [("./checkpoints/first", None), ("results/run_1/net", None), ("./checkpoints/resnet18", "resnet18")],
)
def test_where_a_model_is_written_is_not_its_name(read, path, name):
    job = read({"run.sh": f"python train_it.py --model_path {path} --lr 0.1 --epochs 3\n"}, "bash run.sh")
    assert (job.model_name, job.learning_rate) == (name, 0.1)


def test_more_that_is_joined_to_a_models_name_names_a_run(read):
    code = "import argparse\nimport torch\nparser = argparse.ArgumentParser()\nparser.add_argument('--model')\n"
    code += "args = parser.parse_args()\nargs.model_name = args.model + '_second'\nprint(args.model_name)\n"
    code += "net = torch.hub.load('some/where', args.model)\noptimizer = torch.optim.SGD(net.parameters(), lr=1)\n"
    code += "for step in range(4):\n    net(step).backward()\n    optimizer.step()\n"
    assert read({"go.py": code}, "python go.py --model resnet34").model_name == "resnet34"
    sized = code.replace("'_second'", "'_base_patch16_224'")
    assert read({"go.py": sized}, "python go.py --model vit").model_name == "vit_base_patch16_224"


@pytest.mark.parametrize(
    ("asked", "taken"), [("bert_multi_gpu", False), ("bert-2gpus", False), ("lstm_ddp_v2", False), ("bert-base", True)]
)
def test_a_name_with_the_devices_of_a_run_is_the_runs(read, asked, taken):
    assert (read({"go.py": ASKED.format(asked=asked)}, "python go.py").model_name == asked) is taken
