"""Programs of MMEngine and mmcv: a configuration on top of others, overridden by the command."""

MM_BASE = """
model = dict(type='YOLODetector', backbone=dict(type='CSPNeXt'))
train_dataloader = dict(
    batch_size=8, dataset=dict(type='YOLOv5CocoDataset', data_root='data/coco/'))
optim_wrapper = dict(type='OptimWrapper', optimizer=dict(type='SGD', lr=0.02, momentum=0.9))
train_cfg = dict(type='EpochBasedTrainLoop', max_epochs=300)
"""
MM_TRAIN = """
import argparse
from mmengine.config import Config, DictAction
from mmengine.runner import Runner

parser = argparse.ArgumentParser()
parser.add_argument('config')
parser.add_argument('--amp', action='store_true')
parser.add_argument('--launcher', default='none')
parser.add_argument('--cfg-options', nargs='+', action=DictAction)
args = parser.parse_args()
cfg = Config.fromfile(args.config)
if args.cfg_options is not None:
    cfg.merge_from_dict(args.cfg_options)
if args.amp:
    cfg.optim_wrapper.type = 'AmpOptimWrapper'
Runner.from_cfg(cfg).train()
"""
MM = {
    "tools/train.py": MM_TRAIN,
    "configs/yolo/yolov9_s_8xb8_coco.py": MM_BASE,
    "configs/yolo/yolov9_s_1xb4_cat.py": """
_base_ = './yolov9_s_8xb8_coco.py'
train_dataloader = dict(
    batch_size=4, dataset=dict(data_root='data/cat/', metainfo=dict(classes=('cat', ))))
""",
    "tools/slurm_train.sh": """
CONFIG=$1
GPUS=${GPUS:-8}
PY_ARGS=${@:2}
srun --ntasks=${GPUS} --ntasks-per-node=8 python -u tools/train.py ${CONFIG} --launcher="slurm" ${PY_ARGS}
""",
}


def test_mmengine_takes_bases_overrides_and_its_own_launcher(read):
    job = read(
        MM,
        "GPUS=16 bash tools/slurm_train.sh configs/yolo/yolov9_s_8xb8_coco.py --amp "
        "--cfg-options train_dataloader.batch_size=2 train_cfg.max_epochs=12",
    )
    assert (job.num_gpus, job.num_nodes, job.batch_size, job.global_batch_size) == (16, 2, 2, 32)
    assert (job.model_name, job.dataset_name, job.optimizer) == ("yolov9_s", "COCO", "SGD")
    assert (job.epochs, job.learning_rate, job.precision, job.distributed) == (12, 0.02, "fp16", "DDP")


def test_data_with_classes_of_their_own_are_not_the_set_whose_format_they_have(read):
    job = read(MM, "python tools/train.py configs/yolo/yolov9_s_1xb4_cat.py")
    assert (job.dataset_name, job.batch_size, job.num_gpus, job.distributed) == ("cat", 4, 1, "none")


MMCV = {
    "tools/train.py": """
        import argparse
        from mmcv import Config
        from mmcv.runner import build_optimizer, build_runner
        from models import build_model

        parser = argparse.ArgumentParser()
        parser.add_argument("config")
        cfg = Config.fromfile(parser.parse_args().config)
        model = build_model(cfg.model)
        optimizer = build_optimizer(model, cfg.optimizer)
        runner = build_runner(cfg.runner, default_args=dict(model=model, optimizer=optimizer))
        runner.run([], cfg.workflow)
        """,
    "tools/models.py": """
        from mmcv.utils import build_from_cfg

        def build_model(cfg):
            return build_from_cfg(cfg)
        """,
    "configs/a.py": """
        model = dict(type="EncoderDecoder", backbone=dict(type="mit_b1"))
        optimizer = dict(type="AdamW", lr=6e-5)
        optimizer_config = dict(HOOK)
        runner = dict(type="IterBasedRunner", max_iters=160000)
        workflow = [("train", 1)]
        data = dict(samples_per_gpu=2)
        """,
}


def test_mmcvs_runner_trains_in_the_precision_of_its_configuration(read):
    for hook, precision in (("", "fp32"), ("type='Fp16OptimizerHook'", "fp16")):
        files = {path: text.replace("HOOK", hook) for path, text in MMCV.items()}
        job = read(files, "python tools/train.py configs/a.py")
        assert (job.is_training, job.model_type, job.precision) == (True, "transformer", precision)
