"""MindSpore: parts that are turned to another type, and levels of mixed precision."""

import pytest

PROGRAM = """
    import mindspore
    import mindspore.nn as nn
    from mindspore import Model, amp
    from mindspore import dtype as mstype

    class Body(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layer = nn.Dense(4, 4)

    class Whole(nn.Cell):
        def __init__(self, body):
            super().__init__(auto_prefix=False)
            self._body = body{cast}

    whole = Whole(Body())
    best = nn.Momentum(whole.trainable_params(), learning_rate=0.05, momentum=0.9)
    {made}
    model.train(12, rows, dataset_sink_mode=True)
"""


@pytest.mark.parametrize(
    ("cast", "made", "precision"),
    [
        (".to_float(mstype.float16)", "model = Model(whole, optimizer=best)", "fp16"),
        ("", "model = Model(whole, optimizer=best, amp_level='O2')", "fp16"),
        ("", "model = Model(whole, optimizer=best, amp_level='O0')", "fp32"),
        ("", "model = Model(whole, optimizer=best)", "fp32"),
        (".to_float(mstype.float32)", "model = Model(whole, optimizer=best)", "fp32"),
    ],
)
def test_casts_and_levels_tell_the_precision(read, cast, made, precision):
    found = read({"learn.py": PROGRAM.format(cast=cast, made=made)}, "python learn.py")
    assert (found.is_training, found.epochs, found.learning_rate) == (True, 12, 0.05)
    assert found.precision == precision


@pytest.mark.parametrize(
    ("sunk", "epochs", "steps"),
    [
        ("True, sink_size=30", None, 360),
        ("True, sink_size=-1", 12, None),
        ("False, sink_size=30", 12, None),
        ("asked(), sink_size=30", None, None),
        ("True, sink_size=asked()", None, None),
    ],
)
def test_what_is_sunk_at_once_is_the_length_of_an_epoch(read, sunk, epochs, steps):
    made = "from asking import asked\n    model = Model(whole, optimizer=best)"
    code = PROGRAM.format(cast="", made=made).replace("dataset_sink_mode=True", f"dataset_sink_mode={sunk}")
    found = read({"learn.py": code}, "python learn.py")
    assert (found.is_training, found.epochs, found.total_steps) == (True, epochs, steps)


@pytest.mark.parametrize(("switch", "precision"), [("True", "fp16"), ("False", "fp32")])
def test_casts_that_the_context_is_told_to_make(read, switch, precision):
    made = f"mindspore.set_context(enable_auto_mixed_precision={switch})\n    model = Model(whole, optimizer=best)"
    assert read({"main.py": PROGRAM.format(cast="", made=made)}, "python main.py").precision == precision
