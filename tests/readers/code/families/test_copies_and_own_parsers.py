"""What a second round of unread repositories taught: copies that scripts run, parsers beside records, whole batches."""

import pytest

LOOP = """
import torch
from torch.utils.data import DataLoader
def fit(lr, steps, data=range(9), batch=4):
    net = torch.nn.Linear(3, 2)
    optimizer = torch.optim.AdamW(net.parameters(), lr=lr)
    for step in range(steps):
        for x in DataLoader(data, batch_size=batch):
            net(x).sum().backward()
            optimizer.step()
"""


@pytest.mark.parametrize(
    "copying",
    [
        "cp -r tools lib $RUN/code && python $RUN/code/tools/train.py --lr 0.2",
        "cp -r . $RUN/code; python $RUN/code/tools/train.py --lr 0.2",
        "rsync -a tools/ $RUN/code; cd $RUN && python code/train.py --lr 0.2",
        "cp tools/train.py $RUN/job.py && python $RUN/job.py --lr 0.2",
    ],
)
def test_a_program_that_is_run_from_a_copy_is_read_where_it_comes_from(read, copying):
    code = LOOP + "import argparse\np = argparse.ArgumentParser()\np.add_argument('--lr', type=float)\n"
    files = {"tools/train.py": code + "fit(p.parse_args().lr, 3)\n", "lib/a.py": ""}
    script = f"RUN=exp/$1\nmkdir -p $RUN/code\n{copying}\n"
    job = read({**files, "run.sh": script}, "bash run.sh first")
    assert (job.is_training, job.learning_rate) == (True, 0.2)


def test_a_file_of_the_repository_is_not_exchanged_for_a_copys_original(read):
    files = {"a/train.py": LOOP + "fit(0.1, 3)\n", "b/train.py": LOOP + "fit(0.2, 3)\n"}
    job = read({**files, "run.sh": "cp a/train.py b/train.py\npython b/train.py\n"}, "bash run.sh")
    assert job.learning_rate == 0.2


def test_options_beside_the_records_of_a_parser(read):
    code = LOOP + (
        "from dataclasses import dataclass\nfrom transformers import HfArgumentParser\n"
        "@dataclass\nclass Record:\n    lr: float = 0.1\n    steps: int = 7\n"
        "parser = HfArgumentParser(Record)\nparser.add_argument('--batch', type=int, default=2)\n"
        "args = parser.parse_args()\nfit(args.lr, args.steps, batch=args.batch)\n"
    )
    job = read({"train.py": code}, "python train.py --lr 0.3 --batch 16")
    assert (job.learning_rate, job.batch_size, job.total_steps) == (0.3, 16, 7)


def test_fastcores_decorator_calls_what_it_decorates(read):
    code = LOOP + (
        "from fastcore.script import call_parse\n"
        "@call_parse\ndef main(lr=0.1, batch_size=8, epochs=1):\n    fit(lr, epochs, batch=batch_size)\n"
    )
    assert read({"train.py": code}, "python train.py --lr 0.3 --batch_size 5").batch_size == 5
    assert read({"train.py": code, "other.py": "import train\n"}, "python other.py").is_training is False


def test_a_fork_of_yacs_reads_files_as_yacs_does(read):
    node = (
        "from yacs.config import CfgNode as _CfgNode\nfrom .files import Paths\n"
        "class CfgNode(_CfgNode):\n"
        "    def merge_from_file(self, name):\n        self.merge_from_other_cfg(CfgNode(Paths.load(name)))\n"
        "_C = CfgNode()\n_C.SOLVER = CfgNode()\n_C.SOLVER.LR = 0.1\n_C.SOLVER.IMS_PER_BATCH = 64\n"
        "_C.TEST = CfgNode()\n_C.TEST.IMS_PER_BATCH = 32\n"
    )
    main = LOOP + (
        "import sys\nfrom pack.config import _C\ncfg = _C.clone()\ncfg.merge_from_file(sys.argv[1])\n"
        "cfg.merge_from_list(sys.argv[2:])\nfit(cfg.SOLVER.LR, 3, batch=cfg.SOLVER.IMS_PER_BATCH)\n"
    )
    files = {"pack/__init__.py": "", "pack/files.py": "class Paths:\n    load = handler\n", "pack/config.py": node}
    below = {
        "base.yml": "SOLVER:\n  LR: 0.5\n  IMS_PER_BATCH: 48\n",
        "run.yml": "_BASE_: base.yml\nSOLVER:\n  LR: 0.7\n",
    }
    job = read({**files, **below, "main.py": main}, "python main.py run.yml")
    assert (job.learning_rate, job.batch_size) == (0.7, 48)


