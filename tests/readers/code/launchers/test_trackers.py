"""Trackers of parameter servers: which program their workers run, and on how many hosts."""

import pytest

TRACKER = """
    import argparse
    def main():
        parser = argparse.ArgumentParser()
        parser.add_argument("-n", type=int)
        from dmlc_tracker import ssh
        ssh.submit(parser.parse_args())
    main()
"""


@pytest.mark.parametrize(
    ("command", "nodes"),
    [
        ("python run/launch.py -n 3 -s 3 -H hosts --launcher ssh python train.py --lr 0.25", 2),
        ("run/launch.py -H hosts -n 1 --launcher ssh python train.py --lr 0.25", 1),
        ("python run/launch.py -n 5 -i eth1 --launcher local python train.py --lr 0.25", 1),
        ("python run/launch.py -n 5 -H elsewhere --launcher ssh python train.py --lr 0.25", None),
        ("python /opt/mxnet/tools/launch.py -n 5 --launcher mpi -H elsewhere python train.py --lr 0.25", None),
        ("dmlc-submit --cluster yarn --num-workers 4 python train.py --lr 0.25", None),
    ],
)
def test_workers_run_the_program_behind_the_tracker(start, command, nodes):
    job = start(command, {"run/launch.py": TRACKER, "hosts": "# ours\none\ntwo\n\n"})
    assert (job.is_training, job.learning_rate, job.num_nodes) == (True, 0.25, nodes)
    assert (job.num_gpus, job.global_batch_size) == (None, None)


SHARED = """
    import mxnet as mx
    from mxnet import autograd, gluon
    places = {places}
    net = gluon.nn.Dense(2)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {{"learning_rate": 0.25}}, kvstore="dist_sync")
    for epoch in range(3):
        for x in gluon.data.DataLoader(range(99), batch_size=16):
            parts = gluon.utils.split_and_load(x, ctx_list=places)
            with autograd.record():
                losses = [net(part).sum() for part in parts]
            for loss in losses:
                loss.backward()
            trainer.step(16)
"""


@pytest.mark.parametrize(("places", "batch"), [("[mx.gpu(0), mx.gpu(1)]", None), ("[mx.gpu(0)]", 16)])
def test_a_worker_shares_its_batch_among_its_own_devices(read, places, batch):
    files = {"fit.py": SHARED.format(places=places), "run/launch.py": TRACKER}
    job = read(files, "run/launch.py -n 4 -H hosts --launcher ssh python fit.py")
    assert (job.is_training, job.batch_size, job.global_batch_size, job.num_gpus) == (True, batch, None, None)


def test_a_graphs_trainers_stand_in_one_text(start):
    command = (
        "python ~/dgl/tools/launch.py --workspace ~/w --num_trainers 2 --num_servers 1 --part_config parts/a.json "
        '--ip_config hosts "python3 train.py --lr 0.25"'
    )
    job = start(command, {"hosts": "10.0.0.1\n10.0.0.2\n10.0.0.3\n"})
    assert (job.learning_rate, job.num_nodes, job.num_gpus, job.distributed) == (0.25, 3, 6, "DDP")


@pytest.mark.parametrize(
    "command", ["python run/launch.py -n 3 python train.py --lr 0.25", "python launch.py --lr 0.25 train.py"]
)
def test_another_script_of_that_name_is_no_tracker(start, command):
    assert start(command, {"run/launch.py": "print('up')\n"}).learning_rate is None
