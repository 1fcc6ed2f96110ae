"""Installed programs: their words that do not train, and the variables by which they start several processes."""

CONFIG = """
model_name_or_path: meta-llama/Llama-3.1-8B
stage: sft
do_train: true
dataset: alpaca_en_demo
per_device_train_batch_size: 2
gradient_accumulation_steps: 4
learning_rate: 1.0e-5
bf16: true
"""


def test_variables_tell_llamafactory_to_start_a_process_a_gpu(read):
    job = read({"sft.yaml": CONFIG}, "NNODES=2 NPROC_PER_NODE=8 FORCE_TORCHRUN=1 llamafactory-cli train sft.yaml")
    assert (job.num_gpus, job.num_nodes, job.distributed, job.global_batch_size) == (16, 2, "DDP", 128)
    alone = read({"sft.yaml": CONFIG}, "llamafactory-cli train sft.yaml")
    assert (alone.num_gpus, alone.global_batch_size) == (None, None)


def test_options_alone_have_the_trainers_defaults_but_a_lost_configuration_has_none(read):
    options = "--stage sft --do_train True --model_name_or_path gpt2 --per_device_train_batch_size 2"
    job = read({"README.md": ""}, f"llamafactory-cli train {options}")
    assert (job.epochs, job.optimizer, job.learning_rate) == (3.0, "AdamW", 5e-5)
    lost = read({"README.md": ""}, "llamafactory-cli train gone.yaml")
    assert (lost.epochs, lost.optimizer, lost.learning_rate) == (None, None, None)


def test_recipes_that_evaluate_do_not_train(read):
    config = "model:\n  _component_: torchtune.models.llama2.llama2_7b\nbatch_size: 8\ndtype: bf16\n"
    job = read({"eval.yaml": config}, "tune run eleuther_eval --config eval.yaml")
    assert (job.is_training, job.batch_size, job.precision, job.learning_rate) == (False, 8, "bf16", None)
