"""Trainers of libraries that a repository extends: its own `fit` in place of theirs is told the same things."""

import pytest

TRAINER = """
    from mxnet.module.base_module import BaseModule

    class Stretchy(BaseModule):
        def __init__(self, symbol, context=None, rows=1):
            super(Stretchy, self).__init__()
            self.symbol, self.context = symbol, context

        def fit(self, train_data, optimizer="sgd", optimizer_params=(("learning_rate", 0.3),), num_epoch=None):
            self.bind(train_data.provide_data)
            for epoch in range(num_epoch):
                for batch in train_data:
                    self.forward_backward(batch)
                    self.update()

        def predict(self, data, num_epoch=4):
            return data
"""
PROGRAM = """
    import mxnet as mx
    from stretchy import Stretchy

    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=10)
    devices = [mx.gpu(int(one)) for one in "{devices}".split(",")]
    rows = mx.io.NDArrayIter(load(), batch_size=64)
    made = Stretchy(net, {context})
    made.{call}
"""
FIT = 'fit(rows, optimizer="nag", optimizer_params={"learning_rate": 0.07, "wd": 1e-4}, num_epoch=9)'


def repository(call=FIT, devices="0,2", context="context=devices"):
    text = PROGRAM.replace("{devices}", devices).replace("{context}", context).replace("{call}", call)
    return {"stretchy.py": TRAINER, "learn.py": text}


@pytest.mark.parametrize(("devices", "count"), [("0,2", 2), ("1", 1)])
@pytest.mark.parametrize("context", ["context=devices", "devices"])
def test_its_own_fit_tells_optimizer_rate_epochs_and_devices(read, devices, count, context):
    found = read(repository(devices=devices, context=context), "python learn.py")
    assert (found.is_training, found.epochs, found.learning_rate) == (True, 9, 0.07)
    assert (found.num_gpus, found.precision) == (count, "fp32")
    assert found.distributed == ("MXNet data parallel" if count > 1 else "none")


def test_what_is_given_by_place_counts_too(read):
    found = read(repository('fit(rows, "adam", {"learning_rate": 0.02}, 5)'), "python learn.py")
    assert (found.epochs, found.learning_rate, found.optimizer) == (5, 0.02, "Adam")


def test_another_method_of_such_a_class_trains_nothing(read):
    found = read(repository("predict(rows)"), "python learn.py")
    assert (found.is_training, found.epochs, found.learning_rate) != (True, 4, 0.3)
    assert found.epochs is None


def test_a_method_that_calls_the_librarys_in_the_end_leaves_it_the_word(read):
    handing = TRAINER.replace(
        "self.bind(train_data.provide_data)",
        'told = {"optimizer": "adam", "optimizer_params": {"learning_rate": 0.5}, "num_epoch": 3}\n'
        "            super(Stretchy, self).fit(train_data, **told)\n"
        "            return",
    )
    files = {**repository(), "stretchy.py": handing}
    found = read(files, "python learn.py")
    assert (found.epochs, found.learning_rate, found.optimizer) == (3, 0.5, "Adam")
