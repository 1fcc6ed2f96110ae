"""JAX's own ways of calling a function: compiled ahead of its first call, as whoever times it does."""

TRAIN = """
import jax, optax

def make_train(config):
    optimizer = optax.adam(config["LR"])

    def train(key):
        params = {}
        for step in range(config["STEPS"]):
            grads = jax.grad(lambda p: p)(params)
            updates, state = optimizer.update(grads, None)
            params = optax.apply_updates(params, updates)
        return params

    return train

train = jax.jit(jax.vmap(make_train({"LR": 5e-5, "STEPS": 300})))
CALL
"""


def test_a_function_that_was_compiled_ahead_is_the_function(read):
    ahead = "train.lower(keys).compile()"
    for call in ("train(keys)", f"{ahead}(keys)", f"ready = {ahead}\nready(keys)"):
        job = read({"train.py": TRAIN.replace("CALL", call)}, "python train.py")
        assert (job.is_training, job.learning_rate, job.optimizer) == (True, 5e-5, "Adam"), call


def test_a_function_that_was_only_compiled_did_not_run(read):
    job = read({"train.py": TRAIN.replace("CALL", "train.lower(keys).compile()")}, "python train.py")
    assert job.learning_rate is None
