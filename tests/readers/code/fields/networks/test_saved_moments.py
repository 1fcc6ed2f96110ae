"""Weights that are called after when they were saved are of the model whose folder they lie in."""

import pytest

CODE = """
import argparse
from transformers import AutoModelForCausalLM

parser = argparse.ArgumentParser()
parser.add_argument("--ckpt")
model = AutoModelForCausalLM.from_pretrained(parser.parse_args().ckpt)
model.eval()
print(model.generate("rain"))
"""


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/mistral_1p5b/step-4000", "mistral_1p5b"),
        ("/data/work/llama-7b-rain/checkpoint-300", "llama-7b-rain"),
        ("out/opt-125m/checkpoints/global_step1200", "opt-125m"),
        ("outputs/checkpoint-300", None),
        ("checkpoint-12", None),
        ("acme/step2vec-base", "acme/step2vec-base"),
    ],
)
def test_a_checkpoint_is_called_after_the_folder_that_says_of_what(read, path, name):
    assert read({"try.py": CODE}, f"python try.py --ckpt {path}").model_name == name


def test_a_point_may_be_a_letter(read):
    found = read({"try.py": CODE}, "python try.py --ckpt runs/mistral_1p5b/step-4000")
    assert found.param_size == "1.5B"
