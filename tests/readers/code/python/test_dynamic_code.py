"""Texts that a program runs: once and one inside the other; what runs itself costs only its own part."""

from textwrap import dedent

import pytest


@pytest.mark.parametrize(
    "text",
    [
        "import cProfile\ns = 'cProfile.run(s); cProfile.run(s)'\ncProfile.run(s)\nx = 5\n",
        "s = 'exec(s); exec(s); exec(s)'\nexec(s)\nx = 5\n",
        "s = 'eval(s)'\neval(s)\nx = 5\n",
        "a = 'exec(b)'\nb = 'exec(a)'\nexec(a)\nx = 5\n",
        "s = 's = s + chr(32); exec(s)'\nexec(s)\nx = 5\n",
        "exec(open('again.py').read())\nx = 5\n",
    ],
)
def test_a_text_that_runs_itself_ends(outcome, text):
    assert outcome(text, files={"again.py": "exec(open('again.py').read())\n"}) == 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("exec('y = 4')\nx = y", 4),
        ("exec('exec(\"y = 4\")')\nx = y", 4),
        ("y = 1\nfor n in [1, 2, 3]:\n    exec('y = y + 2')\nx = y", 7),
        ("import cProfile\ndef main():\n    global y\n    y = 6\ncProfile.run('main()')\nx = y", 6),
        ("x = eval('eval(\"2 + 3\")')", 5),
    ],
)
def test_texts_one_inside_the_other_are_followed(outcome, text, expected):
    assert outcome(text) == expected


PROFILED = """
import cProfile
import torch

def main():
    model = torch.nn.Linear(4, 2)
    adam = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(9):
        model(torch.randn(8, 4)).sum().backward()
        adam.step()

{call}
"""


@pytest.mark.parametrize("call", ['cProfile.run("main()")', 'cProfile.run("main()", "out.prof")'])
def test_a_profiled_program_is_followed(read, call):
    found = read({"go.py": PROFILED.format(call=call)}, "python go.py")
    assert (found.is_training, found.learning_rate) == (True, 0.02)
    assert read({"go.py": PROFILED.format(call='print("main()")')}, "python go.py").is_training is not True


CHOICE = """
    import importlib
    import importlib.util

    def get_model(name):
        for group in ("general", "sequential"):
            path = ".".join(["zoo", group, name.lower()])
            if importlib.util.find_spec(path):
                return getattr(importlib.import_module(path), name)
        raise ValueError(name)

    def get_trainer(name):
        try:
            return getattr(importlib.import_module("zoo.trainers"), name + "Trainer")
        except AttributeError:
            return getattr(importlib.import_module("zoo.trainers"), "Trainer")
"""
TRAINERS = """
    import torch

    class Trainer:
        def __init__(self, config, model):
            self.config, self.model = config, model
            self.optimizer = torch.optim.RMSprop(model.parameters(), lr=config["learning_rate"])

        def fit(self, data):
            for epoch in range(self.config["epochs"]):
                for batch in torch.utils.data.DataLoader(data, batch_size=self.config["train_batch_size"]):
                    self.model(batch).sum().backward()
                    self.optimizer.step()
"""
NET = """
    import torch

    class Deep(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = torch.nn.Conv2d(3, 8, 3)
"""
RUN = """
    import sys
    import yaml
    from zoo.choice import get_model, get_trainer

    def typed(options):
        for key in options:
            try:
                value = eval(options[key])
            except (NameError, SyntaxError):
                value = options[key]
            options[key] = value
        return options

    config = yaml.safe_load(open("overall.yaml"))
    given = {}
    for word in sys.argv[1:]:
        if not word.startswith("--") or len(word[2:].split("=")) != 2:
            continue
        name, value = word[2:].split("=")
        given[name] = value
    config.update(typed(given))
    model = get_model(config["model"])()
    get_trainer(config["model"])(config, model).fit([1, 2, 3])
"""


def test_modules_are_looked_for_and_options_read_by_hand(read):
    job = read(
        {
            "run.py": RUN,
            "overall.yaml": "epochs: 7\ntrain_batch_size: 2048\nlearning_rate: 0.125\n",
            "zoo/__init__.py": "",
            "zoo/choice.py": CHOICE,
            "zoo/trainers.py": TRAINERS,
            "zoo/general/__init__.py": "",
            "zoo/sequential/__init__.py": "",
            "zoo/sequential/deep.py": NET,
        },
        "python run.py --model=Deep --train_batch_size=512",
    )
    assert job.is_training
    assert job.model_name == "Deep"
    assert (job.batch_size, job.epochs, job.learning_rate, job.optimizer) == (512, 7, 0.125, "RMSprop")
    said, *_ = job.evidence["batch_size"]
    assert "--train_batch_size=512" in said.quote, "what `eval` makes of a word is the word's"


