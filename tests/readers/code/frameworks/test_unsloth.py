"""What Unsloth decides where its users say nothing."""

import pytest

TUNE = """
from trl import SFTConfig, SFTTrainer
from unsloth import FastLanguageModel
model, tokenizer = FastLanguageModel.from_pretrained("Qwen/Qwen3-4B"{asked})
trainer = SFTTrainer(model=model, args=SFTConfig(learning_rate=2e-4{flags}))
trainer.train()
"""


@pytest.mark.parametrize(
    ("asked", "flags", "precision"),
    [
        ("", "", "bf16"),
        (", dtype=None", "", "bf16"),
        ("", ", fp16=True", "fp16"),
        (", dtype=None", ", bf16=True", "bf16"),
    ],
)
def test_a_model_of_unsloth_brings_its_precision_along(read, asked, flags, precision):
    job = read({"train.py": TUNE.format(asked=asked, flags=flags)}, "python train.py")
    assert (job.is_training, job.learning_rate, job.precision) == (True, 2e-4, precision)


@pytest.mark.parametrize(("launcher", "gpus"), [("python", 1), ("torchrun --nproc_per_node=4", 4)])
def test_unsloth_trains_on_one_gpu_unless_it_is_launched_on_more(read, launcher, gpus):
    job = read({"train.py": TUNE.format(asked="", flags="")}, f"{launcher} train.py")
    assert (job.framework, job.num_gpus) == ("Hugging Face TRL, PyTorch", gpus)
