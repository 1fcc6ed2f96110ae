"""Programs that may resume, classes and mappings that make themselves, settings in help texts and documents."""

LOOP = """
import torch
from torch.utils.data import DataLoader

def fit(size, rate, epochs):
    net = torch.nn.GRU(4, 4).cuda()
    optimizer = torch.optim.RMSprop(net.parameters(), lr=rate)
    for epoch in range(epochs):
        for x in DataLoader(range(9), batch_size=size):
            net(x).sum().backward()
            optimizer.step()
"""
TOLD = "fit({0}.size, {0}.rate, {0}.epochs)\n"


def settings(job):
    return job.batch_size, job.learning_rate, job.epochs


def test_an_object_that_is_made_anew_or_resumed_is_of_its_class(read):
    code = """
import os, torch
from torch.utils.data import DataLoader

class Learner:
    def __init__(self, rate):
        self.net = torch.nn.GRU(2, 2)
        self.seen = 0
        self.optimizer = torch.optim.Adagrad(self.net.parameters(), lr=rate)
    def resume(self, state):
        self.seen = state["seen"]
        self.optimizer.load_state_dict(state["optimizer"])
    def improve(self, x):
        self.net(x).sum().backward()
        self.optimizer.step()

if os.environ.get("RESUMED"):
    learner = Learner(0.03)
    learner.resume(torch.load("last.pt"))
else:
    learner = Learner(0.03)
for epoch in range(7):
    for x in DataLoader(range(9), batch_size=5):
        learner.improve(x)
"""
    job = read({"train.py": code}, "python train.py")
    assert (job.is_training, job.optimizer, job.learning_rate, job.epochs) == (True, "Adagrad", 0.03, 7)


def test_what_flax_restores_is_made_as_its_target(read):
    code = """
import jax, optax
import flax.linen as nn
from flax import struct
from flax.training import checkpoints
from flax.training.train_state import TrainState

class Agent(struct.PyTreeNode):
    actor: TrainState
    @classmethod
    def create(cls, rate):
        net = nn.Dense(3)
        params = net.init(jax.random.PRNGKey(0), jax.numpy.ones((2, 2)))
        return cls(actor=TrainState.create(apply_fn=net.apply, params=params, tx=optax.adam(rate)))
    def update(self, batch):
        grads = jax.grad(lambda params: self.actor.apply_fn(params, batch).sum())(self.actor.params)
        return self.replace(actor=self.actor.apply_gradients(grads=grads))

agent = Agent.create(3e-4)
last = checkpoints.latest_checkpoint("saved")
if last is not None:
    agent = checkpoints.restore_checkpoint(last, agent)
for step in range(900):
    agent = agent.update(jax.numpy.ones((2, 2)))
"""
    job = read({"train.py": code}, "python train.py")
    assert (job.is_training, job.learning_rate, job.total_steps) == (True, 3e-4, 900)


def test_two_loops_to_one_bound_count_the_same_steps(read):
    code = LOOP.partition("def fit")[0] + (
        "import yaml\ncfg = yaml.safe_load(open('c.yml'))\nlast = cfg['total_iter']\n"
        "net = torch.nn.GRU(4, 4).cuda()\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "current_iter = 0\n"
        "while current_iter <= last:\n"
        "    batches = iter(DataLoader(range(9), batch_size=3))\n    x = next(batches)\n"
        "    while x is not None:\n        current_iter += 1\n"
        "        if current_iter > last:\n            break\n"
        "        net(x).sum().backward()\n        optimizer.step()\n        x = next(batches)\n"
    )
    job = read({"train.py": code, "c.yml": "total_iter: 3000\n"}, "python train.py")
    assert job.total_steps == 3000


def test_a_range_in_a_librarys_clock_is_counted(read):
    code = LOOP.replace("range(epochs)", "clock.timed_for(range(epochs), save=True)")
    job = read({"train.py": "import gtimer as clock\n" + code + "fit(4, 0.5, 70)\n"}, "python train.py")
    assert job.epochs == 70


def test_a_class_made_of_a_mapping_has_its_items(read):
    code = LOOP + (
        "import argparse, json\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--config')\nparser.add_argument('--epochs', type=int)\n"
        "parser.add_argument('--size', type=int)\ngiven = parser.parse_args().__dict__\n"
        "items = json.load(open(given['config'], 'rb'))\n"
        "for key, value in given.items():\n"
        "    if not key in items or not value is None:\n        items[key] = value\n"
        "args = type('Args', (object,), items)\n"
    )
    files = {"train.py": code + TOLD.format("args"), "c.json": '{"size": 7, "rate": 0.25, "epochs": 5}'}
    assert settings(read(files, "python train.py --config c.json --epochs 3")) == (7, 0.25, 3)


