"""Parts of ready networks that a program takes by their names, all of them or some."""

import pytest

CODE = """
import torch
from torch import nn
from torchvision import models

class Marks(nn.Module):
    def __init__(self):
        super().__init__()
        body = models.{made}
        {parts}
        self.mark = nn.Conv2d(8, 2, 1)

    def forward(self, x):
        return self.mark(self.take(x))

    def take(self, x):
        {way}

net = Marks()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(60):
    optimizer.zero_grad()
    net(torch.ones(1, 3, 64, 64)).sum().backward()
    optimizer.step()
"""
ROWS = "self.start = nn.Sequential(body.conv1, body.bn1); self.one = body.layer1; self.two = body.layer2; "
ALL = ROWS + "self.three = body.layer3; self.four = body.layer4"


@pytest.mark.parametrize(
    ("made", "parts", "way", "size"),
    [
        ("resnet18()", ALL, "return self.four(self.three(self.two(self.one(self.start(x)))))", "11.2M"),
        ("resnet18()", ROWS, "return self.two(self.one(self.start(x)))", None),
        ("vgg16()", "self.body = body.features", "return self.body(x)", "14.7M"),
        ("mobilenet_v2()", "self.body = body.features", "return self.body(x)", "2.22M"),
        ("vgg16()", "self.body = body.features[:9]", "return self.body(x)", None),
        ("vgg16()", "self.body = body.avgpool", "return self.body(x)", "18"),
        ("resnet18()", "self.body = nn.LazyConv2d(8, 1)", "return self.body(x)", None),
    ],
)
def test_parts_of_a_ready_network_count_where_all_its_rows_are_taken(read, made, parts, way, size):
    assert read({"fit.py": CODE.format(made=made, parts=parts, way=way)}, "python fit.py").param_size == size
