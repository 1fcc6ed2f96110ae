"""What a fresh set of repositories taught: registries of libraries, wrapped models, batches that devices share."""

import pytest

STEPS = """
def fit(model, optimizer, steps, loader):
    for step in range(steps):
        loss = model(next(loader)).sum()
        loss.backward()
        optimizer.step()
"""
REGISTRY = {
    "nets/build.py": "from fvcore.common.registry import Registry\nNETS = Registry('NET')\n"
    "def build(name, width):\n    return NETS.get(name)(width)\n",
    "nets/__init__.py": "from .build import build\nfrom .made import *\n",
    "nets/made.py": "from torch import nn\nfrom .build import NETS\n"
    "@NETS.register()\ndef small_resnet(width):\n    return ResNet(width)\n"
    "class ResNet(nn.Module):\n    def __init__(self, width):\n        super().__init__()\n"
    "        self.conv = nn.Conv2d(3, width, 3)\n",
}


def test_what_a_librarys_registry_holds_is_made_by_its_name(read):
    code = "import torch\nfrom nets import build\n" + STEPS
    code += "net = build('small_resnet', 8)\nfit(net, torch.optim.SGD(net.parameters(), lr=0.2), 30, iter([]))\n"
    job = read({**REGISTRY, "train.py": code}, "python train.py")
    assert (job.model_name, job.model_type, job.optimizer, job.learning_rate) == ("ResNet", "cnn", "SGD", 0.2)


@pytest.mark.parametrize("library", ["mmengine.registry", "mmcv.utils"])
def test_what_type_names_is_built_with_the_rest_of_its_configuration(read, library):
    code = (
        f"import torch\nfrom torch import nn\nfrom {library} import Registry, build_from_cfg\n"
        "TASKS = Registry('tasks')\n" + STEPS + "@TASKS.register_module()\nclass Fitting:\n"
        "    def __init__(self, rate, steps=5):\n        self.rate, self.steps = rate, steps\n"
        "    def run(self):\n        net = nn.LSTM(2, 2)\n"
        "        fit(net, torch.optim.Adam(net.parameters(), lr=self.rate), self.steps, iter([]))\n"
        "TASKS.build(dict(type='Fitting', rate=0.03), default_args=dict(steps=70)).run()\n"
    )
    job = read({"train.py": code}, "python train.py")
    assert (job.learning_rate, job.total_steps, job.optimizer) == (0.03, 70, "Adam")


def test_a_wrapped_model_makes_its_own_optimizer_and_its_peak_is_the_rate(read):
    code = (
        "import os, torch\nfrom torch.nn.parallel import DistributedDataParallel as DDP\n"
        "class GPT(torch.nn.Module):\n    def configure(self, rate):\n"
        "        return torch.optim.AdamW(self.parameters(), lr=rate)\n"
        "many = int(os.environ.get('RANK', -1)) != -1\nmodel = torch.compile(GPT())\n"
        "if many:\n    model = DDP(model)\nraw = model.module if many else model\nmax_lr = 6e-4\n"
        "def rate_at(step):\n    if step < 50: return max_lr * (step + 1) / 50\n    return max_lr\n"
        "optimizer = raw.configure(max_lr)\nfor step in range(900):\n    model(1).sum().backward()\n"
        "    lr = rate_at(step)\n    for group in optimizer.param_groups: group['lr'] = lr\n    optimizer.step()\n"
    )
    job = read({"train.py": code}, "torchrun --nproc_per_node=4 train.py")
    assert (job.optimizer, job.learning_rate, job.total_steps) == ("AdamW", 6e-4, 900)


@pytest.mark.parametrize("divisor", ["jax.local_device_count()", "strategy.num_replicas_in_sync"])
def test_a_batch_that_is_shared_out_is_the_whole_batch(read, divisor):
    code = (
        "import argparse, jax, optax\nimport tensorflow as tf\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--batch_size', type=int, default=96)\n"
        "parser.add_argument('--batch_size_per_device', type=int, default=7)\nargs = parser.parse_args()\n"
        "strategy = tf.distribute.MirroredStrategy()\n"
        f"size = args.batch_size // {divisor} if args.batch_size > 9 else args.batch_size_per_device\n"
        "tx = optax.adam(1e-3)\nfor step in range(50):\n    updates, state = tx.update(step, size)\n"
    )
    assert read({"train.py": code}, "python train.py").batch_size == 96


def test_what_tokens_are_divided_by_is_no_share_of_a_batch(read):
    code = (
        "import os, torch\nB, total = 16, 4096\nworld = int(os.environ['WORLD_SIZE'])\n"
        "gathered = total // (B * 8 * world)\nnet = torch.nn.LSTM(2, 2)\n"
        "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\nfor step in range(9):\n"
        "    net(torch.zeros(B, 2)).sum().backward()\n    optimizer.step()\n"
    )
    assert read({"train.py": code}, "torchrun --nproc_per_node=2 train.py").batch_size != 4096