def test_a_mapping_fills_itself_from_the_documents_of_a_file(read):
    code = LOOP + (
        "import yaml\n\nclass Dots(dict):\n"
        "    __getattr__ = dict.__getitem__\n    __setattr__ = dict.__setitem__\n\n"
        "class Settings(Dots):\n    def __init__(self, path):\n        super(Dots, self).__init__()\n"
        "        for document in yaml.load_all(open(path), Loader=yaml.Loader):\n"
        "            for key, value in document.items():\n                setattr(self, key, value)\n\n"
    )
    files = {"train.py": code + "told = Settings('c.yml')\n" + TOLD.format("told")}
    files["c.yml"] = "size: 6\nrate: 0.125\n---\nepochs: 4\n"
    assert settings(read(files, "python train.py")) == (6, 0.125, 4)


HELP = '"""Train.\n\nusage: train.py [options] <folder>\n\noptions:\n    --size=<n>   Batch [default: 8].\n'
HELP += '    --rate=<r>   Rate [default: 0.5].\n    -e, --epochs=<n>  Rounds.\n    --fast       Hurry.\n"""\n'


def test_docopt_reads_the_help_text(read):
    code = HELP + "from docopt import docopt\n" + LOOP + "told = docopt(__doc__)\n"
    code += "fit(int(told['--size']), float(told['--rate']), 2 if told['--fast'] else int(told['--epochs']))\n"
    assert settings(read({"train.py": code}, "python train.py data --rate 0.25 --epochs=9")) == (8, 0.25, 9)
    assert read({"train.py": code}, "python train.py --fast data").epochs == 2


def test_a_copy_of_hparams_parses_pairs_and_files(read):
    copy = (
        "import json\n\nclass HParams(object):\n"
        "    def __init__(self, **kwargs):\n        for name, value in kwargs.items():\n"
        "            self.add_hparam(name, value)\n"
        "    def add_hparam(self, name, value):\n        setattr(self, name, value)\n"
        "    def parse(self, values):\n        for pair in complicated(values):\n            setattr(self, *pair)\n"
        "    def parse_json(self, text):\n        self.parse(json.loads(text))\n"
    )
    code = "from hparam import HParams\n" + LOOP + "hp = HParams(size=2, rate=0.5, epochs=9)\n"
    code += "with open('c.json') as file:\n    hp.parse_json(file.read())\nhp.parse('epochs=6')\n" + TOLD.format("hp")
    files = {"train.py": code, "hparam.py": copy, "c.json": '{"size": 12}'}
    assert settings(read(files, "python train.py")) == (12, 0.5, 6)


PARSER = """
import dataclasses, os, sys
from dataclasses import dataclass, field
from transformers import AutoModelForCausalLM, HfArgumentParser, Trainer, TrainingArguments

class FileParser(HfArgumentParser):
    def parse_yaml_and_args(self, path, words):
        outputs = []
        words = {word.split("=")[0].strip("-"): word.split("=")[1] for word in words}
        for record, kind in zip(self.parse_yaml_file(os.path.abspath(path)), self.dataclass_types):
            keys = {f.name for f in dataclasses.fields(record) if f.init}
            inputs = {k: v for k, v in vars(record).items() if k in keys}
            inputs.update({k: v for k, v in words.items() if k in keys})
            outputs.append(kind(**inputs))
        return outputs
    def parse(self):
        return self.parse_yaml_and_args(os.path.abspath(sys.argv[1]), sys.argv[2:])

@dataclass
class Model:
    name_or_path: str = field(default=None)

model, training = FileParser((Model, TrainingArguments)).parse()
trainer = Trainer(model=AutoModelForCausalLM.from_pretrained(model.name_or_path), args=training)
for iteration in range(1):
    trainer.train()
"""
FILE = "name_or_path: gpt2\nlearning_rate: 1.0e-5\nnum_train_epochs: 6\nper_device_train_batch_size: 4\n"
FILE += "gradient_accumulation_steps: 8\n"


def test_words_stand_over_the_file_of_a_copied_parser_and_rounds_around_a_trainer_are_no_steps(read):
    job = read({"train.py": PARSER, "c.yml": FILE}, "python train.py c.yml --num_train_epochs=1 --learning_rate=2e-4")
    assert (*settings(job), job.total_steps) == (4, 2e-4, 1, None)


def test_one_process_of_the_hugging_face_trainer_makes_its_own_batches(read):
    job = read({"train.py": PARSER, "c.yml": FILE}, "python train.py c.yml")
    assert (job.distributed, job.global_batch_size, job.num_gpus) == ("none", 32, None)


def test_a_trainer_is_told_by_whole_words_of_its_name(read):
    own = PARSER.replace("trainer = Trainer(", "class XPPOTrainer(Trainer):\n    pass\n\ntrainer = XPPOTrainer(")
    assert "ppo" not in read({"train.py": own, "c.yml": FILE}, "python train.py c.yml").task_fine


