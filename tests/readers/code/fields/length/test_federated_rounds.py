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
