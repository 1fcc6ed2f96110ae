"""What is known of a loop's counter in any of its rounds, and how types are written out."""

import pytest

LOOP = """
import torch
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
def work(place):
    if {test}:
        return
    model(load()).sum().backward()
    optimizer.step()
    {after}
seen = []
for place in range(0, 40):
    work(place)
"""


@pytest.mark.parametrize(
    ("test", "found"),
    [
        ("place == -1", True),
        ("place < 0", True),
        ("place >= 40", True),
        ("not place <= 39", True),
        ("place != -1", False),
        ("place >= 0", False),
    ],
)
def test_a_counter_lies_within_its_range(read, test, found):
    assert read({"go.py": LOOP.format(test=test, after="")}, "python go.py").is_training is found


@pytest.mark.parametrize("test", ["place == 7", "place > 20", "place != 0", "place <= 38"])
def test_within_the_range_a_comparison_is_open(outcome, test):
    text = f"x = 0\nfor place in range(0, 40):\n    if {test}:\n        x = 1\n    else:\n        x = 2\n"
    assert outcome(text) == "unknown"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x = str([].__class__)", "<class 'list'>"),
        ("x = str(type(4))", "<class 'int'>"),
        ("class Tool: pass\nx = str(Tool().__class__)", "<class 'main.Tool'>"),
        (
            "import argparse\nx = str(argparse.ArgumentParser().parse_args([]).__class__)",
            "<class 'argparse.Namespace'>",
        ),
        ("import torch\nx = str(torch.nn.CrossEntropyLoss().__class__)", "unknown"),
    ],
)
def test_types_are_written_as_python_does(outcome, text, found):
    assert outcome(text) == found


MOVES = """
import torch
class Job:
    def __init__(self):
        self.places, self.rate = [0, 1, 2, 3], 0.02
        self.model, self.loss = torch.nn.Linear(4, 2), torch.nn.CrossEntropyLoss()
        for name, value in vars(self).items():
            if str(value.__class__).find("torch.nn.modules") != -1:
                setattr(self, name, value.to("cuda:0"))
        if len(self.places) > 1:
            self.model = torch.nn.DataParallel(self.model, device_ids=self.places)
        optimizer = torch.optim.SGD(self.model.parameters(), lr=self.rate)
        for epoch in range(3):
            self.model(load()).sum().backward()
            optimizer.step()
Job()
"""


def test_attributes_that_are_no_networks_stay_as_they_are(read):
    job = read({"go.py": MOVES}, "python go.py")
    assert (job.distributed, job.num_gpus, job.learning_rate) == ("DataParallel", 4, 0.02)
