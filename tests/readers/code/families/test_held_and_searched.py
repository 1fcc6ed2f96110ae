"""What scripts of single projects taught: what a class only holds, what a search tries, what a tracker keeps."""

import pytest

TRAIN = """
import torch
from torch import nn
from torch.utils.data import DataLoader
def fit(model, lr, epochs, size):
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    for epoch in range(epochs):
        for x in DataLoader(range(9), batch_size=size):
            model(x).sum().backward()
            optimizer.step()
"""


def test_a_class_that_only_holds_a_loaded_model_is_named_after_it(read):
    code = TRAIN + (
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
    code = TRAIN + (
        "import os\nfrom transformers import AutoModelForCausalLM\n"
        f"path = {other!r} if os.path.isdir({other!r}) else 'google/gemma-2-2b-it'\n"
        "fit(AutoModelForCausalLM.from_pretrained(path, attn_implementation='sdpa'), 0.1, 2, 3)\n"
    )
    assert read({"train.py": code}, "python train.py").model_name == name


def test_a_tracker_hands_back_the_settings_that_it_was_given(read):
    code = TRAIN + (
        "import wandb\nwandb.init(project='p', config=dict(lr=0.3, turns=4, rows=5))\nconfig = wandb.config\n"
        "fit(nn.LSTM(2, 2), config.lr, config.turns, config['rows'])\n"
    )
    job = read({"train.py": code}, "python train.py")
    assert (job.learning_rate, job.epochs, job.batch_size) == (0.3, 4, 5)


def test_a_search_trains_and_leaves_the_rate_that_it_tries_open(read):
    code = (
        "from transformers import AutoModelForCausalLM, Trainer, TrainingArguments\n"
        "def make(trial=None):\n    return AutoModelForCausalLM.from_pretrained('gpt2')\n"
        "args = TrainingArguments(output_dir='o', num_train_epochs=2, per_device_train_batch_size=3, bf16=True)\n"
        "Trainer(model_init=make, args=args).hyperparameter_search(n_trials=9)\n"
    )
    job = read({"tune.py": code}, "torchrun --nproc_per_node=2 tune.py")
    assert (job.is_training, job.epochs, job.batch_size, job.precision) == (True, 2, 3, "bf16")
    assert (job.learning_rate, job.num_gpus, job.distributed) == (None, 2, "DDP")


@pytest.mark.parametrize(("places", "gpus"), [("{'': 0}", 1), ("{'': 'cuda:0'}", 1), ("'auto'", None)])
def test_a_model_that_is_put_on_one_device_as_a_whole_takes_one(read, places, gpus):
    code = (
        "from transformers import AutoModelForCausalLM, Trainer, TrainingArguments\n"
        f"model = AutoModelForCausalLM.from_pretrained('gpt2', device_map={places})\n"
        "Trainer(model=model, args=TrainingArguments(output_dir='o')).train()\n"
    )
    assert read({"tune.py": code}, "python tune.py").num_gpus == gpus


def test_layers_out_of_a_module_of_the_repository_tell_the_type(read):
    files = {
        "train.py": TRAIN + "import parts\nclass Dem(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.one = parts.Widened(3)\nfit(Dem(), 0.1, 2, 3)\n",
        "parts.py": "from torch import nn\nclass Widened(nn.Module):\n    def __init__(self, size):\n"
        "        super().__init__()\n        self.inner = nn.Conv2d(size, size, 3)\n",
    }
    assert read(files, "python train.py").model_type == "cnn"


def test_an_engines_file_names_no_model_and_the_weights_do(read):
    code = TRAIN + (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--init_ckpt')\n"
        "p.add_argument('--deepspeed_config')\na = p.parse_args()\nclass Net(nn.Module):\n    pass\n"
        "fit(Net(), 0.1, 2, 3)\n"
    )
    script = "python train.py --init_ckpt /weights/open_llama_3b --deepspeed_config conf/bert_small.json\n"
    assert read({"train.py": code, "run.sh": script}, "bash run.sh").model_name == "open_llama_3b"
