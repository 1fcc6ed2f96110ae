"""Which words name the network: the class that an option picks or the project goes by; no folder or wrapper."""

import pytest

from tests.readers.code.programs import TORCH_HEAD

CODE = """
import argparse, torch
{imports}

class {first}(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
    def forward(self, x):
        return self.layer(x)

class {second}(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
    def forward(self, x):
        return self.layer(x)

options = argparse.ArgumentParser()
options.add_argument("--{option}", default="{default}")
args = options.parse_args()
print(args.{option})
net, other = {first}(), {second}()
net = {wrapped}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in read():
    net(x).sum().backward()
    optimizer.step()
"""


def named(read, first="BrookNet", second="Side", option="model", default="", title="Notes", **more):
    parts = {"first": first, "second": second, "option": option, "default": default, "imports": "", "wrapped": "net"}
    return read({"go.py": CODE.format(**{**parts, **more}), "README.md": f"# {title}\n"}, "python go.py").model_name


@pytest.mark.parametrize(
    ("default", "name"),
    [
        ("../models", "Model"),
        ("/data/river/models_lib", "Model"),
        ("./checkpoints", "Model"),
        ("/data/river/llama-7b", "llama-7b"),
        ("orchard/brook", "orchard/brook"),
        ("/cache/hub/models--orchard--llama-7b/snapshots/0a1b2c3d", "orchard/llama-7b"),
        ("/cache/hub/models--bert-base-cased", "bert-base-cased"),
    ],
)
def test_a_folder_of_models_names_none(read, default, name):
    assert (named(read, "Model", option="model_path", default=default) or "Model") == name


def test_a_kind_of_machine_is_no_architecture(read):
    code = "import torch, json\nprint(json.load(open('run.json'))['arch'])\ntorch.optim.SGD(made(), lr=0.1).step()\n"
    files = {"go.py": code, "run.json": '{"arch": "knl"}'}
    assert read(files, "python go.py").model_name is None
    assert read({**files, "run.json": '{"arch": "resnet18"}'}, "python go.py").model_name == "resnet18"


@pytest.mark.parametrize(
    ("default", "name"), [("MeadowNet", "MeadowNet"), ("meadow", "BrookNet"), ("BrookNet", "BrookNet")]
)
def test_an_option_picks_the_class_that_it_names(read, default, name):
    assert named(read, "BrookNet", "MeadowNet", default=default) == name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("BRK: brooks in pictures", "BRK"),
        ("Brooks in pictures", "distilbert-base-uncased"),
        ("BRK", "BRK"),
    ],
)
def test_a_class_that_the_project_goes_by_keeps_its_name(read, title, name):
    assert named(read, "BRK", option="modelname", default="distilbert-base-uncased", title=title) == name


def test_what_makes_a_network_ready_for_several_devices_names_none(read):
    wrapped = "apex.parallel.convert_syncbn_model(net)"
    assert named(read, imports="import apex", wrapped=wrapped) == "BrookNet"


MINDSPORE = """
import mindspore
from mindspore import nn

class ResNetPart(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)

class BrookSpotter(nn.Cell):
    def __init__(self):
        super().__init__()
        self.backbone = ResNetPart()
        self.head = nn.Dense(8, 2)

net = BrookSpotter()
optimizer = nn.Momentum(params=net.trainable_params(), learning_rate=0.1, momentum=0.9)
step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), optimizer)
step.set_train()
for x, y in read():
    step(x, y)
"""


def test_a_cell_is_a_network(read):
    assert read({"go.py": MINDSPORE}, "python go.py").model_name == "BrookSpotter"


