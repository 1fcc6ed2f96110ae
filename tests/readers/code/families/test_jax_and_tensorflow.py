"""Programs of JAX and TensorFlow: agents of learners and models, gin's references, packages run from above."""

import pytest

SMALL = """
import tensorflow as tf

for step in range(40):
    tf.train.AdamOptimizer().minimize(tf.constant(1.0))
"""


@pytest.mark.parametrize("start", ["-um small", "-msmall", "-u -B -m small", "-Wignore -um small"])
def test_switches_of_python_may_be_written_together(read, start):
    found = read({"small.py": SMALL}, f"python3 {start}")
    assert (found.total_steps, found.optimizer, found.learning_rate) == (40, "Adam", 0.001)


def test_without_an_init_file_the_repository_is_no_package(read):
    assert read({"small.py": SMALL}, "python -m other.small").is_training is None


PARSER = """
import argparse
import torch

class Words(argparse.ArgumentParser):
    def __init__(self):
        super(Words, self).__init__(description="words")
        self.add_argument("--lr", type=float, default=0.5)
        self.add_argument("-o", "--opt", nargs="*")

    def parse_args(self, argv=None):
        args = super(Words, self).parse_args(argv)
        args.opt = dict(item.split("=") for item in args.opt or [])
        return args

args = Words().parse_args()
net = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=args.lr)
for epoch in range(int(args.opt["epochs"])):
    net(torch.ones(2)).sum().backward()
    optimizer.step()
"""


def test_a_parser_of_the_programs_own_asks_its_ancestor(read):
    found = read({"fit.py": PARSER}, "python fit.py --lr 0.25 -o epochs=9")
    assert (found.learning_rate, found.epochs) == (0.25, 9)
