"""Loops over batches that pass over a last one which is not full."""

import pytest

from tests.readers.code.programs import mnist_job


@pytest.mark.parametrize(("test", "steps"), [("len(x) < batch_size", 4685), ("len(y.unique()) < batch_size", 4690)])
def test_a_last_small_batch_is_passed_over(read, test, steps):
    text = "batch_size = 64\nfor epoch in range(5):\n    for x, y in loader:\n"
    text += "        if {}:\n            continue\n        STEP\n"
    assert mnist_job(read, text.format(test)).total_steps == steps
