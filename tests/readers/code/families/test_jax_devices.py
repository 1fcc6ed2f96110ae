"""JAX: devices count where work is spread over them, not where they are counted or printed."""

TRAIN = """
import jax
import optax
from absl import logging

logging.info("devices: %r", jax.local_devices())
optimizer = optax.adam(1e-3)

def loss(params, batch):
    return params

def step(params, batch):
    grads = jax.grad(loss)(params, batch)
    updates, state = optimizer.update(grads, None)
    return optax.apply_updates(params, updates)

batch_size = 64
STEP
for batch in range(10):
    params = step({}, batch)
"""


def test_devices_that_are_only_printed_count_nothing(read):
    job = read({"train.py": TRAIN.replace("STEP", "step = jax.jit(step)")}, "python train.py")
    assert (job.is_training, job.num_gpus, job.distributed) == (True, 1, "none")


def test_devices_that_work_is_spread_over_leave_their_number_open(read):
    for made, label in (
        ("step = jax.pmap(step)", "JAX pmap"),
        ("mesh = jax.make_mesh((8,), ('data',))\nstep = jax.jit(step)", "JAX sharding"),
        ("step = jax.shard_map(step, mesh=jax.sharding.Mesh(jax.devices(), ('data',)))", "JAX sharding"),
    ):
        job = read({"train.py": TRAIN.replace("STEP", made)}, "python train.py")
        assert (job.num_gpus, label in str(job.distributed)) == (None, True), made


SCANNED = """
import functools
import jax, optax

def step(carry, batch):
    params, state = carry
    grads = jax.value_and_grad(lambda p: (p - batch).sum())(params)[1]
    updates, state = optimizer.update(grads, state)
    return (optax.apply_updates(params, updates), state), 0.0

optimizer = optax.adam(2e-4)
many_steps = jax.jit(functools.partial(jax.lax.scan, step))
carry = ({}, optimizer.init({}))
for batch in range(100):
    carry, losses = many_steps(carry, batch)
"""


def test_steps_under_a_scan_train(read):
    job = read({"train.py": SCANNED}, "python train.py")
    assert (job.is_training, job.learning_rate, job.optimizer) == (True, 2e-4, "Adam")
