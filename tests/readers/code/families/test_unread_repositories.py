"""What repositories that nobody had read taught: launchers, mappings, paths of other machines, evaluations."""

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


def test_processes_of_mindspore_are_counted_by_its_launcher(read):
    job = read({"train.py": LOOP + "fit(0.1, 5)\n"}, "msrun --bind_core=True --worker_num 8 python train.py")
    assert job.num_gpus == 8


def test_a_mapping_of_a_library_that_is_not_here_holds_what_options_say(read):
    code = LOOP + (
        "import argparse\nfrom icefall.utils import AttributeDict\n"
        "parser = argparse.ArgumentParser()\nparser.add_argument('--base-lr', type=float, default=0.05)\n"
        "parser.add_argument('--kind', default='one')\n"
        "params = AttributeDict({'count': 7})\nparams.update(vars(parser.parse_args()))\n"
        "fit(params.base_lr, params.count) if params.kind == 'one' else fit(1.0, 1)\n"
    )
    job = read({"train.py": code}, "python train.py --base-lr 0.02")
    assert (job.learning_rate, job.is_training) == (0.02, True)


@pytest.mark.parametrize("there", ["/scratch/someone/project/pack", "$HOME/code/pack", "~/pack", "${WORK}/a/pack"])
def test_a_configuration_is_found_by_its_path_on_another_machine(read, there):
    code = LOOP + "import sys, yaml\ncfg = yaml.safe_load(open(sys.argv[1]))\nfit(cfg['lr'], 3, batch=cfg['size'])\n"
    files = {"pack/train.py": code, "pack/configs/base.yaml": "lr: 0.3\nsize: 11\n", "base.yaml": "lr: 9\n"}
    job = read(files, f"python {there}/train.py {there}/configs/base.yaml")
    assert (job.learning_rate, job.batch_size) == (0.3, 11)


@pytest.mark.parametrize("path", ["/elsewhere/base.yaml", "/up/../configs/base.yaml", "/etc/passwd"])
def test_another_machines_file_is_not_taken_for_one_of_the_same_name_alone(read, path):
    code = LOOP + "import sys, yaml\ncfg = yaml.safe_load(open(sys.argv[1]))\nfit(cfg['lr'], 3)\n"
    job = read(
        {"train.py": code, "base.yaml": "lr: 0.3\n", "configs/base.yaml": "lr: 0.4\n"}, f"python train.py {path}"
    )
    assert job.learning_rate is None


def test_what_an_evaluation_reads_is_told(read):
    command = "lm_eval --model hf --model_args pretrained=EleutherAI/gpt-j-6B,dtype=float16 --tasks hellaswag"
    job = read({"README.md": ""}, f"{command} --device cuda:0 --batch_size 8")
    assert (job.is_training, job.batch_size, job.dataset_name, job.num_gpus) == (False, 8, "hellaswag", 1)
    assert (job.model_name, job.precision, job.learning_rate) == ("EleutherAI/gpt-j-6B", "fp16", None)


SCHEDULE = """
class Schedule:
    def __init__(self, optimizer, start, peak, warmup):
        self.optimizer, self.start, self.peak, self.warmup, self.count = optimizer, start, peak, warmup, 0.0
    def step(self):
        self.count += 1
        rate = self.peak
        if self.count < self.warmup:
            rate = self.start + self.count / self.warmup * (self.peak - self.start)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
"""


def test_the_first_step_of_a_warm_up_is_not_the_rate(read):
    code = (
        "import torch, yaml\nwith open('run.yaml') as file:\n    cfg = yaml.safe_load(file)\n"
        + SCHEDULE
        + "net = torch.nn.Linear(3, 2)\noptimizer = torch.optim.AdamW(net.parameters())\n"
        "schedule = Schedule(optimizer, cfg['start_lr'], cfg['lr'], 1000)\n"
        "for step in range(90):\n    schedule.step()\n    net(torch.ones(3)).sum().backward()\n    optimizer.step()\n"
    )
    assert (
        read({"train.py": code, "run.yaml": "start_lr: 0.0002\nlr: 0.0008\n"}, "python train.py").learning_rate
        == 0.0008
    )


