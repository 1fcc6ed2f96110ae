"""Python's own functions under the names of code for Python 2 and 3."""

import pytest

LOOP = """
{how}
import torch
net = torch.nn.Linear(4, 2)
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
for step in {name}(0, 3000):
    net(draw()).sum().backward()
    sgd.step()
"""


@pytest.mark.parametrize(
    ("how", "name"),
    [
        ("import six", "six.moves.range"),
        ("from six.moves import xrange", "xrange"),
        ("from builtins import range", "range"),
        ("from past.builtins import xrange as steps_of", "steps_of"),
    ],
)
def test_a_range_by_an_older_name_counts(read, how, name):
    assert read({"go.py": LOOP.format(how=how, name=name)}, "python go.py").total_steps == 3000


@pytest.mark.parametrize(("how", "name"), [("from ours import xrange", "xrange"), ("import grid", "grid.range")])
def test_another_library_s_range_does_not(read, how, name):
    assert read({"go.py": LOOP.format(how=how, name=name)}, "python go.py").total_steps is None
