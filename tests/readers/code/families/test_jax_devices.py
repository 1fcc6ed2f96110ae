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
        ("import parts\nstep = jax.jit(step, out_shardings=(parts.of({}), None))", "JAX sharding"),
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


FLAX = """
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from typing import Any

class Net(nn.Module):
    dtype: Any = jnp.float32

    @nn.compact
    def __call__(self, x):
        return nn.Dense(10, dtype=self.dtype)(x)

HALF = True
KIND
dtype = (jnp.bfloat16 if platform == "tpu" else jnp.float16) if HALF else jnp.float32
model = Net(dtype=dtype)
optimizer = optax.adam(1e-3)
params = model.init(jax.random.key(0), jnp.ones((1, 4)))
for batch in range(10):
    grads = jax.grad(lambda params: model.apply(params, jnp.ones((1, 4))).sum())(params)
    updates, state = optimizer.update(grads, None)
    params = optax.apply_updates(params, updates)
"""


def test_the_kind_of_device_decides_between_two_kinds_of_half(read):
    on_gpus = FLAX.replace("KIND", "platform = jax.local_devices()[0].platform")
    assert read({"train.py": on_gpus}, "python train.py").precision == "fp16"
    told = FLAX.replace("KIND", "import os\nplatform = os.environ['PLATFORM']")
    assert read({"train.py": told}, "python train.py").precision is None
    assert read({"train.py": on_gpus.replace("HALF = True", "HALF = False")}, "python train.py").precision == "fp32"


PACKAGE = {
    "main.py": """
        from absl import app, flags
        from ml_collections import config_flags
        import diffusers_of_ours.experiment

        FLAGS = flags.FLAGS
        config_flags.DEFINE_config_file("config", None, "settings")

        def main(argv):
            diffusers_of_ours.experiment.Experiment(FLAGS.config).train()

        if __name__ == "__main__":
            app.run(main)
        """,
    "configs/small.py": """
        import ml_collections

        def d(**kwargs):
            return ml_collections.ConfigDict(initial_dictionary=kwargs)

        def get_config():
            config = ml_collections.ConfigDict()
            config.training = d(num_steps_train=5000, batch_size=64)
            config.optimizer = d(name="adamw", args=d(b1=0.9), learning_rate=2e-4)
            return config
        """,
    "experiment.py": """
        import jax
        import optax
        from diffusers_of_ours.schedules import rate

        class Experiment:
            def __init__(self, config):
                self.config = config
                self.state = optax.adamw(1.0, **config.optimizer.args).init({})

            def train(self):
                step = 0
                while step < self.config.training.num_steps_train:
                    grads = jax.grad(lambda params: rate(params))({})
                    updates, _ = optax.adamw(rate(step), **self.config.optimizer.args).update(grads, self.state)
                    optax.apply_updates({}, updates)
                    step += 1
        """,
    "schedules.py": "import jax.numpy as jnp\n\ndef rate(step):\n    return jnp.sin(step)\n",
}


def test_a_repository_that_is_itself_the_package_is_run_from_above(read):
    command = "python3 -m diffusers_of_ours.main --config=diffusers_of_ours/configs/small.py"
    job = read(PACKAGE, command)
    assert (job.is_training, job.total_steps, job.batch_size, job.optimizer) == (True, 5000, 64, "AdamW")
    assert job.learning_rate == 2e-4


CONDITIONAL = """
import jax
import jax.numpy as jnp
import optax

config = {"RATE": 0.25, "UPDATES": 1000}

def schedule(count):
    return config["RATE"] * (1.0 - count / config["UPDATES"])

optimizer = optax.adam(learning_rate=SCHEDULE)

def learn(params, batch):
    grads = jax.grad(lambda params: params)(params)
    updates, state = optimizer.update(grads, None)
    return optax.apply_updates(params, updates)

def step(carry, unused):
    params, count = carry
    params = jax.lax.cond(count % 10 == 0, lambda params: learn(params, None), lambda params: params, params)
    return (params, count + 1), None

LOOP
"""


def test_what_a_condition_or_a_loop_of_jax_runs_is_followed(read):
    for loop in (
        "jax.lax.scan(step, ({}, 0), None, 100)",
        "jax.lax.fori_loop(0, 100, lambda round, carry: step(carry, None)[0], ({}, 0))",
        "jax.lax.while_loop(lambda carry: carry[1] < 100, lambda carry: step(carry, None)[0], ({}, 0))",
    ):
        job = read({"train.py": CONDITIONAL.replace("SCHEDULE", "schedule").replace("LOOP", loop)}, "python train.py")
        assert (job.is_training, job.optimizer, job.learning_rate) == (True, "Adam", 0.25), loop


def test_a_schedule_that_rises_from_its_start_names_no_peak(read):
    text = CONDITIONAL.replace("SCHEDULE", "lambda count: 0.001 + 0.01 * count")
    text = text.replace("LOOP", "jax.lax.scan(step, ({}, 0), None, 100)")
    assert read({"train.py": text}, "python train.py").learning_rate is None
