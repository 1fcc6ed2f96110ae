"""Trainers that are told all they do in their arguments, and what they do where they are told nothing."""

import json

import pytest

COMPOSER = """
    import torch
    from composer import Trainer
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = torch.utils.data.DataLoader(range(9), batch_size=32, shuffle=True)
    trainer = Trainer(model=model, train_dataloader=loader, optimizers=optimizer, {told})
    trainer.fit()
    """


@pytest.mark.parametrize(
    ("told", "epochs", "steps", "precision", "batch"),
    [
        ('max_duration="90ep", precision="amp_bf16", device_train_microbatch_size=8', 90, None, "bf16", 8),
        ('max_duration="500ba", precision="fp32"', None, 500, "fp32", 32),
        ('max_duration="1ep"', 1, None, "fp16", 32),
        ('max_duration="10000tok"', None, None, "fp16", 32),
    ],
)
def test_composer_counts_in_its_own_units(read, told, epochs, steps, precision, batch):
    found = read({"go.py": COMPOSER.format(told=told)}, "composer -n 4 go.py")
    assert (found.epochs, found.total_steps, found.precision) == (epochs, steps, precision)
    assert (found.batch_size, found.global_batch_size, found.num_gpus) == (batch, 128, 4)


@pytest.mark.parametrize(
    ("told", "gpus", "share", "strategy"),
    [
        ("device=[0, 1], batch=16", 2, 8, "DDP"),
        ("device='0,1,2,3', batch=16", 4, 4, "DDP"),
        ("batch=16", 1, 16, "none"),
        ("device=0, batch=16", 1, 16, "none"),
        ("device='0', batch=16", 1, 16, "none"),
        ("device='cuda:1', batch=16", 1, 16, "none"),
        ("device='cpu', batch=16", 0, None, None),
    ],
)
def test_ultralytics_shares_its_batch_out(read, told, gpus, share, strategy):
    program = f"from ultralytics import YOLO\nYOLO('yolov8n.yaml').train(data='coco128.yaml', epochs=7, {told})\n"
    found = read({"go.py": program}, "python go.py")
    assert (found.num_gpus, found.epochs, found.is_training) == (gpus, 7, True)
    assert share is None or (found.batch_size, found.global_batch_size, found.distributed) == (share, 16, strategy)


def test_fastai_trains(read):
    program = """
        from fastai.vision.all import ImageDataLoaders, vision_learner, resnet34
        learner = vision_learner(ImageDataLoaders.from_folder("pets"), resnet34)
        learner.fine_tune(5)
        """
    found = read({"go.py": program}, "python go.py")
    assert (found.is_training, found.epochs) == (True, 5)
    assert "PyTorch" in found.framework


ENGINE = """
    import argparse
    import deepspeed
    import torch
    parser = deepspeed.add_config_arguments(argparse.ArgumentParser())
    parser.add_argument("--local_rank", type=int, default=-1)
    args = parser.parse_args()
    net = torch.nn.Linear(2, 2)
    engine, _, loader, _ = deepspeed.initialize({given}model=net, model_parameters=net.parameters())
    for epoch in range(3):
        for batch in loader:
            engine.backward(engine(batch))
            engine.step()
    """
SETTINGS = {
    "train_batch_size": 64,
    "gradient_accumulation_steps": 2,
    "optimizer": {"type": "AdamW", "params": {"lr": 3e-5}},
    "bf16": {"enabled": True},
}


@pytest.mark.parametrize(
    ("given", "words"), [("args=args, ", "--deepspeed_config ds.json"), ('config="ds.json", ', ""), ("args=args, ", "")]
)
def test_deepspeed_takes_its_configuration_from_wherever_it_is_named(read, given, words):
    files = {"go.py": ENGINE.format(given=given), "ds.json": json.dumps(SETTINGS)}
    found = read(files, f"deepspeed --num_gpus 4 go.py {words}")
    known = bool(words) or "config" in given
    assert (found.batch_size, found.global_batch_size) == ((8, 64) if known else (None, None))
    assert (found.optimizer, found.learning_rate) == (("AdamW", 3e-5) if known else (None, None))
    assert found.precision == "bf16" or not known
    assert (found.num_gpus, found.epochs, found.distributed) == (4, 3, "DeepSpeed")


