"""Take each field from its keys, then from usual names, then from the program's defaults."""

import pytest


def test_a_recipe_of_torchtune_names_its_strategy(read):
    files = {"mine.yaml": "batch_size: 2\nmodel:\n  _component_: torchtune.models.llama3_1.llama3_1_8b\n"}
    found = read(files, "tune run --nproc_per_node 4 full_finetune_distributed --config mine.yaml")
    assert (found.distributed, found.num_gpus) == ("FSDP", 4)
    found = read(files, "tune run lora_finetune_single_device --config mine.yaml")
    assert (found.distributed, found.num_gpus) == ("none", 1)


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


@pytest.mark.parametrize(("told", "size"), [("--use_vllm true --vllm_max_model_len 99", 64), ("", 16)])
def test_groups_of_a_server_beside_the_trainer_share_no_batch(read, told, size):
    words = "--model Qwen/Qwen2.5-7B --per_device_train_batch_size 2 --gradient_accumulation_steps 4"
    line = f"NPROC_PER_NODE=8 swift rlhf --rlhf_type grpo {words} --dataset a/b --tensor_parallel_size 4 {told}"
    assert read({"run.sh": f"{line}\n"}, "bash run.sh").global_batch_size == size