def test_async_as_an_argument_of_older_programs_is_read(read):
    code = LOOP.replace("net(x)", "net(x.cuda(async=True))") + "fit(4, 0.5, 7)\n"
    job = read({"train.py": code}, "python train.py")
    assert (*settings(job), job.precision) == (4, 0.5, 7, "fp32")


def test_the_commands_data_go_before_a_list_of_all(read):
    code = LOOP + (
        "import argparse\nparser = argparse.ArgumentParser()\ndatasets = ['GB1', 'TEM2']\n"
        "parser.add_argument('-d', '--dataset', default=datasets, choices=datasets)\n"
        "args = parser.parse_args()\nprint(datasets[0], args.dataset)\nfit(4, 0.5, 7)\n"
    )
    assert read({"train.py": code}, "python train.py -d TEM2").dataset_name == "TEM2"


def test_a_network_that_is_built_for_small_images_has_not_the_known_size(read):
    code = LOOP.replace("torch.nn.GRU(4, 4)", "VGG16(10)") + (
        "\nclass VGG16(torch.nn.Module):\n    def __init__(self, classes):\n        super().__init__()\n"
        "        self.last = torch.nn.Linear(512, classes)\n\n"
        "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--dataset')\n"
        "args = parser.parse_args()\nprint(args.dataset)\nfit(4, 0.5, 7)\n"
    )
    assert read({"train.py": code}, "python train.py --dataset CIFAR10").param_size is None
    assert read({"train.py": code}, "python train.py --dataset ImageNet").param_size == "138M"


def test_nobody_types_into_a_batch_job(read):
    code = LOOP + "fit(int(input('Size [8]: ') or '8'), float(input('Rate: ') or 0.5), int(input('Epochs: ') or 3))\n"
    assert settings(read({"train.py": code}, "python train.py")) == (8, 0.5, 3)


def test_capital_settings_of_an_agent_give_its_mini_batch(read):
    code = (
        "import argparse, gym, torch\nparser = argparse.ArgumentParser()\nparser.add_argument('--LR', default=0.5)\n"
        "for name, number in (('NUM_ENVS', 128), ('NUM_STEPS', 32), ('NUM_MINIBATCHES', 16)):\n"
        "    parser.add_argument('--' + name, default=number)\n"
        "config = vars(parser.parse_args())\nenv = gym.make('Pong-v5')\n"
        "class ActorCritic(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.body = torch.nn.Linear(4, 2)\n"
        "net = ActorCritic().cuda()\noptimizer = torch.optim.Adam(net.parameters(), lr=config['LR'])\n"
        "batch = config['NUM_ENVS'] * config['NUM_STEPS'] // config['NUM_MINIBATCHES']\n"
        "for update in range(900):\n    net(env.reset()).sum().backward()\n    optimizer.step()\n"
    )
    assert read({"ppo_atari.py": code}, "python ppo_atari.py").batch_size == 256


NANO = """
import torch
size = 12
max_iters = 600000
rate = 6e-4
exec(open("nano/configurator.py").read())
net = torch.nn.GRU(2, 2).cuda()
optimizer = torch.optim.AdamW(net.parameters(), lr=rate)
step = 0
while True:
    net(torch.ones(size)).sum().backward()
    optimizer.step()
    step += 1
    if step > max_iters:
        break
"""


def test_words_stand_over_settings_where_the_configurator_is_not_here(read):
    job = read({"train.py": NANO}, "python train.py --max_iters=20000")
    assert (job.total_steps, job.learning_rate) == (20000, 6e-4)
    job = read({"train.py": NANO}, "python train.py nano/config/tiny.py --max_iters=20000")
    assert (job.total_steps, job.learning_rate) == (20000, None)


def test_a_persons_own_folder_names_no_data(read):
    code = LOOP + (
        "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--data_dir')\n"
        "print(parser.parse_args().data_dir)\nfit(4, 0.5, 7)\n"
    )
    assert read({"train.py": code}, "python train.py --data_dir /home/marla/Datasets").dataset_name is None


def test_rounds_in_each_epoch_are_no_epochs(read):
    code = """
import torch

class Trainer:
    def __init__(self, epochs, train_loops_per_epoch=1):
        self.net = torch.nn.GRU(2, 2).cuda()
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=0.01)
        self.epochs, self.train_loops_per_epoch = epochs, train_loops_per_epoch
    def train(self):
        for self.epoch in range(self.epochs):
            for _ in range(self.train_loops_per_epoch):
                for _ in range(1000):
                    self.net(torch.ones(2, 2)).sum().backward()
                    self.optimizer.step()

Trainer(epochs=3000).train()
"""
    assert read({"train.py": code}, "python train.py").epochs == 3000
