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
