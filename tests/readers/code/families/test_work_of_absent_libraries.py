"""Programs whose options are read, or whose loop is run, by a library or part that is not here."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP


def test_a_file_that_only_an_absent_library_reads_counts_with_what_it_includes(read):
    files = {
        "go.py": "import torch\nfrom deepwater.options import Options\nfrom deepwater import Pipeline\n"
        "Pipeline(Options().parse_args()).fit()\n",
        "conf/deep.yaml": "includes:\n  - conf/base.yaml\ntraining:\n  batch_size: 14\n",
        "conf/base.yaml": "optimizer:\n  name: AdamW\n  lr: 0.02\ntraining:\n  batch_size: 3\n  num_epochs: 60\n",
    }
    job = read(files, "python go.py -c conf/deep.yaml")
    assert (job.is_training, job.batch_size, job.epochs, job.learning_rate) == (True, 14, 60, 0.02)
    assert job.optimizer == "AdamW"


@pytest.mark.parametrize(("mode", "trains"), [("train", True), ("finetune", True), ("evaluate", None)])
def test_the_mode_that_the_command_names_counts_where_the_work_is_out_of_sight(read, mode, trains):
    code = "import torch\nfrom deepwater import options, work\nwork(options())\n"
    assert (read({"go.py": code}, f"python go.py --mode {mode}").is_training or None) == trains


def test_a_trainer_of_an_absent_part_of_the_repository_trains(read):
    code = """
        import torch
        from lib.shared.coach import Trainer
        net = torch.nn.Linear(2, 1)
        optimizer = torch.optim.AdamW(net.parameters(), lr=0.4)
        trainer = Trainer(net, optimizer, load())
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 9)
        for epoch in range(25):
            loss = trainer.train_epoch()
            schedule.step()
        """
    job = read({"train.py": code, "lib/other.py": ""}, "python train.py")
    assert (job.is_training, job.optimizer, job.learning_rate, job.epochs) == (True, "AdamW", 0.4, 25)


def test_a_schedule_that_is_stepped_in_a_loop_shows_training(read):
    code = """
        import torch
        from lib.shared.work import one_pass
        net = torch.nn.Linear(2, 1)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.4)
        schedule = torch.optim.lr_scheduler.StepLR(optimizer, 9)
        for epoch in range(25):
            one_pass(net, optimizer)
            schedule.step()
        """
    job = read({"go.py": code}, "python go.py")
    assert (job.is_training, job.optimizer, job.learning_rate) == (True, "SGD", 0.4)


def test_a_package_that_lies_in_a_folder_of_its_name_is_found(read):
    files = {
        "lantern/setup.py": "from setuptools import setup\nsetup(name='lantern')\n",
        "lantern/lantern/__init__.py": "from .work import train\n",
        "lantern/lantern/work.py": TORCH_HEAD + TORCH_LOOP,
        "go.py": "import lantern\nlantern.train(0.3, 21, 4)\n",
    }
    job = read(files, "python go.py")
    assert (job.is_training, job.learning_rate, job.batch_size, job.epochs) == (True, 0.3, 21, 4)


def test_a_model_that_is_named_by_a_class_in_modules_is_named_after_the_telling_part(read):
    code = TORCH_HEAD + TORCH_LOOP + "import yaml\nconfig = yaml.safe_load(open('c.yaml'))\n"
    code += "from absent import load\nnet = load(config['model'])\ntrain(config['lr'], 2, 2)\n"
    job = read({"go.py": code, "c.yaml": "model: nets.resnet50.Model\nlr: 0.1\n"}, "python go.py --config c.yaml")
    assert job.model_name == "resnet50"
