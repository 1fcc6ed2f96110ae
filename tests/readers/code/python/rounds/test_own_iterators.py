"""Trainers that train while they are gone over: by a loop, by a generator of their own, or by a queue without room."""

import pytest

PARTS = """
    import collections
    import torch
    class Coach:
        def __init__(self, rounds):
            self.net = torch.nn.Linear(2, 1)
            self.optimizer = torch.optim.RMSprop(self.net.parameters(), lr=0.03)
            self.rounds, self.at = rounds, 0
        def train_step(self):
            for rows in torch.utils.data.DataLoader(range(99), batch_size=18):
                self.net(rows).sum().backward()
                self.optimizer.step()
    class Stepwise(Coach):
        def __iter__(self):
            return self
        def __next__(self):
            self.at += 1
            if self.at > self.rounds:
                raise StopIteration
            self.train_step()
            return self.at
    class Yielding(Coach):
        def __iter__(self):
            for at in range(self.rounds):
                self.train_step()
                yield at
    {use}
    """


@pytest.mark.parametrize(
    "use",
    [
        "for at in Stepwise(6):\n        print(at)",
        "for at in Yielding(6):\n        print(at)",
        "collections.deque(Stepwise(6), maxlen=0)",
    ],
)
def test_going_over_a_trainer_trains(read, use):
    job = read({"go.py": PARTS.format(use=use)}, "python go.py")
    assert (job.is_training, job.optimizer, job.learning_rate, job.batch_size) == (True, "RMSprop", 0.03, 18)


def test_an_iterator_of_data_is_not_followed(follow):
    _, names = follow(
        """
        class Rows:
            def __iter__(self):
                return iter([1, 2])
            def __next__(self):
                raise StopIteration
        seen = "nothing"
        for seen in Rows():
            pass
        """
    )
    assert names["seen"].data not in (1, "nothing")
