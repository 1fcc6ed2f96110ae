"""Programs whose loop is not seen whole: what their settings say counts, what only a step would show does not."""

UNKNOWN_TRAINER = """
import argparse
import importlib
import torch
import torch.multiprocessing as mp

def main(rank, experiment, args):
    torch.distributed.init_process_group("nccl", rank=rank, world_size=args.devices)
    trainer = experiment.get_trainer(args)
    trainer.train()

parser = argparse.ArgumentParser()
parser.add_argument("-n", "--name")
parser.add_argument("-b", "--batch-size", type=int, default=64)
parser.add_argument("-d", "--devices", type=int, default=1)
args = parser.parse_args()
experiment = importlib.import_module("settings." + args.name).Experiment()
mp.spawn(main, nprocs=args.devices, args=(experiment, args))
"""


def test_a_trainer_that_is_not_seen_says_nothing_of_precision_or_of_the_whole_batch(read):
    job = read({"train.py": UNKNOWN_TRAINER}, "python train.py -n small -d 8 -b 64")
    assert (job.is_training, job.num_gpus, job.precision, job.global_batch_size) == (True, 8, None, None)


LOST = {
    "run.py": """
        import sys
        from toolkit.job import get_job

        job = get_job(sys.argv[1])
        job.run()
        """,
    "toolkit/__init__.py": "",
    "toolkit/job.py": "def get_job(path):\n    this is no Python\n",
    "settings/flux.yaml": """
        job: extension
        config:
          process:
            - type: trainer
              save:
                dtype: float16
              train:
                batch_size: 2
                steps: 2000
                optimizer: adamw8bit
                lr: 1e-4
                dtype: bf16
        """,
}


def test_settings_that_the_command_names_count_where_the_program_was_lost(read):
    job = read(LOST, "python run.py settings/flux.yaml")
    assert (job.is_training, job.batch_size, job.total_steps, job.learning_rate) == (True, 2, 2000, 1e-4)
    assert (job.optimizer, job.precision) == ("AdamW8bit", "bf16")


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


STRUCTURED = """
import sys
from dataclasses import dataclass
from omegaconf import OmegaConf
import torch

@dataclass
class TrainConfig:
    precision: str = "amp_bf16"
    lr: float = 0.1

    @property
    def autocast_precision(self):
        if self.precision == "amp_bf16":
            return torch.bfloat16
        elif self.precision == "amp_fp16":
            return torch.float16
        raise ValueError(self.precision)

    @classmethod
    def load(cls, path):
        merged = OmegaConf.merge(OmegaConf.structured(cls), OmegaConf.load(path))
        return OmegaConf.to_object(merged)

config = TrainConfig.load(sys.argv[1])
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.AdamW(model.parameters(), lr=config.lr)
device = torch.get_default_device().type
for step in range(10):
    with torch.autocast(device, enabled=True, dtype=config.autocast_precision):
        loss = model(torch.zeros(1, 4)).sum()
    loss.backward()
    optimizer.step()
"""


def test_a_record_behind_a_file_keeps_its_properties_and_autocasts_first_word_is_a_device(read):
    job = read({"train.py": STRUCTURED, "a.yaml": "precision: amp_fp16\nlr: 0.5\n"}, "python train.py a.yaml")
    assert (job.precision, job.learning_rate) == ("fp16", 0.5)


CLEANED = """
import os
import re
import sys
import yaml
import torch

def filled(match):
    return os.environ[match.group(1)]

text = re.sub(r"\\$\\{([^}]+)\\}", filled, open(sys.argv[1]).read())
config = yaml.safe_load(text)
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=config["rate"])
model(torch.zeros(1, 4)).sum().backward()
optimizer.step()
"""


def test_a_text_in_which_nothing_is_to_be_replaced_stays_that_files(read):
    assert read({"train.py": CLEANED, "a.yaml": "rate: 0.25\n"}, "python train.py a.yaml").learning_rate == 0.25
