"""JAX's own optimizers, which are three functions."""

import pytest

PROGRAM = """
    import argparse, itertools
    import jax.numpy as jnp
    from jax import grad, jit, random
    from jax.{place} import optimizers
    parser = argparse.ArgumentParser()
    parser.add_argument("--step", type=float, default=0.02)
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()

    def loss(weights, batch):
        return jnp.mean((batch @ weights) ** 2)

    start, move, weights_of = optimizers.{made}

    @jit
    def update(number, state, batch):
        return move(number, grad(loss)(weights_of(state), batch), state)

    state = start(random.normal(random.PRNGKey(0), (4, 2)))
    for epoch in range(args.rounds):
        for number, batch in enumerate(batches):
            state = update(number, state, batch)
    """


@pytest.mark.parametrize("place", ["example_libraries", "experimental"])
@pytest.mark.parametrize(
    ("made", "optimizer", "rate"),
    [
        ("adam(args.step, 0.9, 0.95)", "Adam", 0.02),
        ("momentum(0.3, mass=0.9)", "SGD", 0.3),
        ("rmsprop(step_size=args.step)", "RMSprop", 0.02),
        ("sgd(lambda number: 0.1 / number)", "SGD", None),
    ],
)
def test_the_rate_stands_first_and_the_second_function_makes_the_step(read, place, made, optimizer, rate):
    job = read({"go.py": PROGRAM.format(place=place, made=made)}, "python go.py")
    assert (job.is_training, job.optimizer, job.learning_rate, job.epochs) == (True, optimizer, rate, 7)
    assert job.precision == "fp32"
