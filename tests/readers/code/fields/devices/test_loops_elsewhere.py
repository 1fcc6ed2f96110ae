"""A loop that lies in an unknown library trains by the steps that the program's class fills in."""

import pytest

PROGRAM = """
    import torch
    from tideloops import Loop

    class Shells(Loop):
        def get_model(self, told):
            return torch.nn.Linear(told.rows, 2)
        def {method}(self, batch):
            return self.model(batch).sum()

    if __name__ == "__main__":
        {start}
    """


@pytest.mark.parametrize("start", ["Shells.main()", "Shells().run()", "loop = Shells(4)\n        loop.start()"])
def test_a_class_that_fills_in_the_step_trains_when_it_is_run(read, start):
    found = read({"shells.py": PROGRAM.format(method="train_step", start=start)}, "python shells.py --plan a.yaml")
    assert found.is_training is True
    assert (found.distributed, found.num_gpus, found.global_batch_size) == (None, None, None)


@pytest.mark.parametrize(
    ("method", "start", "words"),
    [
        ("test_step", "Shells.main()", ""),
        ("train_step", "Shells.describe()", ""),
        ("train_step", "Shells.main()", "run.mode evaluate"),
    ],
)
def test_nothing_else_says_so(read, method, start, words):
    found = read({"shells.py": PROGRAM.format(method=method, start=start)}, f"python shells.py {words}")
    assert found.is_training is not True
