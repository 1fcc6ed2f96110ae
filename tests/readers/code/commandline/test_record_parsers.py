"""Parsers that fill records: each from its words, from a file, and from both."""

import json

import pytest

from tests.readers.code.programs import FIT_BATCHES, TORCH_HEAD, TORCH_LOOP

RECORD = (
    "from dataclasses import dataclass, field\n"
    "@dataclass\nclass Optim:\n    lr: float = 0.1\n    steps: int = 10\n"
    "@dataclass\nclass Config:\n    name: str = 'a'\n    amp: bool = False\n"
    "    optim: Optim = field(default_factory=Optim)\n"
)
SHOWN = "x = [c.name, c.amp, c.optim.lr, c.optim.steps]\n"


@pytest.mark.parametrize(
    ("parse", "words"),
    [
        ("import tyro\nc = tyro.cli(Config)\n", "--name b --amp --optim.lr 0.5"),
        ("import tyro\nc = tyro.cli(Config)\n", "--name=b --amp --optim.lr=0.5"),
        ("import draccus\nc = draccus.parse(Config)\n", "--name b --amp true --optim.lr 0.5"),
        ("import pyrallis\nc = pyrallis.parse(config_class=Config)\n", "--name b --amp true --optim.lr 0.5"),
        ("import simple_parsing\nc = simple_parsing.parse(Config)\n", "--name b --amp true --optim.lr 0.5"),
        ("import chz\nc = chz.entrypoint(Config)\n", "name=b amp=True optim.lr=0.5"),
    ],
)
def test_words_reach_into_nested_records(outcome, parse, words):
    assert outcome(RECORD + parse + SHOWN, words) == ["b", True, 0.5, 10]


def test_a_value_is_quoted_as_the_command_has_it(follow):
    _, names = follow(f"{RECORD}import chz\nlr = chz.entrypoint(Config).optim.lr\n", "optim.lr=0.5")
    assert names["lr"].src[0].quote == "optim.lr=0.5"


def test_a_default_object_stands_below_the_words(outcome):
    text = f"{RECORD}import tyro\nc = tyro.cli(Config, default=Config(name='d', optim=Optim(lr=0.3)))\n{SHOWN}"
    assert outcome(text, "--optim.steps 5") == ["d", False, 0.3, 5]


@pytest.mark.parametrize(("word", "epochs"), [("num_train_epoch", 2), ("num_t", 9), ("num", 9)])
def test_an_unambiguous_beginning_stands_for_the_field(outcome, word, epochs):
    record = (
        "from dataclasses import dataclass\nfrom transformers import HfArgumentParser\n"
        "@dataclass\nclass Training:\n    num_train_epochs: int = 9\n    num_threads: int = 1\n"
        "(x,) = HfArgumentParser(Training).parse_args_into_dataclasses()\nx = [x.num_train_epochs]\n"
    )
    assert outcome(record, f"--{word} 2") == [epochs]


def test_a_file_stands_below_the_words(outcome):
    text = f"{RECORD}import draccus\nc = draccus.parse(Config)\n{SHOWN}"
    files = {"c.yaml": "name: f\noptim:\n  lr: 0.25\n  steps: 7\n"}
    assert outcome(text, "--config_path c.yaml --optim.lr 0.5", files) == ["f", False, 0.5, 7]


def test_tyro_calls_a_function_by_its_parameters(outcome):
    text = (
        "import tyro\ndef main(lr: float = 0.1, amp: bool = False):\n    global x\n    x = [lr, amp]\ntyro.cli(main)\n"
    )
    assert outcome(text, "--lr 0.5 --amp") == [0.5, True]


PLAIN = (
    "from dataclasses import dataclass\nfrom transformers import HfArgumentParser\n"
    "@dataclass\nclass Data:\n    path: str = 'a'\n@dataclass\nclass Train:\n    lr: float = 0.1\n    epochs: int = 1\n"
)


def test_one_command_line_fills_several_records(outcome):
    text = (
        f"{PLAIN}d, t = HfArgumentParser((Data, Train)).parse_args_into_dataclasses()\nx = [d.path, t.lr, t.epochs]\n"
    )
    assert outcome(text, "--path b --epochs 3") == ["b", 0.1, 3]


def test_a_json_file_fills_several_records(outcome):
    text = f"{PLAIN}d, t = HfArgumentParser((Data, Train)).parse_json_file('c.json')\nx = [d.path, t.lr, t.epochs]\n"
    assert outcome(text, "", {"c.json": '{"path": "j", "lr": 0.5}'}) == ["j", 0.5, 1]


@pytest.mark.parametrize(
    "fill",
    ["import dacite\nt = dacite.from_dict(Train, data)\n", "import cattrs\nt = cattrs.structure(data, Train)\n"],
)
def test_a_mapping_fills_a_record(outcome, fill):
    assert outcome(f"{PLAIN}data = {{'lr': 0.5}}\n{fill}x = [t.lr, t.epochs]\n") == [0.5, 1]


@pytest.mark.parametrize(
    ("head", "making"),
    [
        ("from pydantic import BaseModel\n", "import yaml\nc = Job(**yaml.safe_load(open('c.yaml')))\n"),
        ("from pydantic import BaseModel\n", "c = Job.parse_file('c.yaml')\n"),
        ("from pydantic_yaml import BaseModel\n", "c = Job.from_yaml_file('c.yaml')\n"),
        ("from pydantic_yaml import BaseModel\n", "c = Job.from_yaml(open('c.yaml').read())\n"),
    ],
)
def test_a_record_reads_mappings_as_its_fields_types_say(outcome, head, making):
    classes = (
        "class Inner(BaseModel):\n    lr: float\n    size: int = 24\n"
        "class Job(BaseModel):\n    train: Inner\n    ep: int = 7\n"
    )
    shown = "x = [c.train.lr, c.train.size, c.ep]\n"
    assert outcome(head + classes + making + shown, "", {"c.yaml": "train:\n  lr: 0.25\n"}) == [0.25, 24, 7]