def test_a_module_of_settings_that_the_command_names_is_followed_after_its_packages(read):
    files = {
        "settings.py": "class Box(dict):\n    def __getattr__(self, key):\n        return self[key]\n"
        "    def __setattr__(self, key, value):\n        self[key] = value\nchosen = Box()\n",
        "recipes/__init__.py": "from settings import Box, chosen\nchosen.train = Box()\nchosen.train.rounds = 30\n",
        "recipes/birds/__init__.py": "from settings import chosen\nchosen.train.rate = 0.5\nchosen.train.batch = 7\n",
        "recipes/birds/small.py": "from settings import chosen\nchosen.train.batch = 24\n",
        "go.py": """
            import argparse, importlib, torch
            from settings import chosen
            parser = argparse.ArgumentParser()
            parser.add_argument("--recipe")
            importlib.import_module(parser.parse_args().recipe.replace(".py", "").replace("/", "."))
            net = torch.nn.Linear(3, 1)
            optimizer = torch.optim.SGD(net.parameters(), lr=chosen.train.rate)
            for epoch in range(chosen.train.rounds):
                for rows in torch.utils.data.DataLoader(range(9), batch_size=chosen.train.batch):
                    net(rows).sum().backward()
                    optimizer.step()
            """,
    }
    found = read(files, "python go.py --recipe recipes/birds/small.py")
    assert (found.learning_rate, found.epochs, found.batch_size) == (0.5, 30, 24)


BESIDE = """
import torch
def learn(epochs):
    net = torch.nn.Linear(4, 2)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(epochs):
        for rows in batches():
            net(rows).sum().backward()
            sgd.step()
"""
FINDS = {
    "all modules": "import sys\nfrom . import plain_learning\n"
    "def start(kind):\n    sys.modules[__package__ + '.' + kind + '_learning'].learn(17)\n",
    "by a relative name": "import importlib\n"
    "def start(kind):\n    importlib.import_module(f'.{kind}_learning', __package__).learn(17)\n",
    "by a whole name": "import importlib\n"
    "def start(kind):\n    importlib.import_module(f'{__package__}.{kind}_learning').learn(17)\n",
}


@pytest.mark.parametrize("way", FINDS)
@pytest.mark.parametrize("root", ["", "src/"])
def test_a_module_finds_another_beside_it(read, way, root):
    files = {
        "go.py": "from works.steps import start\nstart('plain')\n",
        f"{root}works/__init__.py": "",
        f"{root}works/steps/__init__.py": "from .starting import start\n",
        f"{root}works/steps/starting.py": FINDS[way],
        f"{root}works/steps/plain_learning.py": BESIDE,
    }
    assert read(files, "python go.py").epochs == 17


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


PICKED = """
import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import argparse, torch, yaml
import datasets, models
parser = argparse.ArgumentParser()
parser.add_argument("--cfg")
args = parser.parse_args()
class Config(dict):
    __getattr__ = dict.get
config = yaml.safe_load(open(args.cfg))
net = eval("models." + config["MODEL"]["NAME"] + ".get_net")()
data = eval("datasets." + config["DATASET"])("lib/train.lst")
loader = torch.utils.data.DataLoader(data, batch_size=4, shuffle=True)
net = net.cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(5):
    for batch in loader:
        net(batch).sum().backward()
        optimizer.step()
"""
NETWORK = """
import torch
class HighResolutionNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 8, 3)
def get_net():
    return HighResolutionNet()
"""
DATA = """
import torch
class Cityscapes(torch.utils.data.Dataset):
    def __init__(self, path):
        self.files = [line.strip() for line in open(path)]
    def __len__(self):
        return len(self.files)
"""


def test_a_package_on_an_added_path_is_meant_though_a_library_has_its_name(read):
    files = {
        "train.py": PICKED,
        "lib/models/__init__.py": "from . import seg_hrnet_ocr\n",
        "lib/models/seg_hrnet_ocr.py": NETWORK,
        "lib/datasets/__init__.py": "from .cityscapes import Cityscapes as cityscapes\n",
        "lib/datasets/cityscapes.py": DATA,
        "lib/train.lst": "a.png\n" * 40,
        "wide.yaml": "MODEL:\n  NAME: seg_hrnet_ocr\nDATASET: cityscapes\n",
    }
    job = read(files, "python train.py --cfg wide.yaml")
    assert (job.dataset_name, job.batch_size, job.total_steps) == ("Cityscapes", 4, 50)


@pytest.mark.parametrize(("name", "found"), [("torch.optim.Adam", "torch.optim"), ("torch.optim", "torch.optim")])
def test_a_library_s_class_is_no_module_that_is_imported(outcome, name, found):
    text = f"""
        import importlib
        x = "{name}"
        try:
            importlib.import_module(x)
        except ImportError:
            x = x.rpartition(".")[0]
    """
    assert outcome(dedent(text)) == found


PARTS = {
    "zoo/__init__.py": """
        import os
        import pkgutil

        for _, name, _ in pkgutil.iter_modules([os.path.dirname(__file__)]):
            part = __import__(name, globals(), locals(), level=1)
            for one in part.__all__ if "__all__" in dir(part) else []:
                globals()[one] = part.__dict__[one]
    """,
    "zoo/cats.py": "__all__ = ['lion']\n\ndef lion():\n    return 4\n",
    "zoo/deep/__init__.py": "dogs = __import__('dogs', globals(), None, ['wolf'], 2)\n",
    "zoo/dogs.py": "wolf = 9\n",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from zoo import *\nx = lion()", 4),
        ("from zoo.deep import dogs\nx = dogs.wolf", 9),
        ("import zoo\nx = zoo.wolf", "unknown"),
    ],
)
def test_modules_of_its_own_package_are_imported_by_their_names(outcome, text, expected):
    assert outcome(text, files={path: dedent(part) for path, part in PARTS.items()}) == expected
