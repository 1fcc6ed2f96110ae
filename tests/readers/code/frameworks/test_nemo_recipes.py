"""NeMo 2's recipes, whose library is not here."""

PRETRAIN = """
import nemo_run as run
from nemo.collections import llm

recipe = llm.llama3_8b.pretrain_recipe(name="x", num_nodes=2, num_gpus_per_node=4, micro_batch_size=1,
                                       global_batch_size=64, max_steps=500, max_lr=3e-5)
recipe.trainer.val_check_interval = 100
run.run(recipe, executor=run.LocalExecutor())
"""


def test_a_recipe_says_devices_batches_steps_and_rate(read):
    job = read({"train.py": PRETRAIN}, "python train.py")
    assert (job.is_training, job.num_gpus, job.num_nodes, job.batch_size, job.global_batch_size) == (True, 8, 2, 1, 64)
    assert (job.total_steps, job.epochs, job.learning_rate) == (500, None, 3e-5)
    assert (job.optimizer, job.precision, job.distributed) == ("Adam", "bf16", "Megatron")
    assert job.framework == "NeMo, PyTorch Lightning, PyTorch"


def test_a_recipe_that_is_told_little_takes_eight_devices_and_leaves_its_numbers_open(read):
    told = (
        PRETRAIN[: PRETRAIN.index("recipe =")]
        + 'recipe = llm.llama3_8b.pretrain_recipe(name="x")\nllm.pretrain(recipe)\n'
    )
    job = read({"train.py": told}, "python train.py")
    assert (job.num_gpus, job.num_nodes, job.batch_size, job.learning_rate) == (8, 1, None, None)


def test_a_recipe_that_is_not_run_trains_nothing(read):
    job = read({"train.py": PRETRAIN.replace("run.run(", "print(")}, "python train.py")
    assert job.is_training is not True
