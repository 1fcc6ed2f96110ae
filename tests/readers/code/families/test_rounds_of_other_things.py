"""Loops that count no steps and no epochs: episodes, repeated jobs, tasks; and names that mean another thing."""

import pytest

OWN = """
import torch
from torch import nn
{imports}

class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(3, 4, 3)

net = ResNet()
loss = {loss}
optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
for step in range(5):
    loss(net(step), step).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("imports", "loss", "fine"),
    [
        ("", "nn.CrossEntropyLoss()", "image classification"),
        ("from parts import JointLoss", "JointLoss()", None),
        ("from parts import yoloLoss", "yoloLoss()", "object detection"),
    ],
)
def test_a_backbone_of_the_repositorys_own_sorts_pictures_where_its_loss_does(read, imports, loss, fine):
    job = read({"go.py": OWN.format(imports=imports, loss=loss)}, "python go.py")
    assert (job.task, job.task_fine) == ("CV", fine)


def test_a_data_sets_name_names_no_model(read):
    code = OWN.format(imports="import argparse", loss="nn.MSELoss()").replace("ResNet", "Generator")
    code += "parser = argparse.ArgumentParser()\nparser.add_argument('--arch', default='lsun')\n"
    code += "print(parser.parse_args().arch)\n"
    assert read({"go.py": code}, "python go.py").model_name != "lsun"
