"""Each way of defining options: a default, the command line over it, and the loop that both reach."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

PROGRAMS = {
    "click": (
        "import click\n"
        + TORCH_HEAD
        + TORCH_LOOP
        + """
@click.command()
@click.option("--lr", type=click.FloatRange(min=0), default=0.5)
@click.option("--batch-size", "-b", type=click.IntRange(1, 512), required=True)
@click.option("--epochs", default=3)
@click.option("--dry", type=bool, default=True)
def main(**options):
    if options.pop("dry"):
        return
    train(**options)

if __name__ == "__main__":
    main()
""",
        "python train.py -b 16 --lr=0.01 --dry=false",
    ),
    "typer": (
        "import typer\n"
        + TORCH_HEAD
        + TORCH_LOOP
        + """
app = typer.Typer()

@app.command()
def fit(lr: float = 0.5, batch_size: int = typer.Option(8, "--batch-size", "-b"), epochs: int = 3):
    train(lr, batch_size, epochs)

@app.command()
def show(path: str):
    print(path)

if __name__ == "__main__":
    app()
""",
        "python train.py fit -b 16 --lr 0.01",
    ),
    "fire": (
        "import fire\n"
        + TORCH_HEAD
        + TORCH_LOOP
        + """
def main(lr=0.5, batch_size=8, epochs=3):
    train(lr, batch_size, epochs)

if __name__ == "__main__":
    fire.Fire(main)
""",
        "python train.py --lr=0.01 --batch_size 16",
    ),
    "absl": (
        "from absl import app, flags\n"
        + TORCH_HEAD
        + TORCH_LOOP
        + """
FLAGS = flags.FLAGS
flags.DEFINE_float("lr", 0.5, "rate")
BATCH = flags.DEFINE_integer("batch_size", 8, "batch")
flags.DEFINE_integer("epochs", 3, "epochs")

def main(_):
    train(FLAGS.lr, BATCH.value, FLAGS.epochs)

if __name__ == "__main__":
    app.run(main)
""",
        "python train.py --lr=0.01 --batch_size=16",
    ),
    "tyro": (
        "import tyro\nfrom dataclasses import dataclass\n"
        + TORCH_HEAD
        + TORCH_LOOP
        + """
@dataclass
class Args:
    lr: float = 0.5
    batch_size: int = 8
    epochs: int = 3

if __name__ == "__main__":
    args = tyro.cli(Args)
    train(args.lr, args.batch_size, args.epochs)
""",
        "python train.py --lr 0.01 --batch-size 16",
    ),
    "draccus": (
        "import draccus\nfrom dataclasses import dataclass, field\n"
        + TORCH_HEAD
        + TORCH_LOOP
        + """
@dataclass
class Optim:
    lr: float = 0.5

@dataclass
class Config:
    optim: Optim = field(default_factory=Optim)
    batch_size: int = 8
    epochs: int = 3

@draccus.wrap()
def main(cfg: Config):
    train(cfg.optim.lr, cfg.batch_size, cfg.epochs)

if __name__ == "__main__":
    main()
""",
        "python train.py --optim.lr=0.01 --batch_size=16",
    ),
}


@pytest.mark.parametrize("family", PROGRAMS)
def test_options_reach_the_loop(read, family):
    program, command = PROGRAMS[family]
    job = read({"train.py": program}, command)
    assert job.is_training is True
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.01, 16, 3)
    assert (job.optimizer, job.framework) == ("AdamW", "PyTorch")


def test_words_after_the_third_are_handed_on_by_a_script(read):
    files = {
        "train.py": PROGRAMS["fire"][0],
        "run.sh": "CONFIG=$1\nREST=${@:3}\npython -m torch.distributed.run --nproc_per_node=$2 train.py ${REST}\n",
    }
    job = read(files, "bash run.sh a.py 4 --lr=0.01 --batch_size=16")
    assert (job.learning_rate, job.batch_size, job.num_gpus) == (0.01, 16, 4)


def test_a_file_fills_the_parameters_of_a_typer_command(read):
    program = PROGRAMS["typer"][0].replace(
        "@app.command()\ndef fit", '@app.command()\n@use_yaml_config(param_name="config")\ndef fit'
    )
    program = "from typer_config import use_yaml_config\n" + program
    job = read(
        {"train.py": program, "a.yaml": "lr: 0.02\nepochs: 5\n"}, "python train.py fit --config a.yaml --lr 0.01"
    )
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.01, 8, 5)


CONFIGS = """
from dataclasses import dataclass, field, replace

class Configurable:
    @dataclass(kw_only=True, slots=True)
    class Config:
        _owner = None

        def build(self, **kwargs):
            if self._owner is None:
                raise NotImplementedError
            return self._owner(config=replace(self), **kwargs)

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "Config" in cls.__dict__:
            config = cls.__dict__["Config"]
            if "__slots__" not in config.__dict__:
                raise TypeError("slots are missing")
            config._owner = cls
"""
TRAIN = (
    TORCH_HEAD
    + TORCH_LOOP
    + """
import sys
from dataclasses import dataclass
import tyro
from configs import Configurable

class Trainer(Configurable):
    @dataclass(kw_only=True, slots=True)
    class Config(Configurable.Config):
        lr: float = 1.0
        epochs: int = 1

    def __init__(self, config):
        self.config = config

    def run(self):
        train(self.config.lr, 8, self.config.epochs)

def small():
    return Trainer.Config(lr=0.25, epochs=2)

def large():
    return Trainer.Config(lr=0.5, epochs=3)

def load(args):
    name, rest = None, []
    i = 0
    while i < len(args):
        if args[i].startswith("--config="):
            name = args[i].split("=", 1)[1]
        elif args[i] == "--config":
            name = args[i + 1]
            i += 1
        else:
            rest.append(args[i])
        i += 1
    if name is None:
        raise ValueError("--config is required")
    return globals()[name](), rest

default, rest = load(sys.argv[1:])
config = tyro.cli(type(default), args=rest, default=default)
config.build().run()
"""
)
FILES = {"configs.py": CONFIGS, "train.py": TRAIN}


def test_a_loop_over_the_words_is_followed_word_by_word(read):
    for command in ("python train.py --config large", "python train.py --config=large"):
        job = read(FILES, command)
        assert (job.is_training, job.learning_rate, job.epochs) == (True, 0.5, 3)
    assert read(FILES, "python train.py --config small").learning_rate == 0.25


def test_words_go_over_the_default_object(read):
    job = read(FILES, "python train.py --epochs 7 --config small")
    assert (job.learning_rate, job.epochs) == (0.25, 7)
