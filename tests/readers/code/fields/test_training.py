"""Programs that draw samples of a distribution or simulate a world: no network is trained, and none is named."""

import pytest

from tests.readers.code.networks import ONE_LAYER

ASKED = """
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="decay")
args = parser.parse_args()
"""
CHAINS = """
import emcee

walkers = emcee.EnsembleSampler(32, 2, likelihood)
walkers.run_mcmc(start(), 5000)
"""
HAMILTON = """
import jax
from numpyro.infer import MCMC, NUTS

chains = MCMC(NUTS(rivers), num_warmup=100, num_samples=200)
chains.run(jax.random.PRNGKey(0), 3)
"""
FITTED = """
import torch
import emcee

net = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(100):
    net(torch.randn(4, 2)).sum().backward()
    optimizer.step()
emcee.EnsembleSampler(32, 2, net).run_mcmc(start(), 5000)
"""


@pytest.mark.parametrize("code", [CHAINS, HAMILTON])
def test_what_samples_a_distribution_trains_no_network(read, code):
    job = read({"go.py": ASKED + code}, "python go.py")
    assert (job.is_training, job.model_name, job.model_type) == (False, None, None)


def test_a_network_that_is_trained_before_it_is_sampled_is_trained(read):
    assert read({"go.py": FITTED}, "python go.py").is_training is True


UNSEEN = """
import importlib
import sys
import torch
import yaml

plan = yaml.safe_load(open(sys.argv[1]))
module, name = made_up(plan["who"])
worker = getattr(importlib.import_module(module), name)(plan)
worker.{told}()
"""
PLAN = "who: Baker\noptimizer:\n  _target_: torch.optim.AdamW\n  lr: 0.003\n"


@pytest.mark.parametrize(
    ("told", "trains"), [("run_training_loop", True), ("run_evaluation_loop", None), ("bake", None)]
)
def test_settings_of_an_optimizer_count_where_what_is_not_known_is_told_to_train(read, told, trains):
    job = read({"go.py": UNSEEN.format(told=told), "plan.yaml": PLAN}, "python go.py plan.yaml")
    assert (job.is_training, job.optimizer) == (trains, "AdamW" if trains else None)


def test_a_function_that_is_handed_to_an_unknown_starter_may_train(read):
    files = {
        "train.py": "import sys\nimport torch\nplans = {}\n\ndef work():\n    torch.load('x')\n\n"
        "plan = plans[sys.stdin.read()]()\nplan.launcher(work)\ntorch.load('y').eval()\n"
    }
    assert read(files, "python train.py").is_training is None


AGENT = """
    import optax
    import elsewhere

    class Learner:
        def __init__(self, lr=3e-4):
            self.opt = optax.chain(optax.clip(1.0), optax.scale_by_learning_rate(lr))

    learner = Learner()
    elsewhere.go(learner)
    """


def test_an_optimizer_with_its_rate_tells_of_training_though_the_loop_is_out_of_reach(read):
    assert read({"main.py": AGENT}, "python main.py").is_training is True
    assert read({"eval.py": AGENT}, "python eval.py").is_training is not True


LOST = """
import argparse
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.2)
model = read_back("net.pickle")(parser.parse_args().lr)
for epoch in range(9):
    model.advance()
"""


@pytest.mark.parametrize(
    ("name", "trains", "rate"),
    [
        ("train_net.py", True, 0.2),
        ("pretrain2.py", True, 0.2),
        ("main.py", None, None),
        ("eval_train.py", None, None),
        ("plot_training.py", None, None),
        ("training_report.py", None, None),
        ("trained_sizes.py", None, None),
    ],
)
def test_a_program_that_is_named_after_training_trains_where_its_loop_is_lost(read, name, trains, rate):
    job = read({name: LOST}, f"python {name}")
    assert (job.is_training or None, job.learning_rate) == (trains, rate)


def test_a_trainer_of_the_project_that_surely_trains(read):
    files = {
        "train.py": "import torch\nfrom zoo import build\n\nclass BigTrainer:\n    def train(self):\n"
        "        self.engine = build()\n        self.engine.go()\n        torch.load('x')\n\nBigTrainer().train()\n"
    }
    assert read(files, "python train.py").is_training is True


