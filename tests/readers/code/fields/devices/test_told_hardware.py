"""Accelerators that a README's sentence, a script's name and its first comments tell."""

import pytest

LOOP = (
    "import torch\nnet = torch.nn.LSTM(2, 2).cuda()\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
    "for step in range(9):\n    net(step).sum().backward()\n    optimizer.step()\n"
)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("All networks were trained on a single NVIDIA RTX 3090 GPU.", "RTX 3090"),
        ("We ran the experiments with one V100.", "V100"),
        ("The networks were trained on four A100 GPUs.", None),
        ("Big ones were trained on a single A100. Small ones were trained on a T4.", None),
        ("It needs an A100.", None),
        ("Training takes five hours.", None),
        ("Pretraining crashed on a single A100.", None),
        ("It does not train on an A100.", None),
        ("Running inference with one A100 is fast.", None),
        ("Training and testing are done with one A100.", "A100"),
        ("- [2031/07] A group trained it on an A100.", None),
        ("Performance on an A100 is good.", None),
        ("It is not hard. We trained it on an A100.", "A100"),
        ("We trained on a single T4, for a day", "T4"),
        ("We trained with a 1080 by 720 grid.", None),
        ("Train the agent on a Hopper robot.", None),
    ],
)
def test_a_sentence_of_the_readme_on_training(read, words, kind):
    files = {"train.py": LOOP, "README.md": f"# Thing\n\n{words}\n"}
    assert read(files, "python train.py").hardware == kind


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("- HARDWARE: 2 x NVIDIA TESLA V100 32G GPU, 64 vCPUs, 256GB RAM", "V100"),
        ("## Hardware\n\nUbuntu 18.04\n1 x NVIDIA T4\n", "T4"),
        ("## Hardware (what we had)\n4 x RTX 3090, 2 x T4", None),
        ("## Hardware\n0 x NVIDIA T4\n", None),
        ("## Hardware\n\n\n\n\n\n\n\n1 x NVIDIA T4\n", None),
        ("## Software\n1 x NVIDIA T4\n", None),
        ("## Hardware (of the public demo)\n\n* 1 x NVIDIA T4\n", None),
        ("Hardware: served from 1 x NVIDIA T4, training is told of elsewhere.", None),
        ("## Hardware\n\nNobody needs 4 x A100 here.\n", None),
        ("## Hardware\n\nYou can do without 4 x A100.\n", None),
        ("## Hardware\n\nAsk us.\n\n## Deploying\n\n- 1 x NVIDIA T4\n", None),
        ("## Hardware\n\nFor training we have 2 x A100.\n", "A100"),
        ("**Hardware**\n\n* **GPU**: 2 x A100\n", "A100"),
        ("## Hardware\n\n| GPU | 2 x A100 |\n", "A100"),
    ],
)
def test_a_list_of_hardware_counts_what_the_machine_has(read, words, kind):
    files = {"train.py": LOOP, "README.md": f"# Thing\n\n{words}\n"}
    assert read(files, "python train.py").hardware == kind


@pytest.mark.parametrize(
    ("name", "comment", "kind"),
    [
        ("run_h100.sh", "", "H100"),
        ("run.sh", "# one job for 1x A40 of the lab", "A40"),
        ("run.sh", "# made for 8x A40", None),
        ("run.sh", "# runs well on an A40", None),
        ("fold_3070.sh", "", None),
        ("go_t4.sh", "", None),
        ("hopper.sh", "", None),
        ("gpu_t4.sh", "", "T4"),
        ("run.sh", "# takes 1x T4", "T4"),
        ("run.sh", "# has 1 l4 block", None),
    ],
)
def test_a_script_is_named_after_its_card_or_counts_it_first(read, name, comment, kind):
    files = {"train.py": LOOP, name: f"#!/bin/bash\n{comment}\npython train.py\n"}
    assert read(files, f"bash {name}").hardware == kind


