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


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("isinstance('a', six.string_types)", True),
        ("isinstance(3, six.string_types)", False),
        ("isinstance(3, six.integer_types)", True),
        ("[key for key, value in six.iteritems({'a': 1, 'b': 2}) if value > 1]", ["b"]),
        ("sum(six.itervalues({'a': 1, 'b': 2}))", 3),
        ("list(six.iterkeys({'a': 1}))", ["a"]),
        ("1 if six.PY2 else 2", 2),
    ],
)
def test_types_and_mappings_of_six_are_todays(outcome, code, expected):
    assert outcome(f"import six\nx = {code}") == expected
