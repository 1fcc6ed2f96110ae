"""`dora run`: the package's main module, with options of dora's own before the program's words."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

HYDRA = {
    "thing/__init__.py": "",
    "thing/train.py": "from dora import hydra_main\nfrom . import sizes\n"
    + TORCH_HEAD
    + TORCH_LOOP
    + """
@hydra_main(config_path="../conf", config_name="config", version_base="1.1")
def main(cfg):
    train(cfg.optim.lr, cfg.batch_size, sizes.EPOCHS)

if __name__ == "__main__":
    main()
""",
    "thing/sizes.py": "EPOCHS = 3\n",
    "conf/config.yaml": "optim:\n  lr: 0.5\nbatch_size: 8\n",
    "other/notes.py": "",
}
PARSER = {
    "thing/__init__.py": "",
    "thing/fit.py": "import argparse\nfrom dora import argparse_main\n"
    + TORCH_HEAD
    + TORCH_LOOP
    + """
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.5)
parser.add_argument("--batch-size", type=int, default=8)

@argparse_main(dir="./outputs", parser=parser, exclude=["workers"])
def main(args):
    train(args.lr, args.batch_size, 3)

if __name__ == "__main__":
    main()
""",
}


@pytest.mark.parametrize("options", ["run", "run --clear", "run -f 0123abcd", "-P thing run", "--package=thing run"])
def test_the_programs_words_reach_it(read, options):
    job = read(HYDRA, f"dora {options} optim.lr=0.25 batch_size=16")
    assert (job.is_training, job.learning_rate, job.batch_size, job.epochs) == (True, 0.25, 16, 3)
    assert job.distributed == "none"


def test_a_module_of_another_name_and_a_parser(read):
    job = read(PARSER, "dora --main_module fit run -- --lr 0.25 --batch-size 16")
    assert (job.is_training, job.learning_rate, job.batch_size) == (True, 0.25, 16)
    assert read(PARSER, "dora run --lr 0.25").is_training is None


def test_processes_are_counted_where_they_are_told(read):
    assert read(HYDRA, "dora run -d").num_gpus is None
    assert read(HYDRA, "dora run --ddp_workers 4").num_gpus == 4
    assert read(HYDRA, "dora grid big").is_training is None
    assert read({**HYDRA, "other/train.py": ""}, "dora run").is_training is None
