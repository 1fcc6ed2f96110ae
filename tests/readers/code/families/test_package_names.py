"""The package in which a module stands, as code asks for it to find what lies beside it."""

import pytest

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


@pytest.mark.parametrize(("module", "named"), [("top", ""), ("one", "one"), ("one.two", "one"), ("one.in_", "one.in_")])
def test_a_package_is_named_by_its_way(outcome, module, named):
    files = {"top.py": "p = __package__\n", "one/__init__.py": "p = __package__\n", "one/two.py": "p = __package__\n"}
    files["one/in_/__init__.py"] = "p = __package__\n"
    assert outcome(f"import importlib\nx = importlib.import_module('{module}').p\n", files=files) == named