def test_parsed_overrides_reach_the_configuration(read):
    main = LOOP + (
        "import sys\nfrom omegaconf import OmegaConf\nfrom hydra._internal.config_loader_impl import ConfigLoaderImpl\n"
        "from hydra.core.override_parser.overrides_parser import OverridesParser\n"
        "cfg = OmegaConf.load('run.yaml')\nparser = OverridesParser.create()\n"
        "told = parser.parse_overrides(overrides=sys.argv[1:])\n"
        "ConfigLoaderImpl._apply_overrides_to_config(overrides=told, cfg=cfg)\n"
        "fit(cfg.policy.lr, 3, batch=cfg.policy.size)\n"
    )
    files = {"main.py": main, "run.yaml": "policy:\n  lr: 0.1\n  size: 8\n"}
    job = read(files, "python main.py policy.lr=0.4")
    assert (job.learning_rate, job.batch_size) == (0.4, 8)


def test_a_whole_batch_in_the_loader_is_not_what_one_device_sees(read):
    main = LOOP + (
        "from omegaconf import OmegaConf\ncfg = OmegaConf.load('run.yaml')\n"
        "steps = cfg.train_global_batch_size // cfg.train_micro_batch_size\n"
        "fit(0.1, 3, batch=cfg.train_global_batch_size)\n"
    )
    job = read(
        {"main.py": main, "run.yaml": "train_global_batch_size: 32\ntrain_micro_batch_size: 2\n"}, "python main.py"
    )
    assert (job.batch_size, job.global_batch_size) == (2, 32)


def test_the_rate_that_the_command_chose_counts_more_than_a_written_one(read):
    main = LOOP + (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--lr', type=float, default=1e-3)\n"
        "args = p.parse_args()\nalpha = torch.optim.Adam([torch.zeros(1)], lr=3e-4)\nfit(args.lr, 3)\n"
    )
    assert read({"main.py": main}, "python main.py --lr 0.05").learning_rate == 0.05


def test_the_benchmark_that_is_named_is_the_data_of_an_evaluation(read):
    main = (
        "import argparse\nfrom datasets import load_dataset\nfrom transformers import AutoModelForCausalLM\n"
        "p = argparse.ArgumentParser()\np.add_argument('--tasks')\nargs = p.parse_args()\n"
        "model = AutoModelForCausalLM.from_pretrained('gpt2')\nmodel.eval()\n"
        "sets = {'apps': lambda: load_dataset('codeparrot/apps'), 'x': lambda: load_dataset('y')}\n"
        "data = sets[args.tasks]() if args.tasks in names else sets['apps']()\n"
        "for row in data:\n    model.generate(row)\n"
    )
    assert read({"main.py": main}, "python main.py --tasks humaneval").dataset_name == "HumanEval"


def test_a_class_named_as_jaxs_sharding_is_none(read):
    main = LOOP + "class NamedSharding:\n    pass\nNamedSharding()\nfit(0.1, 3)\n"
    assert read({"main.py": main}, "python main.py").distributed == "none"


def test_large_settings_are_not_written_out_to_be_asked_for_a_word(read, monkeypatch):
    from schedmate.readers.code.values.value import Value

    main = LOOP + (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--lr', type=float, default=0.1)\n"
        "args = p.parse_args()\nargs.net = torch.nn.Linear(3, 2)\nfit(args.lr, 3)\n"
    )
    monkeypatch.setattr(Value, "__repr__", lambda one: pytest.fail("a value was written out"))
    assert read({"main.py": main}, "python main.py").learning_rate == 0.1
