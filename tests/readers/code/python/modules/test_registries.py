"""Registries: names that modules write into a mapping when they are imported."""

import pytest

from schedmate.readers.code.reader import read_code
from schedmate.tools.repository import Repository
from tests.readers.code.programs import TORCH_HEAD


def test_a_table_of_imported_classes_is_read_where_it_is_asked(read, write):
    zoo = "".join(f"from .{name.lower()} import {name}\n" for name in ("ResNet", "VGG", "DenseNet"))
    zoo += "NETS = {'resnet': ResNet, 'vgg': VGG, 'dense': DenseNet}\n"
    net = "import torch\nclass {}(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    net += "        self.conv = torch.nn.Conv2d(3, 8, 3)\n"
    train = (
        TORCH_HEAD
        + "from zoo import NETS\nmodel = NETS['vgg']()\noptimizer = torch.optim.SGD(model.parameters(), lr=0.25)\n"
    )
    train += "for epoch in range(3):\n    model(torch.randn(2, 3, 8, 8)).sum().backward()\n    optimizer.step()\n"
    files = {"train.py": train, "zoo/__init__.py": zoo}
    files.update({f"zoo/{name.lower()}.py": net.format(name) for name in ("ResNet", "VGG", "DenseNet")})
    repository = Repository(write(files))
    job = read_code(repository, "python train.py").workload
    assert (job.model_name, job.learning_rate) == ("VGG", 0.25)
    opened = {path for path in repository.trace.files if path.startswith("zoo/")}
    assert opened == {"zoo/__init__.py", "zoo/vgg.py"}
    files["train.py"] = train.replace("NETS['vgg']()", "[net for name, net in NETS.items() if name == 'dense'][0]()")
    assert read(files, "python train.py").model_name == "DenseNet"


NET = """
import torch
from {package}.registry import {register}

{decorator}
class Wide{base}:
    def __init__(self, width=8):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, width, 3)
"""
OTHER = "raise RuntimeError('a module that registers nothing of this job is not followed')\n"
TRAIN = (
    TORCH_HEAD
    + """
import argparse
from zoo import build

parser = argparse.ArgumentParser()
parser.add_argument("--net", default="Narrow")
args = parser.parse_args()
model = build(args.net)
optimizer = torch.optim.SGD(model.parameters(), lr=0.25)
for epoch in range(3):
    loss = model(torch.randn(2, 3, 8, 8)).sum()
    loss.backward()
    optimizer.step()
"""
)
CLASS = """
class Registry:
    def __init__(self):
        self._items = {}

    def register(self, item=None):
        def put(cls):
            assert cls.__name__ not in self._items
            self._items[cls.__name__] = cls
            return cls
        return put if item is None else put(item)

    def get(self, name):
        if name not in self._items:
            raise KeyError(name)
        return self._items[name]

NETS = Registry()
"""
WALKS = {
    "by names read from the folder": """
import importlib, os
from zoo.registry import NETS
here = os.path.dirname(os.path.abspath(__file__))
names = [os.path.splitext(name)[0] for name in os.listdir(here) if name.endswith("_net.py")]
modules = [importlib.import_module(f"zoo.{name}") for name in names]

def build(name):
    return NETS.get(name)()
""",
    "by a generator over the folder": """
import importlib, os
from os import path as osp
from zoo.registry import NETS

def scan(folder):
    for entry in os.scandir(folder):
        if not entry.name.startswith(".") and entry.is_file():
            yield osp.relpath(entry.path, folder)

names = [osp.splitext(osp.basename(v))[0] for v in scan(osp.dirname(__file__)) if v.endswith("_net.py")]
modules = [importlib.import_module(f"zoo.{name}") for name in names]

def build(name):
    return NETS.get(name)()
""",
    "by pkgutil": """
import importlib, pkgutil
from zoo.registry import NETS
for _, name, _ in pkgutil.iter_modules(__path__):
    importlib.import_module("." + name, __package__)

def build(name):
    return NETS.get(name)()
""",
    "by pathlib": """
from pathlib import Path
from zoo.registry import NETS
for file in Path(__file__).parent.glob("*_net.py"):
    __import__("zoo." + file.stem)

def build(name):
    return NETS.get(name)()
""",
    "by names that cannot be followed": """
import importlib, os
from zoo.registry import NETS
for name in os.environ["PLUGINS"].split():
    importlib.import_module("zoo." + name)

def build(name):
    return NETS.get(name)()
""",
    "by plain imports": """
from zoo import wide_net, other_net
from zoo.registry import NETS

def build(name):
    return NETS.get(name)()
""",
}