ACTING = """
import gym, torch
from agents import {module}
print({used})
class BrookRepresentation(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)
world = gym.make("CartPole-v1")
net = BrookRepresentation()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for batch in range(10):
    net(world.reset()).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("module", "title", "name"),
    [
        ("hiql", "HIQL: learning to act", "hiql"),
        ("cql", "HIQL: learning to act", "BrookRepresentation"),
        ("brook", "Brook: acting", "BrookRepresentation"),
    ],
)
def test_an_agent_goes_by_the_algorithm_that_a_module_and_the_title_name(read, module, title, name):
    code = ACTING.format(module=module, used=f"{module}.RATE")
    files = {"go.py": code, "agents/__init__.py": "", f"agents/{module}.py": "RATE = 1\n", "README.md": f"# {title}\n"}
    assert read(files, "python go.py").model_name == name


DRIVEN = """
import argparse, mxnet as mx

class BrookModule(mx.mod.BaseModule):
    def __init__(self, symbol):
        self.symbol = symbol

options = argparse.ArgumentParser()
options.add_argument("--cfg")
args = options.parse_args()
made = BrookModule(mx.sym.load("symbol.json"))
made.fit(read(), num_epoch=3)
"""


def test_what_drives_a_network_is_none(read):
    assert (
        read({"go.py": DRIVEN, "resnet50.yaml": "a: 1\n"}, "python go.py --cfg resnet50.yaml").model_name == "resnet50"
    )
    assert read({"go.py": DRIVEN, "brook.yaml": "a: 1\n"}, "python go.py --cfg brook.yaml").model_name != "BrookModule"


OWN = """
import argparse, paddle.fluid as fluid

class Base:
    def __init__(self):
        self.layer = fluid.layers.fc(None, 4)

class UnifiedTransformer(Base):
    pass

class BertVocab:
    pass

class Meadow(UnifiedTransformer):
    pass

options = argparse.ArgumentParser()
options.add_argument("--model", default="Meadow")
kinds = {"UnifiedTransformer": UnifiedTransformer, "Meadow": Meadow}
words, side = BertVocab(), UnifiedTransformer()
made = kinds[options.parse_args().model]()
optimizer = fluid.optimizer.Adam(learning_rate=0.1)
optimizer.minimize(made.layer)
"""


@pytest.mark.parametrize(
    ("words", "name"),
    [("", "Meadow"), ("--model Meadow", "Meadow"), ("--model UnifiedTransformer", "UnifiedTransformer")],
)
def test_a_class_that_extends_none_of_a_librarys_is_picked_by_its_option(read, words, name):
    assert read({"go.py": OWN}, f"python go.py {words}").model_name == name


JOINED = """
import argparse
import torch

p = argparse.ArgumentParser()
for name in ("domain", "way", "scheme", "seed"):
    p.add_argument("--" + name)
a = p.parse_args()

class LarkNet(torch.nn.Module):
    pass

model_name = f"{text}"
net = LarkNet()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(40):
    net(model_name).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    "text", ["model_{a.domain}_{a.way}_{a.scheme}_{a.seed}", "run_{a.domain}_{a.way}", "{a.way}-{a.scheme}-{a.seed}"]
)
def test_a_text_made_of_what_the_command_says_names_a_run(read, text):
    words = "--domain moor --way full_finetune --scheme s4 --seed 42"
    assert read({"fit.py": JOINED.replace("{text}", text)}, f"python fit.py {words}").model_name == "LarkNet"


@pytest.mark.parametrize("ending", ["eqx", "msgpack", "pdparams", "pt"])
def test_a_file_of_weights_names_no_network(read, ending):
    program = f"""
        import torch

        MODEL_PATH = "kept/rowset.{ending}"
        class Weaver(torch.nn.Module):
            pass
        model = Weaver()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for epoch in range(3):
            model(1).backward()
            optimizer.step()
        """
    assert read({"fit_rows.py": program}, "python fit_rows.py").model_name == "Weaver"


