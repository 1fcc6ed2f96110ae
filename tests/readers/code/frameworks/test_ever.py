"""ever: trainers for pictures of the earth that parse the command themselves and train by one configuration."""

import pytest

START = """
import ever as er

er.registry.register_all()
trainer = er.trainer.get_trainer({name}){made}
trainer.run()
"""
BASE = """
learning_rate = dict(type="poly", params=dict(base_lr=0.02, power=0.9, max_iters=900))
train = dict(forward_times=2, num_iters=900)
"""
PLAN = """
from configs.parts import learning_rate, train

config = dict(
    model=dict(type="UNetOfRoofs", params=dict(classes=5)),
    data=dict(train=dict(type="CityscapesLoader", params=dict(batch_size=6, num_workers=2))),
    optimizer=dict(type="adamw", params=dict(weight_decay=0.01)),
    learning_rate=learning_rate,
    train=train,
)
"""
FILES = {"configs/parts.py": BASE, "configs/roofs/small.py": PLAN}
COMMAND = "torchrun --nproc_per_node=2 go.py --config_path={path} --model_dir ./log train.num_iters 700"


@pytest.mark.parametrize("path", ["roofs.small", "configs/roofs/small.py"])
@pytest.mark.parametrize(
    ("name", "made", "precision"), [("'th_amp_ddp'", "()", "fp16"), ("'th_ddp'", "()", "fp32"), ("", "", "fp32")]
)
def test_a_trainer_is_run_by_the_configuration_that_the_command_names(read, path, name, made, precision):
    files = {**FILES, "go.py": START.format(name=name, made=made)}
    job = read(files, COMMAND.format(path=path))
    assert (job.is_training, job.precision, job.distributed) == (True, precision, "DDP")
    assert (job.batch_size, job.global_batch_size, job.total_steps, job.epochs) == (6, 24, 700, None)
    assert (job.learning_rate, job.optimizer) == (0.02, "AdamW")
    assert (job.model_name, job.model_type, job.dataset_name) == ("UNetOfRoofs", "cnn", "Cityscapes")


def test_a_configuration_that_is_not_here_leaves_open_what_it_holds(read):
    job = read({"go.py": START.format(name="'th_ddp'", made="()")}, COMMAND.format(path="roofs.large"))
    assert (job.is_training, job.batch_size, job.total_steps, job.optimizer) == (True, None, None, None)
