"""Programs of PaddlePaddle: its ready networks, and its optimizers where they are told no rate."""

import pytest

PROGRAM = """
import paddle
net = paddle.vision.models.{net}(num_classes=10)
model = paddle.Model(net)
model.prepare({optimizer}, paddle.nn.CrossEntropyLoss())
model.fit(load(), epochs=5, batch_size=64)
"""


@pytest.mark.parametrize(
    ("optimizer", "name", "rate"),
    [
        ("paddle.optimizer.Adam(parameters=model.parameters())", "Adam", 0.001),
        ("paddle.optimizer.SGD(parameters=model.parameters())", "SGD", 0.001),
        ("paddle.optimizer.Adam(0.02, parameters=model.parameters())", "Adam", 0.02),
        ("paddle.optimizer.Adam(learning_rate=told(), parameters=model.parameters())", "Adam", None),
        ("paddle.optimizer.Adagrad(parameters=model.parameters())", "Adagrad", None),
    ],
)
def test_a_rate_that_is_not_told_is_the_default(read, optimizer, name, rate):
    job = read({"go.py": PROGRAM.format(net="LeNet", optimizer=optimizer)}, "python go.py")
    assert (job.model_name, job.optimizer, job.learning_rate) == ("LeNet", name, rate)
