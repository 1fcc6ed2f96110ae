"""MindSpore's models and steps."""

HEAD = """
import mindspore
from mindspore import Model, nn
import mindspore.dataset as ds
rows = ds.MnistDataset("digits").batch(16)
net = nn.Dense(4, 2)
optimizer = nn.Momentum(net.trainable_params(), {rate}, momentum=0.9)
"""


def test_a_model_is_told_its_epochs(read):
    code = HEAD.format(rate="learning_rate=0.25") + "Model(net, nn.MSELoss(), optimizer).train(7, rows)\n"
    job = read({"train.py": code}, "python train.py")
    assert (job.is_training, job.epochs, job.learning_rate, job.optimizer) == (True, 7, 0.25, "SGD")


def test_an_optimizer_that_is_called_takes_a_step(read):
    code = HEAD.format(rate="0.25") + (
        "work_out = mindspore.value_and_grad(lambda x: net(x).sum(), None, optimizer.parameters)\n"
        "for epoch in range(7):\n    for x in rows.create_tuple_iterator():\n        optimizer(work_out(x)[1])\n"
    )
    job = read({"train.py": code}, "python train.py")
    assert (job.is_training, job.epochs, job.learning_rate, job.batch_size) == (True, 7, 0.25, 16)
