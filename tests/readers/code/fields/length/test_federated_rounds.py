"""Rounds of a federation, in each of which clients go over their own data."""

import pytest

PROGRAM = """
import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--num_rounds", type=int, default=1)
parser.add_argument("--num_epochs", type=int, default=5)
parser.add_argument("--{option}", default={value})
args = parser.parse_args()

class Learner:
    def __init__(self):
        self.net = torch.nn.Linear(4, 2)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def fit(self, steps):
        for step in range(steps):
            self.net(torch.ones(4)).sum().backward()
            self.optimizer.step()

learner = Learner()
print(args.num_rounds, args.{option})
while unknown.goes_on():
    learner.fit(args.num_epochs * unknown.length)
"""


@pytest.mark.parametrize(
    ("option", "value", "words", "epochs"),
    [
        ("num_clients", 10, "--num_rounds 50", None),
        ("algorithm", "'fedavg'", "--num_rounds 50", None),
        ("algorithm", "'methods.fedprox'", "--num_rounds 50", None),
        ("num_clients", 10, "--num_rounds 1", 5),
        ("algorithm", "'plain'", "--num_rounds 50", 5),
    ],
)
def test_epochs_of_each_round_are_not_the_jobs(read, option, value, words, epochs):
    job = read({"fit.py": PROGRAM.format(option=option, value=value)}, f"python fit.py {words} --num_epochs 5")
    assert (job.is_training, job.epochs) == (True, epochs)


def test_a_server_with_clients_goes_by_rounds(read):
    ends = "class Server:\n    pass\nclass OwnClient(Learner):\n    pass\nserver = Server()\nlearner = OwnClient()\n"
    text = PROGRAM.format(option="kind", value="'plain'").replace("learner = Learner()\n", ends)
    assert read({"fit.py": text}, "python fit.py --num_rounds 50 --num_epochs 5").epochs is None


LOOPS = """
import argparse
import torch

parser = argparse.ArgumentParser()
for name in ("rounds", "epochs", "num_users", "num_clients"):
    parser.add_argument("--" + name, type=int, default=0)
parser.add_argument("--kind", default="plain")
args = parser.parse_args()
data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.ones(64, 4)), batch_size=8)
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
print(args.rounds, args.num_users, args.num_clients, args.kind)
{around}
    for batch in data:
        net(batch[0]).sum().backward()
        optimizer.step()
"""
PLAIN = "for epoch in range(args.epochs):"
IN_ROUNDS = "for turn in range(args.rounds):\n  for epoch in range(args.epochs):"


@pytest.mark.parametrize(
    ("around", "words", "epochs"),
    [
        (PLAIN, "--kind scaffold", 30),  # how molecules are split
        (PLAIN, "--kind ditto", 30),  # a matcher of entities
        (PLAIN, "--num_users 943", 30),  # who rated films
        (PLAIN, "--num_clients 8", 30),  # the plain run beside a federation's: no rounds go on around it
        (PLAIN, "--num_clients 8 --kind fedavg", None),
        (IN_ROUNDS, "--num_clients 8", None),
        (IN_ROUNDS, "--kind scaffold", None),
        (IN_ROUNDS, "--num_users 40", None),
    ],
)
def test_rounds_that_do_not_bound_the_training_leave_it_its_length(read, around, words, epochs):
    job = read({"fit.py": LOOPS.format(around=around)}, f"python fit.py --rounds 3 --epochs 30 {words}")
    assert (job.is_training, job.epochs) == (True, epochs)
