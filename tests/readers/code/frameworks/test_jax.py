"""JAX: its own ways of calling a function, compiled ahead or in a loop, and the devices that work is spread over."""

import pytest

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


STEPPED = """
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
    job = read({"train.py": STEPPED.replace("STEP", "step = jax.jit(step)")}, "python train.py")
    assert (job.is_training, job.num_gpus, job.distributed) == (True, 1, "none")


@pytest.mark.parametrize(
    ("made", "count"),
    [
        ("step = jax.jit(step)\nstarts = jax.device_put({}, device=jax.devices('cpu')[0])", 1),
        ("step = jax.jit(step, device=jax.devices('cpu')[0])", 0),
        ("step = jax.jit(step, device=jax.local_devices(backend='gpu')[0])", 1),
        ("import parts\nstep = jax.jit(step)\nstarts = jax.device_put({}, device=parts.device)", None),
    ],
)
def test_a_device_is_asked_for_by_its_kind(read, made, count):
    job = read({"train.py": STEPPED.replace("STEP", made)}, "python train.py")
    assert (job.is_training, job.num_gpus) == (True, count)


def test_devices_that_work_is_spread_over_leave_their_number_open(read):
    for made, label in (
        ("step = jax.pmap(step)", "JAX pmap"),
        ("mesh = jax.make_mesh((8,), ('data',))\nstep = jax.jit(step)", "JAX sharding"),
        ("step = jax.shard_map(step, mesh=jax.sharding.Mesh(jax.devices(), ('data',)))", "JAX sharding"),
        ("import parts\nstep = jax.jit(step, out_shardings=(parts.of({}), None))", "JAX sharding"),
    ):
        job = read({"train.py": STEPPED.replace("STEP", made)}, "python train.py")
        assert (job.num_gpus, label in str(job.distributed)) == (None, True), made


def test_what_is_told_to_shard_the_whole_network_does(read):
    made = "mesh = jax.make_mesh((8,), ('data',))\nstep = jax.jit(step)"
    code = "from absl import flags\nflags.DEFINE_string('shard_by', 'dp', '')\n" + STEPPED.replace("STEP", made)
    told = [read({"train.py": code}, f"python train.py {words}").distributed for words in ("--shard_by fsdp", "")]
    assert told == ["FSDP", "JAX sharding"]


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


REPLICATED = """
import flax, jax, optax
class Trainer(flax.struct.PyTreeNode):
    opt: object
    def update(self, batch):
        grads = jax.grad(lambda params: params)(batch)
        return optax.apply_updates(batch, self.opt.update(grads, batch))
trainer = flax.jax_utils.replicate(Trainer(optax.adam(0.02)), devices=jax.local_devices())
for step in range(50):
    trainer.update(step)
"""


def test_copies_for_devices_are_what_they_are_copies_of(read):
    job = read({"train.py": REPLICATED}, "python train.py")
    assert (job.is_training, job.learning_rate) == (True, 0.02)


def test_what_flax_restores_is_made_as_its_target(read):
    code = """
import jax, optax
import flax.linen as nn
from flax import struct
from flax.training import checkpoints
from flax.training.train_state import TrainState

class Agent(struct.PyTreeNode):
    actor: TrainState
    @classmethod
    def create(cls, rate):
        net = nn.Dense(3)
        params = net.init(jax.random.PRNGKey(0), jax.numpy.ones((2, 2)))
        return cls(actor=TrainState.create(apply_fn=net.apply, params=params, tx=optax.adam(rate)))
    def update(self, batch):
        grads = jax.grad(lambda params: self.actor.apply_fn(params, batch).sum())(self.actor.params)
        return self.replace(actor=self.actor.apply_gradients(grads=grads))

agent = Agent.create(3e-4)
last = checkpoints.latest_checkpoint("saved")
if last is not None:
    agent = checkpoints.restore_checkpoint(last, agent)
for step in range(900):
    agent = agent.update(jax.numpy.ones((2, 2)))
"""
    job = read({"train.py": code}, "python train.py")
    assert (job.is_training, job.learning_rate, job.total_steps) == (True, 3e-4, 900)


def test_a_type_by_name_that_a_jax_model_computes_in_is_its_precision(read):
    code = (
        "import jax, optax, yaml\nimport jax.numpy as jnp\nimport flax.linen as nn\n"
        "cfg = yaml.safe_load(open('base.yml'))\n"
        "activations_dtype = jnp.dtype(cfg['activations_dtype'])\n"
        "net = nn.Dense(3, dtype=activations_dtype)\nparams = net.init(jax.random.PRNGKey(0), jnp.ones((2, 2)))\n"
        "tx = optax.adam(1e-3)\nstate = tx.init(params)\n"
        "for step in range(9):\n"
        "    grads = jax.grad(lambda p: net.apply(p, jnp.ones((2, 2))).sum())(params)\n"
        "    updates, state = tx.update(grads, state)\n    params = optax.apply_updates(params, updates)\n"
    )
    job = read({"train.py": code, "base.yml": "activations_dtype: bfloat16\n"}, "python train.py")
    assert job.precision == "bf16"


def test_a_schedule_that_rises_from_its_start_names_no_peak(read):
    text = CONDITIONAL.replace("SCHEDULE", "lambda count: 0.001 + 0.01 * count")
    text = text.replace("LOOP", "jax.lax.scan(step, ({}, 0), None, 100)")
    assert read({"train.py": text}, "python train.py").learning_rate is None


def test_a_partial_of_jaxs_trees_is_followed_as_any_other(read):
    main = """
    import jax
    import optax

    def step(state, batch, optimizer):
        grads = jax.grad(lambda weights: (weights * batch).sum())(state)
        updates, _ = optimizer.update(grads, None)
        return optax.apply_updates(state, updates)

    optimizer = optax.adam(3e-4)
    stepping = jax.jit(jax.tree_util.Partial(step, optimizer=optimizer))
    state = jax.numpy.zeros(3)
    for batch in range(70):
        state = stepping(state, batch)
    """
    found = read({"main.py": main}, "python main.py")
    assert (found.is_training, found.optimizer, found.learning_rate) == (True, "Adam", 3e-4)


AGENT = """
import jax, optax
import jax.numpy as jnp
from flax import struct

