"""Models in folders that only the machine knows: the end of the path names them all the same."""

import pytest

from schedmate.knowledge.models import named_class

SCRIPT = """
MODEL=${MODEL_ROOT}/models/Qwen2.5-7B
python3 -m verl.trainer.main_ppo --config-name=NAME.yaml actor_rollout_ref.model.path="$MODEL" trainer.nnodes=2
"""


def test_a_tool_is_told_a_model_in_an_open_folder(read):
    found = read({"run.sh": SCRIPT.replace("NAME", "ppo_trainer")}, "bash run.sh")
    assert (found.model_name, found.distributed) == ("Qwen2.5-7B", "FSDP")


def test_the_name_of_a_trainers_configuration_names_its_engine_and_no_model(read):
    found = read({"run.sh": SCRIPT.replace("NAME", "ppo_megatron_trainer")}, "bash run.sh")
    assert (found.model_name, found.distributed) == ("Qwen2.5-7B", "Megatron")


PROGRAM = """
import argparse
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

parser = argparse.ArgumentParser()
parser.add_argument("--model_path", type=str)
options = parser.parse_args()
model = AutoModelForCausalLM.from_pretrained(options.model_path)
Trainer(model=model, args=TrainingArguments(output_dir="out")).train()
"""


def test_a_program_is_told_a_model_in_an_open_folder(read):
    found = read({"go.py": PROGRAM, "run.sh": "python go.py --model_path $ROOT/Llama-2-7b-hf"}, "bash run.sh")
    assert found.model_name == "Llama-2-7b-hf"


def test_an_open_folder_alone_names_no_model(read):
    assert read({"go.py": PROGRAM, "run.sh": "python go.py --model_path $ROOT/best"}, "bash run.sh").model_name is None


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


@pytest.mark.parametrize(
    ("dotted", "name"), [("nets.unet.Model", "unet"), ("src.Model", "Model"), ("core.networks.Net", "Net")]
)
def test_only_a_module_of_a_known_family_names_a_class_that_any_model_may_be(dotted, name):
    assert named_class(dotted) == name
