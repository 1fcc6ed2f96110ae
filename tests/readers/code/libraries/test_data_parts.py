"""Data that are cut into parts or loaded by name: each part knows how many samples it holds, where the whole does."""

import pytest

DIGITS = """
import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data
mnist = input_data.read_data_sets("here", one_hot=True{more})
x = tf.placeholder(tf.float32, [None, 784])
step = tf.train.AdamOptimizer(0.5).minimize(tf.reduce_mean(x))
session = tf.Session()
for epoch in range(3):
    for i in range(int(mnist.train.num_examples / 100)):
        rows, labels = mnist.train.next_batch(100)
        session.run(step, feed_dict={{x: rows}})
"""


@pytest.mark.parametrize(
    ("more", "steps"), [("", 1650), (", validation_size=0", 1800), (", validation_size=kept()", None)]
)
def test_digits_of_old_tutorials_are_counted(read, more, steps):
    job = read({"train.py": DIGITS.format(more=more)}, "python train.py")
    assert (job.dataset_name, job.batch_size, job.epochs, job.total_steps) == ("MNIST", 100, 3, steps)


@pytest.mark.parametrize(
    ("head", "count"), [("", 40), (", header=None", 41), (", names=['a', 'b']", 41), (", header=3", None)]
)
def test_tables_without_a_head_have_one_row_more(read, head, count):
    code = """
import pandas as pd
from tensorflow import keras

rows = pd.read_csv("tides.csv"{head})
net = keras.Sequential([keras.layers.Dense(1, input_dim=1)])
net.compile("adam", "mse")
net.fit(rows.iloc[:, 0], rows.iloc[:, 1], epochs=1, batch_size=1)
"""
    job = read({"fit.py": code.format(head=head), "tides.csv": "1,2\n" * 41}, "python fit.py")
    assert job.total_steps == count


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ('split=["train", "test"], batch_size=-1, as_supervised=True', 40 * 30),
        ('split=["train[:40%]", "test"], batch_size=-1, as_supervised=True', None),
        ('split=["train", "test"], batch_size=-1', None),
    ],
)
def test_a_set_that_is_loaded_in_one_batch_is_arrays(read, asked, count):
    code = """
import tensorflow_datasets as tfds
from tensorflow import keras

kept, held = tfds.load(name="imdb_reviews", {asked})
texts, marks = tfds.as_numpy(kept)
net = keras.Sequential([keras.layers.Dense(1, input_dim=1)])
net.compile("adam", "mse")
net.fit(texts[10000:], marks[10000:], epochs=40, batch_size=512, validation_data=(texts[:10000], marks[:10000]))
"""
    job = read({"fit.py": code.replace("{asked}", asked)}, "python fit.py")
    assert job.total_steps == count


TUNE = """
import torch
from transformers import AutoModelForCausalLM
from datasets import load_dataset
model = AutoModelForCausalLM.{made}
data = load_dataset("{data}")
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
for batch in data:
    model(batch).loss.backward()
    optimizer.step()
"""
WEIGHTS = "from_pretrained('acme/Llama-2-7b-hf')"


def tuned(read, made=WEIGHTS, data="acme/notes", script="train.py"):
    return read({script: TUNE.format(made=made, data=data)}, f"python {script}").task_fine


def test_data_of_preferences_outweigh_the_head(read):
    assert tuned(read, data="HuggingFaceH4/ultrafeedback_binarized") == "preference tuning"


TUNED = """
from datasets import load_dataset
from trl import {kind}Config, {kind}Trainer
data = load_dataset("{data}", {more}split="train")
args = {kind}Config(output_dir="o", per_device_train_batch_size=8, num_train_epochs=1)
trainer = {kind}Trainer(model="Qwen/Qwen2-0.5B-Instruct", args=args, train_dataset=data)
trainer.train()
"""


@pytest.mark.parametrize(
    ("kind", "data", "steps"),
    [
        ("SFT", "trl-lib/tldr", 14591),
        ("GRPO", "trl-lib/tldr", None),
        ("SFT", "tatsu-lab/alpaca", 6501),
        ("SFT", "mlabonne/alpaca", None),
        ("SFT", "sentence-transformers/squad", None),
        ("SFT", "squad", 10950),
    ],
)
def test_sets_of_the_hub_and_what_answers_them(read, kind, data, steps):
    files = {"train.py": TUNED.format(kind=kind, data=data, more="")}
    assert read(files, "CUDA_VISIBLE_DEVICES=0 python train.py").total_steps == steps
    assert read(files, "python train.py").total_steps is None  # each GPU that it sees has a batch of its own
