"""Command lines that programs read by hand, default objects under them, and factories that subclasses wire."""

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

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


OFFERED = (
    TORCH_HEAD
    + TORCH_LOOP
    + """
from dataclasses import dataclass
import tyro

@dataclass
class Record:
    lr: float = 1.0
    epochs: int = 1

methods = {"fast": Record(lr=0.25, epochs=2), "slow": Record(lr=0.125, epochs=9)}
Method = tyro.conf.SuppressFixed[tyro.extras.subcommand_type_from_defaults(defaults=methods)]
config = tyro.cli(Method, description="train")
train(config.lr, 8, config.epochs)
"""
)


def test_a_word_picks_among_offered_records(read):
    job = read({"train.py": OFFERED}, "python train.py slow --lr 0.5")
    assert (job.is_training, job.learning_rate, job.epochs) == (True, 0.5, 9)


REGISTRY = (
    TORCH_HEAD
    + TORCH_LOOP
    + """
import sys
known = {}

class Method:
    def __init_subclass__(cls, name="", **kwargs):
        known[name] = cls

class Quick(Method, name="quick"):
    lr = 0.25

class Careful(Method, name="careful"):
    lr = 0.125

train(known[sys.argv[1]].lr, 8, 2)
"""
)


def test_subclasses_register_themselves(read):
    assert read({"train.py": REGISTRY}, "python train.py careful").learning_rate == 0.125


CHECKED = """
import torch

class Net(torch.nn.Module):
    def check(self):
        wrong = []
        for name, part in self.named_modules():
            if not isinstance(part, torch.nn.Module):
                wrong.append(name)
        if wrong:
            raise RuntimeError(", ".join(wrong))

net = Net().cuda()
net.check()
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
for batch in range(9):
    net(batch).backward()
    optimizer.step()
"""


def test_a_list_that_may_be_empty_ends_no_program(read):
    assert read({"train.py": CHECKED}, "python train.py").is_training is True


OVER_OPTIONS = """
import argparse
import yaml
from training import train

parser = argparse.ArgumentParser()
parser.add_argument("--config", type=str, default=None)
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--batch_size", type=int, default=4)
parser.add_argument("--epochs", type=int, default=1)
args = parser.parse_args()

def type_of(key):
    for option in parser._get_optional_actions():
        if ("--" + key) in option.option_strings:
            return option.type
    raise ValueError

if args.config is not None:
    for key, value in yaml.safe_load(open(args.config)).items():
        if key in args.__dict__:
            convert = type_of(key)
            args.__dict__[key] = convert(value) if convert is not None else value
train(args.lr, args.batch_size, args.epochs)
"""


def test_a_file_over_the_options_is_converted_as_the_parser_says(read):
    files = {
        "run.py": OVER_OPTIONS,
        "training.py": TORCH_HEAD + TORCH_LOOP,
        "a.yaml": "lr: 1e-3\nbatch_size: 32\nepochs: 7\n",
    }
    job = read(files, "python run.py --config a.yaml")
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.001, 32, 7)
