"""Language models that start from weights, preferences, distillation, proteins; told data and models."""

import pytest

TUNE = """
import torch
from transformers import AutoModelForCausalLM
from datasets import load_dataset
model = AutoModelForCausalLM.{made}
data = load_dataset("{data}")
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
for batch in data:
    model(batch).loss.backward()
    optimizer.step()
"""
WEIGHTS = "from_pretrained('acme/Llama-2-7b-hf')"


def tuned(read, made=WEIGHTS, data="acme/notes", script="train.py"):
    return read({script: TUNE.format(made=made, data=data)}, f"python {script}").task_fine


def test_a_language_model_that_starts_from_weights_is_fine_tuned(read):
    assert tuned(read) == "language modeling (fine-tuning)"
    assert tuned(read, made="from_config(None)") == "language modeling"


def test_what_is_named_after_tuning_is_fine_tuned(read):
    assert tuned(read, made="from_config(None)", script="finetune_llama.py") == "language modeling (fine-tuning)"
    assert tuned(read, made="from_config(None)", script="floral.py") == "language modeling"


def test_data_of_preferences_outweigh_the_head(read):
    assert tuned(read, data="HuggingFaceH4/ultrafeedback_binarized") == "preference tuning"


def test_a_trainer_of_preferences_outweighs_it_too(read):
    code = "from transformers import Trainer, AutoModelForCausalLM\nclass SimPOTrainer(Trainer):\n    pass\n"
    code += f"SimPOTrainer(model=AutoModelForCausalLM.{WEIGHTS}).train()\n"
    assert read({"run.py": code}, "python run.py").task_fine == "preference tuning (simpo)"


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


def test_a_distillation_is_named_after_its_script(read):
    code = DATA + LOOP.format(net="torch.nn.LSTM(2, 2)")
    assert read({"run_distillation.py": code}, "python run_distillation.py").task_fine == "knowledge distillation"


@pytest.mark.parametrize(("title", "fine"), [("protein backbone generation", "protein structure generation")])
def test_proteins_are_no_graphs(read, title, fine):
    code = DATA + LOOP.format(net="torch.nn.LSTM(2, 2)")
    job = read({"train.py": code, "README.md": f"# folds: a model for {title}\n"}, "python train.py")
    assert (job.task, job.task_fine) == ("other", fine)


def test_a_folder_that_the_command_tells_names_the_data_before_a_class_of_ones_own(read):
    code = (DATA + LOOP.format(net="torch.nn.LSTM(2, 2)")).replace("Words", "EpicSceneDataset")
    told = read({"train.py": code}, "python train.py --train_data_dir images/epic_large_scenes")
    assert told.dataset_name == "epic_large_scenes"
    assert read({"train.py": code}, "python train.py").dataset_name == "EpicSceneDataset"


def test_a_model_that_the_command_names_is_not_named_after_the_script(read):
    net = "torch.nn.Module()"
    code = (
        DATA + "from diffusers import UNet2DConditionModel\nclass Model(torch.nn.Module):\n"
        "    def __init__(self, path):\n        super().__init__()\n        self.a = torch.nn.Linear(2, 2)\n"
        + LOOP.format(net=net).replace(net, "Model(a.pretrained_model_name_or_path)")
    )
    command = "python textual_inversion.py --pretrained_model_name_or_path acme/stable-diffusion-v1-5"
    assert "stable-diffusion-v1-5" in str(read({"textual_inversion.py": code}, command).model_name)


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


@pytest.mark.parametrize(("asked", "kind"), [("settings.load().precision == 16", None), ("metrics[0] > 1", "fp32")])
def test_a_precision_that_is_read_from_lost_settings_is_open(read, asked, kind):
    code = (
        "import torch, settings\nmetrics = [2]\nprecision = metrics[0] / 3\nnet = torch.nn.LSTM(2, 2).cuda()\n"
        f"optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\nif {asked}:\n    print('half')\n"
        "for step in range(40):\n    net(step).sum().backward()\n    optimizer.step()\n"
    )
    files = {"train.py": code, "settings.py": "import os\ndef load():\n    return eval(os.environ['SETTINGS'])\n"}
    assert read(files, "python train.py").precision == kind
