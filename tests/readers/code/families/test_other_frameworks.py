"""MXNet, Haiku, JAX's replicas and Horovod's launcher: how devices, precision and updates are told there."""

import pytest

GLUON = """
import argparse
import mxnet as mx
from mxnet import autograd, gluon
from mxnet.contrib import amp
import horovod.mxnet as hvd
from gluoncv.model_zoo import get_model

parser = argparse.ArgumentParser()
parser.add_argument("--gpus", default="0")
parser.add_argument("--batch", dest="batch_size", type=int, default=64)
parser.add_argument("--amp", action="store_true")
parser.add_argument("--horovod", action="store_true")
args = parser.parse_args()
if args.amp:
    amp.init()
if args.horovod:
    hvd.init()
    places = [mx.gpu(hvd.local_rank())]
else:
    places = [mx.gpu(int(i)) for i in args.gpus.split(",") if i.strip()] or [mx.cpu()]
net = get_model("resnet18_v1")
settings = {"learning_rate": 0.375}
if args.horovod:
    trainer = hvd.DistributedTrainer(net.collect_params(), "nag", settings)
else:
    trainer = gluon.Trainer(net.collect_params(), "nag", settings)
data = gluon.data.DataLoader(gluon.data.vision.CIFAR10(train=True), batch_size=args.batch_size, shuffle=True)
for epoch in range(21):
    for batch in data:
        parts = gluon.utils.split_and_load(batch[0], ctx_list=places, batch_axis=0)
        with autograd.record():
            losses = [net(part) for part in parts]
        for loss in losses:
            loss.backward()
        trainer.step(args.batch_size)
"""


@pytest.mark.parametrize(("gpus", "count", "share"), [("0,1,2,3", 4, 16), ("2", 1, 64), ("''", 0, 64)])
def test_one_process_of_mxnet_shares_its_batch_among_its_contexts(read, gpus, count, share):
    found = read({"fit.py": GLUON}, f"python fit.py --gpus {gpus}")
    assert (found.optimizer, found.learning_rate, found.epochs) == ("SGD", 0.375, 21)
    assert (found.num_gpus, found.batch_size, found.global_batch_size) == (count, share, 64)
    assert str(found.model_name).startswith("resnet18")
    assert ("MXNet" in str(found.distributed)) is (count > 1)


@pytest.mark.parametrize("library", ["gluoncv", "gluonnlp"])
def test_so_do_the_libraries_around_it(read, library):
    code = f"from {library}.utils import split_and_load\n" + GLUON.replace("gluon.utils.split", "split")
    found = read({"fit.py": code}, "python fit.py --gpus 0,1")
    assert (found.num_gpus, found.batch_size, found.global_batch_size) == (2, 32, 64)
    assert "MXNet" in str(found.distributed)


def test_automatic_casts_and_horovods_trainer_of_mxnet(read):
    found = read({"fit.py": GLUON}, "horovodrun -np 4 python fit.py --horovod --amp --batch 8")
    assert (found.precision, found.optimizer, found.learning_rate) == ("fp16", "SGD", 0.375)
    assert (found.distributed, found.num_gpus, found.num_nodes, found.global_batch_size) == ("Horovod", 4, 1, 32)
    assert read({"fit.py": GLUON}, "horovodrun -np 4 --hostfile h python fit.py --horovod").num_nodes is None


HAIKU = """
from absl import app, flags
import haiku as hk
import jax
import jmp
import optax

flags.DEFINE_string("policy", "p=f32,c=f32,o=f32", "")
FLAGS = flags.FLAGS

class LanguageModel(hk.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.attention = hk.MultiHeadAttention(4, 8, 1.0)

    def __call__(self, x):
        return self.attention(x, x, x)

@hk.transform
def loss_fn(x):
    return LanguageModel(32)(x).mean()

def rule():
    return optax.chain(optax.trace(decay=0.9, nesterov=True), optax.scale(-0.0625))

def main(_):
    hk.mixed_precision.set_policy(LanguageModel, jmp.get_policy(FLAGS.policy))
    params = loss_fn.init(jax.random.PRNGKey(0), 1)
    state = rule().init(params)
    for step in range(77):
        grads = jax.grad(loss_fn.apply)(params, None, 1)
        updates, state = rule().update(grads, state)
        params = optax.apply_updates(params, updates)

app.run(main)
"""


@pytest.mark.parametrize(
    ("policy", "precision"),
    [("p=f32,c=f32,o=f32", "fp32"), ("p=f32,c=bf16,o=f32", "bf16"), ("params=float32,compute=float16", "fp16")],
)
def test_haikus_functions_are_followed_and_jmps_policies_read(read, policy, precision):
    found = read({"fit.py": HAIKU}, f"python fit.py --policy {policy}")
    assert (found.precision, found.total_steps) == (precision, 77)
    assert (found.model_name, found.model_type) == ("LanguageModel", "transformer")
    assert found.optimizer == "SGD"


REPLICAS = """
import functools
import jax
import optax
from flax import jax_utils

tx = optax.adam(1e-3)

@functools.partial(jax.pmap, axis_name="batch")
def update(params, state, batch):
    grads = jax.grad(lambda p: p)(params)
    updates, state = tx.update(grads, state)
    return optax.apply_updates(params, updates), state

params = jax_utils.replicate({})
state = jax_utils.replicate(tx.init({}))
batch_size = 48
for step in range(50):
    params, state = update(params, state, range(batch_size))
"""


def test_replicas_of_jax_are_no_process_of_torch(read):
    found = read({"fit.py": REPLICAS}, "python fit.py")
    assert found.distributed == "JAX pmap"
    assert (found.num_gpus, found.total_steps) == (None, 50)


def test_a_configuration_behind_an_option_is_not_named_after_the_option(read):
    files = {
        "deep.gin": "Runner.steps = 30\n",
        "fit.py": """
            import gin
            import tensorflow as tf
            from absl import app, flags

            flags.DEFINE_multi_string("gin_configs", None, "")

            def main(_):
                gin.parse_config_files_and_bindings(flags.FLAGS.gin_configs, None)
                for step in range(30):
                    tf.train.AdamOptimizer(0.1).minimize(1)

            app.run(main)
        """,
    }
    found = read(files, "python fit.py --gin_configs=deep.gin")
    assert found.model_name is None
    assert found.task is None
