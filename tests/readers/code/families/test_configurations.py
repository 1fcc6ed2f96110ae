"""Each way of writing configurations: includes, overrides, references, and the loop that their values reach."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

FAMILIES = {
    "hydra": (
        {
            "train.py": "import hydra\n"
            + TORCH_HEAD
            + TORCH_LOOP
            + """
@hydra.main(config_path="conf", config_name="config", version_base=None)
def main(cfg):
    train(cfg.optim.lr, cfg.data.batch_size, cfg.epochs)

main()
""",
            "conf/config.yaml": "defaults:\n  - optim: slow\n  - data: ${optim}_data\n  - _self_\n"
            "epochs: ${data.rounds}\n",
            "conf/optim/slow.yaml": "lr: 0.5\n",
            "conf/optim/quick.yaml": "lr: 0.01\n",
            "conf/data/slow_data.yaml": "batch_size: 8\nrounds: 2\n",
            "conf/data/quick_data.yaml": "batch_size: 32\nrounds: 3\n",
        },
        "python train.py optim=quick data.batch_size=16",
    ),
    "hydra with its own resolver": (
        {
            "train.py": "import hydra\nfrom omegaconf import OmegaConf\n"
            + TORCH_HEAD
            + TORCH_LOOP
            + """
OmegaConf.register_new_resolver("either", lambda default, given: default if given == "" else given)

@hydra.main(config_path=".", config_name="config")
def main(cfg):
    train(cfg.train.lr, cfg.train.batch_size, cfg.train.epochs)

main()
""",
            "config.yaml": "rounds: ''\nbatch: ''\ntrain:\n  lr: 0.01\n"
            "  batch_size: ${either:8,${..batch}}\n  epochs: ${either:3,${..rounds}}\n",
        },
        "python train.py batch=16",
    ),
    "omegaconf": (
        {
            "train.py": "import sys\nfrom omegaconf import OmegaConf\n"
            + TORCH_HEAD
            + TORCH_LOOP
            + """
cfg = OmegaConf.merge(OmegaConf.load(sys.argv[1]), OmegaConf.from_cli(sys.argv[2:]))
train(cfg.lr, cfg.batch_size, cfg.epochs)
""",
            "base.yaml": "lr: 0.01\nbatch_size: 8\nepochs: ${rounds}\nrounds: 3\n",
        },
        "python train.py base.yaml batch_size=16",
    ),
    "ml_collections": (
        {
            "train.py": "from absl import app, flags\nfrom ml_collections import config_flags\n"
            + TORCH_HEAD
            + TORCH_LOOP
            + """
CONFIG = config_flags.DEFINE_config_file("config", None, "options")

def main(argv):
    config = CONFIG.value
    train(config.optim.lr, config.batch_size, config.get("epochs", 1))

if __name__ == "__main__":
    app.run(main)
""",
            "configs/base.py": """
import ml_collections

def get_config(kind="plain"):
    config = ml_collections.ConfigDict()
    config.optim = dict(lr=0.5)
    config.optim.lr = 0.01
    config.batch_size = 8
    config.epochs = 3 if kind == "short" else 30
    return config
""",
        },
        "python train.py --config=configs/base.py:short --config.batch_size=16",
    ),
    "gin": (
        {
            "train.py": "import sys\nimport gin\n"
            + TORCH_HEAD
            + TORCH_LOOP.replace("def train", "@gin.configurable\ndef train")
            + """
gin.parse_config_files_and_bindings([sys.argv[1]], ["BATCH = 16"])
train()
""",
            "short.gin": "# one comment\ninclude 'base.gin'  # another\n\n"
            "train:\n  epochs = %ROUNDS\n  lr = (\n    0.01)\n",
            "base.gin": "BATCH = 8\nROUNDS = 3\ntrain.batch_size = %BATCH\ntrain.epochs = 30\n",
        },
        "python train.py short.gin",
    ),
    "yacs": (
        {
            "train.py": "import argparse\nfrom defaults import C\n"
            + TORCH_HEAD
            + TORCH_LOOP
            + """
parser = argparse.ArgumentParser()
parser.add_argument("--cfg")
parser.add_argument("opts", nargs=argparse.REMAINDER)
args = parser.parse_args()
cfg = C.clone()
cfg.merge_from_file(args.cfg)
cfg.merge_from_list(args.opts)
train(cfg.SOLVER.LR, cfg.SOLVER.BATCH_SIZE, cfg.SOLVER.EPOCHS)
""",
            "defaults.py": """
from yacs.config import CfgNode as CN

C = CN()
C.SOLVER = CN()
C.SOLVER.LR = 0.5
C.SOLVER.BATCH_SIZE = 8
C.SOLVER.EPOCHS = 30
""",
            "a.yaml": "SOLVER:\n  LR: 0.01\n  EPOCHS: 3\n",
        },
        "python train.py --cfg a.yaml SOLVER.BATCH_SIZE 16",
    ),
    "hyperpyyaml": (
        {
            "train.py": "import sys\nfrom hyperpyyaml import load_hyperpyyaml\n"
            + TORCH_HEAD
            + TORCH_LOOP
            + """
with open(sys.argv[1]) as stream:
    hparams = load_hyperpyyaml(stream, {"batch_size": 16})
train(hparams["lr"], hparams["loader"]["batch_size"], hparams["epochs"])
""",
            "h.yaml": "rounds: 3\nbatch_size: 8\nlr: 0.01\nepochs: !ref <rounds>\n"
            "loader:\n  batch_size: !ref <batch_size>\n",
        },
        "python train.py h.yaml",
    ),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_configuration_reaches_the_loop(read, family):
    files, command = FAMILIES[family]
    job = read(files, command)
    assert job.is_training is True
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.01, 16, 3)
    assert job.optimizer == "AdamW"


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


def test_hydra_before_1_0_names_the_file_and_merges_groups_at_the_root(read):
    job = read(
        {
            "train.py": """
                import hydra
                import torch

                class Work:
                    def __init__(self, cfg):
                        self.cfg = cfg
                        self.agent = hydra.utils.instantiate(cfg.agent)

                    def run(self):
                        for step in range(self.cfg.num_train_steps):
                            self.agent.update(torch.randn(self.cfg.agent.params.batch_size, 4))

                @hydra.main(config_path="config/train.yaml", strict=True)
                def main(cfg):
                    Work(cfg).run()

                if __name__ == "__main__":
                    main()
            """,
            "agent.py": """
                import torch

                class Agent:
                    def __init__(self, width, batch_size, lr):
                        self.net = torch.nn.Linear(4, width)
                        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr)

                    def update(self, batch):
                        self.net(batch).sum().backward()
                        self.optimizer.step()
            """,
            "config/train.yaml": "defaults:\n  - agent: small\nnum_train_steps: 1000\nlr: 0.5\n",
            "config/agent/small.yaml": """
                agent:
                  name: small
                  class: agent.Agent
                  params: {width: 2, batch_size: 64, lr: "${lr}"}
            """,
        },
        "python train.py lr=0.25 agent.params.batch_size=32",
    )
    assert job.is_training
    assert (job.learning_rate, job.batch_size, job.optimizer) == (0.25, 32, "Adam")
