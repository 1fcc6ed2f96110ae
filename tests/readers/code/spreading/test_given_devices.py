"""Devices of one process and of plain nodes: what a strategy mirrors on, nodes without GPUs, nodes of a graph."""

import pytest

MIRRORED = """
    import tensorflow as tf
    from absl import app, flags

    FLAGS = flags.FLAGS
    flags.DEFINE_integer("cores", 8, "")
    flags.DEFINE_integer("train_batch_size", 6, "")

    def feed(params):
        return tf.data.Dataset.from_tensor_slices(load()).repeat().batch(FLAGS.train_batch_size)

    def body(features, labels, mode):
        loss = tf.reduce_mean(tf.layers.dense(features, 3))
        step = tf.train.AdamOptimizer(1e-4).minimize(loss)
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=step)

    def main(_):
        strategy = {strategy}
        config = tf.estimator.RunConfig(train_distribute=strategy)
        tf.estimator.Estimator(body, config=config).train(feed, max_steps=900)

    app.run(main)
"""


@pytest.mark.parametrize(
    ("strategy", "words", "gpus"),
    [
        ("tf.contrib.distribute.MirroredStrategy(num_gpus=FLAGS.cores)", "--cores=3", 3),
        ("tf.distribute.MirroredStrategy(['/gpu:0', '/gpu:1'])", "", 2),
        ("tf.distribute.MirroredStrategy(['/cpu:0', '/gpu:0'])", "", 1),
        ("tf.distribute.MirroredStrategy(devices=['GPU:0', 'GPU:2', 'GPU:3', 'GPU:4'])", "", 4),
        ("tf.distribute.MirroredStrategy()", "", None),
        ("tf.distribute.MirroredStrategy(devices=['/cpu:0'])", "", None),
    ],
)
def test_a_mirrored_model_is_on_the_devices_that_are_told(read, strategy, words, gpus):
    found = read({"learn.py": MIRRORED.format(strategy=strategy)}, f"python learn.py {words}")
    assert (found.num_gpus, found.global_batch_size) == (gpus, 6 * gpus if gpus else None)
    assert (found.total_steps, found.distributed) == (900, "MirroredStrategy data parallel")


RING = """
    import tensorflow as tf
    import horovod.tensorflow as hvd

    hvd.init()
    best = hvd.DistributedOptimizer(tf.train.AdamOptimizer(1e-3))
    step = best.minimize(loss_of(load(batch_size=32)))
    hooks = [tf.train.StopAtStepHook(last_step={last})]
    with tf.train.MonitoredTrainingSession(hooks=hooks) as session:
        while not session.should_stop():
            session.run(step)
"""


@pytest.mark.parametrize(
    ("request_words", "gpus"),
    [
        ("-C knl", 0),
        ("--constraint='knl&quad'", 0),
        ("-p cpu", 0),
        ("-p cpu-long", 0),
        ("-p cpu_gpu", 4),
        ("-C skylake", 4),
        ("-p batch", 4),
        ("-C knl --gres=gpu:1", 4),
        ("-p cpu-v100", 4),
        ("-p a100_cpu", 4),
        ("-C 'cpu*2&a100*4'", 4),
        ("-C 'cpu|fast'", 4),
        ("-C 'cpu*2&big*1'", 4),
        ("-C 'cpu&ib'", 0),
    ],
)
def test_nodes_without_gpus_have_none_whatever_is_started_on_them(read, request_words, gpus):
    files = {"ring.py": RING.format(last=700), "go.sh": "#!/bin/bash\nsrun -n 4 python ring.py\n"}
    found = read(files, f"sbatch -N 4 {request_words} go.sh")
    assert (found.num_gpus, found.num_nodes, found.distributed, found.total_steps) == (gpus, 4, "Horovod", 700)


@pytest.mark.parametrize(("place", "gpus"), [("net", 0), ("net.cuda()", None), ("net.to('cuda')", None)])
def test_a_program_that_takes_a_gpu_has_one_whatever_its_nodes_are_called(read, place, gpus):
    program = f"""
        import torch
        net = torch.nn.Linear(2, 2)
        net = {place}
        best = torch.optim.SGD(net.parameters(), lr=0.1)
        for epoch in range(3):
            net(torch.zeros(2)).sum().backward()
            best.step()
    """
    found = read({"learn.py": program, "go.sh": "#!/bin/bash\nsrun python learn.py\n"}, "sbatch -p cpu go.sh")
    assert (found.num_gpus, found.epochs) == (gpus, 3)


GRAPH = """
    import argparse
    import torch
    {more}
    parser = argparse.ArgumentParser()
    parser.add_argument("--num_nodes", type=int, default=207)
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()
    net = torch.nn.Linear(args.num_nodes, 2).cuda()
    best = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(args.epochs):
        net(torch.zeros(args.num_nodes)).sum().backward()
        best.step()
"""


@pytest.mark.parametrize(
    ("more", "nodes"), [("", 1), ("import torch.distributed as dist\n    dist.init_process_group('nccl')", 9)]
)
def test_nodes_of_a_graph_are_no_machines(read, more, nodes):
    found = read({"learn.py": GRAPH.format(more=more)}, "python learn.py --num_nodes 9")
    assert (found.num_nodes, found.epochs) == (nodes, 3)