def test_a_class_that_is_named_after_a_model_names_no_data(read):
    code = LOOP + (
        "from torch.utils.data import Dataset\nclass GPTDatasetV1(Dataset):\n"
        "    def __init__(self, text):\n        self.text = text\n"
        "    def __getitem__(self, at):\n        return self.text[at]\n"
        "fit(0.1, 3, GPTDatasetV1(open('/x').read()))\n"
    )
    assert read({"train.py": code}, "python train.py").dataset_name is None


def test_settings_beside_a_coordinator_are_no_number_of_steps(read):
    code = (
        "import tensorflow as tf\nhparams = tf.contrib.training.HParams(batch_size=32, max_iters=200)\n"
        "coord = tf.train.Coordinator()\nloss = tf.Variable(0.0)\n"
        "optimize = tf.train.AdamOptimizer(0.002).minimize(loss)\nlimit = hparams.max_iters\n"
        "with tf.Session() as sess:\n    while not coord.should_stop():\n        sess.run([loss, optimize])\n"
    )
    assert read({"train.py": code}, "python train.py").total_steps is None


def test_a_configuration_that_llm_foundry_hands_back_is_still_known(read):
    code = (
        "import sys\nfrom composer import Trainer\nfrom omegaconf import OmegaConf as om\n"
        "from llmfoundry.utils.config_utils import pop_config, update_batch_size_info\n"
        "cfg = update_batch_size_info(om.load(open(sys.argv[1])))\nlimit = pop_config(cfg, 'limit')\n"
        "trainer = Trainer(model=None, max_duration=limit, precision=cfg.precision)\ntrainer.fit()\n"
    )
    files = {"train.py": code, "run.yaml": "limit: 3200ba\nprecision: amp_bf16\n"}
    job = read(files, "composer train.py run.yaml")
    assert (job.total_steps, job.precision) == (3200, "bf16")


def test_the_level_of_mixed_precision_of_mindspore_is_a_precision(read):
    code = (
        "import argparse\nimport mindspore as ms\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--amp_level', default='O0')\nargs = parser.parse_args()\n"
        "from mindcv.utils import create_trainer\ntrainer = create_trainer(ms.nn.Dense(3, 2), args.amp_level)\n"
        "trainer.train(3, ms.dataset.ImageFolderDataset('/data'))\n"
    )
    assert read({"train.py": code}, "python train.py --amp_level O2").precision == "fp16"


def test_a_vocoder_beside_it_does_not_name_the_network(read):
    code = (
        "import torch, yaml\ncfg = yaml.safe_load(open('model.yaml'))\n"
        "class FastSpeech2(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.out = torch.nn.Linear(3, 2)\n    def forward(self, x):\n        return self.out(x)\n"
        "kind = cfg['vocoder']['model']\nnet = FastSpeech2()\n"
        "optimizer = torch.optim.Adam(net.parameters(), lr=0.1)\n"
        "for step in range(9):\n    net(torch.ones(3)).sum().backward()\n    optimizer.step()\n"
    )
    files = {"train.py": code, "model.yaml": "vocoder:\n  model: HiFi-GAN\n"}
    assert read(files, "python train.py").model_name == "FastSpeech2"


def test_a_function_that_is_pickled_for_another_process_is_followed(read):
    code = LOOP + (
        "import cloudpickle, subprocess, sys\ndef call(thunk, **given):\n    def whole():\n        thunk(**given)\n"
        "    subprocess.check_call([sys.executable, 'entry.py', cloudpickle.dumps(whole)])\n"
        "call(fit, lr=0.7, steps=3)\n"
    )
    assert read({"train.py": code}, "python train.py").learning_rate == 0.7