class Agent(struct.PyTreeNode):
    params: dict
    rate: float

    def update(self, rows):
        optimizer = optax.sgd(0.125)
        updates, state = optimizer.update(jax.grad(lambda p, r: p)(self.params, rows), None)
        return self.replace(params=optax.apply_updates(self.params, updates))

agent = TREE
for step in range(70):
    agent.update([1.0])
"""


@pytest.mark.parametrize(
    "tree", ["jax.tree_map(jnp.array, Agent({}, 0.5))", "jax.device_put(jax.tree.map(lambda x: x, Agent({}, 0.5)))"]
)
def test_an_object_whose_leaves_were_gone_over_is_still_of_its_class(read, tree):
    job = read({"go.py": AGENT.replace("TREE", tree)}, "python go.py")
    assert (job.is_training, job.optimizer, job.learning_rate, job.total_steps) == (True, "SGD", 0.125, 70)


BY_HAND = """
import jax
from jax import grad, jit

def loss(params, rows):
    return sum(rows @ w + b for w, b in params)

@jit
def update(params, rows):
    slopes = grad(loss)(ARGS)
    return STEP

params = [(1.0, 2.0)]
for epoch in range(6):
    for rows in ([1.0], [2.0], [3.0]):
        params = update(params, rows)
"""


@pytest.mark.parametrize(
    "step",
    [
        "[(w - 0.1 * dw, b - 0.1 * db) for (w, b), (dw, db) in zip(params, slopes)]",
        "jax.tree_util.tree_map(lambda p, g: p - 0.1 * g, params, slopes)",
    ],
)
def test_a_program_that_moves_its_parameters_by_hand_trains(read, step):
    job = read({"go.py": BY_HAND.replace("STEP", step).replace("ARGS", "params, rows")}, "python go.py")
    assert (job.is_training, job.epochs) == (True, 6)


@pytest.mark.parametrize(
    ("step", "args"),
    [
        ("params - 0.1 * slopes", "params, rows"),
        ("[x - 0.1 * f for x, f in zip(rows, slopes)]", "rows, params"),
        ("[1.0 - (0.1 * w - 1.0 * 2.0) for w in params]", "rows, params"),
        ("[w - 0.1 * dw for w, dw in zip(params, slopes)]", "params"),
        ("[w + dw for w, dw in zip(params, slopes)]", "params, rows"),
    ],
)
def test_gradients_that_move_no_parameters_on_data_do_not_train(read, step, args):
    job = read({"go.py": BY_HAND.replace("STEP", step).replace("ARGS", args)}, "python go.py")
    assert job.is_training is None


@pytest.mark.parametrize(
    ("meets", "nodes"),
    [
        ("", 1),
        ("jax.distributed.initialize()", None),
        ("jax.distributed.initialize(coordinator_address='a:1', num_processes=1, process_id=0)", 1),
        ("if logging.level_debug():\n    jax.distributed.initialize()", 1),
    ],
)
def test_who_meets_the_others_of_a_slice_does_not_know_how_many_machines_there_are(read, meets, nodes):
    text = STEPPED.replace("STEP\n", "").replace("batch_size = 64", meets)
    assert read({"train.py": text}, "python train.py").num_nodes == nodes


@pytest.mark.parametrize(("kind", "precision"), [("np.float64", "fp32"), ("jnp.float64", "fp64")])
def test_numbers_that_numpy_keeps_are_not_those_of_the_network(read, kind, precision):
    program = """
import jax
import jax.numpy as jnp
import numpy as np
import optax

def kept(rows, dtype):
    return np.asarray(rows, dtype=dtype)

def loss(weights, rows):
    return jnp.sum(weights * rows)

weights = jnp.ones(3)
adam = optax.adam(1e-3)
state = adam.init(weights)
for step in range(20):
    rows = kept([1, 2, 3], dtype=KIND)
    updates, state = adam.update(jax.grad(loss)(weights, rows), state)
    weights = optax.apply_updates(weights, updates)
"""
    job = read({"main.py": program.replace("KIND", kind)}, "python main.py")
    assert job.precision == precision
