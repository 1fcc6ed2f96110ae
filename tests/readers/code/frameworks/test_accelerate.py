"""Hugging Face Accelerate: wraps model, optimizer and data; its launcher settles processes and precision."""


def test_what_is_prepared_together_comes_back_in_its_order(outcome):
    text = "from accelerate import Accelerator\nx, y = Accelerator().prepare(1, 2)\nx = (x, y)\n"
    assert outcome(text) == (1, 2)
