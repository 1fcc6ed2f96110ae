"""What only the run decides: a default that may be replaced, one of several optimizers."""

import pytest

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
