"""MMEngine and MMCV: runners that train by one configuration, whose form OpenMMLab's libraries share."""

import pytest

DETECT = """
import sys
from mmcv import Config
from mmdet.apis import train_detector
from mmdet.models import build_detector
cfg = Config.fromfile(sys.argv[1])
train_detector(build_detector(cfg.model), [cfg.data.train], cfg)
"""
POSES = """
model = dict(type='TopDown', backbone=dict(type='ViT', depth=12), keypoint_head=dict(type='SimpleHead'))
optimizer = dict(type='AdamW', lr=5e-4)
total_epochs = 210
data = dict(samples_per_gpu=64, train=dict(type='TopDownCocoDataset', data_prefix='data/coco/'))
"""


def test_what_openmmlab_is_told_to_train_trains_and_heads_of_key_points_tell_the_task(read):
    files = {"train.py": DETECT, "configs/poser_base_coco.py": POSES}
    job = read(files, "python train.py configs/poser_base_coco.py")
    assert (job.is_training, job.task_fine, job.model_name) == (True, "pose estimation", "poser_base")
    assert (job.epochs, job.batch_size, job.dataset_name) == (210, 64, "COCO")
    assert job.framework == "PyTorch"  # MMCV's own runner, of before MMEngine


PATCHED = """
import sys
import torch
from mmcv import Config, digit_version
from mmdet.apis import train_detector
from mmdet.models import build_detector
cfg = Config.fromfile(sys.argv[1])
if digit_version(torch.__version__) == digit_version("1.8.1"):
    cfg.optimizer["type"] = "{other}"
train_detector(build_detector(cfg.model), [cfg.data.train], cfg)
"""


@pytest.mark.parametrize(("other", "named"), [("AdamW2", "AdamW"), ("SGD", None)])
def test_an_optimizer_that_one_version_gets_a_mended_copy_of_is_named(read, other, named):
    files = {"train.py": PATCHED.format(other=other), "configs/poser_base_coco.py": POSES}
    job = read(files, "python train.py configs/poser_base_coco.py")
    assert (job.optimizer, job.learning_rate) == (named, 5e-4)


CONFIG = """
default_scope = "mmdet"
model = dict(type="DINO", backbone=dict(type="ResNet", depth=50), bbox_head=dict(type="DINOHead"){more})
train_dataloader = dict(batch_size=2, dataset=dict(type="CocoDataset", data_root="data/coco/"))
train_cfg = dict(type="EpochBasedTrainLoop", max_epochs=12)
optim_wrapper = dict(type="OptimWrapper", optimizer=dict(type="AdamW", lr=0.0001))
"""
RUNNER = """
import argparse
from mmengine.config import Config
from mmengine.runner import Runner

parser = argparse.ArgumentParser()
parser.add_argument("config")
Runner.from_cfg(Config.fromfile(parser.parse_args().config)).train()
"""


def test_a_configuration_of_detection_is_no_learning_without_labels(read):
    files = {"tools/train.py": RUNNER, "configs/dino.py": CONFIG.format(more="")}
    job = read(files, "python tools/train.py configs/dino.py")
    assert (job.model_name, job.task_fine, job.dataset_name) == ("DINO", "object detection", "COCO")
    files["configs/dino.py"] = CONFIG.format(more=', mask_head=dict(type="FCNMaskHead")')
    assert read(files, "python tools/train.py configs/dino.py").task_fine == "instance segmentation"
