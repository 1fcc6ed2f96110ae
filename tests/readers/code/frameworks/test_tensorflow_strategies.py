"""Programs that spread over replicas by a strategy of TensorFlow's, and make their optimizer of a configuration."""

import pytest

PROGRAM = """
import json
import tensorflow as tf

cfg = json.load(open("job.json"))
strategy = tf.distribute.TPUStrategy()

def feed(context):
    size = context.get_per_replica_batch_size(cfg["batch"]["train"])
    return tf.data.TFRecordDataset(list_files()).batch(size)

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(4)])
    optimizer = {optimizer}

def step(rows):
    with tf.GradientTape() as tape:
        loss = model(rows)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))

def train():
    rows = iter(strategy.{feed}(feed))
    for _ in range(0, cfg["train_steps"]):
        strategy.run(step, args=(next(rows),))

attempt = 0
while attempt < cfg["max_attempts"]:
    if train():
        break
    attempt += 1
"""
SETTINGS = '{"batch": {"train": 96, "val": 8}, "train_steps": 700, "max_attempts": 5, "optimizer": OPT}'
USUAL = '{"name": "rmsprop", "learning_rate": 0.02}'
BY_CONFIG = 'tf.keras.optimizers.get({"class_name": cfg["optimizer"]["name"], "config": cfg["optimizer"]})'


def job_of(read, optimizer=BY_CONFIG, feed="distribute_datasets_from_function", settings=USUAL):
    program = PROGRAM.replace("{optimizer}", optimizer).replace("{feed}", feed)
    return read({"go.py": program, "job.json": SETTINGS.replace("OPT", settings)}, "python go.py")


@pytest.mark.parametrize(
    ("optimizer", "name", "rate"),
    [
        (BY_CONFIG, "RMSprop", 0.02),
        (BY_CONFIG.replace("keras.", ""), "RMSprop", 0.02),
        (BY_CONFIG.replace(".get", ".deserialize"), "RMSprop", 0.02),
        ('tf.keras.optimizers.get("adagrad")', "Adagrad", 0.001),
        ('tf.keras.optimizers.get(identifier="sgd")', "SGD", 0.01),
        ("tf.keras.optimizers.get(choose())", None, None),
    ],
)
def test_an_optimizer_is_made_by_its_name(read, optimizer, name, rate):
    job = job_of(read, optimizer)
    assert job.is_training
    assert job.optimizer == name
    assert name is None or job.learning_rate == rate


@pytest.mark.parametrize(
    "later",
    [
        "optimizer.learning_rate = 0.25",
        "optimizer.learning_rate.assign(0.25)",
        "tf.keras.backend.set_value(optimizer.lr, 0.25)",
    ],
)
def test_a_rate_that_is_set_once_an_optimizer_is_made_is_not_the_default(read, later):
    job = job_of(read, f'tf.keras.optimizers.get("adam")\n    {later}')
    assert (job.optimizer, job.learning_rate) == ("Adam", None)


def test_settings_that_were_not_read_leave_the_rate_open(read):
    given = 'json.load(open("/etc/site.json"))'
    job = job_of(read, f'tf.keras.optimizers.get({{"class_name": "Adam", "config": {given}}})')
    assert (job.optimizer, job.learning_rate) == ("Adam", None)


@pytest.mark.parametrize(
    "feed", ["distribute_datasets_from_function", "experimental_distribute_datasets_from_function"]
)
def test_the_batch_that_replicas_share_is_the_whole_one(read, feed):
    assert job_of(read, feed=feed).global_batch_size == 96


def test_attempts_are_no_epochs(read):
    job = job_of(read)
    assert (job.epochs, job.total_steps) == (None, 700)
