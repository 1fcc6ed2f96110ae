"""Functions that are not followed for their names, and those that are in spite of them."""

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
