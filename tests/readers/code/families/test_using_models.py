"""Jobs that evaluate or sample: they have a batch, a device and a precision too."""

SAMPLE = """
import argparse
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 3, 3)

    def forward(self, x):
        return self.conv(x)

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=16)
parser.add_argument("--use_fp16", type=lambda text: text == "True", default=False)
args = parser.parse_args()
net = Net().cuda()
net.load_state_dict(torch.load("net.pt"))
if args.use_fp16:
    for layer in net.children():
        layer.weight.data = layer.weight.data.half()
net.eval()
with torch.no_grad():
    images = net(torch.randn(args.batch_size, 3, 8, 8).cuda())
"""


def test_a_sampler_tells_batch_device_and_precision(read):
    job = read({"sample.py": SAMPLE}, "python sample.py --batch_size 4")
    assert (job.is_training, job.batch_size, job.num_gpus, job.precision) == (False, 4, 1, "fp32")
    assert (job.learning_rate, job.optimizer, job.epochs) == (None, None, None)
    assert read({"sample.py": SAMPLE}, "python sample.py").batch_size == 16


EVALUATES = """
import argparse, torch
from torch import nn
from torch.utils.data import DataLoader

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc(x)

def evaluate_all(model, batch_size):
    model.half()
    for x in DataLoader(list(range(100)), batch_size=batch_size):
        model(x.cuda())

parser = argparse.ArgumentParser()
parser.add_argument("--eval", action="store_true")
parser.add_argument("--ckpt")
args = parser.parse_args()
model = Net().cuda()
model.load_state_dict(torch.load(args.ckpt))
if args.eval:
    evaluate_all(model, 24)
else:
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    model(torch.ones(8)).sum().backward()
    optimizer.step()
"""


def test_an_evaluation_is_followed_where_it_is_all_the_work(read):
    job = read({"main.py": EVALUATES}, "python main.py --eval --ckpt net.pt")
    assert (job.is_training, job.num_gpus, job.batch_size, job.precision) == (False, 1, 24, "fp16")
    trains = read({"main.py": EVALUATES}, "python main.py")
    assert (trains.is_training, trains.precision, trains.learning_rate) == (True, "fp32", 0.01)


def test_a_program_without_any_network_takes_no_gpu(read):
    code = (
        "import numpy, sys, urllib.request\nfor n in range(int(sys.argv[1])):\n    urllib.request.urlretrieve(str(n))\n"
    )
    job = read({"data/get.py": code}, "python data/get.py 27")
    assert (job.is_training, job.num_gpus, job.distributed) == (False, 0, "none")
    boosted = read({"data/get.py": f"import xgboost\n{code}"}, "python data/get.py 27")
    assert (boosted.num_gpus, boosted.distributed) == (None, None)
