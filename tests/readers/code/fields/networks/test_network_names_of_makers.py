"""What a network is called by what it is loaded from, by what makes it, and by what holds it."""

import pytest

from tests.readers.code.programs import FIT_MODEL, TORCH_HEAD, TORCH_LOOP

MODEL = """
import torch
from transformers import AutoModelForCausalLM
model = AutoModelForCausalLM.from_pretrained("{path}", device_map="auto")
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for epoch in range(3):
    model(1).loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize("path", ["path/to/model/dir", "/path/to/your/model", "/some/where/model", "<your-model-dir>"])
def test_a_path_that_stands_in_for_another_names_no_model(read, path):
    assert read({"train.py": MODEL.format(path=path)}, "python train.py").model_name is None


def test_a_path_that_ends_in_a_name_names_the_model(read):
    assert read({"train.py": MODEL.format(path="path/to/gpt2-xl")}, "python train.py").model_name == "gpt2-xl"


PICKED = """
import torch
from tools.MODULE import best
model = best("x")
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(200):
    model(1).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("module", "name"), [("model_ranking", None), ("remodelling", None), ("models", "best")])
def test_what_a_module_of_models_gives_is_named_after_its_function(read, module, name):
    assert read({"train.py": PICKED.replace("MODULE", module)}, "python train.py").model_name == name


def test_settings_of_a_model_are_no_model(read):
    source = """
        from trl import DPOConfig, DPOTrainer, ModelConfig, ScriptArguments, TrlParser
        parser = TrlParser((ScriptArguments, DPOConfig, ModelConfig))
        script_args, training_args, model_args = parser.parse_args_and_config()
        trainer = DPOTrainer(model_args.model_name_or_path, args=training_args)
        trainer.train()
    """
    assert read({"dpo.py": source}, "python dpo.py").model_name is None
    job = read({"dpo.py": source}, "python dpo.py --model_name_or_path Qwen/Qwen2-0.5B")
    assert "Qwen2-0.5B" in job.model_name


LANGUAGE = """
import transformers
import gym
import torch

class RowPPOTrainer:
    def __init__(self, path):
        self.model = transformers.AutoModelForCausalLM.from_pretrained(path)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-6)

    def fit(self):
        for step in range(5):
            self.model(step).loss.backward()
            self.optimizer.step()

env = gym.make("Pong-v0")
RowPPOTrainer("gpt2").fit()
"""


def test_the_trainer_of_a_language_model_gives_it_no_name(read):
    assert read({"go.py": LANGUAGE}, "python go.py").model_name == "gpt2"


def test_a_class_that_only_holds_a_loaded_model_is_named_after_it(read):
    code = FIT_MODEL + (
        "from transformers import AutoModelForCausalLM\n"
        "class Reasoner(nn.Module):\n"
        "    def __init__(self, name):\n        super().__init__()\n"
        "        self.base = AutoModelForCausalLM.from_pretrained(name, attn_implementation='sdpa')\n"
        "fit(Reasoner('google/gemma-2-2b-it'), 0.1, 2, 3)\n"
    )
    job = read({"train.py": code}, "python train.py")
    assert (job.model_name, job.model_type, job.param_size) == ("google/gemma-2-2b-it", "transformer", "2B")


@pytest.mark.parametrize(
    ("other", "name"), [("/cache/models/gemma-2-2b-it", "google/gemma-2-2b-it"), ("/cache/models/gpt2", None)]
)
def test_two_places_of_one_model_name_it_and_two_models_do_not(read, other, name):
    code = FIT_MODEL + (
        "import os\nfrom transformers import AutoModelForCausalLM\n"
        f"path = {other!r} if os.path.isdir({other!r}) else 'google/gemma-2-2b-it'\n"
        "fit(AutoModelForCausalLM.from_pretrained(path, attn_implementation='sdpa'), 0.1, 2, 3)\n"
    )
    assert read({"train.py": code}, "python train.py").model_name == name


HELD = """
import pytorch_lightning as pl
import torch

class QM9(pl.LightningDataModule):
    def train_dataloader(self):
        return torch.utils.data.DataLoader(torch.load("all.pt"), batch_size=4)

class NeRFSystem(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.coarse, self.fine = torch.nn.Linear(3, 4), torch.nn.Linear(3, 4)
    def training_step(self, batch, index):
        return self.coarse(batch).sum()
    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=5e-4)

pl.Trainer(max_epochs=3, devices=1).fit(NeRFSystem(), datamodule=QM9())
"""


def test_what_holds_a_network_is_called_after_it_and_own_data_after_the_set_they_read(read):
    job = read({"train.py": HELD}, "python train.py")
    assert (job.model_name, job.dataset_name, job.epochs) == ("NeRF", "QM9", 3)


def test_a_class_by_its_dotted_name_is_called_after_itself(read):
    program = """
    import argparse
    import importlib
    import torch

    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="nets.tides.TidalUnet")
    options = parser.parse_args()
    module, _, name = options.model.rpartition(".")
    model = getattr(importlib.import_module(module), name)()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    for batch in range(10):
        model(batch).sum().backward()
        optimizer.step()
    """
    assert read({"go.py": program}, "python go.py").model_name == "TidalUnet"


def test_a_function_that_builds_any_network_names_none(read):
    code = "import torch\nfrom elsewhere.models import build_model\nnet = build_model()\n"
    code += "optimizer = torch.optim.SGD(net.parameters(), lr=1)\n"
    code += "for step in range(4):\n    net(step).backward()\n    optimizer.step()\n"
    assert read({"go.py": code}, "python go.py").model_name is None