MODES = """
import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--mode", choices=["train", "test", "export"])
args = parser.parse_args()
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
update = [lambda: (model(torch.rand(2, 3)).sum().backward(), optimizer.step())]
for step in range(9):
    update[0]()
"""


@pytest.mark.parametrize(("mode", "trains"), [("train", True), ("test", False), ("export", False)])
def test_a_mode_that_is_told_decides(read, mode, trains):
    workload = read({"job.py": MODES}, f"python job.py --mode {mode}")
    assert workload.is_training is trains
    assert (workload.learning_rate is None) is not trains


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


EVALUATES = """
import argparse, torch
from torch import nn
from torch.utils.data import DataLoader

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc(x)

def evaluate_all(model, batch_size):
    model.half()
    for x in DataLoader(list(range(100)), batch_size=batch_size):
        model(x.cuda())

parser = argparse.ArgumentParser()
parser.add_argument("--eval", action="store_true")
parser.add_argument("--ckpt")
args = parser.parse_args()
model = Net().cuda()
model.load_state_dict(torch.load(args.ckpt))
if args.eval:
    evaluate_all(model, 24)
else:
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    model(torch.ones(8)).sum().backward()
    optimizer.step()
"""


def test_an_evaluation_is_followed_where_it_is_all_the_work(read):
    job = read({"main.py": EVALUATES}, "python main.py --eval --ckpt net.pt")
    assert (job.is_training, job.num_gpus, job.batch_size, job.precision) == (False, 1, 24, "fp16")
    trains = read({"main.py": EVALUATES}, "python main.py")
    assert (trains.is_training, trains.precision, trains.learning_rate) == (True, "fp32", 0.01)


LOOKS = """
import argparse
import sys
import torch
p = argparse.ArgumentParser()
p.add_argument("--mode")
args = p.parse_args()
CHECK
net = torch.nn.Linear(2, 2)
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
if args.mode == "fit":
    net(torch.ones(2)).sum().backward()
    optimizer.step()
elif args.mode == "look":
    with torch.no_grad():
        net(torch.ones(2))
LAST
"""


@pytest.mark.parametrize(
    ("check", "last", "answer"),
    [
        ("", "", False),
        ("assert args.mode in ('fit', 'look')", "", None),
        ("assert args.mode != 'look'", "", False),
        ("if args.mode is None:\n    sys.exit('which mode?')", "", None),
        ("if args.mode is None:\n    sys.exit(2)", "", None),
        ("", "if args.mode is None:\n    raise ValueError(args.mode)", None),
    ],
)
def test_a_program_that_fails_tells_nothing_of_what_it_would_do(read, check, last, answer):
    code = LOOKS.replace("CHECK", check).replace("LAST", f"{last}\nnet.eval()\n")
    assert read({"main.py": code}, "python main.py").is_training is answer
    assert read({"main.py": code}, "python main.py --mode fit").is_training is True


BY_HAND = """
import torch
net = torch.nn.Linear(2, 2)
net.eval()
loss = net(torch.ones(2)).sum()
grads = torch.autograd.grad(loss, BY)
"""


@pytest.mark.parametrize(("by", "answer"), [("net.parameters()", None), ("torch.ones(2)", False)])
def test_gradients_by_the_weights_may_move_them(read, by, answer):
    assert read({"main.py": BY_HAND.replace("BY", by)}, "python main.py").is_training is answer


KINDS = """
import argparse
import torch
p = argparse.ArgumentParser()
p.add_argument("--kind")
args = p.parse_args()

class Slow:
    def __init__(self):
        self.net = torch.nn.Linear(2, 2)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=0.01)
    def go_through(self):
        self.net(torch.ones(2)).sum().backward()
        self.optimizer.step()

class Fast(Slow):
    def go_through(self):
        WORK

job = None
for kind in (Slow, Fast):
    if args.kind == kind.__name__:
        job = kind()
job.go_through()
"""


