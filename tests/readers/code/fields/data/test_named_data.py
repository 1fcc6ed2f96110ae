"""Data that are loaded by a name: from a hub, from a disk where a hub's were saved, by a library of many sets."""

import pytest

from tests.readers.code.networks import OWN_RESNET


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


LOADS = """
import argparse
import torch
from torch import nn
from datasets import load_dataset

parser = argparse.ArgumentParser()
parser.add_argument("--dataset", default="rows")
args = parser.parse_args()
print(args.dataset)
samples = load_dataset("{kind}", data_files="shelf/imdb.{kind}")
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=1)
for step in range(7):
    net(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize("kind", ["json", "csv", "parquet"])
def test_files_that_are_loaded_by_their_format_go_before_an_option(read, kind):
    assert read({"go.py": LOADS.format(kind=kind)}, "python go.py").dataset_name == "IMDB"


def test_a_split_that_a_method_is_told_is_no_data_set(read):
    code = OWN_RESNET.format(imports="import tasks", loss="nn.MSELoss()") + "tasks.setup().load_dataset('valid')\n"
    assert read({"go.py": code}, "python go.py").dataset_name is None


def test_data_that_can_be_loaded_go_before_their_cache(read):
    files = {
        "train.py": """
            import os
            import sys

            from datasets import load_dataset, load_from_disk
            from transformers import AutoModelForSeq2SeqLM, Trainer, TrainingArguments

            cache = "cache_data/summarize"
            data = load_from_disk(cache) if os.path.exists(cache) else load_dataset("some/texts", split="train")
            model = AutoModelForSeq2SeqLM.from_pretrained("Some/lm-1_8B")
            Trainer(model=model, args=TrainingArguments(output_dir="out"), train_dataset=data).train()
            """
    }
    found = read(files, "python train.py")
    assert (found.dataset_name, found.param_size) == ("some/texts", "1.8B")


@pytest.mark.parametrize(("part", "name"), [("DATASET", "some/rivers"), ("upper", "some/rivers/upper")])
def test_a_word_for_the_users_own_part_is_no_part_of_a_name(read, part, name):
    code = (
        "import argparse\nfrom datasets import load_dataset\nfrom transformers import AutoModelForCausalLM, Trainer\n"
        "p = argparse.ArgumentParser()\np.add_argument('--part')\nargs = p.parse_args()\n"
        "data = load_dataset('some/rivers', args.part)\nmodel = AutoModelForCausalLM.from_pretrained('gpt2')\n"
        "Trainer(model=model, train_dataset=data).train()\n"
    )
    assert read({"go.py": code}, f"python go.py --part {part}").dataset_name == name


def test_what_the_program_makes_of_files_is_a_cache(read):
    code = (
        "import os\nfrom datasets import load_dataset, load_from_disk\n"
        "from transformers import AutoModelForCausalLM, Trainer\n"
        "data = load_dataset('text', data_files='/srv/rows/all.txt')\n"
        "saved = os.path.join('/srv/cache', 'squashed1')\n"
        "data = load_from_disk(saved) if os.path.exists(saved) else data.map(len)\n"
        "Trainer(model=AutoModelForCausalLM.from_pretrained('gpt2'), train_dataset=data).train()\n"
    )
    assert read({"go.py": code}, "python go.py").dataset_name != "squashed1"
