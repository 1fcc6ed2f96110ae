"""Methods of text, mappings and files whose contents are known; those of lists are a file of their own."""

import pytest

LINES = """
import torch
class Listed(torch.utils.data.Dataset):
    def __init__(self):
        self.rows = {rows}
    def __len__(self):
        return len(self.rows)
net = torch.nn.Linear(3, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(4):
    for batch in torch.utils.data.DataLoader(Listed(), batch_size=10):
        net(batch).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize("many", [90, 30_000])
@pytest.mark.parametrize(
    "rows",
    [
        "open('train.txt').readlines()",
        "open('train.txt').read().splitlines()",
        "open('train.txt').read().strip().split('\\n')",
        "[line.strip() for line in open('train.txt').readlines()]",
    ],
)
def test_a_list_of_samples_may_be_long(read, rows, many):
    job = read({"go.py": LINES.format(rows=rows), "train.txt": "here/picture.png 7\n" * many}, "python go.py")
    assert job.total_steps == 4 * many // 10


def test_what_is_written_into_the_mapping_of_a_namespace_is_in_the_namespace(outcome):
    code = "import argparse\na = argparse.Namespace(rate=1, rows=2)\nm = vars(a)\nm['rate'] = 0.25\n"
    assert outcome(code + "vars(a).update(rows=8)\nx = [a.rate, a.rows]\n") == [0.25, 8]
    code = "import argparse\na = argparse.Namespace(items=1, rows=8)\nx = dict(vars(a).items())['rows']\n"
    assert outcome(code) == 8


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("startswith('gpu')", "unknown"),
        ("startswith('/d/g')", "unknown"),
        ("startswith('--')", False),
        ("startswith('/d')", True),
        ("startswith('/e')", False),
        ("endswith(('.txt', '.csv'))", True),
        ("endswith('.tar')", False),
        ("endswith('n/rows.csv')", "unknown"),
        ("count('s')", "unknown"),
    ],
)
def test_what_is_said_of_a_text_may_hang_on_its_open_part(outcome, asked, answer):
    known = "/d/${PLACE}/rows.csv" if asked != "startswith('gpu')" else "${PLACE}"
    assert outcome(f"x = {known!r}.{asked}\n") == answer