@pytest.mark.parametrize("word", ["alias", "validation_alias"])
def test_a_mapping_says_fields_under_their_other_names(outcome, word):
    code = (
        "from pydantic import BaseModel, Field\n"
        f"class Inner(BaseModel):\n    lr: float = Field(0.1, {word}='learningRate')\n"
        "class Job(BaseModel):\n    train: Inner\nx = Job(train={'learningRate': 0.5}).train.lr\n"
    )
    assert outcome(code) == 0.5


def test_a_field_of_mappings_stays_one(outcome):
    code = (
        "from pydantic import BaseModel\nclass Inner(BaseModel):\n    lr: float = 0.1\n"
        "class Job(BaseModel):\n    parts: dict[str, Inner]\nx = Job(parts={'lr': {'lr': 0.5}}).parts['lr']\n"
    )
    assert outcome(code) == {"lr": 0.5}


def test_options_beside_the_records_of_a_parser(read):
    code = FIT_BATCHES + (
        "from dataclasses import dataclass\nfrom transformers import HfArgumentParser\n"
        "@dataclass\nclass Record:\n    lr: float = 0.1\n    steps: int = 7\n"
        "parser = HfArgumentParser(Record)\nparser.add_argument('--batch', type=int, default=2)\n"
        "args = parser.parse_args()\nfit(args.lr, args.steps, batch=args.batch)\n"
    )
    job = read({"train.py": code}, "python train.py --lr 0.3 --batch 16")
    assert (job.learning_rate, job.batch_size, job.total_steps) == (0.3, 16, 7)


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


TRAINER = """
import sys
from dataclasses import dataclass
import torch
from transformers import AutoModelForCausalLM, HfArgumentParser, Trainer, TrainingArguments

@dataclass
class Options(TrainingArguments):
    cutoff: int = 16

@dataclass
class Model:
    name: str = "gpt2"

def main():
    parser = HfArgumentParser((Options, Model))
    if len(sys.argv) == 2 and sys.argv[1].endswith(".json"):
        args, model = parser.parse_json_file(json_file=sys.argv[1])
    else:
        args, model = parser.parse_args_into_dataclasses()
    net = AutoModelForCausalLM.from_pretrained(model.name)
    Trainer(model=net, args=args, train_dataset=None).train()

main()
"""
FILLED = {
    "output_dir": "out",
    "learning_rate": 0.0003,
    "per_device_train_batch_size": 4,
    "num_train_epochs": 2,
    "bf16": True,
    "name": "facebook/opt-125m",
}


def test_a_json_file_fills_records_that_extend_a_librarys(read):
    job = read({"train.py": TRAINER, "job.json": json.dumps(FILLED)}, "torchrun --nproc_per_node 2 train.py job.json")
    assert (job.learning_rate, job.batch_size, job.epochs, job.precision) == (0.0003, 4, 2, "bf16")
    assert (job.global_batch_size, job.model_name) == (8, "facebook/opt-125m")


def test_words_fill_records_that_extend_a_librarys(read):
    words = "python train.py --output_dir o --learning_rate 1e-4 --max_steps 50 --name facebook/opt-125m"
    job = read({"train.py": TRAINER}, words)
    assert (job.learning_rate, job.total_steps, job.batch_size) == (0.0001, 50, 8)


PLAN = """
from dataclasses import dataclass, field

@dataclass(frozen=True)
class Optim:
    lr: float = 0.5

@dataclass(frozen=True)
class Plan:
    name: str
    optim: Optim = field(default_factory=Optim)
    batch_size: int = 8
    epochs: int = 1
"""


def test_a_record_is_picked_by_its_name_and_overridden(read):
    program = (
        TORCH_HEAD
        + TORCH_LOOP
        + PLAN
        + """
import tyro

PLANS = [Plan(name="quick", epochs=3), Plan(name="slow_one", optim=Optim(lr=0.25), epochs=9)]

def main(plan: Plan):
    train(plan.optim.lr, plan.batch_size, plan.epochs)

main(tyro.extras.overridable_config_cli({plan.name: (plan.name, plan) for plan in PLANS}))
"""
    )
    job = read({"train.py": program}, "python train.py slow_one --batch-size 16")
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.25, 16, 9)
    assert read({"train.py": program}, "python train.py quick --optim.lr=0.01").learning_rate == 0.01
    assert read({"train.py": program}, "python train.py other").learning_rate is None


@pytest.mark.parametrize("maker", ["dacite.from_dict(data_class=Plan, data=data)", "cattrs.structure(data, Plan)"])
def test_a_mapping_is_turned_into_records(read, maker):
    made = f"import cattrs, dacite, yaml\ndata = yaml.safe_load(open('plan.yaml'))\nplan = {maker}\n"
    program = TORCH_HEAD + TORCH_LOOP + PLAN + made + "train(plan.optim.lr, plan.batch_size, plan.epochs)\n"
    text = "name: a\noptim: {lr: 1.0e-2}\nbatch_size: 16\n"
    job = read({"train.py": program, "plan.yaml": text}, "python train.py")
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.01, 16, 1)
