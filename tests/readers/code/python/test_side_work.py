"""Functions that are not followed for their names, and those that are in spite of them."""

import pytest

PROGRAM = """
import jax, optax
from flax.training.train_state import TrainState

def log_prob_update(actor, batch):
    grads = jax.grad(lambda params: (params - batch).mean())(actor.params)
    return actor.apply_gradients(grads=grads)

actor = TrainState.create(apply_fn=None, params={}, tx=optax.adam(3e-4))
for step in range(100):
    actor = log_prob_update(actor, step)
"""


def test_a_function_that_applies_gradients_is_followed_whatever_its_name(read):
    job = read({"train.py": PROGRAM}, "python train.py")
    assert (job.is_training, job.learning_rate, job.optimizer) == (True, 3e-4, "Adam")
    idle = PROGRAM.replace("actor.apply_gradients(grads=grads)", "grads")
    assert read({"train.py": idle}, "python train.py").is_training is not True


LOADERS = """
import torch
from torch.utils.data import DataLoader

def {name}(rows, size):
    loader = DataLoader(rows, batch_size=size)
    return {given}

def main():
    net = torch.nn.Linear(4, 4)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    train_loader = {name}(open("rows"), 24)
    for epoch in range(3):
        for x in train_loader:
            net(x).sum().backward()
            sgd.step()

main()
"""


@pytest.mark.parametrize(
    ("name", "given", "size"),
    [
        ("sample_rows", "loader", 24),
        ("generate_rows", "loader, len(rows)", 24),
        ("generate_rows", "len(rows)", None),
        ("validate_rows", "loader", None),
    ],
)
def test_a_function_that_hands_a_loader_back_is_followed_unless_it_is_for_evaluation(read, name, given, size):
    assert read({"train.py": LOADERS.format(name=name, given=given)}, "python train.py").batch_size == size


DRAWS = """
    import torch
    net = torch.nn.Linear(2, 1)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.25)
    x = []
    class Agent:
        def learn_from(self, rows):
            x.append(rows)
    def NAME(agent):
        agent.learn_from(5)
    def main():
        NAME(Agent())
    main()
"""


def test_a_name_that_says_that_it_learns_too_is_followed(outcome):
    for name in ("sample_and_train", "generate_walks_if_needed_and_update_agent", "evaluate_and_fit"):
        assert outcome(DRAWS.replace("NAME", name)) == [5]
    for name in ("sample_and_plot", "generate_walks", "evaluate_and_update_best_score"):
        assert outcome(DRAWS.replace("NAME", name)) == []
