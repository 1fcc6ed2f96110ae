"""What one reading of a program carries along: its files, what it met on the way, what it noted, and its budget."""

from tests.readers.code.networks import NET_STEPS, TWO_NETS


def test_what_a_program_loads_as_data_takes_no_room_from_its_code(read):
    code = "import json, parts\nrows = json.load(open('rows.json'))\n" + TWO_NETS + "net = Spinner()\n"
    code += "optimizer = torch.optim.SGD(net.parameters(), lr=parts.RATE)\n" + NET_STEPS
    rows = "[" + ", ".join(['"some words of a row"'] * 50_000) + "]"
    job = read({"train.py": code, "rows.json": rows, "parts.py": "RATE = 0.125\n"}, "python train.py")
    assert job.learning_rate == 0.125


BLOCK = "def block(x):\n" + "    x = torch.relu(x) + 1\n" * 400 + "    return x\n"
LAYERS = "    block(w)\n" * 200
PROGRAM = f"""
import torch
{BLOCK}
def train():
    w = torch.nn.Parameter(torch.zeros(3))
    optimizer = torch.optim.SGD([w], lr=0.3)
{LAYERS}
    for epoch in range(7):
        (w * 2).sum().backward()
        optimizer.step()
train()
"""


def test_layers_that_show_nothing_new_do_not_use_up_what_the_training_needs(read):
    job = read({"train.py": PROGRAM}, "python train.py")
    assert (job.is_training, job.epochs, job.learning_rate, job.optimizer) == (True, 7, 0.3, "SGD")
