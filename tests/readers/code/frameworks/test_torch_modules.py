"""PyTorch's modules that grow: layers that are put into a row, and parts that a module registers by name."""

PLACED = """
import paddle
from paddle import nn

class Body(nn.Layer):
    def __init__(self, depth):
        super().__init__()
        for place in range(depth):
            name = "row" + chr(97 + place)
            self.add_sublayer(name, nn.Linear(4, 4))

    def forward(self, x):
        return x

body = Body(3)
optimizer = paddle.optimizer.SGD(parameters=body.parameters())
for step in range(3):
    body(step).backward()
    optimizer.step()
"""


def test_layers_under_names_that_are_worked_out_are_all_counted(read):
    assert read({"go.py": PLACED}, "python go.py").param_size == "60"