GENERATOR = (
    TORCH_HEAD
    + """
class Discriminator(torch.nn.Module):
    def __init__(self, architecture="skip"):
        super().__init__()
        self.architecture = architecture
        self.conv = torch.nn.Conv2d(3, 3, 3)

class Generator(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 3, 3)

class MaskAwareLoss(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(1))

class dice_and_ce_loss(torch.nn.Module):
    pass

judge, make, weigh = Discriminator(), Generator(), dice_and_ce_loss()
print(judge.architecture)
optimizer = torch.optim.Adam(make.parameters(), lr=0.1)
for step in range(10):
    weigh(judge(make(torch.randn(2, 3, 8, 8)))).backward()
    optimizer.step()
"""
)


def test_a_setting_of_a_part_and_a_loss_are_no_names_of_the_model(read):
    files = {"train.py": GENERATOR, "README.md": "## StyleGAN2 with adaptive augmentation (ADA)\n"}
    job = read(files, "python train.py")
    assert (job.model_name, job.task_fine) == ("StyleGAN2", "image generation")
    alone = GENERATOR.replace("judge(make(torch.randn(2, 3, 8, 8)))", "torch.randn(2)").replace(
        "torch.optim.Adam(make.parameters(), lr=0.1)", "torch.optim.Adam(torch.load('x'), lr=0.1)"
    )
    alone = alone.replace("Discriminator(), Generator(), ", "None, None, ").replace("judge.architecture", "''")
    assert read({"train.py": alone, "README.md": ""}, "python train.py").model_name is None


PEFT = """
from transformers import AutoModelForSeq2SeqLM, Seq2SeqTrainer, Seq2SeqTrainingArguments
from peft import LoraConfig, PeftModelForSeq2SeqLM

base = AutoModelForSeq2SeqLM.from_pretrained("google/flan-t5-base")
net = PeftModelForSeq2SeqLM(base, LoraConfig(r=8))
Seq2SeqTrainer(model=net, args=Seq2SeqTrainingArguments("out"), train_dataset=rows()).train()
"""


def test_a_model_with_adapters_is_called_after_the_one_below(read):
    assert read({"main.py": PEFT}, "python main.py").model_name == "google/flan-t5-base"


@pytest.mark.parametrize(
    ("cls", "default", "name"),
    [
        ("DriftLayer", "", None),
        ("StepTrainer", "", None),
        ("base_model", "all", None),
        ("base_model", "saved/brook.0.model", None),
        ("base_model", "**path_to_brook_net**", None),
        ("TideNet", "", "TideNet"),
    ],
)
def test_what_any_network_or_part_may_be_called_names_none(read, cls, default, name):
    assert named(read, cls, default=default) == name


KEPT = """
import os, torch
from transformers import AutoModelForCausalLM
folder = "/shared/hub/models--orchard--brook-1.5B/snapshots/"
net = AutoModelForCausalLM.from_pretrained({path})
optimizer = torch.optim.AdamW(net.parameters(), lr=0.1)
net(1).loss.backward()
optimizer.step()
"""


@pytest.mark.parametrize("path", ["folder + os.listdir(folder)[0]", "os.path.join(folder, os.listdir(folder)[-1])"])
def test_a_path_into_the_hubs_cache_names_the_model_that_is_kept_there(read, path):
    job = read({"go.py": KEPT.format(path=path)}, "python go.py")
    assert (job.model_name, job.param_size) == ("orchard/brook-1.5B", "1.5B")


def test_a_layer_of_keras_that_the_repository_wrote_is_not_the_network(read):
    code = (
        "from keras.layers import Conv2D, Dense, Flatten, Layer\nfrom keras.models import Sequential\n"
        "class Whitened(Layer):\n    def call(self, x):\n        return x / 3\n"
        "model = Sequential()\nmodel.add(Whitened())\nmodel.add(Conv2D(8, 3))\nmodel.add(Conv2D(8, 3))\n"
        "model.add(Flatten())\nmodel.add(Dense(2))\nmodel.compile('adam', 'mse')\nmodel.fit(rows, epochs=2)\n"
    )
    assert read({"go.py": code}, "python go.py").model_name == "CNN"
