"""Programs of MXNet: contexts that share a batch, Gluon's trainer, Horovod's."""

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
