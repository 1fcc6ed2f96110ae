"""LLaMA-Factory's data: names that an index gives files, of which so many samples are taken."""

import json

import pytest

TUNE = """
model_name_or_path: Qwen/Qwen3-4B
stage: {stage}
do_train: true
finetuning_type: lora
dataset: own_rules,demo
template: qwen3
max_samples: 100
per_device_train_batch_size: 1
gradient_accumulation_steps: 8
num_train_epochs: 3.0
{more}
"""
INDEX = {
    "own_rules": {"file_name": "own_rules.json"},
    "demo": {"file_name": "demo.jsonl"},
    "far": {"hf_hub_url": "x/y"},
}
FILES = {
    "data/dataset_info.json": json.dumps(INDEX),
    "data/own_rules.json": json.dumps([{"instruction": "a"}] * 60),
    "data/demo.jsonl": '{"instruction": "a"}\n' * 200,
}


@pytest.mark.parametrize(
    ("stage", "more", "steps"),
    [("sft", "", 60), ("sft", "val_size: 0.1", 54), ("pt", "", None), ("sft", "packing: true", None)],
)
def test_the_samples_of_listed_files_make_the_steps(read, stage, more, steps):
    files = {**FILES, "tune.yaml": TUNE.format(stage=stage, more=more)}
    job = read(files, "CUDA_VISIBLE_DEVICES=0 llamafactory-cli train tune.yaml")
    assert (job.global_batch_size, job.epochs, job.total_steps) == (8, 3, steps)


def test_data_that_lie_elsewhere_leave_the_steps_open(read):
    files = {**FILES, "tune.yaml": TUNE.format(stage="sft", more="").replace("own_rules", "far")}
    assert read(files, "CUDA_VISIBLE_DEVICES=0 llamafactory-cli train tune.yaml").total_steps is None
