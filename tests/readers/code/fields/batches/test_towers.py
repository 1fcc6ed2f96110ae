"""One TensorFlow graph that works out gradients on several GPUs."""

import pytest

PROGRAM = """
import argparse
import tensorflow as tf
options = argparse.ArgumentParser()
options.add_argument("--gpus", type=int, default=2)
told = options.parse_args()
adam = tf.train.AdamOptimizer(0.001)
batch_size = 64
{cuts}
gathered = []
{loop}:
    with tf.device({place}):
        loss = net({rows})
        {works}
work = adam.apply_gradients(mean_of(gathered))
with tf.Session() as session:
    for step in range(500):
        session.run(work, feed(batch_size=batch_size))
"""
PARTS = {
    "cuts": "",
    "loop": "for place in range(told.gpus)",
    "place": "'/gpu:%d' % place",
    "rows": "rows_of(place)",
    "works": "gathered.append(adam.compute_gradients(loss))",
}


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"place": "f'/device:GPU:{place}'"},
        {"loop": "for place in ['/gpu:0', '/gpu:1']", "place": "place"},
        {"works": "gathered.append(tf.gradients(loss, weights()))"},
    ],
)
def test_towers_share_the_work(read, parts):
    found = read({"go.py": PROGRAM.format(**PARTS | parts)}, "python go.py")
    assert (found.num_gpus, found.distributed) == (2, "TensorFlow data parallel")
    assert found.global_batch_size is None


def test_a_batch_that_is_cut_among_them_is_whole(read):
    parts = {"cuts": "pieces = tf.split(rows(batch_size=batch_size), told.gpus)", "rows": "pieces[place]"}
    found = read({"go.py": PROGRAM.format(**PARTS | parts)}, "python go.py --gpus 4")
    assert (found.num_gpus, found.distributed) == (4, "TensorFlow data parallel")
    assert found.global_batch_size in (64, None)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({}, "--gpus 1"),
        ({"place": "'/gpu:0'"}, ""),
        ({"place": "'/cpu:%d' % place"}, ""),
        ({"works": "gathered.append(loss)"}, ""),
    ],
)
def test_parts_that_are_placed_otherwise_are_no_towers(read, parts, words):
    found = read({"go.py": PROGRAM.format(**PARTS | parts)}, f"python go.py {words}")
    assert found.num_gpus in (0, 1)
    assert found.distributed == "none"


@pytest.mark.parametrize(("cuts", "whole"), [("each = batch_size // told.gpus", 64), ("each = batch_size // 4", None)])
def test_a_batch_that_is_divided_by_their_number_is_whole(read, cuts, whole):
    program = PROGRAM.replace("--gpus", "--num-gpus").replace("told.gpus", "told.num_gpus")
    parts = {name: text.replace("told.gpus", "told.num_gpus") for name, text in {**PARTS, "cuts": cuts}.items()}
    found = read({"go.py": program.format(**parts)}, "python go.py --num-gpus 4")
    assert (found.num_gpus, found.global_batch_size) == (4, whole)
