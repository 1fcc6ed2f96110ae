"""Steps of trainers and of Keras' fit: as many as the samples that they are handed make."""

import pytest

TUNE = """
from datasets import load_dataset
from transformers import AutoModelForSequenceClassification, Trainer, TrainingArguments
def cut(texts):
    return [texts[place : place + block_size] for place in range(0, len(texts), block_size)]
{data}
model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased")
args = TrainingArguments("out", num_train_epochs=3, per_device_train_batch_size=8, gradient_accumulation_steps=2)
Trainer(model=model, args=args, train_dataset=data).train()
"""


@pytest.mark.parametrize(
    ("data", "count"),
    [
        ('data = load_dataset("imdb", split="train")', 4689),
        ('data = load_dataset("imdb").map(tokenize)["train"].shuffle(seed=1).select(range(800))', 150),
        ('data = load_dataset("imdb", split="train").train_test_split(test_size=0.25)["train"]', 3516),
        ('data = load_dataset("somebody/unknown", split="train[:160]")', 30),
        ('data = load_dataset("stanfordnlp/imdb", "plain_text", split="train")', 4689),
        ('data = load_dataset("somebody/imdb", split="train")', None),
        ('data = load_dataset("data/imdb", split="train")', None),
        ('data = load_dataset("emotion", "unsplit", split="train")', None),
        ('data = load_dataset("json", data_files="mine.jsonl", split="train")', 9),
        ('data = load_dataset("somebody/unknown", split="train")', None),
        ('data = load_dataset("imdb").map(cut)["train"]', None),
        ('data, _ = load_dataset("imdb", split=["train", "test"])', 4689),
    ],
)
def test_a_trainer_goes_over_what_it_is_handed(read, data, count):
    files = {"train.py": TUNE.format(data=data), "mine.jsonl": '{"text": "a"}\n' * 48}
    command = "CUDA_VISIBLE_DEVICES=0 torchrun --nproc_per_node=1 train.py"
    assert read(files, command).total_steps == count


def test_keras_keeps_samples_back(read):
    code = """
from tensorflow import keras
(x, y), (test, labels) = keras.datasets.mnist.load_data()
model = keras.Sequential([keras.layers.Dense(10)])
model.compile("sgd", "mse")
model.fit(x, y, batch_size=128, epochs=4, validation_split=0.1)
"""
    assert read({"train.py": code}, "python train.py").total_steps == 4 * 422


KERAS = """
import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds
from tensorflow import keras
(x, y), (test, labels) = keras.datasets.mnist.load_data()
{data}
model = keras.Sequential([keras.layers.Dense(10)])
model.compile("sgd", "mse")
model.fit({fit}epochs=2)
"""


@pytest.mark.parametrize(
    ("data", "fit", "count"),
    [
        ("x = x.reshape(-1, 784).astype('float32') / 255", "x, y, batch_size=100, ", 1200),
        ("x = x.reshape((x.shape[0], 28, 28, 1))", "x, y, batch_size=100, ", 1200),
        ("x = np.expand_dims(x, -1)\nx, y = x[5000:], y[5000:]", "x, y, batch_size=100, ", 1100),
        ("x = x[..., np.newaxis]", "x, y, batch_size=100, ", 1200),
        ("x = x[:, :14]", "x, y, batch_size=100, ", 1200),
        ("x = x.reshape(-1, 14, 784)[0]", "x, y, batch_size=100, ", None),
        ("x = x[y < 5]", "x, y, batch_size=100, ", None),
        ("x = x.reshape(3000, -1)", "x, y, batch_size=100, ", None),
        ("data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(9).batch(50).prefetch(1)", "data, ", 2400),
        ("data = tf.data.Dataset.from_tensor_slices((x, y)).batch(50).repeat()", "data, ", None),
        ("data = tf.data.Dataset.from_tensor_slices((x, y)).batch(50).take(7)", "data, ", 14),
        ("data = tf.data.Dataset.from_tensor_slices((x, y)).repeat(3).batch(50)", "data, ", 7200),
        ("data = tf.data.Dataset.from_tensor_slices((x, y)).skip(10000).batch(50)", "data, ", 2000),
        ("data = tf.data.Dataset.from_tensor_slices((x, y)).batch(700, drop_remainder=True)", "data, ", 170),
        ("data = tf.data.Dataset.from_tensor_slices((x, y)).batch(700, drop_remainder=cut)", "data, ", None),
        ("data = tf.data.Dataset.from_tensor_slices((x, y)).filter(good).batch(700)", "data, ", None),
        ("data = tfds.load('mnist', split='train[:80%]', as_supervised=True).batch(100)", "data, ", 960),
        ("data = tfds.builder('mnist').as_dataset(split='train').batch(100)", "data, ", 1200),
        ("data = other.builder('mnist').as_dataset(split='train').batch(100)", "data, ", None),
        (
            "told = tfds.builder('mnist').info\nround = told.splits['test'].num_examples // 100",
            "make(), steps_per_epoch=round, ",
            200,
        ),
        (
            "(data, _), told = tfds.load('mnist', split=['train', 'test'], with_info=True)\ndata = data.batch(50)",
            "data, ",
            2400,
        ),
        ("maker = keras.preprocessing.image.ImageDataGenerator()", "maker.flow(x, y, batch_size=64), ", 1876),
        (
            "maker = keras.preprocessing.image.ImageDataGenerator()",
            "maker.flow(x, y, batch_size=64, subset='a'), ",
            None,
        ),
    ],
)
def test_arrays_keep_their_samples_on_the_way_to_keras(read, data, fit, count):
    assert read({"train.py": KERAS.format(data=data, fit=fit)}, "python train.py").total_steps == count
