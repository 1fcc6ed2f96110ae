"""After how many rounds a loop's own body leaves it, where a counter and a known bound say so."""

import pytest

from tests.readers.code.programs import mnist_job

BUFFER = """
import torch
class Buffer:
    def __init__(self):
        self.held = 0
    def insert(self):
        self.held = self.held + 1
    def can_sample(self, size):
        return self.held >= size
net = torch.nn.Linear(3, 2)
optimizer = torch.optim.RMSprop(net.parameters(), lr=0.25)
buffer, t_env = Buffer(), 0
while t_env <= 5000:
    buffer.insert()
    if buffer.can_sample(32):
        for part in reversed(range(unknown())):
            net(part).sum().backward()
        optimizer.step()
    t_env += 1
"""


def test_a_buffer_that_fills_is_full_some_time(read):
    job = read({"main.py": BUFFER}, "python main.py")
    assert (job.is_training, job.learning_rate, job.epochs) == (True, 0.25, None)


ROUND = """
def run(epoch, limit):
    for i, (x, y) in enumerate(loader):
        if {test}:
            break
        STEP
limit = 100
limits = [10, 100, 900, 900, 900]
for epoch in range(5):
    run(epoch, {limit})
{after}
"""


@pytest.mark.parametrize(
    ("test", "limit", "after", "steps"),
    [
        ("i >= limit", "100", "", 500),
        ("i >= limit", "limit", "    for x, y in DataLoader(MNIST('d', train=False), batch_size=64): net(x)", 500),
        ("i >= limit", "100 if epoch == 0 else 10000", "", None),
        ("i >= limit", "limits[epoch]", "", None),
        ("i >= limit", "limit", "    limit += 100", None),
        ("i >= 50 and epoch == 0", "limit", "", None),
    ],
)
def test_limits_that_change_from_epoch_to_epoch_are_open(read, test, limit, after, steps):
    text = ROUND.format(test=test, limit=limit, after=after)
    job = mnist_job(read, text)
    assert (job.epochs, job.total_steps) == (5, steps)
    short = mnist_job(read, text.replace("range(5)", "range(2)"))
    assert (short.epochs, short.total_steps) == (2, steps and 200)