@pytest.mark.parametrize(
    ("start", "header", "kind"),
    [
        ("bsub < job.sh", "#BSUB -q gpuv100", "V100"),
        ("bsub < job.sh", '#BSUB -R "rusage[mem=9G]"\n#BSUB -R P100\n#BSUB -R "span[hosts=1]"', "P100"),
        ("bsub < job.sh", "#BSUB -q normal", None),
        ("qsub job.sh", "#PBS -q a100_long", "A100"),
        ("qsub job.sh", "#$ -l rtx3090=1,h_vmem=20G", "RTX3090"),
        ("qsub job.sh", "#$ -l gpu_type=P100|V100", None),
        ("qsub job.sh", "#PBS -l select=1:ncpus=4:mem=3070", None),
        ("qsub job.sh", "#$ -l gpu=t4,scratch=2080", "T4"),
        ("bsub < job.sh", '#BSUB -R "select[mem>2070] rusage[swp=2070]"', None),
        ("bsub < job.sh", "#BSUB -R \"select[hname!='box-v100']\"", None),
        ("sbatch job.sh", "#SBATCH --nodelist=rack-3070", None),
        ("sbatch job.sh", "#SBATCH --partition=3070", "RTX 3070"),
        ("sbatch job.sh", "#SBATCH --nodelist=rack-h200-04", "H200"),
        ("sbatch job.sh", "#SBATCH --qos=lab_l40s", "L40S"),
        ("sbatch job.sh", "#SBATCH --gres=gpu:volta:1", "V100"),
        ("sbatch job.sh", "#SBATCH --qos=volta", None),
    ],
)
def test_other_requests_name_the_card(read, start, header, kind):
    files = {"train.py": LOOP, "job.sh": f"#!/bin/bash\n{header}\npython train.py\n"}
    assert read(files, start).hardware == kind


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("The run is set for 4xH100 GPUs.", "H100"),
        ("The run was made on 8xH100 GPUs.", None),
        ("Use 4xH100 or 4xA100 GPUs.", None),
        ("The work before ours took 4 A100 and a week.", None),
    ],
)
def test_a_readme_that_shows_the_command_says_what_it_is_set_for(read, words, kind):
    readme = (
        f"# Thing\nWe have 2xV100 at home.\n## Training\n{words}\n\n```\ntorchrun --nproc_per_node 4 train.py\n```\n"
    )
    assert read({"train.py": LOOP, "README.md": readme}, "torchrun --nproc_per_node 4 train.py").hardware == kind


OWN_RECORD = {
    "kit/arguments.py": """
        from dataclasses import dataclass

        from transformers import TrainingArguments as LibraryArguments

        @dataclass
        class KitTrainingArguments(LibraryArguments):
            pooling: str = "mean"
        """,
    "kit/__init__.py": "",
    "train.py": """
        from datasets import load_dataset
        from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer

        from kit.arguments import KitTrainingArguments

        model = SentenceTransformer("distilbert-base-uncased")
        args = KitTrainingArguments(output_dir="out", per_device_train_batch_size=16, num_train_epochs=4, fp16=True)
        data = load_dataset("some/pairs", split="train")
        trainer = SentenceTransformerTrainer(model=model, args=args, train_dataset=data)
        trainer.train()
        """,
}


def test_hardware_in_the_plural(read):
    files = {
        **OWN_RECORD,
        "run.py": """
            import sys

            import yaml
            from kit.arguments import KitTrainingArguments
            from transformers import AutoModelForCausalLM, Trainer

            args = KitTrainingArguments(**yaml.safe_load(open(sys.argv[1])))
            Trainer(model=AutoModelForCausalLM.from_pretrained("gpt2"), args=args).train()
            """,
        "recipes/small.yaml": """
            # For one node of 8 x H100s (80GB)
            output_dir: out
            learning_rate: 4.0e-5
            """,
    }
    found = read(files, "python run.py recipes/small.yaml")
    assert (found.hardware, found.learning_rate) == ("H100", 4e-5)


TUNED = """
import sys
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments

args = TrainingArguments(output_dir="out", per_device_train_batch_size=2)
Trainer(model=AutoModelForCausalLM.from_pretrained(sys.argv[1]), args=args).train()
"""


@pytest.mark.parametrize(
    ("path", "hardware"), [("weights/opt-30b", None), ("weights/opt-7b", "A100"), ("weights/lake", "A100")]
)
def test_a_sentence_on_a_model_of_another_size_is_of_another_job(read, path, hardware):
    files = {"tune.py": TUNED, "README.md": "Below, OPT-7B is fine-tuned on a machine with 4 A100 80G GPUs.\n"}
    found = read(files, f"torchrun --nproc_per_node 4 tune.py {path}")
    assert (found.num_gpus, found.hardware) == (4, hardware)