def test_one_process_with_many_gpus_shares_its_batch(read, loop):
    program = f"import torch\n{loop(wrap='model = torch.nn.DataParallel(model).cuda()')}\n"
    found = read({"go.py": program}, "CUDA_VISIBLE_DEVICES=0,1,2,3 python go.py")
    assert (found.num_gpus, found.batch_size, found.global_batch_size) == (4, 4, 16)
    assert found.distributed == "DataParallel"
    unknown = read({"go.py": program}, "python go.py")
    assert (unknown.num_gpus, unknown.batch_size) == (None, 16)


def test_accelerate_accumulates_where_it_is_asked_to(read):
    program = """
        import torch
        from accelerate import Accelerator
        accelerator = Accelerator(gradient_accumulation_steps=4)
        model = torch.nn.Linear(2, 2)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
        loader = torch.utils.data.DataLoader(range(9), batch_size=2, shuffle=True)
        for epoch in range(2):
            for batch in loader:
                with accelerator.accumulate(model):
                    accelerator.backward(model(batch))
                    optimizer.step()
        """
    assert read({"go.py": program}, "python go.py").global_batch_size == 8


@pytest.mark.parametrize(
    ("kind", "spread", "gpus", "nodes"),
    [
        ("ml.p4d.24xlarge", "distribution={'torch_distributed': {'enabled': True}}, ", 16, 2),
        ("ml.unheard.of", "distribution={'torch_distributed': {'enabled': True}}, ", None, 2),
        ("ml.p3.2xlarge", "", 1, 1),
    ],
)
def test_an_estimator_of_sagemaker_starts_its_entry_point(read, loop, kind, spread, gpus, nodes):
    files = {
        "submit.py": f"""
            from sagemaker.pytorch import PyTorch
            estimator = PyTorch(
                entry_point="train.py", source_dir="src", {spread}instance_count=2,
                instance_type="{kind}", hyperparameters={{"epochs": 6}},
            )
            estimator.fit()
            """,
        "src/train.py": f"""
import argparse
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=1)
args = parser.parse_args()
{loop(epochs="args.epochs")}
""",
    }
    found = read(files, "python submit.py")
    assert (found.is_training, found.epochs) == (True, 6)
    assert (found.num_gpus, found.num_nodes) == (gpus, nodes)


@pytest.mark.parametrize(
    ("line", "words", "told"),
    [
        ("from jsonargparse.cli import CLI as start", "--epochs 8", (True, 8)),
        ("from somewhere_else import start", "--epochs 8", (True, 8)),
        ("from somewhere_else import start", "--pages 8", (True, None)),
        ("from somewhere_else import start", "", (True, None)),
        ("from somewhere_else import run_cli as start", "", (True, 2)),
    ],
)
def test_a_main_function_that_a_library_is_handed_is_followed_where_the_options_are_its_own(
    read, loop, line, words, told
):
    program = f"import torch\n{line}\n\ndef main(epochs: int = 2):\n{loop(4, epochs='epochs')}\n\nstart(main)\n"
    found = read({"go.py": program}, f"python go.py {words}")
    assert (found.is_training, found.epochs) == told


def test_a_decorator_that_nobody_knows_does_not_run_what_it_decorates(read, loop):
    start = "import torch\nfrom somewhere_else import timed\n\n@timed\ndef main(epochs: int = 2):\n"
    program = start + loop(4, epochs="epochs") + "\n"
    assert read({"go.py": program}, "python go.py --epochs 8").is_training is not True