@pytest.mark.parametrize("way", WALKS)
def test_a_registry_is_filled_by_importing_a_folder(read, way):
    files = {
        "train.py": TRAIN,
        "zoo/__init__.py": WALKS[way],
        "zoo/registry.py": CLASS,
        "zoo/wide_net.py": NET.format(
            package="zoo", register="NETS", decorator="@NETS.register()", base="(torch.nn.Module)"
        ),
        "zoo/other_net.py": OTHER,
    }
    job = read(files, "python train.py --net Wide")
    assert (job.model_name, job.model_type, job.learning_rate, job.epochs) == ("Wide", "cnn", 0.25, 3)
    assert "zoo/wide_net.py" in [one.path for one in job.evidence["model_name"]]


def test_only_the_module_that_registers_the_name_is_read(write):
    from schedmate.readers.code.reader import read_code
    from schedmate.tools.repository import Repository

    nets = {
        f"zoo/n{i}_net.py": f"from zoo.registry import NETS\n@NETS.register()\nclass N{i}: pass\n" for i in range(40)
    }
    wide = NET.format(package="zoo", register="NETS", decorator="@NETS.register()", base="(torch.nn.Module)")
    files = {"train.py": TRAIN, "zoo/registry.py": CLASS, "zoo/wide_net.py": wide, **nets}
    root = write({**files, "zoo/__init__.py": WALKS["by names read from the folder"]})
    repository = Repository(root)
    assert read_code(repository, "python train.py --net Wide", ".").workload.model_name == "Wide"
    assert sorted(repository.trace.files) == ["train.py", "zoo/__init__.py", "zoo/registry.py", "zoo/wide_net.py"]


MAPPING = """
_NETS = {}

def register(cls):
    if cls.__name__ in _NETS:
        raise ValueError("twice")
    _NETS[cls.__name__] = cls
    return cls
"""


def test_a_plain_mapping_is_filled_by_a_decorator_that_asks_for_the_name_first(read):
    build = "from zoo import nets\nfrom zoo.registry import _NETS\ndef build(name):\n    return _NETS[name]()\n"
    wide = NET.format(package="zoo", register="register", decorator="@register", base="(torch.nn.Module)")
    files = {"train.py": TRAIN, "zoo/__init__.py": build, "zoo/registry.py": MAPPING, "zoo/nets.py": wide}
    assert read(files, "python train.py --net Wide").model_name == "Wide"


def test_a_name_that_nobody_registers_stays_unknown(read):
    wide = NET.format(package="zoo", register="NETS", decorator="@NETS.register()", base="(torch.nn.Module)")
    files = {"train.py": TRAIN, "zoo/registry.py": CLASS, "zoo/wide_net.py": wide}
    job = read({**files, "zoo/__init__.py": WALKS["by plain imports"]}, "python train.py --net Tall")
    assert job.model_name in (None, "Tall")
    assert job.model_type is None


MODULES = {
    "nets/registry.py": """
        made = {}

        def register(fn):
            made[fn.__module__.split(".")[-1]] = fn
            return fn
    """,
    "nets/small_net.py": """
        import torch
        from .registry import register

        @register
        def build(config):
            return torch.nn.Linear(4, 2)
    """,
    "nets/large_net.py": """
        import torch
        from .registry import register

        @register
        def build(config):
            return torch.nn.Linear(400, 200)
    """,
    "nets/__init__.py": "from .small_net import *\nfrom .large_net import *\nfrom .registry import made\n",
    "main.py": """
        import sys
        import torch
        import nets

        net = nets.made[sys.argv[1]](None)
        sgd = torch.optim.SGD(net.parameters(), lr=0.1)
        for x, y in torch.utils.data.DataLoader([], batch_size=4):
            net(x).sum().backward()
            sgd.step()
    """,
}


@pytest.mark.parametrize(("name", "size"), [("small_net", "10"), ("large_net", "80200")])
def test_what_registers_under_the_name_of_its_module_is_found(read, name, size):
    assert read(MODULES, f"python main.py {name}").param_size == size
