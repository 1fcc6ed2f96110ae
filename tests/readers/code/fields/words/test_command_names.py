"""Names that the command gives by its options, and that a node of a configuration carries."""

import pytest

from tests.readers.code.programs import data_of


def test_the_word_of_a_task_is_no_data_set(read):
    assert data_of(read, "--task_name NER", "task_name") is None
    assert data_of(read, "--task_name MRPC", "task_name") is not None


SECTIONS = """
import sys, torch, yaml
from pydantic import BaseModel

class Net(BaseModel):
    name: str = "small"
    width: int = 8

class Plan(BaseModel):
    model: Net = Net()
    lr: float = 0.1

class {cls}(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = torch.nn.Linear(width, 1)

plan = Plan(**yaml.safe_load(open(sys.argv[1])))
net = {cls}(plan.model.width)
print(plan.model.name)
optimizer = torch.optim.SGD(net.parameters(), lr=plan.lr)
for step in range(4):
    net(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("cls", "name"), [("Regressor", "pondnet"), ("TrainingAdapter", "pondnet"), ("LarkMixer", "LarkMixer")]
)
def test_a_record_is_named_as_a_mapping_is(read, cls, name):
    files = {"go.py": SECTIONS.format(cls=cls), "plan.yaml": "model:\n  name: pondnet\n"}
    assert read(files, "python go.py plan.yaml").model_name == name
