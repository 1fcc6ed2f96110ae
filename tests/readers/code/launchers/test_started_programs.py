"""A command that starts other programs too, of which nothing was seen, is not said to train nothing."""

import pytest

PROGRAM = """
import torch
net = torch.nn.Linear(2, 2)
net.eval()
print(net.load_state_dict({}))
"""


@pytest.mark.parametrize(
    ("script", "trains"),
    [
        ("python look.py\n", False),
        ("pip install x\npython look.py\n", False),
        ("python look.py\npython gone.py\n", None),
        ("python look.py\n$(cat jobs/next)\n", None),
    ],
)
def test_nothing_trains_only_where_all_programs_were_seen(read, script, trains):
    assert read({"look.py": PROGRAM, "run.sh": script}, "bash run.sh").is_training is trains