def test_each_of_several_between_which_the_run_decides_is_followed(read):
    code = KINDS.replace("WORK", "super().go_through()")
    job = read({"main.py": code}, "python main.py --kind <kind>")
    assert (job.is_training, job.optimizer, job.learning_rate) == (True, "Adam", 0.01)


TOLD_TO_START = """
import torch
from birdlib import Flock
net = torch.nn.Linear(3, 3)
Flock(net).{told}()
net.eval()
net(torch.rand(3))
"""


@pytest.mark.parametrize(
    ("name", "told", "trains"),
    [
        ("demo.py", "run_train", None),  # what it does is not known
        ("go.py", "start_training", None),
        ("demo.py", "run_test", False),
        ("go.py", "run_test", False),
        ("go.py", "train", False),  # a mode
    ],
)
def test_what_is_told_to_start_training_is_no_path_without_it(read, name, told, trains):
    assert read({name: TOLD_TO_START.format(told=told)}, f"python {name}").is_training is trains


FEDERATED = f"""
import importlib
import sys
import torch
from torch import nn
{ONE_LAYER}
net = Net()
net.load_state_dict(torch.load("first.pt"))
for client in importlib.import_module(open("kind.txt").read()).clients():
    client.{{call}}
print(net(torch.ones(4)))
"""


@pytest.mark.parametrize(("call", "trains"), [("set_learning_rate(0.1)", None), ("get_device()", False)])
def test_what_is_told_its_rate_out_of_sight_may_train(read, call, trains):
    assert read({"go.py": FEDERATED.format(call=call)}, "python go.py").is_training is trains


ADAPTS = """
import argparse, torch
parser = argparse.ArgumentParser()
parser.add_argument("--test", {kind})
parser.add_argument("--lr", type=float, default=0.1)
args = parser.parse_args()
net = torch.nn.Linear(3, 1)

def adapt(rows):
    optimizer = torch.optim.SGD(net.parameters(), lr=args.lr)
    for step in range(5):
        net(rows).sum().backward()
        optimizer.step()

def {name}():
    for task in range(10):
        adapt(torch.rand(4, 3))

{name}()
"""
SWITCH = 'action="store_true"'


@pytest.mark.parametrize(
    ("name", "kind", "words", "trains"),
    [
        ("meta_test", SWITCH, "--test", False),
        ("evaluate", SWITCH, "--test", False),
        ("evaluate", SWITCH, "", True),
        ("learn", SWITCH, "--test", True),
        ("evaluate", "type=bool, default=False", "--test False", True),
        ("evaluate", "type=bool, default=False", "--test True", False),
    ],
)
def test_what_an_evaluation_adapts_to_is_not_learned(read, name, kind, words, trains):
    files = {"go.py": ADAPTS.format(name=name, kind=kind), "go.sh": f"python go.py {words}\n"}
    for command in (f"python go.py {words}", "bash go.sh"):
        job = read(files, command)
        assert (job.is_training, job.learning_rate) == (trains, 0.1 if trains else None)


SWITCHED_OFF = """
import argparse

import torch
from nets import River


class Rows(torch.utils.data.Dataset):
    def __getitem__(self, place):
        return torch.from_numpy(self.table.loc[place, "rows"]), self.table.loc[place, "label"]


def train(net, adam, loader):
    for epoch in range(9):
        for rows in loader:
            net(rows).sum().backward()
            adam.step()


def validate(net, loader):
    with torch.no_grad():
        for rows, labels in loader:
            print(labels, net(rows.unsqueeze(1).to("cuda")))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float)
    told = parser.parse_args()
    net = River()
    adam = torch.optim.Adam(net.parameters(), lr=told.lr)
    loader = torch.utils.data.DataLoader(Rows(), batch_size=8)
    {call}(net, adam, loader)
    net.load_state_dict(torch.load("best.pt"))
    validate(net, loader)


main()
"""


@pytest.mark.parametrize(("call", "trains"), [("# train", False), ("train", True), ("print", False)])
def test_a_call_that_is_commented_out_trains_nothing(read, call, trains):
    assert read({"train.py": SWITCHED_OFF.replace("{call}", call)}, "python train.py --lr 0.1").is_training is trains
