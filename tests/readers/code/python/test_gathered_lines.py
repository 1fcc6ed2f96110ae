"""JSON that holds comments, as it is read by a library and as programs clean it line by line themselves."""

import pytest

PROGRAM = """
import argparse
import json
import torch

{load}

parser = argparse.ArgumentParser()
parser.add_argument("--opt")
opt = load(parser.parse_args().opt)
model = torch.nn.Linear(2, 2)
adam = torch.optim.Adam(model.parameters(), lr=opt["train"]["lr"])
loader = torch.utils.data.DataLoader(torch.randn(100, 2), batch_size=opt["batch"])
for epoch in range(opt["epochs"]):
    for x in loader:
        model(x).sum().backward()
        adam.step()
"""
BY_LINE = """
def load(path):
    text = ""
    with open(path) as file:
        for line in file:
            line = line.split("//")[0] + "\\n"
            text += line
    return json.loads(text)
"""
AT_ONCE = """
def load(path):
    text = ""
    for row in open(path):
        text += row.partition("//")[0]
    return json.loads(text)
"""
SETTINGS = """{ // what is trained
    "name": "http://place//of", /* and
    so on */ "train": {"lr": 0.003} // its rate
    , "batch": 4,
    "epochs": 7, // rounds
}
"""


@pytest.mark.parametrize("load", [BY_LINE, AT_ONCE])
@pytest.mark.parametrize("longer", [0, 300])
def test_a_program_cleans_its_settings_line_by_line(read, load, longer):
    files = {
        "go.py": PROGRAM.format(load=load),
        "set/base.json": SETTINGS.replace("\n", "\n" + "// more\n" * longer, 1),
    }
    found = read(files, "python go.py --opt set/base.json")
    assert (found.learning_rate, found.batch_size, found.epochs) == (0.003, 4, 7)
    assert found.evidence["learning_rate"][0].path == "set/base.json"
    assert '"lr": 0.003' in found.evidence["learning_rate"][0].quote


@pytest.mark.parametrize(
    ("body", "is_whole"),
    [("text += line", True), ("text += 'x'", False), ("text += line\n    print(line)", False), ("text = line", False)],
)
def test_what_is_made_of_the_lines_alone_is_the_file(follow, body, is_whole):
    program = f"text = ''\nfor line in open('base.json'):\n    {body}\n"
    _, names = follow(program, files={"base.json": SETTINGS + "// more\n" * 100})
    assert (names["text"].data == SETTINGS + "// more\n" * 100) is is_whole


def test_a_library_reads_comments_behind_values(read):
    files = {
        "go.py": PROGRAM.format(load="def load(path):\n    import json5\n    return json5.load(open(path))\n"),
        "base.json5": SETTINGS,
    }
    found = read(files, "python go.py --opt base.json5")
    assert found.evidence["epochs"][0].quote.strip().startswith('"epochs": 7')
