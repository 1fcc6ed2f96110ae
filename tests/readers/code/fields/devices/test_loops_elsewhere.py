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


STARTS = ["Shells.main()", "Shells().run()", "loop = Shells(4)\n        loop.start()", "Shells.new_run(4)"]


@pytest.mark.parametrize("start", STARTS)
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


STARTED = """
import torch
from tideloops import Plan, farm, plan_from_words

class Learner:
    def learn(self, batch):
        return torch.nn.functional.relu(batch)

farm.{start}(Plan(plan_from_words(), Learner))
"""


def test_a_program_that_is_named_after_training_and_hands_it_over_trains(read):
    command = "python train_shells.py --learning_rate 0.25"
    job = read({"train_shells.py": STARTED.format(start="launch")}, command)
    assert (job.is_training, job.distributed) == (True, None)


@pytest.mark.parametrize(
    ("name", "start", "words"),
    [
        ("shells.py", "launch", "--learning_rate 0.25"),
        ("train_shells.py", "describe", "--learning_rate 0.25"),
        ("train_shells.py", "launch", "--colour blue"),
    ],
)
def test_of_name_start_and_settings_none_is_enough_by_itself(read, name, start, words):
    job = read({name: STARTED.format(start=start)}, f"python {name} {words}")
    assert job.is_training is None
