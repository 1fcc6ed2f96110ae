"""Scripts that hand their work to packages which are not here: Megatron, OpenMMLab; programs behind Kaldi's runners."""

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

PRETRAIN = """
from megatron.training import get_args, pretrain

def model_provider():
    return Model(get_args().hidden_size)

if __name__ == "__main__":
    pretrain(data_provider, model_provider, forward_step)
"""
OPTIONS = (
    "--micro-batch-size 2 --global-batch-size 16 --num-layers 4 --hidden-size 64 --lr 1e-4 --train-iters 900 --bf16"
)


def test_megatron_is_read_by_its_options_where_only_the_script_is_here(read):
    job = read({"pretrain_own.py": PRETRAIN}, f"torchrun --nproc_per_node=8 pretrain_own.py {OPTIONS}")
    assert (job.is_training, job.batch_size, job.global_batch_size) == (True, 2, 16)
    assert (job.learning_rate, job.total_steps, job.precision) == (1e-4, 900, "bf16")


def test_a_script_without_that_package_is_followed(read):
    program = TORCH_HEAD + TORCH_LOOP + "\ntrain(0.25, 8, 2)\n"
    job = read({"pretrain_own.py": program}, f"torchrun --nproc_per_node=8 pretrain_own.py {OPTIONS}")
    assert (job.learning_rate, job.batch_size) == (0.25, 8)


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


def test_kaldis_runner_starts_what_stands_behind_its_log(read):
    files = {"train.py": TORCH_HEAD + TORCH_LOOP + "\ntrain(0.25, 8, 2)\n"}
    script = 'cuda_cmd="utils/run.pl --mem 4G"\n${cuda_cmd} --gpu 1 exp/train.log python train.py\n'
    job = read({**files, "run.sh": script}, "bash run.sh")
    assert (job.is_training, job.learning_rate, job.batch_size) == (True, 0.25, 8)
    parts = read({**files, "run.sh": "queue.pl JOB=1:4 log.JOB.txt python train.py\n"}, "bash run.sh")
    assert (parts.is_training, parts.learning_rate) == (True, 0.25)
