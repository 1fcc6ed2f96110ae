"""Look up items of whatever a name stands for, each kind of value by its own rule."""

import pytest

CODE = """
import sys, torch, yaml
from torch.utils.data import DataLoader

def as_bool(text):
    return text.lower() == "true"

PARSERS = {str: str, int: int, float: float, bool: as_bool}

class Settings:
    def __init__(self, argv):
        with open(argv[1]) as file:
            raw = yaml.safe_load(file)
        given = dict(word.split("=", 1) for word in argv[2:])
        self.keys = {}
        for key in raw:
            if key in given and type(raw[key]) not in PARSERS:
                raise ValueError(key)
            self.keys[key] = PARSERS[type(raw[key])](given[key]) if key in given else raw[key]

def main(argv):
    keys = Settings(argv).keys
    net = torch.nn.LSTM(4, 4)
    kind = torch.optim.SGD if keys["plain"] else torch.optim.RMSprop
    optimizer = kind(net.parameters(), lr=keys["rate"])
    for epoch in range(keys["epochs"] if type(keys["rate"]) is float else 99):
        for x in DataLoader(range(9), batch_size=keys["size"]):
            net(x).sum().backward()
            optimizer.step()
"""
FILE = "rate: 0.5\nsize: 4\nepochs: 3\nplain: true\n"
COMMAND = "python train.py base.yml rate=0.25 plain=False size=8"


def test_a_table_with_types_as_keys_types_what_the_command_says(read):
    job = read({"train.py": CODE + "main(sys.argv)\n", "base.yml": FILE}, COMMAND)
    assert (job.learning_rate, job.batch_size, job.epochs, job.optimizer) == (0.25, 8, 3, "RMSprop")


def test_a_mapping_of_one_item_under_a_name_that_is_not_known_holds_it(outcome):
    assert outcome("d = {input(): 5}\nx = [value for value in d.values()]\n") == [5]
    assert outcome("d = {input(): 5}\nx = len(d) < 1\n") == "unknown"


@pytest.mark.parametrize(("name", "size"), [("val", 12), ("val_loader_args", None), ("loader_args", 12)])
def test_what_is_asked_of_a_mapping_for_evaluation_is_none_of_the_training(read, name, size):
    program = f"""
        import torch
        from far_away import rows
        model = torch.nn.Linear(4, 2)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        {name} = dict(batch_size=12)
        if {name}["batch_size"] > 1:
            print("so many")
        for x in rows:
            model(x).sum().backward()
            optimizer.step()
    """
    assert read({"go.py": program}, "python go.py").batch_size == size
