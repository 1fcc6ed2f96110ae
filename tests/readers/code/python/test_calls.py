"""Follow calls: into the repository's own code, through the models of libraries, or only noting that they happen."""

import pytest

META = """
import torch

class Meta(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(4, 2)
        self.adam = torch.optim.Adam(self.net.parameters(), lr=0.02)

    def forward(self, x):
        loss = self.net(x).sum()
        {work}
        return loss

meta = Meta()
for epoch in range(9):
    for x in torch.utils.data.DataLoader(torch.randn(int(input()), 4), batch_size=6):
        meta(x)
"""


def test_a_forward_pass_that_takes_steps_trains(read):
    found = read({"go.py": META.format(work="loss.backward()\n        self.adam.step()")}, "python go.py")
    assert (found.is_training, found.epochs, found.batch_size, found.learning_rate) == (True, 9, 6, 0.02)
    assert read({"go.py": META.format(work="pass")}, "python go.py").is_training is not True


HANDED = """
import json
import sys
import torch

def grown(model, rate=0.07, rounds=5):
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    for epoch in range(rounds):
        model(torch.zeros(2, 4)).sum().backward()
        optimizer.step()

plan = {plan}
grown(torch.nn.Linear(4, 4), **plan)
"""


@pytest.mark.parametrize(
    ("plan", "rate", "rounds"),
    [
        ("json.loads(sys.stdin.read())", None, None),
        ("{'rounds': 8}", 0.07, 8),
        ("json.loads(sys.stdin.read()), rate=0.2", 0.2, None),
    ],
)
def test_a_default_that_an_unknown_mapping_may_replace_is_not_known(read, plan, rate, rounds):
    given, _, more = plan.partition(", rate")
    code = HANDED.format(plan=given).replace("**plan", f"**plan, rate{more}" if more else "**plan")
    job = read({"train.py": code}, "python train.py")
    assert (job.learning_rate, job.epochs) == (rate, rounds)


def test_a_method_that_is_bound_to_an_object_is_given_it(outcome):
    head = "import types\nclass Box:\n    pass\nbox = Box()\nbox.size = 6\n"
    bound = "def grown(self, by):\n    return self.size * by\nbox.grown = types.MethodType(grown, box)\n"
    assert outcome(f"{head}{bound}x = box.grown(3)\n") == 18