BACKBONE = """
from tensorflow import keras
from tensorflow.keras import layers
x = keras.Input((64, 64, 1))
y = layers.Conv2D({channels}, 3, padding="same")(x)
y = keras.applications.DenseNet121(include_top=False)(y)
net = keras.Model(x, layers.Dense(2)(layers.GlobalAveragePooling2D()(y)))
net.compile(optimizer="adam", loss="binary_crossentropy")
net.fit(1, epochs=3)
"""


@pytest.mark.parametrize(("channels", "name"), [(3, "DenseNet121"), (8, "CNN")])
def test_a_layer_that_colours_grey_images_stands_before_the_model(read, channels, name):
    assert read({"train.py": BACKBONE.format(channels=channels)}, "python train.py").model_name == name


def test_a_model_that_is_named_by_a_class_in_modules_is_named_after_the_telling_part(read):
    code = TORCH_HEAD + TORCH_LOOP + "import yaml\nconfig = yaml.safe_load(open('c.yaml'))\n"
    code += "from absent import load\nnet = load(config['model'])\ntrain(config['lr'], 2, 2)\n"
    job = read({"go.py": code, "c.yaml": "model: nets.resnet50.Model\nlr: 0.1\n"}, "python go.py --config c.yaml")
    assert job.model_name == "resnet50"


GRAPH = """
import tensorflow as tf

class AttentionSeq2Seq:
    def __init__(self):
        self.out = tf.layers.dense(tf.placeholder(tf.float32), 2)

class {name}:
    def __init__(self):
        words = AttentionSeq2Seq()
        self.loss = tf.reduce_mean(words.out)

made = {name}()
step = tf.train.AdamOptimizer(0.002).minimize(made.loss)
with tf.Session() as session:
    for batch in range(10):
        session.run(step)
"""


@pytest.mark.parametrize(
    ("name", "told"), [("BrookModel", "BrookModel"), ("Runner", "AttentionSeq2Seq"), ("Model", "AttentionSeq2Seq")]
)
def test_a_network_that_makes_another_one_in_its_body_is_the_whole(read, name, told):
    assert read({"go.py": GRAPH.format(name=name)}, "python go.py").model_name == told


LOOKED_AT = """
import torch
from torch import nn
from {folder}.seen import Seen

class OwnResNetGenerator(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Conv2d(3, 3, 3)

    def forward(self, x):
        return self.layer(x)

net = OwnResNetGenerator()
seen = Seen()
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in torch.utils.data.DataLoader([]):
    seen(net(x), y).backward()
    sgd.step()
"""
SEEN = """
import torchvision
from torch import nn

class Builder:
    @staticmethod
    def get_encoder(arch_encoder="resnet50dilated"):
        arch = arch_encoder.lower()
        if arch == "resnet50dilated":
            return torchvision.models.resnet50()
        raise ValueError(arch)

class Seen(nn.Module):
    def __init__(self, arch_encoder="resnet50dilated"):
        super().__init__()
        self.impl = Builder.get_encoder(arch_encoder=arch_encoder)

    def forward(self, x, y):
        return (x - y).abs().mean()
"""


def test_what_a_loss_looks_through_is_not_the_model(read):
    found = read({"main.py": LOOKED_AT.format(folder="losses"), "losses/seen.py": SEEN}, "python main.py")
    assert found.model_name == "OwnResNetGenerator"


POLICIES = {
    "policies.py": """
        import torch
        from torch.distributed.fsdp import MixedPrecision

        halves = MixedPrecision(param_dtype=torch.float16, reduce_dtype=torch.float16)
        brains = MixedPrecision(param_dtype=torch.bfloat16, reduce_dtype=torch.bfloat16)
        """,
    "train.py": """
        import sys

        import torch
        from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
        from transformers import LlamaForCausalLM

        from policies import brains, halves

        torch.distributed.init_process_group("nccl")
        pure = "--pure" in sys.argv
        model = LlamaForCausalLM.from_pretrained("/models/8B")
        if pure:
            model.to(torch.bfloat16)
        model = FSDP(model, mixed_precision=None if pure else halves if "--halves" in sys.argv else brains)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
        for step in range(10):
            model(torch.ones(1)).loss.backward()
            optimizer.step()
        """,
}


def test_a_local_path_is_named_by_the_class_that_loads_it(read):
    found = read(POLICIES, "torchrun --nproc_per_node 2 train.py")
    assert (found.model_name, found.param_size) == ("Llama (8B)", "8B")


LOOP = (
    "net = {net}\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
    "for batch in DataLoader(Words('x'), batch_size=4):\n    net(batch).sum().backward()\n    optimizer.step()\n"
)
DATA = (
    "import argparse, torch\nfrom torch.utils.data import DataLoader, Dataset\n"
    "class Words(Dataset):\n    def __init__(self, root):\n        self.rows = open(root).read().split()\n"
    "p = argparse.ArgumentParser()\np.add_argument('--train_data_dir')\n"
    "p.add_argument('--pretrained_model_name_or_path')\na = p.parse_args()\n"
)


def test_a_model_that_the_command_names_is_not_named_after_the_script(read):
    net = "torch.nn.Module()"
    code = (
        DATA + "from diffusers import UNet2DConditionModel\nclass Model(torch.nn.Module):\n"
        "    def __init__(self, path):\n        super().__init__()\n        self.a = torch.nn.Linear(2, 2)\n"
        + LOOP.format(net=net).replace(net, "Model(a.pretrained_model_name_or_path)")
    )
    command = "python textual_inversion.py --pretrained_model_name_or_path acme/stable-diffusion-v1-5"
    assert "stable-diffusion-v1-5" in str(read({"textual_inversion.py": code}, command).model_name)
