"""Rates of one that a schedule multiplies."""

import pytest

PROGRAM = """
import math
import numpy as np
import torch
{schedule}
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.AdamW(model.parameters(), lr={rate})
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, {name})
for step in range(20_000):
    model(draw()).sum().backward()
    optimizer.step()
    scheduler.step()
"""
COSINE = """
class Rate:
    def __init__(self, top, last, rise, steps):
        self.top, self.last, self.rise, self.steps = top, last, rise, steps
    def __call__(self, step):
        if step < self.rise:
            return self.top * step / self.rise
        part = min(1.0, (step - self.rise) / (self.steps - self.rise))
        return self.last + 0.5 * (self.top - self.last) * (1 + math.cos(part * torch.pi))
"""
LINEAR = """
class Line:
    def __init__(self, rise, best):
        self.rise, self.best = rise, best
    def give(self, step):
        return self.best * min(1, (step + 1) / self.rise)
"""
DECAY = """
def decay(step):
    return 0.002 * np.exp(-step / 5000)
"""
NOAM = """
def noam(step):
    return 512 ** -0.5 * min((step + 1) ** -0.5, (step + 1) * 4000 ** -1.5)
"""


@pytest.mark.parametrize(
    ("schedule", "name", "rate", "expected"),
    [
        (COSINE, "Rate(3e-4, 0, 750, 20_000)", "1", 3e-4),
        (COSINE, "lr_lambda=Rate(3e-4, 1e-6, 0, 20_000)", "1.0", 3e-4),
        (DECAY, "decay", "1", 0.002),
        # What stays open: a bound method of what is not asked, a peak between the places, and what is not known.
        (LINEAR, "Line(300, 1e-3).give", "1", None),
        (NOAM, "noam", "1", None),
        (COSINE, "Rate(best(), 0, 750, 20_000)", "1", None),
        # A rate of its own that is multiplied is told as it is.
        (COSINE, "Rate(1, 0, 750, 20_000)", "0.005", 0.005),
    ],
)
def test_the_schedule_s_peak_is_the_rate(read, schedule, name, rate, expected):
    program = PROGRAM.format(schedule=schedule, name=name, rate=rate)
    assert read({"go.py": program}, "python go.py").learning_rate == expected


def test_a_configured_expression_may_have_spaces(read):
    program = """
import hydra, torch
from omegaconf import OmegaConf
@hydra.main(config_path=".", config_name="job", version_base="1.3")
def main(config):
    net = torch.nn.Linear(4, 2)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(config.half):
        net(draw()).sum().backward()
        sgd.step()
main()
"""
    job = 'steps: 900\nhalf: "${eval: ${steps} // 2}"\n'
    assert read({"go.py": program, "job.yaml": job}, "python go.py").total_steps == 450


OWN = """
import tensorflow as tf
from tensorflow.python.training import optimizer

class LionOptimizer(optimizer.Optimizer):
    def __init__(self, {names}, name="Lion"):
        super().__init__(False, name)

step = tf.train.get_or_create_global_step()
made = LionOptimizer({given})
work = made.minimize(loss(), global_step=step)
with tf.train.MonitoredTrainingSession() as session:
    while not session.should_stop():
        session.run(work)
"""


@pytest.mark.parametrize(
    ("names", "given", "expected"),
    [
        ("learning_rate=0.5", "tf.train.piecewise_constant(step, [100, 900], [1e-4, 2e-3, 1e-4])", 2e-3),
        ("learning_rate=0.5", "tf.train.piecewise_constant(step, boundaries=[100], values=[3e-3, 1e-4])", 3e-3),
        ("learning_rate=0.5", "0.004", 0.004),
        ("momentum=0.5, lr=0.2", "0.9, 0.004", 0.004),
        ("momentum=0.5, lr=0.2", "0.9", None),
        ("learning_rate=0.5", "tf.train.piecewise_constant(step, [100], rates())", None),
    ],
)
def test_an_own_optimizer_takes_its_rate_where_it_says(read, names, given, expected):
    program = OWN.format(names=names, given=given)
    assert read({"go.py": program}, "python go.py").learning_rate == expected
