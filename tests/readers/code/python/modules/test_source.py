"""Sources that no Python 3 takes whole: what stands around the broken place is followed all the same."""

import pytest

from schedmate.readers.code.python.modules.source import parse_python
from tests.readers.code.programs import TORCH_HEAD

HEAD = "import torch\noptimizer = torch.optim.SGD(torch.nn.Linear(2, 2).parameters(), lr=0.25)\n"
STEP = "for epoch in range(7):\n    optimizer.step()\n"


@pytest.mark.parametrize(
    "between",
    [
        "<<<<<<< HEAD\nbatch = 3\n=======\nbatch = = 4\nthat = 1\n>>>>>>> 3831da13\n",
        "if optimizer:\n        k = 1\n\tprint k\n\tk = 2\nelse:\n\tk = 3\n",
        "shape = (1L, 3L)\nprint shape\n",
        "if optimizer is = 3:\n    a = 1\n    b = 2\n",
        "def f(a, b):\n    c = a b\n",
        "a = b c\n",
    ],
)
def test_what_stands_around_a_broken_place_is_followed(read, between):
    job = read({"train.py": HEAD + between + STEP}, "python train.py")
    assert (job.is_training, job.learning_rate, job.epochs) == (True, 0.25, 7)


def test_of_two_sides_that_were_not_merged_the_first_is_read():
    text = "a = 1\n<<<<<<< HEAD\nb = 2\n=======\nb = 3\n>>>>>>> other\nc = 4\n"
    tree, problem = parse_python(text, "x.py")
    assert [(one.lineno, one.value.value) for one in tree.body] == [(1, 1), (3, 2), (7, 4)]
    assert "not merged" in problem


def test_a_tab_indents_to_the_eighth_column():
    tree, problem = parse_python("if a:\n        b = 1\n\tc = 2\nprint d\n", "x.py")
    assert not problem
    assert len(tree.body[0].body) == 2


def test_a_literal_in_a_file_stands_on_its_own_line(follow):
    files = {"conf.txt": "{\n  'rate': 0.25,\n  'sizes': [\n    3,\n    {'deep': (4, 5)}],\n}\n"}
    code = "import ast\nc = ast.literal_eval(open('conf.txt').read())\nx = c['rate']\ny = c['sizes'][1]['deep'][1]\n"
    _, names = follow(code, "", files)
    assert [(names[one].data, names[one].src[0].path, names[one].src[0].line) for one in "xy"] == [
        (0.25, "conf.txt", 2),
        (5, "conf.txt", 5),
    ]


@pytest.mark.parametrize("text", ["{[1]: 2}", "{**{'rate': 1}}", "[" * 300 + "]" * 300])
def test_a_text_in_a_file_that_is_no_literal_fails_as_such(follow, text):
    code = "import ast\ntry:\n    c = ast.literal_eval(open('conf.txt').read())\nexcept ValueError:\n    c = 7\n"
    _, names = follow(code, "", {"conf.txt": text})
    assert names["c"].data == 7


@pytest.mark.parametrize(
    "printed",
    [
        "print 'a %d, b) %d' % (\n    one,\n    two)",
        "print 'a', \\\n   one, \\\n   two",
        "print [one for one in (\n 1, 2)], # (\\)\npass",
        "print >>log, 'x (', one",
    ],
)
def test_what_python_2_prints_over_several_lines_is_left_out_whole(printed):
    text = f"a = 1\n{printed}\nb = 2\n"
    tree, problem = parse_python(text, "x.py")
    assert problem == ""
    last = tree.body[-1]
    assert (last.lineno, last.targets[0].id) == (text.count("\n"), "b")


LOOP = """
for epoch in range(4):
    loss = model(torch.randn(2, 3)).sum()
    loss.backward()
    optimizer.step()
"""


def test_a_program_before_python_3_7_keeps_its_numbers(read):
    """One line that is no Python 3 must not spoil the others: 0.05 holds no octal number."""
    workload = read(
        {
            "train.py": TORCH_HEAD
            + "print 'starts'\nready = dict(async=True, mode=0644)\n"
            + "model = torch.nn.Linear(3, 1)\noptimizer = torch.optim.SGD(model.parameters(), 0.05)\n"
            + LOOP
        },
        "python train.py",
    )
    assert (workload.learning_rate, workload.optimizer, workload.epochs) == (0.05, "SGD", 4)