def test_fields_of_a_stored_record_have_the_defaults_of_their_own_records(read):
    code = (
        "import hydra, torch\nfrom dataclasses import dataclass\nfrom hydra.core.config_store import ConfigStore\n"
        "from omegaconf import DictConfig\n"
        "@dataclass\nclass Run(DictConfig):\n    seed: int\n    short: bool = False\n"
        "@dataclass\nclass Settings(DictConfig):\n    run: Run\n    steps: int = 5\n"
        "ConfigStore.instance().store(name='base', node=Settings)\n"
        + STEPS
        + "@hydra.main(version_base=None, config_path='conf', config_name='config')\ndef main(cfg):\n"
        "    if cfg.run.short:\n        cfg.steps = 100\n    net = torch.nn.LSTM(2, 2)\n"
        "    fit(net, torch.optim.Adam(net.parameters(), lr=1e-3), cfg.steps, iter([]))\nmain()\n"
    )
    files = {"train.py": code, "conf/config.yaml": "defaults: [base, _self_]\nrun: {seed: 4}\nsteps: 700\n"}
    assert read(files, "python train.py").total_steps == 700
    assert read(files, "python train.py run.short=true").total_steps == 100


def test_an_open_limit_of_steps_leaves_no_default_of_epochs(read):
    code = (
        "import sys\nfrom transformers import AutoModelForCausalLM, Trainer, TrainingArguments\n"
        "steps = open('steps.txt').read()\nargs = TrainingArguments(output_dir='o', max_steps=int(steps))\n"
        "Trainer(model=AutoModelForCausalLM.from_pretrained('gpt2'), args=args).train()\n"
    )
    job = read({"train.py": code}, "python train.py")
    assert (job.epochs, job.total_steps) == (None, None)


def test_the_commands_rate_stands_before_the_librarys_default(read):
    code = "import sys, torch\nfrom words import parse\nnet = torch.nn.LSTM(2, 2)\n" + STEPS
    code += "fit(net, torch.optim.Adam(net.parameters(), **parse(sys.argv)), 40, iter([]))\n"
    own = "def parse(argv):\n    return dict(betas=(0.9, 0.99))\n"
    job = read({"train.py": code, "words.py": own}, "python train.py --optimizer.lr=0.004")
    assert job.learning_rate == 0.004
    assert read({"train.py": code, "words.py": own}, "python train.py").learning_rate == 0.001


def test_an_agent_starts_with_what_its_schedule_gives_for_all_that_is_left(read):
    code = (
        "from stable_baselines3 import PPO\n"
        "agent = PPO('MlpPolicy', 'CartPole-v1', batch_size=80, learning_rate=lambda left: 1e-4 / (2 - left))\n"
        "agent.learn(total_timesteps=5000)\n"
    )
    job = read({"train.py": code}, "python train.py")
    assert (job.learning_rate, job.batch_size, job.global_batch_size) == (1e-4, 80, 80)


@pytest.mark.parametrize(("name", "kind"), [("LorentzCGGNN", "gnn"), ("GatedEMLP", "mlp")])
def test_a_network_is_of_the_kind_that_its_name_ends_with(read, name, kind):
    code = f"import torch\nclass {name}(torch.nn.Module):\n    pass\n" + STEPS
    code += f"net = {name}()\nfit(net, torch.optim.SGD(net.parameters(), lr=0.1), 9, iter([]))\n"
    assert read({"train.py": code}, "python train.py").model_type == kind


def test_a_title_needs_something_behind_its_colon(read):
    code = "import torch\nfrom torch import nn\nnet = nn.Sequential(torch.hub.load('a/b', 'unet'), nn.AvgPool2d(2))\n"
    code += STEPS + "nn.MSELoss()\nfit(net, torch.optim.SGD(net.parameters(), lr=0.1), 9, iter([]))\n"
    job = read({"train.py": code, "README.md": "# Links\n\nOnline Viewer: https://a.example/\n"}, "python train.py")
    assert (job.model_name, job.model_type, job.task_fine) == ("unet", "cnn", "image-to-image regression")


def test_one_process_of_mpi_is_on_one_node(read):
    code = "import torch\nnet = torch.nn.LSTM(2, 2)\n" + STEPS
    code += "fit(net, torch.optim.SGD(net.parameters(), lr=0.1), 9, iter([]))\n"
    assert read({"train.py": code}, "mpiexec -n 1 python train.py").num_nodes == 1
    assert read({"train.py": code}, "mpiexec -n 16 python train.py").num_nodes is None


def test_a_generator_is_told_by_the_project(read):
    unet = "import torch\nclass UNet(torch.nn.Module):\n    pass\n" + STEPS
    unet += "net = UNet()\nfit(net, torch.optim.SGD(net.parameters(), lr=0.1), 9, iter([]))\n"
    job = read({"train.py": unet, "README.md": "# Flow matching\n"}, "python train.py")
    assert job.task_fine == "generative modeling (flow matching)"


def test_what_holds_two_networks_and_names_a_kind_is_the_network(read):
    pair = (
        "import torch\nfrom torch import nn\nimport pytorch_lightning as pl\nfrom torchvision.datasets import CIFAR10\n"
        "class Encoder(nn.Module):\n    pass\nclass Decoder(nn.Module):\n    pass\n"
        "class Autoencoder(pl.LightningModule):\n    def __init__(self):\n        super().__init__()\n"
        "        self.encoder, self.decoder = Encoder(), Decoder()\n"
        "    def configure_optimizers(self):\n        return torch.optim.Adam(self.parameters(), lr=1e-3)\n"
        "loader = torch.utils.data.DataLoader(CIFAR10('.'), batch_size=8)\n"
        "pl.Trainer(max_epochs=3).fit(Autoencoder(), loader)\n"
    )
    job = read({"train.py": pair}, "python train.py")
    assert (job.model_name, job.task_fine) == ("Autoencoder", "reconstruction (representation learning)")
